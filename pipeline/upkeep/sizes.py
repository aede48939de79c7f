"""How much room everything takes that lies in the data folder."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.config import Project

__all__ = ["Sizes", "human_bytes", "sizes"]

UNITS = ("B", "KB", "MB", "GB", "TB", "PB")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Bytes by what they are for; a file that is not there counts 0.

    Attributes:
        database: The live file.
        wal: Its write-ahead log.
        published: The copy that analysts read, and what lies beside it.
        blobs: Stored bodies, texts and diffs, compressed.
        blob_count: How many files those are.
        dagster: Dagster's own storage: runs, events and logs.
        free: What the disk that holds the data folder has left.
    """

    database: int
    wal: int
    published: int
    blobs: int
    blob_count: int
    dagster: int
    free: int

    @property
    def total(self) -> int:
        """What all of it takes together."""
        return self.database + self.wal + self.published + self.blobs + self.dagster

    def __str__(self) -> str:
        parts = {
            "database": self.database + self.wal,
            "published copy": self.published,
            f"{self.blob_count:,} stored bodies and texts": self.blobs,
            "Dagster": self.dagster,
        }
        used = ", ".join(f"{name} {human_bytes(size)}" for name, size in parts.items())
        return f"{human_bytes(self.total)} used ({used}); {human_bytes(self.free)} free"


def sizes(project: Project) -> Sizes:
    """Measure a project's data folder; opens no database and takes no lock.

    Files that come and go meanwhile are counted or not. Takes some 5 µs a file.
    """
    data = project.data
    database = data / "quietdiff.duckdb"
    blobs = [_size(path) for path in _files(data / "blobs")]
    return Sizes(
        database=_size(database),
        wal=_size(database.with_name(f"{database.name}.wal")),
        published=sum(map(_size, _files(data / "published"))),
        blobs=sum(blobs),
        blob_count=len(blobs),
        dagster=sum(map(_size, _files(data / "dagster"))),
        free=shutil.disk_usage(_existing(data)).free,
    )


def human_bytes(size: float) -> str:
    """A size as people read it, in powers of a thousand: 532 B, 1.4 MB."""
    index = 0
    while size >= 999.5 and index < len(UNITS) - 1:  # noqa: PLR2004  (what rounds to 1,000 belongs to the next unit)
        size /= 1000
        index += 1
    return f"{size:.0f} {UNITS[index]}" if index == 0 or size >= 99.95 else f"{size:.1f} {UNITS[index]}"  # noqa: PLR2004


def _files(folder: Path) -> Iterator[Path]:
    """Every file below a folder; symbolic links are not followed."""
    for root, _, names in os.walk(folder):
        for name in names:
            yield Path(root, name)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return 0


def _existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())
