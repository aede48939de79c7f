"""A disk without room in the middle of a run: what a person is told, and that the next run goes on."""

import errno
import os
import shutil
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.engine import fetch, fetching
from pipeline.errors import StoreFullError
from pipeline.steps import listen
from tests.engine.engine.conftest import STAGES, World, html
from tests.soak.history import world as world_of

THIRTY, FOURTEEN = html("<p>Return within 30 days.</p>"), html("<p>Return within 14 days.</p>")

Usage = namedtuple("Usage", "total used free")  # noqa: PYI024  (as shutil's own)


@pytest.fixture
def fail_at() -> Iterator[Callable[[str], list[str]]]:
    """Have the disk be full at the first durable step whose name holds some words."""
    met: list[str] = []

    def arm(words: str) -> list[str]:
        def hear(point: str) -> None:
            if point.startswith("before") and words in point and not met:
                met.append(point)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        listen(hear)
        return met

    yield arm
    listen(None)


@pytest.mark.parametrize("words", ["write", "fsync", "rename", "hwm", "write quietdiff.duckdb", "fsync folder"])
def test_a_disk_that_is_full_at_any_step_stops_the_run_and_the_next_goes_on(
    world: World, fail_at: Callable[[str], list[str]], words: str
) -> None:
    world.watch(page=THIRTY)
    met = fail_at(words)
    with pytest.raises(StoreFullError, match=r"no room to write.*Make room and run again"):
        world.step(page=FOURTEEN)
        world.engine().warehouse.publish(world.clock.now(), force=True)
    assert met
    listen(None)
    world.step(hours=7, page=FOURTEEN)
    world.step(hours=7, page=FOURTEEN)
    assert [row for row in world.results() if row[1] not in {None, "none"}] == [
        ("ok", "content", "unexplained", "confirmed")
    ]
    assert not list(world.root.glob("data/**/*.tmp"))


def test_below_the_floor_nothing_is_fetched_and_the_rest_is_still_done(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.fetcher.answers["page"] = THIRTY
    fetch(world.engine(), world.part())
    free = (fetching.ROOM_MB - 1) * 2**20
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12 - free, free))
    with pytest.raises(StoreFullError, match=r"no room to write \(99 MB free, and nothing is fetched below 100 MB\)"):
        fetch(world.engine(), world.part())
    assert len(world.fetcher.asked) == 1
    for stage in STAGES:
        stage(world.engine(), world.part())
    assert world.results() == [("ok", None, "first", "not_needed")]


FILLS = """
import sys
from pathlib import Path
from pipeline.engine import fetching
from pipeline.errors import StoreFullError
from tests.soak.history import world
from tests.engine.engine.conftest import html
fetching.ROOM_MB = 0
root, ballast = Path(sys.argv[1]), Path(sys.argv[1]) / "ballast"
ballast.write_bytes(b"x" * 4_000_000)
try:
    for n in range(100):
        made = world(root, n, 0)
        text = " ".join(str(hash((n, m))) for m in range(20_000))
        made.watch(terms=html(f"<p>{text}</p>"))
        made.engine().warehouse.publish(made.clock.now(), force=True)
        print("whole", n, flush=True)
except StoreFullError as error:
    print(error, flush=True)
ballast.unlink()
try:
    world(root, n, 1).watch()
    print("went on", flush=True)
except StoreFullError as error:
    print("again:", error, flush=True)
"""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 32 MB; where none may be mounted the steps above stand for it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["/bin/mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(disk)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no file system may be mounted here")
    yield disk
    subprocess.run(["/bin/umount", str(disk)], check=True)


def test_a_disk_that_fills_up_loses_nothing_and_goes_on_when_there_is_room(small_disk: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FILLS, str(small_disk)], check=True, capture_output=True, text=True, timeout=300
    )
    *whole, full, last = done.stdout.splitlines()
    assert len(whole) >= 2
    assert "no room to write (No space left on device)" in full
    assert last == "went on"
    rows = world_of(small_disk, 200, 0).sql("SELECT count(*) AS n FROM commits")
    assert rows[0]["n"] >= int((small_disk / "data/quietdiff.hwm").read_text())


def test_an_interrupted_fetch_lets_go_of_its_pages_and_keeps_what_it_has(world: World) -> None:
    world.write("one", "two")
    world.fetcher.answers |= {"one": THIRTY, "two": THIRTY}
    fetch_one = world.fetcher.fetch_all

    def interrupted(targets, done) -> None:
        fetch_one(targets[:1], done)
        raise KeyboardInterrupt

    world.fetcher.fetch_all = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        fetch(world.engine(), world.part())
    rows = world.sql("SELECT last_visit_no, claimed_by FROM page_state ORDER BY page_id")
    assert [(row["last_visit_no"], row["claimed_by"]) for row in rows] == [(1, None), (0, None)]
