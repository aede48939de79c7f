"""Keeping what is stored small: two assets, their job and its schedule."""

from pathlib import Path

import dagster as dg

from assets.defs.resources import EngineResource
from assets.defs.schedules import UNFINISHED
from assets.prune import prune
from pipeline.upkeep import retain, sizes, vacuum

GROUP = "upkeep"

VERSION = "1"

ONE_AT_A_TIME = "quietdiff/upkeep"
"""Tag of its runs; `dagster.yaml` lets one run with it work at a time."""

MAX_RUNTIME_S = 3600

QUIET_HOUR = 3


@dg.asset(group_name=GROUP, kinds={"sqlite"}, code_version=VERSION)
def dagster_storage(context: dg.AssetExecutionContext, engine: EngineResource) -> dg.MaterializeResult:
    """What Dagster stores of its runs, without those that a later run superseded and old failures; sizes in bytes."""
    pruned = prune(context.instance, now=engine.clock.get().now())
    measured: dict[str, dg.MetadataValue | int | str] = {
        "runs deleted": pruned.deleted,
        "runs cut down": pruned.trimmed,
        "runs kept": pruned.kept,
        "left over of earlier": pruned.left_over,
        "bytes freed": pruned.freed,
        "bytes": sum(pruned.after.values()),
        "home": dg.MetadataValue.path(Path(context.instance.root_directory)),
    }
    return dg.MaterializeResult(metadata=measured | {f"bytes: {name}": size for name, size in pruned.after.items()})


@dg.asset(group_name=GROUP, kinds={"duckdb"}, code_version=VERSION)
def store(context: dg.AssetExecutionContext, engine: EngineResource) -> dg.MaterializeResult:
    """The database and the stored bodies, without what the settings under `retention` let go of; sizes in bytes."""
    running = engine.get("upkeep")
    retained = retain(running)
    vacuumed = vacuum(running)
    measured = sizes(engine.project)
    context.log.info("%s", measured)
    return dg.MaterializeResult(
        metadata={
            "blobs deleted": retained.blobs,
            "files without a row deleted": retained.orphans,
            "audit snapshots pinned": retained.pinned,
            "fingerprints emptied": retained.blocks,
            "bytes freed": retained.freed + (vacuumed.before - vacuumed.after if vacuumed else 0),
            "bytes": measured.total - measured.dagster,
            "bytes: database": measured.database + measured.wal,
            "bytes: published copy": measured.published,
            "bytes: stored bodies": measured.blobs,
            "stored bodies": measured.blob_count,
            "bytes free on the disk": measured.free,
        }
    )


upkeep = dg.define_asset_job(
    "upkeep",
    selection=dg.AssetSelection.groups(GROUP),
    executor_def=dg.in_process_executor,
    tags={ONE_AT_A_TIME: "yes", "dagster/max_runtime": str(MAX_RUNTIME_S)},
    description="Let go of what nobody needs any more. One asset may fail without the other.",
)


@dg.schedule(
    job=upkeep,
    name="upkeep",
    cron_schedule=f"17 {QUIET_HOUR},9,15,21 * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
)
def upkeep_hours(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Prunes Dagster's storage four times a day, as a day's runs take more than all that stays; the rest daily."""
    if context.instance.get_runs(filters=dg.RunsFilter(job_name=upkeep.name, statuses=UNFINISHED), limit=1):
        return dg.SkipReason("a run is waiting or under way")
    tick = context.scheduled_execution_time
    all_of_it = tick.hour == QUIET_HOUR
    return dg.RunRequest(
        run_key=tick.isoformat(), asset_selection=None if all_of_it else [dg.AssetKey("dagster_storage")]
    )
