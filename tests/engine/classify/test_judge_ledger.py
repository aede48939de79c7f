"""Judging with what the page has taught: its ledger and its usual length."""

from dataclasses import replace

from pipeline.classify import Memory, advance, judge
from pipeline.classify.judge import vanish
from pipeline.ledger import Ledger
from pipeline.model import Judgement, Kind, KindReason, Purpose, Quality, Rules, Threshold, Version
from tests.engine.classify.conftest import Make

ANY = Threshold(threshold_id=1, noise_bits=64, drift_bits=64)
TEASERS = [
    "A market in Oslo opens again after the fire",
    "Why bees sleep longer in wet summers",
    "Seven bridges to cross before you are forty",
    "The baker who measures time in loaves",
    "What the lighthouse keeper wrote home",
]
NEW = "How to mend a clock without its maker"
STEADY = [f"Clause {letter} of these terms stands as it was agreed between the parties." for letter in "ABCDEFGHIJKLM"]


def page(make: Make, no: int, teaser: str = "Teaser", *, views: int = 7, days: int = 30, steady=STEADY) -> Version:
    texts = [*steady[:6], f"Seen by {views} people", *steady[6:], f"Cancel within {days} days.", teaser, "The end"]
    return make.version(no, make.blocks(*texts))


def visit(make: Make, memory: Memory, version: Version, purpose=Purpose.WATCH, *marks: str) -> tuple[Judgement, Memory]:
    judgement = judge(make.seen(version, *marks, purpose=purpose), memory, Rules(page_type="text"), ANY)
    return judgement, advance(memory, version, judgement)


def calibrated(make: Make) -> Memory:
    memory = Memory()
    for no in range(1, 6):
        version = page(make, no, TEASERS[no - 1], views=100 + no)
        _, memory = visit(make, memory, version, Purpose.CALIBRATE)
    return memory


def test_without_calibration_a_counter_the_masks_do_not_know_is_content(make: Make) -> None:
    _, memory = visit(make, Memory(), page(make, 1, views=101))
    judgement, _ = visit(make, memory, page(make, 2, views=102))
    assert judgement.kind is Kind.CONTENT


def test_after_calibration_what_rotates_and_counts_is_explained_by_the_ledger(make: Make) -> None:
    judgement, _ = visit(make, calibrated(make), page(make, 6, NEW, views=250))
    assert (judgement.kind, judgement.kind_reason) == (Kind.NOISE, KindReason.EXPLAINED)
    assert {change.explained_by for change in judgement.block_changes} == {"ledger"}


def test_after_calibration_one_number_in_a_steady_sentence_is_content_at_once(make: Make) -> None:
    judgement, _ = visit(make, calibrated(make), page(make, 6, NEW, views=250, days=14))
    assert judgement.kind is Kind.CONTENT
    unexplained = [change.new for change in judgement.block_changes if change.explained_by is None]
    assert unexplained == ["Cancel within 14 days."]


def test_content_and_bad_visits_teach_nothing_and_noise_does(make: Make) -> None:
    memory = calibrated(make)
    _, after_content = visit(make, memory, page(make, 6, TEASERS[4], views=105, days=14))
    _, after_block = visit(make, memory, page(make, 6, "Are you human?"), Purpose.WATCH, "captcha")
    _, after_noise = visit(make, memory, page(make, 6, NEW, views=105))
    assert after_content.ledger is memory.ledger
    assert after_block is memory
    assert after_noise.ledger.trials == memory.ledger.trials + 1


def test_what_was_gone_at_the_second_look_is_explained_the_next_time(make: Make) -> None:
    memory = calibrated(make)
    banner = make.version(6, make.blocks("Sale! Sale! Sale!", *(b.text for b in memory.reference.blocks)))  # type: ignore[union-attr]
    first, _ = visit(make, memory, banner)
    again, _ = visit(make, vanish(memory, banner), replace(banner, visit_no=7))
    assert (first.kind, again.kind) == (Kind.CONTENT, Kind.NOISE)


def test_calibrating_again_adds_to_what_was_known(make: Make) -> None:
    memory = calibrated(make)
    _, memory = visit(make, memory, page(make, 6, NEW))
    before = memory.ledger
    for no in (7, 8):
        _, memory = visit(make, memory, page(make, no, TEASERS[no - 6]), Purpose.CALIBRATE)
    assert memory.ledger.trials == before.trials + 1
    assert set(before.seen) <= set(memory.ledger.seen)


def test_calibration_carries_distances_and_no_kind(make: Make) -> None:
    _, memory = visit(make, Memory(), page(make, 1), Purpose.CALIBRATE)
    judgement, _ = visit(make, memory, page(make, 2, "Something else"), Purpose.CALIBRATE)
    assert judgement.kind is None
    assert judgement.distance is not None
    assert judgement.distance > 0


def test_a_page_under_half_its_usual_words_has_collapsed_and_teaches_nothing(make: Make) -> None:
    memory = calibrated(make)
    judgement, moved = visit(make, memory, page(make, 6, steady=STEADY[:2]))
    assert (judgement.quality, judgement.kind) == (Quality.COLLAPSE, None)
    assert moved is memory


def test_a_page_that_was_as_short_while_it_was_calibrated_has_not(make: Make) -> None:
    memory = Memory()
    for no, steady in enumerate((STEADY[:2], STEADY), start=1):
        _, memory = visit(make, memory, page(make, no, steady=steady), Purpose.CALIBRATE)
    judgement, _ = visit(make, memory, page(make, 3, steady=STEADY[:2]))
    assert judgement.quality is Quality.GOOD


def test_the_usual_length_is_that_of_the_last_ten_good_visits(make: Make) -> None:
    memory = Memory(ledger=Ledger())
    for no in range(1, 13):
        _, memory = visit(make, memory, page(make, no, "word " * no))
    assert len(memory.usual_words) == 10
    assert memory.usual_words[-1] == memory.usual_words[0] + 9


def test_chrome_that_the_page_habitually_changes_is_told_from_chrome_that_is_new(make: Make) -> None:
    def around(no: int, teaser: str, *menu: str) -> Version:
        return make.version(no, make.blocks(*menu, *STEADY, f"aside:{teaser}"))

    memory = Memory()
    for no, teaser in enumerate(TEASERS, 1):
        _, memory = visit(make, memory, around(no, teaser, "nav:Home"), Purpose.CALIBRATE)
    judgement, _ = visit(make, memory, around(6, NEW, "nav:Home", "nav:Careers"))
    assert judgement.kind is Kind.NOISE
    told = {(change.new, change.explained_by): change.habitual for change in judgement.block_changes if change.new}
    assert told == {("Careers", "chrome:navigation"): False, (NEW, "chrome:aside"): True}
