"""A real page history through the real Dagster job, held against `replay`.

Usage: python -m benchmarks.history_run FILE...      (saved versions of one page, in order)

A loopback server serves the first version, then the next, and so on; each is visited by a run of the job `watch`, one
simulated hour apart, with confirmation switched off, as `replay` has none. Printed: a line for each version, with the
kind the job gave and the kind `replay` gives; the exit status is 1 if they differ anywhere.
"""

import http.server
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg

from assets.definitions import defs
from assets.defs.partitions import partition_key
from assets.defs.resources import ClockResource, build_resources
from assets.home import open_instance
from assets.registration import register_partitions
from pipeline.config import load_project
from pipeline.engine import History
from pipeline.model import SiteDay
from pipeline.warehouse import Published

SITE = "history"
START = datetime.combine(datetime.now(UTC).date() - timedelta(days=30), datetime.min.time(), UTC)


@contextmanager
def stepping_server(versions: Sequence[bytes]) -> Iterator[tuple[str, list[int]]]:
    """Serve one of the versions; the list holds its index and may be changed."""
    index = [0]

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = versions[index[0]]
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/page", index
        server.shutdown()


def run_job(root: Path, versions: Sequence[bytes]) -> list[tuple[str | None, str]]:
    """(kind, reason) of each version, as the view `visit_results` has them after a run of the job for each."""
    job = defs().resolve_job_def("watch")
    with stepping_server(versions) as (url, index):
        (root / "sites").mkdir()
        (root / "sites" / f"{SITE}.yaml").write_text(
            f"every: 1h\nconfirm: false\npages: [{{name: page, url: '{url}'}}]\n"
        )
        host = url.removeprefix("http://").partition("/")[0]
        (root / "quietdiff.yaml").write_text(f"fetch: {{delay: 0s, allow_private: ['{host}']}}\n")
        (root / "dagster").mkdir()
        (root / "dagster" / "dagster.yaml").write_text("telemetry: {enabled: false}\n")
        with open_instance(root / "dagster") as instance:
            register_partitions(instance, load_project(root))
            for index[0] in range(len(versions)):
                _visit(job, instance, root, START + timedelta(hours=index[0]))
    query = "SELECT kind, kind_reason FROM visit_results ORDER BY visit_no"
    return [(row["kind"], row["kind_reason"]) for row in Published(root / "data").query(query).to_pylist()]


def _visit(job: dg.JobDefinition, instance: dg.DagsterInstance, root: Path, moment: datetime) -> None:
    result = job.execute_in_process(
        instance=instance,
        partition_key=partition_key(SiteDay(site=SITE, day=moment.date())),
        resources=build_resources(root, root / "data", ClockResource(fixed_at=moment.isoformat())),
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
    )
    if not result.success:
        raise SystemExit("the run failed")


def replayed(url: str, versions: Sequence[bytes]) -> list[tuple[str | None, str]]:
    """The same from `replay`."""
    history = History(url=url)
    judged = (history.visit(body, content_type="text/html") for body in versions)
    return [(str(j.kind) if j.kind else None, str(j.kind_reason)) for j in judged]


def main(files: Sequence[str]) -> int:
    """Run both and print a line for each version."""
    versions = [Path(name).read_bytes() for name in files]
    with tempfile.TemporaryDirectory() as folder:
        real = run_job(Path(folder), versions)
    expected = replayed("http://127.0.0.1/page", versions)
    for name, ours, theirs in zip(files, real, expected, strict=True):
        print("same  " if ours == theirs else "DIFFER", f"job {ours!s:<28} replay {theirs!s:<28} {Path(name).name}")
    return int([kind for kind, _ in real] != [kind for kind, _ in expected])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
