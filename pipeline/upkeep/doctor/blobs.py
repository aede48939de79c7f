"""Blobs against rows: is each file that a row names there and whole, and does a row name each file."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pipeline.blobs import BlobStore
from pipeline.errors import BlobError
from pipeline.upkeep.doctor.database import unnamed_still
from pipeline.upkeep.doctor.findings import Ailment, Finding
from pipeline.upkeep.doctor.store import SPARED, Held, Store

__all__ = ["examine_blobs", "older_than_spared"]

_NAME = re.compile(r"([0-9a-f]{2})/([0-9a-f]{62})\.zst")


def examine_blobs(store: Store, held: Held) -> list[Finding]:
    """Blobs that are missing, corrupt or named by no row."""
    files = _files(store.data / "blobs")
    wrong = dict(_wrong_files(store, held, files))
    # The rows were read before the files: what a collector removed in between is no loss.
    collected = unnamed_still(store, set(wrong)) if wrong else set()
    findings = [finding for name, finding in wrong.items() if name not in collected]
    return findings + list(_orphans(store, held, files))


def older_than_spared(path: Path, now: datetime) -> bool:
    """Whether a file is too old to belong to a run that has not committed yet; False if it is gone."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC) + SPARED < now
    except FileNotFoundError:
        return False


def _files(root: Path) -> dict[str, int]:
    """Bytes of each file by the blob's name."""
    files: dict[str, int] = {}
    if not root.is_dir():
        return files
    for folder in os.scandir(root):
        if not folder.is_dir(follow_symlinks=False):
            continue
        for file in os.scandir(folder.path):
            found = _NAME.fullmatch(f"{folder.name}/{file.name}")
            with suppress(FileNotFoundError):  # a collector was quicker
                if found:
                    files["".join(found.groups())] = file.stat().st_size
    return files


def _wrong_files(store: Store, held: Held, files: dict[str, int]) -> Iterator[tuple[str, Finding]]:
    blobs = BlobStore(store.data)
    for done, (name, (size, role)) in enumerate(held.blobs.items()):
        store.tell("reading blobs" if store.deep else "looking at blobs", done, len(held.blobs))
        path = blobs.path(name)
        ailment = Ailment.BLOB_CORRUPT
        if name not in files:
            ailment, what = Ailment.BLOB_MISSING, "is not there"
        elif files[name] != size:
            what = f"has {files[name]:,} bytes, was written with {size:,}"
        else:
            what = _unreadable(blobs, name) if store.deep else ""
        if what:
            yield name, Finding(ailment=ailment, where=store.short(path), what=f"the {role} {what}")


def _unreadable(blobs: BlobStore, name: str) -> str:
    """Why a blob cannot be read; empty if it can."""
    try:
        blobs.get(name)
    except BlobError as error:
        return f"is damaged: {error.__cause__ or 'its content is not what its name says'}"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return ""


def _orphans(store: Store, held: Held, files: dict[str, int]) -> Iterator[Finding]:
    blobs, young = BlobStore(store.data), 0
    for name, size in sorted(files.items()):
        if name in held.blobs:
            continue
        path = blobs.path(name)
        if older_than_spared(path, store.now):
            what = f"no row names this file of {size:,} bytes"
            yield Finding(ailment=Ailment.BLOB_ORPHANED, where=store.short(path), what=what)
        else:
            young += 1
    if young:
        yield Finding(ailment=Ailment.BLOB_YOUNG, where="blobs", what=f"{young} without a row so far")
