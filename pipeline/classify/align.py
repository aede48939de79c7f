"""Putting two lists of blocks side by side: what stayed, what moved, what came and went, and what replaced what."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.model import NormalBlock

__all__ = ["Alignment", "Pair", "align"]

Pair = tuple[NormalBlock | None, NormalBlock | None]
"""(removed, added); one side None: nothing replaced it."""

PAIR_SIMILARITY = 0.4
"""Two blocks in one gap replaced each other if they share this much of their words (Dice coefficient).
Under it, showing them as removed and added reads better; chosen by reading diffs of real terms pages."""

PAIR_LIMIT = 200
"""Gaps with more blocks than this on a side are not paired by similarity: that would be quadratic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """How two texts correspond.

    Attributes:
        kept: Blocks of equal normalised text, paired; their literal texts may differ.
        moved: Those of `kept` that are out of order.
        gaps: Removed and added blocks between the same two neighbours that kept their place, paired.
    """

    kept: tuple[tuple[NormalBlock, NormalBlock], ...]
    moved: tuple[tuple[NormalBlock, NormalBlock], ...]
    gaps: tuple[tuple[Pair, ...], ...]


def align(old: Sequence[NormalBlock], new: Sequence[NormalBlock]) -> Alignment:
    """Align two texts by their normalised blocks, as multisets: a pure move is no removal.

    Cost is n log n in the number of blocks, whatever the input; only small gaps are paired by similarity.
    """
    matches = _match(old, new)
    steady = _longest_rising(matches)
    kept = tuple((old[i], new[j]) for i, j in matches)
    moved = tuple((old[i], new[j]) for i, j in matches if (i, j) not in steady and not old[i].unordered)
    old_matched, new_matched = {i for i, _ in matches}, {j for _, j in matches}
    gone = [i for i in range(len(old)) if i not in old_matched]
    come = [j for j in range(len(new)) if j not in new_matched]
    return Alignment(kept=kept, moved=moved, gaps=tuple(_gaps(old, new, gone, come, sorted(steady))))


def _match(old: Sequence[NormalBlock], new: Sequence[NormalBlock]) -> list[tuple[int, int]]:
    """Pair equal blocks, the k-th of a text with the k-th of the same text; in the old order."""
    places: dict[str, list[int]] = defaultdict(list)
    for j in range(len(new) - 1, -1, -1):
        places[new[j].normal].append(j)
    return [(i, places[block.normal].pop()) for i, block in enumerate(old) if places.get(block.normal)]


def _longest_rising(matches: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """The largest set of matches that keep their order (patience sorting); the others moved."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, j) in enumerate(matches):
        place = bisect_left(tails, j)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(j)
            ends.append(index)
        else:
            tails[place] = j
            ends[place] = index
    steady: set[tuple[int, int]] = set()
    index = ends[-1] if ends else -1
    while index >= 0:
        steady.add(matches[index])
        index = before[index]
    return steady


def _gaps(
    old: Sequence[NormalBlock],
    new: Sequence[NormalBlock],
    gone: Sequence[int],
    come: Sequence[int],
    steady: Sequence[tuple[int, int]],
) -> Iterable[tuple[Pair, ...]]:
    """Group changed blocks by the steady neighbours around them, in reading order."""
    old_ends = [i for i, _ in steady]
    new_ends = [j for _, j in steady]
    removed: dict[int, list[NormalBlock]] = defaultdict(list)
    added: dict[int, list[NormalBlock]] = defaultdict(list)
    for i in gone:
        removed[bisect_left(old_ends, i)].append(old[i])
    for j in come:
        added[bisect_left(new_ends, j)].append(new[j])
    for gap in sorted(removed.keys() | added.keys()):
        yield tuple(_pair(removed.get(gap, []), added.get(gap, [])))


def _pair(removed: Sequence[NormalBlock], added: Sequence[NormalBlock]) -> Iterable[Pair]:
    """Pair what replaced what within a gap, keeping order; the rest stands alone."""
    if len(removed) == len(added) == 1:
        yield removed[0], added[0]
        return
    small = max(len(removed), len(added)) <= PAIR_LIMIT
    bags = [Counter(block.normal.casefold().split()) for block in added] if small else []
    start = 0
    for block in removed:
        best = _most_alike(block, bags, start) if small else None
        if best is None:
            yield block, None
            continue
        for skipped in added[start:best]:
            yield None, skipped
        yield block, added[best]
        start = best + 1
    for left in added[start:]:
        yield None, left


def _most_alike(block: NormalBlock, bags: Sequence[Counter[str]], start: int) -> int | None:
    bag = Counter(block.normal.casefold().split())
    size = bag.total()
    scores = [
        (2 * (bag & other).total() / ((size + other.total()) or 1), -index)
        for index, other in enumerate(bags[start:], start)
    ]
    if not scores:
        return None
    score, negative = max(scores)
    return -negative if score >= PAIR_SIMILARITY else None
