"""What retention lets go of, and that nothing can tell afterwards but the size."""

import random
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.blobs import BlobStore, sha256_of
from pipeline.cli import app, run
from pipeline.codec import decode_diff
from pipeline.engine import fetch
from pipeline.model import Outcome
from pipeline.upkeep import retain
from tests.engine.engine.conftest import START, World, html
from tests.engine.upkeep.shop import check_states, files, is_there, make_world, noisy, text

PAGES = [f"p{n}" for n in range(12)]
BLOCKED = b"<html><head><title>Just a moment...</title></head><body><p>Checking your browser</p></body></html>"
UNJUDGED = ("judged_at", "commit_no")
DAY = 24


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path)


def body_names(world: World) -> set[str]:
    rows = world.sql("SELECT DISTINCT body_sha256 AS name FROM visits WHERE body_sha256 IS NOT NULL")
    return {row["name"] for row in rows if is_there(world, row["name"])}


def judged(world: World) -> list[dict]:
    rows = world.sql("SELECT * FROM judgements ORDER BY page_id, visit_no, commit_no")
    for row in rows:
        for column in UNJUDGED:
            row.pop(column)
    return rows


def answer(chance: random.Random, step: int) -> object:
    return chance.choice(
        [
            noisy(chance.randrange(3)), noisy(step), text(30), text(14), text(chance.randrange(9)), BLOCKED,
            (Outcome.FAILED, "http_500"), html("<p>Sale!</p>" if step % 2 else "<p>Cancel within 30 days.</p>"),
        ]
    )  # fmt: skip


def live(worlds: tuple[World, World], chance: random.Random, step: int) -> None:
    """The same step in both worlds; now and then a run that dies after fetch, or rules that change."""
    hours = chance.choice([0.1, 6, 6, 30, 900])
    answers = {page: answer(chance, step) for page in PAGES if chance.random() < 0.7}
    dies = chance.random() < 0.2
    masked = chance.random() < 0.15
    for world in worlds:
        world.clock.advance(timedelta(hours=hours))
        world.fetcher.answers.update(answers)
        if masked:
            world.write(*(f"{page} mask: ['Anna|Bruno']" if step % 2 else page for page in PAGES))
        if dies:
            fetch(world.engine(), world.part())
        else:
            world.watch()


@pytest.mark.parametrize("seed", range(2))
def test_after_retention_everything_is_judged_as_without_it(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    kept, trimmed = worlds = tuple(make_world(tmp_path / name, *PAGES) for name in ("kept", "trimmed"))
    for world in worlds:
        world.watch(**dict.fromkeys(PAGES, noisy(0)))
    for step in range(7):
        live(worlds, chance, step)
        if chance.random() < 0.6:
            report = retain(trimmed.engine())
            assert report.collected
        assert judged(trimmed) == judged(kept)
    trimmed.clock.advance(timedelta(hours=900))
    assert retain(trimmed.engine()).blobs > 0
    assert trimmed.sql("FROM field_values ORDER BY ALL") == kept.sql("FROM field_values ORDER BY ALL")
    assert trimmed.sql("FROM field_changes ORDER BY ALL") == kept.sql("FROM field_changes ORDER BY ALL")
    assert {row["sha256"] for row in trimmed.sql("SELECT sha256 FROM blobs")} == files(trimmed)
    assert files(trimmed) < files(kept)
    check_changes(trimmed)
    check_states(trimmed)


def check_changes(world: World) -> None:
    """Both sides of every change are there, and its diff can be read."""
    changes = world.sql(
        "SELECT c.diff_sha256, v.body_sha256 AS new, r.body_sha256 AS old FROM changes c"
        " JOIN (SELECT DISTINCT page_id, visit_no, reference_visit_no FROM judgements) j USING (page_id, visit_no)"
        " JOIN visits v USING (page_id, visit_no)"
        " JOIN visits r ON r.page_id = j.page_id AND r.visit_no = j.reference_visit_no"
    )
    assert changes
    blobs = BlobStore(world.root / "data")
    for row in changes:
        decode_diff(blobs.get(row["diff_sha256"]))
        assert blobs.get(row["old"]) != blobs.get(row["new"])


def test_of_noise_only_reference_baseline_and_the_first_body_stay(world: World) -> None:
    world.watch(page=noisy(0))
    for number in range(1, 6):
        world.step(page=noisy(number))
    world.clock.advance(timedelta(hours=25))
    report = retain(world.engine())
    # of four superseded visits body, blocks and normalised blocks; of the two that stay the blocks as they were read
    assert (report.blobs, report.pinned, report.blocks) == (4 * 3 + 2, 1, 4)
    assert body_names(world) == {sha256_of(noisy(0)), sha256_of(noisy(5))}
    assert world.sql("SELECT count(blocks) AS n FROM fingerprints") == [{"n": 2}]
    assert report.freed > 0


def test_what_was_stored_within_a_day_is_spared(world: World) -> None:
    world.watch(page=noisy(0))
    for number in (1, 2):
        world.step(page=noisy(number))
    world.clock.advance(timedelta(hours=12))
    assert retain(world.engine()).blobs == 0
    world.clock.advance(timedelta(hours=1))
    assert retain(world.engine()).blobs == 1  # the first visit's blocks as they were read


def test_what_was_stored_again_within_a_day_is_spared(world: World) -> None:
    for number in (0, 1, 2):
        world.step(page=noisy(number))
    world.step(24, page=noisy(1))
    world.step(6, page=noisy(3))
    retain(world.engine())
    assert sha256_of(noisy(1)) in body_names(world)
    assert sha256_of(noisy(2)) not in body_names(world)


def test_run_again_it_finds_nothing_to_do(world: World) -> None:
    for number in range(5):
        world.step(page=noisy(number))
    world.step(page=text(14))
    world.step(900, page=text(15))
    assert retain(world.engine()).blobs > 0
    commits = world.sql("SELECT max(commit_no) AS n FROM commits")
    again = retain(world.engine())
    assert (again.blobs, again.orphans, again.blocks, again.pinned, again.freed) == (0, 0, 0, 0, 0)
    assert world.sql("SELECT max(commit_no) AS n FROM commits") == commits


def test_one_body_a_month_is_kept_as_an_audit_snapshot(world: World) -> None:
    world.watch(page=noisy(0))
    for number in range(1, 16):
        world.step(5 * DAY, page=noisy(number))
        if number % 4 == 0:
            retain(world.engine())
    retain(world.engine())
    pinned = world.sql(
        "SELECT v.visited_at FROM visits v JOIN blobs b ON b.sha256 = v.body_sha256 WHERE b.pin = 'audit' ORDER BY ALL"
    )
    months = [row["visited_at"].timestamp() // (30 * 86_400) for row in pinned]
    assert pinned[0]["visited_at"] == START
    assert months[1:] == [START.timestamp() // (30 * 86_400) + n for n in range(3)]


def test_the_interval_of_audit_snapshots_is_configured(world: World) -> None:
    (world.root / "quietdiff.yaml").write_text("retention: {audit: 5d}\n")
    world.watch(page=noisy(0))
    for number in range(1, 6):
        world.step(4 * DAY, page=noisy(number))
    assert retain(world.engine()).pinned == 4  # the first body is in force when the first interval begins


def test_evidence_goes_when_it_is_older_than_configured(world: World) -> None:
    (world.root / "quietdiff.yaml").write_text("retention: {evidence: 10d}\n")
    world.watch(page=noisy(0))
    for number in (1, 2):
        world.step(page=noisy(number))
    world.clock.advance(timedelta(days=9))
    assert retain(world.engine()).block_diffs == 0
    assert world.sql("SELECT count(block_diff) AS n FROM fingerprints") == [{"n": 2}]
    world.clock.advance(timedelta(days=2))
    assert retain(world.engine()).block_diffs == 2


def test_both_sides_of_a_change_stay_for_good_and_those_of_a_vanished_one_for_a_while(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.watch(page=text(30))
    world.step(page=text(14))  # waits
    world.step(0.1, page=text(14))  # confirmed
    world.step(page=text(7))  # waits
    world.step(0.1, page=text(14))  # vanished
    world.step(page=text(3))
    world.step(0.1, page=text(3))
    assert [row[3] for row in world.results()].count("vanished") == 1
    world.clock.advance(timedelta(days=100))
    retain(world.engine())
    assert sha256_of(text(7)) in body_names(world)
    shown = ["diff", "v1-4", "--project", str(world.root)]
    assert run(app, shown, {}, clock=world.clock) == 0
    world.clock.advance(timedelta(days=300))
    assert retain(world.engine()).released > 0
    assert body_names(world) == {sha256_of(text(days)) for days in (30, 14, 3)}
    check_changes(world)
    assert run(app, shown, {}, clock=world.clock) == 2
    assert "v1-4 vanished at the second look, and its diff went as `retention.evidence`" in capsys.readouterr().err


def test_a_hold_is_never_let_go_of(world: World) -> None:
    world.watch(page=noisy(0))
    world.step(page=noisy(1))
    engine = world.engine()
    with engine.warehouse.session() as session, session.transaction(stage="t", run_id="t", now=START) as transaction:
        transaction.execute("pin_blobs", batch=[{"sha256": sha256_of(noisy(1))}], pin="hold")
        transaction.execute("pin_blobs", batch=[{"sha256": sha256_of(noisy(1))}], pin="change")
    world.step(page=noisy(2))
    world.clock.advance(timedelta(days=1000))
    retain(world.engine())
    assert sha256_of(noisy(1)) in body_names(world)


def test_a_visit_that_is_not_judged_keeps_its_body_however_old(world: World) -> None:
    world.watch(page=noisy(0))
    world.clock.advance(timedelta(hours=6))
    world.fetcher.answers["page"] = text(14)
    fetch(world.engine(), world.part())
    world.clock.advance(timedelta(days=1000))
    retain(world.engine())
    world.step(page=text(14))
    assert world.kinds()[:2] == [None, "content"]


def test_of_ledgers_older_than_a_week_the_last_of_each_month_stays(world: World) -> None:
    engine = world.engine()
    now = world.clock.now()
    days = [now.date() - timedelta(days=back) for back in (500, 70, 69, 40, 39, 9, 7, 6, 0)]
    with engine.warehouse.session() as session, session.transaction(stage="classify", run_id="a", now=now) as writing:
        rows = [
            {"set_id": 0, "page_id": page, "day": day, "visit_no": n, "detector_version": 1, "state": b"x"}
            for page in (1, 2)
            for n, day in enumerate(days)
        ]
        writing.insert("ledger_states", rows)
    report = retain(engine)
    kept = world.sql("SELECT day FROM ledger_states WHERE page_id = 1 ORDER BY day")
    months = {(day.year, day.month): day for day in days[1:6]}
    recent = {day for day in days if day >= now.date() - timedelta(days=8)}
    wanted = {day for day in months.values() if (day.year, day.month) not in {(d.year, d.month) for d in recent}}
    assert {row["day"] for row in kept} == wanted | recent
    assert report.ledgers == 2 * (len(days) - len(kept))
    assert retain(engine).ledgers == 0
