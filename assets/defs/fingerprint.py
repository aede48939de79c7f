"""The asset `fingerprint`."""

import dagster as dg

from assets.defs.partitions import site_days
from assets.defs.resources import EngineResource
from assets.stages import materialized, stage_asset
from pipeline.engine import fingerprint as fingerprint_readings
from pipeline.fingerprint import FINGERPRINT_VERSION


@stage_asset(after="normalize", kinds={"simhash", "duckdb"}, version=FINGERPRINT_VERSION)
def fingerprint(context: dg.AssetExecutionContext, engine: EngineResource) -> dg.MaterializeResult:
    """Simhash, exact hash and block hashes of each normalised text; one row each time the text differs."""
    report = fingerprint_readings(engine.get("fingerprint"), site_days(context))
    always = ["fingerprinted", "text_changed"]
    return materialized(context, report, rows=report.counts["text_changed"], always=always)
