"""The tables of all languages compiled: one pattern that finds spans, and one for each kind of word beside them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import re2

from pipeline.normalize.languages import CLOCK, DATE, LANGUAGES, YEARS, Language

__all__ = ["SPAN", "Patterns", "compiled"]

SPAN = "\x01"
"""Stands for one span in the shape of a text; folded text holds no control character."""

_MASK = "⟦[a-z]+⟧"
_COPYRIGHT = r"©|\(c\)|℗|copyright"
_NOT_WORD = r"[^\pL\pN]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """RE2 patterns, all without regard to case.

    Attributes:
        hint: Finds in bytes whether a short block may hold anything to mask.
        spans: Every span that may be volatile, one group a kind.
        kinds: Of the groups of `spans`, in their order.
        updated: Any word that makes the date beside it one of the page.
        binding: Any word that makes a date substance.
        limits: Any word that makes an amount a condition.
        rights: What makes the years of a footer those of a copyright line.
        owned: A copyright sign or word with its years right after it.
        dated: An update word and its spans, on the shape of a text.
        beside: What may touch an unspaced relative time before it, at the end of a text.
        followed: The same after it, at the start of a text.
    """

    hint: Any
    spans: Any
    kinds: tuple[str, ...]
    updated: Any
    binding: Any
    limits: Any
    rights: Any
    owned: Any
    dated: Any
    beside: Any
    followed: Any


@cache
def compiled(code: str) -> Patterns:
    """The patterns of all languages, those of the language `code` first; the order changes no result."""
    tables = sorted(LANGUAGES, key=lambda table: table.code != code)
    updated = _words(tables, lambda table: table.updated)
    rights = _any([_COPYRIGHT, *(table.rights for table in tables)])
    beside = _any(table.beside for table in tables)
    spans = {
        "mask": _MASK,
        "past": _any(table.past for table in tables),
        "vague": _any(table.vague for table in tables),
        "watched": _any(table.watched for table in tables),
        "counted": _any(table.counted for table in tables),
        "doubtful": _any(table.doubtful for table in tables),
        "date": _any([DATE, *(table.date for table in tables)]),
        "clock": _any([*(table.clock for table in tables), CLOCK]),
        "year": YEARS,
    }
    hints = ("past", "vague", "watched", "counted", "doubtful")
    hint = _any([*(spans[kind] for kind in hints), *(table.updated for table in tables), rights])
    return Patterns(
        hint=_compile(hint.encode()),
        spans=_compile("|".join(f"({pattern})" for pattern in spans.values()), longest=True),
        kinds=tuple(spans),
        updated=_compile(updated),
        binding=_compile(_words(tables, lambda table: table.binding)),
        limits=_compile(_words(tables, lambda table: table.limits)),
        rights=_compile(rights),
        owned=_compile(rf"©|(?:copyright|\(c\))[^\pL\pN{SPAN}]*(?:\(c\)[^\pL\pN{SPAN}]*)?{SPAN}"),
        dated=_compile(_dated(tables, updated), longest=True),
        beside=_compile(rf"(?:{beside})\z"),
        followed=_compile(rf"\A(?:{beside})"),
    )


def _dated(tables: Iterable[Language], updated: str) -> str:
    """An update word, then spans; or spans, then an update word that ends the block. Only small words between."""
    small = _any(table.between for table in tables if table.spaced)
    glued = _any(table.between for table in tables if not table.spaced)
    gap = rf"(?:[^\pL\pN{SPAN}]|(?:{small})[^\pL\pN{SPAN}]|{glued})*"
    author = rf"(?:{_any(table.by for table in tables)}) ?[^{SPAN}]{{1,40}}"
    spans = rf"{SPAN}(?:{gap}{SPAN})*"
    return rf"{updated}{gap}(?:{author})?{spans}|{spans}{gap}{updated}{_NOT_WORD}*\z"


def _words(tables: Iterable[Language], words: Callable[[Language], str]) -> str:
    """Any of the words of all languages, as whole words where a language has spaces."""
    spaced = _any(words(table) for table in tables if table.spaced)
    glued = _any(words(table) for table in tables if not table.spaced)
    return rf"(?:(?:\A|{_NOT_WORD})(?:{spaced})(?:{_NOT_WORD}|\z)|{glued})"


def _any(patterns: Iterable[str]) -> str:
    return "|".join(pattern for pattern in patterns if pattern)


def _compile(pattern: str | bytes, *, longest: bool = False) -> Any:
    """A pattern without regard to case; `longest` takes the longest match at a place, not the first alternative's."""
    options = re2.Options()
    options.case_sensitive = False
    options.longest_match = longest
    options.log_errors = False
    return re2.compile(pattern, options)
