"""CPU of one `watch` run over one site with many small pages on this machine, above importing `assets.definitions`.

Usage: python -m benchmarks.watch_run [PAGES] [BYTES_A_PAGE]      (default 50 8000)

Three runs through the real job, each in a process of its own as Dagster launches them, over one SQLite instance that
is there already: the first visit, one on which every page has changed, and one on which none has. The pages are
served by another process, whose CPU does not count.
"""
# ruff: noqa: PLC0415  (what a run imports beyond the definitions is part of its cost, so imports stand inside)

import multiprocessing
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.pages import made_up_page

SPAWN = multiprocessing.get_context("spawn")

RUNS = (("first visit", 0), ("every page changed", 1), ("no page changed", 1))
"""What a run finds, and the version of the pages that is served to it."""


class Handler(BaseHTTPRequestHandler):
    """Answers a path that ends in a page's number with that page in the version served now."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    version = 0

    def __init__(self, size: int, *args: object) -> None:
        self.size = size
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """One page."""
        body = made_up_page(int(self.path.rsplit("/", 1)[-1]), Handler.version, self.size)
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


def serve(pipe: Connection, size: int) -> None:
    """In another process: say the port, then serve the version the pipe asks for, until it asks for none."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, size))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pipe.send(server.server_port)
    while (version := pipe.recv()) is not None:
        Handler.version = version
        pipe.send(version)


def prepare(root: Path) -> None:
    """In a process of its own: make the instance and register the site."""
    from assets.home import SOURCE, open_instance, prepare_home
    from assets.registration import register_partitions
    from pipeline.config import load_project

    with open_instance(prepare_home(SOURCE, root / "data")) as instance:
        register_partitions(instance, load_project(root))


def run(pipe: Connection, root: Path, moment: datetime) -> None:
    """In a process of its own: one run; sends CPU seconds by part."""
    import assets.definitions

    parts: list[tuple[str, float]] = []
    begun = last = time.process_time()

    def done(part: str) -> None:
        nonlocal last
        now = time.process_time()
        parts.append((part, now - last))
        last = now

    job = assets.definitions.defs().resolve_job_def("watch")
    done("load definitions")
    from assets.defs.partitions import partition_key
    from assets.defs.resources import ClockResource, build_resources
    from assets.home import open_instance
    from pipeline.model import SiteDay

    with open_instance(root / "data" / "dagster") as instance:
        done("open instance")
        result = job.execute_in_process(
            instance=instance,
            partition_key=partition_key(SiteDay(site="many", day=moment.date())),
            resources=build_resources(root, root / "data", ClockResource(fixed_at=moment.isoformat())),
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        )
        done("run")
    steps = [
        (event.step_key, event.event_specific_data.duration_ms / 1000) for event in result.get_step_success_events()
    ]
    pipe.send((time.process_time() - begun, parts, steps))


def main(pages: int = 50, size: int = 8_000) -> None:
    """Print CPU seconds of each run and its parts, and how long its steps took by the wall clock."""
    with _served(size) as (port, show), tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _write_project(root, pages, port)
        _in_process(prepare, root)
        for number, (name, version) in enumerate(RUNS):
            show(version)
            here, there = SPAWN.Pipe()
            _in_process(run, there, root, datetime.now(UTC) - timedelta(days=len(RUNS) - number))
            spent, parts, steps = here.recv()
            print(f"{name:<20} {spent:5.2f} s CPU above importing assets.definitions")
            print("   CPU: " + ", ".join(f"{part} {seconds:.2f}" for part, seconds in parts))
            print("  wall: " + ", ".join(f"{step} {seconds:.2f}" for step, seconds in steps))


@contextmanager
def _served(size: int) -> Iterator[tuple[int, object]]:
    here, there = SPAWN.Pipe()
    server = SPAWN.Process(target=serve, args=(there, size))
    server.start()

    def show(version: int | None) -> None:
        here.send(version)
        if version is not None:
            here.recv()

    try:
        yield here.recv(), show
    finally:
        show(None)
        server.join()


def _in_process(work: object, *args: object) -> None:
    process = SPAWN.Process(target=work, args=args)
    process.start()
    process.join()


def _write_project(root: Path, pages: int, port: int) -> None:
    (root / "sites").mkdir()
    page = "  - {{name: p{0}, url: 'http://127.0.0.1:{1}/{0}', page_type: text, confirm: false}}\n"
    lines = [page.format(number, port) for number in range(pages)]
    (root / "sites" / "many.yaml").write_text("every: 6h\npages:\n" + "".join(lines), encoding="utf-8")
    (root / "quietdiff.yaml").write_text(
        f"fetch: {{delay: 0s, allow_private: ['127.0.0.1:{port}']}}\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
