"""The schedule and the sensor, evaluated."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import dagster as dg
import pytest
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin
from dagster._core.test_utils import create_run_for_test

from assets.defs.schedules import due
from assets.defs.sensors import watchlist
from assets.registration import register_partitions
from tests.orchestration.conftest import Deployment, at


@pytest.fixture
def tick(deployment: Deployment, lasting_instance: dg.DagsterInstance, definitions: dg.Definitions) -> Any:
    """A function that evaluates the schedule at a moment."""

    def evaluate(moment: datetime) -> Any:
        with dg.build_schedule_context(
            instance=lasting_instance,
            repository_def=definitions.get_repository_def(),
            scheduled_execution_time=moment,
            resources={"engine": deployment.resources(moment)["engine"]},
        ) as context:
            return due.evaluate_tick(context)

    return evaluate


@pytest.fixture(autouse=True)
def _clean(lasting_instance: dg.DagsterInstance) -> Iterator[None]:
    yield
    for run in lasting_instance.get_runs():
        lasting_instance.delete_run(run.run_id)
    for site in lasting_instance.get_dynamic_partitions("site"):
        lasting_instance.delete_dynamic_partition("site", site)


def start_run(instance: dg.DagsterInstance, site: str, status: dg.DagsterRunStatus) -> None:
    """A run of `watch` for a site, as it stands in the instance."""
    origin = RemoteJobOrigin(RemoteRepositoryOrigin(RegisteredCodeLocationOrigin("quietdiff"), "repository"), "watch")
    tags = {"dagster/partition/site": site}
    create_run_for_test(instance, job_name="watch", status=status, tags=tags, remote_job_origin=origin)


def keys(tick: Any) -> list[str | None]:
    return [request.partition_key for request in tick.run_requests or []]


def test_each_site_with_a_page_due_gets_a_run_for_today(
    deployment: Deployment, tick: Any, lasting_instance: dg.DagsterInstance
) -> None:
    deployment.write_site("a", "fixed")
    deployment.write_site("b", "anvil")
    data = tick(at(2))

    assert keys(data) == [f"{at(2).date()}|a", f"{at(2).date()}|b"]
    [first, _] = data.run_requests
    assert first.run_key == f"a|{at(2).isoformat()}"
    assert first.tags["quietdiff/site"] == "a"
    assert first.tags["dagster/partition/site"] == "a"
    assert sorted(lasting_instance.get_dynamic_partitions("site")) == ["a", "b"]


def test_a_site_is_asked_for_again_only_when_a_page_is_due_again(
    deployment: Deployment, tick: Any, watch: dg.JobDefinition, lasting_instance: dg.DagsterInstance
) -> None:
    deployment.write_site("a", "fixed", every="15m")
    assert deployment.run(watch, lasting_instance, "a", at(1)).success

    early = tick(at(1, 9, 14))
    assert (keys(early), early.skip_message) == ([], "no page is due")
    assert keys(tick(at(1, 9, 16))) == [f"{at(1).date()}|a"]


@pytest.mark.parametrize("status", [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.STARTED])
def test_a_site_with_a_run_waiting_or_under_way_is_left_out(
    deployment: Deployment, tick: Any, lasting_instance: dg.DagsterInstance, status: dg.DagsterRunStatus
) -> None:
    deployment.write_site("a", "fixed")
    deployment.write_site("b", "anvil")
    start_run(lasting_instance, "a", status)

    assert keys(tick(at(2))) == [f"{at(2).date()}|b"]
    start_run(lasting_instance, "b", status)
    assert tick(at(2)).skip_message == "a run is waiting or under way: a, b"


def test_a_run_that_ended_holds_nobody_up(
    deployment: Deployment, tick: Any, lasting_instance: dg.DagsterInstance
) -> None:
    deployment.write_site("a", "fixed")
    for status in (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED):
        start_run(lasting_instance, "a", status)

    assert keys(tick(at(2))) == [f"{at(2).date()}|a"]


def test_a_busy_database_skips_the_tick_and_names_the_holder(
    deployment: Deployment, tick: Any, held: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assets.defs.schedules.BUSY_WAIT_S", 0.1)
    deployment.write_site("a", "fixed")
    holder = held()

    data = tick(at(2))
    assert keys(data) == []
    assert f"held by process {holder} (a long report)" in data.skip_message


def test_a_malformed_site_file_is_left_out_and_the_others_run(deployment: Deployment, tick: Any) -> None:
    deployment.write_site("a", "fixed")
    deployment.write_site("b", "fixed")
    assert len(keys(tick(at(1)))) == 2
    deployment.break_site("a")

    assert keys(tick(at(2))) == [f"{at(2).date()}|b"]


def look(deployment: Deployment, instance: dg.DagsterInstance) -> str:
    resources = {"engine": deployment.resources(at(1))["engine"]}
    with dg.build_sensor_context(instance=instance, resources=resources) as context:
        result = watchlist(context)
    assert isinstance(result, dg.SkipReason)
    return result.skip_message or ""


def test_the_sensor_registers_each_new_site_once(deployment: Deployment, instance: dg.DagsterInstance) -> None:
    deployment.write_site("b", "fixed")
    deployment.write_site("a", "fixed")

    assert (
        look(deployment, instance)
        == "made partitions of the new sites a, b; this sensor starts no run, the schedule `due` does"
    )
    assert sorted(instance.get_dynamic_partitions("site")) == ["a", "b"]
    assert look(deployment, instance) == "no new site file; this sensor starts no run, the schedule `due` does"


def test_the_sensor_says_which_file_is_malformed_and_registers_the_others(
    deployment: Deployment, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("a", "fixed")
    deployment.break_site("broken")

    said = look(deployment, instance)
    assert "; sites/broken.yaml:2: " in said
    assert instance.get_dynamic_partitions("site") == ["a"]


def test_a_site_that_is_gone_keeps_its_partition(deployment: Deployment, instance: dg.DagsterInstance) -> None:
    deployment.write_site("a", "fixed")
    register_partitions(instance, deployment.project())
    (deployment.root / "sites" / "a.yaml").unlink()

    assert register_partitions(instance, deployment.project()) == []
    assert instance.get_dynamic_partitions("site") == ["a"]
