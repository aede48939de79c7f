"""One visit judged against the page's memory."""

from dataclasses import replace

import pytest

from pipeline.classify import Memory, advance, judge, still_there
from pipeline.model import Kind, KindReason, Purpose, Quality, Threshold
from tests.engine.classify.conftest import Make

OPEN = Threshold(threshold_id=1, noise_bits=64, drift_bits=64)
LONG = tuple(f"Sentence number {n} of a long page about nothing in particular." for n in range(30))


def after(make: Make, memory: Memory, version, *marks: str, rules=None, purpose=Purpose.WATCH, threshold=OPEN):
    judgement = judge(make.seen(version, *marks, purpose=purpose), memory, rules or make.rules(), threshold)
    return judgement, advance(memory, version, judgement)


def test_the_first_good_visit_has_no_kind_and_becomes_reference_and_baseline(make: Make) -> None:
    version = make.version(1, make.blocks("Text."))
    judgement, memory = after(make, Memory(), version)
    assert (judgement.kind, judgement.kind_reason) == (None, KindReason.FIRST)
    assert memory.reference == version
    assert memory.baseline_visit_no == 1


def test_equal_bytes_are_none(make: Make) -> None:
    _, memory = after(make, Memory(), make.version(1, make.blocks("Text."), body="b"))
    judgement, _ = after(make, memory, make.version(2, make.blocks("Text."), body="b"))
    assert (judgement.kind, judgement.kind_reason) == (Kind.NONE, KindReason.BYTES_EQUAL)


def test_equal_text_in_other_bytes_is_noise(make: Make) -> None:
    _, memory = after(make, Memory(), make.version(1, make.blocks("Text."), body="a"))
    judgement, _ = after(make, memory, make.version(2, make.blocks("Text."), body="b"))
    assert (judgement.kind, judgement.kind_reason) == (Kind.NOISE, KindReason.TEXT_EQUAL)


def test_noise_moves_the_reference_but_never_the_baseline(make: Make) -> None:
    _, memory = after(make, Memory(), make.version(1, make.blocks("Text.", "nav:A")))
    judgement, memory = after(make, memory, make.version(2, make.blocks("Text.", "nav:B")))
    assert judgement.kind is Kind.NOISE
    assert memory.reference is not None
    assert (memory.reference.visit_no, memory.baseline_visit_no) == (2, 1)


def test_a_change_moves_both(make: Make) -> None:
    _, memory = after(make, Memory(), make.version(1, make.blocks("30 days.")))
    judgement, memory = after(make, memory, make.version(2, make.blocks("14 days.")))
    assert (judgement.kind, judgement.kind_reason) == (Kind.CONTENT, KindReason.UNEXPLAINED)
    assert memory.baseline_visit_no == 2


def test_a_field_decides_before_the_text_and_says_when_the_text_changed_too(make: Make) -> None:
    old, new = make.price("89"), make.price("79")
    rules = make.rules(old)
    _, memory = after(make, Memory(), make.version(1, make.blocks("89 €", "Ships today."), [old]), rules=rules)
    only, _ = after(make, memory, make.version(2, make.blocks("79 €", "Ships today."), [new]), rules=rules)
    both, _ = after(make, memory, make.version(2, make.blocks("79 €", "Ships never."), [new]), rules=rules)
    assert (only.kind, only.also_content) == (Kind.FIELD, False)
    assert (both.kind, both.also_content) == (Kind.FIELD, True)


@pytest.mark.parametrize(
    ("mark", "quality"),
    [
        ("block", Quality.BLOCKED),
        ("captcha", Quality.BLOCKED),
        ("login", Quality.LOGIN),
        ("consent", Quality.CONSENT),
        ("not_found", Quality.SOFT_404),
        ("shell", Quality.SHELL),
        ("unreadable", Quality.EXTRACTION_FAILED),
    ],
)
def test_what_is_not_the_page_is_not_judged_and_moves_nothing(make: Make, mark: str, quality: Quality) -> None:
    _, memory = after(make, Memory(), make.version(1, make.blocks("Text.")))
    judgement, moved = after(make, memory, make.version(2, make.blocks("Robot check")), mark)
    assert (judgement.quality, judgement.kind, judgement.kind_reason) == (quality, None, KindReason.NOT_GOOD)
    assert moved == memory


def test_a_long_page_that_shrinks_to_a_stub_has_collapsed(make: Make) -> None:
    _, memory = after(make, Memory(), make.version(1, make.blocks(*LONG)))
    judgement, moved = after(make, memory, make.version(2, make.blocks("Service unavailable")))
    assert judgement.quality is Quality.COLLAPSE
    assert moved == memory


def test_a_page_cut_by_a_third_is_still_the_page(make: Make) -> None:
    _, memory = after(make, Memory(), make.version(1, make.blocks(*LONG)))
    judgement, _ = after(make, memory, make.version(2, make.blocks(*LONG[: 2 * len(LONG) // 3])))
    assert judgement.kind is Kind.CONTENT


def test_losing_most_fields_at_once_is_a_failed_extraction_but_losing_one_is_a_change(make: Make) -> None:
    price, name, stock = make.price("5"), make.text_field("name", "Anvil"), make.text_field("availability", "InStock")
    rules = make.rules(price, name, stock)
    _, memory = after(make, Memory(), make.version(1, make.blocks("A"), [price, name, stock]), rules=rules)
    gone = [make.price(None), make.text_field("name", None), make.text_field("availability", "InStock")]
    most, _ = after(make, memory, make.version(2, make.blocks("B"), gone), rules=rules)
    one, _ = after(make, memory, make.version(2, make.blocks("B"), [make.price(None), name, stock]), rules=rules)
    assert most.quality is Quality.EXTRACTION_FAILED
    assert (one.quality, one.kind) == (Quality.GOOD, Kind.FIELD)


def test_calibration_visits_have_no_kind_the_last_is_reference_the_first_baseline(make: Make) -> None:
    memory = Memory()
    for no in (1, 2, 3):
        version = make.version(no, make.blocks(f"Text {no}."))
        judgement, memory = after(make, memory, version, purpose=Purpose.CALIBRATE)
        assert (judgement.kind, judgement.kind_reason) == (None, KindReason.CALIBRATION)
    assert memory.reference is not None
    assert (memory.reference.visit_no, memory.baseline_visit_no) == (3, 1)


def test_small_explained_steps_add_up_to_drift(make: Make) -> None:
    tight = Threshold(threshold_id=2, noise_bits=64, drift_bits=12)
    words = [f"nav:{' '.join(f'w{n}x{k}' for k in range(8))}" for n in range(12)]
    _, memory = after(make, Memory(), make.version(1, make.blocks("Text.", *words)))
    kinds = []
    for no in range(2, 12):
        words[no - 2] = f"nav:{' '.join(f'z{no}y{k}' for k in range(8))}"
        judgement, memory = after(make, memory, make.version(no, make.blocks("Text.", *words)), threshold=tight)
        kinds.append((judgement.kind, judgement.kind_reason))
    assert (Kind.CONTENT, KindReason.DRIFT) in kinds
    assert (Kind.NOISE, KindReason.EXPLAINED) in kinds


def test_a_page_whose_reference_cannot_be_read_any_more_is_rebaselined(make: Make) -> None:
    judgement, memory = after(make, Memory(rebaseline=True), make.version(7, make.blocks("Text.")))
    assert (judgement.kind, judgement.kind_reason) == (None, KindReason.REBASELINED)
    assert memory.baseline_visit_no == 7


def test_a_candidate_stands_while_its_text_is_there_and_vanishes_with_it(make: Make) -> None:
    before, shown = make.blocks("30 days.", "End."), make.blocks("14 days.", "End.")
    _, memory = after(make, Memory(), make.version(1, before))
    judgement, _ = after(make, memory, make.version(2, shown))
    changes = judgement.block_changes

    def stands(*now: str) -> bool:
        return still_there(changes, before=before, after=shown, now=make.blocks(*now))

    assert stands("14 days.", "End.")
    assert stands("7 days.", "End.")  # the old text is still gone
    assert not stands("30 days.", "End.")


def test_a_volatile_span_in_a_removed_block_does_not_keep_a_candidate_alive(make: Make) -> None:
    before = make.blocks(("Seen 3 minutes ago by many", "Seen ⟦time⟧ by many"))
    shown = make.blocks("Gone")
    back = make.blocks(("Seen 8 minutes ago by many", "Seen ⟦time⟧ by many"))
    _, memory = after(make, Memory(), make.version(1, before))
    judgement, _ = after(make, memory, make.version(2, shown))
    assert not still_there(judgement.block_changes, before=before, after=shown, now=back)


def test_the_threshold_and_distances_are_evidence(make: Make) -> None:
    _, memory = after(make, Memory(), make.version(1, make.blocks(*LONG)))
    judgement, _ = after(make, memory, make.version(2, make.blocks(*LONG[:-1], "An entirely different ending.")))
    assert judgement.threshold == OPEN
    assert judgement.distance is not None
    assert 0 <= judgement.distance <= 64
    assert replace(judgement, distance=None).unexplained_blocks == 1
