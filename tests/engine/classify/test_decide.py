"""The decision order, as a table."""

import pytest

from pipeline.classify import decide
from pipeline.model import Kind, KindReason, Threshold

OPEN = Threshold(threshold_id=1, noise_bits=64, drift_bits=64)
TIGHT = Threshold(threshold_id=2, noise_bits=3, drift_bits=8)

CASES = [
    # fields, equal, unexplained, bits, baseline bits, threshold -> kind, reason
    (1, True, 0, 0, 0, OPEN, Kind.FIELD, KindReason.FIELDS),
    (2, False, 5, 60, 60, TIGHT, Kind.FIELD, KindReason.FIELDS),
    (0, True, 0, 64, 64, TIGHT, Kind.NOISE, KindReason.TEXT_EQUAL),
    (0, False, 1, 0, 0, OPEN, Kind.CONTENT, KindReason.UNEXPLAINED),
    (0, False, 0, 4, 0, TIGHT, Kind.CONTENT, KindReason.BEYOND_THRESHOLD),
    (0, False, 0, 3, 9, TIGHT, Kind.CONTENT, KindReason.DRIFT),
    (0, False, 0, 3, 8, TIGHT, Kind.NOISE, KindReason.EXPLAINED),
    (0, False, 0, None, None, TIGHT, Kind.NOISE, KindReason.EXPLAINED),
    (0, False, 0, 64, 64, OPEN, Kind.NOISE, KindReason.EXPLAINED),
]


@pytest.mark.parametrize(("fields", "equal", "unexplained", "bits", "baseline", "threshold", "kind", "reason"), CASES)
def test_the_first_step_that_holds_decides(
    fields: int,
    equal: bool,
    unexplained: int,
    bits: int | None,
    baseline: int | None,
    threshold: Threshold,
    kind: Kind,
    reason: KindReason,
) -> None:
    decided = decide(
        fields_changed=fields,
        text_equal=equal,
        unexplained_blocks=unexplained,
        distance=bits,
        distance_baseline=baseline,
        threshold=threshold,
    )
    assert decided == (kind, reason)
