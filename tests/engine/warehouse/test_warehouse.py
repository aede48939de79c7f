"""The live database: turns, transactions, migrations, the published copy."""

import re
import subprocess
import sys
import threading
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from pipeline import model
from pipeline.errors import StoreBusyError, StoreDamagedError, StoreNewerError, UsageError
from pipeline.warehouse import Warehouse
from pipeline.warehouse.migrate import migrate
from pipeline.warehouse.session import read_high_water
from pipeline.warehouse.statements import migrations

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def site(name: str) -> dict:
    return {"site": name, "active": True, "time_zone": "UTC", "config_sha256": "0", "first_seen_at": NOW}


def write(warehouse: Warehouse, *names: str) -> int:
    with warehouse.session() as session, session.transaction(stage="config", run_id="r", now=NOW) as transaction:
        transaction.insert("sites", [site(name) for name in names])
        return transaction.commit_no


def names(warehouse: Warehouse) -> set[str]:
    with warehouse.session() as session:
        return {row["site"] for row in session.rows("select_sites")}


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path, wait_s=5, command="a test")


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


def test_a_database_with_fewer_commits_than_acknowledged_is_not_used(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    warehouse.path.with_suffix(".hwm").write_text("7")
    with pytest.raises(StoreDamagedError, match=r"holds 1 commits but 7 were acknowledged"):
        names(warehouse)


def test_a_database_of_a_newer_version_is_refused_and_untouched(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    newer = (
        "import duckdb, os, sys\nc = duckdb.connect(sys.argv[1])\n"
        "c.execute(\"INSERT INTO schema_migrations VALUES (999, '0999_later.sql', 'x', now(), '9')\")\nos._exit(0)"
    )
    subprocess.run([sys.executable, "-c", newer, str(warehouse.path)], check=True)  # died: its WAL is pending
    files = (warehouse.path, warehouse.path.with_name(warehouse.path.name + ".wal"))
    before = [file.read_bytes() for file in files]
    with pytest.raises(StoreNewerError, match="newer Quietdiff"):
        names(warehouse)
    assert [file.read_bytes() for file in files] == before


def test_a_migration_that_was_edited_after_it_ran_is_refused(tmp_path: Path) -> None:
    [(number, name, text)] = migrations()[:1]
    with duckdb.connect(tmp_path / "x.duckdb") as connection:
        migrate(connection, tmp_path / "x.duckdb")
        with pytest.raises(StoreDamagedError, match=name):
            migrate(connection, tmp_path / "x.duckdb", known=[(number, name, text + "-- edited")])


def test_a_migration_that_fails_half_way_leaves_the_version_before(tmp_path: Path) -> None:
    bad = (len(migrations()) + 1, "0999_bad.sql", "CREATE TABLE half (x INTEGER); SELECT nonsense FROM nowhere;")
    with duckdb.connect(tmp_path / "x.duckdb") as connection:
        with pytest.raises(duckdb.Error):
            migrate(connection, tmp_path / "x.duckdb", known=[*migrations(), bad])
        tables = {row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        done = connection.execute("SELECT max(migration_no) FROM schema_migrations").fetchone()
    assert "half" not in tables
    assert done == (len(migrations()),)


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


# ── the published copy ───────────────────────────────────────────────────────


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


def test_an_open_reader_keeps_its_copy_and_blocks_nobody(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    warehouse.publish(NOW, force=True)
    with duckdb.connect(warehouse.published.path, read_only=True) as reader:
        write(warehouse, "b")
        warehouse.publish(NOW, force=True)
        assert reader.execute("SELECT count(*) FROM sites").fetchone() == (1,)
    assert warehouse.published.query("SELECT count(*) AS n FROM sites").to_pylist() == [{"n": 2}]


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


# ── the schema ───────────────────────────────────────────────────────────────


@pytest.fixture
def schema() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for _, _, text in migrations():
        connection.execute(text)
    return connection


def test_every_view_column_is_commented(schema: duckdb.DuckDBPyConnection) -> None:
    bare = schema.execute(
        "SELECT c.table_name, c.column_name FROM duckdb_columns() c JOIN duckdb_views() v ON v.view_name = c.table_name "
        "WHERE NOT v.internal AND c.comment IS NULL"
    ).fetchall()
    assert bare == []


def test_the_views_people_rely_on_are_there(schema: duckdb.DuckDBPyConnection) -> None:
    views = {row[0] for row in schema.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()}
    assert {"visit_results", "changes", "price_history", "kind_rates", "calibration_log"} <= views


VOCABULARIES = {
    "visits.purpose": model.Purpose,
    "visits.outcome": model.Outcome,
    "judgements.quality": model.Quality,
    "judgements.kind": model.Kind,
    "judgements.kind_reason": model.KindReason,
    "judgements.confirmation": model.Confirmation,
    "field_values.field_type": model.FieldType,
    "field_values.field_state": model.FieldState,
    "field_changes.change_type": model.ChangeType,
    "review_items.cause": model.ReviewCause,
    "pages.page_role": model.PageRole,
}


@pytest.mark.parametrize("name", VOCABULARIES)
def test_closed_vocabularies_are_the_words_of_the_model(name: str) -> None:
    table, column = name.split(".")
    lines = migrations()[0][2].split(f"CREATE TABLE {table} ", 1)[1].splitlines()
    start = next(n for n, line in enumerate(lines) if line.split()[:1] == [column])
    comment = [lines[start].split("--", 1)[1]]
    for line in lines[start + 1 :]:
        if not line.strip().startswith("--"):
            break
        comment.append(line)
    words = set(re.findall(r"[a-z0-9_]+", " ".join(comment)))
    assert {word.value for word in VOCABULARIES[name]} <= words


def test_a_batch_of_rows_keeps_its_types(warehouse: Warehouse) -> None:
    with warehouse.session() as session:
        table = session.table("select_sites")
    assert table.schema.field("first_seen_at").type == pa.timestamp("us", tz="UTC")
    assert table.schema.field("active").type == pa.bool_()
    assert date(2026, 3, 2) == NOW.date()
