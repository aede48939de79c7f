"""Migrations, and what the schema promises."""

import re
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from pipeline import model
from pipeline.errors import StoreDamagedError, StoreNewerError
from pipeline.warehouse import Warehouse
from pipeline.warehouse.migrate import migrate
from pipeline.warehouse.statements import migrations
from tests.engine.warehouse.conftest import names, write


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
    (number, name, text), *later = migrations()
    with duckdb.connect(tmp_path / "x.duckdb") as connection:
        migrate(connection, tmp_path / "x.duckdb")
        with pytest.raises(StoreDamagedError, match=name):
            migrate(connection, tmp_path / "x.duckdb", known=[(number, name, text + "-- edited"), *later])


def test_a_migration_that_fails_half_way_leaves_the_version_before(tmp_path: Path) -> None:
    bad = (len(migrations()) + 1, "0999_bad.sql", "CREATE TABLE half (x INTEGER); SELECT nonsense FROM nowhere;")
    with duckdb.connect(tmp_path / "x.duckdb") as connection:
        with pytest.raises(duckdb.Error):
            migrate(connection, tmp_path / "x.duckdb", known=[*migrations(), bad])
        tables = {row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        done = connection.execute("SELECT max(migration_no) FROM schema_migrations").fetchone()
    assert "half" not in tables
    assert done == (len(migrations()),)


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


def test_the_views_are_those_people_rely_on(schema: duckdb.DuckDBPyConnection) -> None:
    views = {row[0] for row in schema.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()}
    assert views == {
        *(
            "visit_results",
            "changes",
            "price_history",
            "current_values",
            "kind_rates",
            "calibration_log",
            "site_events",
        ),
    }


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
    """As the last migration says that names the column, or else the first `one|two|three` of the column's comment."""
    table, column = name.split(".")
    later = re.findall(rf"^-- {name}: (\S+)$", "\n".join(text for _, _, text in migrations()), re.MULTILINE)
    if later:
        assert set(later[-1].split("|")) == {word.value for word in VOCABULARIES[name]}
        return
    lines = migrations()[0][2].split(f"CREATE TABLE {table} ", 1)[1].splitlines()
    start = next(n for n, line in enumerate(lines) if line.split()[:1] == [column])
    comment = [lines[start].split("--", 1)[1]]
    comment += [line.strip("- ") for line in takewhile(lambda line: line.strip().startswith("--"), lines[start + 1 :])]
    listed = re.search(r"[a-z0-9_]+(?:\| ?[a-z0-9_]+)+", " ".join(comment))
    assert listed is not None
    assert {word.strip() for word in listed[0].split("|")} == {word.value for word in VOCABULARIES[name]}


def test_a_batch_of_rows_keeps_its_types(warehouse: Warehouse) -> None:
    with warehouse.session() as session:
        table = session.table("select_sites")
    assert table.schema.field("first_seen_at").type == pa.timestamp("us", tz="UTC")
    assert table.schema.field("active").type == pa.bool_()
