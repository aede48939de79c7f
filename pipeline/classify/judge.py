"""Judging one visit against what the page's earlier visits left behind."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypedDict

from pipeline.classify.decide import decide
from pipeline.classify.fields import compare_fields
from pipeline.classify.quality import Doubt, Past, assess
from pipeline.classify.text import compare_blocks, same_text
from pipeline.ledger import Explained, Ledger, calibrate, explain, learn
from pipeline.model import (
    BlockChange,
    BlockOp,
    FieldState,
    Judgement,
    Kind,
    KindReason,
    Media,
    NormalBlock,
    Purpose,
    Quality,
    Region,
    Rules,
    Threshold,
    Version,
)
from pipeline.packing import PackedBlock, distance, pack_blocks, unpack_blocks

__all__ = ["USUAL", "Memory", "Seen", "advance", "doubt", "explained_by_ledger", "judge", "still_there", "vanish"]


USUAL = 10
"""Good visits that say how long a page usually is."""


class _Distances(TypedDict):
    reference_visit_no: int | None
    baseline_visit_no: int | None
    distance: int | None
    distance_baseline: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What a page's earlier visits left behind.

    Attributes:
        reference: The last good visit; kind is judged against it. None before the first.
        baseline_visit_no: The first good visit or the last one at which a change was recorded.
        baseline_simhash: Its simhash; None when it is unknown under the present rules.
        rebaseline: The reference's snapshot is gone and the rules changed: nothing to compare.
        ledger: Which places of the page are habitually volatile.
        usual_words: Words of the last good visits, at most `USUAL`.
        doubts: The doubtful visits since the last good one.
        burst: Calibration fetches since the last visit of another purpose, and `before_burst` the ledger before them.
    """

    reference: Version | None = None
    baseline_visit_no: int | None = None
    baseline_simhash: int | None = None
    rebaseline: bool = False
    ledger: Ledger = field(default_factory=Ledger)
    usual_words: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    burst: tuple[Version, ...] = ()
    before_burst: Ledger = field(default_factory=Ledger)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One visit as the earlier stages made it.

    Attributes:
        marks: What suggests that this is not the page, as in `Reading.marks`.
        version: What to compare by.
        at: When it began; None where times are not known.
        shared_by: Pages of the site with other URLs whose last text is the very same.
        country: ISO 3166 alpha-2 that the vantage stands in, or None.
        read_as: What the body was read as, where its Content-Type says otherwise.
    """

    purpose: Purpose
    marks: tuple[str, ...]
    version: Version
    at: datetime | None = None
    shared_by: int = 0
    country: str | None = None
    read_as: Media | None = None


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
    past = Past(
        reference=reference,
        usual_words=memory.usual_words,
        doubts=memory.doubts,
        shared_by=seen.shared_by,
        country=seen.country,
    )
    quality, sign = assess(seen.marks, seen.version, past, seen.at)
    blank = Judgement(visit_no=visit_no, quality=quality, kind=None, kind_reason=KindReason.NOT_GOOD, sign=sign)
    blank = replace(blank, read_as=seen.read_as)
    if quality is not Quality.GOOD:
        return blank
    if seen.purpose is Purpose.CALIBRATE:
        return replace(blank, kind_reason=KindReason.CALIBRATION, **_distances(seen.version, memory))
    if reference is None:
        return replace(blank, kind_reason=KindReason.REBASELINED if memory.rebaseline else KindReason.FIRST)
    return replace(_compare(seen.version, reference, memory, rules, threshold), read_as=seen.read_as)


def _compare(version: Version, reference: Version, memory: Memory, rules: Rules, threshold: Threshold) -> Judgement:
    judgement = Judgement(
        visit_no=version.visit_no,
        quality=Quality.GOOD,
        kind=Kind.NONE,
        kind_reason=KindReason.BYTES_EQUAL,
        text_equal=True,
        threshold=threshold,
        **_distances(version, memory),
    )
    if version.body_sha256 == reference.body_sha256:
        return judgement
    if _is_bytes(version) and _is_bytes(reference):
        return replace(
            judgement,
            kind=Kind.CONTENT,
            kind_reason=KindReason.BYTES_DIFFER,
            text_equal=False,
            block_changes=(_other_bytes(reference, version),),
        )
    field_changes = compare_fields(reference.fields, version.fields, rules)
    judgement = replace(
        judgement,
        field_changes=field_changes,
        block_changes=compare_blocks(
            reference.blocks,
            version.blocks,
            field_changes,
            explained_by_ledger(memory.ledger, reference, version) if memory.ledger.trials else None,
        ),
        text_equal=same_text(reference.blocks, version.blocks),
    )
    kind, reason = decide(
        fields_changed=judgement.fields_changed,
        text_equal=judgement.text_equal,
        unexplained_blocks=judgement.unexplained_blocks,
        distance=judgement.distance,
        distance_baseline=judgement.distance_baseline,
        threshold=threshold,
    )
    also = kind is Kind.FIELD and judgement.unexplained_blocks > 0
    return replace(judgement, kind=kind, kind_reason=reason, also_content=also)


def _is_bytes(version: Version) -> bool:
    """Whether a good visit had no text and no field, so that only its bytes can be compared."""
    return not version.blocks and not any(value.state is FieldState.VALUE for value in version.fields.values())


def _other_bytes(reference: Version, version: Version) -> BlockChange:
    return BlockChange(
        op=BlockOp.REPLACED,
        old=f"SHA-256 {reference.body_sha256}",
        new=f"SHA-256 {version.body_sha256}",
        region=Region.MAIN,
        explained_by=None,
    )


def _distances(version: Version, memory: Memory) -> _Distances:
    reference, baseline, simhash = memory.reference, memory.baseline_simhash, version.fingerprint.simhash
    return {
        "reference_visit_no": reference.visit_no if reference else None,
        "baseline_visit_no": memory.baseline_visit_no,
        "distance": distance(simhash, reference.fingerprint.simhash) if reference else None,
        "distance_baseline": None if baseline is None else distance(simhash, baseline),
    }


def explained_by_ledger(ledger: Ledger, reference: Version, version: Version) -> Explained:
    """What the ledger says of the blocks that differ between two versions of a page."""
    return explain(ledger, _packed(reference), _packed(version))


def _packed(version: Version) -> Sequence[PackedBlock]:
    return unpack_blocks(version.fingerprint.blocks or pack_blocks(version.blocks))


def advance(memory: Memory, version: Version, judgement: Judgement) -> Memory:
    """The memory after a visit; one that is not good moves nothing.

    Noise moves the reference but never the baseline, so that slow drift adds up. The ledger learns from noise and from
    calibration fetches; from nothing else, or the first changes of a page would be taken for its habit.
    """
    if judgement.quality is not Quality.GOOD:
        return memory
    moves = judgement.kind in {Kind.CONTENT, Kind.FIELD} or memory.baseline_visit_no is None
    moves = moves or judgement.kind_reason is KindReason.REBASELINED
    moved = Memory(
        reference=version,
        baseline_visit_no=version.visit_no if moves else memory.baseline_visit_no,
        baseline_simhash=version.fingerprint.simhash if moves else memory.baseline_simhash,
        ledger=memory.ledger,
        usual_words=(*memory.usual_words, version.fingerprint.word_count)[-USUAL:],
    )
    if judgement.kind_reason is KindReason.CALIBRATION:
        before = memory.before_burst if memory.burst else memory.ledger
        burst = (*memory.burst, version)
        return replace(moved, ledger=calibrate(list(map(_packed, burst)), before), burst=burst, before_burst=before)
    if judgement.kind is Kind.NOISE and memory.reference is not None:
        return replace(moved, ledger=_learn(memory.ledger, memory.reference, version))
    return moved


def doubt(memory: Memory, seen: Seen, judgement: Judgement) -> Memory:
    """The memory after a visit that was not good: it may count for itself if the page stays so; nothing else moves."""
    if memory.reference is None or not judgement.quality.doubtful:
        return memory
    made_of = seen.version.fingerprint
    return replace(memory, doubts=(*memory.doubts, Doubt(seen.at, made_of.simhash, made_of.word_count)))


def vanish(memory: Memory, candidate: Version) -> Memory:
    """The memory after a waiting change was gone at the next visit: what it showed was noise."""
    if memory.reference is None:
        return memory
    return replace(memory, ledger=_learn(memory.ledger, memory.reference, candidate))


def _learn(ledger: Ledger, reference: Version, version: Version) -> Ledger:
    return learn(ledger, explained_by_ledger(ledger, reference, version).diff)


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
