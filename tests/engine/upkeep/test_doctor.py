import shutil
import stat
import subprocess
import sys

import duckdb
import pytest

from pipeline.model import Outcome
from pipeline.upkeep.doctor import ADVICE, Ailment, Severity, blobs, database, examine, mend
from pipeline.upkeep.doctor import folder as folder_module
from pipeline.upkeep.lease import collecting, discard, keeping_blobs
from pipeline.warehouse import inspection, packaged_keys, references
from tests.engine.upkeep.conftest import NOW, bytes_of, store_of

A_READING = """INSERT INTO readings BY NAME SELECT page_id, visit_no, site, day, rules_id, '{}' AS extract_json,
FALSE AS fingerprinted, commit_no FROM visits LIMIT 1"""
A_LEDGER = "INSERT INTO ledger_states SELECT 0, page_id, day, visit_no, 1, ''::BLOB FROM visits LIMIT 1"
"""The tables that a run which ended may leave empty."""

A_BLOB = "ab" * 32


def words(findings, *, least=Severity.WARNING):
    graver = list(Severity)[: list(Severity).index(least) + 1]
    return {finding.ailment for finding in findings if finding.severity in graver}


def by_hand(data, *statements):
    with duckdb.connect(data / "quietdiff.duckdb") as connection:
        for statement in statements:
            connection.execute(statement)


def blob_files(data):
    return sorted((data / "blobs").rglob("*.zst"))


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_healthy_store_has_nothing_wrong(look):
    assert words(look(deep=True)) == set()


def test_a_folder_without_a_database_is_no_fault(world, tmp_path):
    findings = examine(store_of(world, tmp_path / "none"))
    assert {finding.ailment for finding in findings} == {Ailment.NO_DATABASE}
    assert not (tmp_path / "none").exists()


def test_a_database_that_is_gone_is_a_loss(data, look):
    (data / "quietdiff.duckdb").unlink()
    assert words(look()) == {Ailment.COMMITS_LOST}


def test_looking_changes_no_byte_of_any_file(data, look):
    flip(blob_files(data)[0])
    (data / "quietdiff.hwm").write_text("1")
    before = bytes_of(data)
    look(deep=True)
    assert bytes_of(data) == before


def test_looking_leaves_a_write_ahead_log_as_it_was(data, look):
    died = (
        "import duckdb, os, sys; c = duckdb.connect(sys.argv[1]); "
        "c.execute(\"UPDATE sites SET time_zone = 'Europe/Berlin'\"); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", died, data / "quietdiff.duckdb"], check=False)
    assert (data / "quietdiff.duckdb.wal").stat().st_size
    before = bytes_of(data)
    assert words(look()) == set()
    assert bytes_of(data) == before


def test_a_schema_that_is_older_is_reported_and_left(data, look, monkeypatch):
    known = database.migrations()
    newer = (*known, (len(known) + 1, "9999_next.sql", "CREATE TABLE next (a INTEGER); -- key: a"))
    monkeypatch.setattr(database, "migrations", lambda: newer)
    monkeypatch.setattr(inspection, "migrations", lambda: newer)
    before = bytes_of(data)
    assert words(look(), least=Severity.NOTE) & {Ailment.MIGRATION_PENDING, Ailment.SCHEMA_DIFFERS} == {
        Ailment.MIGRATION_PENDING
    }
    assert bytes_of(data) == before


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE schema_migrations SET sha256 = 'beef'", Ailment.MIGRATION_ALTERED),
        ("INSERT INTO schema_migrations VALUES (99, '0099_far.sql', 'x', now(), '9')", Ailment.MIGRATION_UNKNOWN),
        ("ALTER TABLE visits DROP COLUMN purpose", Ailment.SCHEMA_DIFFERS),
        ("DROP TABLE alerts", Ailment.SCHEMA_DIFFERS),
        ("DELETE FROM commits WHERE commit_no = 2", Ailment.COMMITS_NOT_DENSE),
        ("INSERT INTO commits SELECT * FROM commits WHERE commit_no = 2", Ailment.KEY_TWICE),
        ("DELETE FROM rules", Ailment.REFERENCE_UNRESOLVED),
        ("DELETE FROM visits WHERE visit_no = 1", Ailment.REFERENCE_UNRESOLVED),
        ("DELETE FROM blobs", Ailment.BLOB_UNRECORDED),
        ("DELETE FROM commits WHERE commit_no > 3", Ailment.COMMITS_LOST),
    ],
)
def test_what_was_done_to_the_database_by_hand_is_found(data, look, statement, found):
    by_hand(data, statement)
    assert found in words(look())


@pytest.mark.parametrize("key", packaged_keys(), ids=str)
def test_a_key_that_two_rows_share_is_found(data, look, key):
    by_hand(data, A_READING, A_LEDGER, f"INSERT INTO {key.table} SELECT * FROM {key.table} LIMIT 1")
    ailment = Ailment.WATCHED_TWICE if key.active_only else Ailment.KEY_TWICE
    assert any(f.ailment is ailment and f.where == f"key {key}" for f in look())


def test_every_table_of_the_schema_has_a_key_and_refers_to_what_it_names(data):
    with duckdb.connect(data / "quietdiff.duckdb", read_only=True) as connection:
        columns = {}
        for table, column in connection.execute("SELECT table_name, column_name FROM duckdb_columns()").fetchall():
            columns.setdefault(table, []).append(column)
        tables = {table for (table,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    assert {key.table for key in packaged_keys()} == tables
    named = {(r.table, r.columns[-1], r.parent) for r in references({t: columns[t] for t in tables})}
    assert {("judgements", "reference_visit_no", "visits"), ("pages", "previous_page_id", "pages")} <= named


def test_a_damaged_database_is_found(data, look):
    path = data / "quietdiff.duckdb"
    content = bytearray(path.read_bytes())
    for place in range(12_288 + 500, len(content), 100_000):
        content[place] ^= 255
    path.write_bytes(content)
    assert words(look()) == {Ailment.DATABASE_UNREADABLE}


def test_a_held_database_is_said_to_be_held_and_the_rest_is_looked_at(data, look, warehouse):
    shutil.rmtree(data.parent / "sites")
    (data.parent / "quietdiff.yaml").write_text("fetchh: 1\n")
    with warehouse.session():
        assert words(look(wait_s=0)) == {Ailment.DATABASE_HELD, Ailment.CONFIGURATION_WRONG}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (None, Ailment.HIGH_WATER_MISSING),
        ("", Ailment.HIGH_WATER_UNREADABLE),
        ("x7", Ailment.HIGH_WATER_UNREADABLE),
        ("1", Ailment.HIGH_WATER_BEHIND),
    ],
)
def test_a_high_water_mark_below_the_commits_is_found_and_mended(world, data, look, text, found):
    file = data / "quietdiff.hwm"
    newest = file.read_text()
    file.unlink() if text is None else file.write_text(text)
    assert words(look()) == {found}
    mend(store_of(world, data), look())
    assert file.read_text() == newest
    assert words(look()) == set()


def test_a_high_water_mark_above_the_commits_is_an_error_that_repair_leaves(world, data, look):
    (data / "quietdiff.hwm").write_text("999")
    [found] = [finding for finding in mend(store_of(world, data), look()) if finding.severity is Severity.ERROR]
    assert (found.ailment, found.mended) == (Ailment.COMMITS_LOST, "")
    assert (data / "quietdiff.hwm").read_text() == "999"


def test_a_flipped_byte_of_a_blob_is_found_when_it_is_read(data, look):
    path = blob_files(data)[0]
    flip(path)
    assert words(look()) == set()
    [found] = [finding for finding in look(deep=True) if finding.ailment is Ailment.BLOB_CORRUPT]
    assert found.where == str(path.relative_to(data))


def test_a_truncated_blob_is_found_by_its_size(data, look):
    path = blob_files(data)[0]
    path.write_bytes(path.read_bytes()[:-1])
    assert words(look()) == {Ailment.BLOB_CORRUPT}


def test_a_corrupt_blob_makes_room_for_its_content_and_stays_an_error(world, data, look):
    path = blob_files(data)[0]
    flip(path)
    [found] = [f for f in mend(store_of(world, data, deep=True), look(deep=True)) if f.ailment is Ailment.BLOB_CORRUPT]
    assert (found.severity, path.exists()) == (Severity.ERROR, False)
    assert (data / "damaged" / "blobs" / (path.parent.name + path.name)).exists()
    assert words(look()) == {Ailment.BLOB_MISSING, Ailment.SET_ASIDE}


def test_a_deleted_blob_is_found(data, look):
    blob_files(data)[0].unlink()
    assert words(look()) == {Ailment.BLOB_MISSING}


def test_a_blob_that_was_collected_while_we_looked_is_not_missed(data, look, monkeypatch):
    path = blob_files(data)[0]
    name = path.parent.name + path.stem
    path.unlink()
    monkeypatch.setattr(blobs, "unnamed_still", lambda store, names: names & {name})
    assert words(look()) == set()


def test_orphans_and_temporary_files_of_more_than_a_day_are_found_and_removed(world, data, look):
    orphan = data / "blobs" / A_BLOB[:2] / f"{A_BLOB[2:]}.zst"
    orphan.parent.mkdir(exist_ok=True)
    orphan.write_bytes(b"x")
    left = orphan.with_suffix(".77.tmp")
    left.write_bytes(b"x")
    assert words(look()) == {Ailment.BLOB_ORPHANED, Ailment.TEMPORARY_LEFT}
    assert all(finding.mended for finding in mend(store_of(world, data), look()) if finding.ailment in words(look()))
    assert not orphan.exists()
    assert not left.exists()


def test_a_young_orphan_may_belong_to_a_run_and_stays(world, data, look):
    orphan = data / "blobs" / A_BLOB[:2] / f"{A_BLOB[2:]}.zst"
    orphan.parent.mkdir(exist_ok=True)
    orphan.write_bytes(b"x")
    just_now = world.clock.now()
    findings = look(now=just_now)
    assert Ailment.BLOB_YOUNG in words(findings, least=Severity.NOTE)
    mend(store_of(world, data, now=just_now), findings)
    assert orphan.exists()


def test_orphans_stay_while_a_backup_copies(world, data, look):
    orphan = data / "blobs" / A_BLOB[:2] / f"{A_BLOB[2:]}.zst"
    orphan.parent.mkdir(exist_ok=True)
    orphan.write_bytes(b"x")
    with keeping_blobs(data, wait_s=0):
        mend(store_of(world, data), look())
        with collecting(data) as may:
            assert not may
    assert orphan.exists()


def test_a_file_whose_content_is_stored_again_is_not_discarded(world, data):
    stored = world.engine().blobs
    [(name, _, _)] = stored.put_many([b"content"])
    path, early = stored.path(name), NOW.replace(year=2020)
    stored.put_many([b"content"])
    assert not discard(path, stored_before=early)
    assert path.exists()
    assert discard(path, stored_before=NOW)
    assert not path.exists()
    assert not discard(path, stored_before=NOW)


@pytest.mark.parametrize("state", ["missing", "unreadable", "behind"])
def test_a_published_copy_that_is_not_as_it_should_be_is_published_anew(world, data, look, warehouse, state):
    path = warehouse.published.path
    if state == "missing":
        path.unlink()
    elif state == "unreadable":
        path.write_bytes(b"no database")
    else:
        world.fetcher.answers["page"] = (Outcome.FAILED, "http_500")
        world.step()
    assert words(look()) == {Ailment(f"copy_{state}")}
    mend(store_of(world, data), look())
    assert words(look()) == set()


def test_a_published_copy_that_holds_more_than_the_database_is_never_written_over(world, data, look, warehouse):
    by_hand(data, "DELETE FROM commits WHERE commit_no = (SELECT max(commit_no) FROM commits)")
    before = warehouse.published.path.read_bytes()
    assert Ailment.COPY_AHEAD in words(look())
    mend(store_of(world, data), look())
    assert warehouse.published.path.read_bytes() == before


def test_files_of_configuration_and_variables_are_looked_at(world, look):
    (world.root / "sites" / "bad.yaml").write_text("pages: 7\n")
    (world.root / "sites" / "far.yaml").write_text(
        "vantage: {proxy: '${FAR_PROXY}'}\npages: [{name: a, url: 'https://far.example/a'}]\n"
    )
    found = {f.ailment: f for f in look() if f.severity is not Severity.NOTE}
    assert set(found) == {Ailment.CONFIGURATION_WRONG, Ailment.VARIABLE_UNSET}
    assert found[Ailment.CONFIGURATION_WRONG].where == "sites/bad.yaml:1"
    assert "FAR_PROXY" in found[Ailment.VARIABLE_UNSET].what
    assert words(look(environ={"FAR_PROXY": "http://p.example"})) == {Ailment.CONFIGURATION_WRONG}


def test_what_others_may_write_and_read_is_found_and_closed(world, data, look):
    data.chmod(0o755)
    blobs = data / "blobs"
    blobs.chmod(0o777)
    blob_files(data)[0].chmod(0o666)
    assert {Ailment.WRITABLE_BY_OTHERS, Ailment.READABLE_BY_OTHERS} <= words(look(), least=Severity.NOTE)
    mend(store_of(world, data), look())
    assert words(look(), least=Severity.NOTE) == set()
    assert stat.S_IMODE(blobs.stat().st_mode) & stat.S_IRWXO == 0
    assert stat.S_IMODE((data / "published").stat().st_mode) & stat.S_IROTH


def test_what_we_may_not_write_is_found(data, look, monkeypatch):
    mine = folder_module.os.access
    monkeypatch.setattr(folder_module.os, "access", lambda path, mode: path != data / "blobs" and mine(path, mode))
    assert words(look()) == {Ailment.NOT_WRITABLE}


def test_a_disk_that_gets_full_is_found(look, monkeypatch):
    usage = shutil.disk_usage("/")._replace(free=10_000_000)
    monkeypatch.setattr(folder_module.shutil, "disk_usage", lambda path: usage)
    assert words(look()) == {Ailment.DISK_LOW}


def test_databases_that_were_set_aside_are_told_of(data, look):
    (data / "damaged" / "20260302T090000Z").mkdir(parents=True)
    (data / "replaced" / "20260302T090000Z").mkdir(parents=True)
    found = {finding.ailment: finding.severity for finding in look()}
    assert (found[Ailment.SET_ASIDE], found[Ailment.REPLACED]) == (Severity.WARNING, Severity.NOTE)


def test_every_finding_says_what_it_means_and_what_to_do():
    assert set(ADVICE) == set(Ailment)
    assert all(advice.means and advice.do for advice in ADVICE.values())
