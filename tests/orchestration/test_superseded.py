"""Which finished runs may go."""

from datetime import UTC, datetime, timedelta
from typing import Any

from assets.defs.partitions import KEPT_DAYS
from assets.superseded import (
    FAILURES_AT_MOST,
    FAILURES_KEPT,
    FRESH,
    NO_PARTITION_KEPT,
    WHOLE_LOG_KEPT,
    FinishedRun,
    choose,
)

NOW = datetime(2026, 12, 24, 3, 17, tzinfo=UTC)

LONG_AGO = NOW - timedelta(days=20)


def run(name: str, order: int, ended: datetime, **other: Any) -> FinishedRun:
    """A run of a minute; a success of the whole of `watch` for one partition, unless said otherwise."""
    given: dict[str, Any] = {
        "job": "watch",
        "part": ("2026-12-23|shop",),
        "day": "2026-12-23",
        "succeeded": True,
        "begun": ended - timedelta(minutes=1),
        "assets": None,
        "whole": True,
    }
    return FinishedRun(run_id=name, order=order, ended=ended, **(given | other))


def hours_ago(hours: float) -> datetime:
    return NOW - timedelta(hours=hours)


def deleted(*runs: FinishedRun, now: datetime = NOW) -> list[str]:
    return choose(runs, now=now).delete


def test_a_success_goes_once_a_later_one_of_its_partition_is_there() -> None:
    assert deleted(run("a", 1, hours_ago(9)), run("b", 2, hours_ago(8)), run("c", 3, hours_ago(7))) == ["a", "b"]


def test_the_only_success_of_a_partition_stays_however_old() -> None:
    assert deleted(run("a", 1, LONG_AGO), run("b", 2, LONG_AGO, part=("2026-12-23|other",))) == []


def test_a_success_of_another_job_supersedes_nothing() -> None:
    assert deleted(run("a", 1, hours_ago(9)), run("b", 2, hours_ago(8), job="rejudge")) == []


def test_a_later_failure_supersedes_nothing() -> None:
    assert deleted(run("a", 1, hours_ago(9)), run("b", 2, hours_ago(8), succeeded=False)) == []


def test_a_run_of_some_assets_supersedes_only_runs_of_those() -> None:
    one, two = frozenset({"route"}), frozenset({"route", "classify"})
    some = {"job": "__ASSET_JOB"}
    whole = run("whole", 1, hours_ago(9), **some)
    first = run("both", 2, hours_ago(8), assets=two, **some)
    assert deleted(whole, first, run("one", 3, hours_ago(7), assets=one, **some)) == []
    assert deleted(whole, first, run("again", 3, hours_ago(7), assets=two, **some)) == ["both"]


def test_a_re_execution_of_the_failed_steps_supersedes_nothing() -> None:
    first = run("first", 1, LONG_AGO, succeeded=False)
    rest = run("rest", 2, LONG_AGO + timedelta(minutes=5), whole=False)
    assert deleted(first, rest) == []
    assert deleted(first, rest, run("next", 3, hours_ago(30))) == ["first", "rest"]


def test_of_two_that_overlapped_neither_goes() -> None:
    slow = run("slow", 1, hours_ago(5), begun=hours_ago(9))
    assert deleted(slow, run("quick", 2, hours_ago(8))) == []


def test_after_the_clock_went_back_the_run_that_dagster_counts_first_does_not_supersede() -> None:
    assert deleted(run("a", 1, hours_ago(5)), run("b", 2, hours_ago(6))) == []


def test_a_run_of_the_last_hour_stays() -> None:
    fresh, old = NOW - FRESH + timedelta(minutes=1), NOW - FRESH - timedelta(minutes=1)
    newest = run("newest", 3, NOW)
    assert deleted(run("old", 1, old), run("fresh", 2, fresh), newest) == ["old"]


def test_a_failure_is_kept_for_a_while_after_a_success_and_then_goes() -> None:
    failure = run("failure", 1, hours_ago(9), succeeded=False)
    success = run("success", 2, hours_ago(8))
    assert deleted(failure, success) == []
    assert deleted(failure, success, now=failure.ended + FAILURES_KEPT + timedelta(minutes=1)) == ["failure"]


def test_the_newest_failure_of_a_partition_that_has_not_succeeded_since_stays() -> None:
    runs = [run("success", 1, LONG_AGO)]
    runs += [run(f"failure {n}", n, LONG_AGO + timedelta(hours=n), succeeded=False) for n in (2, 3, 4)]
    assert deleted(*runs) == ["failure 2", "failure 3"]


def test_when_everything_fails_a_number_bounds_what_is_kept() -> None:
    runs = [run(str(n), n, hours_ago(300 - n / 10), succeeded=False) for n in range(FAILURES_AT_MOST + 11)]
    assert deleted(*runs) == [str(n) for n in range(10)]


def test_runs_without_a_partition_are_kept_as_a_history() -> None:
    daily = [run(str(n), n, NOW - timedelta(days=40 - n), job="upkeep", part=(), day="") for n in range(40)]
    gone = deleted(*daily)
    assert gone == [str(n) for n in range(len(gone))]
    assert len(daily) - len(gone) == NO_PARTITION_KEPT.days


def test_runs_of_a_day_that_is_no_longer_on_show_go() -> None:
    long_ago = NOW - timedelta(days=KEPT_DAYS + 1)
    day = long_ago.date().isoformat()
    assert deleted(run("a", 1, long_ago, part=(f"{day}|shop",), day=day)) == ["a"]


def test_the_log_of_what_stays_is_cut_down_after_some_days() -> None:
    old, young = NOW - WHOLE_LOG_KEPT - timedelta(minutes=1), NOW - WHOLE_LOG_KEPT + timedelta(minutes=1)
    runs = [
        run("old", 1, old, part=("a",)),
        run("young", 2, young, part=("b",)),
        run("old failure", 3, old, part=("c",), succeeded=False),
        run("very old failure", 4, LONG_AGO, part=("d",), succeeded=False),
    ]
    choice = choose(runs, now=NOW)
    assert (choice.trim, choice.trim_failures) == (["old"], ["very old failure"])


def test_choosing_again_from_what_is_left_chooses_nothing() -> None:
    runs = [run(str(n), n, LONG_AGO + timedelta(hours=n), succeeded=n % 3 > 0) for n in range(50)]
    gone = set(deleted(*runs))
    assert gone
    assert deleted(*(each for each in runs if each.run_id not in gone)) == []
