"""Analysts, notebooks and BI tools at the published copy, in processes of their own, while runs write and publish."""

import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from pipeline.warehouse import Warehouse
from tests.engine.warehouse.conftest import NOW, write

ROWS = 7
"""Rows of each commit."""

MOST_S = 20.0
"""Seconds after which a run stops waiting for readers to have seen enough; usually a few are plenty."""

LEAST_RUNS, LEAST_COPIES = 20, 5
"""Runs made beside the readers, and copies that each reader who opens again has met by then."""

POOLED = 4
"""Connections of each process of a BI tool."""

WHOLE = """
SELECT max(commit_no) AS newest, count(*) AS commits, count(DISTINCT commit_no) AS different,
       sum(row_count)::BIGINT AS told, (SELECT count(*) FROM sites) AS rows,
       (SELECT count(*) FROM commits WHERE row_count <> (SELECT count(*) FROM sites WHERE site LIKE run_id || '-%')) AS torn
FROM commits
"""
"""Torn is a commit of which the copy does not hold just the rows it wrote."""


@dataclass
class Seen:
    """What one reader saw: the newest commit of each copy in the order met, how often it looked, what went wrong."""

    newest: list[int] = field(default_factory=list)
    looks: int = 0
    errors: list[str] = field(default_factory=list)

    def look(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Ask once; whatever is not whole is an error."""
        newest, commits, different, told, rows, torn = connection.execute(WHOLE).fetchone() or [None] * 6
        self.looks += 1
        if not (newest == commits == different and told == rows and torn == 0):
            self.errors.append(f"not whole: {newest=} {commits=} {different=} {told=} {rows=} {torn=}")
        if not self.newest or newest != self.newest[-1]:
            self.newest.append(newest)


def analyst(path: Path, seen: Seen) -> Iterator[None]:
    """Connects, asks, goes."""
    while True:
        with duckdb.connect(path, read_only=True) as connection:
            seen.look(connection)
        yield


def notebook(path: Path, seen: Seen) -> Iterator[None]:
    """Keeps what it connected to, and asks again and again."""
    with duckdb.connect(path, read_only=True) as connection:
        while True:
            seen.look(connection)
            yield


def pool(path: Path, seen: Seen) -> Iterator[None]:
    """Opens several connections, asks them all by turns, and lets all of them go."""
    while True:
        with ExitStack() as stack:
            pooled = [stack.enter_context(duckdb.connect(path, read_only=True)) for _ in range(POOLED)]
            for connection in pooled + pooled[::-1]:
                seen.look(connection)
        yield


def read(
    kind: Callable[[Path, Seen], Iterator[None]], path: Path, begun: Any, end: Any, met: Any, answers: Any
) -> None:
    """Read until told to end; `met` counts the copies seen so far, for who waits for that."""
    seen = Seen()
    try:
        for _ in kind(path, seen):
            if not met.value:
                begun.wait(60)
            met.value = len(seen.newest)
            if end.is_set():
                break
    except Exception as error:  # noqa: BLE001  (told to who started us)
        seen.errors.append(f"{type(error).__name__}: {error}")
        begun.abort()
    answers.put((kind.__name__, seen))


@contextmanager
def reading(path: Path, *kinds: Callable[[Path, Seen], Iterator[None]]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Readers at work, each in a process of its own that has had a first answer.

    Yields counters of the copies each has met, and a list that in the end holds what they saw.
    """
    context = multiprocessing.get_context("spawn")
    begun, end, answers = context.Barrier(len(kinds) + 1), context.Event(), context.Queue()
    met: list[Any] = [context.Value("i", 0) for _ in kinds]
    seen: list[Any] = []
    processes = [
        context.Process(target=read, args=(kind, path, begun, end, met[n], answers)) for n, kind in enumerate(kinds)
    ]
    for process in processes:
        process.start()
    try:
        begun.wait(60)
        yield met, seen
        end.set()
        seen.extend(answers.get(timeout=60) for _ in processes)
    finally:
        for process in processes:
            process.join(60 if seen else 0)
            process.kill()
            process.join()


def commit_and_publish(warehouse: Warehouse, number: int) -> None:
    """One run: a commit whose rows bear its number, then a new copy."""
    write(warehouse, *(f"r{number}-{row}" for row in range(ROWS)), run_id=f"r{number}")
    assert warehouse.publish(NOW, force=True)


def test_readers_of_every_kind_see_whole_transactions_and_no_run_waits_for_them(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path, wait_s=0, command="a run")  # who would have to wait fails
    runs = 1
    commit_and_publish(warehouse, runs)
    path = warehouse.published.path
    with reading(path, analyst, notebook, pool, pool) as (met, seen):
        stop = time.monotonic() + MOST_S
        while time.monotonic() < stop and (runs < LEAST_RUNS or min(met[n].value for n in (0, 2, 3)) < LEAST_COPIES):
            runs += 1
            commit_and_publish(warehouse, runs)

    assert [error for _, reader in seen for error in reader.errors] == []
    for kind, reader in seen:
        assert reader.looks >= len(reader.newest)
        assert reader.newest == sorted(reader.newest)  # no reader goes back to an older copy
        assert (len(reader.newest) == 1) if kind == "notebook" else (len(reader.newest) >= LEAST_COPIES)
    assert runs >= LEAST_RUNS
    with duckdb.connect(path, read_only=True) as connection:
        last = Seen()
        last.look(connection)
    assert (last.newest, last.errors) == ([runs], [])
    assert {file.name for file in path.parent.iterdir()} == {"quietdiff.duckdb", "quietdiff.json"}


def test_in_one_process_a_new_connection_shares_the_copy_of_one_that_is_still_open(warehouse: Warehouse) -> None:
    commit_and_publish(warehouse, 1)
    path, seen = warehouse.published.path, Seen()
    with duckdb.connect(path, read_only=True) as first:
        commit_and_publish(warehouse, 2)
        with duckdb.connect(path, read_only=True) as second:
            seen.look(second)
        seen.look(first)
    with duckdb.connect(path, read_only=True) as third:
        seen.look(third)
    assert (seen.newest, seen.errors) == ([1, 2], [])


def seen_beside(path: Path) -> list[int]:
    """What a fresh reader sees of a copy that holds nothing of the tool's."""
    seen = Seen()
    with duckdb.connect(path, read_only=True) as connection:
        seen.look(connection)
        assert connection.execute("FROM duckdb_tables() WHERE table_name = 'mine'").fetchall() == []
    assert seen.errors == []
    return seen.newest


def test_a_tool_that_opens_the_copy_for_writing_stops_no_run_and_leaves_nothing_in_the_next(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path, wait_s=0, command="a run")
    commit_and_publish(warehouse, 1)
    path = warehouse.published.path
    path.chmod(0o644)  # as good as being root
    code = "import duckdb, os, sys; c = duckdb.connect(sys.argv[1]); c.execute('CREATE TABLE mine AS SELECT 1'); "
    held = subprocess.Popen(
        [sys.executable, "-c", code + "print('held', flush=True); input(); os._exit(0)", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert held.stdout is not None
    assert held.stdout.readline() == "held\n"
    try:
        assert path.with_name("quietdiff.duckdb.wal").exists()
        commit_and_publish(warehouse, 2)
        assert seen_beside(path) == [2]
        held.communicate("\n", timeout=60)
        assert seen_beside(path) == [2]
    finally:
        held.kill()
