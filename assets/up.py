"""`quietdiff up`: the Dagster UI, its daemon with the schedule on, and the demo site, until Ctrl-C."""

import socket
import sys
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from assets.home import SOURCE, open_instance, prepare_home, release_lost_runs
from assets.registration import register_partitions
from assets.supervisor import Service, Supervisor
from pipeline.clock import SystemClock
from pipeline.config import Project
from pipeline.engine import build_engine, release_leases
from pipeline.errors import QuietdiffError, StoreBusyError, StoreError, UsageError
from pipeline.warehouse import Warehouse
from pipeline.warehouse.lock import holding

HOST = "127.0.0.1"

HIGHEST_PORT = 65_535

DAY_MINUTES = 30
"""How long a day of the demo site's script lasts."""

RELEASE_WAIT_S = 10.0
"""Seconds to wait for a database that somebody else has open, so that Ctrl-C never takes much longer."""


def up(project: Project, *, environ: Mapping[str, str], port: int, demo_port: int, tell: Callable[[str], None]) -> int:
    """Run everything until a signal comes.

    Args:
        project: What is watched.
        environ: The environment the services are given, with the folders added.
        port: Of the Dagster UI.
        demo_port: Of the demo site.
        tell: Told in a line what happens.

    Returns:
        0 if a signal ended it, 1 if a service ended by itself.

    Raises:
        QuietdiffError: It is up already.
        UsageError: A port is taken.
    """
    with _only_one(project.data):
        _check_free(port, "--port")
        _check_free(demo_port, "--demo-port")
        home = prepare_home(project.root, project.data)
        _prepare(home, project, tell)
        tell("starting; this takes some ten seconds")
        supervisor = Supervisor(environ=_environment(environ, project, home), folder=SOURCE, tell=tell)
        addresses = (
            f"Dagster    http://{HOST}:{port}",
            f"demo site  http://{HOST}:{demo_port}  (a day of its script lasts {DAY_MINUTES} minutes)",
            "The first visits come within two minutes. Ctrl-C ends both.",
        )
        status = supervisor.run(
            _services(project, port, demo_port),
            ready=lambda: _answers(f"http://{HOST}:{port}/server_info"),
            announce=lambda: tell("\n".join(addresses)),
        )
        with open_instance(home) as instance:
            _release(instance, project, tell)  # runs that had to end with the rest
        return status


def _services(project: Project, port: int, demo_port: int) -> list[Service]:
    logs = project.data / "logs"
    demo = ("-m", "pipeline.demo", "--port", str(demo_port), "--day-minutes", str(DAY_MINUTES))
    dagster = ("dev", "--host", HOST, "--port", str(port))
    program = str(Path(sys.executable).with_name("dg"))
    return [
        Service(name="the demo site", command=(sys.executable, *demo), log=logs / "demo-site.log"),
        Service(name="Dagster", command=(program, *dagster), log=logs / "dagster.log"),
    ]


def _environment(environ: Mapping[str, str], project: Project, home: Path) -> dict[str, str]:
    """What tells the services, and the runs they launch, which project this is."""
    return {
        **environ,
        "DAGSTER_HOME": str(home),
        "QUIETDIFF_PROJECT": str(project.root),
        "QUIETDIFF_DATA": str(project.data),
        "VIRTUAL_ENV": sys.prefix,  # `dg` warns at length when it is run from a venv that is not active
    }


def _prepare(home: Path, project: Project, tell: Callable[[str], None]) -> None:
    """Leave the instance as a first start would find it, with the sites registered."""
    with open_instance(home) as instance:
        released = _release(instance, project, tell)
        if released:
            tell(f"{released} runs were under way when everything died; they are marked as failed")
        register_partitions(instance, project)
    for problem in project.problems:
        tell(f"{problem}; not watched until that is right")


def _release(instance: dg.DagsterInstance, project: Project, tell: Callable[[str], None]) -> int:
    """End the runs that died, and free the pages they held; returns how many runs there were."""
    lost = release_lost_runs(instance)
    if lost:
        command, clock = "quietdiff up", SystemClock()
        warehouse = Warehouse(project.data, wait_s=RELEASE_WAIT_S, command=command)
        run_id = f"cli-{uuid.uuid4()}"
        engine = build_engine(project, clock=clock, environ={}, run_id=run_id, command=command, warehouse=warehouse)
        try:
            release_leases(engine, lost)
        except StoreError as error:
            tell(f"{error}; the pages of those runs are visited once their leases run out, in 15 minutes at most")
    return len(lost)


@contextmanager
def _only_one(data: Path) -> Iterator[None]:
    """Two daemons on one instance launch runs twice, so only one may be up on a data folder."""
    try:
        with holding(data / "up", wait_s=0, command="quietdiff up"):
            yield
    except StoreBusyError as error:
        holder = error.holder or "an unknown process"
        raise QuietdiffError(f"{data}: already up: {holder}; end that first, with Ctrl-C there or `kill`") from error


def _check_free(port: int, option: str) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            another = f"quietdiff up {option} {port + 1 if port < HIGHEST_PORT else port - 1}"
            raise UsageError(
                f"port {port} of {HOST}: {error.strerror}; end what uses it, or choose another: {another}"
            ) from error


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2):  # noqa: S310  (our own address)
            return True
    except OSError:
        return False
