"""The asset `extract`."""

import dagster as dg

from assets.defs.partitions import site_days
from assets.defs.resources import EngineResource
from assets.stages import materialized, stage_asset
from pipeline.engine import extract as extract_bodies
from pipeline.extract import EXTRACTOR_VERSION

STORED = dg.AssetCheckSpec(
    "bodies_are_stored", asset="extract", description="The body of every visit to be read is still in the blob store."
)


@stage_asset(after="fetch", kinds={"html", "duckdb"}, version=EXTRACTOR_VERSION, checks=[STORED])
def extract(context: dg.AssetExecutionContext, engine: EngineResource) -> dg.MaterializeResult:
    """Fields and visible text of each new body; one reading a visit, with its text as blocks in the blob store.

    A reading is work in progress: classify removes it when it stores the judgement.
    """
    report = extract_bodies(engine.get("extract"), site_days(context))
    gone = report.counts["snapshot_gone"]
    check = dg.AssetCheckResult(
        check_name=STORED.name, passed=gone == 0, severity=dg.AssetCheckSeverity.WARN, metadata={"gone": gone}
    )
    return materialized(context, report, rows=report.counts["read"], always=["read"], checks=[check])
