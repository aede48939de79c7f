"""The data folder: who may read and write it, what was left in it, and is there room."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from pipeline.upkeep.doctor.blobs import older_than_spared
from pipeline.upkeep.doctor.findings import Ailment, Finding
from pipeline.upkeep.doctor.store import Store

__all__ = ["FLOOR_BYTES", "examine_folder", "readable_by_others", "writable_by_others"]

FLOOR_BYTES = 1_000_000_000
"""Free space below which the doctor warns, if twice the database is not more."""

HARMLESS = (".hwm", ".lock", ".next", ".holder.json")
"""Files that say nothing of what is watched: a number, and who has the database."""

FOREIGN = "dagster"
"""The folder whose temporary files are Dagster's business."""


def examine_folder(store: Store) -> list[Finding]:
    """What is wrong with the data folder itself."""
    if not store.data.is_dir():
        return []
    return [*_permissions(store), *_leftovers(store), *_space(store)]


def _walk(store: Store) -> Iterator[tuple[Path, os.stat_result]]:
    """The data folder and everything in it, links left out."""
    yield store.data, store.data.stat()
    pending = [store.data]
    while pending:
        try:
            found = sorted(os.scandir(pending.pop()), key=lambda entry: entry.name)
        except OSError:  # gone, or not ours to read: then `_permissions` has said so of the folder
            continue
        for entry in found:
            if entry.is_symlink():
                continue
            try:
                yield Path(entry.path), entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if entry.is_dir(follow_symlinks=False):
                pending.append(Path(entry.path))


def _permissions(store: Store) -> Iterator[Finding]:
    for path, found in _walk(store):
        wanted = os.R_OK if path == store.warehouse.published.path else os.R_OK | os.W_OK  # the copy is read-only
        if not os.access(path, wanted | (os.X_OK if stat.S_ISDIR(found.st_mode) else 0)):
            what = f"mode {stat.filemode(found.st_mode)}, owner {found.st_uid}: not ours to read and write"
            yield Finding(ailment=Ailment.NOT_WRITABLE, where=store.short(path), what=what)
    for ailment, paths in (
        (Ailment.WRITABLE_BY_OTHERS, writable_by_others(store)),
        (Ailment.READABLE_BY_OTHERS, readable_by_others(store)),
    ):
        if paths:
            tops = ", ".join(sorted({path.relative_to(store.data).parts[0] for path in paths if path != store.data}))
            what = f"{len(paths)} files and folders{f': {tops}' if tops else ''}"
            yield Finding(ailment=ailment, where=".", what=what)


def writable_by_others(store: Store) -> list[Path]:
    """The files and folders that every user of this machine may write to."""
    return [path for path, found in _walk(store) if found.st_mode & stat.S_IWOTH]


def readable_by_others(store: Store) -> list[Path]:
    """The files that every user of this machine can read; not the published copy."""
    return [path for path, found in _walk(store) if stat.S_ISREG(found.st_mode) and _exposed(store, path, found)]


def _exposed(store: Store, path: Path, found: os.stat_result) -> bool:
    """Whether others can read a file: it and every folder down to it must let them."""
    if not found.st_mode & stat.S_IROTH or path.name.endswith(HARMLESS):
        return False
    above = [folder for folder in path.parents if folder.is_relative_to(store.data)]
    if store.warehouse.published.path.parent in above:
        return False
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in above)


def _leftovers(store: Store) -> Iterator[Finding]:
    for path, found in _walk(store):
        parts = path.relative_to(store.data).parts
        ours = stat.S_ISREG(found.st_mode) and path.suffix == ".tmp" and parts[0] != FOREIGN
        if ours and older_than_spared(path, store.now):
            what = f"{found.st_size:,} bytes of a write that did not end"
            yield Finding(ailment=Ailment.TEMPORARY_LEFT, where=store.short(path), what=what)
    for name, ailment in (("damaged", Ailment.SET_ASIDE), ("replaced", Ailment.REPLACED)):
        folder = store.data / name
        for aside in sorted(folder.iterdir()) if folder.is_dir() else ():
            size = sum(file.stat().st_size for file in (aside, *aside.rglob("*")) if file.is_file())
            yield Finding(ailment=ailment, where=store.short(aside), what=f"{size:,} bytes, put aside")


def _space(store: Store) -> Iterator[Finding]:
    free = shutil.disk_usage(store.data).free
    database = store.warehouse.path.stat().st_size if store.warehouse.path.exists() else 0
    floor = max(FLOOR_BYTES, 2 * database)
    if free < floor:
        what = f"{free:,} bytes are free, at least {floor:,} should be"
        yield Finding(ailment=Ailment.DISK_LOW, where=".", what=what)
