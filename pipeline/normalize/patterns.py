"""The words of all languages compiled: patterns that find spans, and one for each kind of word beside them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import re2

from pipeline.cldr import cldr_words
from pipeline.normalize.alternations import (
    alternatives,
    any_of,
    begun,
    compiled_pattern,
    edged,
    literal,
    sorted_alternatives,
)
from pipeline.normalize.languages import Language, languages
from pipeline.normalize.machines import MACHINE_WORDS
from pipeline.normalize.signs import CLOCK, DATE, MONTH, NUMBER, SPAN, WEEKDAY

__all__ = ["Patterns", "compiled"]


_SIGNS = {"#": NUMBER, "@": CLOCK, "{n}": NUMBER, "{c}": CLOCK, "{m}": MONTH, "{w}": WEEKDAY}
_SIGN = re.compile("|".join(_SIGNS))
_NOT_WORD = r"[^\pL\pN\pM]"
_COPYRIGHT = r"©|\(c\)|℗|copyright"
_PAST_MEMORY = 64 << 20
"""Bytes; with half of it a search takes 40 us and not 2, because the automaton does not fit."""
_THOUSANDS = r"(?: ?(?:k|m|mil|tsd\.?|mio\.?|tys\.?|тыс\.?|млн\.?|rb|tr|[万萬亿億千만천]|พัน))?\+?"
_COUNTED_AS = r"(?: ?(?:[次条條个個回件人名회개건명]|人次|ครั้ง))?"
_COLON = "[:(\uff1a\uff08]"
_CLOSED = "[)\uff09]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """RE2 patterns, all without regard to case.

    Attributes:
        hints: Any finds in bytes whether a short block may hold anything to mask.
        months: Names of months.
        weekdays: Names of weekdays.
        passed: What any relative time with an amount in words holds.
        amounts: Amounts in words.
        past: How long ago, on signed text in which amounts are numbers as well.
        earlier: What else belongs to it at the end of the text before, or nothing.
        later: The same at the start of the text after.
        relative: Words for what is over or now, on signed text without what `past` finds.
        gone: Those for what is over.
        spans: Every other span that may be volatile, on signed text with names of months and weekdays made signs, and
            without what the others find. No groups: those of so large a pattern would cost 50 us a match.
        kinds: What tells of which kind such a span is, the first that matches it all.
        updated: Any word that makes the date beside it one of the page.
        binding: Any word that makes a date substance.
        limits: Any word that makes an amount a condition.
        rights: What makes the years of a footer those of a copyright line.
        owned: A copyright sign or word with its years right after it.
        dated: An update word and its spans, on the shape of a text.
        beside: What may touch an unspaced relative time before it, at the end of a text.
        followed: The same after it, at the start of a text.
    """

    hints: tuple[Any, ...]
    months: Any
    weekdays: Any
    passed: Any
    amounts: Any
    past: Any
    earlier: Any
    later: Any
    relative: Any
    gone: Any
    spans: Any
    kinds: Mapping[str, Any]
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
    """The patterns for a page in the language of the table `code`: those of all languages, and its own words."""
    updated = _whole("updated", code)
    rights = any_of([_COPYRIGHT, _all("rights", code)])
    beside = _all("beside", code)
    gone = any_of([edged(cldr_words().gone), _all("gone", code)])
    present = any_of([edged(cldr_words().present), _all("present", code)])
    spans = {
        "watched": _watched(),
        "counted": _counters(_all("counted", code)),
        "doubtful": any_of([_counters(_all("doubtful", code)), _online()]),
        "date": _dates(),
        "clock": _clocks(),
        "version": rf"(?:\bv|\b(?:ver|version|build|release|rev)\.?) ?#?{NUMBER}",
        "year": rf"{NUMBER}(?: ?- ?{NUMBER})?",
    }
    return Patterns(
        hints=_hints(code, gone, present, rights),
        months=_names(cldr_words().months),
        weekdays=_names(cldr_words().weekdays),
        passed=compiled_pattern(begun(any_of([_all("passed", code), literal(_named())]))),
        amounts=_amounts(),
        past=_past(),
        earlier=_earlier(),
        later=_later(),
        relative=compiled_pattern(f"{gone}|{present}", longest=True),
        gone=compiled_pattern(gone),
        spans=compiled_pattern(any_of(spans.values()), longest=True),
        kinds={kind: compiled_pattern(pattern) for kind, pattern in spans.items()},
        updated=compiled_pattern(updated),
        binding=compiled_pattern(_whole("binding", code)),
        limits=compiled_pattern(_whole("limits", code)),
        rights=compiled_pattern(rights),
        owned=compiled_pattern(rf"©|(?:copyright|\(c\))[^\pL\pN{SPAN}]*(?:\(c\)[^\pL\pN{SPAN}]*)?{SPAN}"),
        dated=compiled_pattern(_dated(updated), longest=True),
        beside=compiled_pattern(rf"(?:{beside}) ?\z"),
        followed=compiled_pattern(rf"\A ?(?:{beside})"),
    )


def _hints(code: str, *words: str) -> tuple[Any, ...]:
    """On text as it is, so that a number is a digit; what only stands beside a number is looked for there.

    Two patterns, because the automaton of one for both does not fit into `_MEMORY`.
    """
    before, after = set(), set()
    for past in cldr_words().past:
        head, number, tail = past.partition("{n}")
        if head.strip() and number:
            before.add(head)
        elif number:
            after.add(tail.strip())
    said = any_of([_all("passed", code), literal(_named()), _all("updated", code), MACHINE_WORDS, *words])
    nouns = any_of([_all("counted", code), _all("doubtful", code)])
    counted = any_of(
        [
            rf"(?:{begun(literal(before))})\p{{Nd}}",
            rf"\p{{Nd}}(?: ?(?:{literal(after)})|{_THOUSANDS}{_COUNTED_AS} ?(?:{nouns}|{_all('people', code)}))",
            rf"(?:{sorted_alternatives(nouns)}) ?{_COLON}? ?\p{{Nd}}",
        ]
    )
    return compiled_pattern(begun(said).encode()), compiled_pattern(counted.encode())


@cache
def _past() -> Any:
    forms = (re2.escape(re.sub(r"\d+", "{n}", form)).replace(r"\{n\}", "{n}") for form in cldr_words().past)
    loose = [_sign(re.sub(r"\{n\}(?:\\? )?", "{n} ?", form)) for form in forms]
    tables = [_framed(table, frame) for table in languages() for frame in alternatives(table.ago)]
    return compiled_pattern(sorted_alternatives(any_of([*loose, *tables])), longest=True, memory=_PAST_MEMORY)


def _named() -> list[str]:
    """Forms of relative times that name their number, as a dual does."""
    return [form for form in cldr_words().past if "{n}" not in form]


def _framed(table: Language, frame: str) -> str:
    """A form of `ago` around a number and a unit; "about" before the number only where it stands in the middle."""
    about = "" if frame.startswith("{}") else rf"(?:(?:{table.about}) ?)?"
    return frame.replace("{}", rf"{about}{NUMBER} ?(?:{table.units})\.?")


@cache
def _amounts() -> Any:
    """Amounts in words; what is none of time is not looked at further."""
    amounts = any_of(table.amounts for table in languages())
    return compiled_pattern(begun(amounts), longest=True)


@cache
def _earlier() -> Any:
    """What belongs to a relative time before it: "about", "1 hour and"."""
    about = _all("about", "")
    chains = any_of(rf"{NUMBER} ?(?:{table.units})\.?(?:{table.joints}) ?" for table in languages() if table.joints)
    return compiled_pattern(rf"(?:(?:{about}) ?)?(?:{chains})*\z", longest=True)


@cache
def _later() -> Any:
    """The same after it: "hace 2 horas" and then "y 5 minutos"."""
    chains = (rf"(?:{table.joints}) ?{NUMBER} ?(?:{table.units})" for table in languages() if table.joints)
    return compiled_pattern(rf"\A(?:{any_of(chains)})+", longest=True)


@cache
def _names(names: tuple[str, ...]) -> Any:
    return compiled_pattern(rf"(?:{edged(names)})\.?", longest=True)


def _dates() -> str:
    """Of the page or of its subject; a weekday alone is one as well."""
    forms = [_sign(re2.escape(form).replace("\\{", "{").replace("\\}", "}")) for form in cldr_words().dates]
    forms += [_sign(table.date) for table in languages()]
    numbers = rf"{NUMBER}\. ?{NUMBER}\. ?{NUMBER}\.?"
    return sorted_alternatives(any_of([*forms, numbers, rf"(?:{WEEKDAY},? )?{DATE}", WEEKDAY]))


def _clocks() -> str:
    words = [half for half in cldr_words().halves if len(half) > 1]
    before = literal(half for half in words if not half.isascii() and not half[0].islower())
    after = literal(words)
    forms = [form for form in cldr_words().clocks if "{a}" not in form]
    plain = [_sign(re2.escape(form).replace("\\{", "{").replace("\\}", "}")) for form in forms]
    spoken = [_sign(table.clock) for table in languages() if table.clock]
    time = f"[{CLOCK}{NUMBER}]"
    return sorted_alternatives(any_of([*plain, *spoken, rf"(?:{before}) ?{time}", rf"{time} ?(?:{after})", CLOCK]))


def _counters(nouns: str) -> str:
    """A number before or after what it counts: "1,204 views", "Views: 1.2k", "Comments (12)"."""
    counted = rf"{NUMBER}{_THOUSANDS}"
    return (
        rf"{counted}{_COUNTED_AS} ?(?:{nouns})"
        rf"|(?:{nouns}) ?{_COLON}? ?{counted}{_COUNTED_AS}{_CLOSED}?"
    )


def _online() -> str:
    return rf"{NUMBER}{_THOUSANDS}{_COUNTED_AS} ?(?:{_all('people', '')}) ?(?:{_all('online', '')})"


def _watched() -> str:
    """How many look at or buy this, with a few words between: "12 people are viewing this"."""
    counted = rf"{NUMBER}{_THOUSANDS}{_COUNTED_AS} ?"
    near = "[^.;!?\x01-\x06]"
    forms = []
    for table in languages():
        who, watch = f"(?:{table.people})", f"(?:{table.watching})"
        if table.spaced:
            forms.append(
                rf"{counted}(?:[^ \x01-\x06]{{1,12}} )?{who}(?:{near}{{0,24}} )?{watch}(?: (?:this|it|now)\b)*"
            )
            forms.append(rf"{counted}{watch} (?:this|now|right now)") if table.code == "en" else None
        else:
            forms.append(rf"{counted}{who}{near}{{0,8}}{watch}")
        if table.verb_first:
            forms.append(rf"{watch}{near}{{0,24}} {counted}{who}")
    return sorted_alternatives(any_of(forms))


def _dated(updated: str) -> str:
    """An update word, then spans; or spans, then an update word that ends the block. Only small words between."""
    small = any_of(table.between for table in languages() if table.spaced)
    glued = any_of(table.between for table in languages() if not table.spaced)
    gap = rf"(?:[^\pL\pN{SPAN}]|(?:{small})[^\pL\pN{SPAN}]|{glued})*"
    author = rf"(?:{any_of(table.by for table in languages())}) ?[^{SPAN}]{{1,40}}"
    spans = rf"{SPAN}(?:{gap}{SPAN})*"
    return rf"{updated}{gap}(?:{author})?{spans}|{spans}{gap}{updated}{_NOT_WORD}*\z"


def _whole(key: str, code: str) -> str:
    """Any of the words of all languages, as whole words where a language has spaces."""
    spaced = sorted_alternatives(any_of(table.words(key, code) for table in languages() if table.spaced))
    glued = sorted_alternatives(any_of(table.words(key, code) for table in languages() if not table.spaced))
    return rf"(?:(?:\A|{_NOT_WORD})(?:{spaced})(?:{_NOT_WORD}|\z)|{glued})"


def _all(key: str, code: str) -> str:
    return sorted_alternatives(any_of(table.words(key, code) for table in languages()))


def _sign(pattern: str) -> str:
    return _SIGN.sub(lambda match: _SIGNS[match[0]], pattern)
