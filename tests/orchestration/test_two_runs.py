"""Two `watch` runs of different sites at once, each a process of its own as Dagster launches them: both land."""

import os
import subprocess
import sys
from pathlib import Path

from assets.home import SOURCE, open_instance, prepare_home
from assets.registration import register_partitions
from pipeline.clock import SystemClock
from tests.orchestration.conftest import Deployment

LAUNCH = """
import sys
import dagster as dg
from assets.definitions import defs
job = defs().resolve_job_def("watch")
with dg.DagsterInstance.get() as instance:
    print("loaded", flush=True)
    input()
    result = job.execute_in_process(instance=instance, partition_key=sys.argv[1])
sys.exit(not result.success)
"""


def test_both_land(deployment: Deployment) -> None:
    pages = ("anvil", "fixed", "echo", "terms")
    deployment.write_site("a", *pages)
    deployment.write_site("b", *pages)
    home = prepare_home(SOURCE, deployment.data)
    with open_instance(home) as instance:
        register_partitions(instance, deployment.project())
    today = SystemClock().now().date().isoformat()
    runs = [_launch(deployment.root, home, f"{today}|{site}") for site in ("a", "b")]
    for run in runs:
        assert run.stdout is not None
        assert run.stdout.readline() == "loaded\n"
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("\n")
        run.stdin.flush()

    outputs = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    visits = deployment.query("SELECT site, page_name, kind_reason FROM visit_results ORDER BY ALL")
    assert [(row["site"], row["page_name"], row["kind_reason"]) for row in visits] == [
        (site, page, "first") for site in ("a", "b") for page in sorted(pages)
    ]
    commits = deployment.query("SELECT commit_no FROM commits ORDER BY commit_no")
    assert [row["commit_no"] for row in commits] == list(range(1, len(commits) + 1))


def _launch(root: Path, home: Path, key: str) -> subprocess.Popen[str]:
    environ = os.environ | {"DAGSTER_HOME": str(home), "QUIETDIFF_PROJECT": str(root)}
    return subprocess.Popen(
        [sys.executable, "-c", LAUNCH, key],
        env=environ,
        cwd=SOURCE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
