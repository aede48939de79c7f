from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.ledger import Diff, Ledger, Why, calibrate, diff_of_packed, explain, learn, missed
from pipeline.ledger.state import MAX_SEEN, MAX_SLOTS
from pipeline.packing import pack_diff, unpack_diff
from tests.engine.ledger.blocks import TERMS, packed, page, text_of

ITEM = "body/aside/ul/li"
NOTHING = Diff(changes=(), old_count=5, new_count=5, totals={})

BEFORE = page(*TERMS)
WITH_NEWS = page("A storm is coming", *TERMS)
WITH_OTHER_NEWS = page("The storm has passed", *TERMS)


def lesson(ledger, old, new):
    return explain(ledger, old, new).diff


def quiet(ledger, old, new):
    return not explain(ledger, old, new).unexplained


def with_list(*items):
    return packed(*TERMS[:2], *((item, ITEM) for item in items), *TERMS[2:])


def after_idle(ledger, trials):
    for _ in range(trials):
        ledger = learn(ledger, NOTHING)
    return ledger


# ── noise ────────────────────────────────────────────────────────────────────


def test_a_place_that_was_noise_once_explains_the_next_text_there():
    ledger = learn(Ledger(), lesson(Ledger(), BEFORE, WITH_NEWS))
    assert explain(ledger, BEFORE, WITH_NEWS).added == {0: Why.SEEN}
    assert explain(ledger, BEFORE, WITH_OTHER_NEWS).added == {0: Why.SLOT}


def test_one_change_in_noise_explains_for_120_trials():
    ledger = learn(Ledger(), lesson(Ledger(), BEFORE, WITH_NEWS))
    assert quiet(after_idle(ledger, 120), BEFORE, WITH_OTHER_NEWS)
    assert not quiet(after_idle(ledger, 121), BEFORE, WITH_OTHER_NEWS)


def test_a_place_that_changed_in_ten_trials_is_remembered_longer_and_then_forgotten():
    ledger = Ledger()
    for _ in range(10):
        ledger = learn(ledger, lesson(ledger, BEFORE, WITH_NEWS))
    assert quiet(after_idle(ledger, 300), BEFORE, WITH_OTHER_NEWS)
    assert after_idle(ledger, 400).slots == {}


def test_a_visit_without_changes_is_a_trial():
    assert learn(Ledger(), NOTHING) == Ledger(trials=1)


@pytest.mark.parametrize(("blocks", "taught"), [(12, True), (13, False)])
def test_a_collapse_teaches_nothing(blocks, taught):
    old, new = page(*TERMS), page(*TERMS, *(f"Story {chr(97 + n) * 4}" for n in range(blocks)))
    assert (learn(Ledger(), lesson(Ledger(), old, new)) != Ledger()) == taught


def test_a_large_page_may_change_in_three_of_five_blocks():
    texts = [f"Story {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(100)]
    old = page(*texts)
    thirty, forty = (
        page(*texts[30:], *(f"{text}!" for text in texts[:30])),
        page(*texts[40:], *(f"{t}!" for t in texts[:40])),
    )
    assert not lesson(Ledger(), old, thirty).collapsed
    assert lesson(Ledger(), old, forty).collapsed


def test_a_fetch_of_another_page_does_not_spoil_calibration():
    texts = [f"Story {chr(97 + n) * 3} of the day" for n in range(20)]
    fetches = [page(*texts), page("Please prove that you are human"), page(*texts)]
    assert calibrate(fetches).slots == {}
    assert not quiet(calibrate(fetches), page(*texts), page(*texts[1:]))


def test_the_oldest_texts_and_the_faintest_slots_are_let_go():
    ledger = Ledger()
    for n in range(400):
        noise = page(*TERMS[:2], *((f"{n} x {place}", f"body/div/{n}") for place in "abc"), *TERMS[2:])
        ledger = learn(ledger, lesson(ledger, BEFORE, noise))
    assert len(ledger.seen) == MAX_SEEN
    assert len(ledger.slots) == MAX_SLOTS
    assert ledger.seen[-1] == text_of("399 x c")
    assert max(slot.trial for slot in ledger.slots.values()) == 400


def test_half_a_page_teaches_nothing_when_it_goes_nor_when_it_comes_back():
    texts = [f"Story {chr(97 + n) * 3}" for n in range(26)]
    whole, half = page(*texts), page(*texts[:13])
    assert lesson(Ledger(), whole, half).collapsed
    assert lesson(Ledger(), half, whole).collapsed


# ── stored diffs ─────────────────────────────────────────────────────────────


def test_a_stored_diff_teaches_the_same_slots_and_texts():
    old, new = packed(*TERMS), packed("A storm is coming", *TERMS[:4], "Another last line")
    stored = pack_diff(old, new)
    assert stored is not None
    from_stored = learn(Ledger(), diff_of_packed(unpack_diff(stored)))
    from_blocks = learn(
        Ledger(), lesson(Ledger(), page(*TERMS), page("A storm is coming", *TERMS[:4], "Another last line"))
    )
    assert from_stored.slots == from_blocks.slots
    assert from_stored.seen == from_blocks.seen
    assert from_stored.paths == {}


def test_a_stored_neighbour_that_comes_and_goes_names_no_slot():
    old, new = with_list("Known item"), with_list("Known item", "New item")
    stored = pack_diff(old, new)
    assert stored is not None
    ledger = learn(Ledger(seen=(text_of("Known item"),)), diff_of_packed(unpack_diff(stored)))
    assert [key >> 16 & 0xFFFF for key in ledger.slots] == [text_of(TERMS[2]) & 0xFFFF]


# ── a reviewer ───────────────────────────────────────────────────────────────


def test_what_was_missed_is_seen_the_next_time():
    ledger = learn(Ledger(), lesson(Ledger(), BEFORE, WITH_NEWS))
    ledger = missed(ledger, lesson(ledger, BEFORE, WITH_OTHER_NEWS))
    assert not quiet(ledger, BEFORE, WITH_OTHER_NEWS)
    assert not quiet(ledger, BEFORE, page("Third news", *TERMS))


def test_what_is_pinned_learns_nothing_from_noise():
    ledger = missed(Ledger(), lesson(Ledger(), BEFORE, WITH_NEWS))
    for _ in range(5):
        ledger = learn(ledger, lesson(ledger, BEFORE, WITH_NEWS))
    assert not quiet(ledger, BEFORE, WITH_NEWS)
    assert ledger.slots == {}


def test_the_verdict_noise_lifts_the_pin():
    ledger = missed(Ledger(), lesson(Ledger(), BEFORE, WITH_NEWS))
    ledger = learn(ledger, lesson(ledger, BEFORE, WITH_NEWS), verdict=True)
    assert quiet(ledger, BEFORE, WITH_NEWS)
    assert ledger.pinned_slots == ledger.pinned_texts == ()


def test_pinning_the_blocks_that_mattered_leaves_the_counter_beside_them_alone():
    counter = [page(*TERMS, (f"Viewed by {views} others", ITEM)) for views in (412, 415, 433)]
    ledger = calibrate(counter)
    edited = page(*TERMS[:3], "Our seat has moved.", TERMS[4], ("Viewed by 500 others", ITEM))
    explained = explain(ledger, counter[-1], edited)
    ledger = missed(ledger, explained.diff.only(removed=[3], added=[3]))
    assert quiet(ledger, counter[-1], page(*TERMS, ("Viewed by 501 others", ITEM)))
    assert [change.index for change in explain(ledger, counter[-1], edited).unexplained] == [3, 3]


TEXTS = st.lists(
    st.sampled_from([*TERMS, "Read more", "A storm is coming", "Viewed by 1", "Viewed by 2", "Viewed by 3"]),
    max_size=10,
)
PAGES = TEXTS.map(lambda texts: page(*texts))


@given(st.lists(PAGES, max_size=4), PAGES, PAGES, st.lists(st.tuples(PAGES, PAGES), max_size=3))
def test_what_is_pinned_never_explains_whatever_is_learned_later(fetches, old, new, later):
    ledger = calibrate(fetches)
    ledger = missed(ledger, lesson(ledger, old, new))
    for first, second in later:
        ledger = learn(ledger, lesson(ledger, first, second))
    pinned = set(ledger.pinned_texts)
    unexplained = {(change.removed, change.index) for change in explain(ledger, old, new).unexplained}
    changed = {(c.removed, c.index) for c in explain(ledger, old, new).diff.changes if c.block.text in pinned}
    assert changed <= unexplained


@given(st.lists(PAGES, min_size=2, max_size=5))
def test_after_calibration_the_pairs_it_saw_are_explained(fetches):
    ledger = calibrate(fetches)
    for old, new in pairwise(fetches):
        explained = explain(ledger, old, new)
        if not explained.diff.collapsed and len(explained.diff.changes) == 1:
            assert quiet(ledger, old, new)
