"""Which day it is."""

from datetime import UTC, datetime, timedelta

import pytest

from pipeline.demo import DemoScript, watch_moment

START = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(("hours", "day"), [(0, 1), (23.99, 1), (24, 2), (96, 5), (119.99, 5), (120, 1), (-1, 5)])
def test_days_are_counted_from_one_and_begin_again_after_five(hours, day):
    assert DemoScript(START).day(START + timedelta(hours=hours)) == day


def test_a_day_may_have_any_length():
    script = DemoScript(START, timedelta(minutes=30))
    assert script.day(START + timedelta(minutes=31)) == 2
    assert script.fraction(START + timedelta(minutes=45)) == 0.5


def test_pages_are_visited_at_nine():
    assert watch_moment(DemoScript(START), 4) == datetime(2026, 3, 5, 9, tzinfo=UTC)


def test_moments_go_on_beyond_the_cycle():
    script = DemoScript(START)
    assert script.day(script.moment(8, 0.5)) == 3
    assert script.fraction(script.moment(8, 0.5)) == 0.5
