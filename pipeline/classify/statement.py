"""How much of a page is watched, in words anyone can read."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.ledger import Ledger, stable_share
from pipeline.model import NormalBlock, Region
from pipeline.packing import count_words, pack_blocks, unpack_blocks

__all__ = ["Watched", "watched"]

SHOWN = 3
"""Volatile places that are named; the others are counted."""

LONGEST = 40
"""Characters of a volatile block that are shown."""

_NAMES = {
    Region.NAVIGATION: "menus and links",
    Region.HEADER: "the header",
    Region.FOOTER: "the footer",
    Region.ASIDE: "side columns",
    Region.DIALOG: "pop-ups and advertisements",
    Region.CONSENT: "the consent layer",
    Region.RELATED: "lists of related pages",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """Shares of a page's words, 0..1 and together 1.

    Attributes:
        watched: In stable blocks of the page's own text: an edit of a word is a change at once.
        volatile: In blocks that are habitually volatile: an edit there can pass for noise.
        around: In menus, footers and the like: what changes there is recorded as noise.
        volatile_places: What is volatile, the largest first.
        around_places: The parts around the page's own text, the largest first.
    """

    words: int
    watched: float
    volatile: float
    around: float
    volatile_places: tuple[str, ...]
    around_places: tuple[str, ...]

    def __str__(self) -> str:
        if not self.words:
            return "The page has no text to watch."
        said = (
            f"Any edit of one word or more is seen in the {_share(self.watched)} of words that lie in stable blocks "
            "of the page's own text"
        )
        if self.volatile_places:
            said += f"; {_share(self.volatile)} ({_listed(self.volatile_places)}) {_are(self.volatile)} habitually "
            said += "volatile and not watched"
        if self.around_places:
            said += f"; {_share(self.around)} ({_listed(self.around_places)}) {_are(self.around)} around it, where a "
            said += "change is recorded as noise"
        return f"{said}."


def watched(ledger: Ledger, blocks: Sequence[NormalBlock]) -> Watched:
    """The shares of a page's words.

    Args:
        ledger: What the page's visits have taught.
        blocks: Of its last good visit.
    """
    words = [count_words(block.normal) for block in blocks]
    total = sum(words)
    habitual = set(stable_share(ledger, unpack_blocks(pack_blocks(blocks))).volatile)
    volatile: Counter[str] = Counter()
    around: Counter[str] = Counter()
    for index, block in enumerate(blocks):
        if block.region is not Region.MAIN:
            around[_NAMES[block.region]] += words[index]
        elif index in habitual:
            volatile[_quoted(block.text)] += words[index]
    moving, beside = volatile.total(), around.total()
    return Watched(
        words=total,
        watched=(total - moving - beside) / total if total else 0.0,
        volatile=moving / total if total else 0.0,
        around=beside / total if total else 0.0,
        volatile_places=tuple(place for place, _ in volatile.most_common()),
        around_places=tuple(place for place, _ in around.most_common()),
    )


def _quoted(text: str) -> str:
    return f'"{text}"' if len(text) <= LONGEST else f'"{text[: LONGEST - 1].rstrip()}…"'


def _listed(places: Sequence[str]) -> str:
    more = len(places) - SHOWN
    named = list(places if more <= 1 else places[:SHOWN])
    return ", ".join(named) + (f" and {more} more" if more > 1 else "")


def _share(share: float) -> str:
    return "under 1 %" if share < 0.01 else f"{100 * share:.0f} %"  # noqa: PLR2004


def _are(share: float) -> str:
    return "is" if share < 0.015 else "are"  # noqa: PLR2004
