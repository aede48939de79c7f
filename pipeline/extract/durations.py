"""Lengths of time as they stand in structured data and in text."""

import re
from collections.abc import Iterable
from decimal import Decimal
from itertools import pairwise

from pipeline.extract.numerals import uniform
from pipeline.extract.phrases import phrases_of, tokens
from pipeline.extract.typed import MISSING, UNREADABLE, Typed, bounded, decimal_text

__all__ = ["duration"]

LONGEST = 100
"""Characters; a longer text is no duration."""

_AMOUNT = r"(\d+(?:[.,]\d+)?)"
_ISO = re.compile(
    rf"(?=[PT])P?(?:{_AMOUNT}Y)?(?:{_AMOUNT}M)?(?:{_AMOUNT}W)?(?:{_AMOUNT}D)?"
    rf"(?:T(?:{_AMOUNT}H)?(?:{_AMOUNT}M(?:IN)?)?(?:{_AMOUNT}S)?)?",
    re.IGNORECASE,
)
_ISO_MINUTES = (None, None, Decimal(10080), Decimal(1440), Decimal(60), Decimal(1), Decimal(1) / 60)
"""Minutes in each unit of an ISO duration; a year and a month have no fixed length."""

_MINUTES = {
    "week": Decimal(10080),
    "day": Decimal(1440),
    "hour": Decimal(60),
    "minute": Decimal(1),
    "second": Decimal(1) / 60,
}
_CLOCK = re.compile(r"(\d{1,3}) ?[:hH] ?([0-5]\d)(?::[0-5]\d)?")


def duration(raw: str, language: str | None = None) -> Typed:
    """A duration in minutes: ISO 8601 (`PT1H30M`), words (`1 hour 30 min`), `1:30`, or a bare number of minutes.

    The language is the page's BCP 47 tag: its words come first, and those of all other languages count too.
    """
    text = uniform(raw)
    if not text:
        return MISSING
    if len(text) > LONGEST:
        return UNREADABLE
    if (match := _ISO.fullmatch(text.replace(" ", ""))) and any(match.groups()):
        return _minutes(zip(match.groups(), _ISO_MINUTES, strict=True))
    if match := _CLOCK.fullmatch(text):
        return _minutes([(match[1], Decimal(60)), (match[2], Decimal(1))])
    if re.fullmatch(_AMOUNT, text):
        return _minutes([(text, Decimal(1))])
    return _in_words(text, (language or "").partition("-")[0].lower())


def _in_words(text: str, language: str) -> Typed:
    """Numbers each followed by a unit, the larger unit first, and nothing else but `and`."""
    row = tokens(text)
    keys = tuple(token.key for token in row)
    units = {phrase.start: phrase for phrase in phrases_of("time", language).find(keys)}
    read: list[tuple[str | None, Decimal | None]] = []
    position = 0
    while position < len(row):
        unit = units.get(position + 1)
        if row[position].number and unit and unit.label in _MINUTES:
            read.append((row[position].text, _MINUTES[unit.label]))
            position = unit.end
        elif read and position in units and units[position].label == "and":
            position = units[position].end
        else:
            return UNREADABLE
    sizes = [size for _, size in read if size]
    falling = all(one > other for one, other in pairwise(sizes))
    return _minutes(read) if read and falling else UNREADABLE


def _minutes(pairs: Iterable[tuple[str | None, Decimal | None]]) -> Typed:
    total = Decimal(0)
    for digits, unit in pairs:
        if not re.fullmatch(_AMOUNT, digits or "0"):
            return UNREADABLE
        number = Decimal((digits or "0").replace(",", "."))
        if unit is None and number:
            return UNREADABLE
        total += number * (unit or 0)
    minutes = bounded(total)
    return UNREADABLE if minutes is None else Typed(text=decimal_text(minutes), number=minutes)
