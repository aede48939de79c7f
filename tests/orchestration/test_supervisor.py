"""Services that start and end together, and leave nothing behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assets.supervisor import Service, Supervisor
from tests.orchestration.conftest import command_lines

ROOT = Path(__file__).parents[2]

OBEDIENT = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(60)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + OBEDIENT
MORTAL = "import sys; print('no such luck'); sys.exit(3)"
PARENT = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', sys.argv[2], sys.argv[1]])\n"
    "time.sleep(60)"
)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def supervise(tmp_path: Path, told: list[str]) -> Callable[..., int]:
    """A function that runs programs until they are told to end by signals, sent once all have touched their file."""

    def run(*programs: str, signals: tuple[signal.Signals, ...] = (), grace_s: float = 5.0) -> int:
        files = [tmp_path / f"up-{number}" for number in range(len(programs))]
        services = [
            Service(
                name=f"service {number}",
                command=(sys.executable, "-c", program, str(file), STUBBORN),
                log=tmp_path / f"{number}.log",
            )
            for number, (program, file) in enumerate(zip(programs, files, strict=True))
        ]
        supervisor = Supervisor(environ=os.environ, folder=ROOT, tell=told.append, grace_s=grace_s)
        sent = iter(signals)

        def send() -> None:
            told.append("ready")
            for number in sent:
                os.kill(os.getpid(), number)

        return supervisor.run(services, ready=lambda: all(file.exists() for file in files), announce=send)

    return run


@pytest.fixture
def children(tmp_path: Path) -> Callable[[], set[str]]:
    """Tells the command lines of the processes that this test started: each is given a file of its folder."""
    return lambda: {line for line in command_lines() if str(tmp_path) in line}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_and_is_no_failure(
    supervise: Callable[..., int], told: list[str], number: signal.Signals, children: Callable[[], set[str]]
) -> None:
    assert supervise(OBEDIENT, OBEDIENT, signals=(number,)) == 0
    assert told[0] == "ready"
    assert told[1].startswith(number.name)
    assert children() == set()


def test_a_service_that_ends_by_itself_ends_all_and_is_named(
    supervise: Callable[..., int], told: list[str], children: Callable[[], set[str]]
) -> None:
    assert supervise(OBEDIENT, MORTAL) == 1
    assert told[-1].startswith("service 1 ended by itself with status 3")
    assert told[-1].endswith("no such luck")
    assert children() == set()


def test_one_that_does_not_listen_is_killed(supervise: Callable[..., int], children: Callable[[], set[str]]) -> None:
    assert supervise(STUBBORN, signals=(signal.SIGTERM,), grace_s=0.5) == 0
    assert children() == set()


def test_a_second_signal_hurries(supervise: Callable[..., int], children: Callable[[], set[str]]) -> None:
    begun = time.monotonic()
    assert supervise(STUBBORN, signals=(signal.SIGINT, signal.SIGINT), grace_s=30) == 0
    assert time.monotonic() - begun < 15
    assert children() == set()


def test_the_children_of_a_service_end_with_it(supervise: Callable[..., int], children: Callable[[], set[str]]) -> None:
    assert supervise(PARENT, signals=(signal.SIGTERM,), grace_s=0.5) == 0
    assert children() == set()


def test_what_signals_meant_before_they_mean_again(supervise: Callable[..., int]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    supervise(OBEDIENT, signals=(signal.SIGTERM,))
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("program", [OBEDIENT, PARENT])
def test_a_killed_supervisor_leaves_no_orphans(tmp_path: Path, program: str, children: Callable[[], set[str]]) -> None:
    file, log = tmp_path / "up", tmp_path / "log"
    supervise = (
        "import os, sys; from pathlib import Path; from assets.supervisor import *\n"
        "service = Service(name='s', command=(sys.executable, '-c', *sys.argv[3:]), log=Path(sys.argv[1]))\n"
        "supervisor = Supervisor(environ=os.environ, folder=Path(sys.argv[2]), tell=print, grace_s=0.5)\n"
        "supervisor.run([service], ready=lambda: False, announce=print)"
    )
    arguments = [str(log), str(ROOT), program, str(file), STUBBORN]
    with subprocess.Popen([sys.executable, "-c", supervise, *arguments], cwd=ROOT) as supervisor:
        _wait_for(file.exists)
        supervisor.kill()
    _wait_for(lambda: children() == set())


def _wait_for(done: Callable[[], Any], seconds: float = 20) -> None:
    pause = threading.Event()
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        pause.wait(0.05)
