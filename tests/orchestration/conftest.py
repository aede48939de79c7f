"""A project folder with sites on the demo server, run through Dagster at a moment of our choice."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.definitions import defs
from assets.defs.partitions import partition_key
from assets.defs.resources import ClockResource, build_resources
from assets.demo import DemoFolder, run_demo
from assets.registration import register_partitions
from pipeline.clock import SteppedClock
from pipeline.config import Project, load_project
from pipeline.demo import CYCLE_DAYS, DemoScript, serve
from pipeline.model import SiteDay
from pipeline.warehouse import Published, Warehouse

FIRST_DAY = datetime.combine(datetime.now(UTC).date(), time(), UTC) - timedelta(days=5)
"""Day 1 of the demo site's script."""


def at(day: int, hour: int = 9, minute: int = 0) -> datetime:
    """A moment on a day of the script, counted from 1."""
    return FIRST_DAY + timedelta(days=day - 1, hours=hour, minutes=minute)


@pytest.fixture(scope="session")
def definitions() -> dg.Definitions:
    return defs()


@pytest.fixture(scope="session")
def watch(definitions: dg.Definitions) -> dg.JobDefinition:
    return definitions.resolve_job_def("watch")


@pytest.fixture(scope="session")
def demo_site() -> Iterator[tuple[str, SteppedClock]]:
    clock = SteppedClock(FIRST_DAY)
    with serve(DemoScript(FIRST_DAY), clock) as address:
        yield address, clock


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture(scope="session")
def lasting_instance() -> Iterator[dg.DagsterInstance]:
    """Schedules need one with a folder; it takes a second to make, so it is shared."""
    with dg.instance_for_test() as instance:
        yield instance


@dataclass
class Deployment:
    """One project with its data folder; `address` is the demo site's and `clock` the one its pages follow."""

    root: Path
    address: str
    clock: SteppedClock

    @property
    def data(self) -> Path:
        return self.root / "data"

    def write_site(self, name: str, *pages: str, every: str = "15m", vantage: str = "{}") -> None:
        """A site file; pages are names of the demo site's, or `name=url`."""
        (self.root / "sites").mkdir(exist_ok=True)
        lines = [f"every: {every}", f"vantage: {vantage}", "pages:"]
        for page in pages:
            label, _, url = page.partition("=")
            lines.append(f"  - {{name: {label}, url: '{url or f'{self.address}/{label}'}'}}")
        (self.root / "sites" / f"{name}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def break_site(self, name: str) -> None:
        (self.root / "sites" / f"{name}.yaml").write_text("pages:\n  - {nam: a}\n", encoding="utf-8")

    def project(self) -> Project:
        return load_project(self.root, self.data, os.environ)

    def resources(self, moment: datetime, *, wait_s: float = 60.0) -> dict[str, Any]:
        """What runs are given, with time standing at a moment."""
        self.clock.set(moment)
        clock = ClockResource(fixed_at=moment.isoformat())
        return build_resources(self.root, self.data, clock, wait_s=wait_s)

    def run(
        self,
        job: dg.JobDefinition,
        instance: dg.DagsterInstance,
        site: str,
        moment: datetime,
        *,
        day: date | None = None,
        **options: Any,
    ) -> dg.ExecuteInProcessResult:
        """Run `watch` for one site at a moment; `day` if another than that moment's."""
        register_partitions(instance, self.project())
        wait_s = options.pop("wait_s", 60.0)
        return job.execute_in_process(
            instance=instance,
            partition_key=partition_key(SiteDay(site=site, day=day or moment.date())),
            resources=self.resources(moment, wait_s=wait_s),
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            **options,
        )

    def allow(self, *addresses: str) -> None:
        """Let the demo site, and other servers of a test, be on this machine."""
        hosts = [address.removeprefix("http://") for address in (self.address, *addresses)]
        settings = f"fetch: {{delay: 0s, allow_private: {json.dumps(hosts)}}}\n"
        (self.root / "quietdiff.yaml").write_text(settings, encoding="utf-8")

    def query(self, sql: str) -> list[dict[str, Any]]:
        """Rows of the live database, through a fresh published copy."""
        Warehouse(self.data).publish(datetime.now(UTC), force=True)
        rows: list[dict[str, Any]] = Published(self.data).query(sql).to_pylist()
        return rows


@pytest.fixture
def deployment(tmp_path: Path, demo_site: tuple[str, SteppedClock]) -> Deployment:
    address, clock = demo_site
    made = Deployment(root=tmp_path, address=address, clock=clock)
    made.allow()
    return made


@pytest.fixture
def held(deployment: Deployment) -> Iterator[Any]:
    """A function that lets another process hold the database until the test ends; returns its process id."""

    code = (
        "import sys; from pathlib import Path; from pipeline.warehouse import Warehouse\n"
        "with Warehouse(Path(sys.argv[1]), command='a long report').session(): print('held', flush=True); input()"
    )
    with ExitStack() as stack:

        def hold() -> int:
            process = subprocess.Popen(
                [sys.executable, "-c", code, str(deployment.data)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.callback(process.communicate, "\n")
            assert process.stdout is not None
            process.stdout.readline()
            return process.pid

        yield hold


@dataclass
class Demo:
    """A demo that has run, and what it was told on the way."""

    folder: DemoFolder
    told: list[str]
    first_day: date

    def visits(self, page: str, day: int) -> list[dict[str, Any]]:
        """The results of a page's visits on a day of the script, in order."""
        return [
            row
            for row in Published(self.folder.data).rows("select_all_results")
            if row["page_name"] == page and row["day"] == self.first_day + timedelta(days=day - 1)
        ]

    def day_of(self, moment: datetime) -> int:
        """Day of the script, counted from 1."""
        return (moment.date() - self.first_day).days + 1


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    told: list[str] = []
    first_day = datetime.now(UTC).date() - timedelta(days=CYCLE_DAYS)
    return Demo(run_demo(tmp_path_factory.mktemp("demo"), told.append), told, first_day)


def metadata_of(result: dg.ExecuteInProcessResult, asset: str) -> dict[str, Any]:
    """The metadata of the one materialization of an asset, as plain values."""
    [event] = result.asset_materializations_for_node(asset)
    return {name: entry.value for name, entry in event.metadata.items()}


def checks_of(results: Sequence[dg.AssetCheckEvaluation]) -> dict[str, bool]:
    """Whether each check passed, by name."""
    return {check.check_name: check.passed for check in results}


def command_lines() -> list[str]:
    """The command lines of all processes; ended ones that nobody waited for have none."""
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("needs /proc to see what was left behind")
    lines: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it ended just now
            lines.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return lines
