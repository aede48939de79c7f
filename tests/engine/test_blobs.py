"""Bodies and texts on disk."""

from pathlib import Path

import pytest

from pipeline.blobs import BlobStore, sha256_of
from pipeline.errors import BlobError


def test_what_was_put_comes_back_under_its_hash(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    [(name, raw, stored)] = store.put_many([b"hello " * 1000])
    assert name == sha256_of(b"hello " * 1000)
    assert raw == 6000
    assert 0 < stored < raw
    assert store.get(name) == b"hello " * 1000


def test_the_same_content_is_stored_once(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    first, second = store.put_many([b"x", b"x"])
    assert first == second
    assert len(list((tmp_path / "blobs").rglob("*.zst"))) == 1


def test_no_temporary_file_stays(tmp_path: Path) -> None:
    BlobStore(tmp_path).put_many([bytes([n]) * 10 for n in range(20)])
    assert not list((tmp_path / "blobs").rglob("*.tmp"))


def test_content_that_is_gone_says_so(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    with pytest.raises(BlobError, match="is gone"):
        store.get(sha256_of(b"never"))


@pytest.mark.parametrize("damage", [lambda d: d[:-3], lambda d: d[:-1] + bytes([d[-1] ^ 1]), lambda _: b"not zstd"])
def test_damaged_content_is_never_handed_out(tmp_path: Path, damage) -> None:
    store = BlobStore(tmp_path)
    [(name, _, _)] = store.put_many([b"content " * 100])
    [path] = (tmp_path / "blobs").rglob("*.zst")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BlobError, match="damaged"):
        store.get(name)


def test_content_under_another_name_is_never_handed_out(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    (one, _, _), (two, _, _) = store.put_many([b"one", b"two"])
    paths = {path.parent.name + path.stem: path for path in (tmp_path / "blobs").rglob("*.zst")}
    paths[one].write_bytes(paths[two].read_bytes())
    with pytest.raises(BlobError, match="not what its name says"):
        store.get(one)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "A" * 64, "0" * 63])
def test_a_name_that_is_no_hash_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a SHA-256"):
        BlobStore(tmp_path).get(name)
