"""The asset `normalize`."""

import dagster as dg

from assets.defs.partitions import site_days
from assets.defs.resources import EngineResource
from assets.stages import materialized, stage_asset
from pipeline.engine import normalize as normalize_readings
from pipeline.normalize import NORMALIZER_VERSION


@stage_asset(after="extract", kinds={"text", "duckdb"}, version=NORMALIZER_VERSION)
def normalize(context: dg.AssetExecutionContext, engine: EngineResource) -> dg.MaterializeResult:
    """Each reading's blocks with what is volatile masked (ages, clocks, tokens, ids); one text a reading."""
    report = normalize_readings(engine.get("normalize"), site_days(context))
    return materialized(context, report, rows=report.counts["normalized"], always=["normalized"])
