"""Taking turns: one process at a time may have the database file open, even for reading."""

import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.durable import disk_faults
from pipeline.errors import StoreBusyError
from pipeline.warehouse.filesystem import refuse_network

__all__ = ["Holder", "holding", "read_holder"]

POLL_S = 0.02
"""How often a waiter tries at first. A turn of a stage lasts some 50 ms, so this wastes under half a turn."""

AGEING = 10
"""A waiter of one second tries 11 times as often; a try costs some 20 us."""

SLICE_S = 0.2
"""How long a waiter keeps one pace."""

FIRST_WORD_S = 2.0
NEXT_WORD_S = 10.0
"""After how long a waiter first says whom it waits for, and how often it says it again."""

_log = logging.getLogger(__name__)


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

    The lock is the operating system's (`flock`), so it ends with the process that holds it, however that dies. Two of
    them make a turnstile: who wants `<name>.lock` takes `<name>.next` first, and lets the next one through only when it
    has both. So a process that gives the lock up and wants it again at once stands behind whoever was waiting. A third
    file says who holds the lock, for people; it is never what decides.

    Args:
        path: The database file; the lock lies beside it.
        wait_s: Seconds to wait for other holders.
        command: What this process is doing, for whoever waits.

    Raises:
        StoreBusyError: somebody held it for longer than `wait_s`.
        StoreError: the folder is on a network file system, whose locks cannot be relied upon, or cannot be written.
    """
    refuse_network(path.parent)
    lock = _lock(path, ".lock")
    with disk_faults(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        turnstile = _lock(path, ".next")
        _wait(turnstile, path, begun, wait_s)
        try:
            _wait(lock, path, begun, wait_s)
        finally:
            turnstile.release()
    try:
        _write_holder(path, command)
        yield
    finally:
        lock.release()


def _lock(path: Path, suffix: str) -> FileLock:
    return FileLock(path.with_suffix(suffix), poll_interval=POLL_S, thread_local=False, fallback_to_soft=False)


def _wait(lock: FileLock, path: Path, begun: float, wait_s: float) -> None:
    """Take a lock; says whom it waits for after a moment, and now and then again."""
    say_at = FIRST_WORD_S
    while True:
        waited = time.monotonic() - begun
        try:
            # Who has waited longer looks more often, so that among many the oldest is the likeliest to be next.
            lock.acquire(timeout=max(0.0, min(SLICE_S, wait_s - waited)), poll_interval=POLL_S / (1 + AGEING * waited))
        except Timeout as error:
            waited = time.monotonic() - begun
            holder = read_holder(path)
            since = holder.since if holder else None
            if waited >= wait_s:
                raise StoreBusyError(path, holder=str(holder or ""), since=since, waited_s=wait_s) from error
            if waited >= say_at:
                at = f", which has it since {since:%H:%M:%S} UTC" if since else ""
                _log.warning("%s: waiting for %s%s", path, holder or "another process", at)
                say_at = waited + NEXT_WORD_S
        else:
            return


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
    temporary = path.with_suffix(".holder.tmp")  # only who holds the lock writes here
    try:
        temporary.write_text(json.dumps(note), encoding="utf-8")
        temporary.replace(_note(path))  # whole or not at all, for whoever reads it meanwhile
    except OSError:  # a full disk: nobody to name is better than the wrong one
        _note(path).unlink(missing_ok=True)
