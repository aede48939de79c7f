"""`doctor`, `backup` and `restore` as a person types them."""

import json

import pytest


@pytest.fixture
def visited(cli, demo):
    demo.visit_day(1)
    return cli


def test_a_whole_store_is_a_success(visited):
    result = visited("doctor", "--deep")
    assert result.status == 0
    assert "0 errors, 0 warnings" in result.out


def test_a_finding_says_how_grave_what_where_meaning_and_remedy(visited):
    blob = next((visited.folder / "data" / "blobs").rglob("*.zst"))
    blob.unlink()
    result = visited("doctor")
    assert result.status == 1
    where = blob.relative_to(visited.folder / "data")
    assert f"error: blob_missing: {where}: the " in result.out
    assert "\n  means: " in result.out
    assert "\n  do: Copy the file of the same name" in result.out


def test_findings_in_json_have_the_same(visited):
    (visited.folder / "data" / "quietdiff.hwm").write_text("")
    result = visited("doctor", "--json")
    found = {finding["finding"]: finding for finding in json.loads(result.out)}
    assert (result.status, found["high_water_unreadable"]["severity"]) == (1, "warning")
    assert set(found["high_water_unreadable"]) == {
        "severity", "finding", "where", "what", "means", "do", "repair", "mended",
    }  # fmt: skip


def test_repair_says_what_it_did(visited):
    (visited.folder / "data" / "quietdiff.hwm").write_text("")
    result = visited("doctor", "--repair")
    assert result.status == 0
    assert "mended: wrote " in result.out
    assert visited("doctor").status == 0


def test_many_findings_alike_are_counted(visited):
    for blob in list((visited.folder / "data" / "blobs").rglob("*.zst"))[:13]:
        blob.unlink()
    result = visited("doctor")
    assert result.out.count("error: blob_missing") == 10
    assert "and 3 more of these; --json lists all" in result.out


def test_a_backup_is_made_and_restored(visited):
    before = visited("sql", "SELECT * FROM changes", "--format", "csv").out
    made = visited("backup", "saved")
    assert made.status == 0
    assert "verified" in made.out
    restored = visited("--data", "other", "restore", "saved", "--json")
    assert restored.status == 0
    assert restored.lines[0]["replaced"] is None
    assert visited("--data", "other", "sql", "SELECT * FROM changes", "--format", "csv").out == before


def test_a_database_that_is_there_is_not_restored_over(visited):
    visited("backup", "saved")
    result = visited("restore", "saved")
    assert result.status == 2
    assert "--force" in result.err
    assert visited("restore", "saved", "--force").status == 0


def test_a_damaged_backup_is_refused_by_name(visited):
    visited("backup", "saved", "--json")
    blob = next((visited.folder / "saved" / "blobs").rglob("*.zst"))
    blob.write_bytes(b"damaged")
    result = visited("--data", "other", "restore", "saved")
    assert result.status == 1
    assert blob.name in result.err


def test_a_backup_without_what_the_store_lost_says_so(visited):
    next((visited.folder / "data" / "blobs").rglob("*.zst")).unlink()
    result = visited("backup", "saved")
    assert result.status == 1
    assert "1 blobs are lost" in result.err
