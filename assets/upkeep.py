"""`quietdiff upkeep`: what the job of that name does, without Dagster running."""

from collections.abc import Callable, Mapping

from assets.home import open_instance, prepare_home
from assets.prune import prune
from pipeline.clock import Clock
from pipeline.config import Project
from pipeline.engine import build_engine
from pipeline.errors import QuietdiffError
from pipeline.upkeep import human_bytes, retain, sizes, vacuum

Tell = Callable[[str], None]


def run_upkeep(project: Project, *, environ: Mapping[str, str], clock: Clock, tell: Tell, complain: Tell) -> int:
    """Do both halves; one that cannot be done does not keep the other from it.

    Args:
        project: Whose data folder it is.
        environ: Where secrets are looked up.
        clock: What is now.
        tell: Told in a line what was freed.
        complain: Told in a line what could not be done.

    Returns:
        0, or 1 if a half could not be done.
    """
    status = 0
    for half in (_dagster, _store):
        try:
            tell(half(project, environ, clock))
        except QuietdiffError as error:
            complain(str(error))
            status = 1
    tell(str(sizes(project)))
    return status


def _dagster(project: Project, _environ: Mapping[str, str], clock: Clock) -> str:
    with open_instance(prepare_home(project.root, project.data)) as instance:
        pruned = prune(instance, now=clock.now())
    return (
        f"Dagster: {pruned.deleted + pruned.left_over} runs deleted, {pruned.trimmed} cut down, {pruned.kept} kept; "
        f"{human_bytes(max(pruned.freed, 0))} freed"
    )


def _store(project: Project, environ: Mapping[str, str], clock: Clock) -> str:
    engine = build_engine(project, clock=clock, environ=environ, run_id="upkeep", command="quietdiff upkeep")
    retained = retain(engine)
    vacuumed = vacuum(engine)
    freed = retained.freed + (vacuumed.before - vacuumed.after if vacuumed else 0)
    return f"database: {retained.blobs} blobs and {retained.orphans} files deleted; {human_bytes(max(freed, 0))} freed"
