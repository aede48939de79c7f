"""What a table of volatile words holds, and the patterns that every language writes alike.

Patterns are RE2, matched without regard to case on folded text, where the only white space is single spaces and the
only quotes are `'` and `"`. They carry no word boundaries: whether a match stands alone is checked where it is found,
because RE2's own boundary knows ASCII only. Digits are ASCII or full-width.
"""

from dataclasses import dataclass

__all__ = ["AMOUNT", "CLOCK", "COUNT", "DATE", "DAY", "YEAR", "YEARS", "Language", "chain", "counters"]

_DIGIT = "[0-9\uff10-\uff19]"
AMOUNT = f"{_DIGIT}+(?:[.,]{_DIGIT}+)?"
COUNT = f"{_DIGIT}+(?:[., ']{_DIGIT}{{3}})*(?:[.,]{_DIGIT}+)?"
YEAR = "(?:19|20)[0-9]{2}"
DAY = "[0-9]{1,2}"

YEARS = f"{YEAR}(?: ?- ?(?:{YEAR}|[0-9]{{2}}))?"
"""A year or a range of years, as in a copyright line."""

DATE = (
    rf"{YEAR}-[0-9]{{2}}-[0-9]{{2}}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?(?:Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?)?"
    rf"|{YEAR}[0-9]{{4}}T[0-9]{{4,6}}Z?"
    rf"|{YEAR}[./]{DAY}[./]{DAY}"
    rf"|{DAY}[./-]{DAY}[./-](?:{YEAR}|[0-9]{{2}})"
)
"""Dates in digits: ISO 8601 and RFC 3339 with or without a time, y/m/d, d.m.y and m/d/y."""

_ZONE = r"(?: ?(?:(?:UTC|GMT)(?: ?[+-][0-9]{1,2}(?::?[0-9]{2})?)?|CES?T|[ECMP][SD]T|BRT|BST|Z)\b)?"
CLOCK = (
    rf"[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?(?: ?[ap]\.?m\b\.?)?{_ZONE}"
    r"|[0-9]{1,2} ?[ap]\.?m\b\.?"
    r"|[0-9]{1,2}h[0-9]{2}"
)
"""Times of day in digits, with seconds, half of the day and zone where given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The volatile words of one language, each an alternation of RE2 patterns.

    Attributes:
        code: BCP 47 primary subtag.
        spaced: Words stand between spaces or punctuation.
        past: How long ago, with an amount: "3 minutes ago".
        vague: How long ago, without one: "yesterday".
        date: Dates with words for month or weekday.
        clock: Times of day with words.
        updated: What makes a date beside it the date of the page and not of its subject: "last updated".
        between: Words that may stand between such a word and its date: "on".
        by: The word before an author between such a word and its date.
        beside: Unspaced languages: what may touch a relative time, so that "3 days before departure" is none.
        binding: Words that make a date or a time of day substance: "effective", "until", "opening hours".
        limits: Words that make an amount a condition: "more than 30 days ago", "up to 5 downloads".
        watched: How many people look at or buy this.
        counted: What a counter counts.
        doubtful: What a counter may count, but running text too: "3 shares".
        rights: Words of a copyright line.
    """

    code: str
    spaced: bool = True
    past: str
    vague: str
    date: str
    clock: str = ""
    updated: str
    between: str
    by: str
    beside: str = ""
    binding: str
    limits: str
    watched: str
    counted: str
    doubtful: str
    rights: str


def chain(amount: str, units: str, joints: str) -> str:
    """An amount and a unit, or several of them joined: "1 hour and 5 minutes"."""
    one = rf"(?:{AMOUNT}|{amount}) ?(?:{units})\.?"
    return rf"{one}(?:(?:{joints}) {one})*"


def counters(nouns: str) -> str:
    """A number before or after what it counts: "1,204 views", "Views: 1.2k", "Comments (12)"."""
    return rf"{COUNT} ?(?:[km]|mil)?\+? (?:{nouns})|(?:{nouns}) ?[:(]? ?{COUNT}(?: ?[km]\b)?\)?"
