"""Taking turns: one process at a time may have the database file open, even for reading."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.errors import StoreBusyError

__all__ = ["Holder", "holding", "read_holder"]

POLL_S = 0.02
"""How often a waiter tries again. A turn of a stage lasts some 50 ms, so this wastes under half a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who has the lock, as they wrote it down themselves."""

    pid: int
    command: str
    since: datetime

    def __str__(self) -> str:
        return f"process {self.pid} ({self.command})"


@contextmanager
def holding(path: Path, *, wait_s: float, command: str) -> Iterator[None]:
    """Hold the lock of a database file for the length of a `with` block.

    The lock is the operating system's (`flock`), so it ends with the process that holds it, however that dies.
    A second file beside it says who holds it, for people; it is never what decides.

    Args:
        path: The database file; the lock lies beside it.
        wait_s: Seconds to wait for another holder.
        command: What this process is doing, for whoever waits.

    Raises:
        StoreBusyError: somebody held it for longer than `wait_s`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_suffix(".lock"), poll_interval=POLL_S, thread_local=False)
    try:
        lock.acquire(timeout=wait_s)
    except Timeout as error:
        holder = read_holder(path)
        raise StoreBusyError(
            path, holder=str(holder or ""), since=holder.since if holder else None, waited_s=wait_s
        ) from error
    try:
        _write_holder(path, command)
        yield
    finally:
        lock.release()


def read_holder(path: Path) -> Holder | None:
    """Who last took the lock of a database file; None when nobody left a readable note."""
    try:
        note = json.loads(_note(path).read_text(encoding="utf-8"))
        return Holder(pid=int(note["pid"]), command=str(note["command"]), since=datetime.fromisoformat(note["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _note(path: Path) -> Path:
    return path.with_suffix(".holder.json")


def _write_holder(path: Path, command: str) -> None:
    since = datetime.now(UTC).isoformat(timespec="seconds")  # the wall clock of the people who wait, not the run's
    note = {"pid": os.getpid(), "command": command or Path(sys.argv[0]).name, "since": since}
    _note(path).write_text(json.dumps(note), encoding="utf-8")
