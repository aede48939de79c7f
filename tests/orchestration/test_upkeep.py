"""The job `upkeep`, its schedule, and the command of the same name."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml
from dagster._core.test_utils import create_run_for_test

from assets.cli import app
from assets.defs.upkeep import MAX_RUNTIME_S, ONE_AT_A_TIME, upkeep_hours
from assets.home import SOURCE, open_instance, prepare_home
from pipeline.cli import run
from pipeline.clock import SteppedClock
from pipeline.warehouse.lock import holding
from tests.orchestration.conftest import Deployment, at, metadata_of

MORNING = datetime(2026, 12, 1, 3, 17, tzinfo=UTC)


@pytest.fixture
def upkeep(definitions: dg.Definitions) -> dg.JobDefinition:
    return definitions.resolve_job_def("upkeep")


def tick(instance: dg.DagsterInstance, moment: datetime, definitions: dg.Definitions) -> Any:
    context = dg.build_schedule_context(
        instance=instance, scheduled_execution_time=moment, repository_def=definitions.get_repository_def()
    )
    return upkeep_hours.evaluate_tick(context)


def test_both_halves_run_daily_and_dagsters_storage_four_times(
    lasting_instance: dg.DagsterInstance, definitions: dg.Definitions
) -> None:
    [request] = tick(lasting_instance, MORNING, definitions).run_requests or []
    assert request.asset_selection is None
    [request] = tick(lasting_instance, MORNING + timedelta(hours=6), definitions).run_requests or []
    assert request.asset_selection == [dg.AssetKey("dagster_storage")]
    assert upkeep_hours.cron_schedule == "17 3,9,15,21 * * *"


def test_no_second_run_is_asked_for_while_one_is_unfinished(
    lasting_instance: dg.DagsterInstance, definitions: dg.Definitions
) -> None:
    unfinished = create_run_for_test(lasting_instance, job_name="upkeep", status=dg.DagsterRunStatus.STARTED)
    skipped = tick(lasting_instance, MORNING, definitions)
    lasting_instance.delete_run(unfinished.run_id)
    assert not skipped.run_requests
    assert "under way" in str(skipped.skip_message)


def test_its_runs_carry_the_tag_that_the_instance_limits_to_one(upkeep: dg.JobDefinition) -> None:
    settings = yaml.safe_load((SOURCE / "dagster.yaml").read_text(encoding="utf-8"))
    limits = settings["concurrency"]["runs"]["tag_concurrency_limits"]
    assert {"key": ONE_AT_A_TIME, "limit": 1} in limits
    assert upkeep.tags[ONE_AT_A_TIME]
    assert upkeep.tags["dagster/max_runtime"] == str(MAX_RUNTIME_S)


def execute(
    job: dg.JobDefinition, deployment: Deployment, moment: datetime, **options: Any
) -> dg.ExecuteInProcessResult:
    with open_instance(prepare_home(deployment.root, deployment.data)) as instance:
        return job.execute_in_process(
            instance=instance,
            resources=deployment.resources(moment),
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            **options,
        )


def test_the_job_prunes_and_shows_sizes_and_counts(
    deployment: Deployment, watch: dg.JobDefinition, upkeep: dg.JobDefinition
) -> None:
    deployment.write_site("shop", "fixed")
    with open_instance(prepare_home(deployment.root, deployment.data)) as instance:
        for minute in (0, 20):
            assert deployment.run(watch, instance, "shop", at(5, minute=minute)).success
    result = execute(upkeep, deployment, datetime.now(UTC) + timedelta(hours=2))

    assert result.success
    shown = metadata_of(result, "dagster_storage")
    assert (shown["runs deleted"], shown["runs kept"]) == (1, 1)
    assert shown["bytes"] == sum(size for name, size in shown.items() if name.startswith("bytes: "))
    assert shown["bytes freed"] > 150_000
    assert metadata_of(result, "store")["bytes: database"] > 0


def test_when_dagsters_storage_cannot_be_pruned_the_store_still_is(
    deployment: Deployment, upkeep: dg.JobDefinition, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("assets.defs.upkeep.prune", fail)
    result = execute(upkeep, deployment, datetime.now(UTC), raise_on_error=False)
    assert not result.success
    assert metadata_of(result, "store")["stored bodies"] == 0


def test_the_command_says_what_was_freed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clock = SteppedClock(datetime.now(UTC) + timedelta(hours=2))
    with open_instance(prepare_home(tmp_path, tmp_path / "data")) as instance:
        stray = Path(instance.storage_directory()) / "b3a0ca62-6617-4180-9e8f-58ef9203fb40"
        stray.mkdir(parents=True)

    assert run(app, ["upkeep", "--project", str(tmp_path)], {}, clock=clock) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("Dagster: 1 runs deleted, 0 cut down, 0 kept; ")
    assert printed[1].startswith("database: 0 blobs")
    assert not stray.exists()


def test_of_the_command_one_half_is_done_when_the_other_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assets.prune.WAIT_S", 0.0)
    with holding(tmp_path / "data" / "dagster" / "prune", wait_s=0, command="another"):
        assert run(app, ["upkeep", "--project", str(tmp_path)], {}) == 1
    printed = capsys.readouterr()
    assert "held by" in printed.err
    assert "database: 0 blobs" in printed.out
