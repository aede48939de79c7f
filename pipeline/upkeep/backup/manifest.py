"""What a backup holds: `manifest.json`, which makes it one."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from pipeline.durable import replace_durably
from pipeline.errors import BackupError

__all__ = ["DATABASE", "FORMAT", "HIGH_WATER", "MANIFEST", "PROJECT", "Entry", "Manifest", "digest_of", "read_manifest"]

MANIFEST = "manifest.json"
FORMAT = 1

DATABASE, HIGH_WATER = "quietdiff.duckdb", "quietdiff.hwm"
PROJECT = "project"
"""Folder, within that of one backup, of quietdiff.yaml and `sites/`."""

PIECE = 1 << 20
"""Bytes of a file that are hashed at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file as it must be: its size in bytes, and SHA-256 of what is on disk."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What one backup holds.

    Attributes:
        quietdiff: Version of Quietdiff that made it.
        duckdb: Version of DuckDB that wrote the database.
        made_at: By the clock of the command, UTC.
        store: Which store it is of: when its first migration was run.
        schema: Highest migration of the database.
        commit_no: Newest commit of the database, and the high-water mark after a restore.
        folder: Folder of what belongs to this backup alone: database, high-water mark, project.
        missing: Blobs that rows name and the store itself had lost.
        files: Every file by its path in the backup.
    """

    quietdiff: str
    duckdb: str
    made_at: datetime
    store: str
    schema: int
    commit_no: int
    folder: str
    missing: tuple[str, ...]
    files: Mapping[str, Entry]

    def write(self, root: Path) -> None:
        """Put it in its place, durably; from then on the folder holds this backup."""
        packed = asdict(self) | {"format": FORMAT, "made_at": self.made_at.isoformat()}
        packed["digest"] = _digest(packed)
        text = json.dumps(packed, indent=1)
        replace_durably({root / MANIFEST: lambda to: to.write_text(text, encoding="utf-8")})


def read_manifest(root: Path) -> Manifest | None:
    """What the backup in a folder holds; None if there is none.

    Raises:
        BackupError: The manifest is damaged, or of a newer Quietdiff.
    """
    path = root / MANIFEST
    try:
        packed = json.loads(path.read_bytes())
        digest = packed.pop("digest")
        if packed["format"] > FORMAT:
            raise BackupError(f"{path}: made by a newer Quietdiff; upgrade Quietdiff to restore it")
        if digest != _digest(packed):
            raise BackupError(f"{path}: damaged; use another backup")
        return _unpacked(packed)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackupError(f"{path}: damaged; use another backup") from error


def digest_of(path: Path) -> Entry:
    """Size and SHA-256 of a file, as read from disk."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
            size += len(piece)
    return Entry(bytes=size, sha256=digest.hexdigest())


def _digest(packed: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(packed, sort_keys=True).encode()).hexdigest()


def _unpacked(packed: dict[str, Any]) -> Manifest:
    files = {path: Entry(**entry) for path, entry in packed.pop("files").items()}
    outside = [path for path in files if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts]
    if outside:
        raise ValueError(outside)
    del packed["format"]
    made_at, missing = datetime.fromisoformat(packed.pop("made_at")), tuple(packed.pop("missing"))
    return Manifest(files=files, made_at=made_at, missing=missing, **packed)
