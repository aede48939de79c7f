"""Dagster's own folder, and what a crash left in it."""

from pathlib import Path

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test

from assets.home import SOURCE, open_instance, prepare_home, release_lost_runs


def test_the_home_links_the_roots_file_and_a_move_of_both_keeps_the_link(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "dagster.yaml").write_text("telemetry: {enabled: false}\n", encoding="utf-8")
    home = prepare_home(root, root / "data")

    assert home == root / "data" / "dagster"
    assert (home / "dagster.yaml").readlink() == Path("../../dagster.yaml")
    moved = root.rename(tmp_path / "elsewhere")
    assert (moved / "data" / "dagster" / "dagster.yaml").read_text(encoding="utf-8").startswith("telemetry")


def test_preparing_again_changes_nothing_and_mends_a_wrong_link(tmp_path: Path) -> None:
    home = prepare_home(SOURCE, tmp_path)
    right = (home / "dagster.yaml").readlink()
    (home / "dagster.yaml").unlink()
    (home / "dagster.yaml").symlink_to("nowhere")

    assert prepare_home(SOURCE, tmp_path) == home
    assert (home / "dagster.yaml").readlink() == right
    assert (home / "dagster.yaml").is_file()


def test_a_root_without_a_file_of_its_own_has_the_one_that_comes_with_quietdiff(tmp_path: Path) -> None:
    home = prepare_home(tmp_path, tmp_path / "data")
    assert (home / "dagster.yaml").resolve() == (SOURCE / "dagster.yaml").resolve()


def test_the_file_is_one_that_dagster_takes(tmp_path: Path) -> None:
    with open_instance(prepare_home(SOURCE, tmp_path)) as instance:
        assert instance.is_persistent
        assert not instance.telemetry_enabled
        config = instance.get_concurrency_config()
        assert config.run_queue_config is not None
        limits = config.run_queue_config.tag_concurrency_limits
        assert {limit["key"]: limit["limit"] for limit in limits} == {
            "dagster/partition/site": 1,
            "quietdiff/upkeep": 1,
        }
    assert {path.name for path in tmp_path.iterdir()} == {"dagster"}


@pytest.mark.parametrize(
    "status", [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]
)
def test_a_run_that_a_crash_left_under_way_is_marked_as_failed(
    instance: dg.DagsterInstance, status: dg.DagsterRunStatus
) -> None:
    lost = create_run_for_test(instance, status=status)
    done = create_run_for_test(instance, status=dg.DagsterRunStatus.SUCCESS)

    assert release_lost_runs(instance) == [lost.run_id]
    assert instance.get_run_by_id(lost.run_id).status is dg.DagsterRunStatus.FAILURE
    assert instance.get_run_by_id(done.run_id).status is dg.DagsterRunStatus.SUCCESS
    assert release_lost_runs(instance) == []
