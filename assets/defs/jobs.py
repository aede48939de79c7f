"""What runs together."""

import dagster as dg

from assets.stages import GROUP

watch = dg.define_asset_job(
    "watch",
    selection=dg.AssetSelection.groups(GROUP),
    executor_def=dg.in_process_executor,
    description="Visit what is due of one site today, and judge it.",
)


@dg.definitions
def executor() -> dg.Definitions:
    """Runs started by hand or by a backfill work in one process too: a process a step costs four times the CPU."""
    return dg.Definitions(jobs=[watch], executor=dg.in_process_executor)
