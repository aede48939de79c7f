"""The script as a whole: which day it is and what each path answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus

from pipeline.demo.index import index_page
from pipeline.demo.page import Load, Response, status_page
from pipeline.demo.pages import PAGES

__all__ = ["CYCLE_DAYS", "DemoScript"]

CYCLE_DAYS = 5
"""After so many days the script begins again: day 6 is day 1, with the first day's prices and texts."""


@dataclass(frozen=True, slots=True)
class DemoScript:
    """The demo site's behaviour over time. Knows no clock: every question names its instant.

    Attributes:
        start: The instant at which day 1 begins. Before it the script runs backwards: day 5, 4 ...
        day_length: Length of a scripted day; more than zero.
    """

    start: datetime
    day_length: timedelta = timedelta(days=1)

    def day(self, now: datetime) -> int:
        """Day of the script, 1..5."""
        return (now - self.start) // self.day_length % CYCLE_DAYS + 1

    def fraction(self, now: datetime) -> float:
        """How much of the day is over, 0 <= fraction < 1."""
        return (now - self.start) % self.day_length / self.day_length

    def moment(self, day: int, fraction: float) -> datetime:
        """The instant of a fraction of a day, counted from 1 on without end."""
        return self.start + self.day_length * (day - 1) + self.day_length * fraction

    def respond(self, path: str, now: datetime, headers: Mapping[str, str]) -> Response:
        """The answer to a GET of `/` (the index) or `/` and a page's name; any other path gives a 404.

        The request's headers have lower-case names.
        """
        load = Load(day=self.day(now), fraction=self.fraction(now), now=now, headers=headers)
        if path == "/":
            return index_page(PAGES, load, days=CYCLE_DAYS, left=self.day_length * (1 - load.fraction))
        for page in PAGES:
            if path == f"/{page.name}":
                return page.respond(load)
        return status_page(HTTPStatus.NOT_FOUND, "The demo site has no such page.")
