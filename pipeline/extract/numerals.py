# ruff: noqa: RUF001 - the marks themselves
"""Numbers as people write them: digits of every script, and which of `.` and `,` is the decimal mark."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from pipeline.extract.text import words
from pipeline.extract.typed import bounded
from pipeline.model import FieldState

__all__ = ["NUMERAL", "NUMERAL_START", "Style", "decimal_mark", "grouping_mark", "read_numeral", "uniform"]

NUMERAL_START = r"(?<![\w.,'])(?>\d+(?:[.,']\d+|\ \d{3}(?!\d))*|[.,]\d+)"
NUMERAL = rf"{NUMERAL_START}(?![\w'])"
"""A numeral in uniform text: never half of a word (`m2`, `100g`) or of a longer numeral."""

_DIGITS_MAX = 30
_GROUP = 3  # digits

_UNIFORM = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ´`′٬", "'"),
        **dict.fromkeys("−–—‒―﹣", "-"),
        **dict.fromkeys(
            "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
        ),
        "٫": ".",
    }
)

# Which mark groups thousands, by language: CLDR 46, numbers/symbols. Languages that group by space are left out:
# to them neither mark groups.
_DOT_GROUPS = words("de es it nl pt da tr id vi el ro hr sl sr bs mk is ca gl eu az ka")
_COMMA_GROUPS = words("en zh ja ko th he iw hi bn ta te mr gu kn ml pa ur ms fil tl sw am mt ga cy fa")
_COMMA_DECIMALS = _DOT_GROUPS | words("fr sv nb nn no fi pl cs sk ru uk be bg hu lt lv et kk hy sq")
_COMMA_REGIONS = words("MX US PR GT SV HN NI DO PA PE")  # of Spanish
_APOSTROPHE_REGIONS = frozenset({"CH", "LI"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How to read a single mark that three digits follow, the one case that the numeral itself leaves open.

    Attributes:
        groups: Marks that group thousands.
        decimal: The mark that is decimal even before three digits; None if none is.
    """

    groups: str = ""
    decimal: str | None = None


def uniform(text: str) -> str:
    """Full-width forms and digits of all scripts as ASCII, one kind of dash, apostrophe and space; no bidi marks."""
    text = unicodedata.normalize("NFKC", text).translate(_UNIFORM)
    if not text.isascii():
        text = "".join(str(unicodedata.digit(char)) if char.isdigit() else char for char in text)
    return " ".join(text.split())


def grouping_mark(language: str | None) -> str | None:
    """`.` or `,` if the language groups thousands by it; None for an unknown language or another mark."""
    base, region = _parts(language)
    if region in _APOSTROPHE_REGIONS:
        return None
    if base in _COMMA_GROUPS or (base == "es" and region in _COMMA_REGIONS):
        return ","
    return "." if base in _DOT_GROUPS else None


def decimal_mark(language: str | None) -> str | None:
    """`.` or `,` if the language is known to write decimals by it."""
    base, region = _parts(language)
    if base in _COMMA_GROUPS or region in _APOSTROPHE_REGIONS or (base == "es" and region in _COMMA_REGIONS):
        return "."
    return "," if base in _COMMA_DECIMALS else None


def read_numeral(numeral: str, style: Style) -> Decimal | FieldState:
    """The exact number a numeral stands for, or `ambiguous` or `unreadable`."""
    digits = numeral.replace(" ", "").replace("'", "")
    if len(digits) > _DIGITS_MAX:
        return FieldState.UNREADABLE
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return _decimal(digits)
    mark, head, tail = digits[last], digits[:last], digits[last + 1 :]
    other = "," if mark == "." else "."
    if mark in head:
        # 1.299.000 and 1,29,900: only grouping marks occur twice
        groups = re.split("[.,]", head)
        if other in head or len(tail) != _GROUP or any(len(group) not in {2, 3} for group in groups[1:]):
            return FieldState.UNREADABLE
        return _decimal(head.replace(mark, "") + tail)
    if other in head:
        return _decimal(f"{head.replace(other, '')}.{tail}")
    if len(tail) != _GROUP or len(head) > _GROUP or head.strip("0") == "" or len(digits) != len(numeral):
        return _decimal(f"{head}.{tail}")
    if mark in style.groups:
        return _decimal(head + tail)
    return _decimal(f"{head}.{tail}") if mark == style.decimal else FieldState.AMBIGUOUS


def _decimal(digits: str) -> Decimal | FieldState:
    number = bounded(Decimal(digits))
    return FieldState.UNREADABLE if number is None else number


def _parts(language: str | None) -> tuple[str, str]:
    base, *rest = (language or "").replace("_", "-").split("-")
    return base.lower(), next((part.upper() for part in rest if len(part) == 2), "")  # noqa: PLR2004 - ISO 3166
