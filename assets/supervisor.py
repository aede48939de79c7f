"""Running several services as one: they start together, and when one ends or somebody says so, all end."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

GRACE_S = 12.0
"""Seconds a service has to end by itself; Dagster needs 2 to 6."""

POLL_S = 0.2

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A program that is meant to run until it is told to end.

    Attributes:
        name: What people call it.
        command: Absolute path of the program, and its arguments.
        log: File its output goes to; begun anew.
    """

    name: str
    command: tuple[str, ...]
    log: Path


class Supervisor:
    """Starts services, each on a leash (`assets.leash`), and ends them; not even when killed does it leave them behind.

    Args:
        environ: Their environment.
        folder: Their current folder.
        tell: Told in a line what happens.
        grace_s: Seconds they have to end by themselves.
    """

    def __init__(
        self, *, environ: Mapping[str, str], folder: Path, tell: Callable[[str], None], grace_s: float = GRACE_S
    ) -> None:
        self._environ = dict(environ)
        self._folder = folder
        self._tell = tell
        self._grace_s = grace_s
        self._running: dict[Service, subprocess.Popen[bytes]] = {}
        self._told = threading.Event()
        self._hurry = threading.Event()

    def run(self, services: Sequence[Service], *, ready: Callable[[], bool], announce: Callable[[], None]) -> int:
        """Run the services until one ends or a signal comes: SIGINT (Ctrl-C), SIGTERM or SIGHUP.

        A second signal ends them at once.

        Args:
            services: What to run.
            ready: Whether all of them serve; asked until it says so.
            announce: Called once when they do.

        Returns:
            0 if a signal ended it, 1 if a service ended by itself.
        """
        with self._listening():
            try:
                for service in services:
                    self._start(service)
                return self._watch(ready, announce)
            finally:
                self._end_all()

    def _start(self, service: Service) -> None:
        # SIGINT may reach us ignored (`&` in a script), and an ignored signal is passed on; a handled one is not, and
        # we handle it.
        service.log.parent.mkdir(parents=True, exist_ok=True)
        with service.log.open("wb") as log:
            self._running[service] = subprocess.Popen(
                [sys.executable, "-m", "assets.leash", str(self._grace_s), *service.command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                env=self._environ,
                start_new_session=True,  # so that a terminal's Ctrl-C reaches us only
            )

    def _watch(self, ready: Callable[[], bool], announce: Callable[[], None]) -> int:
        announced = False
        while not self._told.wait(POLL_S):
            for service, process in self._running.items():
                if process.poll() is not None:
                    self._tell(_obituary(service, process.returncode))
                    return 1
            if not announced and ready():
                announced = True
                announce()
        return 0

    def _end_all(self) -> None:
        """Let go of the leashes; each ends its service with all that came of it. Pull them if that takes too long."""
        for process in self._running.values():
            assert process.stdin is not None  # noqa: S101  (it was started with a pipe)
            process.stdin.close()
        deadline = time.monotonic() + 2 * self._grace_s
        while self._alive() and time.monotonic() < deadline and not self._hurry.wait(POLL_S / 4):
            pass
        for process in self._alive():
            process.terminate()
        for process in self._running.values():
            process.wait()

    def _alive(self) -> list[subprocess.Popen[bytes]]:
        return [process for process in self._running.values() if process.poll() is None]

    @contextmanager
    def _listening(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, _frame: object) -> None:
        if self._told.is_set():
            self._hurry.set()
            return
        self._told.set()
        self._tell(f"{signal.Signals(number).name}: ending; once more to kill")


def _obituary(service: Service, status: int) -> str:
    last = service.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    closing = f"; it closes with: {last[0]}" if last else ""
    return f"{service.name} ended by itself with status {status}, so all is ended. Its log is {service.log}{closing}"
