"""Volatile spans of short blocks: relative times, page dates, counters, copyright years. Only the span is masked.

All guards look at the *shape* of a block: its text with every span that may be volatile, and every mask, made one
sign. The shape of a masked block is that of the block, so masking twice is masking once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pipeline.model import Region
from pipeline.normalize.patterns import Patterns
from pipeline.normalize.signs import CLOCK, DATE, MASK, MONTH, NUMBER, SPAN, WEEKDAY, Signed, goes_on, signed
from pipeline.packing import UNSPACED, count_words

__all__ = ["MAX_CHARACTERS", "mask_short"]

MAX_CHARACTERS = 200
"""Longer blocks are running text: 14 words and what may be masked among them."""

# Words a block may have, each span one word, and other words beside the span: a
# line such as "3 minutes ago by Ann" is about its own age, a sentence that holds a time says something.
_SHORT = 14
_SHORT_VAGUE = 9
_SHORT_COPYRIGHT = 15
_FEW = 4
_FEW_DOUBTFUL = 1

_MASKS = {
    "past": "⟦time⟧",
    "gone": "⟦time⟧",
    "present": "⟦time⟧",
    "watched": "⟦count⟧",
    "counted": "⟦count⟧",
    "doubtful": "⟦count⟧",
    "date": "⟦date⟧",
    "clock": "⟦clock⟧",
    "year": "⟦year⟧",
    "version": "⟦version⟧",
}

_LETTERS = re.compile(rf"[^\W\d_{UNSPACED}]{{2,}}")
_UNSPACED_LETTER = re.compile(rf"(?=[^\W\d_])[{UNSPACED}]")
_YEARS = re.compile(r"(?:19|20)[0-9]{2}(?: ?- ?(?:(?:19|20)[0-9]{2}|[0-9]{2}))?")
_ALONE = 40
"""Characters of a block in which a weekday may be a date by itself."""
_LONG_NAME = 5
_NEAR = 6
"""Characters between a name and its number: ` de la `."""

_COUNTS = re.compile(f"[{NUMBER}{CLOCK}{DATE}{WEEKDAY}]")
"""What every span but a relative time holds."""

_DIGIT = re.compile(r"\d")
_WITH_DIGIT = re.compile(rf"[^\W\d_{UNSPACED}]*\d\w*")
_MASKED = re.compile(MASK)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    kind: str
    text: str
    start: int
    end: int
    at: int  # of its sign in the shape


def mask_short(text: str, region: Region, patterns: Patterns) -> str:
    """A folded text of at most `MAX_CHARACTERS` with its volatile spans replaced by masks such as `⟦time⟧`."""
    spans, shape = _shape(text, region, patterns)
    ages = any(span.kind in {"past", "gone"} for span in spans)
    block = _Block(shape, region, patterns, ages=ages)
    pieces: list[str] = []
    end = 0
    for span in spans:
        if block.is_volatile(span):
            pieces += (text[end : span.start], _MASKS[span.kind])
            end = span.end
    return "".join([*pieces, text[end:]])


def _shape(text: str, region: Region, patterns: Patterns) -> tuple[list[_Span], str]:
    """The spans that may be volatile and are not masked yet, and the text with one sign for each span and mask."""
    spans = []
    shape = ""
    end = 0
    for start, stop, kind in sorted(_found(text, region, patterns)):
        shape += text[end:start]
        if kind != "mask":
            spans.append(_Span(kind=kind, text=text[start:stop], start=start, end=stop, at=len(shape)))
        shape += SPAN
        end = stop
    return spans, shape + text[end:]


def _found(text: str, region: Region, patterns: Patterns) -> Iterator[tuple[int, int, str]]:
    """Start, end and kind of every span and mask, none overlapping another."""
    for mask in _MASKED.finditer(text):
        yield *mask.span(), "mask"
    signs = signed(text)
    said = patterns.passed.search(signs.text) is not None
    for in_words in (False, True) if said else (False,) if NUMBER in signs.text else ():
        ages = _ages(signs.text, patterns, in_words=in_words)
        yield from ((*signs.span(age), "past") for age in ages)
        signs = signs.replaced(ages, SPAN)
    words = signs.matches(patterns.relative)
    for word in words:
        is_over = patterns.gone.fullmatch(signs.text[slice(*word)]) is not None
        yield *signs.span(word), "gone" if is_over else "present"
    signs = signs.replaced(words, SPAN)
    if region is Region.FOOTER or patterns.updated.search(signs.text):  # elsewhere no date is masked
        signs = _with_names(signs, patterns)
    if not _COUNTS.search(signs.text):
        return
    for found in signs.matches(patterns.spans):
        start, end = signs.span(found)
        span = signs.text[slice(*found)]
        kind = next((kind for kind, pattern in patterns.kinds.items() if pattern.fullmatch(span)), "year")
        if kind != "year" or _YEARS.fullmatch(text[start:end]):
            yield start, end, kind


def _ages(text: str, patterns: Patterns, *, in_words: bool) -> list[tuple[int, int]]:
    """Start and end of each relative time in a signed text, with all that belongs to it; its amount may be in words."""
    counted = Signed(text=text, at=tuple(range(len(text) + 1)))
    if in_words:
        amounts = counted.matches(patterns.amounts)
        followed = {start for start, _ in amounts}
        # The "a" of "il y a une heure" is none.
        counted = counted.replaced((span for span in amounts if span[1] + 1 not in followed), NUMBER)
    ages = []
    done = 0
    for start, end in counted.matches(patterns.past):
        if start >= done:
            first = done + patterns.earlier.search(counted.text[done:start]).start()
            later = patterns.later.match(counted.text[end:])
            done = end + (later.end() if later else 0)
            touched = counted.text[max(0, first - 1) : first].isalpha()
            ages.append(counted.span((start if touched else first, done)))
    return ages


def _with_names(signs: Signed, patterns: Patterns) -> Signed:
    """The text with names of months and weekdays made signs, where they are those."""
    if NUMBER not in signs.text and len(signs.text) > _ALONE:
        return signs
    for pattern, sign in ((patterns.months, MONTH), (patterns.weekdays, WEEKDAY)):
        signs = signs.replaced([name for name in signs.matches(pattern) if _is_name(name, signs.text)], sign)
    return signs


def _is_name(name: tuple[int, int], text: str) -> bool:
    """Whether it stands near a number, or is too long to be another language's everyday word."""
    start, end = name
    near = text[max(0, start - _NEAR) : start] + text[end : end + _NEAR]
    return end - start >= _LONG_NAME or NUMBER in near or MONTH in near


class _Block:
    """What the guards ask of a block, each answer found once and only when asked for."""

    def __init__(self, shape: str, region: Region, patterns: Patterns, *, ages: bool) -> None:
        self.shape = shape
        self.region = region
        self.patterns = patterns
        self._ages = ages

    def is_volatile(self, span: _Span) -> bool:
        """Whether what is left of the block makes the span a passing one."""
        if not self._stands_alone(span):
            return False
        match span.kind:
            case "past" | "gone":
                return self._is_passed(span)
            case "present":
                return self._is_of_the_page(span) or (self.others == 0 and not _DIGIT.search(self.shape))
            case "date" | "clock":
                is_of_the_page = self._is_of_the_page(span) or (span.kind == "clock" and self.aged)
                return self.words <= _SHORT and is_of_the_page and not self.binding
            case "year" | "version":
                return self.words <= _SHORT_COPYRIGHT and self.copyrighted
            case "watched":
                return self.words <= _SHORT and not self.limited
            case _:
                few = _FEW if span.kind == "counted" else _FEW_DOUBTFUL
                return self.words <= _SHORT and self.others <= few and not self.limited

    def _is_passed(self, span: _Span) -> bool:
        if self.words > (_SHORT if span.kind == "past" else _SHORT_VAGUE):
            return False
        if self.updated or self.region is not Region.MAIN:
            return True
        is_condition = self.others > 0 and (self.limited or self.patterns.limits.search(span.text) is not None)
        return self.others <= _FEW and not is_condition

    def _is_of_the_page(self, span: _Span) -> bool:
        return self.region is Region.FOOTER or span.at in self.dated

    def _stands_alone(self, span: _Span) -> bool:
        """Whether the span is no part of a longer word, number or, where words touch, phrase."""
        before, after = self.shape[: span.at], self.shape[span.at + 1 :]
        if span.kind in ("past", "gone", "present") and _UNSPACED_LETTER.match(span.text[-1]):
            return (not before[-1:].isalnum() or self.patterns.beside.search(before) is not None) and (
                not after[:1].isalnum() or self.patterns.followed.search(after) is not None
            )
        return not (goes_on(before[::-1]) or goes_on(after))

    @cached_property
    def words(self) -> int:
        """Words of the block, each span one."""
        return count_words(self.shape)

    @cached_property
    def others(self) -> int:
        """Words of two letters or more beside spans and update words; unspaced letters count half.

        A word with a digit is none, so that an identifier counts as little as its mask.
        """
        rest = _WITH_DIGIT.sub(" ", self.shape)
        rest = self.patterns.updated.sub(" ", rest) if self.updated else rest
        return len(_LETTERS.findall(rest)) + (len(_UNSPACED_LETTER.findall(rest)) + 1) // 2

    @cached_property
    def aged(self) -> bool:
        """Says how long ago, perhaps with the time of day, and nothing else: "Yesterday, 10:15"."""
        return self._ages and self.others == 0

    @cached_property
    def updated(self) -> bool:
        """Has a word that makes a date beside it the date of the page."""
        return self.patterns.updated.search(self.shape) is not None

    @cached_property
    def binding(self) -> bool:
        """Has a word that makes a date substance."""
        return self.patterns.binding.search(self.shape) is not None

    @cached_property
    def limited(self) -> bool:
        """Has a word that makes an amount a condition."""
        return self.patterns.limits.search(self.shape) is not None

    @cached_property
    def copyrighted(self) -> bool:
        """Is a copyright line."""
        sign = self.patterns.rights if self.region is Region.FOOTER else self.patterns.owned
        return sign.search(self.shape) is not None

    @cached_property
    def dated(self) -> frozenset[int]:
        """Where in the shape spans stand right beside an update word."""
        matches = self.patterns.dated.finditer(self.shape) if self.updated else ()
        return frozenset(at for match in matches for at in range(match.start(), match.end()))
