"""A text in the chrome that was edited, and not exchanged for another, is somebody's words and may matter."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from pipeline.model import NormalBlock, Region
from pipeline.packing import UNSPACED

__all__ = ["edited_in_place"]

KEPT: Mapping[Region, float] = {
    **dict.fromkeys((Region.RELATED, Region.ASIDE, Region.HEADER), 0.8),
    **dict.fromkeys((Region.DIALOG, Region.CONSENT), 1.0),
}
"""Share of the words of the shorter version that the other keeps in order, by region. Advertisements and consent layers
are edited in place as a habit, so there only words put in or taken out count; in menus and footers nothing does."""

WORDS = 8
"""Words of either version from which an edit can be told from another teaser of the same make."""

MOST = 40
"""Blocks of either side that are looked at."""

_WORD = re.compile(f"(?=[^\\W_])[{UNSPACED}]|[^\\W_{UNSPACED}]+")


def edited_in_place(removed: Sequence[NormalBlock], added: Sequence[NormalBlock]) -> set[int]:
    """Identities (`id`) of blocks of soft chrome that have an opposite number which is the same text edited."""
    before, after = _long_ones(removed), _long_ones(added)
    edited: set[int] = set()
    for old, words in before:
        for new, others in after:
            if old.region is new.region and id(new) not in edited and _is_edit(words, others, KEPT[old.region]):
                edited |= {id(old), id(new)}
                break
    return edited


def _long_ones(blocks: Sequence[NormalBlock]) -> list[tuple[NormalBlock, list[str]]]:
    soft = [(block, _WORD.findall(block.normal)) for block in blocks if block.region in KEPT]
    return [(block, words) for block, words in soft if len(words) >= WORDS][:MOST]


def _is_edit(one: list[str], two: list[str], kept: float) -> bool:
    needed = kept * min(len(one), len(two))
    if needed == len(one) == len(two):  # no word was put in or taken out
        return False
    if (Counter(one) & Counter(two)).total() < needed:
        return False
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    return sum(match.size for match in matcher.get_matching_blocks()) >= needed
