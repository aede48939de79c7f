"""The hashes that are stored, and the words and slots they are counted and taken of.

Every hash is xxh3-64 of UTF-8, so it is the same in every process and on every machine.
"""

import re
from functools import cache

import xxhash

from pipeline.cldr import cldr_words

__all__ = ["UNSPACED", "count_words", "distance", "slot_text", "text_hash64"]

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
)
"""Inside of a regex class: Thai, Lao, Myanmar, Khmer, Kana and Han with their punctuation and full-width forms.

These scripts put no space between words (Unicode 16.0, block names). Hangul does and is not among them.
"""

_UNSPACED_CHAR = re.compile(f"[{UNSPACED}]")

# ASCII letters and digits of any script that hold a digit, with what numbers, times and versions are written with. The
# look-behind and the possessive quantifier keep it linear in long words without digits.
_NUMBER = re.compile(r"(?<![\dA-Za-z])[A-Za-z]*+\d[\dA-Za-z.,:/\u066b\u066c-]*")
_DIGIT = re.compile(r"\d")
# A word beside a number, which may be a month: behind it, perhaps over a small word, or before it.
_NAME = r"[^\s\d#.,;:()\[\]]{2,24}"
_BESIDE = re.compile(rf"# (?:(?:de|del|di|of|d') ?)?({_NAME})\.?(?![^\s.,;:()])|(?<![^\s(])({_NAME})[.,]? #")
_HEBREW_IN = "\u05d1"


def text_hash64(text: str) -> int:
    """xxh3-64 of a text as UTF-8, unsigned. A lone surrogate counts as its own three bytes."""
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


def distance(a: int, b: int) -> int:
    """Bits in which two 64-bit simhashes differ.

    Returns:
        0 for equal, about 32 for unrelated texts, at most 64.

    Source: Charikar 2002, "Similarity estimation techniques from rounding algorithms", section 3.
    """
    return (a ^ b).bit_count()


def count_words(text: str) -> int:
    """Words between white space; a character of a script without spaces counts half, rounded up."""
    if text.isascii():
        return len(text.split())
    spaced, characters = _UNSPACED_CHAR.subn(" ", text)
    return len(spaced.split()) + (characters + 1) // 2


def slot_text(text: str) -> str:
    """The text with every number, date and id made `#`: equal for two fillings of the same place on a page.

    Only keys the slots of the ledger; it never decides whether two texts are equal.
    """
    if not _DIGIT.search(text):
        return text
    return _BESIDE.sub(_dated, _NUMBER.sub("#", text))


def _dated(beside: re.Match[str]) -> str:
    name = (beside[1] or beside[2]).lower()
    return "#" if name in _months() or name.removeprefix(_HEBREW_IN) in _months() else beside[0]


@cache
def _months() -> frozenset[str]:
    """Names of months in all languages."""
    return frozenset(month.removesuffix(".") for month in cldr_words().months)
