"""Putting an `Engine` together."""

from collections.abc import Mapping

from pipeline.blobs import BlobStore
from pipeline.clock import Clock
from pipeline.config import Project
from pipeline.engine.base import Engine
from pipeline.fetch import Fetcher, HttpFetcher
from pipeline.warehouse import Warehouse

__all__ = ["build_engine"]


def build_engine(
    project: Project,
    *,
    clock: Clock,
    environ: Mapping[str, str],
    run_id: str,
    command: str,
    fetcher: Fetcher | None = None,
    warehouse: Warehouse | None = None,
) -> Engine:
    """The engine of one run.

    Args:
        project: What is watched, and where data lies.
        clock: What the run calls now.
        environ: Where secrets named in the configuration are looked up.
        run_id: Dagster run id or `cli-<uuid>`.
        command: What this process is doing, shown to whoever waits for the database.
        fetcher: Another one than HTTP's, for tests.
        warehouse: Another one than the project's.
    """
    return Engine(
        project=project,
        warehouse=warehouse or Warehouse(project.data, command=command),
        blobs=BlobStore(project.data),
        clock=clock,
        fetcher=fetcher or HttpFetcher(project.settings.fetch, clock, environ),
        run_id=run_id,
    )
