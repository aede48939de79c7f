"""`quietdiff up`: once refused, and once for real."""

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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from assets.cli import app
from pipeline.cli import run
from pipeline.demo import site_yaml
from pipeline.warehouse.lock import holding
from tests.orchestration.conftest import command_lines

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
    assert f"port {port} of 127.0.0.1: Address already in use" in capsys.readouterr().err


def test_after_a_refusal_the_data_folder_is_free_again(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command_up(tmp_path, "--port", str(taken.getsockname()[1]))
    with holding(tmp_path / "data" / "up", wait_s=0, command="next"):
        pass


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
    (tmp_path / "quietdiff.yaml").write_text("fetch: {delay: 0s}\n", encoding="utf-8")

    with running(tmp_path, port, demo_port) as process:
        printed = _read_until(process, "Ctrl-C ends both")
        assert f"http://127.0.0.1:{port}" in printed
        with urllib.request.urlopen(f"http://127.0.0.1:{demo_port}/", timeout=10) as answer:
            assert b"anvil" in answer.read()
        asked = ask(port, "{assetNodes{assetKey{path}} repositoriesOrError{... on RepositoryConnection{nodes{"
                          "schedules{scheduleState{status}} sensors{sensorState{status}}}}}}")  # fmt: skip
        assert len(asked["assetNodes"]) == 8
        [repository] = asked["repositoriesOrError"]["nodes"]
        assert repository["schedules"] == [{"scheduleState": {"status": "RUNNING"}}] * 2
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
