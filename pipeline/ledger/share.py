"""How much of a page is watched: what can be promised of it to a person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.ledger.changes import Change
from pipeline.ledger.known import Known
from pipeline.ledger.state import Ledger
from pipeline.packing import PackedBlock

__all__ = ["StableShare", "stable_share"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StableShare:
    """Of a page's words, how many lie in blocks in which any edit is seen at once.

    Attributes:
        words: Of all blocks; a block counts 255 at most.
        stable_words: Of the blocks that are not in `volatile`.
        volatile: Indexes of the blocks in which an edit could pass for noise.
    """

    words: int
    stable_words: int
    volatile: tuple[int, ...]

    @property
    def share(self) -> float:
        """0 to 1; 1 for a page without words."""
        return self.stable_words / self.words if self.words else 1.0


def stable_share(ledger: Ledger, blocks: Sequence[PackedBlock]) -> StableShare:
    """Ask of each block of a page whether the ledger would explain an edit of it alone.

    A block of which only the number varies counts as volatile, though an edit of its words would be seen. A block whose
    text has come or gone before is as stable as its place: what it is edited to has not.
    """
    known = Known(ledger)
    volatile = tuple(change.index for change in _each_removed(known, blocks) if _volatile(known, change))
    words = sum(block.words for block in blocks)
    hidden = sum(blocks[index].words for index in volatile)
    return StableShare(words=words, stable_words=words - hidden, volatile=volatile)


def _each_removed(known: Known, blocks: Sequence[PackedBlock]) -> Iterator[Change]:
    """Each block as if it alone had gone, between the nearest neighbours that stand still."""
    standing = [
        0 if block.text in known.texts or block.masked << 16 | block.path in known.literals else block.text & 0xFFFF
        for block in blocks
    ]
    after = [0] * (len(blocks) + 1)
    for index in range(len(blocks) - 1, 0, -1):
        after[index - 1] = standing[index] or after[index]
    before = 0
    for index, block in enumerate(blocks):
        yield Change(True, index, block, before, after[index])  # noqa: FBT003
        before = standing[index] or before


def _volatile(known: Known, change: Change) -> bool:
    block = change.block
    if known.pinned(change):
        return False
    if change.literal in known.literals:
        return True
    if block.text not in known.texts and known.bounds(block.text, block.path, replaced=True):
        return False
    return known.slot_explains(change) or known.path_explains(change)
