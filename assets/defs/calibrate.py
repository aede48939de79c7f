"""Calibration: an asset of every site, its job, and the schedule that starts it for new pages."""

from collections.abc import Sequence

import dagster as dg
from pydantic import Field

from assets.defs.partitions import sites
from assets.defs.resources import EngineResource
from assets.defs.schedules import BUSY_WAIT_S, UNFINISHED
from assets.plots import noise_floor as draw
from assets.registration import register_partitions
from assets.stages import Metadata, table
from pipeline.blobs import BlobStore
from pipeline.engine import AUTO, FETCHES, FEWEST, MOST, Engine, Fitted, promises, uncalibrated
from pipeline.engine import calibrate as calibrate_pages
from pipeline.errors import StoreBusyError
from pipeline.warehouse import Published

GROUP = "calibration"

VERSION = "1"

FOR_NEW_PAGES = "quietdiff/new_pages"
"""Tag of runs that no person started: they apply nothing that would make a page less watched."""

PICTURES = 3
"""Page types, and pages, of which a picture is stored with a run: some 15 KB each in Dagster's database."""


class CalibrateConfig(dg.Config):
    """What to calibrate."""

    pages: list[str] = Field(default_factory=list, description="Names of pages of the site; none: all of them.")
    fetches: int = Field(default=FETCHES, ge=FEWEST, le=MOST, description="How often each page is fetched in a row.")


@dg.asset(partitions_def=sites, group_name=GROUP, kinds={"http", "duckdb"}, code_version=VERSION)
def noise_floor(
    context: dg.AssetExecutionContext, config: CalibrateConfig, engine: EngineResource
) -> dg.MaterializeResult:
    """How far each page of a site moves when nothing happens to it, and the thresholds that follow.

    Fetches pages a few times in a row at the pace their host allows, teaches their ledgers, fits `noise_bits` and
    `drift_bits` for the page and for its site and type.
    """
    running, site = engine.get("calibrate"), context.partition_key
    names = config.pages or [page.name for page in running.project.site(site).pages]
    by = AUTO if FOR_NEW_PAGES in context.run.tags else "Dagster UI"
    reports, fitted = calibrate_pages(
        running,
        site,
        names,
        fetches=config.fetches,
        by=by,
        progress=lambda what, done, total: context.log.info("%s: step %d of %d", what, done, total),
    )
    fetched = sum(report.counts.total() for report in reports)
    return dg.MaterializeResult(metadata=_metadata(running, site, names, fitted) | {"fetches": fetched})


def _metadata(engine: Engine, site: str, names: Sequence[str], fitted: Sequence[Fitted]) -> Metadata:
    kept = promises(Published(engine.project.data), BlobStore(engine.project.data), site)
    rows = [
        {
            "page": each.page or f"all of type {each.calibration.page_type}",
            "distances": ", ".join(map(str, each.distances)) or "-",
            "noise bits": each.calibration.noise_bits,
            "drift bits": each.calibration.drift_bits,
            "before": each.before.noise_bits if each.before else "-",
            "state": "in force" if each.applied else "proposed: it would make the page less watched",
        }
        for each in fitted
    ]
    said = [f"**{each.page}**: {each.watched} {each.threshold_words}" for each in kept if each.page in names]
    told: Metadata = {
        "thresholds": table(rows, ("page", "distances", "noise bits", "drift bits", "before", "state")),
        "what is watched": dg.MetadataValue.md("\n\n".join(said) or "No page answered."),
        "thresholds fitted": len(fitted),
        "proposed only": sum(not each.applied for each in fitted),
    }
    return told | _pictures(fitted)


def _pictures(fitted: Sequence[Fitted]) -> Metadata:
    """The noise floor of the page types of the site, and of its pages, that move most."""
    loudest = sorted(fitted, key=lambda each: (-(each.calibration.max_seen_bits or 0), -each.calibration.noise_bits))
    types = [each for each in loudest if each.page is None]
    pages = [each for each in loudest if each.page is not None]
    shown = [*types[:PICTURES], *pages[:PICTURES]]
    pictures: Metadata = {
        f"noise floor: {each.page or f'type {each.calibration.page_type}'}": draw(each.calibration, page=each.page)
        for each in shown
    }
    return pictures


calibrate = dg.define_asset_job(
    "calibrate",
    selection=dg.AssetSelection.assets(noise_floor),
    executor_def=dg.in_process_executor,
    description="Fetch the pages of a site a few times in a row, learn what is noise there, and fit thresholds to it.",
)


@dg.schedule(
    job=calibrate,
    cron_schedule="1-59/4 * * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
)
def new_pages(context: dg.ScheduleEvaluationContext, engine: EngineResource) -> list[dg.RunRequest] | dg.SkipReason:
    """Calibrates pages that were visited and never calibrated, one run a site; what failed is tried daily."""
    running = engine.get("schedule new_pages", wait_s=BUSY_WAIT_S)
    try:
        found = uncalibrated(running)
    except StoreBusyError as error:
        return dg.SkipReason(str(error))
    register_partitions(context.instance, running.project)
    unfinished = context.instance.get_runs(filters=dg.RunsFilter(job_name=calibrate.name, statuses=UNFINISHED))
    taken = {run.tags.get("dagster/partition") for run in unfinished}
    tick = context.scheduled_execution_time.isoformat()
    requests = [
        dg.RunRequest(
            run_key=f"{site}|{tick}",
            partition_key=site,
            run_config=dg.RunConfig(ops={"noise_floor": CalibrateConfig(pages=pages)}),
            tags={FOR_NEW_PAGES: "yes", "quietdiff/site": site},
        )
        for site, pages in sorted(found.items())
        if site not in taken
    ]
    return requests or dg.SkipReason("every visited page is calibrated, or a run for it is under way")
