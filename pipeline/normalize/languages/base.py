"""What a table of volatile words holds, and how the tables are read.

The words of a language are one file, `CODE.toml`: a new language is a new file. What CLDR knows is not repeated there:
forms of relative times, names of months and weekdays, forms of dates.

Each value is an alternation of RE2 patterns, matched without regard to case on folded text, where the only white space
is single spaces and the only quotes are `'` and `"`. In `ago`, `{}` stands for an amount with its unit; elsewhere `#`
stands for a number in digits of any script, `@` for a clock time such as 10:15, `{m}` and `{w}` for the name of a month
and a weekday. The patterns carry no word boundaries: whether a match stands alone is checked where it is found, because
RE2's own boundary knows ASCII only.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

__all__ = ["Language", "load"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The volatile words of one language.

    Attributes:
        code: BCP 47 primary subtag.
        spaced: Words stand between spaces or punctuation.
        ago: What stands around an amount of time that has passed: "{} ago".
        passed: Words one of which is in each form of `ago`.
        about: What may stand before the amount: "almost".
        amounts: Amounts in words: "a few".
        units: Of time, in all their forms.
        joints: Between two amounts: "1 hour and 5 minutes".
        gone: Relative words for what is over, beside those of CLDR: "just now".
        present: Relative words for what is now: "today".
        date: Forms of a date with words, beside those of CLDR.
        clock: Forms of a time of day with words.
        updated: What makes a date beside it the date of the page and not of its subject: "last updated".
        between: Words that may stand between such a word and its date: "on".
        by: The word before an author between such a word and its date.
        beside: Unspaced languages: what may touch a relative time, so that "3 days before departure" is none.
        binding: Words that make a date or a time of day substance: "effective", "until", "opening hours".
        limits: Words that make an amount a condition: "more than 30 days ago", "up to 5 downloads".
        people: Who may look at or buy this.
        watching: That they do.
        online: That they are there, which counts in a block with hardly another word: it may be how something is sold.
        verb_first: The language also says "are viewing this 12 people".
        counted: What a counter counts.
        doubtful: What a counter may count, but running text too: "3 shares".
        rights: Words of a copyright line.
        own: Words of any of these keys that other languages use for something else; they count only on pages in this
            language.
    """

    code: str
    spaced: bool = True
    ago: str
    passed: str
    about: str
    amounts: str
    units: str
    joints: str
    gone: str
    present: str
    date: str
    clock: str = ""
    updated: str
    between: str
    by: str
    beside: str = ""
    binding: str
    limits: str
    people: str
    watching: str
    online: str
    verb_first: bool = False
    counted: str
    doubtful: str
    rights: str
    own: Mapping[str, str] = field(default_factory=dict)

    def words(self, key: str, page_language: str) -> str:
        """The words of a key that count on a page in a language given by its code; may be empty."""
        words: str = getattr(self, key)
        own = self.own.get(key) if page_language == self.code else None
        return f"{words}|{own}" if own else words


def load() -> tuple[Language, ...]:
    """All tables, by code.

    Raises:
        TypeError: A table has a key that none may have, or lacks one that each must have.
    """
    files = sorted(resources.files("pipeline.normalize.languages").iterdir(), key=lambda file: file.name)
    tables = ((file.name.removesuffix(".toml"), file) for file in files if file.name.endswith(".toml"))
    return tuple(Language(code=code, **tomllib.loads(file.read_text(encoding="utf-8"))) for code, file in tables)
