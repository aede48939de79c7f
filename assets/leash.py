"""`python -m assets.leash GRACE_S COMMAND...`: run a command, and end all it started when whoever started us is gone.

A supervisor holds the other end of our standard input. Once that is closed, by the supervisor or because it was
killed, the command is told to end, and what is left of its process group is killed. SIGTERM does so at once. The exit
status is the command's, 128 more than the signal's number if a signal ended it.
"""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

POLL_S = 0.1

KILLED_S = 2.0
"""Seconds the system is given to clear away what was killed."""


class Leash:
    """A command and whatever it starts, in a process group of its own."""

    def __init__(self, command: list[str], grace_s: float) -> None:
        self._grace_s = grace_s
        self._hurry = False
        # Handlers, unlike an ignored signal, are not passed on to the command.
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        self._child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)

    def hold(self) -> int:
        """Wait for the command to end or for the leash to be let go; then end everything. Returns the exit status."""
        while self._child.poll() is None and not self._hurry:
            readable, _, _ = select.select([sys.stdin], [], [], POLL_S)
            if readable and not os.read(sys.stdin.fileno(), 1):
                break
        if self._child.poll() is None:
            self._child.terminate()
            self._wait(self._grace_s, lambda: self._child.poll() is None)
        self._end_group()
        status = self._child.wait()
        return status if status >= 0 else 128 - status

    def _end_group(self) -> None:
        """Dagster's code servers outlive their parent for a moment, and its daemon sometimes for good."""
        self._signal_group(signal.SIGTERM)
        self._wait(self._grace_s / 2, self._group_lives)
        self._signal_group(signal.SIGKILL)
        self._hurry = False
        self._wait(KILLED_S, self._group_lives)

    def _wait(self, seconds: float, alive: Callable[[], bool]) -> None:
        deadline = time.monotonic() + seconds
        while alive() and time.monotonic() < deadline and not self._hurry:
            time.sleep(POLL_S / 2)

    def _group_lives(self) -> bool:
        self._child.poll()
        try:
            os.killpg(self._child.pid, 0)
        except (ProcessLookupError, PermissionError):  # macOS says so of a group of zombies
            return False
        return True

    def _signal_group(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, number)

    def _on_signal(self, number: int, _frame: object) -> None:
        self._hurry = self._hurry or number == signal.SIGTERM


def main() -> None:
    """Hold the command on its leash, and end with its status."""
    sys.exit(Leash(sys.argv[2:], float(sys.argv[1])).hold())


if __name__ == "__main__":
    main()
