# ruff: noqa: RUF001 - the marks themselves
"""Numbers as people write them: digits of every script, and which of `.` and `,` is the decimal mark."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from pipeline.extract.locales import locales
from pipeline.extract.typed import bounded
from pipeline.model import FieldState

__all__ = [
    "NUMERAL",
    "NUMERAL_START",
    "UNSPACED",
    "Style",
    "agreed_grouping",
    "decimal_mark",
    "grouping_mark",
    "read_numeral",
    "uniform",
]

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Scripts whose words touch each other and numbers, as a part of a character class."""

NUMERAL_START = rf"(?<![^\W{UNSPACED}])(?<![.,'])(?>\d+(?:[.,']\d+|\ \d{{3}}(?!\d))*|[.,]\d+(?:[.,]\d+)*)"
NUMERAL = rf"{NUMERAL_START}(?![^\W{UNSPACED}])(?!')"
"""A numeral in uniform text: never half of a word (`m2`, `100g`) or of a longer numeral."""

_DIGITS_MAX = 30
_GROUP = 3  # digits
_OTHER = {".": ",", ",": "."}

_UNIFORM = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ´`′٬", "'"),
        **dict.fromkeys("−–—‒―﹣", "-"),
        **dict.fromkeys(
            "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
        ),
        "٫": ".",
        "٪": "%",
        "،": ",",
        **dict.fromkeys("〜∼", "~"),
    }
)

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RAISED = re.compile(r"(?<![^\W\d_])[⁰¹²³⁴-⁹]++")
_CENTS = 2  # digits
_FRACTION = re.compile(r"(\d?) ?([½¼¾])")
_FRACTIONS = {"½": ".5", "¼": ".25", "¾": ".75"}


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
    """Full-width forms and digits of all scripts as ASCII, one kind of dash, apostrophe and space; no bidi marks.

    Two raised digits behind a number are its cents (`19⁹⁹`), any others are a footnote.
    """
    if text.isascii():
        return " ".join(text.replace("`", "'").split())
    text = _FRACTION.sub(lambda match: (match[1] or "0") + _FRACTIONS[match[2]], _RAISED.sub(_cents, text))
    text = unicodedata.normalize("NFKC", text).translate(_UNIFORM)
    if not text.isascii():
        text = "".join(str(unicodedata.digit(char)) if char.isdigit() else char for char in text)
    return " ".join(text.split())


def _cents(raised: re.Match[str]) -> str:
    before = raised.string[raised.start() - 1 : raised.start()]
    if len(raised[0]) != _CENTS or not (before in {".", ","} or before.isdecimal()):
        return ""
    return ("" if before in {".", ","} else ",") + raised[0].translate(_SUPERSCRIPT)


def grouping_mark(language: str | None) -> str | None:
    """`.` or `,` if the language groups thousands by it; None for an unknown language or another mark."""
    mark = locales().of_language(language)[1:]
    return mark if mark in {".", ","} else None


def decimal_mark(language: str | None) -> str | None:
    """`.` or `,` if the language is known to write decimals by it."""
    return locales().of_language(language)[:1] or None


def agreed_grouping(*marks: str) -> str:
    """The marks that may group thousands in the eyes of all who were asked; none where they contradict each other.

    Whoever groups by a full stop or a comma says so. Who groups by a space never writes decimals with the other of the
    two, so that it can only group: it is taken where nobody says anything else. Who groups by an apostrophe writes
    both.
    """
    said = {mark[1] for mark in marks if mark[1:] in {".", ","}}
    if not said:
        said = {_OTHER[mark[0]] for mark in marks if mark[1:] == " "}
    quiet = not said or any(mark[1:] == "'" for mark in marks)
    return "" if quiet or len(said) > 1 else said.pop()


def read_numeral(numeral: str, style: Style) -> Decimal | FieldState:
    """The exact number a numeral stands for, or `ambiguous` or `unreadable`."""
    digits = numeral.replace(" ", "").replace("'", "")
    if len(digits) > _DIGITS_MAX:
        return FieldState.UNREADABLE
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return _decimal(digits)
    if len(digits) - len(digits.lstrip(".,")) and digits.count(digits[0]) + digits.count(_OTHER[digits[0]]) > 1:
        return FieldState.UNREADABLE  # .750.30
    mark, head, tail = digits[last], digits[:last], digits[last + 1 :]
    other = _OTHER[mark]
    if mark in head:
        # 1.299.000 and 1,29,900: only grouping marks occur twice
        groups = re.split("[.,]", head)
        if other in head or len(tail) != _GROUP or any(len(group) not in {2, 3} for group in groups[1:]):
            return FieldState.UNREADABLE
        return _decimal(head.replace(mark, "") + tail)
    if other in head:
        groups = head.split(other)
        if len(groups[-1]) != _GROUP or any(len(group) not in {2, 3} for group in groups[1:]):
            return FieldState.UNREADABLE  # 19.99,25
        return _decimal(f"{''.join(groups)}.{tail}")
    if len(tail) != _GROUP or len(head) > _GROUP or head.strip("0") == "" or len(digits) != len(numeral):
        return _decimal(f"{head}.{tail}")
    if mark in style.groups:
        return _decimal(head + tail)
    return _decimal(f"{head}.{tail}") if mark == style.decimal else FieldState.AMBIGUOUS


def _decimal(digits: str) -> Decimal | FieldState:
    number = bounded(Decimal(digits))
    return FieldState.UNREADABLE if number is None else number
