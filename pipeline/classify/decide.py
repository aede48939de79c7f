"""The decision itself: a pure function of a judgement's evidence and the threshold."""

from pipeline.model import Kind, KindReason, Threshold

__all__ = ["decide"]


def decide(
    *,
    fields_changed: int,
    text_equal: bool,
    unexplained_blocks: int,
    distance: int | None,
    distance_baseline: int | None,
    threshold: Threshold,
) -> tuple[Kind, KindReason]:
    """The kind of a good visit whose bytes differ from the reference's, and the step that settled it.

    Args:
        fields_changed: Tracked fields that decide and whose typed value or state differs.
        text_equal: Whether the normalised texts are the same.
        unexplained_blocks: Changed blocks that nothing explains.
        distance: Bits to the reference, 0..64; None never exceeds a threshold.
        distance_baseline: Bits to the baseline, likewise.
        threshold: The one in force.
    """
    if fields_changed:
        return Kind.FIELD, KindReason.FIELDS
    if text_equal:
        return Kind.NOISE, KindReason.TEXT_EQUAL
    if unexplained_blocks:
        return Kind.CONTENT, KindReason.UNEXPLAINED
    if distance is not None and distance > threshold.noise_bits:
        return Kind.CONTENT, KindReason.BEYOND_THRESHOLD
    if distance_baseline is not None and distance_baseline > threshold.drift_bits:
        return Kind.CONTENT, KindReason.DRIFT
    return Kind.NOISE, KindReason.EXPLAINED
