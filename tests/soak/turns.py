"""Many processes want the one file at once: nobody starves, nothing is lost, readers see whole transactions."""

import multiprocessing
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.warehouse import Warehouse

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

WRITERS = READERS = 4
ROWS = 50
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Turns:
    """What processes that took turns for a while met.

    Attributes:
        writes, reads: Turns taken.
        rows: Rows acknowledged, and rows found at the end.
        longest_wait_s: From asking for the database to having it open.
        fewest: Turns of the process that had the fewest.
        errors: What any of them raised.
    """

    writes: int
    reads: int
    rows: tuple[int, int]
    longest_wait_s: float
    fewest: int
    errors: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Nothing was raised, nothing lost and nothing there twice."""
        return not self.errors and self.rows[0] == self.rows[1]

    def __str__(self) -> str:
        wait = f"longest wait {self.longest_wait_s:.2f} s, fewest turns of a process {self.fewest}"
        rows = f"{self.rows[0]} rows acknowledged, {self.rows[1]} found"
        return "\n".join([f"{self.writes} writes, {self.reads} reads, {wait}", rows, *self.errors])


def take_turns(root: Path, *, seconds: float) -> Turns:
    """Let 4 writers and 4 readers want the database of a new folder all the time for some seconds."""
    context = multiprocessing.get_context("spawn")
    answers: Queue[Any] = context.Queue()
    kinds = [_write] * WRITERS + [_read] * READERS
    processes = [context.Process(target=kind, args=(root, n, seconds, answers)) for n, kind in enumerate(kinds)]
    for process in processes:
        process.start()
    said = [answers.get(timeout=seconds + 120) for _ in processes]
    for process in processes:
        process.join()
    with Warehouse(root, command="soak").session() as session:
        found = len(session.rows("select_sites"))
    written = [turns for kind, turns, _, _ in said if kind == "write"]
    return Turns(
        writes=sum(written),
        reads=sum(turns for kind, turns, _, _ in said if kind == "read"),
        rows=(sum(written) * ROWS, found),
        longest_wait_s=max(longest for _, _, longest, _ in said),
        fewest=min(turns for _, turns, _, _ in said),
        errors=tuple(error for _, _, _, error in said if error),
    )


def _write(root: Path, number: int, seconds: float, answers: "Queue[Any]") -> None:
    def turn(session: Any, turns: int) -> None:
        with session.transaction(stage="config", run_id=f"w{number}", now=NOW) as transaction:
            names = [f"w{number}-{turns}-{n}" for n in range(ROWS)]
            row = {"active": True, "time_zone": "UTC", "config_sha256": "0", "first_seen_at": NOW}
            transaction.insert("sites", [row | {"site": name} for name in names])

    _turns(root, "write", number, seconds, answers, turn)


def _read(root: Path, number: int, seconds: float, answers: "Queue[Any]") -> None:
    def turn(session: Any, _: int) -> None:
        rows = len(session.rows("select_sites"))
        if rows % ROWS:
            raise AssertionError(f"a reader saw {rows} rows: half a transaction")

    _turns(root, "read", number, seconds, answers, turn)


def _turns(root: Path, kind: str, number: int, seconds: float, answers: "Queue[Any]", turn: Any) -> None:
    """Ask for the database at once again and again; says how often, the longest wait, and what went wrong."""
    warehouse = Warehouse(root, wait_s=60, command=f"{kind} {number}")
    turns, longest, error, end = 0, 0.0, "", time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            asked = time.monotonic()
            with warehouse.session() as session:
                longest = max(longest, time.monotonic() - asked)
                turn(session, turns)
            turns += 1
    except Exception as raised:  # noqa: BLE001  (told to who started us)
        error = f"{kind} {number}: {type(raised).__name__}: {raised}"
    answers.put((kind, turns, longest, error))
