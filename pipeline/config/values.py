"""The values that people type: how each is read, what is refused, and how its JSON Schema describes it.

A reader raises `ValueError` whose message says what is expected; it never repeats the value, which may be a
secret.
"""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Annotated
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BeforeValidator, PlainValidator, WithJsonSchema

from pipeline.config.fieldsets import BUILTIN_FIELDS
from pipeline.config.urls import check_url
from pipeline.config.words import did_you_mean, nearest

__all__ = [
    "NAME_PATTERN",
    "Age",
    "Attribute",
    "CookieName",
    "Country",
    "Currency",
    "Delay",
    "FieldName",
    "HostPort",
    "Interval",
    "Language",
    "LanguageTag",
    "Name",
    "Rate",
    "SetName",
    "TimeZone",
    "Timeout",
    "Url",
    "UserAgent",
    "Variable",
]

NAME_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,63}$"
_FIELD_PATTERN = r"^[a-z][a-z0-9_]{0,63}$"
_VARIABLE_PATTERN = r"^\$\{[A-Za-z_][A-Za-z0-9_]*\}$"
_DURATION_PATTERN = r"^[0-9]{1,9}(s|m|h|d)$"
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def _matching(pattern: str, expected: str) -> Callable[[str], str]:
    compiled = re.compile(pattern.removesuffix("$") + r"\Z")

    def read(value: str) -> str:
        if compiled.match(value) is None:
            raise ValueError(f"expected {expected}")
        return value

    return read


def _text(pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern})


# ── names ────────────────────────────────────────────────────────────────────

_NAME_WORDS = "a name of at most 64 of a-z, 0-9, `-` and `_` that begins with a letter or digit, in lower case"
Name = Annotated[str, AfterValidator(_matching(NAME_PATTERN, _NAME_WORDS)), _text(NAME_PATTERN)]

_FIELD_WORDS = "a field name of at most 64 of a-z, 0-9 and `_` that begins with a letter, in lower case"
FieldName = Annotated[str, AfterValidator(_matching(_FIELD_PATTERN, _FIELD_WORDS)), _text(_FIELD_PATTERN)]


def _read_set_name(value: str) -> str:
    if value not in BUILTIN_FIELDS:
        raise ValueError(f"no built-in set of fields; {did_you_mean(value, BUILTIN_FIELDS)}")
    return value


SetName = Annotated[
    str,
    AfterValidator(_read_set_name),
    WithJsonSchema({"type": "string", "enum": list(BUILTIN_FIELDS)}),
]

# ── times ────────────────────────────────────────────────────────────────────


def _duration(low: str, high: str) -> Callable[[object], timedelta]:
    least, most = _parse_duration(low), _parse_duration(high)

    def read(value: object) -> timedelta:
        found = _parse_duration(value)
        if not least <= found <= most:
            raise ValueError(f"expected a time between {low} and {high}")
        return found

    return read


def _parse_duration(value: object) -> timedelta:
    if not isinstance(value, str) or re.fullmatch(_DURATION_PATTERN.removesuffix("$"), value) is None:
        raise ValueError("expected a time such as `90s`, `30m`, `6h` or `2d`")
    return timedelta(**{_UNITS[value[-1]]: int(value[:-1])})


_DURATION_SCHEMA = WithJsonSchema({"type": "string", "pattern": _DURATION_PATTERN, "examples": ["30m", "6h", "2d"]})
Interval = Annotated[timedelta, BeforeValidator(_duration("1m", "365d")), _DURATION_SCHEMA]
Age = Annotated[timedelta, BeforeValidator(_duration("1d", "3650d")), _DURATION_SCHEMA]
Delay = Annotated[timedelta, BeforeValidator(_duration("0s", "1h")), _DURATION_SCHEMA]
Timeout = Annotated[timedelta, BeforeValidator(_duration("1s", "10m")), _DURATION_SCHEMA]


@cache
def _read_time_zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ValueError, OSError, KeyError):  # KeyError: not found; OSError: a folder of the zone database
        near = nearest(value, available_timezones())
        hint = f"; did you mean `{near}`?" if near else ""
        raise ValueError(f"expected an IANA time zone such as `Europe/Berlin` or `UTC`{hint}") from None
    return value


TimeZone = Annotated[str, AfterValidator(_read_time_zone)]

# ── where and as whom ────────────────────────────────────────────────────────

Url = Annotated[str, AfterValidator(check_url), _text("^[Hh][Tt][Tt][Pp][Ss]?://")]


def _read_variable(value: str) -> str:
    if re.fullmatch(_VARIABLE_PATTERN.removesuffix("$"), value) is None:
        raise ValueError(
            "expected only the name of an environment variable, such as `${SHOP_PROXY}`; the value itself,"
            " which may be a secret, belongs in the environment"
        )
    return value[2:-1]


Variable = Annotated[str, AfterValidator(_read_variable), _text(_VARIABLE_PATTERN)]
"""`${NAME}`, read as `NAME`."""

_COUNTRY = r"^[A-Za-z]{2}$"
Country = Annotated[
    str,
    AfterValidator(_matching(_COUNTRY, "two letters of ISO 3166, such as `de`")),
    AfterValidator(str.lower),
    _text(_COUNTRY),
]
_LANGUAGE = r"^[A-Za-z0-9*][A-Za-z0-9 ,;=.*-]{0,199}$"
Language = Annotated[
    str,
    AfterValidator(_matching(_LANGUAGE, "an Accept-Language header such as `de-DE` or `de, en;q=0.5`")),
    _text(_LANGUAGE),
]
_USER_AGENT = r"^[!-~]([ -~]{0,498}[!-~])?$"
UserAgent = Annotated[
    str,
    AfterValidator(_matching(_USER_AGENT, "at most 500 printable ASCII characters")),
    _text(_USER_AGENT),
]
_COOKIE = r"^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$"  # a token of RFC 6265, section 4.1.1
CookieName = Annotated[str, AfterValidator(_matching(_COOKIE, "a cookie name without spaces")), _text(_COOKIE)]
_HOST_PORT = r"^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:[0-9]{1,5})?$"
HostPort = Annotated[
    str,
    AfterValidator(_matching(_HOST_PORT, "`host` or `host:port` as it stands in URLs, without scheme and path")),
    AfterValidator(str.lower),
    _text(_HOST_PORT),
]

_PRIVATE_HOST = _HOST_PORT.replace("(:[0-9]{1,5})?", ":[0-9]{1,5}")
PrivateHost = Annotated[
    str,
    AfterValidator(_matching(_PRIVATE_HOST, "`host:port` as it stands in URLs, such as `10.0.0.5:8080`")),
    AfterValidator(str.lower),
    _text(_PRIVATE_HOST),
]

# ── rules ────────────────────────────────────────────────────────────────────

_LANGUAGE_TAG = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,8}$"
LanguageTag = Annotated[
    str,
    AfterValidator(_matching(_LANGUAGE_TAG, "a language tag such as `de` or `pt-BR`")),
    _text(_LANGUAGE_TAG),
]
_ATTRIBUTE = r"^[A-Za-z_:][A-Za-z0-9_:.-]{0,199}$"
Attribute = Annotated[
    str,
    AfterValidator(_matching(_ATTRIBUTE, "the name of an attribute such as `content`")),
    _text(_ATTRIBUTE),
]


_CURRENCY = r"^[A-Z]{3}$"
Currency = Annotated[str, AfterValidator(_matching(_CURRENCY, "three capital letters such as `EUR`")), _text(_CURRENCY)]

# ── rates ──────────────────────────────────────────────────────────────────────

_RATE = r"^([0-9]{1,2}(\.[0-9]{1,6})?)( ?%)$"
HIGHEST_RATE = 0.1


def _read_rate(value: object) -> float:
    found = re.fullmatch(_RATE.removesuffix("$"), value) if isinstance(value, str) else None
    rate = float(found[1]) / 100 if found else 0.0
    if not 0 < rate <= HIGHEST_RATE:
        raise ValueError("expected a share such as `0.5%`, above 0 and at most 10%")
    return rate


Rate = Annotated[float, PlainValidator(_read_rate), WithJsonSchema({"type": "string", "pattern": _RATE})]
