"""Peak memory of many pages through extract, normalize, fingerprint and classify.

Usage: python -m benchmarks.memory [PAGES] [BYTES_A_PAGE]      (default 10000 60000)

Bodies are stored first, in a process of their own, as a fetch would leave them; then the four stages run and the
peak resident memory of their process is printed, with CPU seconds by stage.
"""

import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.pages import made_up_page
from pipeline.clock import SteppedClock
from pipeline.config import load_project
from pipeline.engine import build_engine, classify, extract, fetch, fingerprint, normalize
from pipeline.model import Fetched, Outcome, SiteDay, Target

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


class MadeUp:
    """Serves made-up pages without a network."""

    def __init__(self, clock: SteppedClock, size: int, version: int) -> None:
        self._clock, self._size, self._version = clock, size, version

    def fetch_all(self, targets: Sequence[Target], done: Callable[[Target, Fetched], None]) -> None:
        """Answer every target at once."""
        for target in targets:
            body = made_up_page(target.page_id, self._version, self._size)
            now = self._clock.now()
            done(
                target,
                Fetched(started_at=now, outcome=Outcome.OK, http_status=200, body=body, content_type="text/html"),
            )


def run(root: Path, size: int, version: int, *, fetching: bool) -> None:
    """One process: either store the bodies of a version, or take them through the four stages."""
    clock = SteppedClock(START + version * timedelta(hours=7))
    engine = build_engine(
        load_project(root),
        clock=clock,
        environ={},
        run_id="benchmark",
        command="benchmark",
        fetcher=MadeUp(clock, size, version),
    )
    part = [SiteDay(site="many", day=clock.now().date())]
    if fetching:
        fetch(engine, part)
        return
    for stage in (extract, normalize, fingerprint, classify):
        begun = time.process_time()
        report = stage(engine, part)
        print(f"  {stage.__name__:<12} {time.process_time() - begun:7.1f} s CPU  {dict(report.counts)}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  peak resident memory {peak:.0f} MB")


def main(pages: int = 10_000, size: int = 60_000) -> None:
    """Run both versions, each step in a process of its own, so that peaks do not mix."""
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "sites").mkdir()
        lines = [f"  - {{name: p{n}, url: 'https://many.example/{n}', page_type: text}}\n" for n in range(pages)]
        (root / "sites" / "many.yaml").write_text("every: 6h\npages:\n" + "".join(lines))
        for version in (0, 1):
            print(f"version {version}: {pages:,} pages of {size:,} bytes")
            for fetching in (True, False):
                step = spawn.Process(target=run, args=(root, size, version), kwargs={"fetching": fetching})
                step.start()
                step.join()
                if step.exitcode:
                    sys.exit(step.exitcode)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
