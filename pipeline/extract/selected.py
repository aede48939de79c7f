"""A field whose place the rules name: by CSS, XPath, JSONPath, and a pattern in the text found there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import cast

import jsonpath
import re2
from turbohtml import Document, Element

from pipeline.config import compiled_json_path
from pipeline.extract.currencies import iso_code
from pipeline.extract.elements import STRUCK, inner_text, link_of, machine_value
from pipeline.extract.properties import scalar
from pipeline.extract.structured import Value, load_json
from pipeline.extract.text import fold
from pipeline.extract.typed import CONFLICT, MISSING, Hints, Typed
from pipeline.extract.values import listed, quantity, typed
from pipeline.extract.view import select
from pipeline.model import FieldSpec, FieldState, FieldType

__all__ = ["Place", "read_selected", "source_of"]

MATCHES = 50
MATCHES_JOINED = 1000
"""Matches of one selector looked at, for a single value and for what joins the texts of all."""

_TEXT_LIKE = frozenset({FieldType.TEXT, FieldType.LIST})
_CURRENCY_OF_PAGE = 'meta[property="product:price:currency"],meta[itemprop=priceCurrency]'


@dataclass(frozen=True, slots=True)
class Place:
    """Where selectors look.

    Attributes:
        document: None for a body that is no markup.
        values: Top-level values of a JSON body; None for any other.
        marked: Elements that are hidden, among others.
    """

    document: Document | None
    values: Sequence[Value] | None
    marked: Mapping[Element, int]


@dataclass(frozen=True, slots=True)
class _Found:
    """One match: its text, or the exact number that JSON gives, and what helps to read it."""

    text: str
    hints: Hints
    number: Decimal | None = None


def source_of(spec: FieldSpec) -> str:
    """The source's name: the last step that leads to the value."""
    if spec.regex is not None:
        return "regex"
    if spec.json_path is not None:
        return "json_path"
    return "css" if spec.css is not None else "xpath"


def read_selected(spec: FieldSpec, place: Place, hints: Hints) -> tuple[Typed, str]:
    """The value at the place that the rules name, and its raw text.

    A selector that matches nothing, or only what is empty, gives `missing`; matches with different values `conflict`,
    but for texts, which are joined, and lists.
    """
    if spec.currency is not None:
        hints = replace(hints, currency=spec.currency)
    most = MATCHES_JOINED if spec.type in _TEXT_LIKE else MATCHES
    found = [match for match in _matches(spec, place, hints, most) if match.text]
    if spec.regex is not None:
        found = [match for each in found if (match := _within(each, spec.regex)).text]
    texts = [match.text for match in found]
    match spec.type:
        case FieldType.LIST:
            value = listed(texts)
        case FieldType.TEXT:
            value = typed(" ".join(texts), spec.type, hints)
        case _:
            value = _single([_typed(match, spec.type) for match in found])
    return value, " | ".join(texts)


def _typed(found: _Found, field_type: FieldType) -> Typed:
    if found.number is not None:
        return quantity(found.number, field_type, found.hints)
    return typed(found.text, field_type, found.hints)


def _single(values: Sequence[Typed]) -> Typed:
    """The one value of what a selector matched; matches with different values are in conflict."""
    known = {value.text: value for value in values if value.state is FieldState.VALUE}
    if len(known) > 1:
        return CONFLICT
    return next(iter(known.values()), values[0] if values else MISSING)


def _matches(spec: FieldSpec, place: Place, hints: Hints, most: int) -> Iterator[_Found]:
    if spec.css is None and spec.xpath is None:
        yield from _in_json(spec, place.values or (), hints, most)
        return
    for node in _nodes(spec, place, most):
        if spec.json_path is not None:
            text = node.text if isinstance(node, Element) else node
            yield from _in_json(spec, _json_values(text), hints, most)
        elif isinstance(node, Element):
            yield _Found(_raw(node, spec, place), _beside(node, spec, place, hints))
        else:
            yield _Found(fold(node), hints)


def _nodes(spec: FieldSpec, place: Place, most: int) -> list[Element | str]:
    """Elements, or the texts that an XPath of attributes, text nodes, strings or numbers gives."""
    if place.document is None:
        return []
    if spec.css is not None:
        return [*_members(select(place.document, spec.css), spec)[:most]]
    try:
        found = place.document.xpath(spec.xpath or "")
    except (ValueError, TypeError):  # `check` refuses it beforehand
        return []
    if not isinstance(found, list):
        return [_number_text(found) if isinstance(found, float) else str(found)]
    elements = [node for node in found if isinstance(node, Element)]
    if len(elements) == len(found):
        return [*_members(elements, spec)[:most]]
    return [node if isinstance(node, Element | str) else node.text for node in found[:most]]


def _members(elements: list[Element], spec: FieldSpec) -> list[Element]:
    if spec.type is FieldType.LIST and len(elements) == 1 and elements[0].tag in {"ul", "ol"}:
        return [child for child in elements[0].children if isinstance(child, Element)]
    return elements


def _number_text(number: float) -> str:
    return f"{number:.0f}" if number.is_integer() else repr(number)


def _json_values(text: str) -> list[Value]:
    try:
        return load_json(text.strip())
    except ValueError:
        return []


def _in_json(spec: FieldSpec, values: Sequence[Value], hints: Hints, most: int) -> Iterator[_Found]:
    """The matches in the first value; a list that is matched stands for its members."""
    root = values[0] if values else None
    if not isinstance(root, dict | list):
        return
    hints = replace(hints, machine=True)
    try:
        found = cast("list[Value]", compiled_json_path(spec.json_path or "").findall(root))
    except jsonpath.JSONPathError:  # nested deeper than it goes
        return
    members = [member for value in found for member in (value if isinstance(value, list) else [value])]
    for value in members[:most]:
        told = scalar(value, want_url=spec.type is FieldType.URL)
        yield _Found(str(told), hints, told if isinstance(told, Decimal) else None)


def _within(found: _Found, pattern: str) -> _Found:
    match = _compiled(pattern).search(found.text)
    text = "" if match is None else match[match.re.groups] or ""
    return replace(found, text=fold(text), number=None)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> "re2._Regexp[str]":
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)


def _raw(element: Element, spec: FieldSpec, place: Place) -> str:
    if spec.attribute is not None:
        return fold(element.attr(spec.attribute) or "")
    if spec.type in {FieldType.URL, FieldType.AVAILABILITY} and (link := link_of(element)):
        text = inner_text(element, place.marked) if spec.type is FieldType.AVAILABILITY else ""
        return text or fold(link)
    if element.tag in {"meta", "data", "meter"} or (element.tag == "time" and element.attr("datetime")):
        return machine_value(element)
    text = inner_text(element, place.marked, skip=STRUCK if spec.type is FieldType.PRICE else ())
    return text or fold(element.attr("content") or element.attr("value") or "")


def _beside(element: Element, spec: FieldSpec, place: Place, hints: Hints) -> Hints:
    """The hints, and for a price the currency that stands beside it for machines."""
    hints = replace(hints, machine=element.tag in {"meta", "data"} or spec.attribute == "content")
    if spec.type is not FieldType.PRICE or spec.currency is not None or place.document is None:
        return hints
    scope = element.closest("[itemscope]")
    around = scope if scope is not None else element.parent
    beside = around.select_one("[itemprop~=priceCurrency]") if around is not None else None
    if beside is None:
        beside = place.document.select_one(_CURRENCY_OF_PAGE)
    return replace(hints, currency=iso_code(machine_value(beside)) if beside is not None else None)
