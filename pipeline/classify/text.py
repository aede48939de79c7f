"""Which blocks changed, and what explains each."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pipeline.classify.align import Pair, align
from pipeline.classify.edits import edited_in_place
from pipeline.classify.forms import bare, form
from pipeline.classify.shown import Shown
from pipeline.ledger import Explained, Why
from pipeline.model import BlockChange, BlockOp, FieldChange, NormalBlock, Region

__all__ = ["compare_blocks", "same_text"]

COPY_LENGTH = 12
"""Characters from which a text that is still, or was already, elsewhere on the page is no change. Shorter ones are
values ("Yes", "3") that mean something else in each place."""


def same_text(old: Sequence[NormalBlock], new: Sequence[NormalBlock]) -> bool:
    """Whether the normalised texts are equal; order does not count inside lists that the rules call unordered."""
    return _ordered(old) == _ordered(new)


def compare_blocks(
    old: Sequence[NormalBlock],
    new: Sequence[NormalBlock],
    field_changes: Sequence[FieldChange] = (),
    known: Explained | None = None,
) -> tuple[BlockChange, ...]:
    """Every block that differs between two texts, in reading order, with what explains it.

    Explanations, the first that holds: `masked` (equal once volatile spans are masked), `typographic` (equal once
    quotes, dashes, spaces and the way numbers are written are made uniform), `moved` (the same text elsewhere, or cut
    into blocks differently), `field` (shows nothing but the old and new value of a changed field, which is reported as
    such), `chrome:REGION` (navigation, header, footer, aside, dialog, consent, related), `ledger` (stands where this
    page habitually changes). None: nothing explains it.

    Args:
        old: The reference's blocks.
        new: The visit's blocks.
        field_changes: Changed fields of the same comparison.
        known: What the page's ledger says of the same two texts.
    """
    alignment = align(old, new)
    changes = [
        _change(before, after, "masked" if before.folded != after.folded else "typographic")
        for before, after in alignment.kept
        if before.text != after.text
    ]
    changes += [_change(before, after, "moved") for before, after in alignment.moved]
    residual = _Residual(old, new, [pair for gap in alignment.gaps for pair in gap])
    residual.explain_recut_gaps(alignment.gaps)
    residual.explain_copies()
    residual.explain_forms()
    residual.explain_fields(Shown(field_changes))
    residual.explain_chrome()
    if known is not None:
        residual.explain_known(known)
    residual.explain_recut()
    return tuple(changes + residual.changes())


class _Residual:
    """What is on one side only, pair by pair, with what explains each side so far."""

    def __init__(self, old: Sequence[NormalBlock], new: Sequence[NormalBlock], pairs: Sequence[Pair]) -> None:
        self.old, self.new, self.pairs = old, new, pairs
        self.reasons: dict[int, str] = {}  # by identity of the block
        self.habitual: set[int] = set()  # identities of blocks that the ledger knows, whatever explained them before

    def removed(self) -> list[NormalBlock]:
        """Blocks only the old side has and nothing explains yet."""
        return [before for before, _ in self.pairs if before is not None and id(before) not in self.reasons]

    def added(self) -> list[NormalBlock]:
        """Blocks only the new side has and nothing explains yet."""
        return [after for _, after in self.pairs if after is not None and id(after) not in self.reasons]

    def _explain(self, blocks: Iterable[NormalBlock], reason: str) -> None:
        for block in blocks:
            self.reasons.setdefault(id(block), reason)

    def explain_recut_gaps(self, gaps: Iterable[Sequence[Pair]]) -> None:
        """Between two steady neighbours the same text was cut into other blocks."""
        for gap in gaps:
            before, after = [b for b, _ in gap if b is not None], [a for _, a in gap if a is not None]
            if _joined(before) == _joined(after):
                self._explain([*before, *after], "moved")

    def explain_copies(self) -> None:
        """One copy more or less of a text that both sides have."""
        before = {block.normal for block in self.old}
        after = {block.normal for block in self.new}
        self._explain((block for block in self.removed() if _is_copy(block, after)), "moved")
        self._explain((block for block in self.added() if _is_copy(block, before)), "moved")

    def explain_forms(self) -> None:
        """The same text with numbers or characters written in another way, wherever it stands."""
        removed, added = self.removed(), self.added()
        if not removed or not added:
            return
        before, after = [form(block.normal) for block in removed], [form(block.normal) for block in added]
        common = Counter(before) & Counter(after)
        for blocks, forms in ((removed, before), (added, after)):
            left = common.copy()
            for block, written in zip(blocks, forms, strict=True):
                if left[written] > 0:
                    left[written] -= 1
                    self._explain([block], "typographic")

    def explain_fields(self, shown: Shown) -> None:
        """Blocks that show the values of changed fields and nothing else that changed."""
        for before, after in self.pairs:
            sides = [block for block in (before, after) if block is not None]
            if any(id(block) in self.reasons for block in sides):
                continue
            if shown.explains(before.folded if before else None, after.folded if after else None):
                self._explain(sides, "field")

    def explain_chrome(self) -> None:
        """What lies around the page's own subject, unless it was edited there rather than exchanged."""
        removed, added = self.removed(), self.added()
        edited = edited_in_place(removed, added)
        for block in (*removed, *added):
            if block.region is not Region.MAIN and id(block) not in edited:
                self._explain([block], f"chrome:{block.region}")

    def explain_known(self, known: Explained) -> None:
        """What stands in a place that the page's ledger knows to be volatile."""
        before = _known([b for b, _ in self.pairs if b is not None], self.old, known.removed)
        after = _known([a for _, a in self.pairs if a is not None], self.new, known.added)
        self.habitual = {id(block) for block in (*before, *after)}
        self._explain([*before, *after], "ledger")

    def explain_recut(self) -> None:
        """What is left is the same text cut elsewhere, or stands as often on the other side inside other blocks."""
        removed, added = self.removed(), self.added()
        if not removed and not added:
            return
        left_before, left_after = _joined(removed), _joined(added)
        if left_before == left_after:
            self._explain([*removed, *added], "moved")
            return
        before, after = _joined(self.old), _joined(self.new)

        def stands(block: NormalBlock, mine: tuple[str, str], other: tuple[str, str]) -> bool:
            text = bare(block.normal)
            near = len(text) < COPY_LENGTH
            return other[near].count(text) >= mine[near].count(text)

        one, two = (before, left_before), (after, left_after)
        still = {id(block) for block in removed if stands(block, one, two)}
        still |= {id(block) for block in added if stands(block, two, one)}
        for sides in self.pairs:
            left = [block for block in sides if block is not None and id(block) not in self.reasons]
            if all(id(block) in still for block in left):  # a text that only got longer is shown with what it became
                self._explain(left, "moved")

    def changes(self) -> list[BlockChange]:
        """The changes in reading order; a pair whose sides have different explanations is two changes."""
        found = []
        for before, after in self.pairs:
            why_before, why_after = self._why(before), self._why(after)
            if before is None or after is None or why_before == why_after:
                found.append(_change(before, after, *(why_after if before is None else why_before)))
            else:
                found += [_change(before, None, *why_before), _change(None, after, *why_after)]
        return found

    def _why(self, block: NormalBlock | None) -> tuple[str | None, bool]:
        return self.reasons.get(id(block)), id(block) in self.habitual


def _known(
    changed: Iterable[NormalBlock], blocks: Sequence[NormalBlock], reasons: Mapping[int, Why | None]
) -> Sequence[NormalBlock]:
    """The changed blocks that have a reason; of equal texts the ledger may have taken another one for the changed."""
    by_block = {id(blocks[index]): why for index, why in reasons.items()}
    by_text = {blocks[index].normal: why for index, why in reasons.items()}
    return [block for block in changed if by_block.get(id(block), by_text.get(block.normal))]


def _is_copy(block: NormalBlock, others: set[str]) -> bool:
    return len(block.normal) >= COPY_LENGTH and block.normal in others


def _change(
    before: NormalBlock | None, after: NormalBlock | None, explained_by: str | None, habitual: bool = False
) -> BlockChange:
    if before is None:
        op = BlockOp.ADDED
    elif after is None:
        op = BlockOp.REMOVED
    else:
        op = BlockOp.REPLACED
    return BlockChange(
        op=op,
        old=before.text if before else None,
        new=after.text if after else None,
        region=(after or before).region,  # type: ignore[union-attr]
        explained_by=explained_by,
        habitual=habitual,
    )


def _joined(blocks: Iterable[NormalBlock]) -> str:
    """The joined texts without white space: equal when the same text was merely cut into other blocks."""
    return "".join(bare(block.normal) for block in blocks)


def _ordered(blocks: Sequence[NormalBlock]) -> list[str]:
    if not any(block.unordered for block in blocks):
        return [block.normal for block in blocks]
    texts: list[str] = []
    run: list[str] = []
    for block in blocks:
        if block.unordered:
            run.append(block.normal)
            continue
        texts += sorted(run)
        texts.append(block.normal)
        run = []
    return texts + sorted(run)
