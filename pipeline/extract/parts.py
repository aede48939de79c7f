"""The parts of a page (its boundary elements) with what lies in each, and the pieces of text between them.

The walk keeps running totals; a part holds them as they stood when it was opened and when it was closed. So every
measure of every part costs one subtraction, however deep the page is.
"""

from dataclasses import dataclass
from operator import sub
from typing import Final, NamedTuple

from pipeline.model import Region

__all__ = ["NOTHING", "PROSE_LINK_SHARE", "PROSE_WORDS", "Hint", "Measures", "Part", "Piece", "Place", "Totals"]

PROSE_WORDS = 8
"""Words from which a block counts as running text."""

PROSE_LINK_SHARE = 0.5
"""Share of characters inside links above which it does not."""


class Hint:
    """What an element says of itself, by tag, role, class and id. Whether it holds is settled with the whole page.

    Plain integers to be or-ed: operations of `IntFlag` cost a microsecond each, and every element of a page has some.
    """

    NOTHING: Final = 0
    MAIN: Final = 1
    NAVIGATION: Final = 2
    HEADER: Final = 4
    FOOTER: Final = 8
    ASIDE: Final = 16
    DIALOG: Final = 32
    LIVE: Final = 64
    """Announced by screen readers as it changes: clocks, counters, messages."""
    FOOTER_ROLE: Final = 128
    CONSENT_WORDS: Final = 256
    RELATED_WORDS: Final = 512
    POPUP_WORDS: Final = 1024
    """Advertisements and what is laid over the page."""
    NAVIGATION_WORDS: Final = 2048
    HEADER_WORDS: Final = 4096
    FOOTER_WORDS: Final = 8192
    ASIDE_WORDS: Final = 16384
    SOCIAL_WORDS: Final = 32768
    COUNTER_WORDS: Final = 65536
    NOTICE_WORDS: Final = 131072
    """Messages and offers: advertisements beside the content, but a shop's own prices and plans within it."""


class Measures(NamedTuple):
    """What lies in a stretch of the page.

    Attributes:
        text: Characters of visible text.
        links: Those of them inside `a`.
        prose: Those of them in running text.
        headings: `h1` elements.
        mains: Main elements.
        buttons: Buttons.
    """

    text: int
    links: int
    prose: int
    headings: int
    mains: int
    buttons: int


Totals = tuple[int, int, int, int, int, int]
"""Running totals in the order of `Measures`; plain, as every block makes new ones."""

NOTHING: Totals = (0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Place:
    """What the few noteworthy elements hand down to everything inside them.

    Attributes:
        included: Lies inside what the rules include.
        excluded: Lies inside what they exclude, which outweighs the other.
        revealed: Lies inside what is hidden and read all the same.
    """

    inside_content: bool = False
    included: bool = True
    excluded: bool = False
    unordered: bool = False
    revealed: bool = False

    def likens(self, other: "Place") -> bool:
        """Whether the rules say the same of both."""
        mine = (self.included, self.excluded, self.unordered)
        return mine == (other.included, other.excluded, other.unordered)


@dataclass(slots=True, eq=False)
class Part:
    """One boundary element of the page.

    Attributes:
        hints: Members of `Hint`, or-ed.
        start: Index of the first piece inside; `end` is one after the last.
        opened: Totals of the page when it was opened, and `closed` when it was closed.
        path: Its tag and those around it.
        in_article: Lies in an `article` element.
        region: Settled with the whole page; None is no chrome.
        inside: Lies in the main container, settled likewise.
    """

    tag: str
    parent: "Part | None"
    hints: int
    start: int
    opened: Totals
    path: str
    place: Place
    in_article: bool = False
    end: int = 0
    closed: Totals = NOTHING
    region: Region | None = None
    inside: bool = True
    _measures: Measures | None = None

    @property
    def measures(self) -> Measures:
        """What lies inside, once it is closed; most parts of a page are never asked."""
        if self._measures is None:
            self._measures = Measures._make(map(sub, self.closed, self.opened))
        return self._measures

    @property
    def link_share(self) -> float:
        """Share of its characters inside links, 0..1."""
        measures = self.measures
        return measures.links / measures.text if measures.text else 0.0


@dataclass(slots=True, eq=False)
class Piece:
    """A block before it is kept.

    Attributes:
        words: As `count_words` counts.
        link_share: Share of the characters inside links of the element it was cut from, 0..1.
        region: Settled with the whole page.
    """

    text: str
    part: Part
    words: int
    link_share: float
    place: Place
    region: Region = Region.MAIN
