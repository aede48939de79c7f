import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from pipeline import steps
from pipeline.blobs import BlobStore
from pipeline.errors import BackupError, StoreBusyError, StoreNewerError, UsageError
from pipeline.upkeep.backup import back_up, manifest, restore, restoring
from pipeline.upkeep.doctor import Severity, examine
from pipeline.upkeep.lease import keeping_blobs
from pipeline.warehouse import Warehouse
from tests.engine.engine.conftest import html
from tests.engine.upkeep.conftest import bytes_of, store_of

WRITER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from pipeline.blobs import BlobStore
from pipeline.warehouse import Warehouse

data, stop, number = Path(sys.argv[1]), Path(sys.argv[2]), 0
warehouse, blobs, now = Warehouse(data, command="a writer"), BlobStore(data), datetime(2026, 3, 4, tzinfo=UTC)
while not stop.exists():
    number += 1
    [(sha256, raw, size)] = blobs.put_many([b"content %d" % number])
    blob = {"sha256": sha256, "role": "text", "raw_bytes": raw, "stored_bytes": size, "stored_at": now}
    with warehouse.session() as session, session.transaction(stage="fetch", run_id="w", now=now) as transaction:
        transaction.insert("blobs", [blob])
    print(number, flush=True)
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "backup"


@pytest.fixture
def save(world, warehouse, folder):
    return lambda: back_up(warehouse, folder, root=world.root, now=world.clock.now())


@pytest.fixture
def empty(tmp_path):
    return Warehouse(tmp_path / "elsewhere" / "data", wait_s=5, command="a test")


def bring_back(world, warehouse, folder, **options):
    root = warehouse.path.parent.parent
    root.mkdir(exist_ok=True)
    return restore(warehouse, folder, root=root, now=world.clock.now(), **options)


def rows_of(path):
    """Every row of every table."""
    with duckdb.connect(path, read_only=True) as connection:
        tables = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {table: connection.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall() for table in tables}


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def errors(world, warehouse):
    found = examine(store_of(world, warehouse.path.parent, root=warehouse.path.parent.parent, deep=True))
    return [finding for finding in found if finding.severity is not Severity.NOTE]


def test_a_restored_store_has_every_row_and_every_blob(world, data, warehouse, folder, save, empty):
    held = save().manifest
    report = bring_back(world, empty, folder)
    assert rows_of(empty.path) == rows_of(warehouse.path)
    assert len(rows_of(empty.path)["visits"]) == 9
    assert bytes_of(empty.path.parent / "blobs") == bytes_of(data / "blobs")
    assert empty.path.with_suffix(".hwm").read_text() == str(held.commit_no)
    assert empty.published.query("SELECT count(*) AS n FROM visits").to_pylist() == [{"n": 9}]
    assert [path.name for path in report.written] == ["shop.yaml"]
    assert errors(world, empty) == []


def test_a_restored_store_goes_on_where_it_was(world, folder, save, data):
    save()
    world.step(page=html("three"))
    bring_back(world, Warehouse(data, wait_s=5), folder, force=True)
    world.step(page=html("three"))
    assert world.kinds()[-1] == "content"
    assert errors(world, Warehouse(data)) == []


def test_a_second_backup_copies_only_what_is_new(world, folder, save, data):
    save()
    before = {path: path.stat().st_mtime_ns for path in (folder / "blobs").rglob("*.zst")}
    world.step(page=html("three"))
    report = save()
    new = set((folder / "blobs").rglob("*.zst")) - set(before)
    assert new
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert report.copied_files == len(new) + 3  # database, high-water mark, one site file
    assert len([path for path in folder.iterdir() if path.name.startswith("2026")]) == 1


def test_a_blob_that_the_store_lost_stays_in_the_backup(world, folder, save, data):
    save()
    lost = next((data / "blobs").rglob("*.zst"))
    lost.unlink()
    assert save().manifest.missing == ()
    assert (folder / lost.relative_to(data)).exists()


def test_a_blob_that_is_lost_before_the_first_backup_is_named(world, folder, save, data, empty):
    lost, broken = sorted((data / "blobs").rglob("*.zst"))[:2]
    lost.unlink()
    flip(broken)
    assert set(save().manifest.missing) == {path.parent.name + path.stem for path in (lost, broken)}
    bring_back(world, empty, folder)
    assert {finding.ailment for finding in errors(world, empty)} == {"blob_missing"}


def test_a_blob_of_the_backup_that_went_bad_is_copied_anew(world, folder, save, empty):
    save()
    flip(next((folder / "blobs").rglob("*.zst")))
    save()
    bring_back(world, empty, folder)
    assert errors(world, empty) == []


def test_a_backup_that_dies_anywhere_leaves_the_one_before_whole(world, folder, save, empty, tmp_path):
    save()
    held = rows_of(world.engine().warehouse.path)
    world.step(page=html("three"))
    seen = set()

    def die(point):
        if point not in seen and point.split()[1] == "backup" and point != "after backup manifest":
            seen.add(point)
            raise KeyboardInterrupt

    deaths = 0
    steps.listen(die)
    try:
        while True:
            try:
                save()
                break
            except KeyboardInterrupt:
                deaths += 1
                target = Warehouse(tmp_path / f"after-{deaths}" / "data", wait_s=5)
                steps.listen(None)
                bring_back(world, target, folder)
                assert rows_of(target.path) == held
                steps.listen(die)
    finally:
        steps.listen(None)
    assert deaths == 7
    bring_back(world, empty, folder)
    assert len(rows_of(empty.path)["visits"]) == 12


def test_a_backup_is_consistent_while_another_process_commits(world, data, warehouse, folder, save, empty, tmp_path):
    stop = tmp_path / "stop"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, data, stop], stdout=subprocess.PIPE, text=True)
    try:
        assert writer.stdout.readline() == "1\n"
        reports = [save() for _ in range(3)]
    finally:
        stop.touch()
        writer.communicate(timeout=60)
    assert writer.returncode == 0
    first, last = reports[0].manifest.commit_no, reports[-1].manifest.commit_no
    assert first < last
    bring_back(world, empty, folder)
    restored, live = rows_of(empty.path), rows_of(warehouse.path)
    assert [row[0] for row in sorted(restored["commits"])] == list(range(1, last + 1))
    assert all(set(map(str, rows)) <= set(map(str, live[table])) for table, rows in restored.items())
    blobs = BlobStore(empty.path.parent)
    assert all(blobs.get(row[0]) for row in restored["blobs"])
    assert errors(world, empty) == []


@pytest.mark.parametrize("what", ["quietdiff.duckdb", "*.zst", "quietdiff.hwm", "shop.yaml", "manifest.json"])
def test_a_backup_with_one_flipped_byte_is_refused_by_name_before_anything_is_touched(world, data, folder, save, what):
    save()
    path = next(folder.rglob(what))
    flip(path)
    before = bytes_of(data)
    with pytest.raises(BackupError, match=path.name):
        bring_back(world, Warehouse(data), folder, force=True)
    assert bytes_of(data) == before


def test_a_backup_that_lacks_a_file_is_refused_by_name(world, folder, save, empty):
    save()
    path = next(folder.rglob("*.zst"))
    path.unlink()
    with pytest.raises(BackupError, match=path.name):
        bring_back(world, empty, folder)
    assert not empty.path.parent.exists()


def test_a_folder_without_a_finished_backup_is_refused(world, tmp_path, empty):
    with pytest.raises(BackupError, match="holds no finished backup"):
        bring_back(world, empty, tmp_path)


def test_a_manifest_that_names_a_file_outside_is_refused(world, folder, save, empty):
    save()
    packed = json.loads((folder / "manifest.json").read_text())
    del packed["digest"]
    packed["files"]["../../etc/passwd"] = {"bytes": 1, "sha256": "0"}
    packed["digest"] = manifest._digest(packed)
    (folder / "manifest.json").write_text(json.dumps(packed))
    with pytest.raises(BackupError, match="damaged"):
        bring_back(world, empty, folder)


def test_a_backup_of_a_newer_version_is_refused(world, folder, save, empty, monkeypatch):
    save()
    monkeypatch.setattr(restoring, "migrations", tuple)
    with pytest.raises(StoreNewerError, match="upgrade"):
        bring_back(world, empty, folder)


def test_a_database_that_is_there_is_refused_and_with_force_put_aside(world, data, warehouse, folder, save):
    save()
    world.step(page=html("three"))
    before = rows_of(warehouse.path)
    with pytest.raises(UsageError, match="--force"):
        bring_back(world, warehouse, folder)
    assert rows_of(warehouse.path) == before
    report = bring_back(world, warehouse, folder, force=True)
    assert rows_of(report.replaced / "quietdiff.duckdb") == before
    assert len(rows_of(warehouse.path)["visits"]) == 9


def test_what_a_lost_database_left_is_put_aside_too(world, data, warehouse, folder, save):
    save()
    warehouse.path.unlink()
    Path(f"{warehouse.path}.wal").write_bytes(b"of the one that is gone")
    report = bring_back(world, warehouse, folder)
    assert {path.name for path in report.replaced.iterdir()} == {"quietdiff.duckdb.wal", "quietdiff.hwm", "blobs"}
    assert errors(world, warehouse) == []


def test_a_restore_that_died_can_be_done_again(world, folder, save, empty):
    save()

    def die(point):
        if point == "before restored database":
            raise KeyboardInterrupt

    steps.listen(die)
    with pytest.raises(KeyboardInterrupt):
        bring_back(world, empty, folder)
    steps.listen(None)
    bring_back(world, empty, folder)
    assert errors(world, empty) == []


def test_files_of_the_project_that_are_there_are_left(world, folder, save, empty):
    save()
    mine = empty.path.parent.parent / "sites" / "shop.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text("pages: []\n")
    report = bring_back(world, empty, folder)
    assert (report.written, report.differing) == ((), (mine,))
    assert mine.read_text() == "pages: []\n"


def test_a_backup_waits_for_whoever_removes_blobs(world, warehouse, folder):
    with keeping_blobs(warehouse.path.parent, wait_s=0), pytest.raises(StoreBusyError, match="blobs"):
        back_up(warehouse, folder, root=world.root, now=world.clock.now(), wait_s=0)


@pytest.mark.parametrize("place", ["data/backup", "."])
def test_a_backup_inside_or_around_the_data_folder_is_refused(world, warehouse, place):
    with pytest.raises(UsageError, match="data folder"):
        back_up(warehouse, world.root / place, root=world.root, now=world.clock.now())


def test_a_backup_of_another_store_is_not_written_over(world, folder, save, tmp_path):
    save()
    other = Warehouse(tmp_path / "other", wait_s=5)
    with other.session():
        pass
    before = bytes_of(folder)
    with pytest.raises(UsageError, match="another store"):
        back_up(other, folder, root=world.root, now=world.clock.now())
    assert bytes_of(folder) == before


def test_without_a_database_there_is_nothing_to_back_up(world, folder, tmp_path):
    with pytest.raises(UsageError, match="no database"):
        back_up(Warehouse(tmp_path / "none"), folder, root=world.root, now=world.clock.now())
    assert not (tmp_path / "none").exists()
