"""The code location loads, and says what it should."""

from datetime import UTC, datetime, timedelta

import dagster as dg

from assets.defs.calibrate import new_pages
from assets.defs.partitions import KEPT_DAYS, days
from assets.defs.schedules import due
from assets.defs.sensors import watchlist
from assets.defs.upkeep import upkeep_hours

STAGES = ["classify", "extract", "fetch", "fingerprint", "normalize", "route"]


def test_the_location_loads(definitions: dg.Definitions) -> None:
    dg.Definitions.validate_loadable(definitions)


def test_the_six_assets_are_there_in_order(definitions: dg.Definitions) -> None:
    specs = {
        spec.key.to_user_string(): spec for spec in definitions.resolve_all_asset_specs() if spec.group_name == "watch"
    }

    assert sorted(specs) == STAGES
    after = {name: [dep.asset_key.to_user_string() for dep in spec.deps] for name, spec in specs.items()}
    assert after == {
        "fetch": [],
        "extract": ["fetch"],
        "normalize": ["extract"],
        "fingerprint": ["normalize"],
        "classify": ["fingerprint"],
        "route": ["classify"],
    }


def test_every_asset_is_described_grouped_and_versioned_and_every_stage_partitioned(
    definitions: dg.Definitions,
) -> None:
    for spec in definitions.resolve_all_asset_specs():
        assert spec.description, spec.key
        assert len(spec.description) > 60, spec.key
        stage = spec.key.to_user_string() in STAGES
        assert spec.group_name in ({"watch"} if stage else {"upkeep", "calibration"}), spec.key
        assert spec.kinds, spec.key
        assert spec.code_version, spec.key
        assert isinstance(spec.partitions_def, dg.MultiPartitionsDefinition) is stage, spec.key


def test_all_stages_share_one_backfill_policy(definitions: dg.Definitions) -> None:
    graph = definitions.resolve_asset_graph()
    assert {graph.get(dg.AssetKey(name)).backfill_policy for name in STAGES} == {dg.BackfillPolicy.single_run()}


def test_today_is_a_partition_and_the_first_day_rolls() -> None:
    today = datetime.now(UTC).date()
    keys = days.get_partition_keys()
    assert keys[-1] == today.isoformat()
    assert keys[0] == (today - timedelta(days=KEPT_DAYS)).isoformat()


def test_watch_runs_the_six_in_one_process(watch: dg.JobDefinition) -> None:
    assert sorted(key.to_user_string() for key in watch.asset_layer.executable_asset_keys) == STAGES
    assert watch.executor_def is dg.in_process_executor


def test_runs_started_by_hand_work_in_one_process_too(definitions: dg.Definitions) -> None:
    assert definitions.executor is dg.in_process_executor


def test_schedules_and_sensor_are_on_by_default() -> None:
    assert due.default_status is dg.DefaultScheduleStatus.RUNNING
    assert upkeep_hours.default_status is dg.DefaultScheduleStatus.RUNNING
    assert watchlist.default_status is dg.DefaultSensorStatus.RUNNING
    assert new_pages.default_status is dg.DefaultScheduleStatus.RUNNING
