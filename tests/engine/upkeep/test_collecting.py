"""Files go after their rows, whoever dies, reads or writes meanwhile."""

from datetime import timedelta
from pathlib import Path

import pytest

from pipeline import steps
from pipeline.blobs import BlobStore
from pipeline.engine import fetch
from pipeline.upkeep import retain, retention
from pipeline.upkeep.lease import keeping_blobs
from tests.engine.engine.conftest import STAGES, World
from tests.engine.upkeep.shop import age_files, check_states, files, make_world, noisy, text


class Killed(BaseException):
    """The process dies."""


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path)


def test_nothing_is_collected_while_a_backup_reads(world: World) -> None:
    for number in range(4):
        world.step(page=noisy(number))
    world.clock.advance(timedelta(days=10))
    before = files(world)
    with keeping_blobs(world.root / "data", wait_s=0):
        report = retain(world.engine())
    assert (report.collected, report.blobs, files(world)) == (False, 0, before)
    assert retain(world.engine()).blobs == 8


def test_killed_between_rows_and_files_only_files_are_left_over_and_go_later(world: World) -> None:
    for number in range(4):
        world.step(page=noisy(number))
    world.clock.advance(timedelta(days=10))

    def kill(point: str) -> None:
        if point == "before remove blobs":
            raise Killed

    steps.listen(kill)
    try:
        with pytest.raises(Killed):
            retain(world.engine())
    finally:
        steps.listen(None)
    rows = {row["sha256"] for row in world.sql("SELECT sha256 FROM blobs")}
    assert len(files(world) - rows) == 8
    assert rows <= files(world)
    assert retain(world.engine()).orphans == 0  # younger than a day
    age_files(world, 25)
    assert retain(world.engine()).orphans == 8
    assert files(world) == rows


def test_what_a_killed_write_left_goes_when_it_is_a_day_old(world: World) -> None:
    world.watch(page=noisy(0))
    [left] = [(world.root / "data" / "blobs" / "ab" / "cd.zst.7.tmp")]
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"half")
    retain(world.engine())
    assert left.exists()
    age_files(world, 25)
    assert retain(world.engine()).freed == 4
    assert not left.exists()


class Meanwhile(BlobStore):
    """Lets retention run between the moment a content is stored and the moment its row is written."""

    def __init__(self, world: World) -> None:
        super().__init__(world.root / "data")
        self.world = world
        self.reports: list[retention.RetentionReport] = []

    def put_many(self, contents):
        stored = super().put_many(contents)
        age_files(self.world, 25)
        self.reports.append(retain(self.world.engine()))
        return stored


@pytest.mark.parametrize("stage", range(1, 4), ids=["extract", "normalize", "classify"])
def test_a_content_stored_again_while_it_is_collected_is_not_lost(world: World, stage: int) -> None:
    for days in (30, 14, 14, 30, 30, 14, 14, 30, 30):
        world.step(page=text(days))
    world.clock.advance(timedelta(days=500))
    world.fetcher.answers["page"] = text(14)
    fetch(world.engine(), world.part())
    stages = {1: STAGES[0], 2: STAGES[1], 3: STAGES[3]}
    for each in STAGES:
        engine = world.engine()
        if each is stages[stage]:
            meanwhile = Meanwhile(world)
            object.__setattr__(engine, "blobs", meanwhile)
        each(engine, world.part())
    assert meanwhile.reports
    assert {row["sha256"] for row in world.sql("SELECT sha256 FROM blobs")} <= files(world)
    check_states(world)
