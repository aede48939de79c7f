"""Two `watch` runs at once, each a process of its own as Dagster launches them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread

import pytest

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


PAGES = ("anvil", "fixed", "echo", "terms")


@pytest.fixture
def meeting() -> Iterator[str]:
    """Address of a server that answers a request only while another one waits too; alone it is an error."""
    both = Barrier(2, timeout=60)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            try:
                both.wait()
            except BrokenBarrierError:
                self.send_error(503)
                return
            body = f"<p>{self.path} met another.</p>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_two_runs_that_fetch_at_the_same_time_both_land_with_all_their_rows(
    deployment: Deployment, meeting: str
) -> None:
    for site in ("a", "b"):
        deployment.write_site(site, *PAGES, f"meeting={meeting}/{site}")
    deployment.allow(meeting)
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
    visits = deployment.query("SELECT site, page_name, kind_reason, effective_outcome FROM visit_results ORDER BY ALL")
    assert [tuple(row.values()) for row in visits] == [
        (site, page, "first", "ok") for site in ("a", "b") for page in sorted((*PAGES, "meeting"))
    ]
    for table in ("judgements", "fingerprints"):
        rows = deployment.query(f"SELECT site, count(*) AS n FROM {table} GROUP BY site ORDER BY site")
        assert rows == [{"site": "a", "n": 5}, {"site": "b", "n": 5}], table
    commits = deployment.query("SELECT commit_no, site, run_id FROM commits ORDER BY commit_no")
    assert [row["commit_no"] for row in commits] == list(range(1, len(commits) + 1))
    by_site = {site: {row["run_id"] for row in commits if row["site"] == site} for site in ("a", "b")}
    assert [len(ids) for ids in by_site.values()] == [1, 1]
    assert by_site["a"] != by_site["b"]


def test_two_runs_of_one_partition_at_the_same_time_do_everything_once(deployment: Deployment) -> None:
    deployment.write_site("a", *PAGES)
    home = prepare_home(SOURCE, deployment.data)
    with open_instance(home) as instance:
        register_partitions(instance, deployment.project())
    key = f"{SystemClock().now().date().isoformat()}|a"
    runs = [_launch(deployment.root, home, key) for _ in range(2)]
    for run in runs:
        assert run.stdout is not None
        assert run.stdout.readline() == "loaded\n"
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("\n")
        run.stdin.flush()
    outputs = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    visits = deployment.query("SELECT page_name, visit_no, kind_reason FROM visit_results ORDER BY ALL")
    assert [tuple(row.values()) for row in visits] == [(page, 1, "first") for page in sorted(PAGES)]
    assert deployment.query("SELECT count(*) AS n FROM judgements") == [{"n": len(PAGES)}]


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
