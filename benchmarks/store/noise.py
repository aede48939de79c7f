"""Visits that showed only noise, through the real stages."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from benchmarks.pages import made_up_page
from benchmarks.store.history import EVERY
from pipeline.clock import SteppedClock
from pipeline.engine import Engine, classify, extract, fetch, fingerprint, normalize, route
from pipeline.model import Fetched, Outcome, SiteDay, Target

__all__ = ["NoisyPages", "visit_noisy"]

_NAMES = ("Anna", "Bruno", "Clara", "David", "Elena", "Felix", "Greta", "Hanno", "Ines", "Jonas", "Kira")


class NoisyPages:
    """Serves pages that differ at each visit, and only where noise is: a banner, links to other articles, a counter."""

    def __init__(self, clock: SteppedClock, size: int) -> None:
        self._clock, self._size = clock, size
        self.version = 0

    def fetch_all(self, targets: Sequence[Target], done: Callable[[Target, Fetched], None]) -> None:
        """Answer every target at once."""
        for target in targets:
            body = made_up_page(target.page_id, 0, self._size).replace(b"<footer>", self._noise(target.page_id))
            done(
                target,
                Fetched(
                    started_at=self._clock.now(), outcome=Outcome.OK, http_status=200, body=body, duration_ms=80,
                    wire_bytes=len(body) // 5, content_type="text/html; charset=utf-8",
                    headers={"cache-control": "max-age=60", "server": "nginx"},
                ),
            )  # fmt: skip

    def _noise(self, page_id: int) -> bytes:
        n = page_id * 31 + self.version * 7
        links = "".join(f"<li>{_name(n + k)} tells how {_name(n * k + 3)} won, part {n + k}</li>" for k in range(4))
        banner = f"<p>Try the new box of {_name(n * 5)} and save {n % 60} in every week</p>"
        return f"<footer>{banner}<ul>{links}</ul><p>Served in {n % 997} ms to {_name(n + 9)}</p>".encode()


def _name(number: int) -> str:
    return f"{_NAMES[number % 11]} {_NAMES[number // 11 % 11]}"


def visit_noisy(engine: Engine, clock: SteppedClock, pages: NoisyPages, rounds: int) -> None:
    """Take every page through the six stages that many times."""
    for _ in range(rounds):
        clock.advance(EVERY + timedelta(minutes=1))
        pages.version += 1
        for site in engine.project.sites:
            part = [SiteDay(site=site, day=clock.now().date())]
            for stage in (fetch, extract, normalize, fingerprint, classify, route):
                stage(engine, part)
