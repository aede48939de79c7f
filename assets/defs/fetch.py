"""The asset `fetch`."""

import dagster as dg

from assets.defs.partitions import site_days
from assets.defs.resources import EngineResource
from assets.stages import materialized, stage_asset
from pipeline.engine import fetch as fetch_pages
from pipeline.model import Outcome

VERSION = 1

ANSWERED = dg.AssetCheckSpec(
    "something_answered", asset="fetch", description="Of the pages that were due, at least one answered."
)


@stage_asset(after=None, kinds={"http", "duckdb"}, version=VERSION, checks=[ANSWERED])
def fetch(context: dg.AssetExecutionContext, engine: EngineResource) -> dg.MaterializeResult:
    """Visits of a site on a UTC day: one row each attempt to fetch a page, with how it ended; and the bodies.

    A run visits the pages that are due and appends. For a day that is over nothing is fetched: what is stored stands.
    """
    backfill = "dagster/backfill" in context.run.tags
    report = fetch_pages(engine.get("fetch"), site_days(context), backfill=backfill)
    visits = report.counts.total()
    check = dg.AssetCheckResult(
        check_name=ANSWERED.name,
        passed=report.answered > 0 or visits == 0,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"visits": visits, "answered": report.answered},
    )
    return materialized(context, report, rows=visits, always=[*Outcome, "unchanged"], checks=[check])
