"""What the six assets have in common: how they are declared, and how they report."""

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import dagster as dg

from assets.defs.partitions import site_day_partitions
from pipeline.engine import StageReport

GROUP = "watch"

Body = Callable[..., dg.MaterializeResult]
Metadata = dict[str, dg.MetadataValue | int | str]


def stage_asset(
    *,
    after: str | None,
    kinds: set[str],
    version: int,
    checks: Iterable[dg.AssetCheckSpec] = (),
) -> Callable[[Body], dg.AssetsDefinition]:
    """Declare a stage as an asset named like the function, of every site on every day.

    Data passes through the database and the blob store, order through `after`. All six share one backfill policy,
    because a job that mixes policies takes the smallest.

    Args:
        after: Name of the stage before it.
        kinds: What the UI shows it to be made of.
        version: Raised by hand when its output can differ; the UI then calls older partitions outdated.
        checks: What must hold of the partition after each run.
    """

    def declare(body: Body) -> dg.AssetsDefinition:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dg.BetaWarning)  # `backfill_policy` is beta, and stays for want of another
            return dg.asset(
                deps=[after] if after else [],
                partitions_def=site_day_partitions,
                backfill_policy=dg.BackfillPolicy.single_run(),
                group_name=GROUP,
                kinds=kinds,
                code_version=str(version),
                check_specs=list(checks),
            )(body)

    return declare


def materialized(
    context: dg.AssetExecutionContext,
    report: StageReport,
    *,
    rows: int,
    always: Collection[str] = (),
    extra: Mapping[str, dg.MetadataValue] | None = None,
    checks: Iterable[dg.AssetCheckResult] = (),
) -> dg.MaterializeResult:
    """The result of a stage with what it did as metadata.

    A run over several partitions copies its metadata to every one of them, so it says one short line only.

    Args:
        context: The step's context.
        report: What the stage did.
        rows: Rows it wrote.
        always: Counts to show even when they are zero, so that plots have no holes.
        extra: What people would rather look at, for a run of one partition.
        checks: Results of the asset's checks.
    """
    # Plain words: Dagster cannot store the members of an enum that is not its own.
    counts = {str(name): count for name, count in (dict.fromkeys(always, 0) | report.counts).items()}
    metadata: Metadata = {"dagster/partition_row_count": rows}
    if context.has_partition_key_range:
        summary = ", ".join(f"{name} {count}" for name, count in counts.items()) or "nothing to do"
        metadata = {"over the whole range": f"{len(context.partition_keys)} partitions: {summary}"}
    else:
        metadata |= counts | dict(extra or {})
    return dg.MaterializeResult(metadata=metadata, check_results=list(checks))


def table(rows: Iterable[Mapping[str, Any]], columns: Collection[str]) -> dg.MetadataValue:
    """Rows as a table in the UI; every value as text."""
    return dg.MetadataValue.table(
        records=[dg.TableRecord({column: str(row[column]) for column in columns}) for row in rows],
        schema=dg.TableSchema(columns=[dg.TableColumn(column, type="string") for column in columns]),
    )
