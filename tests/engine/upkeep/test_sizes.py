import pytest

from pipeline.config import load_project
from pipeline.upkeep import human_bytes, sizes


def test_each_part_of_the_data_folder_is_measured(tmp_path):
    data = tmp_path / "data"
    for name, size in {
        "quietdiff.duckdb": 1000,
        "quietdiff.duckdb.wal": 20,
        "published/quietdiff.duckdb": 900,
        "published/quietdiff.json": 30,
        "blobs/ab/cd.zst": 7,
        "blobs/ab/ef.zst": 5,
        "dagster/history/runs.db": 400,
    }.items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(bytes(size))
    found = sizes(load_project(tmp_path))
    assert (found.database, found.wal, found.published) == (1000, 20, 930)
    assert (found.blobs, found.blob_count, found.dagster) == (12, 2, 400)
    assert found.total == 2362
    assert found.free > 0
    assert str(found).startswith("2.4 KB used (database 1.0 KB, ")


def test_a_data_folder_that_is_not_there_yet_takes_no_room(tmp_path):
    found = sizes(load_project(tmp_path))
    assert found.total == 0
    assert found.free > 0


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (99_949, "99.9 KB"), (99_950, "100 KB"), (999_499, "999 KB"),
     (999_500, "1.0 MB"), (1_400_000_000, "1.4 GB"), (10**19, "10000 PB")],
)  # fmt: skip
def test_sizes_are_told_in_units_people_read(size, words):
    assert human_bytes(size) == words
