"""Files that survive a power cut: whole or not at all, and there once we have said so."""

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import StoreError, StoreFullError
from pipeline.steps import step

__all__ = ["disk_faults", "refusal", "replace_durably", "sync"]

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
CLOSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
"""Why an operating system refuses to write: no room (also by quota or file size limit), or no right."""


def replace_durably(files: Mapping[Path, Callable[[Path], object]]) -> None:
    """Put files in their places, in the order given; all of them are durable when this returns.

    Each is written under a temporary name beside its place, fsynced and renamed, so that its name always holds a whole
    content, and whoever has the old one open keeps it. Then each folder that got one is fsynced, once, for without that
    the rename itself may be lost; and so is the parent of every folder that had to be made.

    Args:
        files: For each place, what writes the content to the path it is given.
    """
    for path, write in files.items():
        with disk_faults(path):
            _make_folder(path.parent)
            _put(path, write)
    for folder in dict.fromkeys(path.parent for path in files):
        with disk_faults(folder), step(f"fsync folder {folder.name}"):
            sync(folder)


def _put(path: Path, write: Callable[[Path], object]) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with step(f"write {path.name}"):
            write(temporary)
        with step(f"fsync {path.name}"):
            sync(temporary)
        with step(f"rename {path.name}"):
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def disk_faults(path: Path) -> Iterator[None]:
    """Turn the operating system's refusal to write into an error that says what to do.

    Raises:
        StoreFullError: There is no room.
        StoreError: It may not be written.
    """
    try:
        yield
    except OSError as error:
        refused = refusal(path, error.errno)
        if refused is None:
            raise
        raise refused from error


def refusal(path: Path, number: int | None) -> StoreError | None:
    """The error to show for a system error number; None when it is not about room or rights."""
    if number in FULL:
        return StoreFullError(path, os.strerror(number))
    if number in CLOSED:
        return StoreError(
            f"{path}: cannot be written ({os.strerror(number)}); give this user the right to, mount the disk "
            "writable, or choose another folder with --data"
        )
    return None


def sync(path: Path) -> None:
    """Wait until a file's content, or a folder's list of names, is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)
