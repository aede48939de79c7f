"""A long history of visits, written as the stages write it but without fetching or reading anything."""

import hashlib
import json
import random
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.clock import SteppedClock
from pipeline.config import load_project
from pipeline.engine import Engine, build_engine, register_sites
from pipeline.engine.fetching import LEASE
from pipeline.fetch import Fetcher
from pipeline.model import Outcome, Purpose
from pipeline.warehouse import Session

__all__ = ["EVERY", "judged_run", "make_engine", "unchanged_run", "write_history"]

EVERY = timedelta(hours=6)

TURN = 200
"""Runs written in one turn at the database. A real run takes two turns; what the file weighs is nearly the same."""

Row = dict[str, Any]
Run = tuple[str, list[int], int, datetime]
"""(site, page ids, number of the visit, start)."""


def make_engine(root: Path, start: datetime, *, sites: int, pages: int, fetcher: Fetcher | None = None) -> Engine:
    """A new project with that many sites and pages of each, known to the database."""
    (root / "sites").mkdir(parents=True)
    (root / "quietdiff.yaml").write_text("fetch: {delay: 0s}\n", encoding="utf-8")
    for site in range(sites):
        lines = [f"  - {{name: p{n}, url: 'https://shop{site}.example/{n}', page_type: text}}\n" for n in range(pages)]
        text = f"every: {EVERY.seconds // 3600}h\npages:\n{''.join(lines)}"
        (root / "sites" / f"shop{site}.yaml").write_text(text, encoding="utf-8")
    engine = build_engine(
        load_project(root),
        clock=SteppedClock(start),
        environ={},
        run_id="benchmark",
        command="benchmark",
        fetcher=fetcher,
    )
    with engine.warehouse.session() as session:
        register_sites(engine, session)
    return engine


def write_history(engine: Engine, clock: SteppedClock, visits: int, write: Callable[[Session, Run], None]) -> None:
    """Append that many visits, site by site and round by round."""
    runs = _runs(engine, clock, visits)
    while batch := [run for _, run in zip(range(TURN), runs, strict=False)]:
        with engine.warehouse.session() as session:
            for run in batch:
                write(session, run)


def _runs(engine: Engine, clock: SteppedClock, visits: int) -> Iterator[Run]:
    with engine.warehouse.session() as session:
        known = session.rows("select_pages", batch=[{"site": site} for site in engine.project.sites])
        states = session.rows("select_states", batch=[{"page_id": row["page_id"]} for row in known])
    number = max(row["last_visit_no"] for row in states)
    by_site: dict[str, list[int]] = {}
    for row in known:
        by_site.setdefault(row["site"], []).append(row["page_id"])
    while visits > 0:
        number += 1
        clock.advance(EVERY)
        for index, (site, pages) in enumerate(by_site.items()):
            if visits > 0:
                yield site, pages[:visits], number, clock.now() + index * timedelta(minutes=5)
            visits -= len(pages)


def unchanged_run(session: Session, run: Run) -> None:
    """A run that found nothing: a commit for its claims, and one for its visits."""
    site, pages, visit_no, moment = run
    run_id, chance = str(uuid.uuid4()), random.Random(visit_no)  # noqa: S311  (jitter)
    with session.transaction(stage="fetch", run_id=run_id, now=moment, site=site, day=moment.date()) as transaction:
        batch = [{"page_id": page_id} for page_id in pages]
        transaction.execute("claim_pages", batch=batch, until=moment + LEASE, run_id=run_id)
    visits: list[Row] = []
    for index, page_id in enumerate(pages):
        trusted = page_id % 2 == 0  # every second server answers 304, the others send equal bytes
        visits.append({
            "page_id": page_id, "visit_no": visit_no, "site": site, "day": moment.date(),
            "visited_at": moment + timedelta(seconds=index, microseconds=chance.randrange(1_000_000)),
            "purpose": Purpose.WATCH, "outcome": Outcome.NOT_MODIFIED if trusted else Outcome.OK,
            "unchanged": True, "http_status": 304 if trusted else 200, "rules_id": 1,
        })  # fmt: skip
    now = moment + timedelta(seconds=len(pages))
    with session.transaction(stage="fetch", run_id=run_id, now=now, site=site, day=moment.date()) as transaction:
        transaction.insert("visits", [visit | {"commit_no": transaction.commit_no} for visit in visits])
        transaction.execute("update_fetched", batch=[_state(page_id, visit_no, now) for page_id in pages])


def judged_run(session: Session, run: Run) -> None:
    """A run in which every page showed something: a fifth of them a change, the others noise."""
    site, pages, visit_no, moment = run
    shared = {"visit_no": visit_no, "site": site, "day": moment.date(), "rules_id": 1}
    visited = {
        "purpose": Purpose.WATCH, "outcome": Outcome.OK, "unchanged": False, "http_status": 200, "duration_ms": 80,
        "wire_bytes": 60_000, "headers_json": '{"content-type": "text/html; charset=utf-8"}',
    }  # fmt: skip
    judged = {
        "set_id": 0, "quality": "good", "confirmation": "not_needed", "also_content": False,
        "reference_visit_no": visit_no - 1, "baseline_visit_no": 1, "fields_changed": 0, "text_equal": False,
        "unexplained_blocks": 1, "explained_blocks": 2, "distance": 3, "distance_baseline": 5, "threshold_id": 1,
        "judged_at": moment,
    }  # fmt: skip
    content, noise = ({"kind": a, "kind_reason": b} for a, b in (("content", "unexplained"), ("noise", "explained")))
    with session.transaction(stage="fetch", run_id=str(uuid.uuid4()), now=moment, site=site) as transaction:
        visits, judgements = [], []
        for index, page_id in enumerate(pages):
            name = hashlib.sha256(f"{page_id}-{visit_no}".encode()).hexdigest()
            key = shared | {"page_id": page_id, "commit_no": transaction.commit_no}
            changed = (page_id + visit_no) % 5 == 0
            reasons = json.dumps([{"step": "blocks", "block": f"Offer {name}", "explained_by": None}] * 3)
            visits.append(key | visited | {"visited_at": moment + timedelta(seconds=index), "body_sha256": name})
            said = {"reasons": reasons, "diff_sha256": name if changed else None}
            judgements.append(key | judged | (content if changed else noise) | said)
        transaction.insert("visits", visits)
        transaction.insert("judgements", judgements)
        transaction.execute("update_fetched", batch=[_state(page_id, visit_no, moment) for page_id in pages])


def _state(page_id: int, visit_no: int, now: datetime) -> Row:
    return {
        "page_id": page_id, "visit_no": visit_no, "last_body_sha256": f"{page_id:064x}",
        "effective_outcome": Outcome.OK, "effective_reason": None, "etag": f'"{page_id:032x}"', "last_modified": None,
        "validator_rules_id": 1, "visits_since_full": visit_no, "failure_streak": 0, "moved_to": None,
        "moved_visits": 0, "next_due_at": now + EVERY, "next_purpose": Purpose.WATCH,
    }  # fmt: skip
