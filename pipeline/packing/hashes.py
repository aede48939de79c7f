"""The hashes that are stored, and the words and slots they are counted and taken of.

Every hash is xxh3-64 of UTF-8, so it is the same in every process and on every machine.
"""

import re

import re2
import xxhash

__all__ = ["UNSPACED", "count_words", "distance", "slot_text", "text_hash64"]

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
)
"""Inside of a regex class: Thai, Lao, Myanmar, Khmer, Kana and Han with their punctuation and full-width forms.

These scripts put no space between words (Unicode 16.0, block names). Hangul does and is not among them.
"""

_UNSPACED_CHAR = re.compile(f"[{UNSPACED}]")

# ASCII letters and digits that hold a digit, with what numbers, times and versions are written with. The look-behind
# and the possessive quantifier keep it linear in long words without digits.
_NUMBER = re.compile(r"(?<![0-9A-Za-z])[A-Za-z]*+[0-9０-９][0-9０-９A-Za-z.,:/-]*")  # noqa: RUF001
_DIGIT = re.compile("[0-9\uff10-\uff19]")
# Month names of English, Spanish and Portuguese, beside a number; those of other languages are numbers or cost a slot.
_MONTHS = (
    "january|february|march|april|may|june?|july?|august|september|october|november|december|enero|febrero|marzo|"
    "abril|mayo|junio|julio|agosto|sep?tiembre|setiembre|octubre|noviembre|diciembre|janeiro|fevereiro|março|maio|"
    "junho|julho|setembro|outubro|novembro|dezembro|jan|feb|mar|apr|aug|sept?|oct|nov|dec|ene|abr|ago|dic|fev|mai|set|"
    "out|dez"
)
_DATED = re2.compile(rf"(?i)# (?:de |of )?(?:{_MONTHS})\b\.?|\b(?:{_MONTHS})\b\.? #")


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
    return str(_DATED.sub("#", _NUMBER.sub("#", text)))
