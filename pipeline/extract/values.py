"""A raw text under a field's type: the one place where text becomes a value."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from urllib.parse import urljoin

from pipeline.extract.availability import availability
from pipeline.extract.dates import date, duration
from pipeline.extract.numerals import NUMERAL_START, Style, decimal_mark, grouping_mark, read_numeral, uniform
from pipeline.extract.prices import amount, price
from pipeline.extract.text import fold
from pipeline.extract.typed import MISSING, UNREADABLE, Hints, Typed, bounded, decimal_text
from pipeline.model import FieldState, FieldType

__all__ = ["listed", "quantity", "typed"]

_NUMBER = re.compile(rf"(?P<minus>(?<!\d)-\s?)?(?P<number>{NUMERAL_START})(?:(?P<kilo>[kK])\b|(?![\w']))")
_TRUE = frozenset({"true", "yes", "1", "https://schema.org/true", "http://schema.org/true"})
_FALSE = frozenset({"false", "no", "0", "https://schema.org/false", "http://schema.org/false"})


def typed(raw: str, field_type: FieldType, hints: Hints) -> Typed:
    """The value of a folded text; an empty text is `missing` whatever the type."""
    return _READERS[field_type](raw, hints) if raw else MISSING


def quantity(value: Decimal, field_type: FieldType, hints: Hints) -> Typed:
    """The value of what structured data gives as a number, so that its decimal mark is certain."""
    if field_type is FieldType.PRICE:
        return amount(value, hints.currency)
    kept = bounded(value)
    if kept is None:
        return UNREADABLE
    text = decimal_text(kept)
    return Typed(text=text, number=kept) if field_type is FieldType.NUMBER else typed(text, field_type, hints)


def number(raw: str, hints: Hints) -> Typed:
    """The first number of a text: `4,9` is 4.9, `4.5 out of 5` is 4.5, `(1.2k)` is 1200."""
    match = _NUMBER.search(uniform(raw))
    if not match:
        return UNREADABLE
    language = hints.language
    style = (
        Style(groups=",", decimal=".")
        if hints.machine
        else Style(groups=grouping_mark(language) or "", decimal=decimal_mark(language))
    )
    value = read_numeral(match["number"], style)
    if isinstance(value, FieldState):
        return Typed(state=value)
    return quantity(value * (1000 if match["kilo"] else 1) * (-1 if match["minus"] else 1), FieldType.NUMBER, hints)


def url(raw: str, hints: Hints) -> Typed:
    """An absolute address; a relative one is resolved against the page's own if that is known."""
    try:
        return Typed(text=urljoin(hints.base, raw))
    except ValueError:  # such as an unclosed bracket of an IPv6 address
        return UNREADABLE


def boolean(raw: str) -> Typed:
    """Schema.org's True and False, yes and no."""
    word = raw.lower()
    if word in _TRUE or word in _FALSE:
        return Typed(text=str(word in _TRUE).lower(), boolean=word in _TRUE)
    return UNREADABLE


def listed(members: Sequence[str]) -> Typed:
    """A multiset: order means nothing, an empty member is none."""
    kept = tuple(sorted(filter(None, map(fold, members))))
    return Typed(text="\n".join(kept), members=kept) if kept else MISSING


_READERS: Mapping[FieldType, Callable[[str, Hints], Typed]] = {
    FieldType.PRICE: price,
    FieldType.NUMBER: number,
    FieldType.AVAILABILITY: lambda raw, _: availability(raw),
    FieldType.TEXT: lambda raw, _: Typed(text=raw),
    FieldType.DATE: lambda raw, _: date(raw),
    FieldType.URL: url,
    FieldType.LIST: lambda raw, _: listed([raw]),
    FieldType.BOOL: lambda raw, _: boolean(raw),
    FieldType.DURATION: lambda raw, _: duration(raw),
}
