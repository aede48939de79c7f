"""Which of the changes between two lists of blocks the ledger explains, and by what."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pipeline.ledger.changes import Change, Diff, difference
from pipeline.ledger.known import Known
from pipeline.ledger.state import Ledger
from pipeline.packing import PackedBlock

__all__ = ["Explained", "Why", "explain", "number_changes", "stands"]


class Why(StrEnum):
    """What explains a changed block: its text has come or gone before, its place or its path keeps changing."""

    SEEN = "seen"
    SLOT = "slot"
    PATH = "path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The changes between two lists of blocks.

    Attributes:
        removed: By old index of each changed block, what explains it; None when nothing does.
        added: By new index, likewise.
        diff: What to learn when it proves to be noise.
    """

    removed: Mapping[int, Why | None]
    added: Mapping[int, Why | None]
    diff: Diff

    @property
    def unexplained(self) -> tuple[Change, ...]:
        """The changes that nothing explains."""
        return tuple(
            change
            for change in self.diff.changes
            if (self.removed if change.removed else self.added)[change.index] is None
        )


def explain(ledger: Ledger, old: Sequence[PackedBlock], new: Sequence[PackedBlock]) -> Explained:
    """Compare the blocks of a visit with those of the reference."""
    known = Known(ledger)
    diff = difference(old, new, texts=known.texts, literals=known.literals)
    removed: dict[int, Why | None] = {}
    added: dict[int, Why | None] = {}
    if diff.changes:
        reasons = _Reasons(known, diff)
        for change in diff.changes:
            (removed if change.removed else added)[change.index] = reasons.why(change)
    return Explained(removed=removed, added=added, diff=diff)


def stands(explained: Explained, old: Sequence[PackedBlock], again: Sequence[PackedBlock]) -> bool:
    """Whether a candidate is still there in a later fetch: what came and is unexplained is there, or what went is not.

    Args:
        explained: Of the visit that made the candidate.
        old: Blocks of the reference it was compared with.
        again: Blocks of the later fetch.
    """
    candidates = {(change.removed, change.block.text) for change in explained.unexplained}
    return any((change.removed, change.block.text) in candidates for change in difference(old, again).changes)


def number_changes(diff: Diff, texts: frozenset[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Blocks of which only numbers, dates or ids differ, wherever on the page the two stand.

    Returns:
        `masked << 16 | path` of all such, and of those whose old block is none of `texts`: the number of a block that
        stood still, in which no neighbour explains anything.
    """
    old = {change.literal: change for change in diff.changes if change.removed}
    still = {change.literal for change in diff.changes if change.removed and change.block.text not in texts}
    both = frozenset(key for change in diff.changes if not change.removed and (key := change.literal) in old)
    return both, both & still


class _Reasons:
    """The reasons of one comparison."""

    __slots__ = ("_known", "_literals", "_still", "_void")

    def __init__(self, known: Known, diff: Diff) -> None:
        self._known = known
        self._literals, self._still = number_changes(diff, known.texts)
        self._void = _void_places(known, diff, self._literals)

    def why(self, change: Change) -> Why | None:
        known, block = self._known, change.block
        literal = change.literal
        if known.pinned(change):
            return None
        if block.text in known.texts:
            return Why.SEEN
        if literal in self._literals and literal in known.literals:
            return Why.SLOT
        if literal in self._still or (change.before, block.path) in self._void:
            return None
        if known.slot_explains(change):
            return Why.SLOT
        return Why.PATH if known.path_explains(change) else None


def _void_places(known: Known, diff: Diff, literals: frozenset[int]) -> frozenset[tuple[int, int]]:
    """Neighbour before and path of slots out of which a block went that had stood beside them.

    An edited sentence beside a rotating module of the same path would otherwise pass for a part of the module.
    """
    went: dict[int, list[int]] = defaultdict(list)
    paths: dict[int, set[int]] = defaultdict(set)
    came: set[int] = set()
    for change in diff.changes:
        block = change.block
        paths[change.before].add(block.path)
        if not change.removed:
            came.add(change.before)
        elif block.text not in known.texts and change.literal not in literals:
            went[change.before].append(block.text)
    return frozenset(
        (before, path)
        for before, texts in went.items()
        for path in paths[before]
        if any(known.bounds(text, path, replaced=before in came) for text in texts)
    )
