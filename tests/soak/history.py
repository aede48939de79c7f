"""A small site whose pages change by a script, watched in rounds, each a process of its own."""

import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from pipeline.clock import SteppedClock
from pipeline.model import Outcome
from pipeline.steps import listen
from pipeline.warehouse import Warehouse
from pipeline.warehouse.session import read_high_water
from tests.engine.engine.conftest import START, FakeFetcher, World, html

ROUND, ATTEMPT = timedelta(hours=8), timedelta(minutes=20)
"""Rounds lie further apart than pages are due, attempts of one round further than a lease lasts."""

PAGES = ("steady", "noisy", "product", "terms", "flaky")


def answers(round_no: int) -> dict[str, Any]:
    """What each page says in a round. Changes lie two rounds apart, so that each is confirmed before the next."""
    price, stock = (("89.00", "InStock"), ("79.00", "OutOfStock"))[round_no // 2 % 2]
    offer = {"@type": "Offer", "price": price, "priceCurrency": "EUR", "availability": f"https://schema.org/{stock}"}
    data = json.dumps({"@context": "https://schema.org", "@type": "Product", "name": "Anvil", "offers": offer})
    days = (30, 14, 7)[round_no // 2 % 3]
    failed = (Outcome.FAILED, "http_500")
    return {
        "steady": html("<p>Nothing ever changes here.</p>"),
        "noisy": html(f"<p>Updated {round_no + 1} minutes ago</p>"),
        "product": html(f"<p>Only {price} now</p>", head=f"<script type=application/ld+json>{data}</script>"),
        "terms": html(f"<p>Goods may be returned within {days} days.</p>"),
        "flaky": failed if round_no % 2 else html("<p>The season has begun.</p>"),
    }


def world(root: Path, round_no: int, attempt: int) -> World:
    clock = SteppedClock(START + round_no * ROUND + attempt * ATTEMPT)
    made = World(root=root, clock=clock, fetcher=FakeFetcher(clock, answers(round_no), {"steady": '"1"'}))
    made.write(*PAGES)
    return made


def watch(root: Path, round_no: int, attempt: int, points: Path, kill_at: int | None) -> None:
    """One `watch` run with its publishing; notes the points it reaches, and may kill itself at one of them."""
    reached: list[str] = []

    def hear(point: str) -> None:
        if len(reached) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        reached.append(point)

    made = world(root, round_no, attempt)
    listen(hear)
    made.watch()
    made.engine().warehouse.publish(made.clock.now(), force=True)
    points.write_text(json.dumps(reached))


def look(root: Path, into: Path) -> None:
    """Write down what the tables hold that may not depend on when a run died; fails if they are not sound."""
    data = root / "data"
    mark = read_high_water(data / "quietdiff.duckdb")
    with Warehouse(data, command="soak").session() as session:
        db = session.connection

        def all_of(sql: str) -> list[tuple[Any, ...]]:
            table = db.execute(sql).to_arrow_table()
            return [tuple(row.values()) for row in table.to_pylist()]

        numbers = [row[0] for row in all_of("SELECT commit_no FROM commits ORDER BY 1")]
        assert numbers == list(range(1, len(numbers) + 1)), "commits are not dense"
        assert len(numbers) >= mark, f"{len(numbers)} commits, {mark} acknowledged"
        _check_keys(all_of)
        _check_blobs(data, all_of)
        found = {
            "judged": all_of(
                "SELECT page_name, coalesce(kind, effective_outcome) AS said, confirmation FROM visit_results "
                "WHERE kind IS DISTINCT FROM 'none' AND confirmation <> 'waiting' ORDER BY page_name, visit_no"
            ),
            "fields": all_of(
                "SELECT page_id, field_name, old_text, new_text FROM field_changes ORDER BY page_id, visit_no, field_name"
            ),
            "alerts": all_of("SELECT page_id, payload_json FROM alerts"),
            "review": all_of("SELECT page_id, cause FROM review_items ORDER BY page_id, visit_no"),
        }
    found["alerts"] = sorted([page, *(str(json.loads(text)[key]) for key in ALERTED)] for page, text in found["alerts"])
    into.write_text(json.dumps(found, default=str))


ALERTED = ("page", "field", "old", "new")

KEYS = {
    "visits": "page_id, visit_no",
    "judgements": "set_id, page_id, visit_no, commit_no",
    "fingerprints": "page_id, visit_no, rules_id",
    "readings": "page_id, visit_no, rules_id",
    "field_values": "page_id, visit_no, field_name, rules_id",
    "field_changes": "set_id, page_id, visit_no, field_name",
    "alerts": "alert_id",
    "review_items": "review_id",
    "blobs": "sha256",
    "page_state": "page_id",
    "pages": "page_id",
}


def _check_keys(all_of: Any) -> None:
    for table, key in KEYS.items():
        twice = all_of(f"SELECT {key} FROM {table} GROUP BY ALL HAVING count(*) > 1")
        assert not twice, f"{table} twice: {twice}"
    gaps = all_of("SELECT page_id FROM visits GROUP BY 1 HAVING max(visit_no) <> count(*)")
    assert not gaps, f"visits are not dense: {gaps}"


def _check_blobs(data: Path, all_of: Any) -> None:
    for (sha256,) in all_of("SELECT sha256 FROM blobs"):
        assert (data / "blobs" / sha256[:2] / f"{sha256[2:]}.zst").exists(), f"blob {sha256} is gone"


def look_at_copy(root: Path, acknowledged_before: int) -> None:
    """An analyst opens the published copy, whatever has just died: it is whole and holds no less than before."""
    published = Warehouse(root / "data").published
    [row] = published.query("SELECT count(*) AS n, max(commit_no) AS newest FROM commits").to_pylist()
    assert row["n"] == row["newest"] >= acknowledged_before, row
    published.query("SELECT * FROM changes")


def tally(points: Sequence[str]) -> Counter[str]:
    """Points by the kind of work, without the names of files."""
    return Counter(" ".join(point.split()[:2]) for point in points)
