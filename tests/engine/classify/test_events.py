"""Which visits of a site belong to one event."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.classify import WINDOW, Evidence, Sighting, evidence_of, group
from pipeline.model import BlockChange, BlockOp, Judgement, Kind, KindReason, Quality, Region

HOUR = 3600.0


def seen(page, at, shown, needed=None, visit=1):
    """A visit that showed these texts, hours after the first."""
    evidence = Evidence(shown=tuple(sorted(shown)), needed=tuple(sorted(shown if needed is None else needed)))
    return Sighting(page=page, visit=visit, at=at * HOUR, order=at * HOUR, evidence=evidence)


def test_the_second_page_makes_it_an_event_named_after_the_first():
    assert group([seen(1, 0, {7})]) == {}
    assert group([seen(1, 0, {7}), seen(2, 1, {7}), seen(3, 2, {7})]) == dict.fromkeys([(1, 1), (2, 1), (3, 1)], (1, 1))


def test_one_page_twice_is_not_two_pages():
    assert group([seen(1, 0, {7}), seen(1, 1, {7}, visit=2)]) == {}


@pytest.mark.parametrize(("hours", "grouped"), [(36, True), (36.001, False)])
def test_two_pages_are_within_36_hours_of_each_other(hours, grouped):
    assert bool(group([seen(1, 0, {7}), seen(2, hours, {7})])) is grouped
    assert WINDOW == 36 * HOUR


def test_an_event_goes_on_while_pages_follow_each_other_and_a_later_one_is_another():
    sightings = [seen(1, 0, {7}), seen(2, 30, {7}), seen(3, 60, {7}), seen(4, 100, {7}), seen(5, 101, {7})]
    first, second = (1, 1), (4, 1)
    assert group(sightings) == {(1, 1): first, (2, 1): first, (3, 1): first, (4, 1): second, (5, 1): second}


def test_a_visit_that_only_its_own_page_repeats_is_not_the_first_of_an_event():
    sightings = [seen(1, 0, {7}), seen(1, 30, {7}, visit=2), seen(2, 60, {7})]
    assert group(sightings) == {(1, 2): (1, 2), (2, 1): (1, 2)}


def test_a_visit_with_a_text_of_its_own_stays_alone_and_still_shows_the_event():
    sightings = [seen(1, 0, {7, 8}), seen(2, 1, {7})]
    assert group(sightings) == {(2, 1): (1, 1)}


def test_the_event_with_most_of_a_visit_gives_the_name_and_of_two_the_first():
    many = [seen(1, 0, {1}), seen(2, 1, {2, 3}), seen(3, 2, {1, 2, 3})]
    assert group(many)[3, 1] == (2, 1)
    even = [seen(1, 0, {1}), seen(2, 1, {2}), seen(3, 2, {1, 2})]
    assert group(even)[3, 1] == (1, 1)


def test_what_a_visit_shows_can_make_an_event_for_others_though_it_joins_none():
    assert group([seen(1, 0, {7}, needed=()), seen(2, 1, {7})]) == {(2, 1): (1, 1)}


texts = st.frozensets(st.integers(0, 5), max_size=4)
visits = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 90), texts, texts), max_size=25)


@given(visits, st.randoms(use_true_random=False))
def test_the_order_of_arrival_says_nothing_and_every_needed_text_was_on_another_page(drawn, shuffling):
    sightings = [seen(page, at, shown, needed, visit) for visit, (page, at, shown, needed) in enumerate(drawn)]
    groups = group(sightings)
    shuffled = list(sightings)
    shuffling.shuffle(shuffled)
    assert group(shuffled) == groups
    for one in sightings:
        elsewhere = {
            text
            for other in sightings
            if other.page != one.page and abs(other.at - one.at) <= WINDOW
            for text in other.evidence.shown
        }
        needed = set(one.evidence.needed)
        joins = bool(needed) and needed <= set(one.evidence.shown) & elsewhere
        assert (one.key in groups) is joins


def test_a_large_site_takes_time_in_proportion_to_its_pages():
    def cost(pages):
        sightings = [seen(page, page / 100, range(20)) for page in range(pages)]
        begin = time.process_time()
        group(sightings[::-1])
        return time.process_time() - begin

    small, large = min(cost(300) for _ in range(3)), min(cost(3000) for _ in range(3))
    assert large < 40 * small  # a quadratic one: 100 times


def judged(*changes, kind=Kind.CONTENT, reason=KindReason.UNEXPLAINED):
    return Judgement(visit_no=2, quality=Quality.GOOD, kind=kind, kind_reason=reason, block_changes=changes)


def block(new=None, old=None, why=None, *, habitual=False, region=Region.MAIN):
    return BlockChange(
        op=BlockOp.REPLACED, old=old, new=new, region=region, explained_by=why, habitual=habitual
    )  # fmt: skip


def test_a_text_that_came_is_not_the_same_as_one_that_went():
    came, went = evidence_of(judged(block(new="Legal Hub"))), evidence_of(judged(block(old="Legal Hub")))
    assert not set(came.shown) & set(went.shown)
    assert evidence_of(judged(block(new="Legal Hub"), block(old="Legal Hub"))).shown == tuple(
        sorted(came.shown + went.shown)
    )


def test_content_joins_by_its_unexplained_blocks_and_shows_its_chrome_too():
    evidence = evidence_of(
        judged(block(new="a"), block(new="menu", why="chrome:navigation"), block(new="m", why="moved"))
    )
    assert len(evidence.needed) == 1
    assert len(evidence.shown) == 2


def test_noise_joins_by_the_chrome_that_is_no_habit_of_the_page():
    noise = {"kind": Kind.NOISE, "reason": KindReason.EXPLAINED}
    menu = block(new="menu", why="chrome:navigation")
    ad = block(new="ad", why="chrome:aside", habitual=True)
    alone, beside = (
        evidence_of(judged(menu, **noise)),
        evidence_of(judged(menu, ad, block(new="x", why="ledger"), **noise)),
    )
    assert beside == alone
    assert alone.shown == alone.needed != ()
    assert evidence_of(judged(ad, **noise)) == Evidence()


def test_noise_with_teasers_of_its_own_needs_them_too_and_they_show_no_event():
    noise = {"kind": Kind.NOISE, "reason": KindReason.EXPLAINED}
    menu, teaser = block(new="menu", why="chrome:navigation"), block(new="teaser", why="chrome:related")
    evidence = evidence_of(judged(menu, teaser, **noise))
    assert set(evidence.shown) < set(evidence.needed)
    assert evidence_of(judged(teaser, **noise)) == Evidence()


def test_content_by_distance_alone_joins_like_noise_and_drift_never():
    menu = block(new="menu", why="chrome:navigation")
    assert evidence_of(judged(menu, reason=KindReason.BEYOND_THRESHOLD)).needed
    assert not evidence_of(judged(menu, reason=KindReason.DRIFT)).needed


def test_a_visit_without_a_kind_shows_nothing():
    assert evidence_of(judged(block(new="a"), kind=None, reason=KindReason.CALIBRATION)) == Evidence()
