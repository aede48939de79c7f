"""What every stage is given, and what it gives back."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from pipeline.blobs import BlobStore
from pipeline.clock import Clock
from pipeline.config import Page, Project
from pipeline.fetch import Fetcher
from pipeline.model import Outcome, SiteDay
from pipeline.warehouse import Warehouse

__all__ = ["CHUNK", "Engine", "StageReport", "chunks", "scope_rows", "span"]

CHUNK = 100
"""Visits a stage holds in memory and writes in one transaction. At 60 KB a page that is some 30 MB, and a
transaction of some 50 ms."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The parts a run works with.

    Attributes:
        run_id: Dagster run id or `cli-<uuid>`; names the holder of a lease, never part of a key.
    """

    project: Project
    warehouse: Warehouse
    blobs: BlobStore
    clock: Clock
    fetcher: Fetcher
    run_id: str

    def page(self, site: str, name: str) -> Page | None:
        """A page as configured; None when it left its site file, or the file is malformed now."""
        found = self.project.sites.get(site)
        return next((page for page in found.pages if page.name == name), None) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageReport:
    """What one stage did.

    Attributes:
        stage: Name of the stage.
        counts: Rows by kind of thing, such as `ok`, `blocked`, `field`.
        rows: Rows written.
        table: A few rows a person would like to see.
    """

    stage: str
    counts: Counter[str] = field(default_factory=Counter)
    rows: int = 0
    table: list[dict[str, Any]] = field(default_factory=list)

    @property
    def answered(self) -> int:
        """Of the visits that fetch counts, those that got the page or the word that it has not changed."""
        return sum(self.counts[name] for name in (Outcome.OK, Outcome.NOT_MODIFIED, "unchanged"))


def scope_rows(parts: Iterable[SiteDay]) -> list[dict[str, Any]]:
    """The work scope of partitions: each site up to its latest day.

    Earlier days are included, so that what a run that died left over is completed by the next, in visit order.
    """
    latest: dict[str, date] = {}
    for part in parts:
        latest[part.site] = max(part.day, latest.get(part.site, part.day))
    return [{"site": site, "day": day} for site, day in latest.items()]


def span(parts: Sequence[SiteDay]) -> tuple[str | None, date | None]:
    """Site and day of a commit: those of the one partition; None where there are several."""
    sites, days = {part.site for part in parts}, {part.day for part in parts}
    return (next(iter(sites)) if len(sites) == 1 else None, next(iter(days)) if len(days) == 1 else None)


def chunks(items: Sequence[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    """Cut a work list into pieces of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
