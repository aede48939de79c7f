"""A turn at the open database: typed reads, and write transactions that are numbered."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from pipeline.durable import replace_durably
from pipeline.errors import StoreDamagedError
from pipeline.steps import step
from pipeline.warehouse.forks import check_process
from pipeline.warehouse.statements import statement

__all__ = ["Row", "Session", "Transaction", "read_high_water"]

Row = dict[str, Any]
"""One row by column name; instants are aware UTC datetimes."""


class Session:
    """An open connection, while the lock is held. Hold it only while working; never across HTTP or parsing.

    Attributes:
        commit_no: The highest commit that is held.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path, *, commit_no: int) -> None:
        self._db = connection
        self._path = path
        self.commit_no = commit_no  # the highest that is held; nobody else writes while we hold the lock
        self._schemas: dict[str, pa.Schema] = {}

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The open connection itself, for code that brings its own SQL; closed when the session ends."""
        return self._db

    def table(self, name: str, /, batch: Sequence[Mapping[str, Any]] | None = None, **parameters: Any) -> pa.Table:
        """Run `sql/<name>.sql` and return what it yields.

        Args:
            name: File name without `.sql`.
            batch: Rows the statement may join as the table `batch`; their columns take Arrow's inferred types.
            parameters: Values of the statement's `$named` parameters.
        """
        return self._run(name, batch, parameters)

    def rows(self, name: str, /, batch: Sequence[Mapping[str, Any]] | None = None, **parameters: Any) -> list[Row]:
        """The same as dictionaries; an empty `batch` yields no rows."""
        if batch is not None and not batch:
            return []
        rows: list[Row] = self.table(name, batch, **parameters).to_pylist()
        return rows

    def one(self, name: str, /, batch: Sequence[Mapping[str, Any]] | None = None, **parameters: Any) -> Row:
        """The same for a statement that yields exactly one row.

        Raises:
            ValueError: it yielded another number of rows.
        """
        [row] = self.rows(name, batch, **parameters)
        return row

    @contextmanager
    def transaction(
        self, *, stage: str, run_id: str, now: datetime, site: str | None = None, day: date | None = None
    ) -> Iterator["Transaction"]:
        """One numbered write transaction; rolled back if the block raises.

        After the commit its number is fsynced to the high-water file, which every open compares. A transaction
        that wrote no row is not numbered.

        Args:
            stage: Name of the stage that writes.
            run_id: Dagster run id or `cli-<uuid>`; for people, never part of a key.
            now: The run's clock.
            site: The site the work is of; None for work of several.
            day: The partition day.
        """
        check_process(self._path)
        self._db.begin()
        try:
            commit_no = self.commit_no + 1
            transaction = Transaction(self, commit_no)
            yield transaction
            if transaction.row_count:
                row = {"commit_no": commit_no, "run_id": run_id, "site": site, "day": day, "stage": stage}
                row |= {"row_count": transaction.row_count, "committed_at": now}
                self._append("commits", [row])
        except BaseException:
            with suppress(duckdb.Error):  # a database that a fault has made unusable has rolled back already
                self._db.rollback()
            raise
        with step(f"commit {stage}"):
            self._db.commit()
        if transaction.row_count:
            self.commit_no = commit_no
            _write_high_water(self._path, commit_no)

    def _run(self, name: str, batch: Sequence[Mapping[str, Any]] | None, parameters: Mapping[str, Any]) -> pa.Table:
        check_process(self._path)
        if batch is None:
            return self._db.execute(statement(name), dict(parameters)).to_arrow_table()
        self._db.register("batch", pa.Table.from_pylist(list(batch)))
        try:
            # Results are lazy: they must be read while the batch is still registered.
            return self._db.execute(statement(name), dict(parameters)).to_arrow_table()
        finally:
            self._db.unregister("batch")

    def _append(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        schema = self._schema(table)
        unknown = {key for row in rows for key in row} - set(schema.names)
        if unknown:
            raise ValueError(f"{table} has no column {sorted(unknown)}")
        batch = pa.Table.from_pylist([dict(row) for row in rows], schema=schema)
        self._db.from_arrow(batch).insert_into(table)

    def _schema(self, table: str) -> pa.Schema:
        if table not in self._schemas:
            self._schemas[table] = self._db.table(table).limit(0).to_arrow_table().schema
        return self._schemas[table]


class Transaction:
    """The writes of one transaction.

    Attributes:
        commit_no: The number this transaction will have; written into the rows it makes.
        row_count: Rows written so far.
    """

    def __init__(self, session: Session, commit_no: int) -> None:
        self._session = session
        self.commit_no = commit_no
        self.row_count = 0

    def insert(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows as one Arrow batch; columns a row does not name are NULL."""
        if rows:
            with step(f"insert {table}"):
                self._session._append(table, rows)  # noqa: SLF001  (one class in two halves)
            self.row_count += len(rows)

    def execute(self, name: str, /, batch: Sequence[Mapping[str, Any]] | None = None, **parameters: Any) -> None:
        """Run a writing statement, `sql/<name>.sql`; an empty `batch` runs nothing."""
        if batch is not None and not batch:
            return
        with step(name):
            self._session._run(name, batch, parameters)  # noqa: SLF001
        self.row_count += len(batch) if batch is not None else 1

    def replace(self, table: str, key: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Put rows in the place of those with the same key.

        Args:
            table: A table whose rows are "replaced" in the schema.
            key: Its key column; `sql/delete_<table>.sql` deletes by it from `batch`.
            rows: Complete rows.
        """
        if rows:
            self.execute(f"delete_{table}", batch=[{key: row[key]} for row in rows])
            self.insert(table, rows)


def read_high_water(path: Path) -> int:
    """The highest commit number that was acknowledged for a database file; 0 if none."""
    try:
        return int(_high_water(path).read_text(encoding="ascii"))
    except FileNotFoundError:
        return 0
    except ValueError as error:
        why = "holds no number, so it cannot be told whether commits were lost; see quietdiff doctor"
        raise StoreDamagedError(f"{_high_water(path)}: {why}") from error


def _high_water(path: Path) -> Path:
    return path.with_suffix(".hwm")


def _write_high_water(path: Path, commit_no: int) -> None:
    replace_durably({_high_water(path): lambda temporary: temporary.write_text(str(commit_no), encoding="ascii")})
