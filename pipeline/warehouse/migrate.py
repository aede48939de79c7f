"""Bringing a database file up to this version's schema."""

import contextlib
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

import duckdb

from pipeline.errors import StoreDamagedError, StoreNewerError
from pipeline.steps import step
from pipeline.warehouse.statements import migrations, statement

__all__ = ["Migration", "look_over", "migrate"]

Migration = tuple[int, str, str]
"""(number, file name, SQL text)."""


def look_over(connection: duckdb.DuckDBPyConnection, path: Path) -> int:
    """Bring the file up to date if it is not, and say what it holds; one statement when there is nothing to do.

    Returns:
        The highest commit number it holds; 0 when nothing was ever committed.

    Raises:
        StoreNewerError, StoreDamagedError: As `migrate` does.
    """
    opened = None
    with contextlib.suppress(duckdb.CatalogException):  # a new file has no tables yet
        opened = connection.execute(statement("select_opened")).fetchone()
    if opened is None or opened[0] != [_sha256(text) for _, _, text in migrations()]:
        migrate(connection, path)
        opened = connection.execute(statement("select_opened")).fetchone()
    return int(opened[1]) if opened else 0


def migrate(connection: duckdb.DuckDBPyConnection, path: Path, *, known: Sequence[Migration] | None = None) -> None:
    """Run the migrations this file has not seen, in order, each in one transaction and recorded.

    Args:
        connection: An open connection to the file.
        path: The file, for messages.
        known: The migrations of this version; the packaged ones if not given.

    Raises:
        StoreNewerError: the file has a migration this version does not know; nothing was written.
        StoreDamagedError: a recorded migration differs from the packaged file; nothing was written.
    """
    known = migrations() if known is None else known
    done = _recorded(connection)
    newest = max(done, default=0)
    if newest > len(known):
        raise StoreNewerError(
            f"{path}: written by a newer Quietdiff (schema {newest}, this one knows {len(known)}); "
            "left untouched. Upgrade Quietdiff to open it"
        )
    for number, name, text in known:
        if number not in done:
            _apply(connection, number, name, text)
        elif done[number] != _sha256(text):
            raise StoreDamagedError(
                f"{path}: migration {name} is not the one this database was made with; "
                "left untouched. Reinstall the Quietdiff version that made it"
            )


def _recorded(connection: duckdb.DuckDBPyConnection) -> dict[int, str]:
    tables = connection.execute(statement("has_migrations")).fetchone()
    if not tables or not tables[0]:
        return {}
    return dict(connection.execute(statement("select_migrations")).fetchall())


def _apply(connection: duckdb.DuckDBPyConnection, number: int, name: str, text: str) -> None:
    connection.begin()
    try:
        with step(f"migrate {number}"):
            connection.execute(text)
        connection.execute(
            statement("insert_migration"),
            {"number": number, "name": name, "sha256": _sha256(text), "code_version": version("quietdiff")},
        )
    except BaseException:
        connection.rollback()
        raise
    with step(f"commit migration {number}"):
        connection.commit()


@cache
def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
