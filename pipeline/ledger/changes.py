"""What differs between two lists of packed blocks, and between which standing blocks each difference lies."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.model import BlockOp
from pipeline.packing import PackedBlock, PackedDiff

__all__ = ["Change", "Diff", "diff_of_packed", "difference"]

_ANCHOR_BITS = 0xFFFF
_COLLAPSE_BLOCKS = 12
_COLLAPSE_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Change:
    """One block that is on one side only.

    Attributes:
        removed: It was on the old side; otherwise it came with the new one.
        index: Its place on its side, from 0; -1 when only a stored diff is at hand.
        before: Low 16 bits of the text hash of the nearest standing block before it; 0 at the start of the page.
        after: The same after it; 0 at the end.
    """

    removed: bool
    index: int
    block: PackedBlock
    before: int
    after: int

    @property
    def literal(self) -> int:
        """`masked << 16 | path`: the same for two blocks of which only numbers, dates or ids differ."""
        return self.block.masked << 16 | self.block.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What a ledger can learn from.

    Attributes:
        changes: The removed blocks, then the added ones, each in reading order.
        old_count: Blocks before.
        new_count: Blocks after.
        totals: Blocks after by path hash; None when only a stored diff is at hand.
    """

    changes: tuple[Change, ...]
    old_count: int
    new_count: int
    totals: Mapping[int, int] | None

    @property
    def collapsed(self) -> bool:
        """Whether so much changed that it is another page or half a page, from which nothing may be learned.

        Measured by the smaller side, so that half a page teaches as little when the rest comes back.
        """
        return len(self.changes) > max(_COLLAPSE_BLOCKS, _COLLAPSE_SHARE * min(self.old_count, self.new_count))

    def only(self, *, removed: Collection[int], added: Collection[int]) -> "Diff":
        """The part of it that lies in the given old and new indexes: what a person pointed at."""
        kept = tuple(change for change in self.changes if change.index in (removed if change.removed else added))
        return replace(self, changes=kept)


def difference(
    old: Sequence[PackedBlock],
    new: Sequence[PackedBlock],
    *,
    texts: Collection[int] = frozenset(),
    literals: Collection[int] = frozenset(),
) -> Diff:
    """The multiset difference on the text hash: a moved block is no change; of equal blocks the first are the same.

    Args:
        old: Blocks of the reference.
        new: Blocks of the visit.
        texts: Text hashes that come and go. Where both sides have one it is no change, and no neighbour either.
        literals: `masked << 16 | path` of blocks whose numbers vary; likewise.
    """
    common = Counter([block.text for block in old]) & Counter([block.text for block in new])
    changes = [
        *_one_side(old, common.copy(), texts, literals, removed=True),
        *_one_side(new, common, texts, literals, removed=False),
    ]
    totals = Counter([block.path for block in new])
    return Diff(changes=tuple(changes), old_count=len(old), new_count=len(new), totals=totals)


def _one_side(
    blocks: Sequence[PackedBlock],
    common: Counter[int],
    texts: Collection[int],
    literals: Collection[int],
    *,
    removed: bool,
) -> Iterator[Change]:
    before = 0
    run: list[int] = []
    for index, block in enumerate(blocks):
        text = block.text
        if not common[text]:
            run.append(index)
            continue
        common[text] -= 1
        if text in texts or (literals and block.masked << 16 | block.path in literals):
            continue
        anchor = text & _ANCHOR_BITS
        for changed in run:
            yield Change(removed, changed, blocks[changed], before, anchor)
        run.clear()
        before = anchor
    for changed in run:
        yield Change(removed, changed, blocks[changed], before, 0)


def diff_of_packed(packed: PackedDiff) -> Diff:
    """A stored diff as one to learn from.

    Its neighbours may be blocks that come and go, which the ledger leaves out by their hash; shares of paths cannot be
    learned from it.
    """
    changes = tuple(
        Change(change.op is BlockOp.REMOVED, -1, change.block, change.before, change.after) for change in packed.changes
    )
    return Diff(changes=changes, old_count=packed.old_count, new_count=packed.new_count, totals=None)
