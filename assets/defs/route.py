"""The asset `route`."""

import dagster as dg

from assets.defs.partitions import site_days
from assets.defs.resources import EngineResource
from assets.stages import materialized, stage_asset, table
from pipeline.engine import route as route_changes

VERSION = 1


@stage_asset(after="classify", kinds={"duckdb"}, version=VERSION)
def route(context: dg.AssetExecutionContext, engine: EngineResource) -> dg.MaterializeResult:
    """What became of each change: rows of the dataset (field changes), of the outbox (alerts) and of the review queue.

    Then the copy that analysts read is renewed, if its interval is over.
    """
    running = engine.get("route")
    report = route_changes(running, site_days(context))
    published = running.warehouse.publish(running.clock.now())
    newest = table(report.table, ("seen_at", "page_name", "kind", "what", "change_id"))
    return materialized(
        context,
        report,
        rows=report.counts.total(),
        always=("field_changes", "review_items", "alerts"),
        extra={"newest changes": newest, "published": dg.MetadataValue.bool(published)},
    )
