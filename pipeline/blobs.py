"""Bodies, texts and diffs on disk: content-addressed, compressed, durable before the row that names them."""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

import zstandard

from pipeline.durable import replace_durably
from pipeline.errors import BlobError

__all__ = ["BlobStore", "StoredBlob", "sha256_of", "unpack"]

LEVEL = 3
"""zstd's default: HTML shrinks about six times at some 300 MB/s; higher levels buy little."""

_STEM = 62  # hex digits of a file's name; the first two are its folder's

StoredBlob = tuple[str, int, int]
"""(sha256, raw bytes, stored bytes)."""


def sha256_of(content: bytes) -> str:
    """The name of a blob: 64 hex digits of SHA-256 of the content before compression."""
    return hashlib.sha256(content).hexdigest()


class BlobStore:
    """Files at `<data>/blobs/<2 hex>/<62 hex>.zst`.

    A name that exists holds the whole content; storing the same content again is a no-op.
    """

    def __init__(self, data: Path) -> None:
        self._root = data / "blobs"

    def put_many(self, contents: Sequence[bytes]) -> list[StoredBlob]:
        """Store contents durably and return the name and sizes of each."""
        compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
        named = [(sha256_of(content), content) for content in contents]
        missing = {self.path(name): content for name, content in named if not _renewed(self.path(name))}
        replace_durably({path: partial(_write, compressor, content) for path, content in missing.items()})
        return [(name, len(content), _size(self.path(name), compressor, content)) for name, content in named]

    def put_again(self, stored: Sequence[StoredBlob], contents: Sequence[bytes]) -> None:
        """Store anew what went since `put_many` stored it; to be called under the database's lock.

        Whoever removes files holds that lock too, so what is there after this is there when the rows commit.

        Args:
            stored: What `put_many` returned.
            contents: What it was given.
        """
        compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
        paths = {self.path(name): content for (name, _, _), content in zip(stored, contents, strict=True)}
        missing = {path: content for path, content in paths.items() if not path.exists()}
        replace_durably({path: partial(_write, compressor, content) for path, content in missing.items()})

    def remove(self, names: Iterable[str]) -> int:
        """Remove stored contents; those that are gone already are passed over. Returns the bytes that were freed."""
        return sum(_unlink(self.path(name)) for name in names)

    def written_before(self, age: timedelta) -> list[str]:
        """Names of all contents whose files were written at least that long ago, by the file system's clock."""
        return [path.parent.name + path.stem for path in self._older(age, ".zst") if len(path.stem) == _STEM]

    def remove_unfinished(self, age: timedelta) -> int:
        """Remove temporary files at least that old, which only a write that was killed leaves; returns their bytes."""
        return sum(_unlink(path) for path in self._older(age, ".tmp"))

    def _older(self, age: timedelta, suffix: str) -> list[Path]:
        if not self._root.is_dir():
            return []
        with tempfile.NamedTemporaryFile(dir=self._root) as probe:  # its time is the file system's idea of now
            latest = os.fstat(probe.fileno()).st_mtime - age.total_seconds()
        found: list[Path] = []
        for path in self._root.glob(f"??/*{suffix}"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime <= latest:
                    found.append(path)
        return found

    def get(self, sha256: str) -> bytes:
        """The content of a blob.

        Raises:
            BlobError: it is not there, or its bytes are not those its name promises.
        """
        path = self.path(sha256)
        try:
            return unpack(path.read_bytes(), sha256, path)
        except FileNotFoundError as error:
            raise BlobError(f"{path}: stored content is gone; the next visit of its page stores it anew") from error

    def path(self, sha256: str) -> Path:
        """Where a blob's file lies."""
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):  # noqa: PLR2004  (hex digits of SHA-256)
            raise ValueError(f"not a SHA-256: {sha256!r}")
        return self._root / sha256[:2] / f"{sha256[2:]}.zst"


def unpack(stored: bytes, sha256: str, path: Path) -> bytes:
    """The content of a blob whose file is read already.

    Raises:
        BlobError: The bytes are not those its name promises; `path` is where they are from.
    """
    try:
        content = zstandard.ZstdDecompressor().decompress(stored)
    except zstandard.ZstdError as error:
        raise BlobError(f"{path}: stored content is damaged ({error}); restore it from a backup") from error
    if sha256_of(content) != sha256:
        raise BlobError(f"{path}: stored content is not what its name says; restore it from a backup")
    return content


def _renewed(path: Path) -> bool:
    """Whether a file is there; if so it counts as stored now, for whoever removes old files that no row names."""
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    return True


def _size(path: Path, compressor: zstandard.ZstdCompressor, content: bytes) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # it went at this very moment; who writes its row puts it again
        return len(compressor.compress(content))


def _unlink(path: Path) -> int:
    try:
        size = path.stat().st_size
        path.unlink()
    except FileNotFoundError:
        return 0
    return size


def _write(compressor: zstandard.ZstdCompressor, content: bytes, path: Path) -> None:
    path.write_bytes(compressor.compress(content))
