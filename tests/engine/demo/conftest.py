"""The demo site over loopback, on a clock that stands."""

from datetime import UTC, datetime

import httpx
import pytest

from pipeline.clock import SteppedClock
from pipeline.demo import DemoScript, serve

START = datetime(2026, 3, 2, tzinfo=UTC)


class Site:
    """A served demo site and a client to ask it."""

    def __init__(self, script: DemoScript, clock: SteppedClock, client: httpx.Client) -> None:
        self.script = script
        self.clock = clock
        self.client = client

    def get(self, page: str, day: int, fraction: float = 0.375, **headers: str) -> httpx.Response:
        """One page at a moment of the script."""
        self.clock.set(self.script.moment(day, fraction))
        return self.client.get(f"/{page}", headers={name.replace("_", "-"): text for name, text in headers.items()})


@pytest.fixture(scope="session")
def site():
    script, clock = DemoScript(START), SteppedClock(START)
    with serve(script, clock) as address, httpx.Client(base_url=address, trust_env=False) as client:
        yield Site(script, clock, client)
