"""What the store weighs, and how long it takes to ask and to write.

Usage: python -m benchmarks.store [--visits 1000000] [--noise 3000] [--folder DIR]

Writes a history of visits that found nothing, then one of visits that showed noise through the real stages, into new
folders below DIR (default: the system's for temporary files; a folder in memory, such as /dev/shm, is quicker).
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.store.commits import compare_commits
from benchmarks.store.history import judged_run, make_engine, unchanged_run, write_history
from benchmarks.store.noise import NoisyPages, visit_noisy
from benchmarks.store.weights import file_bytes, show_growth, table_bytes, used_bytes
from pipeline.clock import SteppedClock
from pipeline.engine import Engine
from pipeline.upkeep import retain, sizes, vacuum

START = datetime(2025, 1, 1, tzinfo=UTC)
SITES, PAGES = 20, 50

NEWEST = "SELECT * FROM changes ORDER BY seen_at DESC LIMIT 100"
WEEK = "SELECT * FROM changes WHERE seen_at >= TIMESTAMPTZ '{since}' ORDER BY seen_at"


def unchanged(root: Path, visits: int) -> Engine:
    """Bytes of a visit that found nothing."""
    clock = SteppedClock(START)
    engine = make_engine(root, START, sites=SITES, pages=PAGES)
    before, tables, used = file_bytes(engine), table_bytes(engine), used_bytes(engine)
    begun = time.monotonic()
    write_history(engine, clock, visits, unchanged_run)
    print(f"{visits:,} visits that found nothing, {PAGES} a commit, written in {time.monotonic() - begun:.0f} s")
    print(f"  bytes a visit: {(file_bytes(engine) - before) / visits:.1f} of file (bar 16),", end=" ")
    print(f"{(used_bytes(engine) - used) / visits:.1f} without its free blocks; by table:")
    show_growth(tables, table_bytes(engine), visits)
    report = vacuum(engine, least_free=0, least_part=0)
    if report is not None:
        print(
            f"  {(report.after - before) / visits:.1f} after a vacuum, which held the database {report.seconds:.1f} s"
        )
    return engine


def asked(engine: Engine, visits: int) -> None:
    """Seconds of the questions people and schedules ask, once a twentieth more visits showed something."""
    clock = SteppedClock(START + timedelta(days=3650))
    write_history(engine, clock, max(visits // 20, PAGES * SITES), judged_run)
    now = clock.now() + timedelta(hours=5)
    engine.warehouse.publish(now, force=True)
    copy = engine.warehouse.published
    print(f"asked of {copy.query('SELECT count(*) AS n FROM visits').to_pylist()[0]['n']:,} visits, seconds (bar 1):")
    week = WEEK.format(since=(now - timedelta(days=7)).isoformat())
    _show("status", lambda: copy.rows("select_status"))
    _show("changes, the newest 100", lambda: copy.query(NEWEST))
    _show("changes of a week", lambda: copy.query(week))
    with engine.warehouse.session() as session:
        scope = [{"site": site} for site in engine.project.sites]
        pages = [{"page_id": page_id} for page_id in range(1, PAGES + 1)]
        _show("sites that are due", lambda: session.rows("select_due_sites", now=now + timedelta(days=1)))
        _show("pages that are due", lambda: session.rows("select_due", batch=scope, now=now, manual=False))
        with session.transaction(stage="fetch", run_id="benchmark", now=now) as transaction:
            transaction.execute("claim_pages", batch=pages, until=now, run_id="benchmark")
        _show("50 claimed pages", lambda: session.rows("select_claimed", batch=pages, run_id="benchmark"))


def _show(what: str, ask: Callable[[], object]) -> None:
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        ask()
        times.append(time.perf_counter() - begun)
    print(f"    {what:<24} {min(times):6.3f}  (first {times[0]:.3f})")


def noisy(root: Path, visits: int) -> None:
    """Bytes of a visit that showed only noise, after retention."""
    clock = SteppedClock(START)
    pages = NoisyPages(clock, 20_000)
    engine = make_engine(root, START, sites=1, pages=PAGES, fetcher=pages)
    object.__setattr__(engine, "clock", clock)
    visit_noisy(engine, clock, pages, 1)
    before, tables, used = file_bytes(engine), table_bytes(engine), used_bytes(engine)
    blobs = sizes(engine.project).blobs
    rounds = max(visits // PAGES, 1)
    begun = time.monotonic()
    visit_noisy(engine, clock, pages, rounds)
    print(f"{rounds * PAGES:,} visits that showed noise, through all stages in {time.monotonic() - begun:.0f} s")
    print(
        f"  blobs, bytes a visit: {(sizes(engine.project).blobs - blobs) / rounds / PAGES:.0f} before retention,",
        end=" ",
    )
    clock.advance(timedelta(days=2))
    begun = time.monotonic()
    report = retain(engine)
    print(f"{(sizes(engine.project).blobs - blobs) / rounds / PAGES:.0f} after it ({time.monotonic() - begun:.1f} s)")
    print(f"  {report}")
    print(f"  database, bytes a visit: {(file_bytes(engine) - before) / rounds / PAGES:.0f} of file,", end=" ")
    print(f"{(used_bytes(engine) - used) / rounds / PAGES:.0f} without its free blocks (bar 600); by table:")
    show_growth(tables, table_bytes(engine), rounds * PAGES)
    vacuum(engine, least_free=0, least_part=0)
    print(f"  {(file_bytes(engine) - before) / rounds / PAGES:.0f} after a vacuum; by table:")
    show_growth(tables, table_bytes(engine), rounds * PAGES)


def commits(root: Path) -> None:
    """How much quicker one Arrow batch is than row by row."""
    times = compare_commits(root)
    batch = times["batch"]
    print(f"a commit of 1,000 visits as one Arrow batch: {batch * 1000:.1f} ms; the same row by row (bar 100):")
    for name in ("numbered", "autocommit", "executemany"):
        print(f"    {name:<12} {times[name] / batch:6.0f} times that")


def main() -> None:
    """Run all four."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=1_000_000)
    parser.add_argument("--noise", type=int, default=3_000)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as disk:  # never in memory: what a commit costs is waiting for the disk
        commits(Path(disk))
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        root = Path(folder)
        noisy(root / "noise", given.noise)
        asked(unchanged(root / "history", given.visits), given.visits)


if __name__ == "__main__":
    main()
