"""The six stages in a row, for callers that need no orchestrator."""

from collections.abc import Collection, Sequence
from datetime import datetime

from pipeline.engine.base import Engine, StageReport, scope_rows
from pipeline.engine.fetching import fetch
from pipeline.engine.judging import classify
from pipeline.engine.reading import extract, fingerprint, normalize
from pipeline.engine.registry import register_sites
from pipeline.engine.routing import route
from pipeline.model import SiteDay

__all__ = ["due_sites", "next_due", "unjudged", "visit_now"]


def visit_now(engine: Engine, site: str, pages: Collection[str] = ()) -> list[StageReport]:
    """Visit pages of a site now, whatever is due, through every stage, and publish.

    Args:
        engine: The parts of the run.
        site: The site.
        pages: Names of its pages; none for all of them.
    """
    parts = [SiteDay(site=site, day=engine.clock.now().date())]
    reports = [fetch(engine, parts, manual=pages)]
    reports += [stage(engine, parts) for stage in (extract, normalize, fingerprint, classify, route)]
    engine.warehouse.publish(engine.clock.now(), force=True)
    return reports


def due_sites(engine: Engine) -> list[str]:
    """Sites with a page due that no run holds, the longest due first.

    A site whose file is malformed is left out until it is mended. Opens the database only briefly.
    """
    with engine.warehouse.session() as session:
        register_sites(engine, session)
        now = engine.clock.now()  # after registering: a page that is new is due at once
        due = [row["site"] for row in session.rows("select_due_sites", now=now)]
    return [site for site in due if site in engine.project.sites]


def next_due(engine: Engine) -> datetime | None:
    """When the next page of any site falls due; None if there is none."""
    with engine.warehouse.session() as session:
        moment: datetime | None = session.one("select_next_due")["next_due_at"]
        return moment


def unjudged(engine: Engine, parts: Sequence[SiteDay]) -> int:
    """Readings of these partitions that classify has not judged."""
    with engine.warehouse.session() as session:
        [row] = session.rows("count_readings", batch=scope_rows(parts))
        return int(row["reading_count"])
