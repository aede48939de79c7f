"""Which blocks changed, and what explains each."""

from collections.abc import Iterable, Sequence

from pipeline.classify.align import Pair, align
from pipeline.classify.shown import Shown
from pipeline.model import BlockChange, BlockOp, FieldChange, NormalBlock, Region

__all__ = ["compare_blocks", "same_text"]


def same_text(old: Sequence[NormalBlock], new: Sequence[NormalBlock]) -> bool:
    """Whether the normalised texts are equal; order does not count inside lists that the rules call unordered."""
    return _ordered(old) == _ordered(new)


def compare_blocks(
    old: Sequence[NormalBlock], new: Sequence[NormalBlock], field_changes: Sequence[FieldChange] = ()
) -> tuple[BlockChange, ...]:
    """Every block that differs between two texts, in reading order, with what explains it.

    Explanations, the first that holds: `masked` (equal once volatile spans are masked), `typographic` (equal once
    quotes, dashes and spaces are made uniform), `moved` (the same text elsewhere, or cut into blocks differently),
    `chrome:REGION` (navigation, header, footer, aside, dialog), `field` (shows nothing but the old and new value of a
    changed field, which is reported as such). None: nothing explains it.

    Args:
        old: The reference's blocks.
        new: The visit's blocks.
        field_changes: Changed fields of the same comparison.
    """
    alignment = align(old, new)
    shown = Shown(field_changes)
    changes = [
        _change(before, after, "masked" if before.folded != after.folded else "typographic")
        for before, after in alignment.kept
        if before.text != after.text
    ]
    changes += [_change(before, after, "moved") for before, after in alignment.moved]
    pairs = [pair for gap in alignment.gaps for pair in gap]
    if _bare(before for before, _ in pairs) == _bare(after for _, after in pairs):
        return tuple(changes + [_change(*pair, "moved") for pair in pairs])
    for gap in alignment.gaps:
        recut = _bare(before for before, _ in gap) == _bare(after for _, after in gap)
        changes += [_change(*pair, "moved" if recut else _explain(pair, shown)) for pair in gap]
    return tuple(changes)


def _explain(pair: Pair, shown: Shown) -> str | None:
    before, after = pair
    regions = {block.region for block in pair if block is not None}
    if Region.MAIN not in regions:
        return f"chrome:{(after or before).region}"  # type: ignore[union-attr]  # a pair has at least one side
    if shown.explains(before.folded if before else None, after.folded if after else None):
        return "field"
    return None


def _change(before: NormalBlock | None, after: NormalBlock | None, explained_by: str | None) -> BlockChange:
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
    )


def _bare(blocks: Iterable[NormalBlock | None]) -> str:
    """The joined texts without white space: equal when the same text was merely cut into other blocks."""
    return "".join("".join(block.normal.split()) for block in blocks if block is not None)


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
