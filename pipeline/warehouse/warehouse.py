"""The live database file: open late, work in memory, write in one short transaction, close."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path

from pipeline.durable import replace_durably
from pipeline.errors import StoreError
from pipeline.steps import step
from pipeline.warehouse.forks import check_process
from pipeline.warehouse.lock import holding
from pipeline.warehouse.opening import opened
from pipeline.warehouse.published import Published
from pipeline.warehouse.rewriting import free_bytes, write_anew
from pipeline.warehouse.session import Session, read_high_water

__all__ = ["Warehouse"]


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
        with self._held(), opened(self.path, wait_s=self._wait_s) as session:
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
        with self._held():
            if not self.path.exists():
                return False
            with opened(self.path, wait_s=self._wait_s) as session:
                with step("checkpoint"):
                    session.connection.execute("CHECKPOINT")
                commit_no = session.commit_no
            self.published.replace(self.path)
        self.published.note(now, time.monotonic() - begun, commit_no)
        return True

    def catch_up(self, now: datetime) -> bool:
        """Publish what a run committed while the interval since the copy before it was not over.

        Reads two small files and opens the database only if there is something to do.

        Returns:
            Whether a copy was made.
        """
        return self.published.behind(read_high_water(self.path)) and self.publish(now)

    def vacuum(self, worth: Callable[[int, int], bool]) -> tuple[int, int, float] | None:
        """Write the file anew without what deleted and replaced rows left free.

        Holds the lock throughout: nobody else may read or write meanwhile. That is some 0.8 s for a million visits and
        50 s a GB, nearly all of it CPU. Killed before the rename, the old file is as it was; after it, the new one is
        in force, which holds the same commits.

        Args:
            worth: Whether to do it, from the size of the file and the part of it that is free, in bytes.

        Returns:
            Bytes before and after, and the seconds it took; None if it was not worth it.

        Raises:
            StoreError: What was written differs from what was read, or a file could not be closed cleanly; nothing was
                changed.
        """
        with self._held():
            if not self.path.exists():
                return None
            begun = time.monotonic()
            with opened(self.path, wait_s=self._wait_s) as session:
                free = free_bytes(session.connection)
            before = self.path.stat().st_size
            if not worth(before, free):
                return None
            replace_durably({self.path: self._write_anew})
            return before, self.path.stat().st_size, time.monotonic() - begun

    def _write_anew(self, target: Path) -> None:
        target.unlink(missing_ok=True)  # a process of the same number may have died here
        with opened(self.path, wait_s=self._wait_s) as session:
            write_anew(session.connection, target)
        for log in (_log_of(target), _log_of(self.path)):
            if log.exists():  # the other file would be ruined by it
                raise StoreError(f"{log}: left over although its file was closed; free some disk space and try again")

    def _held(self) -> AbstractContextManager[None]:
        check_process(self.path)
        return holding(self.path, wait_s=self._wait_s, command=self._command)


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.wal")
