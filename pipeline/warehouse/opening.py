"""Opening the live file: only if it holds all that was acknowledged, and brought up to date."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from pipeline.durable import CLOSED, FULL, refusal, sync
from pipeline.errors import StoreBusyError, StoreDamagedError, StoreError
from pipeline.steps import step
from pipeline.warehouse import forks
from pipeline.warehouse.migrate import look_over
from pipeline.warehouse.session import Session, read_high_water
from pipeline.warehouse.statements import statement

__all__ = ["opened", "set_aside", "store_faults"]

_LOCK_WORDS = re.compile(r"Conflicting lock is held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")
"""DuckDB has no error class of its own for a held file, only this wording (1.5.5 and 1.5.6)."""

_BROKEN = (duckdb.IOException, duckdb.FatalException, duckdb.InternalException, duckdb.SerializationException)
"""What DuckDB raises when the file, not the statement, is at fault."""


class _LostCommitsError(Exception):
    """The file holds fewer commits than were acknowledged."""

    def __init__(self, found: int) -> None:
        super().__init__(found)
        self.found = found


@contextmanager
def opened(path: Path, *, wait_s: float) -> Iterator[Session]:
    """The database as a session for the length of a `with` block; the lock is held already.

    After a crash a write-ahead log lies beside the file. DuckDB takes a damaged one for a short one, and opening the
    file for writing would make that final. So it is first read without writing, and set aside as it is when commits
    are missing.

    Args:
        path: The database file.
        wait_s: Seconds to wait for a stranger that opened the file without our lock.

    Raises:
        StoreBusyError: A stranger held it for longer.
        StoreDamagedError: It held fewer commits than were acknowledged and was set aside, or cannot be read.
        StoreNewerError: A newer Quietdiff wrote it; left untouched.
        StoreFullError: There is no room to write.
    """
    if not path.exists():
        _check_new(path)
    try:
        if any(path.parent.glob(f"{path.name}.wal*")):
            with _connected(path, wait_s, read_only=True) as connection:
                _check_commits(path, _commits(connection))
        with _connected(path, wait_s) as connection, store_faults(path):
            yield _looked_over(connection, path)
    except _LostCommitsError as lost:
        raise StoreDamagedError(_lost_words(path, lost.found, set_aside(path))) from None


def set_aside(path: Path) -> Path:
    """Move a database file, with whatever log lies beside it, out of the way; nothing is deleted.

    Returns:
        The folder it is in now: `damaged/<time>` in the data folder.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")  # the wall clock, for people; nothing is judged by it
    folder = path.parent / "damaged" / stamp
    folder.mkdir(parents=True)
    for file in sorted(
        (path, *path.parent.glob(f"{path.name}.wal*")), reverse=True
    ):  # the log first: it means nothing alone
        with step(f"set aside {file.name}"):
            file.rename(folder / file.name)
    sync(folder)
    sync(path.parent)
    return folder


@contextmanager
def store_faults(path: Path) -> Iterator[None]:
    """Turn what DuckDB says of a faulty file or disk into an error that says what to do."""
    try:
        yield
    except duckdb.Error as error:
        said = str(error)
        refused = next(filter(None, (refusal(path, no) for no in FULL | CLOSED if os.strerror(no) in said)), None)
        if refused is not None:
            raise refused from error
        if not isinstance(error, _BROKEN):
            raise
        first = said.partition("\n")[0]
        raise StoreDamagedError(
            f"{path}: cannot be read or written: {first}. See what quietdiff doctor says of it"
        ) from error


@contextmanager
def _connected(path: Path, wait_s: float, *, read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = _connect(path, time.monotonic() + wait_s, wait_s, read_only=read_only)
    forks.opened(connection)
    try:
        yield connection
    finally:
        if forks.closed(connection):
            with step("close"):
                connection.close()


def _connect(path: Path, deadline: float, wait_s: float, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    """Open the file; a stranger who opened it without our lock is waited for too."""
    while True:
        try:
            with store_faults(path):
                return duckdb.connect(path, read_only=read_only, config={"threads": 2, "memory_limit": "1GB"})
        except StoreError as error:
            stranger = _LOCK_WORDS.search(str(error.__cause__))
            if stranger is None:
                raise
            if time.monotonic() >= deadline:
                holder = f"process {stranger['pid']} ({stranger['program']}), which opened the live file itself"
                raise StoreBusyError(path, holder=holder, since=None, waited_s=wait_s) from error
            time.sleep(0.05)


def _looked_over(connection: duckdb.DuckDBPyConnection, path: Path) -> Session:
    connection.execute("SET TimeZone = 'UTC'")
    try:
        found = look_over(connection, path)
        _check_commits(path, found)
    except (StoreError, _LostCommitsError):
        # Left untouched: closing would otherwise fold a pending write-ahead log into the file.
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        raise
    return Session(connection, path, commit_no=found)


def _check_new(path: Path) -> None:
    """A file that is not there was never there, or it was lost."""
    acknowledged = read_high_water(path)
    if acknowledged:
        raise StoreDamagedError(
            f"{path}: is gone, though {acknowledged} commits were acknowledged; restore a backup (quietdiff restore "
            f"DIR), or delete {path.with_suffix('.hwm').name} beside it to begin anew"
        )
    with suppress(PermissionError):  # a folder above that is not ours to read is not one we made
        sync(path.parent.parent)  # the data folder may be as new as the database


def _commits(connection: duckdb.DuckDBPyConnection) -> int:
    """The highest commit number it holds; 0 when it has no tables yet."""
    with suppress(duckdb.CatalogException):
        row = connection.execute(statement("select_newest_commit")).fetchone()
        return int(row[0]) if row else 0
    return 0


def _check_commits(path: Path, found: int) -> None:
    if found < read_high_water(path):
        raise _LostCommitsError(found)


def _lost_words(path: Path, found: int, folder: Path) -> str:
    return (
        f"{path}: holds {found} commits but {read_high_water(path)} were acknowledged, so rows were lost; not used, "
        f"and set aside as {folder}. Restore a backup (quietdiff restore DIR); or, to go on with what is left, move "
        f"the files back and delete {path.with_suffix('.hwm').name}"
    )
