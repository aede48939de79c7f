"""How much room Dagster's own storage takes after a month of sites visited hourly, with the pruning of `upkeep`.

Usage: python -m benchmarks.dagster_storage [HOME] [SITES] [DAYS]      (default data/dagster 20 30)

HOME is the Dagster home of a deployment that has been `up` for some minutes; it is copied and left alone. What its runs
take is measured. The month is simulated: the rows and the file of its median successful run of `watch` are written
again for every site and hour under a new run id, partition and time, as SQL, because through Dagster's API a run takes
a second. Every 20th run is made a failure by its status alone. Ticks of the schedule are written likewise, one in two
minutes, and those older than `dagster.yaml` keeps are deleted as the daemon does. Pruning is the real one, at 3:17,
9:17, 15:17 and 21:17 of each simulated day.
"""

import os
import shutil
import sqlite3
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import dagster as dg

from assets.home import open_instance
from assets.prune import Pruned, prune, sizes

STAGES = ("fetch", "extract", "normalize", "fingerprint", "classify", "route")

FAILURE_EVERY = 20

TICKS_KEPT = timedelta(days=7)

INDEX_TABLES = ("event_logs", "asset_event_tags", "asset_check_executions")

Row = dict[str, Any]


class Template:
    """All that Dagster stored of one real run."""

    def __init__(self, home: Path) -> None:
        with opened(home / "history" / "runs.db") as runs:
            query = "SELECT * FROM runs WHERE pipeline_name = 'watch' AND status = 'SUCCESS'"
            found = rows(runs, query)
            if not found:
                sys.exit(f"{home}: no successful run of `watch`; let `quietdiff up` run for some minutes first")
            size = {run["run_id"]: events_size(home, run["run_id"]) for run in found}
            middle = sorted(size, key=lambda run_id: size[run_id])[len(size) // 2]
            [self.run] = [run for run in found if run["run_id"] == middle]
            self.tags = rows(runs, f"SELECT * FROM run_tags WHERE run_id = '{middle}'")
        self.run_id, self.part = str(middle), str(self.run["partition"])
        self.shard = home.parent / "template.db"  # the run itself is deleted in the first night
        with opened(home / "history" / "runs" / f"{middle}.db") as own, closing(sqlite3.connect(self.shard)) as copy:
            own.backup(copy)
        with opened(home / "history" / "runs" / "index.db") as index:
            ours = f"SELECT id FROM event_logs WHERE run_id = '{middle}'"
            self.index = {
                "event_logs": rows(index, f"SELECT * FROM event_logs WHERE run_id = '{middle}'"),
                "asset_event_tags": rows(index, f"SELECT * FROM asset_event_tags WHERE event_id IN ({ours})"),
                "asset_check_executions": rows(
                    index, f"SELECT * FROM asset_check_executions WHERE run_id = '{middle}'"
                ),
            }
        with opened(home / "schedules" / "schedules.db") as schedules:
            query = "SELECT * FROM job_ticks WHERE type = 'SCHEDULE' AND status = 'SUCCESS' LIMIT 1"
            [self.tick] = rows(schedules, query)

    def again(self, row: Row, run_id: str, part: str) -> Row:
        """A row as it would be of another run; without its number."""
        day, site = part.split("|")
        old_day, old_site = self.part.split("|")
        renamed = {self.run_id: run_id, self.part: part, old_day: day, f'site": "{old_site}"': f'site": "{site}"'}
        new = {name: value for name, value in row.items() if name != "id"}
        for name, value in new.items():
            if isinstance(value, str):
                for before, after in renamed.items():
                    value = value.replace(before, after)  # noqa: PLW2901
                new[name] = site if value == old_site else value
        return new


def events_size(home: Path, run_id: str) -> int:
    """Bytes of a run's events in its own file."""
    with opened(home / "history" / "runs" / f"{run_id}.db") as shard:
        return int(shard.execute("SELECT sum(length(event)) FROM event_logs").fetchone()[0] or 0)


class Month:
    """A home that lives through simulated days."""

    def __init__(self, home: Path, template: Template) -> None:
        self.home, self.template, self.runs = home, template, 0
        self._shards = home / "history" / "runs"

    def hour(self, moment: datetime, sites: int) -> None:
        """One run of every site, and the ticks of the hour."""
        parts = [f"{moment.date()}|site-{number:02}" for number in range(sites)]
        made = [(str(uuid.uuid4()), part, moment + timedelta(minutes=2 * n)) for n, part in enumerate(parts)]
        with opened(self.home / "history" / "runs.db", write=True) as runs:
            for run_id, part, begun in made:
                self._add_run(runs, run_id, part, begun)
        with opened(self._shards / "index.db", write=True) as index:
            for run_id, part, _ in made:
                self._add_index(index, run_id, part)
        for run_id, part, _ in made:
            self._add_files(run_id, part)
        with opened(self.home / "schedules" / "schedules.db", write=True) as schedules:
            for minute in range(0, 60, 2):
                insert(schedules, "job_ticks", _without_id(self.template.tick) | {"timestamp": _text(moment, minute)})
            oldest = _text(moment - TICKS_KEPT, 0)
            schedules.execute("DELETE FROM job_ticks WHERE type = 'SCHEDULE' AND timestamp < ?", (oldest,))

    def _add_run(self, runs: sqlite3.Connection, run_id: str, part: str, begun: datetime) -> None:
        self.runs += 1
        times: Row = {"create_timestamp": _text(begun, 0), "update_timestamp": _text(begun, 1)}
        times |= {"start_time": begun.timestamp() + 3, "end_time": begun.timestamp() + 6}
        row = self.template.again(self.template.run, run_id, part) | times
        if self.runs % FAILURE_EVERY == 0:
            row |= {"status": "FAILURE", "run_body": row["run_body"].replace("RunStatus.SUCCESS", "RunStatus.FAILURE")}
        insert(runs, "runs", row)
        for tag in self.template.tags:
            insert(runs, "run_tags", self.template.again(tag, run_id, part))

    def _add_index(self, index: sqlite3.Connection, run_id: str, part: str) -> None:
        numbers: dict[int, int] = {}
        for table in INDEX_TABLES:
            for row in self.template.index[table]:
                new = self.template.again(row, run_id, part)
                for link in ("event_id", "evaluation_event_storage_id", "materialization_event_storage_id"):
                    if new.get(link):
                        new[link] = numbers.get(new[link], new[link])
                number = insert(index, table, new)
                if table == "event_logs":
                    numbers[row["id"]] = number

    def _add_files(self, run_id: str, part: str) -> None:
        shutil.copy(self.template.shard, self._shards / f"{run_id}.db")
        with opened(self._shards / f"{run_id}.db", write=True) as shard:
            new = self.template.again({"event": "", "run_id": self.template.run_id, "partition": ""}, run_id, part)
            events = rows(shard, "SELECT id, event FROM event_logs")
            changed = [(self.template.again({"event": e["event"]}, run_id, part)["event"], e["id"]) for e in events]
            shard.executemany("UPDATE event_logs SET event = ? WHERE id = ?", changed)
            shard.execute("UPDATE event_logs SET run_id = ?", (new["run_id"],))
        logs = self.home / "storage" / run_id / "compute_logs"
        logs.mkdir(parents=True)
        for kind in ("out", "err", "complete"):
            (logs / f"abcdefgh.{kind}").touch()


def insert(connection: sqlite3.Connection, table: str, row: Row) -> int:
    """Write a row; its number."""
    names = ", ".join(f'"{name}"' for name in row)
    marks = ", ".join("?" * len(row))
    number = connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values())).lastrowid
    return int(number or 0)


def rows(connection: sqlite3.Connection, query: str) -> list[Row]:
    """What a query finds."""
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


@contextmanager
def opened(path: Path, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    """A database; what is written is committed, but not waited for until the disk has it."""
    mode = "rw" if write else "ro"
    with closing(sqlite3.connect(f"file:{path}?mode={mode}", uri=True)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        with connection:
            yield connection


def _without_id(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "id"}


def _text(moment: datetime, minute: int) -> str:
    return f"{moment + timedelta(minutes=minute):%Y-%m-%d %H:%M:%S.000000}"


def measure(home: Path) -> None:
    """Print what the real runs of a home take."""
    measured = sizes(home)
    shards = list((home / "history" / "runs").glob("*-*.db"))
    print(f"{len(shards)} real runs; a run's own file: median {median(p.stat().st_size for p in shards):,.0f} bytes")
    print(f"  {described(measured)}")


def described(measured: dict[str, int]) -> str:
    """Sizes in MB, and their sum."""
    parts = ", ".join(f"{name} {size / 1e6:.1f}" for name, size in measured.items())
    return f"{sum(measured.values()) / 1e6:6.1f} MB: {parts}"


def live(instance: dg.DagsterInstance, month: Month, first: datetime, sites: int, days: int) -> tuple[Pruned, int]:
    """Live through the days; the last pruning, and the most that was there before any."""
    highest, last = 0, None
    for hour in range(days * 24 + 4):
        moment = first + timedelta(hours=hour)
        if hour < days * 24:
            month.hour(moment, sites)
        if moment.hour in {3, 9, 15, 21}:
            last = prune(instance, now=moment + timedelta(minutes=77))
            highest = max(highest, sum(last.before.values()))
            if moment.hour == 3:
                print(f"day {hour // 24:2}: kept {last.kept:4}, before {described(last.before)}", flush=True)
                print(f"                  after {described(last.after)}", flush=True)
    assert last is not None  # noqa: S101  (there is a three o'clock in every month)
    return last, highest


def main(source: Path = Path("data/dagster"), sites: int = 20, days: int = 30) -> None:
    """Print sizes before and after each night, and at the end what must still be there."""
    begun = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "dagster"
        shutil.copytree(source, home, symlinks=True)
        (home / "dagster.yaml").unlink(missing_ok=True)
        (home / "dagster.yaml").write_text("telemetry: {enabled: false}\n", encoding="utf-8")
        measure(home)
        template = Template(home)
        month = Month(home, template)
        with open_instance(home) as instance:
            real = datetime.strptime(template.part.split("|")[0], "%Y-%m-%d").replace(tzinfo=UTC)
            first = real + timedelta(days=1)
            last, highest = live(instance, month, first, sites, days)
            print(f"{month.runs} simulated runs, {last.kept} kept; most ever before a pruning: {highest / 1e6:.1f} MB")
            expected = {f"{(first + timedelta(days=d)).date()}|site-{n:02}" for d in range(days) for n in range(sites)}
            for stage in STAGES:
                missing = expected - instance.get_materialized_partitions(dg.AssetKey(stage))
                print(f"{stage}: {len(expected) - len(missing)} of {len(expected)} partitions materialized")
    print(f"{time.process_time() - begun:.0f} s CPU on {os.cpu_count()} cores")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*([Path(given[0])] if given else []), *map(int, given[1:]))
