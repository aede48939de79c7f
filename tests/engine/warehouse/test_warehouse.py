"""The live database: turns, and transactions that are numbered."""

import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.errors import StoreBusyError
from pipeline.warehouse import Warehouse
from pipeline.warehouse.session import read_high_water
from tests.engine.warehouse.conftest import NOW, names, site, write


def test_instants_come_back_aware_and_in_utc(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    with warehouse.session() as session:
        [row] = session.rows("select_sites")
    assert row["first_seen_at"] == NOW
    assert row["first_seen_at"].utcoffset() == timedelta(0)


def test_commits_are_numbered_densely_and_acknowledged_on_disk(warehouse: Warehouse) -> None:
    assert [write(warehouse, name) for name in "abc"] == [1, 2, 3]
    assert read_high_water(warehouse.path) == 3


def test_a_transaction_that_raises_leaves_nothing_and_takes_no_number(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    with (
        pytest.raises(RuntimeError, match="boom"),
        warehouse.session() as session,
        session.transaction(stage="config", run_id="r", now=NOW) as transaction,
    ):
        transaction.insert("sites", [site("b")])
        raise RuntimeError("boom")
    assert names(warehouse) == {"a"}
    assert write(warehouse, "c") == 2


def test_a_transaction_without_rows_is_not_numbered(warehouse: Warehouse) -> None:
    with warehouse.session() as session, session.transaction(stage="fetch", run_id="r", now=NOW):
        pass
    assert write(warehouse, "a") == 1


def test_an_unknown_column_is_refused_and_rolled_back(warehouse: Warehouse) -> None:
    with pytest.raises(ValueError, match="no column"):
        with warehouse.session() as session, session.transaction(stage="config", run_id="r", now=NOW) as transaction:
            transaction.insert("sites", [site("a"), {"sitee": "b"}])
    assert names(warehouse) == set()


def test_another_process_is_waited_for_then_named(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pipeline.warehouse import Warehouse\n"
        "with Warehouse(Path(sys.argv[1]), command='the other run').session(): print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(StoreBusyError, match=rf"process {holder.pid} \(the other run\).*waited 0\.2 s"):
            write(Warehouse(tmp_path, wait_s=0.2), "a")
        holder.communicate("\n")
    assert write(Warehouse(tmp_path, wait_s=5), "a") == 1


def test_a_stranger_who_opened_the_live_file_is_named_too(tmp_path: Path) -> None:
    write(Warehouse(tmp_path), "a")
    code = "import sys, duckdb\nc = duckdb.connect(sys.argv[1]); print('held', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "quietdiff.duckdb")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(StoreBusyError, match=f"process {holder.pid} .*opened the live file itself"):
            names(Warehouse(tmp_path, wait_s=0.2))
        holder.communicate("\n")


def test_writers_in_turn_lose_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from datetime import datetime, UTC\n"
        "from pipeline.warehouse import Warehouse\n"
        "now = datetime(2026, 3, 2, tzinfo=UTC)\n"
        "for n in range(8):\n"
        "    with Warehouse(Path(sys.argv[1])).session() as s:\n"
        "        with s.transaction(stage='config', run_id='r', now=now) as t:\n"
        "            t.insert('sites', [dict(site=f'{sys.argv[2]}{n}', active=True, time_zone='UTC',"
        " config_sha256='0', first_seen_at=now)])\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name]) for name in "abc"]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    assert len(names(Warehouse(tmp_path))) == 24
    assert read_high_water(tmp_path / "quietdiff.duckdb") == 24


def test_threads_of_one_process_take_turns(warehouse: Warehouse) -> None:
    threads = [threading.Thread(target=write, args=(warehouse, name)) for name in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names(warehouse) == set("abcdef")
