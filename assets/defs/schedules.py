"""When the work runs."""

import dagster as dg

from assets.defs.jobs import watch
from assets.defs.partitions import partition_key
from assets.defs.resources import EngineResource
from assets.registration import register_partitions
from pipeline.engine import due_sites
from pipeline.errors import StoreBusyError
from pipeline.model import SiteDay

BUSY_WAIT_S = 20.0
"""Dagster gives a tick 60 s; a database that is busy for longer than this is asked again at the next tick."""

SITE_TAG = "dagster/partition/site"

UNFINISHED = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


@dg.schedule(
    job=watch,
    cron_schedule="*/2 * * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
)
def due(context: dg.ScheduleEvaluationContext, engine: EngineResource) -> list[dg.RunRequest] | dg.SkipReason:
    """Runs `watch` for today for each site with a page due, unless a run of that site is waiting or under way.

    A site whose file is malformed is left out, and the others run. What a run committed while the copy for analysts was
    too young to be renewed is published first.
    """
    running = engine.get("schedule due", wait_s=BUSY_WAIT_S)
    try:
        running.warehouse.catch_up(running.clock.now())
        sites = due_sites(running)
    except StoreBusyError as error:
        return dg.SkipReason(str(error))
    register_partitions(context.instance, running.project)  # a new site and its first run in one tick
    unfinished = context.instance.get_runs(filters=dg.RunsFilter(statuses=UNFINISHED))
    taken = {run.tags.get(SITE_TAG) for run in unfinished}
    today = running.clock.now().date()
    tick = context.scheduled_execution_time.isoformat()
    requests = [
        # A key used before is skipped silently, so it holds the tick's time.
        dg.RunRequest(
            run_key=f"{site}|{tick}",
            partition_key=partition_key(SiteDay(site=site, day=today)),
            tags={"quietdiff/site": site},
        )
        for site in sites
        if site not in taken
    ]
    waiting = f"a run is waiting or under way: {', '.join(sites)}" if sites else "no page is due"
    return requests or dg.SkipReason(waiting)
