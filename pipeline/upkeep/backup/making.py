"""Making a backup: the database first, then every blob its rows name, then the manifest that makes it count."""

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import IO

from pipeline.blobs import BlobStore, unpack
from pipeline.config.files import site_files
from pipeline.config.loading import SETTINGS_FILE
from pipeline.durable import replace_durably
from pipeline.engine.base import chunks
from pipeline.errors import BackupError, BlobError, UsageError
from pipeline.steps import step
from pipeline.upkeep.backup.manifest import (
    DATABASE,
    HIGH_WATER,
    PROJECT,
    Entry,
    Manifest,
    digest_of,
    read_manifest,
)
from pipeline.upkeep.lease import keeping_blobs
from pipeline.upkeep.telling import Tell, nobody
from pipeline.warehouse import Inspection, Warehouse, inspecting

__all__ = ["BackupReport", "back_up"]

BATCH = 200
"""Blobs that are written before their folders are fsynced."""

_FOLDER = re.compile(r"\d{8}T\d{6}Z(-\d+)?")
"""Folders of single backups; those that the manifest does not name are of earlier or unfinished ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """What a backup holds, and how many files and bytes of it were copied now."""

    manifest: Manifest
    copied_files: int
    copied_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Copied:
    """Files of the backup, verified on disk."""

    files: dict[str, Entry]
    missing: list[str]
    new: list[Entry]


def back_up(
    warehouse: Warehouse, target: Path, *, root: Path, now: datetime, wait_s: float = 60.0, tell: Tell = nobody
) -> BackupReport:
    """Copy what cannot be made anew to a folder, and verify it; runs go on meanwhile.

    Until its manifest is renamed into place the folder holds the backup that it held before, whole.

    Args:
        warehouse: Of the store; its folder is the data folder.
        target: The folder; made if it is not there.
        root: The project folder, for `quietdiff.yaml` and the site files.
        now: When the backup is made.
        wait_s: Seconds to wait for whoever removes blobs, or another backup.
        tell: Told of progress.

    Raises:
        UsageError: There is no database, or the folder is in the wrong place or holds the backup of another store.
        BackupError: What was written is not what is read back.
    """
    data = warehouse.path.parent
    _check_place(data, target)
    if not warehouse.path.exists():
        raise UsageError(f"{warehouse.path}: there is no database to back up; name the data folder with --data")
    with keeping_blobs(data, wait_s=wait_s):
        warehouse.publish(now, force=True)
        previous = _previous(target)
        folder = _free_folder(target, now)
        own = _copy_database(warehouse, target / folder)
        with inspecting(target / folder / DATABASE) as copy:
            for table in copy.schema():
                copy.read_whole(table)
            manifest = _described(copy, folder, now)
            if previous is not None and previous.store != manifest.store:
                shutil.rmtree(target / folder)
                raise UsageError(f"{target}: holds the backup of another store; name another folder")
            names = [name for name, *_ in copy.rows("select_blobs")]
        own |= _write_own(target / folder, root, manifest.commit_no)
        blobs = _copy_blobs(BlobStore(data), target, names, previous.files if previous else {}, tell)
    return _finished(target, manifest, {f"{folder}/{path}": entry for path, entry in own.items()}, blobs)


def _check_place(data: Path, target: Path) -> None:
    inner, outer = target.resolve(), data.resolve()
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise UsageError(
            f"{target}: lies in the data folder, or around it; name a folder beside it, best on another disk"
        )
    if not target.exists():
        target.mkdir(mode=0o700, parents=True)


def _previous(target: Path) -> Manifest | None:
    """The backup that is there; one with a damaged manifest counts as none, and its blobs are read again."""
    try:
        return read_manifest(target)
    except BackupError:
        return None


def _free_folder(target: Path, now: datetime) -> str:
    stamp = name = f"{now:%Y%m%dT%H%M%SZ}"
    number = 1
    while (target / name).exists():
        number += 1
        name = f"{stamp}-{number}"
    (target / name).mkdir()
    return name


def _copy_database(warehouse: Warehouse, folder: Path) -> dict[str, Entry]:
    """Copy the published copy, which was made this moment; it stays the one that is open if another takes its name."""
    with warehouse.published.path.open("rb") as source, step("backup database"):
        replace_durably({folder / DATABASE: partial(_copy_open, source)})
    return {DATABASE: digest_of(folder / DATABASE)}


def _copy_open(source: IO[bytes], target: Path) -> None:
    with target.open("wb") as file:
        shutil.copyfileobj(source, file)


def _described(copy: Inspection, folder: str, now: datetime) -> Manifest:
    run = copy.migrations()
    return Manifest(
        quietdiff=version("quietdiff"),
        duckdb=version("duckdb"),
        made_at=now,
        store=run[0][3].isoformat(),
        schema=run[-1][0],
        commit_no=copy.commits()[0],
        folder=folder,
        missing=(),
        files={},
    )


def _write_own(folder: Path, root: Path, commit_no: int) -> dict[str, Entry]:
    """The high-water mark and the files of the project; no secrets, which only the environment has."""
    settings = [root / SETTINGS_FILE] if (root / SETTINGS_FILE).is_file() else []
    contents = {f"{PROJECT}/{file.relative_to(root)}": file.read_bytes() for file in [*settings, *site_files(root)]}
    contents[HIGH_WATER] = str(commit_no).encode("ascii")
    with step("backup project"):
        replace_durably({folder / path: partial(_write, content) for path, content in contents.items()})
    return {path: digest_of(folder / path) for path in contents}


def _write(content: bytes, path: Path) -> None:
    path.write_bytes(content)


def _copy_blobs(
    source: BlobStore, target: Path, names: Sequence[str], known: Mapping[str, Entry], tell: Tell
) -> _Copied:
    """Every blob, in the target, as read back from it; blobs that are there and whole are not written again."""
    there = BlobStore(target)
    copied = _Copied(files={}, missing=[], new=[])
    for batch in chunks(names, BATCH):
        tell("copying blobs", len(copied.files) + len(copied.missing), len(names))
        kept = {name: entry for name in batch if (entry := _kept(there, target, name, known)) is not None}
        contents = dict(_contents(source, [name for name in batch if name not in kept]))
        with step("backup blobs"):
            replace_durably({there.path(name): partial(_write, content) for name, content in contents.items()})
        for name in batch:
            path = there.path(name)
            if name in contents:
                unpack(path.read_bytes(), name, path)
                kept[name] = digest_of(path)
                copied.new.append(kept[name])
            if name in kept:
                copied.files[path.relative_to(target).as_posix()] = kept[name]
            else:
                copied.missing.append(name)
    return copied


def _kept(there: BlobStore, target: Path, name: str, known: Mapping[str, Entry]) -> Entry | None:
    """The blob as an earlier backup wrote it, if it is still whole."""
    path = there.path(name)
    if not path.is_file():
        return None
    entry = digest_of(path)
    expected = known.get(path.relative_to(target).as_posix())
    if expected is not None:
        return entry if entry == expected else None
    try:
        unpack(path.read_bytes(), name, path)
    except BlobError:
        return None
    return entry


def _contents(source: BlobStore, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The stored bytes of the blobs that are whole in the store."""
    for name in names:
        try:
            stored = source.path(name).read_bytes()
            unpack(stored, name, source.path(name))
        except (BlobError, FileNotFoundError):
            continue
        yield name, stored


def _finished(target: Path, described: Manifest, own: dict[str, Entry], blobs: _Copied) -> BackupReport:
    manifest = Manifest(
        **{
            name: getattr(described, name) for name in Manifest.__dataclass_fields__ if name not in {"files", "missing"}
        },
        files=own | blobs.files,
        missing=tuple(blobs.missing),
    )
    with step("backup manifest"):
        manifest.write(target)
    _tidy(target, manifest)
    new = [*own.values(), *blobs.new]
    return BackupReport(manifest=manifest, copied_files=len(new), copied_bytes=sum(entry.bytes for entry in new))


def _tidy(target: Path, manifest: Manifest) -> None:
    """Remove what only earlier or unfinished backups needed."""
    for entry in os.scandir(target):
        if entry.is_dir(follow_symlinks=False) and _FOLDER.fullmatch(entry.name) and entry.name != manifest.folder:
            shutil.rmtree(entry.path)
    for file in (target / "blobs").glob("??/*"):
        if file.relative_to(target).as_posix() not in manifest.files:
            file.unlink()
