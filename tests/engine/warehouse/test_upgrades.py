"""Databases of older versions: every one of them opens, and an upgrade that dies leaves the one it found."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard

from pipeline.warehouse import Warehouse
from pipeline.warehouse.migrate import migrate
from pipeline.warehouse.statements import migrations

SAVED = sorted((Path(__file__).parent / "saved").glob("*.duckdb.zst"))
"""Databases as versions of their time left them, with a small site's history; kept for good."""

Column = tuple[str, str, str, bool]


def columns(connection: duckdb.DuckDBPyConnection) -> list[Column]:
    sql = "SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns() WHERE NOT internal ORDER BY ALL"
    return connection.execute(sql).fetchall()


def counts(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    tables = connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()
    return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone() for (name,) in tables}


@pytest.fixture
def newest() -> list[Column]:
    connection = duckdb.connect()
    migrate(connection, Path("in memory"))
    return columns(connection)


@pytest.mark.parametrize("done", range(len(migrations())))
def test_every_older_version_is_brought_up_to_date(tmp_path: Path, newest: list[Column], done: int) -> None:
    path = tmp_path / "x.duckdb"
    with duckdb.connect(path) as connection:
        migrate(connection, path, known=migrations()[:done] or ())
        migrate(connection, path)
        assert columns(connection) == newest


@pytest.mark.parametrize("saved", SAVED, ids=lambda file: file.name)
def test_a_saved_database_opens_with_all_it_holds(tmp_path: Path, newest: list[Column], saved: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.path.write_bytes(zstandard.ZstdDecompressor().decompress(saved.read_bytes()))
    with duckdb.connect(warehouse.path, read_only=True) as connection:
        before = counts(connection)
    with warehouse.session() as session:
        after = counts(session.connection)
        changes = session.connection.execute("SELECT page_name, kind FROM changes ORDER BY ALL").fetchall()
        prices = session.connection.execute("SELECT price::VARCHAR FROM price_history ORDER BY from_at").fetchall()
        assert columns(session.connection) == newest
    assert {name: after[name] for name in before if name != "schema_migrations"} == {
        name: count for name, count in before.items() if name != "schema_migrations"
    }
    assert changes == [("product", "field")] * 2 + [("terms", "content")] * 2
    assert [price for (price,) in prices] == ["89.00000000", "79.00000000", "89.00000000"]


def test_the_first_version_is_among_the_saved() -> None:
    assert SAVED[0].name == "0001.duckdb.zst"


DIES = """
import os, sys
from pathlib import Path
import duckdb
from pipeline.steps import listen
from pipeline.warehouse.migrate import migrate
from pipeline.warehouse.statements import migrations
number = len(migrations()) + 1
bad = (number, f"{number:04}_more.sql", "CREATE TABLE more (x INTEGER); INSERT INTO more SELECT range FROM range(100000);")
listen(lambda point: os._exit(9) if point == sys.argv[2].format(number) else None)
path = Path(sys.argv[1])
migrate(duckdb.connect(path), path, known=[*migrations(), bad])
"""


@pytest.mark.parametrize("point", ["after migrate {}", "before commit migration {}", "after commit migration {}"])
def test_an_upgrade_that_dies_leaves_the_version_before_or_the_one_after(tmp_path: Path, point: str) -> None:
    path = tmp_path / "x.duckdb"
    with duckdb.connect(path) as connection:
        migrate(connection, path)
    done = subprocess.run([sys.executable, "-c", DIES, str(path), point], check=False, env=os.environ)
    assert done.returncode == 9
    with duckdb.connect(path) as connection:
        there = "more" in counts(connection)
        version = connection.execute("SELECT max(migration_no) FROM schema_migrations").fetchone()
        rows = connection.execute("SELECT count(*) FROM more").fetchone() if there else None
    assert there == point.startswith("after commit")
    assert version == (len(migrations()) + there,)
    assert rows == ((100_000,) if there else None)
