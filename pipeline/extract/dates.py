# ruff: noqa: RUF001 - words of many scripts
"""Dates and instants as they stand in structured data and in text."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache

from pipeline.extract.locales import locales, parts
from pipeline.extract.numerals import uniform
from pipeline.extract.typed import AMBIGUOUS, MISSING, UNREADABLE, Hints, Typed

__all__ = ["date"]

LONGEST = 100
"""Characters; a longer text is no date."""

_BUDDHIST = 543
"""Years by which the Thai calendar is ahead."""

_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925}
"""Of Japan: the year before each began."""

_ISO_REDUCED = re.compile(r"(\d{4})(?:-(\d{2}))?")
_ISO_LOOSE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(.+))?")
_YEAR_FIRST = re.compile(
    r"(?<![\d./-])(?P<year>\d{4})(?P<mark>[-/.]) ?(?P<month>\d{1,2})(?P=mark) ?(?P<day>\d{1,2})(?!\d)"
)
_YEAR_LAST = re.compile(r"(?<![\d./-])(\d{1,2}) ?([./-]) ?(\d{1,2}) ?\2 ?(\d{4})(?!\d)")
_SHORT_YEAR = re.compile(r"(?<![\d./-])\d{1,2}([./-])\d{1,2}\1\d{2}(?!\d)")
_TIME_OF_DAY = re.compile(r"\d:\d\d")  # would be lost by what reads only the day
_EAST_ASIAN = re.compile(
    rf"(?:(?P<era>{'|'.join(_ERAS)})(?P<count>\d{{1,2}}|元)|(?P<year>\d{{4}})) ?[年년] ?(?P<month>\d{{1,2}}) ?[月월]"
    r"(?: ?(?P<day>\d{1,2}) ?[日일号號])?"
)
_VIETNAMESE = re.compile(r"(?P<day>\d{1,2}) (?:tháng|thg) (?P<month>\d{1,2})(?:,| năm)? (?P<year>\d{4})", re.IGNORECASE)
_WORD = re.compile(r"\d+|[^\W\d_][^\s\d,;/()]*")
_CLOCK = re.compile(
    r"[,T]? ?(?:at |um |à |a las |às |alle |kl\.? |в |о )?(\d{1,2})[:.h](\d\d)(?::(\d\d))?(?: ?(am|pm|uhr))?",
    re.IGNORECASE,
)
_THAI = re.compile("[\u0e00-\u0e7f]")
_NOON = 12


def date(raw: str, hints: Hints | None = None) -> Typed:
    """A date, or an instant where a time of day is given.

    Returns:
        `text` in ISO 8601: `2024`, `2024-05`, `2024-05-01`, `2024-05-01T12:00:00`, or with a known zone in UTC
        `2024-05-01T12:00:00Z`; `moment` its beginning, a missing zone taken as UTC. `03/04/2024` is read in the order
        of the page's language (of English: of its region) and ambiguous if that is unknown, as are years of two digits
        and texts with two different days.
    """
    text = uniform(raw)
    if not text:
        return MISSING
    if len(text) > LONGEST:
        return UNREADABLE
    language = (hints.locale or hints.language) if hints else None
    try:
        return _iso(text) or _in_text(text, language) or _rfc2822(text) or UNREADABLE
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


def _in_text(text: str, language: str | None) -> Typed | None:
    """The one day in a text, with the clock time behind it if there is one."""
    timed = _TIME_OF_DAY.search(text)
    found = [*_numeric(text, language), *_named(text, language)]
    if not found:
        return AMBIGUOUS if _SHORT_YEAR.search(text) and not timed else None
    if any(value.state is AMBIGUOUS.state for value, _ in found) or len({value.text for value, _ in found}) > 1:
        return None if timed else AMBIGUOUS
    value, end = found[0]
    if not timed:
        return value
    clock = _CLOCK.fullmatch(text[end:].strip())
    if not clock or value.moment is None:
        return None
    hour = int(clock[1])
    if (clock[4] or "").lower() in {"am", "pm"}:
        hour = hour % _NOON + (_NOON if clock[4].lower() == "pm" else 0)
    return _instant(value.moment.replace(tzinfo=None, hour=hour, minute=int(clock[2]), second=int(clock[3] or 0)))


def _numeric(text: str, language: str | None) -> Iterator[tuple[Typed, int]]:
    """Days in digits, and where each ends."""
    for match in _EAST_ASIAN.finditer(text):
        year = int(match["year"] or 0)
        if match["era"]:
            year = _ERAS[match["era"]] + (1 if match["count"] == "元" else int(match["count"]))
        month = int(match["month"])
        yield (_date(year, month, int(match["day"])) if match["day"] else _month(year, month)), match.end()
    for pattern in (_YEAR_FIRST, _VIETNAMESE):
        for match in pattern.finditer(text):
            yield _date(int(match["year"]), int(match["month"]), int(match["day"])), match.end()
    for match in _YEAR_LAST.finditer(text):
        first, mark, second, year = int(match[1]), match[2], int(match[3]), _year(match[4], text)
        order = "dmy" if mark == "." else locales().order(language)
        if first > 12 or first == second or (second <= 12 and order == "dmy"):  # noqa: PLR2004 - months of a year
            yield _date(year, second, first), match.end()
        elif second > 12 or order == "mdy":  # noqa: PLR2004
            yield _date(year, first, second), match.end()
        else:
            yield AMBIGUOUS, match.end()


def _named(text: str, language: str | None) -> Iterator[tuple[Typed, int]]:
    """Days with the name of a month: `1st of May 2024`, `May 1, 2024`, `2024. május 1.`, `May 2024`."""
    words = [match for match in _WORD.finditer(text.lower()) if match[0] not in _BETWEEN]
    names = _month_names(parts(language)[0])
    for position, word in enumerate(words):
        month = _month_of(word[0], names)
        if not month:
            continue
        before = _number_at(words, position - 1)
        after, last = _number_at(words, position + 1), _number_at(words, position + 2)
        if len(before) in {1, 2} and len(after) == 4:  # noqa: PLR2004 - digits of a year
            yield _date(_year(after, text), month, int(before)), words[position + 1].end()
        elif len(after) in {1, 2} and len(last) == 4:  # noqa: PLR2004
            yield _date(_year(last, text), month, int(after)), words[position + 2].end()
        elif len(before) == 4 and len(after) in {1, 2}:  # noqa: PLR2004
            yield _date(_year(before, text), month, int(after)), words[position + 1].end()
        elif not before and len(after) == 4:  # noqa: PLR2004
            yield _month(_year(after, text), month), words[position + 1].end()
        elif len(before) in {1, 2} and len(after) == 2:  # noqa: PLR2004
            yield AMBIGUOUS, words[position + 1].end()


_BETWEEN = frozenset(
    "st nd rd th er re º ° ª de del of the d' den dne di da a e le el m г г. р р. ค.ศ. พ.ศ. р.".split()
)
"""Words between the parts of a date, and endings of ordinals."""


def _number_at(words: list[re.Match[str]], position: int) -> str:
    return words[position][0] if 0 <= position < len(words) and words[position][0].isdecimal() else ""


@cache
def _month_names(language: str) -> Mapping[str, int]:
    """Months by name, with and without accents; names of several months by the language."""
    known = locales()
    names = {**known.months, **known.own_months.get(language, {})}
    for name, number in tuple(names.items()):
        names.setdefault(_bare(name), number)
    return names


def _month_of(word: str, names: Mapping[str, int]) -> int | None:
    word = word.rstrip(".").removeprefix("d'")
    return names.get(word) or names.get(_bare(word)) or names.get(word.removeprefix("ב"))


def _bare(name: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", name) if not unicodedata.combining(char))


def _rfc2822(text: str) -> Typed | None:
    try:
        return _instant(parsedate_to_datetime(text.replace("GMT+", "+").replace("GMT-", "-"))) if ":" in text else None
    except (TypeError, ValueError, IndexError):
        return None


def _year(digits: str, text: str) -> int:
    year = int(digits)
    return year - _BUDDHIST if _THAI.search(text) and year > _FIRST_BUDDHIST else year


_FIRST_BUDDHIST = 2400
"""A year of a Thai text above this is one of the Thai calendar."""


def _date(year: int, month: int, day: int) -> Typed:
    return _day(datetime(year, month, day, tzinfo=UTC))


def _month(year: int, month: int) -> Typed:
    return Typed(text=f"{year:04}-{month:02}", moment=datetime(year, month, 1, tzinfo=UTC))


def _day(moment: datetime) -> Typed:
    return Typed(text=f"{moment:%Y-%m-%d}".rjust(10, "0"), moment=moment.replace(tzinfo=UTC))


def _instant(moment: datetime) -> Typed:
    aware = moment.tzinfo is not None
    moment = moment.astimezone(UTC) if aware else moment.replace(tzinfo=UTC)
    return Typed(text=moment.replace(tzinfo=None).isoformat() + ("Z" if aware else ""), moment=moment)
