"""Kill `watch` runs at any numbered point of their durable work, and see that the next runs put everything right."""

import json
import multiprocessing
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

from pipeline.warehouse.session import read_high_water
from tests.soak.history import look, look_at_copy, tally, watch

__all__ = ["Soak", "Trial"]

ROUNDS = range(1, 5)
"""Rounds that are killed: a field and a content change, their confirmation, failures, and nothing at all."""

PLACES = 2
"""Attempts of a round; in an undisturbed history the second confirms what the first saw."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A run that was killed, and what came of it.

    Attributes:
        round_no, kills: Where: the points of the first runs of that round, one for each run that died.
        point: Name of the point of the last kill.
        fault: What did not hold, in words; empty when all did.
        seconds: From the kill to the end of the next run.
    """

    round_no: int
    kills: tuple[int, ...]
    point: str
    fault: str
    seconds: float


@dataclass
class Soak:
    """An undisturbed history, and what trials compare with it.

    Args:
        root: An empty folder.
        seed: Of the choice of rounds and points.
    """

    root: Path
    seed: int = 0
    points: dict[int, list[str]] = field(default_factory=dict)
    _context: ForkServerContext = field(init=False)

    def __post_init__(self) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.soak.history"])
        self._random = random.Random(self.seed)  # noqa: S311  (a reproducible choice, no secret)

    def prepare(self) -> None:
        """Run the undisturbed history; keeps the folder as it was before each round and what was true after it."""
        live = self.root / "live"
        live.mkdir(parents=True)
        for round_no in range(max(ROUNDS) + 2):
            shutil.copytree(live, self._before(round_no))
            for attempt in range(PLACES):
                self._must(watch, live, round_no, attempt, self._file("points"), None)
                if attempt == 0:
                    self.points[round_no] = json.loads(self._file("points").read_text())
            self._must(look, live, self.root / f"after-{round_no}.json")

    def every_point(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Each point of each round, killed once."""
        for round_no in ROUNDS:
            for point in range(len(self.points[round_no])):
                yield round_no, (point,)

    def random_points(self, count: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Points by chance; one time in four the run after the killed one is killed too."""
        for _ in range(count):
            round_no = self._random.choice(ROUNDS)
            runs = 2 if self._random.random() < 0.25 else 1
            yield round_no, tuple(self._random.randrange(len(self.points[round_no])) for _ in range(runs))

    def trial(self, round_no: int, kills: tuple[int, ...]) -> Trial:
        """Kill runs of a round one after the other, go on to the end of the next round, and compare."""
        root = self.root / "trial"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(self._before(round_no), root)
        point, seconds = "", 0.0
        for attempt, kill_at in enumerate(kills):
            acknowledged = self._published(root)
            code = self._run(watch, root, round_no, attempt, self._file("points"), kill_at)
            if code == 0:
                continue  # the run had fewer points than that: it had less to do
            if code != -signal.SIGKILL:
                return Trial(round_no, kills, point, f"the run ended by itself with {code}", seconds)
            point = self.points[round_no][kill_at] if attempt == 0 else f"run after: {kill_at}"
            if acknowledged and self._run(look_at_copy, root, acknowledged):
                return Trial(round_no, kills, point, "the published copy is not whole", seconds)
        begun = time.monotonic()
        mark = read_high_water(root / "data" / "quietdiff.duckdb")
        rest = [(round_no, len(kills)), *((round_no + 1, attempt) for attempt in range(PLACES))]
        for number, attempt in rest:
            if code := self._run(watch, root, number, attempt, self._file("points"), None):
                return Trial(round_no, kills, point, f"the next run failed with {code}", seconds)
            seconds = seconds or time.monotonic() - begun
        return Trial(round_no, kills, point, self._differs(root, round_no + 1, mark), seconds)

    def _differs(self, root: Path, round_no: int, mark: int) -> str:
        if read_high_water(root / "data" / "quietdiff.duckdb") < mark:
            return "the high-water mark went back"
        if code := self._run(look, root, self._file("found")):
            return f"the tables are not sound ({code})"
        found = json.loads(self._file("found").read_text())
        expected = json.loads((self.root / f"after-{round_no}.json").read_text())
        wrong = [f"{name}: {found[name]} for {expected[name]}" for name in expected if found[name] != expected[name]]
        return "; ".join(wrong)

    def _published(self, root: Path) -> int:
        try:
            return int(json.loads((root / "data/published/quietdiff.json").read_text())["commit_no"])
        except FileNotFoundError:
            return 0

    def _run(self, function: Callable[..., None], *given: Any) -> int | None:
        process = self._context.Process(target=function, args=given)
        process.start()
        process.join(120)
        if process.exitcode is None:
            process.kill()
            process.join()
        return process.exitcode

    def _must(self, function: Callable[..., None], *given: Any) -> None:
        if code := self._run(function, *given):
            raise RuntimeError(f"{function.__name__} ended with {code}")

    def _before(self, round_no: int) -> Path:
        return self.root / f"before-{round_no}"

    def _file(self, name: str) -> Path:
        return self.root / f"{name}.json"


def by_work(trials: list[Trial]) -> Counter[str]:
    """Trials by the kind of work they were killed at."""
    return tally([trial.point for trial in trials])
