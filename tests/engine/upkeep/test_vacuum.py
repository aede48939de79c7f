"""The database written anew: the same rows in a smaller file, whatever moment the process dies at."""

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.blobs import sha256_of
from pipeline.clock import SteppedClock
from pipeline.errors import StoreError
from pipeline.upkeep import vacuum
from pipeline.warehouse import rewriting
from tests.engine.engine.conftest import START, FakeFetcher, World, html
from tests.engine.engine.test_watch import product

POINTS = [
    f"{when} {what}"
    for what in ("write quietdiff.duckdb", "fsync quietdiff.duckdb", "rename quietdiff.duckdb", "fsync folder data")
    for when in ("before", "after")
]

DIES = """
import os, sys
from pathlib import Path
from pipeline.steps import listen
from pipeline.warehouse import Warehouse
listen(lambda point: os._exit(9) if point == sys.argv[2] else None)
Warehouse(Path(sys.argv[1])).vacuum(lambda size, free: True)
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A page with a price change, and a database most of whose rows were deleted again."""
    clock = SteppedClock(START)
    world = World(root=tmp_path, clock=clock, fetcher=FakeFetcher(clock))
    world.write("page", "other")
    world.watch(page=product("89.00"), other=html("<p>Cancel within 30 days.</p>"))
    world.step(page=product("79.00"), other=html("<p>Cancel within 14 days.</p>"))
    reading = {"visit_no": 1, "site": "shop", "day": START.date(), "rules_id": 1, "fingerprinted": True, "commit_no": 1}
    rows = [reading | {"page_id": n, "extract_json": f'"{sha256_of(f"{n}".encode())}"'} for n in range(40_000)]
    for write in ("insert", "delete"):
        with (
            world.engine().warehouse.session() as session,
            session.transaction(stage="t", run_id="t", now=START) as transaction,
        ):
            if write == "insert":
                transaction.insert("readings", rows)
            else:
                transaction.execute("delete_readings", batch=rows)
    return world


def contents(world: World) -> dict[str, list[tuple]]:
    """Every row of every table, as the published copy has them."""
    names = world.sql("SELECT table_name FROM duckdb_tables() ORDER BY ALL")
    return {
        row["table_name"]: [tuple(each.values()) for each in world.sql(f'FROM "{row["table_name"]}" ORDER BY ALL')]
        for row in names
    }


def comments(world: World) -> list:
    views = world.sql("SELECT view_name, comment FROM duckdb_views() WHERE NOT internal ORDER BY ALL")
    return views + world.sql("SELECT table_name, column_name, comment FROM duckdb_columns() ORDER BY ALL")


def test_every_row_of_every_table_is_there_in_a_smaller_file(world: World) -> None:
    before, said = contents(world), comments(world)
    report = vacuum(world.engine(), least_free=0, least_part=0)
    assert report is not None
    assert report.after < report.before
    assert report.after == (world.root / "data" / "quietdiff.duckdb").stat().st_size
    assert contents(world) == before
    assert comments(world) == said
    assert sum(map(len, before.values())) > 30
    assert not [path for end in ("tmp", "wal") for path in (world.root / "data").glob(f"*.{end}")]


def test_a_run_after_it_goes_on_with_the_next_commit(world: World) -> None:
    [before] = world.sql("SELECT max(commit_no) AS n FROM commits")
    vacuum(world.engine(), least_free=0, least_part=0)
    world.step(page=product("69.00"))
    [after] = world.sql("SELECT max(commit_no) AS n, count(*) AS rows FROM commits")
    assert after["n"] == after["rows"] > before["n"]
    assert world.kinds() == [None, "field", "field"]


def test_a_file_with_little_to_give_back_is_left_alone(world: World) -> None:
    file = world.root / "data" / "quietdiff.duckdb"
    before = file.stat()
    assert vacuum(world.engine()) is None
    assert vacuum(world.engine(), least_free=0, least_part=0.99) is None
    assert file.stat().st_ino == before.st_ino


def test_where_there_is_no_database_there_is_nothing_to_do(tmp_path: Path) -> None:
    clock = SteppedClock(START)
    world = World(root=tmp_path, clock=clock, fetcher=FakeFetcher(clock))
    world.write("page")
    assert vacuum(world.engine(), least_free=0, least_part=0) is None


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_any_point_no_commit_is_lost(world: World, point: str) -> None:
    before = contents(world)
    died = subprocess.run([sys.executable, "-c", DIES, world.root / "data", point], check=False)
    assert died.returncode == 9
    assert contents(world) == before
    vacuum(world.engine(), least_free=0, least_part=0)
    assert contents(world) == before


def test_a_copy_that_differs_is_not_used(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(world)
    monkeypatch.setattr(rewriting, "_COPY", "INSERT INTO fresh.{table} BY NAME FROM {table} LIMIT 1")
    with pytest.raises(StoreError, match="came out differently when written anew; the old file stays"):
        vacuum(world.engine(), least_free=0, least_part=0)
    assert contents(world) == before


def test_a_log_that_is_left_beside_a_file_stops_the_swap(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    write_anew = rewriting.write_anew

    def leaving(connection, target):
        write_anew(connection, target)
        target.with_name(f"{target.name}.wal").touch()

    monkeypatch.setattr("pipeline.warehouse.warehouse.write_anew", leaving)
    with pytest.raises(StoreError, match=r"\.wal: left over although its file was closed"):
        vacuum(world.engine(), least_free=0, least_part=0)
    assert world.kinds() == [None, "field"]
