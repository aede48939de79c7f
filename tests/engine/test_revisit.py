"""When a page is visited next."""

from datetime import UTC, datetime, timedelta

from pipeline.model import Purpose
from pipeline.revisit import after_failure, after_visit, to_confirm

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
EVERY = timedelta(hours=6)


def test_a_visit_is_followed_by_one_an_interval_later() -> None:
    assert after_visit(NOW, EVERY) == (NOW + EVERY, Purpose.WATCH)


def test_a_waiting_change_is_looked_at_again_within_two_to_five_minutes() -> None:
    due, purpose = to_confirm(NOW, EVERY, Purpose.WATCH)
    assert timedelta(minutes=2) <= due - NOW <= timedelta(minutes=5)
    assert purpose is Purpose.CONFIRM


def test_a_change_first_seen_on_a_confirm_visit_waits_for_the_usual_one() -> None:
    assert to_confirm(NOW, EVERY, Purpose.CONFIRM) == (NOW + EVERY, Purpose.WATCH)


def test_a_failed_confirm_visit_is_repeated_after_5_15_and_60_minutes_then_given_up() -> None:
    waits = [after_failure(NOW, EVERY, Purpose.CONFIRM, streak) for streak in (1, 2, 3, 4)]
    assert [(due - NOW, purpose) for due, purpose in waits] == [
        (timedelta(minutes=5), Purpose.CONFIRM),
        (timedelta(minutes=15), Purpose.CONFIRM),
        (timedelta(minutes=60), Purpose.CONFIRM),
        (EVERY, Purpose.WATCH),
    ]


def test_any_other_failure_waits_for_the_usual_visit() -> None:
    assert after_failure(NOW, EVERY, Purpose.WATCH, 1) == (NOW + EVERY, Purpose.WATCH)


def test_an_interval_shorter_than_the_confirm_delay_is_not_stretched() -> None:
    minute = timedelta(minutes=1)
    assert to_confirm(NOW, minute, Purpose.WATCH)[0] == NOW + minute
    assert after_failure(NOW, minute, Purpose.CONFIRM, 3)[0] == NOW + minute
