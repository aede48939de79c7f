"""The copy that analysts read."""

import errno
import os
import shutil
import stat
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from pipeline.errors import StoreFullError, UsageError
from pipeline.warehouse import Warehouse
from tests.engine.warehouse.conftest import NOW, site, write


def test_nothing_published_yet_says_what_to_do(warehouse: Warehouse) -> None:
    with pytest.raises(UsageError, match="quietdiff visit"):
        warehouse.published.query("SELECT 1")


def test_the_copy_is_made_at_its_interval_or_when_forced(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    assert warehouse.publish(NOW)
    assert not warehouse.publish(NOW + timedelta(seconds=59))
    assert warehouse.publish(NOW + timedelta(seconds=59), force=True)
    assert warehouse.publish(NOW + timedelta(hours=1))
    assert warehouse.publish(NOW - timedelta(days=1))  # the clock went back: better one copy too many than none


def test_a_copy_that_took_long_is_made_less_often(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    warehouse.publish(NOW, force=True)
    warehouse.published.note(NOW, 30.0, 1)
    assert not warehouse.publish(NOW + timedelta(seconds=599))
    assert warehouse.publish(NOW + timedelta(seconds=600))


def test_what_was_committed_while_the_copy_was_young_is_caught_up_with(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    assert warehouse.publish(NOW)
    assert not warehouse.catch_up(NOW + timedelta(hours=1))  # nothing new: the database is not even opened
    write(warehouse, "b")
    assert not warehouse.publish(NOW + timedelta(seconds=10))
    assert not warehouse.catch_up(NOW + timedelta(seconds=50))
    assert warehouse.catch_up(NOW + timedelta(seconds=70))
    assert warehouse.published.query("SELECT count(*) AS n FROM sites").to_pylist() == [{"n": 2}]


def test_each_copy_is_a_file_of_its_own_that_takes_the_place_of_the_one_before(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    with ExitStack() as stack:  # held open, so that no number of a file that is gone comes back
        inodes = []
        for _ in range(3):
            warehouse.publish(NOW, force=True)
            inodes.append(os.fstat(stack.enter_context(warehouse.published.path.open("rb")).fileno()).st_ino)
    assert len(set(inodes)) == 3
    assert {path.name for path in warehouse.published.path.parent.iterdir()} == {"quietdiff.duckdb", "quietdiff.json"}


def test_nobody_may_write_the_copy_and_whoever_could_read_it_still_can(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    for _ in range(2):  # the second takes the place of one that may not be written
        left = warehouse.published.path.with_name(f"quietdiff.duckdb.{os.getpid()}.tmp")
        left.parent.mkdir(exist_ok=True)
        left.touch(0o444)  # by a killed process of our number
        warehouse.publish(NOW, force=True)
        mode, live = (stat.S_IMODE(path.stat().st_mode) for path in (warehouse.published.path, warehouse.path))
        assert mode == live & ~0o222


def test_an_open_reader_keeps_its_rows_and_blocks_nobody(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    warehouse.publish(NOW, force=True)
    held = warehouse.published.path.read_bytes()
    with (
        duckdb.connect(warehouse.published.path, read_only=True) as reader,
        warehouse.published.path.open("rb") as file,
    ):
        write(warehouse, *(f"b{number}" for number in range(5000)))
        warehouse.publish(NOW, force=True)
        assert reader.execute("SELECT site FROM sites").fetchall() == [("a",)]
        assert file.read() == held
    assert warehouse.published.query("SELECT count(*) AS n FROM sites").to_pylist() == [{"n": 5001}]


def test_a_copy_that_fails_half_way_leaves_the_one_before(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    write(warehouse, "a")
    warehouse.publish(NOW, force=True)
    write(warehouse, "b")
    monkeypatch.setattr(shutil, "copyfile", half)
    with pytest.raises(StoreFullError, match="No space left"):
        warehouse.publish(NOW, force=True)
    assert warehouse.published.query("SELECT site FROM sites").to_pylist() == [{"site": "a"}]
    assert not list(warehouse.published.path.parent.glob("*.tmp"))


def test_the_copy_can_be_read_while_a_run_writes(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    warehouse.publish(NOW, force=True)
    with warehouse.session() as session, session.transaction(stage="config", run_id="r", now=NOW) as transaction:
        transaction.insert("sites", [site("b")])
        assert warehouse.published.frame("SELECT site FROM sites")["site"].tolist() == ["a"]


def test_wrong_sql_is_the_askers_fault_and_the_copy_cannot_be_written(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    warehouse.publish(NOW, force=True)
    for sql in ("SELEC 1", "SELECT nope FROM sites", "DELETE FROM sites"):
        with pytest.raises(UsageError, match="SQL"):
            warehouse.published.query(sql)
