"""What points at a part of a page: CSS, XPath, JSONPath and RE2, each compiled when the file is read.

A reader raises `ValueError` whose message says what is expected.
"""

from functools import lru_cache
from typing import Annotated

import jsonpath
import re2
import turbohtml
from pydantic import AfterValidator

__all__ = ["JsonPath", "Mask", "PartSelector", "Regex", "Selector", "XPath", "compiled_json_path", "is_xpath"]

_MAX_SELECTOR = 2_000  # characters; browsers' "copy selector" gives some hundreds
_MAX_PATTERN = 1_000  # characters


def is_xpath(selector: str) -> bool:
    """Whether a selector of a part is XPath: no CSS selector begins with a slash or a bracket."""
    return selector.startswith(("/", "("))


def _bounded(value: str, what: str, most: int) -> None:
    if len(value) > most:
        raise ValueError(f"expected {what} of at most {most:,} characters")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise ValueError(f"expected {what} without half surrogates such as `\\ud800`")


@lru_cache(maxsize=4_096)
def _read_selector(value: str) -> str:
    _bounded(value, "a CSS selector", _MAX_SELECTOR)
    try:
        turbohtml.parse("").select(value)
    except turbohtml.SelectorSyntaxError as error:
        fault = str(error).rpartition('": ')[2]
        raise ValueError(f"expected a CSS selector: {fault}") from error
    return value


@lru_cache(maxsize=4_096)
def _read_xpath(value: str) -> str:
    _bounded(value, "an XPath", _MAX_SELECTOR)
    if "re:" in value:  # an extension whose patterns do not run in linear time
        raise ValueError("expected XPath 1.0, which has no `re:` functions; put the pattern under `regex`")
    try:
        turbohtml.parse("").xpath(value)
    except (ValueError, TypeError) as error:
        raise ValueError(f"expected XPath 1.0: {str(error).removeprefix('xpath: ')}") from error
    return value


def _read_part(value: str) -> str:
    if not is_xpath(value):
        return _read_selector(value)
    _read_xpath(value)
    if isinstance(turbohtml.parse("").xpath(value), list):
        return value
    raise ValueError("expected an XPath of elements; this one gives text, a number or a truth value")


def _compiled(value: str, what: str) -> "re2._Regexp[str]":
    _bounded(value, f"an RE2 {what}", _MAX_PATTERN)
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(value, options)
    except re2.error as error:
        fault = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise ValueError(f"expected an RE2 pattern (no look-around, no back references): {fault}") from error


@lru_cache(maxsize=4_096)
def _read_mask(value: str) -> str:
    if _compiled(value, "pattern").search("") is not None:
        raise ValueError("matches the empty text, and so everywhere; expected a pattern of at least one character")
    return value


@lru_cache(maxsize=4_096)
def _read_regex(value: str) -> str:
    if _compiled(value, "pattern").groups > 1:
        raise ValueError("expected at most one group, the part that is the value; write the others as `(?:...)`")
    return value


class _Paths(jsonpath.JSONPathEnvironment):
    """RFC 9535 without `match` and `search`, whose patterns do not run in linear time."""

    def setup_function_extensions(self) -> None:
        """Keep the other functions."""
        super().setup_function_extensions()
        del self.function_extensions["match"], self.function_extensions["search"]


_PATHS = _Paths(strict=True)


@lru_cache(maxsize=4_096)
def compiled_json_path(value: str) -> jsonpath.JSONPath | jsonpath.CompoundJSONPath:
    """A JSONPath ready to be used.

    Raises:
        jsonpath.JSONPathError: It is none.
    """
    return _PATHS.compile(value)


def _read_json_path(value: str) -> str:
    _bounded(value, "a JSONPath", _MAX_SELECTOR)
    try:
        compiled_json_path(value)
    except jsonpath.JSONPathError as error:
        fault = str(error.args[0]) if error.args else "it cannot be read"
        raise ValueError(
            f"expected a JSONPath of RFC 9535 such as `$.offer.price`, without `match` and `search`: {fault}"
        ) from error
    return value


Selector = Annotated[str, AfterValidator(_read_selector)]
"""CSS."""

XPath = Annotated[str, AfterValidator(_read_xpath)]
"""XPath 1.0."""

PartSelector = Annotated[str, AfterValidator(_read_part)]
"""CSS, or an XPath of elements, which begins with `/` or `(`."""

JsonPath = Annotated[str, AfterValidator(_read_json_path)]
"""RFC 9535."""

Regex = Annotated[str, AfterValidator(_read_regex)]
"""RE2 with at most one group."""

Mask = Annotated[str, AfterValidator(_read_mask)]
"""RE2 that matches no empty text."""
