"""Restoring a backup: verify all of it, put what is there aside, and bring the database back last."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from pipeline.durable import replace_durably, sync
from pipeline.engine.base import chunks
from pipeline.errors import BackupError, StoreNewerError, UsageError
from pipeline.steps import step
from pipeline.upkeep.backup.making import BATCH
from pipeline.upkeep.backup.manifest import DATABASE, PROJECT, Manifest, digest_of, read_manifest
from pipeline.upkeep.telling import Tell, nobody
from pipeline.warehouse import Warehouse, acknowledge
from pipeline.warehouse.lock import holding
from pipeline.warehouse.statements import migrations

__all__ = ["RestoreReport", "restore"]

REPLACED = "replaced"
"""Folder of the data folder for what a forced restore found there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreReport:
    """What a restore did.

    Attributes:
        replaced: Where what was there before lies now; None if nothing was.
        written: Files of the project that were not there and are now.
        differing: Files of the project that are there and differ from the backup; left as they are.
    """

    manifest: Manifest
    replaced: Path | None
    written: tuple[Path, ...]
    differing: tuple[Path, ...]


def restore(
    warehouse: Warehouse, source: Path, *, root: Path, now: datetime, force: bool = False, wait_s: float = 60.0,
    tell: Tell = nobody,
) -> RestoreReport:  # fmt: skip
    """Put a backup into a data folder, publish it, and write the site files that are missing.

    The high-water mark becomes that of the backup, so that an older database is used as it is. The lock is held until
    the database is in place; a restore that dies before leaves a folder that runs refuse, and can be done again.

    Args:
        warehouse: Of the store; its folder is the data folder.
        source: The folder of the backup.
        root: The project folder.
        now: For the published copy, and the name of what is put aside.
        force: Put a database that is there aside instead of refusing.
        wait_s: Seconds to wait for the database.
        tell: Told of progress.

    Raises:
        BackupError: There is no backup, or a file of it is damaged; nothing was touched.
        StoreNewerError: A newer Quietdiff made it; nothing was touched.
        UsageError: There is a database and no `force`; nothing was touched.
        StoreBusyError: A run has the database.
    """
    manifest = _checked(source, tell)
    _refuse_database(warehouse.path, force=force)
    with holding(warehouse.path, wait_s=wait_s, command="quietdiff restore"):
        _refuse_database(warehouse.path, force=force)
        replaced = _put_aside(warehouse, now)
        acknowledge(warehouse.path, manifest.commit_no)
        _copy_blobs(source, warehouse.path.parent, manifest, tell)
        with step("restored database"):
            replace_durably({warehouse.path: _copying(source / manifest.folder / DATABASE, manifest)})
    warehouse.publish(now, force=True)
    written, differing = _restore_project(source, root, manifest)
    return RestoreReport(manifest=manifest, replaced=replaced, written=written, differing=differing)


def _refuse_database(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        raise UsageError(
            f"{path}: there is a database; restore into an empty data folder, or move it away with --force"
        )


def _checked(source: Path, tell: Tell) -> Manifest:
    manifest = read_manifest(source)
    if manifest is None:
        raise BackupError(f"{source}: holds no finished backup; name the folder that `quietdiff backup` was given")
    if manifest.schema > len(migrations()):
        raise StoreNewerError(
            f"{source}: made by a newer Quietdiff (schema {manifest.schema}, this one knows {len(migrations())}); "
            "upgrade Quietdiff to restore it"
        )
    for done, (path, entry) in enumerate(manifest.files.items()):
        tell("verifying the backup", done, len(manifest.files))
        try:
            found = digest_of(source / path)
        except OSError as error:
            raise BackupError(f"{source / path}: {error.strerror}; use another backup") from error
        if found != entry:
            raise BackupError(f"{source / path}: damaged: not the bytes that were backed up; use another backup")
    return manifest


def _put_aside(warehouse: Warehouse, now: datetime) -> Path | None:
    """Move database, write-ahead log, high-water mark and blobs away; also the rest of a database that is gone."""
    data = warehouse.path.parent
    names = [warehouse.path, Path(f"{warehouse.path}.wal"), warehouse.path.with_suffix(".hwm"), data / "blobs"]
    present = [path for path in names if path.exists()]
    if not present:
        return None
    stamp, number = data / REPLACED / f"{now:%Y%m%dT%H%M%SZ}", 1
    folder = stamp
    while folder.exists():
        number += 1
        folder = stamp.with_name(f"{stamp.name}-{number}")
    folder.mkdir(mode=0o700, parents=True)
    with step("put the old database aside"):
        for path in present:
            path.rename(folder / path.name)
        sync(folder)
        sync(data)
    return folder


def _copy_blobs(source: Path, data: Path, manifest: Manifest, tell: Tell) -> None:
    blobs = [path for path in manifest.files if path.startswith("blobs/")]
    for done, batch in enumerate(chunks(blobs, BATCH)):
        tell("restoring blobs", done * BATCH, len(blobs))
        with step("restored blobs"):
            replace_durably({data / path: _copying(source / path, manifest, path) for path in batch})


def _copying(path: Path, manifest: Manifest, name: str = "") -> Callable[[Path], None]:
    """What writes a copy of a file of the backup, and reads it back."""
    return partial(_copy_checked, path, manifest.files[name or f"{manifest.folder}/{path.name}"])


def _copy_checked(source: Path, entry: object, target: Path) -> None:
    shutil.copyfile(source, target)
    if digest_of(target) != entry:
        raise BackupError(f"{target}: what was written is not what is read back; look after the disk and try again")


def _restore_project(source: Path, root: Path, manifest: Manifest) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Write the files of the project that are not there; those that are belong to whoever edits them."""
    written, differing = [], []
    folder = f"{manifest.folder}/{PROJECT}/"
    for name in (path for path in manifest.files if path.startswith(folder)):
        path = root / name.removeprefix(folder)
        if not path.exists():
            replace_durably({path: _copying(source / name, manifest, name)})
            written.append(path)
        elif path.read_bytes() != (source / name).read_bytes():
            differing.append(path)
    return tuple(written), tuple(differing)
