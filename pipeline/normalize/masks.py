"""Volatile spans of short blocks: relative times, page dates, counters, copyright years. Only the span is masked.

All guards look at the *shape* of a block: its text with every span that may be volatile, and every mask, made one
sign. The shape of a masked block is that of the block, so masking twice is masking once.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from pipeline.model import Region
from pipeline.normalize.patterns import SPAN, Patterns
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
    "vague": "⟦time⟧",
    "watched": "⟦count⟧",
    "counted": "⟦count⟧",
    "doubtful": "⟦count⟧",
    "date": "⟦date⟧",
    "clock": "⟦clock⟧",
    "year": "⟦year⟧",
}

_LETTERS = re.compile(rf"[^\W\d_{UNSPACED}]{{2,}}")
_UNSPACED_LETTER = re.compile(rf"(?=[^\W\d_])[{UNSPACED}]")
_JOINERS = frozenset("-/_+.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    kind: str
    text: str
    start: int
    end: int
    at: int  # of its sign in the shape


def mask_short(text: str, region: Region, patterns: Patterns) -> str:
    """A folded text of at most `MAX_CHARACTERS` with its volatile spans replaced by masks such as `⟦time⟧`."""
    spans, shape = _shape(text, patterns)
    block = _Block(shape, region, patterns)
    pieces: list[str] = []
    end = 0
    for span in spans:
        if block.is_volatile(span):
            pieces += (text[end : span.start], _MASKS[span.kind])
            end = span.end
    return "".join([*pieces, text[end:]])


def _shape(text: str, patterns: Patterns) -> tuple[list[_Span], str]:
    """The spans that may be volatile and are not masked yet, and the text with one sign for each span and mask."""
    spans = []
    shape = ""
    end = 0
    for match in patterns.spans.finditer(text):
        kind = patterns.kinds[match.lastindex - 1]
        shape += text[end : match.start()]
        if kind != "mask":
            span = _Span(kind=kind, text=match.group(), start=match.start(), end=match.end(), at=len(shape))
            spans.append(span)
        shape += SPAN
        end = match.end()
    return spans, shape + text[end:]


class _Block:
    """What the guards ask of a block, each answer found once and only when asked for."""

    def __init__(self, shape: str, region: Region, patterns: Patterns) -> None:
        self.shape = shape
        self.region = region
        self.patterns = patterns

    def is_volatile(self, span: _Span) -> bool:
        """Whether what is left of the block makes the span a passing one."""
        if not self._stands_alone(span):
            return False
        match span.kind:
            case "past" | "vague":
                return self._is_passed(span)
            case "date" | "clock":
                return self.words <= _SHORT and self._is_of_the_page(span) and not self.binding
            case "year":
                return self.words <= _SHORT_COPYRIGHT and self.copyrighted
            case "watched":
                return self.words <= _SHORT
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
        if span.kind in ("past", "vague") and _UNSPACED_LETTER.match(span.text[-1]):
            return (not before[-1:].isalnum() or self.patterns.beside.search(before) is not None) and (
                not after[:1].isalnum() or self.patterns.followed.search(after) is not None
            )
        return not (_goes_on(before[::-1]) or _goes_on(after))

    @cached_property
    def words(self) -> int:
        """Words of the block, each span one."""
        return count_words(self.shape)

    @cached_property
    def others(self) -> int:
        """Words of two letters or more beside spans and update words; unspaced letters count half."""
        rest = self.patterns.updated.sub(" ", self.shape) if self.updated else self.shape
        return len(_LETTERS.findall(rest)) + (len(_UNSPACED_LETTER.findall(rest)) + 1) // 2

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


def _goes_on(rest: str) -> bool:
    """Whether a word or number goes on into the rest, perhaps over a hyphen or the like."""
    if rest[:1] in _JOINERS:
        return rest[1:2].isalnum() or rest[1:2] == SPAN
    return rest[:1].isalnum() and not _UNSPACED_LETTER.match(rest)
