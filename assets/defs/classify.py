"""The asset `classify`."""

import dagster as dg

from assets.defs.partitions import site_days
from assets.defs.resources import EngineResource
from assets.stages import materialized, stage_asset
from pipeline.classify import DETECTOR_VERSION
from pipeline.engine import classify as classify_visits
from pipeline.engine import unjudged
from pipeline.model import Kind

NOTHING_LEFT = dg.AssetCheckSpec(
    "nothing_left_unjudged", asset="classify", description="Every visit that was fingerprinted has its judgement."
)


@stage_asset(after="fingerprint", kinds={"duckdb"}, version=DETECTOR_VERSION, checks=[NOTHING_LEFT])
def classify(context: dg.AssetExecutionContext, engine: EngineResource) -> dg.MaterializeResult:
    """Judgements: what each visit showed against the page's reference (none, noise, content, field), and why.

    One row a visit with a new body. A visit whose bytes are equal needs none: it is `none` already.
    """
    running, parts = engine.get("classify"), site_days(context)
    report = classify_visits(running, parts)
    left = unjudged(running, parts)
    check = dg.AssetCheckResult(
        check_name=NOTHING_LEFT.name, passed=left == 0, severity=dg.AssetCheckSeverity.WARN, metadata={"left": left}
    )
    return materialized(context, report, rows=report.counts.total(), always=list(Kind), checks=[check])
