"""Files that survive a power cut: whole or not at all, and there once we have said so."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

__all__ = ["replace_durably", "sync"]


def replace_durably(files: Mapping[Path, Callable[[Path], object]]) -> None:
    """Put files in their places, in the order given; all of them are durable when this returns.

    Each is written under a temporary name beside its place, fsynced and renamed, so that its name always holds a whole
    content, and whoever has the old one open keeps it. Then each folder that got one is fsynced, once, for without that
    the rename itself may be lost; and so is the parent of every folder that had to be made.

    Args:
        files: For each place, what writes the content to the path it is given.
    """
    for path, write in files.items():
        _make_folder(path.parent)
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            write(temporary)
            sync(temporary)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    for folder in dict.fromkeys(path.parent for path in files):
        sync(folder)


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
