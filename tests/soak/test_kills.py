"""A few trials of each soak; `python -m tests.soak` does many."""

from pathlib import Path

from tests.soak.kills import Soak
from tests.soak.turns import READERS, WRITERS, take_turns


def test_runs_killed_at_any_point_are_completed_by_the_next(tmp_path: Path) -> None:
    soak = Soak(tmp_path / "soak", seed=11)
    soak.prepare()
    points = {point.split()[1] for points in soak.points.values() for point in points}
    assert {"write", "fsync", "rename", "insert", "commit", "checkpoint", "close"} <= points
    trials = [soak.trial(*place) for place in soak.random_points(20)]
    assert [(trial.round_no, trial.kills, trial.point, trial.fault) for trial in trials if trial.fault] == []
    assert sum(bool(trial.point) for trial in trials) >= 15  # a later run may have had fewer points


def test_writers_and_readers_take_turns_and_lose_nothing(tmp_path: Path) -> None:
    turns = take_turns(tmp_path / "turns", seconds=4)
    assert turns.errors == ()
    assert turns.rows[0] == turns.rows[1] > 0
    assert turns.fewest >= (turns.writes + turns.reads) // (4 * (WRITERS + READERS))  # nobody is passed over
