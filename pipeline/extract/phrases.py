"""Phrases of many languages found in a text of values, whole words only, in one pass.

A text is cut into tokens: a word, a numeral, a sign, and each character by itself in scripts that write without spaces
or join their endings to the word (Chinese, Japanese, Thai, Korean). A phrase is a sequence of tokens; the longest that
begins at a token is taken and the search goes on behind it, so that the time is linear in the text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from pipeline.extract.numerals import NUMERAL_START, UNSPACED, uniform
from pipeline.extract.words import tables

__all__ = ["NUMBER", "Phrase", "Phrases", "Token", "phrases_of", "tokens"]

NUMBER = "#"
"""What a numeral is to a phrase, but for `0`."""

_ANY = "*"
_ZERO = re.compile(r"0+(?:[.,]0+)?")
_LETTER = rf"[^\W\d_{UNSPACED}]"
_TOKEN = re.compile(
    rf"(?P<number>{NUMERAL_START})|[{UNSPACED}]|{_LETTER}+(?:'{_LETTER}+)?|\d+"
    # No sign that only separates, and no hyphen inside a word
    rf"|[^\w\s.,:;!*\"'()\[\]{{}}•·|…-]|-(?!{_LETTER})|(?<!{_LETTER})-"
)


class Token(NamedTuple):
    """A piece of a uniform text.

    Attributes:
        text: In lower case.
        start: Of the text's characters, the first.
        end: One behind its last.
        number: Whether it is a numeral.
        key: What stands for it in a phrase.
    """

    text: str
    start: int
    end: int
    number: bool
    key: str


class Phrase(NamedTuple):
    """A phrase that was found.

    Attributes:
        label: What it says.
        start: Its first token.
        end: One behind its last.
    """

    label: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The tokens of a uniform text."""
    lowered = text.replace("İ", "i").lower()
    return [_token(match) for match in _TOKEN.finditer(lowered)]


def _token(match: re.Match[str]) -> Token:
    text = match[0]
    number = match.lastgroup is not None
    return Token(text, match.start(), match.end(), number, NUMBER if number and not _ZERO.fullmatch(text) else text)


class Phrases:
    """Phrases by label; of two that are alike the first one counts."""

    def __init__(self, phrases: Iterable[tuple[str, str]]) -> None:
        """Take (label, phrase) pairs; in a phrase `#` is any number but 0, `*` any word or none."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        seen = set()
        for label, phrase in phrases:
            for keys in _variants(_keys(phrase)):
                if keys and keys not in seen:
                    seen.add(keys)
                    self._by_first.setdefault(keys[0], []).append((keys, label))
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: -len(entry[0]))

    def find(self, keys: tuple[str, ...]) -> Iterator[Phrase]:
        """The phrases in a sequence of token keys, from left to right, none inside another."""
        position = 0
        while position < len(keys):
            found = self._at(keys, position)
            if found:
                yield found
            position = found.end if found else position + 1

    def _at(self, keys: tuple[str, ...], start: int) -> Phrase | None:
        for phrase, label in self._by_first.get(keys[start], ()):
            end = start + len(phrase)
            if end <= len(keys) and (
                phrase == keys[start:end]
                or (
                    _ANY in phrase and all(one in {_ANY, key} for one, key in zip(phrase, keys[start:end], strict=True))
                )
            ):
                return Phrase(label, start, end)
        return None


@cache
def phrases_of(topic: str, language: str) -> Phrases:
    """The phrases of all languages on a topic, those of the page's language (a primary subtag or "") first."""
    return Phrases(_pairs(topic, language))


def _pairs(topic: str, language: str) -> Iterator[tuple[str, str]]:
    all_tables = tables()
    own = all_tables.get(language, {})
    for table in (
        own.get(f"{topic}_own", {}),
        own.get(topic, {}),
        *(table.get(topic, {}) for table in all_tables.values()),
    ):
        yield from _entries(table)


def _entries(table: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((label, phrase) for label, line in table.items() for phrase in line.split("|") if phrase.strip())


def _keys(phrase: str) -> tuple[str, ...]:
    return tuple(token.key for token in tokens(uniform(phrase)))


def _variants(keys: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """With and without a word for each `*`."""
    if _ANY not in keys:
        yield keys
        return
    at = keys.index(_ANY)
    for rest in _variants(keys[at + 1 :]) if keys[at + 1 :] else [()]:
        yield keys[:at] + rest
        yield keys[: at + 1] + rest
