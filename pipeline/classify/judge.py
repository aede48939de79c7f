"""Judging one visit against what the page's earlier visits left behind."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.classify.decide import decide
from pipeline.classify.fields import compare_fields
from pipeline.classify.quality import assess
from pipeline.classify.text import compare_blocks, same_text
from pipeline.model import (
    BlockChange,
    Judgement,
    Kind,
    KindReason,
    NormalBlock,
    Purpose,
    Quality,
    Rules,
    Threshold,
    Version,
)
from pipeline.packing import distance

__all__ = ["Memory", "Seen", "advance", "judge", "still_there"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What a page's earlier visits left behind.

    Attributes:
        reference: The last good visit; kind is judged against it. None before the first.
        baseline_visit_no: The first good visit or the last one at which a change was recorded.
        baseline_simhash: Its simhash; None when it is unknown under the present rules.
        rebaseline: The reference's snapshot is gone and the rules changed: nothing to compare.
    """

    reference: Version | None = None
    baseline_visit_no: int | None = None
    baseline_simhash: int | None = None
    rebaseline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One visit as the earlier stages made it.

    Attributes:
        marks: What suggests that this is not the page, as in `Reading.marks`.
        version: What to compare by.
    """

    purpose: Purpose
    marks: tuple[str, ...]
    version: Version


def judge(seen: Seen, memory: Memory, rules: Rules, threshold: Threshold) -> Judgement:
    """Judge one visit: is this the page at all, is there something to compare it with, and then as `decide` says.

    Args:
        seen: The visit; its bytes are known to differ from the page's last body, not from the reference.
        memory: What came before.
        rules: The rules both sides were read under.
        threshold: The one in force for the page.
    """
    visit_no = seen.version.visit_no
    reference = memory.reference
    quality = assess(seen.marks, seen.version, reference)
    blank = Judgement(visit_no=visit_no, quality=quality, kind=None, kind_reason=KindReason.NOT_GOOD)
    if quality is not Quality.GOOD:
        return blank
    if seen.purpose is Purpose.CALIBRATE:
        return replace(blank, kind_reason=KindReason.CALIBRATION)
    if reference is None:
        return replace(blank, kind_reason=KindReason.REBASELINED if memory.rebaseline else KindReason.FIRST)
    return _compare(seen.version, reference, memory, rules, threshold)


def _compare(version: Version, reference: Version, memory: Memory, rules: Rules, threshold: Threshold) -> Judgement:
    bits = distance(version.fingerprint.simhash, reference.fingerprint.simhash)
    bits_baseline = (
        None if memory.baseline_simhash is None else distance(version.fingerprint.simhash, memory.baseline_simhash)
    )
    judgement = Judgement(
        visit_no=version.visit_no,
        quality=Quality.GOOD,
        kind=Kind.NONE,
        kind_reason=KindReason.BYTES_EQUAL,
        reference_visit_no=reference.visit_no,
        baseline_visit_no=memory.baseline_visit_no,
        text_equal=True,
        distance=bits,
        distance_baseline=bits_baseline,
        threshold=threshold,
    )
    if version.body_sha256 == reference.body_sha256:
        return judgement
    field_changes = compare_fields(reference.fields, version.fields, rules)
    judgement = replace(
        judgement,
        field_changes=field_changes,
        block_changes=compare_blocks(reference.blocks, version.blocks, field_changes),
        text_equal=same_text(reference.blocks, version.blocks),
    )
    kind, reason = decide(
        fields_changed=judgement.fields_changed,
        text_equal=judgement.text_equal,
        unexplained_blocks=judgement.unexplained_blocks,
        distance=bits,
        distance_baseline=bits_baseline,
        threshold=threshold,
    )
    also = kind is Kind.FIELD and judgement.unexplained_blocks > 0
    return replace(judgement, kind=kind, kind_reason=reason, also_content=also)


def advance(memory: Memory, version: Version, judgement: Judgement) -> Memory:
    """The memory after a visit; one that is not good moves nothing.

    Noise moves the reference but never the baseline, so that slow drift adds up.
    """
    if judgement.quality is not Quality.GOOD:
        return memory
    moves = judgement.kind in {Kind.CONTENT, Kind.FIELD} or memory.baseline_visit_no is None
    moves = moves or judgement.kind_reason is KindReason.REBASELINED
    return Memory(
        reference=version,
        baseline_visit_no=version.visit_no if moves else memory.baseline_visit_no,
        baseline_simhash=version.fingerprint.simhash if moves else memory.baseline_simhash,
    )


def still_there(
    candidate: Sequence[BlockChange],
    *,
    before: Sequence[NormalBlock],
    after: Sequence[NormalBlock],
    now: Sequence[NormalBlock],
) -> bool:
    """Whether a waiting content change is still on the page.

    It is when an unexplained added block is there, or a removed one is still absent.

    Args:
        candidate: The block changes of the waiting judgement.
        before: Blocks of the reference it was judged against.
        after: Blocks of the visit that showed it.
        now: Blocks of the next good visit.
    """
    normal = {block.text: block.normal for block in (*before, *after)}
    texts = {block.normal for block in now}
    unexplained = [change for change in candidate if change.explained_by is None]
    added = [normal.get(change.new, change.new) for change in unexplained if change.new is not None]
    removed = [normal.get(change.old, change.old) for change in unexplained if change.old is not None]
    if not added and not removed:
        return True
    return any(text in texts for text in added) or any(text not in texts for text in removed)
