"""`quietdiff demo`: the real `watch` job over the demo site, through five simulated days, in some seconds."""

import shutil
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import dagster as dg

from assets.defs.partitions import partition_key
from assets.defs.resources import ClockResource, build_resources
from assets.home import open_instance
from assets.registration import register_partitions
from pipeline.clock import DEMO_MARK, SteppedClock
from pipeline.config import Project, load_project
from pipeline.demo import CYCLE_DAYS, DemoScript, serve, site_yaml, watch_moment
from pipeline.engine import Engine, build_engine, next_due
from pipeline.errors import UsageError
from pipeline.model import SiteDay

SITE = "demo"

CONFIRM_WITHIN = timedelta(minutes=10)
"""After a visit, pages that fall due within this time are confirm visits, 3 minutes later, or the first repetition
of one that failed. The usual next visit of a page of the demo site is 15 minutes later, and is left out."""

SETTINGS = """\
# The demo site runs on this machine: it may be asked although its address is a private one, and there is nobody to be
# polite to.
fetch:
  delay: 0s
  allow_private: ["{host}"]
"""

INSTANCE = """\
telemetry: {enabled: false}
nux: {enabled: false}
python_logs: {managed_python_loggers: [pipeline], python_log_level: INFO}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoFolder:
    """Where a demo lives: a data folder with a project and a Dagster home of its own inside.

    Attributes:
        data: The demo's data folder, such as `data/demo`.
    """

    data: Path

    @property
    def root(self) -> Path:
        """The demo's project."""
        return self.data / "project"

    @property
    def home(self) -> Path:
        """The home of its Dagster instance."""
        return self.data / "dagster"


def run_demo(data: Path, tell: Callable[[str], None]) -> DemoFolder:
    """Live through the five UTC days that end yesterday: one visit a day at 09:00, then what waits to be confirmed.

    Args:
        data: The data folder in which `demo` is emptied and filled.
        tell: Told in a few words what is being done.

    Raises:
        UsageError: The folder is there and was not made by a demo.
    """
    folder = DemoFolder(data=data.absolute() / "demo")
    empty_folder(folder.data)
    tell("loading the job")
    job = _watch_job()
    midnight = datetime.combine(datetime.now(UTC).date(), time(), UTC)
    script = DemoScript(midnight - timedelta(days=CYCLE_DAYS))
    clock = SteppedClock(script.start)
    with serve(script, clock) as address:
        project = _write_project(folder, address)
        engine = build_engine(project, clock=clock, environ={}, run_id="demo", command="quietdiff demo")
        with _instance(folder.home) as instance:
            register_partitions(instance, project)
            for day, moment in _visits(script, clock, engine):
                tell(f"day {day} of {CYCLE_DAYS}: {moment:%Y-%m-%d %H:%M} UTC")
                _run(job, instance, folder, moment)
    engine.warehouse.publish(clock.now(), force=True)
    return folder


def _visits(script: DemoScript, clock: SteppedClock, engine: Engine) -> Iterator[tuple[int, datetime]]:
    """Set the clock to each moment at which there is something to do, and yield it with its day."""
    for day in range(1, CYCLE_DAYS + 1):
        moment: datetime | None = watch_moment(script, day)
        while moment is not None:
            clock.set(moment)
            yield day, moment
            due = next_due(engine)
            moment = due if due is not None and due <= moment + CONFIRM_WITHIN else None


def _run(job: dg.JobDefinition, instance: dg.DagsterInstance, folder: DemoFolder, moment: datetime) -> None:
    """One run of the job, as the schedule would launch it, at a moment of our choice."""
    quiet = {"console": {"config": {"log_level": "CRITICAL"}}}
    job.execute_in_process(
        instance=instance,
        partition_key=partition_key(SiteDay(site=SITE, day=moment.date())),
        resources=build_resources(folder.root, folder.data, ClockResource(fixed_at=moment.isoformat())),
        run_config={"loggers": quiet},
    )


def _watch_job() -> dg.JobDefinition:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dg.BetaWarning)
        from assets.definitions import defs  # noqa: PLC0415  (takes a second, and is told of)

        return defs().resolve_job_def("watch")


def empty_folder(folder: Path) -> None:
    """Leave the folder there with nothing but the mark of a demo's folder.

    Raises:
        UsageError: It is not empty and has no such mark.
    """
    if folder.exists():
        if not (folder / DEMO_MARK).exists() and any(folder.iterdir()):
            raise UsageError(
                f"{folder}: not a demo's folder, so it is left as it is; name another data folder with --data"
            )
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / DEMO_MARK).touch()


def _write_project(folder: DemoFolder, address: str) -> Project:
    (folder.root / "sites").mkdir(parents=True)
    (folder.root / "sites" / f"{SITE}.yaml").write_text(site_yaml(address), encoding="utf-8")
    host = address.removeprefix("http://")
    (folder.root / "quietdiff.yaml").write_text(SETTINGS.format(host=host), encoding="utf-8")
    return load_project(folder.root, folder.data)


@contextmanager
def _instance(home: Path) -> Iterator[dg.DagsterInstance]:
    home.mkdir()
    (home / "dagster.yaml").write_text(INSTANCE, encoding="utf-8")
    with open_instance(home) as instance:
        yield instance
