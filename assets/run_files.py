"""What belongs to a run in Dagster's SQLite storage, and what Dagster's own `delete_run` leaves behind of it.

This is the one place that goes behind Dagster's API, and why is in docs/decisions/0008-dagster-storage.md.
"""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import dagster as dg
from dagster._core.storage.event_log.schema import AssetCheckExecutionsTable, SqlEventLogStorageTable
from dagster._core.storage.event_log.sqlite.sqlite_event_log import SqliteEventLogStorage

from pipeline.errors import UsageError
from pipeline.steps import step

RUN_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

BUSY_S = 2.0
"""Seconds to wait for a file that others use; then it is left for the next time. Their own patience is 5 s or more."""

BATCH = 50
"""Runs whose events are forgotten in one transaction, for which all other writers wait: some 0.1 s."""

PLAIN_PAGE = 4096

SMALL_PAGE = 512
"""Bytes. A run's file has 27 tables and indexes, of which two hold anything, and each takes a page at least: 108 of
its 200 KB. A file with such pages has been cut down."""

FREE_BYTES = 4 * 2**20
"""Free pages worth giving back; fewer are soon used again."""

MACHINERY = (
    "ASSET_CHECK_EVALUATION",
    "ASSET_CHECK_EVALUATION_PLANNED",
    "ASSET_MATERIALIZATION_PLANNED",
    "HANDLED_OUTPUT",
    "LOADED_INPUT",
    "LOGS_CAPTURED",
    "RESOURCE_INIT_STARTED",
    "RESOURCE_INIT_SUCCESS",
    "STEP_INPUT",
    "STEP_OUTPUT",
    "STEP_START",
)
"""Events that tell nothing a person asks of an old run: of a step stays when it ended and how long it took. Results of
checks stay in a table of `index.db`, where the UI reads them; a materialization is in both places and stays in both."""

MIRRORED = ("ASSET_CHECK_EVALUATION", "ASSET_CHECK_EVALUATION_PLANNED", "ASSET_MATERIALIZATION_PLANNED")
"""Those of them that `index.db` holds once more."""


class RunFiles:
    """The files and rows of runs.

    Args:
        instance: One with SQLite storage.

    Raises:
        UsageError: Its storage is another, which has means of its own.
    """

    def __init__(self, instance: dg.DagsterInstance) -> None:
        storage = instance.event_log_storage
        if not isinstance(storage, SqliteEventLogStorage):
            raise UsageError(f"{type(storage).__name__}: pruning knows Dagster's SQLite storage only; see dagster.yaml")
        self._instance = instance
        self._storage = storage
        self._home = Path(instance.root_directory)

    def run_ids(self) -> set[str]:
        """Ids of all runs of which there is a file or folder, whether the run is known or not."""
        shards = (path.name.partition(".")[0] for path in self._shards.iterdir())
        folders = (path.name for path in self._outputs.iterdir()) if self._outputs.is_dir() else iter(())
        return {name for name in (*shards, *folders) if RUN_ID.fullmatch(name)}

    def delete(self, run_ids: Sequence[str]) -> None:
        """Delete runs with all that is theirs: what others read first, the files that show there was a run last.

        Whatever stops it on the way, calling it again does the rest.
        """
        for start in range(0, len(run_ids), BATCH):
            self._delete_batch(run_ids[start : start + BATCH])

    def _delete_batch(self, run_ids: Sequence[str]) -> None:
        with step("forget events of runs"), self._storage.index_connection() as connection:
            for run_id in run_ids:
                self._storage.delete_events_for_run(connection, run_id)
            checks = AssetCheckExecutionsTable
            connection.execute(checks.delete().where(checks.c.run_id.in_(run_ids)))
        pools = self._storage.get_concurrency_keys()
        for run_id in run_ids:
            if pools:
                self._storage.free_concurrency_slots_for_run(run_id)
            with step("forget a run"):
                self._instance.run_storage.delete_run(run_id)
            with step("delete files of a run"):
                self._delete_output(run_id)
                for suffix in (".db-wal", ".db-shm", ".db"):
                    (self._shards / f"{run_id}{suffix}").unlink(missing_ok=True)

    def trim(self, run_ids: Sequence[str], *, succeeded: bool = True) -> int:
        """Cut the logs of finished runs down to their story, and each file to a quarter.

        Args:
            run_ids: Runs; those that are cut down already are passed over.
            succeeded: Of a failure the materializations that were planned are what shows its partition as failed.

        Returns:
            How many; a log that somebody reads just now is left for the next time.
        """
        whole = [run_id for run_id in run_ids if self._is_whole(run_id)]
        if succeeded:
            for start in range(0, len(whole), BATCH):
                self._forget_mirrored(whole[start : start + BATCH])
        return sum(self._trim(run_id) for run_id in whole)

    def _is_whole(self, run_id: str) -> bool:
        shard = self._shards / f"{run_id}.db"
        return shard.is_file() and _page_size(shard) != SMALL_PAGE

    def _forget_mirrored(self, run_ids: Sequence[str]) -> None:
        events = SqlEventLogStorageTable.c
        chosen = events.run_id.in_(run_ids) & events.dagster_event_type.in_(MIRRORED)
        with step("cut down events of runs"), self._storage.index_connection() as connection:
            connection.execute(SqlEventLogStorageTable.delete().where(chosen))

    def _trim(self, run_id: str) -> bool:
        with step("cut down a log"):
            try:
                _cut_down(self._shards / f"{run_id}.db")
            except sqlite3.OperationalError:
                return False
        self._delete_output(run_id)
        return True

    def reclaim(self) -> None:
        """Give what is free in the databases of all runs back to the disk; one that is busy keeps it till next time."""
        for path in ("history/runs.db", "history/runs/index.db", "schedules/schedules.db"):
            if (self._home / path).is_file():
                _reclaim(self._home / path)

    @property
    def _shards(self) -> Path:
        return Path(self._storage.path_for_shard("index")).parent

    @property
    def _outputs(self) -> Path:
        return Path(self._instance.storage_directory())

    def _delete_output(self, run_id: str) -> None:
        """What the run's code printed."""
        self._instance.compute_log_manager.delete_logs(prefix=[run_id])


def _page_size(database: Path) -> int:
    """As its header says (SQLite file format, section 1.3.2); an empty file has the default."""
    with database.open("rb") as file:
        return int.from_bytes(file.read(18)[16:18], "big") or PLAIN_PAGE


def _cut_down(shard: Path) -> None:
    """Write the file anew with fewer events and small pages, for which it has to leave WAL for a moment.

    Raises:
        sqlite3.OperationalError: Somebody has it open.
    """
    with closing(sqlite3.connect(shard, timeout=BUSY_S, isolation_level=None)) as connection:
        for event_type in MACHINERY:
            connection.execute("DELETE FROM event_logs WHERE dagster_event_type = ?", (event_type,))
        for statement in ("journal_mode = DELETE", f"page_size = {SMALL_PAGE}"):
            connection.execute(f"PRAGMA {statement}")
        connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode = WAL")


def _reclaim(database: Path) -> None:
    with closing(sqlite3.connect(database, timeout=BUSY_S, isolation_level=None)) as connection:
        [[free]], [[size]] = (
            connection.execute(f"PRAGMA {name}").fetchall() for name in ("freelist_count", "page_size")
        )
        try:
            if free * size >= FREE_BYTES:
                connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError:
            return
