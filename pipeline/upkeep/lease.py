"""Who may remove blobs, and who needs them to stay: one lock file that both sides take."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.errors import StoreBusyError

__all__ = ["collecting", "discard", "keeping_blobs"]

FILE = "blobs.lock"


@contextmanager
def keeping_blobs(data: Path, *, wait_s: float) -> Iterator[None]:
    """No blob is removed for the length of a `with` block, so that all rows of a database copied in it find theirs.

    Raises:
        StoreBusyError: A collector or another backup was at work for longer than `wait_s` seconds.
    """
    lock = _lock(data)
    try:
        lock.acquire(timeout=wait_s)
    except Timeout as error:
        raise StoreBusyError(
            data / "blobs", holder="a backup, or a run that removes old blobs", since=None, waited_s=wait_s
        ) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def collecting(data: Path) -> Iterator[bool]:
    """Whether blobs may be removed for the length of a `with` block; False, at once, while somebody needs them all.

    Whoever removes blobs does all of it inside: the transaction that deletes their rows, and then their files.
    """
    lock = _lock(data)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def discard(path: Path, *, stored_before: datetime) -> bool:
    """Remove the file of a blob that no row names, unless a run has begun to use it again.

    Storing content that is there renews the file's time instead of writing it, without any lock. So the file is first
    taken from its name, and put back if its time was renewed until then; who comes later writes it anew.

    Args:
        path: The file.
        stored_before: Files stored later than this stay.

    Returns:
        Whether it was removed.
    """
    aside = path.with_suffix(".discarded.tmp")
    try:
        path.rename(aside)
    except FileNotFoundError:
        return False
    if datetime.fromtimestamp(aside.stat().st_mtime, UTC) >= stored_before:
        aside.rename(path)
        return False
    aside.unlink()
    return True


def _lock(data: Path) -> FileLock:
    data.mkdir(parents=True, exist_ok=True)
    return FileLock(data / FILE, thread_local=False)
