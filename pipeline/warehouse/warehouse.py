"""The live database file: open late, work in memory, write in one short transaction, close."""

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path

import duckdb

from pipeline.durable import replace_durably, sync
from pipeline.errors import StoreBusyError, StoreDamagedError, StoreError
from pipeline.warehouse.lock import holding
from pipeline.warehouse.migrate import look_over
from pipeline.warehouse.published import Published
from pipeline.warehouse.session import Session, read_high_water

__all__ = ["Warehouse"]

_LOCK_WORDS = re.compile(r"Conflicting lock is held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")
"""DuckDB has no error class of its own for a held file, only this wording (1.5.5 and 1.5.6)."""


class Warehouse:
    """The database of one deployment.

    Every open takes the lock file first, because one process at a time may have a DuckDB file open, even for reading.

    Args:
        data: The data folder; the database is `quietdiff.duckdb` in it.
        wait_s: Seconds to wait for another holder before giving up.
        command: What this process is doing, shown to whoever waits for it.
    """

    def __init__(self, data: Path, *, wait_s: float = 60.0, command: str = "") -> None:
        self.path = data / "quietdiff.duckdb"
        self.published = Published(data)
        self._wait_s = wait_s
        self._command = command

    @contextmanager
    def session(self) -> Iterator[Session]:
        """The open database for the length of a `with` block, its schema up to date.

        Raises:
            StoreBusyError: somebody else held it for longer than we waited.
            StoreNewerError: a newer Quietdiff wrote it.
            StoreDamagedError: it holds fewer commits than were acknowledged.
        """
        with holding(self.path, wait_s=self._wait_s, command=self._command), self._opened() as session:
            yield session

    def publish(self, now: datetime, *, force: bool = False) -> bool:
        """Copy the database to where analysts read it, atomically.

        Args:
            now: The run's clock.
            force: Copy even if the interval since the last copy is not over.

        Returns:
            Whether a copy was made.
        """
        if not force and not self.published.due(now):
            return False
        begun = time.monotonic()
        with holding(self.path, wait_s=self._wait_s, command=self._command):
            if not self.path.exists():
                return False
            with self._opened() as session:
                session.connection.execute("CHECKPOINT")
                commit_no = session.commit_no
            replace_durably({self.published.path: partial(shutil.copyfile, self.path)})
        self.published.note(now, time.monotonic() - begun, commit_no)
        return True

    def catch_up(self, now: datetime) -> bool:
        """Publish what a run committed while the interval since the copy before it was not over.

        Reads two small files and opens the database only if there is something to do.

        Returns:
            Whether a copy was made.
        """
        return self.published.behind(read_high_water(self.path)) and self.publish(now)

    @contextmanager
    def _opened(self) -> Iterator[Session]:
        """The database as a session, looked over; the lock is held already."""
        if not self.path.exists():
            with suppress(PermissionError):  # a folder above that is not ours to read is not one we made
                sync(self.path.parent.parent)  # the data folder may be as new as the database
        connection = self._open(time.monotonic() + self._wait_s)
        try:
            yield self._looked_over(connection)
        finally:
            connection.close()

    def _looked_over(self, connection: duckdb.DuckDBPyConnection) -> Session:
        connection.execute("SET TimeZone = 'UTC'")
        try:
            found = look_over(connection, self.path)
            _check_commits(self.path, found)
        except StoreError:
            # Left untouched: closing would otherwise fold a pending write-ahead log into the file.
            connection.execute("PRAGMA disable_checkpoint_on_shutdown")
            raise
        return Session(connection, self.path, commit_no=found)

    def _open(self, deadline: float) -> duckdb.DuckDBPyConnection:
        """Open the file; a stranger who opened it without our lock is waited for too."""
        while True:
            try:
                return duckdb.connect(self.path, config={"threads": 2, "memory_limit": "1GB"})
            except duckdb.IOException as error:
                stranger = _LOCK_WORDS.search(str(error))
                if stranger is None:
                    raise StoreError(f"{self.path}: cannot be opened: {_first_line(error)}") from error
                if time.monotonic() >= deadline:
                    holder = f"process {stranger['pid']} ({stranger['program']}), which opened the live file itself"
                    raise StoreBusyError(self.path, holder=holder, since=None, waited_s=self._wait_s) from error
                time.sleep(0.05)


def _check_commits(path: Path, found: int) -> None:
    acknowledged = read_high_water(path)
    if found < acknowledged:
        raise StoreDamagedError(
            f"{path}: holds {found} commits but {acknowledged} were acknowledged, so rows were lost; "
            "not used. Restore a backup, or delete the .hwm file beside it to go on with what is left"
        )


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
