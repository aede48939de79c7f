"""A commit of a thousand rows as one Arrow batch, against the same rows one by one."""

import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.warehouse import Session, Warehouse

__all__ = ["compare_commits"]

ROWS = 1_000
NOW = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = (
    "page_id", "visit_no", "site", "day", "visited_at", "purpose", "outcome", "unchanged", "http_status", "rules_id",
    "commit_no",
)  # fmt: skip
INSERT = f"INSERT INTO visits ({', '.join(NAMES)}) VALUES ({', '.join('?' * len(NAMES))})"

Rows = list[tuple[Any, ...]]


def compare_commits(folder: Path, rounds: int = 3) -> dict[str, float]:
    """Seconds by way of writing: the median of some interleaved rounds, after one that warms up."""
    ways = {"batch": _batch, "executemany": _executemany, "autocommit": _autocommit, "numbered": _numbered}
    times: dict[str, list[float]] = {name: [] for name in ways}
    with Warehouse(folder, command="benchmark").session() as session:
        for number in range(rounds + 1):
            for name, way in ways.items():
                times[name].append(_timed(way, session, _rows(number)))
    return {name: statistics.median(found[1:]) for name, found in times.items()}


def _timed(way: Callable[[Session, Rows], None], session: Session, rows: Rows) -> float:
    begun = time.perf_counter()
    way(session, rows)
    return time.perf_counter() - begun


def _batch(session: Session, rows: Rows) -> None:
    """What the stages do."""
    with session.transaction(stage="fetch", run_id="benchmark", now=NOW) as transaction:
        transaction.insert("visits", [dict(zip(NAMES, row, strict=True)) for row in rows])


def _numbered(session: Session, rows: Rows) -> None:
    """The same, each row a commit of its own."""
    for row in rows:
        _batch(session, [row])


def _executemany(session: Session, rows: Rows) -> None:
    """One transaction, not numbered and with no high-water file."""
    session.connection.begin()
    session.connection.executemany(INSERT, rows)
    session.connection.commit()


def _autocommit(session: Session, rows: Rows) -> None:
    """Each row a transaction of its own, not numbered and with no high-water file."""
    for row in rows:
        session.connection.execute(INSERT, row)


def _rows(visit_no: int) -> Rows:
    return [
        (page_id, visit_no, "shop", NOW.date(), NOW, "watch", "ok", True, 200, 1, visit_no) for page_id in range(ROWS)
    ]
