"""Bounding Dagster's own storage: runs that a later one superseded go, with all that is theirs."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
from dagster._core.execution.backfill import BulkActionsFilter, BulkActionStatus
from dagster._core.storage.tags import (
    ASSET_PARTITION_RANGE_END_TAG,
    ASSET_PARTITION_RANGE_START_TAG,
    BACKFILL_ID_TAG,
    PARTITION_NAME_TAG,
    ROOT_RUN_ID_TAG,
)

from assets.run_files import BATCH, RunFiles
from assets.superseded import FinishedRun, choose
from pipeline.warehouse.lock import holding

logger = logging.getLogger("pipeline.upkeep")
"""Below `pipeline`, whose lines Dagster shows in the run's log."""

FINISHED = [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]

UNFINISHED = [status for status in dg.DagsterRunStatus if status not in FINISHED]

UNFINISHED_BACKFILLS = [BulkActionStatus.REQUESTED, BulkActionStatus.CANCELING, BulkActionStatus.FAILING]

PART_TAGS = (PARTITION_NAME_TAG, ASSET_PARTITION_RANGE_START_TAG, ASSET_PARTITION_RANGE_END_TAG)

BLOCK = 4096
"""Bytes a file system gives out at once. What it says it has given (`st_blocks`) changes while it writes."""

WAIT_S = 60.0
"""Seconds to wait for another process that prunes; it takes a few, the first time perhaps a minute."""

DAY_TAG = f"{PARTITION_NAME_TAG}/day"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What was done.

    Attributes:
        deleted: Runs deleted because they were superseded or too old.
        left_over: Runs deleted before, of which something was still there.
        trimmed: Runs whose log was cut down to its story.
        kept: Finished runs still there.
        before: Bytes on disk by component, before.
        after: The same, after.
    """

    deleted: int
    left_over: int
    trimmed: int
    kept: int
    before: dict[str, int]
    after: dict[str, int]

    @property
    def freed(self) -> int:
        """Bytes given back to the disk."""
        return sum(self.before.values()) - sum(self.after.values())


def prune(instance: dg.DagsterInstance, *, now: datetime, wait_s: float | None = None) -> Pruned:
    """Delete what `assets.superseded` says may go, and give the room back to the disk.

    Safe beside a daemon, a web server and runs; whatever kills it, the next call finishes.

    Args:
        instance: One with a home on disk.
        now: The present.
        wait_s: Seconds to wait for another process that does the same; None: `WAIT_S`.

    Raises:
        StoreBusyError: Another process did so for longer than that.
    """
    home = Path(instance.root_directory)
    files = RunFiles(instance)
    with holding(home / "prune", wait_s=WAIT_S if wait_s is None else wait_s, command="pruning Dagster's storage"):
        before = sizes(home)
        found = files.run_ids()  # before the runs are read, so that what began meanwhile is no stray
        left_over = sorted(found - set(instance.get_run_ids()))
        files.delete(left_over)
        records = instance.get_run_records(filters=dg.RunsFilter(statuses=FINISHED))
        choice = choose([_facts(record) for record in records], now=now)
        deleted = _delete(instance, files, choice.delete)
        trimmed = files.trim(choice.trim) + files.trim(choice.trim_failures, succeeded=False)
        files.reclaim()
        after = sizes(home)
    logger.info("%s runs deleted, %s cut down, %s left over of earlier", deleted, trimmed, len(left_over))
    return Pruned(
        deleted=deleted,
        left_over=len(left_over),
        trimmed=trimmed,
        kept=len(records) - deleted,
        before=before,
        after=after,
    )


def sizes(home: Path) -> dict[str, int]:
    """Bytes that a Dagster home takes on disk, in whole blocks, by component; folders count too."""
    runs = home / "history" / "runs"
    indexes = [*runs.glob("index.db*")]
    own = {
        "events of all runs": _size(indexes),
        "logs of each run": _size(path for path in runs.rglob("*") if not path.name.startswith("index.db")),
        "runs": _size((home / "history").glob("runs.db*")),
        "ticks": _size((home / "schedules").rglob("*")),
        "output of runs": _size((home / "storage").rglob("*")),
    }
    return own | {"other": _size(home.rglob("*")) - sum(own.values())}


def _size(paths: Iterable[Path]) -> int:
    total = 0
    for path in paths:
        try:
            total += -(-path.lstat().st_size // BLOCK) * BLOCK
        except FileNotFoundError:  # a run's, ended meanwhile
            continue
    return total


def _delete(instance: dg.DagsterInstance, files: RunFiles, run_ids: list[str]) -> int:
    """Delete the runs but those that came into use meanwhile; the number of those deleted."""
    deleted = 0
    for start in range(0, len(run_ids), BATCH):
        used = _in_use(instance)
        free = [run_id for run_id in run_ids[start : start + BATCH] if run_id not in used]
        files.delete(free)
        deleted += len(free)
    return deleted


def _in_use(instance: dg.DagsterInstance) -> set[str]:
    """Runs that are unfinished, that such a run does again, or that belong to an unfinished backfill."""
    used: set[str] = set()
    for run in instance.get_runs(filters=dg.RunsFilter(statuses=UNFINISHED)):
        root = run.root_run_id or run.run_id
        used |= {root, run.run_id, *instance.get_run_ids(filters=dg.RunsFilter(tags={ROOT_RUN_ID_TAG: root}))}
    for backfill in instance.get_backfills(filters=BulkActionsFilter(statuses=UNFINISHED_BACKFILLS)):
        used |= set(instance.get_run_ids(filters=dg.RunsFilter(tags={BACKFILL_ID_TAG: backfill.backfill_id})))
    return used


def _facts(record: dg.RunRecord) -> FinishedRun:
    run = record.dagster_run
    return FinishedRun(
        run_id=run.run_id,
        order=record.storage_id,
        job=run.job_name,
        part=tuple(run.tags[tag] for tag in PART_TAGS if tag in run.tags),
        day=run.tags.get(DAY_TAG, ""),
        succeeded=run.status is dg.DagsterRunStatus.SUCCESS,
        begun=datetime.fromtimestamp(record.start_time, UTC) if record.start_time else record.create_timestamp,
        ended=datetime.fromtimestamp(record.end_time, UTC) if record.end_time else record.update_timestamp,
        assets=frozenset(key.to_string() for key in run.asset_selection) if run.asset_selection else None,
        whole=not (run.parent_run_id and run.step_keys_to_execute) and not run.op_selection,
    )
