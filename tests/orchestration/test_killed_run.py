"""A run that dies in the middle with its daemon: the next start says so, and the next run does what was left."""

import os
import signal
import subprocess
import sys

import dagster as dg
import pytest

from assets.home import SOURCE, open_instance, prepare_home
from assets.registration import register_partitions
from assets.up import _prepare
from pipeline.clock import SystemClock
from tests.orchestration.conftest import Deployment

DIES = """
import os, signal, sys
import dagster as dg
from assets.definitions import defs
from pipeline.steps import listen
key, point = sys.argv[1:]
job = defs().resolve_job_def("watch")
listen(lambda reached: os.kill(os.getpid(), signal.SIGKILL) if reached == point else None)
with dg.DagsterInstance.get() as instance:
    result = job.execute_in_process(instance=instance, partition_key=key)
sys.exit(not result.success)
"""

PAGES = ("anvil", "fixed", "echo", "terms")


@pytest.mark.parametrize("point", ["before commit fetch", "after commit extract", "before commit classify"])
def test_what_a_killed_run_left_is_freed_at_the_next_start_and_done_by_the_next_run(
    deployment: Deployment, point: str
) -> None:
    deployment.write_site("a", *PAGES)
    home = prepare_home(SOURCE, deployment.data)
    key = f"{SystemClock().now().date().isoformat()}|a"
    with open_instance(home) as instance:
        register_partitions(instance, deployment.project())
    environ = os.environ | {"DAGSTER_HOME": str(home), "QUIETDIFF_PROJECT": str(deployment.root)}
    died = subprocess.run([sys.executable, "-c", DIES, key, point], env=environ, cwd=SOURCE, check=False)
    assert died.returncode == -signal.SIGKILL

    told: list[str] = []
    _prepare(home, deployment.project(), told.append)
    assert "1 runs were under way when everything died; they are marked as failed" in told
    again = subprocess.run([sys.executable, "-c", DIES, key, "never"], env=environ, cwd=SOURCE, check=False)
    assert again.returncode == 0

    with open_instance(home) as instance:
        statuses = [run.status for run in instance.get_runs()]
    assert statuses == [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE]
    visits = deployment.query("SELECT page_name, visit_no, kind_reason FROM visit_results ORDER BY ALL")
    assert [tuple(row.values()) for row in visits] == [(page, 1, "first") for page in sorted(PAGES)]
