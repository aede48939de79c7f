"""Bodies, texts and diffs on disk: content-addressed, compressed, durable before the row that names them."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import zstandard

from pipeline.errors import BlobError

__all__ = ["BlobStore", "StoredBlob", "sha256_of"]

LEVEL = 3
"""zstd's default: HTML shrinks about six times at some 300 MB/s; higher levels buy little."""

StoredBlob = tuple[str, int, int]
"""(sha256, raw bytes, stored bytes)."""


def sha256_of(content: bytes) -> str:
    """The name of a blob: 64 hex digits of SHA-256 of the content before compression."""
    return hashlib.sha256(content).hexdigest()


class BlobStore:
    """Files at `<data>/blobs/<2 hex>/<62 hex>.zst`.

    A file is written under a temporary name, fsynced and renamed, so that a name that exists holds the whole
    content. Writing the same content again is a no-op.
    """

    def __init__(self, data: Path) -> None:
        self._root = data / "blobs"

    def put(self, content: bytes) -> StoredBlob:
        """Store content durably and return its name and sizes."""
        return self.put_many([content])[0]

    def put_many(self, contents: Sequence[bytes]) -> list[StoredBlob]:
        """Store several contents; each folder they land in is fsynced once."""
        compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
        touched: set[Path] = set()
        stored: list[StoredBlob] = []
        for content in contents:
            name = sha256_of(content)
            path = self._path(name)
            if not path.exists():
                _write_durably(path, compressor.compress(content))
                touched.add(path.parent)
            stored.append((name, len(content), path.stat().st_size))
        for folder in touched:
            _fsync_folder(folder)
        return stored

    def get(self, sha256: str) -> bytes:
        """The content of a blob.

        Raises:
            BlobError: it is not there, or its bytes are not those its name promises.
        """
        path = self._path(sha256)
        try:
            content = zstandard.ZstdDecompressor().decompress(path.read_bytes())
        except FileNotFoundError as error:
            raise BlobError(f"{path}: stored content is gone; the next visit of its page stores it anew") from error
        except zstandard.ZstdError as error:
            raise BlobError(f"{path}: stored content is damaged ({error}); restore it from a backup") from error
        if sha256_of(content) != sha256:
            raise BlobError(f"{path}: stored content is not what its name says; restore it from a backup")
        return content

    def has(self, sha256: str) -> bool:
        """Whether a blob is there."""
        return self._path(sha256).exists()

    def _path(self, sha256: str) -> Path:
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):  # noqa: PLR2004  (hex digits of SHA-256)
            raise ValueError(f"not a SHA-256: {sha256!r}")
        return self._root / sha256[:2] / f"{sha256[2:]}.zst"


def _write_durably(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _fsync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
