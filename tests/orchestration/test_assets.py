"""What a run does and says, through the real job over a loopback server."""

from datetime import timedelta
from pathlib import Path

import dagster as dg
import pytest

from assets.defs.partitions import partition_key
from assets.defs.resources import ClockResource, WarehouseResource
from assets.registration import register_partitions
from pipeline.errors import StoreBusyError
from pipeline.model import SiteDay
from tests.orchestration.conftest import Deployment, at, checks_of, metadata_of

VISITS = "SELECT page_name, visit_no, day, purpose, effective_outcome, kind FROM visit_results ORDER BY ALL"


def test_a_run_of_a_new_site_says_what_each_stage_did(
    deployment: Deployment, watch: dg.JobDefinition, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("shop", "anvil", "fixed")
    result = deployment.run(watch, instance, "shop", at(1))

    assert result.success
    rows = {
        name: metadata_of(result, name)["dagster/partition_row_count"]
        for name in ("fetch", "extract", "normalize", "fingerprint", "classify", "route")
    }
    assert rows == {"fetch": 2, "extract": 2, "normalize": 2, "fingerprint": 2, "classify": 2, "route": 0}
    assert metadata_of(result, "fetch")["ok"] == 2
    assert metadata_of(result, "fetch")["failed"] == 0
    assert metadata_of(result, "classify")["first"] == 2
    assert {name: metadata_of(result, "classify")[name] for name in ("none", "noise", "content", "field")} == {
        "none": 0,
        "noise": 0,
        "content": 0,
        "field": 0,
    }
    assert checks_of(result.get_asset_check_evaluations()) == {
        "something_answered": True,
        "bodies_are_stored": True,
        "nothing_left_unjudged": True,
    }


def test_a_change_shows_in_the_table_of_the_run(
    deployment: Deployment, watch: dg.JobDefinition, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("shop", "anvil", "noisy-en", "fixed")
    deployment.run(watch, instance, "shop", at(1))
    result = deployment.run(watch, instance, "shop", at(2))

    assert metadata_of(result, "fetch")["unchanged"] == 1
    assert metadata_of(result, "classify")["field"] == 1
    assert metadata_of(result, "classify")["noise"] == 1
    route = metadata_of(result, "route")
    assert (route["field_changes"], route["alerts"], route["review_items"]) == (1, 1, 0)
    [record] = route["newest changes"].records
    assert record.data["page_name"] == "anvil"
    assert record.data["kind"] == "field"
    assert record.data["what"].startswith("price: ")
    assert list(record.data) == [column.name for column in route["newest changes"].schema.columns]


def test_the_same_partition_again_changes_nothing(
    deployment: Deployment, watch: dg.JobDefinition, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("shop", "anvil", "noisy-en")
    deployment.run(watch, instance, "shop", at(1))
    deployment.run(watch, instance, "shop", at(2))
    tables = ("visits", "judgements", "field_changes", "alerts", "fingerprints", "commits")
    before = {table: deployment.query(f"SELECT * FROM {table} ORDER BY ALL") for table in tables}

    result = deployment.run(watch, instance, "shop", at(2))

    assert result.success
    assert metadata_of(result, "fetch")["dagster/partition_row_count"] == 0
    assert {table: deployment.query(f"SELECT * FROM {table} ORDER BY ALL") for table in tables} == before


def test_a_later_run_of_the_same_day_appends(
    deployment: Deployment, watch: dg.JobDefinition, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("shop", "fixed")
    deployment.run(watch, instance, "shop", at(1))
    deployment.run(watch, instance, "shop", at(1, 10))

    visits = deployment.query(VISITS)
    assert [(visit["visit_no"], visit["day"], visit["kind"]) for visit in visits] == [
        (1, at(1).date(), None),
        (2, at(1).date(), "none"),
    ]


def test_for_a_past_day_nothing_is_fetched(
    deployment: Deployment, watch: dg.JobDefinition, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("shop", "fixed")
    result = deployment.run(watch, instance, "shop", at(3), day=at(1).date())

    assert result.success
    assert metadata_of(result, "fetch")["dagster/partition_row_count"] == 0
    assert checks_of(result.get_asset_check_evaluations())["something_answered"]
    assert deployment.query(VISITS) == []


@pytest.mark.parametrize(("tags", "fetched"), [({}, 1), ({"dagster/backfill": "abcdefgh"}, 0)])
def test_just_after_midnight_a_queued_run_still_fetches_but_a_backfill_does_not(
    deployment: Deployment,
    watch: dg.JobDefinition,
    instance: dg.DagsterInstance,
    tags: dict[str, str],
    fetched: int,
) -> None:
    deployment.write_site("shop", "fixed")
    result = deployment.run(watch, instance, "shop", at(2, 0, 5), day=at(1).date(), tags=tags)

    assert metadata_of(result, "fetch")["dagster/partition_row_count"] == fetched
    assert [visit["day"] for visit in deployment.query(VISITS)] == [at(1).date()] * fetched


def test_a_range_is_one_run_with_one_line_of_metadata_a_partition(
    deployment: Deployment, definitions: dg.Definitions, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("a", "anvil")
    deployment.write_site("b", "fixed")
    register_partitions(instance, deployment.project())
    corners = [str(partition_key(SiteDay(site=site, day=at(day).date()))) for site, day in (("a", 1), ("b", 2))]
    result = dg.materialize(
        [
            definitions.get_assets_def(name)
            for name in ("fetch", "extract", "normalize", "fingerprint", "classify", "route")
        ],
        instance=instance,
        resources=deployment.resources(at(2)),
        tags=dict(
            zip(("dagster/asset_partition_range_start", "dagster/asset_partition_range_end"), corners, strict=True)
        ),
    )

    assert result.success
    events = result.asset_materializations_for_node("fetch")
    assert {str(event.partition) for event in events} == {
        f"{at(day).date()}|{site}" for site in ("a", "b") for day in (1, 2)
    }
    assert all(set(event.metadata) == {"over the whole range"} for event in events)
    assert events[0].metadata["over the whole range"].value.startswith("4 partitions: ok 2")
    assert [(visit["page_name"], visit["day"]) for visit in deployment.query(VISITS)] == [
        ("anvil", at(2).date()),
        ("fixed", at(2).date()),
    ]


def test_pages_that_fail_fail_no_run(
    deployment: Deployment, watch: dg.JobDefinition, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("down", "gone=http://127.0.0.1:9/nobody")
    deployment.allow("http://127.0.0.1:9")
    result = deployment.run(watch, instance, "down", at(1))

    assert result.success
    assert metadata_of(result, "fetch")["failed"] == 1
    assert not checks_of(result.get_asset_check_evaluations())["something_answered"]


def test_a_malformed_site_file_does_not_stop_the_others(
    deployment: Deployment, watch: dg.JobDefinition, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("shop", "fixed")
    deployment.break_site("broken")

    assert deployment.run(watch, instance, "shop", at(1)).success
    assert [visit["page_name"] for visit in deployment.query(VISITS)] == ["fixed"]


def test_a_locked_database_fails_the_run_with_the_name_of_the_holder(
    deployment: Deployment, watch: dg.JobDefinition, instance: dg.DagsterInstance, held
) -> None:
    deployment.write_site("shop", "fixed")
    holder = held()
    with pytest.raises(StoreBusyError, match=rf"held by process {holder} \(a long report\)"):
        deployment.run(watch, instance, "shop", at(1), wait_s=0.2)


def test_the_duckdb_resource_takes_the_lock_too(deployment: Deployment, held) -> None:
    warehouse = WarehouseResource(database=str(deployment.data / "quietdiff.duckdb"), wait_s=0.1)
    with warehouse.get_connection() as connection:
        assert connection.execute("SELECT count(*) FROM visits").fetchall() == [(0,)]
    held()
    with pytest.raises(StoreBusyError, match="a long report"), warehouse.get_connection():
        pass


def test_a_run_publishes_the_copy_that_analysts_read(
    deployment: Deployment, watch: dg.JobDefinition, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("shop", "fixed")
    published = deployment.data / "published" / "quietdiff.duckdb"
    first = deployment.run(watch, instance, "shop", at(1))
    assert published.exists()
    again = deployment.run(watch, instance, "shop", at(1) + timedelta(seconds=1))
    assert [metadata_of(result, "route")["published"] for result in (first, again)] == [True, False]


def test_a_secret_never_reaches_the_database_of_dagster(
    deployment: Deployment, watch: dg.JobDefinition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = "hunter2-hunter2"
    monkeypatch.setenv("SHOP_SESSION", value)
    deployment.write_site("shop", "echo", vantage="{cookies: {session: '${SHOP_SESSION}'}}")
    home = tmp_path / "home"
    home.mkdir()
    with dg.instance_for_test(temp_dir=str(home)) as lasting:
        assert deployment.run(watch, lasting, "shop", at(1)).success

    files = [path for path in (*home.rglob("*"), *deployment.data.rglob("*")) if path.is_file()]
    assert any(path.suffix == ".db" for path in files)
    assert [path for path in files if value.encode() in path.read_bytes()] == []


def test_the_clock_is_the_machines_unless_it_is_told_otherwise() -> None:
    assert ClockResource(fixed_at="2026-03-01T09:00:00+01:00").get().now().isoformat() == "2026-03-01T08:00:00+00:00"
    assert ClockResource().get().now() > at(1)
