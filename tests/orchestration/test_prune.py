"""Pruning Dagster's storage, on an instance with real files."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from dagster._core.execution.backfill import BulkActionStatus, PartitionBackfill
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteRepositoryOrigin
from dagster._core.storage.event_log.schema import AssetCheckExecutionsTable, SqlEventLogStorageTable
from dagster._core.test_utils import create_run_for_test

from assets.defs.partitions import partition_key, site_day_partitions, sites
from assets.prune import BLOCK, UNFINISHED, prune, sizes
from assets.run_files import MACHINERY, RUN_ID, RunFiles
from pipeline.errors import StoreBusyError, UsageError
from pipeline.model import SiteDay
from pipeline.steps import listen
from pipeline.warehouse.lock import holding

NOW = datetime.now(UTC)

TODAY = NOW.date()

LATER = NOW + timedelta(hours=2)
"""When runs that these tests make are no longer fresh."""

KEPT_BYTES = 100_000
"""Disk that a kept run may take, some days later: 600 of them, what a month of 20 sites leaves, are 60 MB."""


class Told(dg.Config):
    """What a run is to do."""

    pages: int
    fail: bool


@dg.asset(partitions_def=site_day_partitions, check_specs=[dg.AssetCheckSpec("right", asset="fetch")])
def fetch(context: dg.AssetExecutionContext, config: Told) -> dg.MaterializeResult:
    """A stand-in."""
    context.log.info("fetching")
    return dg.MaterializeResult(
        metadata={"pages": config.pages}, check_results=[dg.AssetCheckResult(check_name="right", passed=True)]
    )


@dg.asset(partitions_def=site_day_partitions, deps=[fetch])
def route(config: Told) -> dg.MaterializeResult:
    """Another, which fails when told."""
    if config.fail:
        raise dg.Failure("the page bit back")
    return dg.MaterializeResult(metadata={"alerts": 1})


JOB = dg.Definitions(
    assets=[fetch, route],
    jobs=[dg.define_asset_job("watch", selection="*", executor_def=dg.in_process_executor)],
).resolve_job_def("watch")


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    (tmp_path / "dagster.yaml").write_text("telemetry: {enabled: false}\n", encoding="utf-8")
    with dg.DagsterInstance.from_config(str(tmp_path)) as instance:
        assert sites.name
        instance.add_dynamic_partitions(sites.name, ["a", "b"])
        yield instance


def run(instance: dg.DagsterInstance, site: str, pages: int = 1, *, fail: bool = False, **tags: str) -> str:
    result = JOB.execute_in_process(
        instance=instance,
        partition_key=partition_key(SiteDay(site=site, day=TODAY)),
        run_config={
            "ops": {name: {"config": {"pages": pages, "fail": fail}} for name in ("fetch", "route")},
            "loggers": {"console": {"config": {"log_level": "ERROR"}}},
        },
        raise_on_error=False,
        tags=tags,
    )
    assert result.success is not fail
    return result.run_id


def known(instance: dg.DagsterInstance) -> set[str]:
    return set(instance.get_run_ids())


def files_of(instance: dg.DagsterInstance, run_id: str) -> list[str]:
    return sorted(path.name for path in Path(instance.root_directory).rglob("*") if run_id in str(path))


def shown(instance: dg.DagsterInstance, asset: str) -> dict[str | None, Any]:
    """What the UI shows of each partition: the newest metadata, and whether the key counts as materialized."""
    key = dg.AssetKey(asset)
    materialized = instance.get_materialized_partitions(key)
    records = instance.fetch_materializations(key, limit=1000).records
    newest = {record.partition_key: record.asset_materialization for record in reversed(records)}
    assert set(newest) == materialized
    return {
        part: {name: entry.value for name, entry in event.metadata.items()} for part, event in newest.items() if event
    }


def rows(instance: dg.DagsterInstance, table: str) -> set[str]:
    """The runs that a table of the index names."""
    index = Path(instance.root_directory) / "history" / "runs" / "index.db"
    with closing(sqlite3.connect(index)) as connection:
        return {run_id for [run_id] in connection.execute(f"SELECT DISTINCT run_id FROM {table} WHERE run_id <> ''")}


def test_superseded_runs_go_with_all_that_is_theirs_and_partitions_keep_their_latest_metadata(
    instance: dg.DagsterInstance,
) -> None:
    first, second, third = (run(instance, "a", pages) for pages in (1, 2, 3))
    other = run(instance, "b", 7)
    before = shown(instance, "fetch"), shown(instance, "route")

    pruned = prune(instance, now=LATER)

    assert (pruned.deleted, pruned.kept, pruned.left_over) == (2, 2, 0)
    assert known(instance) == {third, other}
    assert files_of(instance, first) == files_of(instance, second) == []
    assert rows(instance, "event_logs") == rows(instance, "asset_check_executions") == {third, other}
    assert (shown(instance, "fetch"), shown(instance, "route")) == before
    assert {part: data["pages"] for part, data in before[0].items()} == {f"{TODAY}|a": 3, f"{TODAY}|b": 7}


def test_pruning_again_does_nothing(instance: dg.DagsterInstance) -> None:
    run(instance, "a")
    run(instance, "a")
    prune(instance, now=LATER)
    again = prune(instance, now=LATER)
    assert (again.deleted, again.left_over, again.trimmed, again.kept) == (0, 0, 0, 1)
    assert again.before == again.after


def test_a_failure_stays_with_its_log_for_two_weeks_after_the_success(instance: dg.DagsterInstance) -> None:
    failure, success = run(instance, "a", fail=True), run(instance, "a")

    prune(instance, now=NOW + timedelta(days=13))
    assert known(instance) == {failure, success}
    assert any("the page bit back" in str(entry.dagster_event) for entry in instance.all_logs(failure))
    prune(instance, now=NOW + timedelta(days=15))
    assert known(instance) == {success}
    assert files_of(instance, failure) == []


@pytest.mark.parametrize("status", UNFINISHED)
def test_an_unfinished_run_and_what_it_does_again_are_never_touched(
    instance: dg.DagsterInstance, status: dg.DagsterRunStatus
) -> None:
    failure = run(instance, "a", fail=True)
    run(instance, "a")
    tags = {"dagster/partition": f"{TODAY}|a"}
    origin = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin("here"), "all").get_job_origin("watch")
    alone = create_run_for_test(instance, job_name="watch", status=status, remote_job_origin=origin, tags=tags)
    retry = create_run_for_test(
        instance,
        job_name="watch",
        status=status,
        remote_job_origin=origin,
        parent_run_id=failure,
        root_run_id=failure,
        tags={**tags, "dagster/root_run_id": failure, "dagster/parent_run_id": failure},
    )
    newest = run(instance, "a")

    prune(instance, now=NOW + timedelta(days=30))

    assert known(instance) == {failure, alone.run_id, retry.run_id, newest}
    assert files_of(instance, failure)


def test_runs_of_a_backfill_in_progress_stay_until_it_is_done(instance: dg.DagsterInstance) -> None:
    part = run(instance, "a", **{"dagster/backfill": "stuvwxyz"})
    newest = run(instance, "a")
    backfill = PartitionBackfill(
        backfill_id="stuvwxyz",
        status=BulkActionStatus.REQUESTED,
        from_failure=False,
        tags={},
        backfill_timestamp=NOW.timestamp(),
        asset_selection=[dg.AssetKey("fetch")],
    )
    instance.add_backfill(backfill)

    prune(instance, now=LATER)
    assert known(instance) == {part, newest}
    instance.update_backfill(backfill.with_status(BulkActionStatus.COMPLETED_SUCCESS))
    prune(instance, now=LATER)
    assert known(instance) == {newest}


def points() -> list[str]:
    names = ("forget events of runs", "forget a run", "delete files of a run")
    return [f"{when} {name}" for name in names for when in ("before", "after")]


@pytest.mark.parametrize("point", points())
def test_what_was_killed_half_way_is_finished_by_the_next(instance: dg.DagsterInstance, point: str) -> None:
    gone = {run(instance, "a"), run(instance, "a")}
    newest = run(instance, "a", 5)

    def die(reached: str) -> None:
        if reached == point:
            raise KeyboardInterrupt

    listen(die)
    try:
        with pytest.raises(KeyboardInterrupt):
            prune(instance, now=LATER)
    finally:
        listen(None)
    prune(instance, now=LATER)

    assert known(instance) == rows(instance, "event_logs") == rows(instance, "asset_check_executions") == {newest}
    assert [files_of(instance, run_id) for run_id in gone] == [[], []]
    assert shown(instance, "fetch")[f"{TODAY}|a"]["pages"] == 5


def test_what_dagsters_own_delete_left_behind_goes_too(instance: dg.DagsterInstance) -> None:
    """When Dagster deletes all of a run itself, this fails, and `RunFiles.delete` can become its `delete_run`."""
    gone = run(instance, "a")
    kept = run(instance, "b")
    instance.delete_run(gone)
    assert f"{gone}.db" in files_of(instance, gone)
    assert gone in files_of(instance, gone)
    assert rows(instance, "asset_check_executions") == {gone, kept}

    assert prune(instance, now=LATER).left_over == 1
    assert files_of(instance, gone) == []
    assert rows(instance, "asset_check_executions") == {kept}


def test_a_file_that_is_no_runs_stays(instance: dg.DagsterInstance) -> None:
    home = Path(instance.root_directory)
    strangers = [
        home / "history" / "runs" / "notes.db",
        home / "storage" / "an_asset",
        home / "history" / "runs" / ".db",
    ]
    for path in strangers:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    run(instance, "a")
    prune(instance, now=LATER)
    assert all(path.exists() for path in strangers)


def test_an_old_success_is_cut_down_to_its_story_and_still_opens(instance: dg.DagsterInstance) -> None:
    kept = run(instance, "a", 4)
    before = shown(instance, "fetch")
    pruned = prune(instance, now=NOW + timedelta(days=4))

    assert pruned.trimmed == 1
    entries = instance.all_logs(kept)
    types = {entry.dagster_event.event_type_value for entry in entries if entry.dagster_event}
    assert {"ASSET_MATERIALIZATION", "STEP_SUCCESS", "PIPELINE_SUCCESS"} <= types
    assert not types & set(MACHINERY)
    assert any(entry.user_message == "fetching" for entry in entries)
    assert shown(instance, "fetch") == before
    assert instance.get_run_stats(kept).materializations == 2
    [check] = instance.event_log_storage.get_asset_check_execution_history(
        dg.AssetCheckKey(dg.AssetKey("fetch"), "right"), limit=5
    )
    assert check.run_id == kept
    assert prune(instance, now=NOW + timedelta(days=4)).trimmed == 0


def test_a_log_that_somebody_reads_is_cut_down_another_time(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assets.run_files.BUSY_S", 0.01)
    kept = run(instance, "a")
    shard = Path(instance.root_directory) / "history" / "runs" / f"{kept}.db"
    with closing(sqlite3.connect(shard, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM event_logs").fetchone()
        assert prune(instance, now=NOW + timedelta(days=4)).trimmed == 0
    assert prune(instance, now=NOW + timedelta(days=4)).trimmed == 1


def test_runs_go_on_while_it_is_pruned(instance: dg.DagsterInstance) -> None:
    for _ in range(3):
        run(instance, "a")
    failed: list[BaseException] = []

    def keep_pruning() -> None:
        try:
            for _ in range(5):
                prune(instance, now=LATER)
        except BaseException as error:  # noqa: BLE001  (a thread's errors are lost otherwise)
            failed.append(error)

    pruning = threading.Thread(target=keep_pruning)
    pruning.start()
    newest = [run(instance, "b", pages) for pages in range(3)][-1]
    pruning.join()
    assert failed == []
    assert shown(instance, "fetch")[f"{TODAY}|b"]["pages"] == 2
    assert newest in known(instance)


def test_two_never_prune_at_once(instance: dg.DagsterInstance) -> None:
    with holding(Path(instance.root_directory) / "prune", wait_s=0, command="another"):
        with pytest.raises(StoreBusyError, match="another"):
            prune(instance, now=LATER, wait_s=0)


def test_a_kept_run_takes_little_room_after_some_days(instance: dg.DagsterInstance) -> None:
    run(instance, "a")
    empty = sum(sizes(Path(instance.root_directory)).values())
    for pages in range(3):
        for site in ("a", "b"):
            run(instance, site, pages)
    pruned = prune(instance, now=NOW + timedelta(days=4))

    assert pruned.kept == 2
    assert sum(pruned.after.values()) < empty + KEPT_BYTES
    assert pruned.freed > 4 * 200_000


def test_sizes_add_up_to_what_is_there(instance: dg.DagsterInstance) -> None:
    run(instance, "a")
    home = Path(instance.root_directory)
    measured = sizes(home)
    exact = [path.lstat().st_size for path in home.rglob("*")]
    assert sum(exact) <= sum(measured.values()) <= sum(exact) + BLOCK * len(exact)
    assert all(measured[name] > 0 for name in ("events of all runs", "logs of each run", "runs", "output of runs"))


def test_another_storage_than_sqlite_is_refused() -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        with pytest.raises(UsageError, match="SQLite storage only"):
            RunFiles(instance)


def test_the_tables_behind_dagsters_api_are_as_we_know_them(instance: dg.DagsterInstance) -> None:
    """What `assets.run_files` relies on; see docs/decisions/0008-dagster-storage.md."""
    kept = run(instance, "a")
    shard = Path(instance.root_directory) / "history" / "runs" / f"{kept}.db"
    with closing(sqlite3.connect(shard)) as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(event_logs)")}
        types = {row[0] for row in connection.execute("SELECT dagster_event_type FROM event_logs")}
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert columns == {column.name for column in SqlEventLogStorageTable.columns}
    assert "run_id" in AssetCheckExecutionsTable.columns
    assert {"STEP_OUTPUT", "ASSET_MATERIALIZATION_PLANNED", "RESOURCE_INIT_SUCCESS"} & types <= set(MACHINERY)
    assert set(MACHINERY) <= {each.value for each in dg.DagsterEventType}
    assert RUN_ID.fullmatch(kept)
    assert (Path(instance.storage_directory()) / kept / "compute_logs").is_dir()
