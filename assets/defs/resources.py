"""What runs are given: what time it is, the database, and the engine that works with both."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import dagster as dg
import duckdb
from dagster_duckdb import DuckDBResource
from pydantic import Field, PrivateAttr

from pipeline.clock import Clock, SteppedClock, SystemClock
from pipeline.config import Project, load_project
from pipeline.engine import Engine, build_engine
from pipeline.warehouse import Warehouse

DATABASE = "quietdiff.duckdb"


class ClockResource(dg.ConfigurableResource):
    """What a run calls now."""

    fixed_at: str | None = Field(
        default=None,
        description="ISO 8601 instant with its offset at which time stands; not given: the machine's clock.",
    )

    def get(self) -> Clock:
        """The clock itself."""
        return SystemClock() if self.fixed_at is None else SteppedClock(datetime.fromisoformat(self.fixed_at))


class WarehouseResource(DuckDBResource):
    """The database, behind its lock: nobody opens the live file otherwise."""

    wait_s: float = Field(default=60.0, description="Seconds to wait for another process that has the file open.")

    @property
    def data(self) -> Path:
        """The data folder the file lies in."""
        return Path(self.database).parent

    def get(self, *, command: str, wait_s: float | None = None) -> Warehouse:
        """The warehouse itself.

        Args:
            command: What this process is doing, shown to whoever waits for the file.
            wait_s: Another waiting time than the configured one.
        """
        return Warehouse(self.data, wait_s=self.wait_s if wait_s is None else wait_s, command=command)

    @contextmanager
    def get_connection(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The open database for the length of a `with` block, for code that brings its own SQL.

        Raises:
            StoreBusyError: Another process held it for longer than `wait_s`.
        """
        with self.get(command="dagster-duckdb connection").session() as session:
            yield session.connection


class EngineResource(dg.ConfigurableResource):
    """The engine of a run: the project as configured when the run began, its database, blobs and clock."""

    project_root: str = Field(description="Folder that holds `sites/` and `quietdiff.yaml`.")
    clock: ClockResource
    warehouse: WarehouseResource
    _project: Project | None = PrivateAttr(default=None)
    _run_id: str = PrivateAttr(default="dagster")

    def setup_for_execution(self, context: dg.InitResourceContext) -> None:
        """Read the project once, so that all steps of a run see the same."""
        self._project = load_project(Path(self.project_root), self.warehouse.data, os.environ)
        self._run_id = context.run.run_id if context.run else "dagster"  # `context.run_id` warns of itself

    @property
    def project(self) -> Project:
        """What is watched."""
        return self._project or load_project(Path(self.project_root), self.warehouse.data, os.environ)

    def get(self, task: str, *, wait_s: float | None = None) -> Engine:
        """The engine itself.

        Args:
            task: What the caller does, such as the stage; shown to whoever waits for the database.
            wait_s: Seconds to wait for the database, if not the configured ones.
        """
        warehouse = self.warehouse.get(command=f"Dagster: {task}, run {self._run_id[:8]}", wait_s=wait_s)
        # Secrets are looked up here, at run time: what a resource is configured with is stored in Dagster's database.
        return build_engine(
            self.project,
            clock=self.clock.get(),
            environ=os.environ,
            run_id=self._run_id,
            command=task,
            warehouse=warehouse,
        )


def build_resources(root: Path, data: Path, clock: ClockResource, *, wait_s: float = 60.0) -> dict[str, Any]:
    """The resources of one deployment, by the name assets ask for them.

    Args:
        root: The project's folder; absolute.
        data: The data folder; absolute.
        clock: What its runs call now.
        wait_s: Seconds to wait for another process that has the database open.
    """
    warehouse = WarehouseResource(database=str(data / DATABASE), wait_s=wait_s)
    engine = EngineResource(project_root=str(root), clock=clock, warehouse=warehouse)
    return {"clock": clock, "warehouse": warehouse, "engine": engine}


@dg.definitions
def resources() -> dg.Definitions:
    """The resources of this project.

    Its folder is `QUIETDIFF_PROJECT` or the current one, the data folder `QUIETDIFF_DATA` or `data`; a relative one
    counts from the project's.
    """
    root = Path(os.environ.get("QUIETDIFF_PROJECT") or ".").absolute()
    data = root / (os.environ.get("QUIETDIFF_DATA") or "data")
    return dg.Definitions(resources=build_resources(root, data, ClockResource()))
