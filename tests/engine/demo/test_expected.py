"""What is expected of the site, held to what the site really serves."""

from datetime import timedelta
from itertools import pairwise

import pytest

from pipeline.demo import PAGES, expectations, watch_moment
from pipeline.model import Confirmation, Kind, KindReason, Outcome, Purpose
from pipeline.revisit import CONFIRM_DELAY

DAYS = 11


def expected(page, days=5):
    return [visit for visit in expectations(days) if visit.page == page]


def one(page, day, purpose=Purpose.WATCH):
    (visit,) = (visit for visit in expected(page) if (visit.day, visit.purpose) == (day, purpose))
    return visit


def test_every_page_has_one_watch_visit_a_day():
    watch = [(visit.page, visit.day) for visit in expectations() if visit.purpose is Purpose.WATCH]
    assert watch == [(page.name, day) for page in PAGES for day in range(1, 6)]


def test_all_four_kinds_and_failures_occur():
    assert {visit.kind for visit in expectations()} == {*Kind, None}
    assert {Outcome.BLOCKED, Outcome.FAILED, Outcome.NOT_MODIFIED} < {visit.outcome for visit in expectations()}


def test_first_visits_and_visits_that_are_not_good_have_no_kind():
    for visit in expectations(DAYS):
        without = visit.day == 1 or visit.outcome in {Outcome.BLOCKED, Outcome.FAILED}
        assert (visit.kind is None) == without
        assert (visit.kind_reason in {KindReason.FIRST, KindReason.NOT_GOOD}) == without


def test_the_anvils_changes_are_fields_as_a_judged_line_prints_them():
    assert one("anvil", 2).fields == {
        "price": ({"amount": "89.00", "currency": "EUR"}, {"amount": "79.00", "currency": "EUR"})
    }
    assert one("anvil", 4).fields == {"availability": ("InStock", "OutOfStock")}
    assert not any(visit.also_content for visit in expected("anvil"))


def test_the_lost_certificate_is_a_field_change_of_sorted_lists():
    old, new = one("supplier", 3).fields["certificates"]
    assert (old, new) == (sorted(old), sorted(new))
    assert set(old) - set(new) == {"ISO 14001 Environmental management"}


def test_the_terms_are_content_that_a_second_visit_confirms():
    assert one("terms", 3).text == ("within 30 days", "within 14 days")
    assert one("terms", 3).confirmation is Confirmation.CONFIRMED
    assert one("terms", 3, Purpose.CONFIRM).kind is Kind.NONE


def test_the_blink_vanishes_and_does_not_count():
    assert one("blink", 4).confirmation is Confirmation.VANISHED
    assert not one("blink", 4).counts
    assert one("blink", 5).kind is Kind.NONE


def test_the_changes_that_count_are_known_by_name():
    counted = [(visit.page, visit.day) for visit in expectations() if visit.counts]
    assert counted == [("anvil", 2), ("anvil", 4), ("supplier", 3), ("terms", 3), ("cached", 4)]


def test_when_the_script_begins_again_everything_goes_back():
    again = {visit.page: visit for visit in expectations(6) if visit.day == 6 and visit.purpose is Purpose.WATCH}
    assert set(again["anvil"].fields) == {"price", "availability"}
    assert again["terms"].text == ("within 14 days", "within 30 days")
    assert again["fixed"].kind is Kind.NONE


@pytest.mark.parametrize("page", [page.name for page in PAGES])
def test_the_served_bytes_are_what_the_expectations_say(site, page):
    """Walks the visits as the pipeline would: equal bytes where `none` is expected, other bytes where not."""
    reference = None
    for visit in expected(page, DAYS):
        confirms = visit.purpose is Purpose.CONFIRM
        site.clock.set(watch_moment(site.script, visit.day) + (CONFIRM_DELAY if confirms else timedelta()))
        tag = reference.headers.get("etag") if reference else None
        response = site.client.get(f"/{page}", headers={"if-none-match": tag} if tag else {})
        status = {Outcome.NOT_MODIFIED: 304, Outcome.FAILED: 500}.get(visit.outcome, 200)
        assert response.status_code == status, visit
        if visit.outcome is Outcome.OK:
            changed = reference is not None and response.content != reference.content
            assert changed == (visit.kind in {Kind.NOISE, Kind.CONTENT, Kind.FIELD}), visit
            if visit.text:
                old, new = visit.text
                assert old in reference.text
                assert reference.text.replace(old, new) == response.text
            if visit.confirmation is not Confirmation.VANISHED:
                reference = response


def test_days_follow_each_other():
    for page in PAGES:
        days = [visit.day for visit in expected(page.name, DAYS)]
        assert all(old <= new for old, new in pairwise(days))
