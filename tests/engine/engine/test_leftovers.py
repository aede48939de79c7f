"""Running again, dying half way, two runs at once, and days."""

from datetime import timedelta

import pytest

from pipeline.engine import classify, extract, fetch, fingerprint, normalize, route
from pipeline.model import SiteDay
from tests.engine.engine.conftest import FOURTEEN, START, THIRTY, World, product


def test_running_again_changes_nothing(world: World) -> None:
    world.watch(page=product("89.00"))
    world.step(page=product("79.00"))
    tables = (
        "visits",
        "readings",
        "fingerprints",
        "judgements",
        "field_values",
        "field_changes",
        "alerts",
        "review_items",
    )
    counts = [world.sql(f"SELECT count(*) n FROM {table}") for table in tables]
    commits = world.sql("SELECT max(commit_no) n FROM commits")
    world.watch()
    assert [world.sql(f"SELECT count(*) n FROM {table}") for table in tables] == counts
    assert world.sql("SELECT max(commit_no) n FROM commits") == commits


@pytest.mark.parametrize("stop_after", range(6))
def test_a_run_that_died_after_any_stage_is_completed_by_the_next(world: World, stop_after: int) -> None:
    world.watch(page=product("89.00"))
    world.clock.advance(timedelta(hours=6))
    world.fetcher.answers["page"] = product("79.00")
    engine = world.engine()
    for stage in (fetch, extract, normalize, fingerprint, classify, route)[: stop_after + 1]:
        stage(engine, world.part())
    world.step(page=product("79.00"))
    assert world.kinds()[1] == "field"
    assert world.kinds()[2] in {"none", "noise"}
    assert world.sql("SELECT count(*) n FROM field_changes") == [{"n": 1}]
    assert world.sql("SELECT count(*) n FROM alerts") == [{"n": 1}]
    assert world.sql("SELECT count(*) n FROM readings") == [{"n": 0}]


def test_two_visits_left_over_are_judged_in_order(world: World) -> None:
    world.watch(page=product("89.00"))
    for price in ("79.00", "69.00"):
        world.clock.advance(timedelta(hours=6))
        world.fetcher.answers["page"] = product(price)
        fetch(world.engine(), world.part())
    world.watch()
    assert world.kinds() == [None, "field", "field"]
    rows = world.sql("SELECT old_number::INT o, new_number::INT n FROM field_changes ORDER BY visit_no")
    assert rows == [{"o": 89, "n": 79}, {"o": 79, "n": 69}]


def test_a_left_over_change_and_its_confirmation_are_settled_in_one_run(world: World) -> None:
    world.watch(page=THIRTY)
    for no in (1, 2):
        world.clock.advance(timedelta(hours=6))
        world.fetcher.answers["page"] = FOURTEEN.replace(b"<main>", f"<main data-n={no}>".encode())
        fetch(world.engine(), world.part())
    world.watch()
    assert [row[3] for row in world.results()] == ["not_needed", "confirmed", "not_needed"]


def test_yesterdays_left_over_is_completed_by_todays_run_before_todays_visit(world: World) -> None:
    world.watch(page=product("89.00"))
    world.clock.advance(timedelta(hours=6))
    world.fetcher.answers["page"] = product("79.00")
    fetch(world.engine(), world.part())
    world.step(hours=24, page=product("69.00"))
    assert world.kinds() == [None, "field", "field"]


def test_a_page_is_fetched_by_one_run_only(world: World) -> None:
    world.fetcher.answers["page"] = THIRTY
    other = world.engine()

    class Slow:
        """While this run fetches, another one looks for work."""

        def fetch_all(self, targets, done) -> None:
            fetch(other, world.part())
            world.fetcher.fetch_all(targets, done)

    engine = world.engine()
    object.__setattr__(engine, "fetcher", Slow())
    fetch(engine, world.part())
    assert [target.page_name for target in world.fetcher.asked] == ["page"]
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 1}]


def test_a_dead_runs_lease_ends_by_itself(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.fetcher.answers["page"] = THIRTY
    monkeypatch.setattr("pipeline.engine.fetching.release_leases", lambda *_: 0)  # who is killed lets go of nothing

    class Dies:
        def fetch_all(self, targets, done) -> None:
            raise KeyboardInterrupt

    engine = world.engine()
    object.__setattr__(engine, "fetcher", Dies())
    with pytest.raises(KeyboardInterrupt):
        fetch(engine, world.part())
    world.watch()
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 0}]
    world.step(hours=0.3)
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 1}]


def test_a_past_or_future_day_fetches_nothing(world: World) -> None:
    world.fetcher.answers["page"] = THIRTY
    for days in (-1, -30, 1):
        part = SiteDay(site="shop", day=(START + timedelta(days=days)).date())
        assert fetch(world.engine(), [part]).counts.total() == 0
    assert world.fetcher.asked == []


def test_a_run_made_for_a_day_may_cross_midnight_and_keeps_its_day(world: World) -> None:
    world.fetcher.answers["page"] = THIRTY
    part = SiteDay(site="shop", day=START.date())
    world.clock.set(START.replace(hour=0, minute=5) + timedelta(days=1))
    fetch(world.engine(), [part], backfill=True)
    assert world.fetcher.asked == []
    fetch(world.engine(), [part])
    [row] = world.sql("SELECT day, visited_at FROM visits")
    assert row["day"] == START.date()
    assert row["visited_at"].date() > START.date()


def test_a_clock_that_goes_back_keeps_visits_in_order(world: World) -> None:
    world.watch(page=THIRTY)
    world.clock.advance(timedelta(minutes=-30))
    world.fetcher.answers["page"] = FOURTEEN
    fetch(world.engine(), world.part(), manual=())
    rows = world.sql("SELECT visited_at FROM visits ORDER BY visit_no")
    assert rows[0]["visited_at"] < rows[1]["visited_at"]


def test_after_downtime_one_visit_is_due_not_the_missed_ones(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(hours=71)
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 2}]
    world.watch()
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 2}]
