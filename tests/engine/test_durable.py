"""What is on disk before we say so: the content before its name, and the name before we return."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.blobs import BlobStore
from pipeline.durable import replace_durably
from pipeline.warehouse import Warehouse

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)

Event = tuple[str, int | str]


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """("fsync", inode) and ("rename", its new path) in the order in which they happen.

    A file keeps its inode when it is renamed; the number of one that was replaced may come back.
    """
    happened: list[Event] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(descriptor: int) -> None:
        fsync(descriptor)
        happened.append(("fsync", os.fstat(descriptor).st_ino))

    def note_replace(source: Path, target: Path) -> None:
        happened.append(("rename", str(target)))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    return happened


def store_blob(data: Path) -> list[Path]:
    BlobStore(data).put_many([b"content"])
    return list((data / "blobs").rglob("*.zst"))


def commit(data: Path) -> list[Path]:
    write_row(data)
    return [data / "quietdiff.hwm"]


def publish(data: Path) -> list[Path]:
    write_row(data)
    Warehouse(data).publish(NOW, force=True)
    return [data / "published" / "quietdiff.duckdb", data / "published" / "quietdiff.json"]


def write_row(data: Path) -> None:
    row = {"site": "a", "active": True, "time_zone": "UTC", "config_sha256": "0", "first_seen_at": NOW}
    with (
        Warehouse(data).session() as session,
        session.transaction(stage="config", run_id="r", now=NOW) as transaction,
    ):
        transaction.insert("sites", [row])


@pytest.mark.parametrize("write", [store_blob, commit, publish])
def test_a_file_is_on_disk_before_it_has_its_name_and_its_folders_after(
    tmp_path: Path, events: list[Event], write: Callable[[Path], list[Path]]
) -> None:
    data = tmp_path / "data"
    written = write(data)
    assert written
    for path in written:
        renamed = max(n for n, event in enumerate(events) if event == ("rename", str(path)))
        assert events[renamed - 1] == ("fsync", path.stat().st_ino)
        assert ("fsync", path.parent.stat().st_ino) in events[renamed:]
        for folder in path.parents[: len(path.relative_to(tmp_path).parts)]:  # all but the last were made
            assert ("fsync", folder.stat().st_ino) in events


def test_each_folder_is_written_out_once_for_all_its_files(tmp_path: Path, events: list[Event]) -> None:
    (tmp_path / "there").mkdir()
    places = [tmp_path / "there" / name for name in "abc"]
    replace_durably({place: lambda temporary: temporary.write_text("x") for place in places})
    assert events.count(("fsync", (tmp_path / "there").stat().st_ino)) == 1
    assert ("fsync", tmp_path.stat().st_ino) not in events  # no folder was made in it


def test_a_file_that_cannot_be_written_leaves_the_one_before_and_nothing_else(tmp_path: Path) -> None:
    def half(temporary: Path) -> None:
        temporary.write_text("new, but on")
        raise OSError("No space left on device")

    place = tmp_path / "note"
    replace_durably({place: lambda temporary: temporary.write_text("old")})
    with pytest.raises(OSError, match="No space left"):
        replace_durably({place: half})
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]
