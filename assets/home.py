"""Where Dagster keeps its own state: a folder below the data folder, so that nothing appears in the root."""

import os
from pathlib import Path

import dagster as dg

from pipeline.errors import UsageError

SOURCE = Path(__file__).parent.parent
"""The folder that Quietdiff itself lies in, with `dagster.yaml` and, for `dg`, `pyproject.toml`."""

DAGSTER_YAML = "dagster.yaml"


def prepare_home(root: Path, data: Path) -> Path:
    """Make `<data>/dagster` the home of the project's instance: a folder with a link to the root's `dagster.yaml`.

    Dagster reads `dagster.yaml` only in its home, which must be an existing folder named by an absolute path. A root
    without that file has Quietdiff's own.

    Raises:
        UsageError: Quietdiff's own is not there either.
    """
    sources = [folder / DAGSTER_YAML for folder in (root, SOURCE)]
    source = next((path for path in sources if path.is_file()), None)
    if source is None:
        raise UsageError(f"{sources[0]}: not there; name the folder that holds it with --project")
    home = data / "dagster"
    home.mkdir(parents=True, exist_ok=True)
    link = home / DAGSTER_YAML
    target = Path(os.path.relpath(source.resolve(), home.resolve()))
    if not link.is_symlink() or link.readlink() != target:
        link.unlink(missing_ok=True)
        link.symlink_to(target)
    return home


def open_instance(home: Path) -> dg.DagsterInstance:
    """The instance whose home that is; to be used in a `with` block."""
    return dg.DagsterInstance.from_config(str(home))


def release_lost_runs(instance: dg.DagsterInstance) -> list[str]:
    """End the runs that were under way when the machine or all processes died; nothing else would for 15 minutes.

    Such a run stays STARTED and keeps its place, so that the next of its site waits. One that is still QUEUED has lost
    nothing: the next daemon launches it. To be called only while no daemon and no run is alive.

    Returns:
        The ids of those that were ended.
    """
    lost = [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]
    runs = instance.get_runs(filters=dg.RunsFilter(statuses=lost))
    for run in runs:
        instance.report_run_failed(run, "The processes died during this run.")
        instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
    return [run.run_id for run in runs]
