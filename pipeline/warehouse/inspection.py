"""Looking at a database file without changing a byte of it: no migration, no checkpoint, no commit."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb

from pipeline.durable import replace_durably
from pipeline.errors import StoreBusyError, StoreDamagedError
from pipeline.warehouse.keys import Key, Reference
from pipeline.warehouse.lock import holding
from pipeline.warehouse.statements import migrations, statement

__all__ = ["Inspection", "Schema", "acknowledge", "inspecting", "inspecting_live", "packaged_schema"]

Schema = dict[str, dict[str, str]]
"""The type of every column, by table and column."""

FEW = 3
"""Examples that a message names."""


class Inspection:
    """A database opened only for reading."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._db = connection
        self._path = path

    def schema(self) -> Schema:
        """The tables and their columns."""
        return _schema(self._db)

    def read_whole(self, table: str) -> int:
        """Read every value of a table; how many rows it has.

        Raises:
            StoreDamagedError: A part of it cannot be read.
        """
        try:
            rows = self._db.table(table).set_alias("t").aggregate("count(*), bit_xor(hash(t))").fetchone()
        except duckdb.Error as error:
            raise StoreDamagedError(f"{self._path}: table {table} cannot be read: {_line(error)}") from error
        return int(rows[0]) if rows else 0

    def shared(self, key: Key) -> tuple[int, list[tuple[Any, ...]]]:
        """How many values of a key more than one row has, and a few of them."""
        rows = self._db.table(key.table)
        names = ", ".join(key.columns)
        counted = (rows.filter("active") if key.active_only else rows).aggregate(f"{names}, count(*) AS times", names)
        return _counted(counted.filter("times > 1").project(names))

    def unresolved(self, reference: Reference) -> tuple[int, list[tuple[Any, ...]]]:
        """How many values name no row of the other table, and a few of them."""
        names = ", ".join(reference.columns)
        wanted = f"{reference.columns[-1]} IS NOT NULL"
        if reference.parent_columns[-1] == "visit_no":
            wanted += f" AND {reference.columns[-1]} > 0"
        rows = self._db.table(reference.table).filter(wanted).project(names).distinct().set_alias("child")
        pairs = zip(reference.columns, reference.parent_columns, strict=True)
        same = " AND ".join(f"child.{mine} = parent.{theirs}" for mine, theirs in pairs)
        return _counted(rows.join(self._db.table(reference.parent).set_alias("parent"), same, how="anti"))

    def rows(self, name: str) -> list[tuple[Any, ...]]:
        """What `sql/<name>.sql` yields."""
        return self._db.execute(statement(name)).fetchall()

    def commits(self) -> tuple[int, int]:
        """(the highest commit number, how many different ones from 1 are held); (0, 0) if none."""
        [(highest, count)] = self.rows("select_commit_range")
        return int(highest), int(count)

    def migrations(self) -> list[tuple[int, str, str, datetime]]:
        """What was run on it: number, file name, SHA-256, when; in order."""
        return [(int(no), str(name), str(sha), at) for no, name, sha, at in self.rows("select_migrations_run")]


@contextmanager
def inspecting(path: Path) -> Iterator[Inspection]:
    """A database file that nobody writes to, such as a copy.

    Raises:
        StoreBusyError: Somebody has it open for writing.
        StoreDamagedError: It cannot be opened or read.
    """
    try:
        with duckdb.connect(path, read_only=True, config={"threads": 2, "memory_limit": "1GB"}) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            yield Inspection(connection, path)
    except duckdb.Error as error:
        if "Conflicting lock" in str(error):
            raise StoreBusyError(path, holder=_line(error), since=None, waited_s=0) from error
        raise StoreDamagedError(f"{path}: cannot be read: {_line(error)}") from error


@contextmanager
def inspecting_live(path: Path, *, wait_s: float, command: str) -> Iterator[Inspection]:
    """The live database, in its turn; as `inspecting`.

    Args:
        path: The file.
        wait_s: Seconds to wait for another holder.
        command: What this process is doing, for whoever waits.
    """
    with holding(path, wait_s=wait_s, command=command), inspecting(path) as inspection:
        yield inspection


def packaged_schema() -> Schema:
    """The tables and columns that this version's migrations make."""
    with duckdb.connect() as connection:
        for _, _, text in migrations():
            connection.execute(text)
        return _schema(connection)


def acknowledge(path: Path, commit_no: int) -> None:
    """Write the high-water file of a database anew, durably; the lock is held already."""
    replace_durably({path.with_suffix(".hwm"): lambda to: to.write_text(str(commit_no), encoding="ascii")})


def _schema(connection: duckdb.DuckDBPyConnection) -> Schema:
    tables: Schema = {}
    for table, column, data_type in connection.execute(statement("select_schema")).fetchall():
        tables.setdefault(table, {})[column] = data_type
    return tables


def _counted(rows: duckdb.DuckDBPyRelation) -> tuple[int, list[tuple[Any, ...]]]:
    counted = rows.count("*").fetchone()
    count = int(counted[0]) if counted else 0
    return count, rows.limit(FEW).fetchall() if count else []


def _line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
