"""The price grammar: an exact amount or range and its ISO currency out of what a shop writes.

Where a text could mean two amounts the answer is `ambiguous`, never a guess: a wrong price raises an alert.
"""

import re
from decimal import Decimal

from pipeline.extract.currencies import THREE_DECIMALS, WHOLE, find_currency, grouping_of
from pipeline.extract.numerals import NUMERAL, Style, grouping_mark, read_numeral, uniform
from pipeline.extract.typed import AMBIGUOUS, MISSING, UNREADABLE, Hints, Typed, bounded, decimal_text
from pipeline.model import FieldState

__all__ = ["amount", "price"]

LONGEST = 300
"""Characters; a longer text is no price."""

HIGHEST = Decimal(10) ** 12
"""From here on it is no price but an identifier."""

_SIGN = "¤"
_FREE = re.compile(
    r"(?:for |al |en )?(?:free(?: of charge)?|gratis|kostenlos|kostenfrei|umsonst|gratuite?|gratuit[oa]s?|grátis|free!"
    r"|gratuitamente|za darmo|darmowy|bezpłatn[aiey]+|zdarma|ingyenes|ingyen|ilmainen|ücretsiz|бесплатно|безкоштовно"
    r"|δωρεάν|免费|免費|無料|무료|مجاني|مجانا|חינם|ฟรี|miễn phí)\W*",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"[-+]?\s?(?>\d+(?:[.,]\d+)?)\s?%")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SWISS_ZERO = re.compile(r"(?<=\d)[.,]\s?-+(?!\s?\d)")  # 19.- and 19,--
_NUMERAL = re.compile(NUMERAL)
_RANGE = re.compile(
    rf"(?P<low>{NUMERAL})\s*(?:{_SIGN}\s*)?(?:-|~|to|till|until|bis|hasta|até|a|à|al|tot|до|do|至|到|から)"
    rf"\s*(?:{_SIGN}\s*)?(?P<high>{NUMERAL})",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(rf"(?:^|[\s{_SIGN}])-(?:{_SIGN}|\s{_SIGN}\s)?\s?$|^\s*-\s*(?:{_SIGN}\s*)?$")
_EXPONENT = re.compile(r"\d[eE][+-]?\d")


def price(raw: str, hints: Hints) -> Typed:
    """Read a price as it stands on a page or in structured data.

    Returns:
        `number` and `high` for a range, with `currency` where it is known; 0 for "free". Negative amounts and texts
        without an amount are `unreadable`, several amounts or an undecided decimal mark `ambiguous`.
    """
    text = uniform(raw)
    if not text:
        return MISSING
    if len(text) > LONGEST or _EXPONENT.search(text):
        return UNREADABLE
    rest, currency, disagree = find_currency(text, hints, _SIGN)
    if disagree:
        return AMBIGUOUS
    if _FREE.fullmatch(rest.replace(_SIGN, " ").strip()):
        return amount(Decimal(0), currency)
    rest = _SWISS_ZERO.sub("", _PERCENT.sub(" ", rest))
    outside = _BRACKETS.sub(" ", rest)
    if _NUMERAL.search(outside):
        rest = outside
    return _read(rest, currency, _style(hints, currency))


def amount(number: Decimal, currency: str | None, high: Decimal | None = None) -> Typed:
    """The typed value of an amount that is known exactly; `unreadable` if it is negative or out of all range."""
    low = bounded(number)
    top = bounded(high) if high is not None else None
    if low is None or low < 0 or low >= HIGHEST:
        return UNREADABLE
    if top is not None and (top < low or top >= HIGHEST):
        return AMBIGUOUS
    if top == low:
        top = None
    text = decimal_text(low) if top is None else f"{decimal_text(low)}-{decimal_text(top)}"
    return Typed(text=f"{text} {currency}" if currency else text, number=low, high=top, currency=currency)


def _style(hints: Hints, currency: str | None) -> Style:
    if currency in WHOLE:
        return Style(groups=".,")
    if hints.machine:
        return Style(groups=",", decimal=".")
    groups = {grouping_mark(hints.language), grouping_of(currency)} - {None}
    if currency in THREE_DECIMALS:
        return Style(decimal=".")
    # Two marks known to group contradict each other; none is left then.
    return Style(groups="".join(mark for mark in groups if mark) if len(groups) == 1 else "")


def _read(text: str, currency: str | None, style: Style) -> Typed:
    span = _RANGE.search(text)
    alone = span and len(_NUMERAL.findall(text)) == 2  # noqa: PLR2004 - the two ends
    if span and (alone or _beside_sign(text, *span.span())):
        low, high = read_numeral(span["low"], style), read_numeral(span["high"], style)
        if _NEGATIVE.search(text[: span.start()]):
            return UNREADABLE
        if isinstance(low, FieldState):
            return Typed(state=low)
        return Typed(state=high) if isinstance(high, FieldState) else amount(low, currency, high)
    found = list(_NUMERAL.finditer(text))
    priced = [match for match in found if _beside_sign(text, *match.span())] or found
    if not priced:
        return UNREADABLE
    if any(_NEGATIVE.search(text[: match.start()]) for match in priced):
        return UNREADABLE
    numbers = {read_numeral(match[0], style) for match in priced}
    if len(numbers) > 1:
        return AMBIGUOUS
    number = numbers.pop()
    return Typed(state=number) if isinstance(number, FieldState) else amount(number, currency)


def _beside_sign(text: str, start: int, end: int) -> bool:
    return text[:start].rstrip(" -").endswith(_SIGN) or text[end:].lstrip().startswith(_SIGN)
