# ruff: noqa: RUF001 - signs of many scripts
"""One form for two ways to write the same: the same number with other separators, the same currency by sign or code.

Applied to changed blocks only, so its cost is nil. It never makes two numbers, two currencies or two words one.
"""

import re
import unicodedata
from collections.abc import Mapping

__all__ = ["bare", "form"]

_FAMILIES: Mapping[str, str] = {
    "$": "USD",
    "€": "EUR", "euro": "EUR", "euros": "EUR",
    "£": "GBP", "₹": "INR", "₽": "RUB", "руб": "RUB", "₺": "TRY", "TL": "TRY", "₩": "KRW", "원": "KRW", "₪": "ILS",
    "₴": "UAH", "грн": "UAH", "₫": "VND", "฿": "THB", "₱": "PHP", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "R$": "BRL",
    "US$": "USD", "CA$": "CAD", "A$": "AUD", "NZ$": "NZD", "HK$": "HKD", "NT$": "TWD", "S$": "SGD", "MX$": "MXN",
    "円": "JPY", "元": "CNY", "SFr.": "CHF", "Fr.": "CHF",
}  # fmt: skip
_CODES = (
    "USD EUR GBP CHF JPY CNY SEK NOK DKK PLN CZK HUF RON BGN BRL INR AUD CAD NZD MXN TRY RUB UAH ZAR KRW SGD HKD TWD"
    " THB VND IDR MYR PHP ILS AED SAR EGP CLP COP ARS PEN ISK"
)

_SIGNS = sorted([*_FAMILIES, *_CODES.split()], key=len, reverse=True)
_CURRENCY = "|".join(
    re.escape(sign) if not sign[0].isalpha() else rf"(?<![^\W\d_]){re.escape(sign)}(?![^\W\d_])" for sign in _SIGNS
)
_NUMBER = r"[0-9]+(?:[.,' ][0-9]{3})*(?:[.,][0-9]+)?(?![0-9])"
_AMOUNT = re.compile(rf"({_CURRENCY})\s?({_NUMBER})|({_NUMBER})\s?({_CURRENCY})")
_PLAIN = re.compile(rf"(?<![\w.,:/-]){_NUMBER}(?![.,:/-]?[0-9])")
# Several levels or a bracket: "30. June" is a date, "A. Smith" a name.
_OUTLINE = re.compile(r"(?:\d+(?:\.\d+)+\.|\(?(?:\d+|[a-z]|[ivx]+)\))\s+(?=\S)")
_DIGIT = re.compile(r"[^\D0-9]")
_GROUPS = 3


def form(text: str) -> str:
    """A normal text with numbers, amounts and compatibility characters in one form, no outline number and no space.

    `$1,304.00` and `USD 1304` are one; `89 $` and `89 €`, `4.9` and `49`, `5 %` and `5` are not.
    """
    folded = unicodedata.normalize("NFKC", text)
    if not folded.isascii():
        folded = _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), folded)
    outline = _OUTLINE.match(folded)
    if outline:
        folded = folded[outline.end() :]
    folded = _AMOUNT.sub(_amount, folded)
    return bare(_PLAIN.sub(lambda match: _decimal(match[0]), folded))


def bare(text: str) -> str:
    """A text without white space."""
    return "".join(text.split())


def _amount(match: re.Match[str]) -> str:
    sign, number = (match[1], match[2]) if match[1] else (match[4], match[3])
    currency = _FAMILIES.get(sign, sign)
    return f"{currency}{_decimal(number)} "


def _decimal(number: str) -> str:
    """A number written with any separators, with a point and no trailing zeros; leading zeros stay.

    The last separator is the decimal one unless exactly three digits follow a head of one to three digits, or it
    occurs twice.
    """
    digits = number.replace(" ", "").replace("'", "")
    at = max(digits.rfind("."), digits.rfind(","))
    if at < 0:
        return digits
    head, tail = digits[:at].replace(".", "").replace(",", ""), digits[at + 1 :]
    grouped = digits.count(digits[at]) > 1 or (len(tail) == _GROUPS and len(head) <= _GROUPS and head != "0")
    if grouped:
        return head + tail
    tail = tail.rstrip("0")
    return f"{head}.{tail}" if tail else head
