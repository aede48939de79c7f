"""Words and date forms of all languages from Unicode's CLDR, as `cldr.json` keeps them.

Read from the file and not from babel, which takes 0.8 s CPU for all of its locales where this takes 5 ms. After a new
babel the file is written again by `python -m pipeline.normalize.babel_words`; a test says when.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["CldrWords", "cldr_words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CldrWords:
    """Sorted and distinct, folded as page text is, in lower case.

    In a form `{n}` stands for a number, `{m}` for the name of a month, `{w}` for one of a weekday, `{c}` for a clock
    time in digits and `{a}` for a half of the day.

    Attributes:
        past: How long ago, in any unit from seconds to years, wide, short and narrow: `{n} minutes ago`. Some name
            their number, as a dual does, and have no `{n}`.
        gone: Relative words for what is over: yesterday, last week. Of scripts with spaces those of four letters or
            more, as for `present`; shorter ones are common words of other languages.
        present: Relative words for what is now: today, this week.
        months: Wide and abbreviated, inflected and standing alone; two letters or more, three where words have spaces.
        weekdays: Likewise.
        dates: Forms of a date that hold a letter: `{m} {n}, {n}`.
        clocks: Forms of a clock time that hold more than `{c}`: `{a} {c}`.
        halves: Of the day: am and pm.
    """

    past: tuple[str, ...]
    gone: tuple[str, ...]
    present: tuple[str, ...]
    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    dates: tuple[str, ...]
    clocks: tuple[str, ...]
    halves: tuple[str, ...]


@cache
def cldr_words() -> CldrWords:
    """The words of all locales that babel has."""
    lists = json.loads(resources.files("pipeline").joinpath("cldr.json").read_text(encoding="utf-8"))
    return CldrWords(**{name: tuple(words) for name, words in lists.items()})
