"""`python -m tests.soak`: trials of what must hold whatever dies or waits; prints what came of them."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.soak.kills import Soak, Trial, by_work
from tests.soak.turns import take_turns


def main() -> int:
    """Run the trials asked for; 1 when one of them found a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="runs killed at random points (default 200)")
    parser.add_argument("--every", action="store_true", help="kill at each point of each round once instead")
    parser.add_argument("--seed", type=int, default=0, help="of the random choice (default 0)")
    parser.add_argument("--turns", type=float, metavar="SECONDS", help="4 writers and 4 readers for so long instead")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quietdiff-soak-") as folder:
        root = Path(folder) / "soak"
        if asked.turns:
            report = take_turns(root, seconds=asked.turns)
            print(report)
            return not report.sound
        soak = Soak(root, seed=asked.seed)
        soak.prepare()
        return _kill(soak, list(soak.every_point() if asked.every else soak.random_points(asked.kills)))


def _kill(soak: Soak, places: list[tuple[int, tuple[int, ...]]]) -> bool:
    trials: list[Trial] = []
    for number, place in enumerate(places, 1):
        trials.append(soak.trial(*place))
        if trials[-1].fault:
            print(f"round {trials[-1].round_no}, {trials[-1].kills}, {trials[-1].point}: {trials[-1].fault}")
        if number % 20 == 0:
            print(f"{number} of {len(places)}", file=sys.stderr)
    _report(soak, trials)
    return any(trial.fault for trial in trials)


def _report(soak: Soak, trials: list[Trial]) -> None:
    for work, count in sorted(by_work(trials).items()):
        print(f"{count:5}  {work}")
    seconds = sorted(trial.seconds for trial in trials)
    faults = sum(bool(trial.fault) for trial in trials)
    sizes = ", ".join(str(len(points)) for points in soak.points.values())
    print(f"points in a run, by round: {sizes}")
    print(f"{len(trials)} trials, {sum(len(trial.kills) for trial in trials)} kills, {faults} faults")
    print(f"next run: median {seconds[len(seconds) // 2]:.2f} s, longest {seconds[-1]:.2f} s")


if __name__ == "__main__":
    sys.exit(main())
