"""Where "now" comes from. Everything that needs the time is given a `Clock`; nothing reads it by itself."""

from datetime import UTC, datetime, timedelta
from typing import Protocol

__all__ = ["DEMO_MARK", "Clock", "SteppedClock", "SystemClock"]

DEMO_MARK = "this-folder-is-emptied-by-quietdiff-demo"
"""An empty file in a data folder that a demo filled, by a clock of its own that now stands. Only a folder that has
the file is ever emptied."""


class Clock(Protocol):
    """Something that knows what time it is."""

    def now(self) -> datetime:
        """The current instant, aware and in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The current instant, aware and in UTC."""
        return datetime.now(UTC)


class SteppedClock:
    """A clock that stands until it is moved; lets weeks pass in seconds."""

    def __init__(self, start: datetime) -> None:
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """The instant it was last set to."""
        return self._now

    def set(self, moment: datetime) -> None:
        """Jump to an instant, forwards or backwards."""
        self._now = moment.astimezone(UTC)

    def advance(self, step: timedelta) -> None:
        """Move by a step, which may be negative."""
        self._now += step
