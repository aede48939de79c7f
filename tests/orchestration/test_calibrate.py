"""The job `calibrate` and the schedule that starts it for new pages."""

from typing import Any

import dagster as dg
import pytest

from assets.defs.calibrate import FOR_NEW_PAGES, new_pages
from assets.registration import register_partitions
from tests.orchestration.conftest import Deployment, at, metadata_of


@pytest.fixture
def job(definitions: dg.Definitions) -> dg.JobDefinition:
    return definitions.resolve_job_def("calibrate")


def launch(
    job: dg.JobDefinition, deployment: Deployment, instance: dg.DagsterInstance, config: dict[str, Any], **tags: str
) -> dg.ExecuteInProcessResult:
    register_partitions(instance, deployment.project())
    return job.execute_in_process(
        instance=instance,
        partition_key="a",
        resources=deployment.resources(at(1, 10)),
        tags=tags,
        run_config={
            "ops": {"noise_floor": {"config": config}},
            "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
        },
    )


def test_a_run_fetches_learns_and_shows_what_is_watched(
    deployment: Deployment, watch: dg.JobDefinition, job: dg.JobDefinition, instance: dg.DagsterInstance
) -> None:
    deployment.write_site("a", "noisy-en", "fixed")
    assert deployment.run(watch, instance, "a", at(1)).success
    result = launch(job, deployment, instance, {"pages": ["noisy-en"], "fetches": 4})
    assert result.success
    shown = metadata_of(result, "noise_floor")
    assert shown["fetches"] == 4
    assert "stable blocks of the page's own text" in shown["what is watched"]
    assert shown["noise floor: noisy-en"].startswith("![")
    rows = deployment.query("SELECT fetches, applied_by FROM thresholds WHERE page_id IS NOT NULL")
    assert rows == [{"fetches": 4, "applied_by": "Dagster UI"}]


def test_new_pages_are_calibrated_by_themselves_once(
    deployment: Deployment,
    definitions: dg.Definitions,
    watch: dg.JobDefinition,
    job: dg.JobDefinition,
    lasting_instance: dg.DagsterInstance,
) -> None:
    deployment.write_site("a", "noisy-en", "fixed")

    def tick() -> Any:
        with dg.build_schedule_context(
            instance=lasting_instance,
            repository_def=definitions.get_repository_def(),
            scheduled_execution_time=at(1, 10),
            resources={"engine": deployment.resources(at(1, 10))["engine"]},
        ) as context:
            return new_pages.evaluate_tick(context)

    assert tick().run_requests in ([], None)  # nobody has seen them yet
    assert deployment.run(watch, lasting_instance, "a", at(1)).success
    [request] = tick().run_requests
    assert (request.partition_key, request.tags[FOR_NEW_PAGES]) == ("a", "yes")
    config = request.run_config["ops"]["noise_floor"]["config"]
    assert sorted(config["pages"]) == ["fixed", "noisy-en"]
    assert launch(job, deployment, lasting_instance, config, **{FOR_NEW_PAGES: "yes"}).success
    assert tick().run_requests in ([], None)
    assert deployment.query("SELECT DISTINCT applied_by FROM thresholds WHERE fetches > 0") == [{"applied_by": "auto"}]
