"""`quietdiff up`: refused, after a crash, and once for real."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin
from dagster._core.test_utils import create_run_for_test

from assets import up
from assets.cli import app
from assets.home import open_instance, prepare_home
from assets.up import _prepare
from pipeline.cli import run
from pipeline.clock import SteppedClock
from pipeline.demo import site_yaml
from pipeline.engine import Engine, build_engine, due_sites, fetch
from pipeline.model import SiteDay
from pipeline.warehouse.lock import holding
from tests.orchestration.conftest import Deployment, command_lines

HOLD = (
    "import sys; from pathlib import Path; from pipeline.warehouse.lock import holding\n"
    "with holding(Path(sys.argv[1]), wait_s=0, command='quietdiff up'): print('held', flush=True); input()"
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def command_up(root: Path, *options: str) -> int:
    return run(app, ["up", "--project", str(root), *options], {})


def test_a_second_up_is_refused_and_the_first_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "data" / "up")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdout is not None
        first.stdout.readline()
        status = command_up(tmp_path, "--port", str(free_port()), "--demo-port", str(free_port()))
        first.communicate("\n")

    assert status == 1
    assert f"already up: process {first.pid} (quietdiff up); end that first" in capsys.readouterr().err


def test_a_taken_port_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert command_up(tmp_path, "--port", str(port), "--demo-port", str(free_port())) == 2
        assert command_up(tmp_path, "--port", str(free_port()), "--demo-port", str(port)) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert f"port {port} of 127.0.0.1: Address already in use" in first
    assert first.endswith(f"quietdiff up --port {port + 1}")
    assert second.endswith(f"quietdiff up --demo-port {port + 1}")


@pytest.mark.parametrize("option", ["--port", "--demo-port"])
def test_a_port_that_cannot_be_is_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    assert command_up(tmp_path, option, "65536") == 2
    assert option in capsys.readouterr().err


def test_after_a_refusal_the_data_folder_is_free_again(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command_up(tmp_path, "--port", str(taken.getsockname()[1]))
    with holding(tmp_path / "data" / "up", wait_s=0, command="next"):
        pass


ORIGIN = RemoteJobOrigin(RemoteRepositoryOrigin(RegisteredCodeLocationOrigin("quietdiff"), "__repository__"), "watch")
"""Where a queued run says it came from."""


class Dies:
    """Fetches nothing: the machine stops while pages are claimed."""

    def fetch_all(self, targets: object, done: object) -> None:
        raise KeyboardInterrupt


def claim(deployment: Deployment, site: str, run_id: str, moment: datetime) -> None:
    """Leave the pages of a site as a run leaves them that died while it fetched."""
    engine = engine_of(deployment, run_id, moment)
    with pytest.MonkeyPatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("pipeline.engine.fetching.release_leases", lambda *_: 0)  # who is killed lets go of nothing
        fetch(engine, [SiteDay(site=site, day=moment.date())])


def engine_of(deployment: Deployment, run_id: str, moment: datetime) -> Engine:
    clock = SteppedClock(moment)
    return build_engine(deployment.project(), clock=clock, environ={}, run_id=run_id, command="a test", fetcher=Dies())


def test_what_a_crashed_up_left_behind_is_released_before_the_services_start(deployment: Deployment) -> None:
    now = datetime.now(UTC)
    deployment.write_site("lost", "anvil", "terms")
    deployment.write_site("byhand", "fixed")
    home, told = prepare_home(deployment.root, deployment.data), list[str]()
    with open_instance(home) as instance:
        runs = {
            status: create_run_for_test(instance, status=status, remote_job_origin=ORIGIN)
            for status in dg.DagsterRunStatus
        }
    claim(deployment, "lost", runs[dg.DagsterRunStatus.STARTED].run_id, now)
    claim(deployment, "byhand", "cli-alive", now)
    assert due_sites(engine_of(deployment, "schedule", now)) == []

    _prepare(home, deployment.project(), told.append)

    with open_instance(home) as instance:
        after = {status: instance.get_run_by_id(run.run_id).status for status, run in runs.items()}
        assert set(instance.get_dynamic_partitions("site")) == {"lost", "byhand"}
    under_way = {dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING}
    assert after == {status: dg.DagsterRunStatus.FAILURE if status in under_way else status for status in runs}
    assert told == ["3 runs were under way when everything died; they are marked as failed"]
    assert due_sites(engine_of(deployment, "schedule", now)) == ["lost"]  # at once; the visit by hand goes on

    _prepare(home, deployment.project(), told.append)
    assert len(told) == 1


def test_a_database_that_cannot_be_opened_leaves_the_leases_to_run_out(
    deployment: Deployment, held: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(up, "RELEASE_WAIT_S", 0.1)
    deployment.write_site("lost", "anvil")
    home, told = prepare_home(deployment.root, deployment.data), list[str]()
    with open_instance(home) as instance:
        run = create_run_for_test(instance, status=dg.DagsterRunStatus.STARTED)
    pid = held()

    _prepare(home, deployment.project(), told.append)

    with open_instance(home) as instance:
        assert instance.get_run_by_id(run.run_id).status is dg.DagsterRunStatus.FAILURE
    assert f"process {pid} (a long report)" in told[0]
    assert "once their leases run out" in told[0]


@contextmanager
def running(root: Path, port: int, demo_port: int) -> Iterator[subprocess.Popen[str]]:
    """The real command, in a session of its own, with SIGINT ignored as in a script's background."""
    options = ("--project", str(root), "--port", str(port), "--demo-port", str(demo_port))
    program = "import signal, os, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    with subprocess.Popen(
        [sys.executable, "-c", program, "-m", "assets.cli", "up", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def test_ui_daemon_and_demo_site_come_up_and_one_ctrl_c_ends_them(tmp_path: Path) -> None:
    port, demo_port = free_port(), free_port()
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "demo.yaml").write_text(site_yaml(f"http://127.0.0.1:{demo_port}"), encoding="utf-8")
    (tmp_path / "quietdiff.yaml").write_text(
        f"fetch: {{delay: 0s, allow_private: [127.0.0.1:{demo_port}]}}\n", encoding="utf-8"
    )

    with running(tmp_path, port, demo_port) as process:
        printed = _read_until(process, "Ctrl-C ends both")
        assert f"http://127.0.0.1:{port}" in printed
        with urllib.request.urlopen(f"http://127.0.0.1:{demo_port}/", timeout=10) as answer:
            assert b"anvil" in answer.read()
        asked = ask(port, "{assetNodes{assetKey{path}} repositoriesOrError{... on RepositoryConnection{nodes{"
                          "schedules{scheduleState{status}} sensors{sensorState{status}}}}}}")  # fmt: skip
        assert len(asked["assetNodes"]) == 9
        [repository] = asked["repositoriesOrError"]["nodes"]
        assert repository["schedules"] == [{"scheduleState": {"status": "RUNNING"}}] * 3
        assert repository["sensors"] == [{"sensorState": {"status": "RUNNING"}}]
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(60) == 0

    assert _left(tmp_path, demo_port) == []
    assert {path.name for path in tmp_path.iterdir()} == {"sites", "quietdiff.yaml", "data"}


def ask(port: int, query: str) -> dict[str, Any]:
    """An answer of Dagster's GraphQL."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/graphql",
        data=json.dumps({"query": query}).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        data: dict[str, Any] = json.load(answer)["data"]
    return data


def _read_until(process: subprocess.Popen[str], last: str) -> str:
    """What the process printed up to a line; it is killed if the line does not come within two minutes."""
    watchdog = threading.Timer(120, process.kill)
    watchdog.start()
    printed: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        printed.append(line)
        if last in line:
            break
    watchdog.cancel()
    assert last in printed[-1], "".join(printed)
    return "".join(printed)


def _left(root: Path, demo_port: int, *, seconds: float = 10) -> list[str]:
    """Processes that still work for this project, once they have had a moment to end."""
    pattern = re.compile(rf"{re.escape(str(root))}|--port {demo_port}\b")
    pause, deadline = threading.Event(), time.monotonic() + seconds
    while True:
        left = [line for line in command_lines() if pattern.search(line)]
        if not left or time.monotonic() > deadline:
            return left
        pause.wait(0.2)
