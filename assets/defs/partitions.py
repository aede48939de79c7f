"""How the work is cut: one partition is a site on one UTC day."""

from datetime import UTC, date, datetime, timedelta
from typing import cast

import dagster as dg

from pipeline.model import SiteDay

KEPT_DAYS = 400
"""Days a partition stays on show. With some 250 sites this is the 100,000 partitions an asset that Dagster
advises at most."""

SITE_DIMENSION = "site"
"""Name of the dynamic partitions, of the dimension, and so of the tag `dagster/partition/site`."""

sites = dg.DynamicPartitionsDefinition(name=SITE_DIMENSION)

# The first day rolls: it is 400 days before the day the code location was loaded. A fixed first day would let the
# number of partitions grow for ever, and with it every page of the UI. Older materializations stay stored.
# `end_offset=1`: Dagster's last daily partition is yesterday's, and we work on today's.
days = dg.DailyPartitionsDefinition(
    start_date=(datetime.now(UTC) - timedelta(days=KEPT_DAYS)).strftime("%Y-%m-%d"), end_offset=1, timezone="UTC"
)

site_day_partitions = dg.MultiPartitionsDefinition({SITE_DIMENSION: sites, "day": days})


def partition_key(part: SiteDay) -> dg.MultiPartitionKey:
    """The key of a partition; as text it is `<day>|<site>`."""
    return dg.MultiPartitionKey({SITE_DIMENSION: part.site, "day": part.day.isoformat()})


def site_days(context: dg.AssetExecutionContext) -> list[SiteDay]:
    """The partitions being run, as the engine knows them: one, or those of a range.

    `context.partition_keys` holds both, but works a single key out of its range by some 20 ms of queries each time.
    """
    found = context.partition_keys if context.has_partition_key_range else [context.partition_key]
    keys = [cast("dg.MultiPartitionKey", key).keys_by_dimension for key in found]
    return [SiteDay(site=key[SITE_DIMENSION], day=date.fromisoformat(key["day"])) for key in keys]
