"""Dates, instants and durations as they stand in structured data and in text."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime

from pipeline.extract.numerals import uniform
from pipeline.extract.typed import AMBIGUOUS, MISSING, UNREADABLE, Typed, bounded, decimal_text

__all__ = ["date", "duration"]

LONGEST = 100
"""Characters; a longer text is no date and no duration."""

# The first letters of each month in English, German, French, Spanish, Portuguese, Italian, Dutch, enough to tell them
# apart; month names of CLDR 46.
_MONTHS = (
    "jan gen ene",
    "feb fév fev",
    "mar mär mrt maa",
    "apr avr abr",
    "may mai mag mei",
    "jun jui giu",
    "jul jui lug",
    "aug aoû aou ago",
    "sep set",
    "oct okt oit out ott",
    "nov",
    "dec dez déc dic",
)
_MONTH_OF = {stem: number for number, stems in enumerate(_MONTHS, 1) for stem in stems.split() if stem != "jui"}
_MONTH_OF |= {"juin": 6, "juil": 7}

_ISO_REDUCED = re.compile(r"(\d{4})(?:-(\d{2}))?")
_ISO_LOOSE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(.+))?")
_ISO_IN_TEXT = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_DAY_FIRST = re.compile(r"\b(\d{1,2})([./-])(\d{1,2})\2(\d{4})\b")
_TIME_OF_DAY = re.compile(r"\d:\d\d")  # would be lost by what reads only the day
_EAST_ASIAN = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_DAY_MONTH = re.compile(
    r"\b(\d{1,2})(?:\.|st|nd|rd|th|er|º|°)?\s?(?:de |of )?([^\W\d_]{3,})\.?,?\s?(?:de |del )?(\d{4})\b"
)
_MONTH_DAY = re.compile(r"\b([^\W\d_]{3,})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})\b")


def date(raw: str) -> Typed:
    """A date, or an instant where a time of day is given.

    Returns:
        `text` in ISO 8601: `2024`, `2024-05`, `2024-05-01`, `2024-05-01T12:00:00`, or with a known zone in UTC
        `2024-05-01T12:00:00Z`; `moment` its beginning, a missing zone taken as UTC. `03/04/2024` is ambiguous.
    """
    text = uniform(raw)
    if not text:
        return MISSING
    if len(text) > LONGEST:
        return UNREADABLE
    try:
        return _iso(text) or _numeric(text) or _named(text) or _rfc2822(text) or UNREADABLE
    except (ValueError, OverflowError):  # there is no such day, or it leaves the calendar when moved to UTC
        return UNREADABLE


def _iso(text: str) -> Typed | None:
    if reduced := _ISO_REDUCED.fullmatch(text):
        year, month = reduced.groups()
        return Typed(text=text, moment=datetime(int(year), int(month or 1), 1, tzinfo=UTC))
    if loose := _ISO_LOOSE.fullmatch(text):
        year, month, day, time = loose.groups()
        text = f"{year}-{month:0>2}-{day:0>2}" + (f"T{time.replace(' ', '').upper()}" if time else "")
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    return _day(moment) if re.fullmatch(r"[\d-]+", text) else _instant(moment)


def _numeric(text: str) -> Typed | None:
    if _TIME_OF_DAY.search(text):
        return None
    if match := _EAST_ASIAN.search(text) or _ISO_IN_TEXT.search(text):
        year, month, day = map(int, match.groups())
        return _day(datetime(year, month, day, tzinfo=UTC))
    if not (match := _DAY_FIRST.search(text)):
        return None
    first, mark, second, year = int(match[1]), match[2], int(match[3]), int(match[4])
    if mark == "." or first > 12 or first == second:  # noqa: PLR2004 - months of a year
        return _day(datetime(year, second, first, tzinfo=UTC))
    return _day(datetime(year, first, second, tzinfo=UTC)) if second > 12 else AMBIGUOUS  # noqa: PLR2004


def _named(text: str) -> Typed | None:
    if _TIME_OF_DAY.search(text):
        return None
    for pattern, day, name in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        if (match := pattern.search(text)) and (month := _month(match[name])):
            return _day(datetime(int(match[3]), month, int(match[day]), tzinfo=UTC))
    return None


def _rfc2822(text: str) -> Typed | None:
    try:
        return _instant(parsedate_to_datetime(text.replace("GMT+", "+").replace("GMT-", "-"))) if ":" in text else None
    except (TypeError, ValueError, IndexError):
        return None


def _month(name: str) -> int | None:
    name = name.lower()
    return _MONTH_OF.get(name[:3]) or _MONTH_OF.get(name[:4])


def _day(moment: datetime) -> Typed:
    return Typed(text=f"{moment:%Y-%m-%d}".rjust(10, "0"), moment=moment.replace(tzinfo=UTC))


def _instant(moment: datetime) -> Typed:
    aware = moment.tzinfo is not None
    moment = moment.astimezone(UTC) if aware else moment.replace(tzinfo=UTC)
    return Typed(text=moment.replace(tzinfo=None).isoformat() + ("Z" if aware else ""), moment=moment)


_AMOUNT = r"(\d+(?:[.,]\d+)?)"
_ISO_DURATION = re.compile(
    rf"(?=[PT])P?(?:{_AMOUNT}Y)?(?:{_AMOUNT}M)?(?:{_AMOUNT}W)?(?:{_AMOUNT}D)?"
    rf"(?:T(?:{_AMOUNT}H)?(?:{_AMOUNT}M(?:IN)?)?(?:{_AMOUNT}S)?)?",
    re.IGNORECASE,
)
_MINUTES_IN = (None, None, Decimal(10080), Decimal(1440), Decimal(60), Decimal(1), Decimal(1) / 60)
"""Minutes in each unit of an ISO duration; a year and a month have no fixed length."""

_TEXT_UNITS = (
    (Decimal(1440), r"d|days?|tage?n?|jours?|d[ií]as?|giorn[io]|dag(?:en|ar|er)?|dni|天|日"),
    (
        Decimal(60),
        r"h|hrs?|hours?|std\.?|stunden?|heures?|horas?|or[ae]|uur|uren|tim(?:mar|mer|e)?|t|godz\.?|小时|小時|時間",
    ),
    (Decimal(1), r"m|mins?\.?|minutes?|minuten?|minuti?|minut[oa]s?|minuut|minuter|minutter|分钟|分鐘|分"),
)
_TEXT_DURATION = re.compile(
    "".join(
        rf"(?:{_AMOUNT}\s?(?:{names})(?![^\W\d_]))?[\s,]*(?:and |und |et |y |e |en |og |och )?"
        for _, names in _TEXT_UNITS
    ),
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(\d{1,3})\s?[:hH]\s?([0-5]\d)(?::[0-5]\d)?")


def duration(raw: str) -> Typed:
    """A duration in minutes: ISO 8601 (`PT1H30M`), words (`1 hour 30 min`), `1:30`, or a bare number of minutes."""
    text = uniform(raw)
    if not text:
        return MISSING
    if len(text) > LONGEST:
        return UNREADABLE
    if (match := _ISO_DURATION.fullmatch(text.replace(" ", ""))) and any(match.groups()):
        return _minutes(zip(match.groups(), _MINUTES_IN, strict=True))
    if match := _CLOCK.fullmatch(text):
        return _minutes([(match[1], Decimal(60)), (match[2], Decimal(1))])
    if (match := _TEXT_DURATION.fullmatch(text)) and any(match.groups()):
        return _minutes(zip(match.groups(), (unit for unit, _ in _TEXT_UNITS), strict=True))
    return _minutes([(text, Decimal(1))]) if re.fullmatch(_AMOUNT, text) else UNREADABLE


def _minutes(parts: "zip[tuple[str | None, Decimal | None]] | list[tuple[str, Decimal]]") -> Typed:
    total = Decimal(0)
    for digits, unit in parts:
        number = Decimal((digits or "0").replace(",", "."))
        if unit is None and number:
            return UNREADABLE
        total += number * (unit or 0)
    minutes = bounded(total)
    return UNREADABLE if minutes is None else Typed(text=decimal_text(minutes), number=minutes)
