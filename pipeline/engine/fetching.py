"""The fetch stage: claim the pages that are due, fetch them outside any transaction, record visits and bodies."""

import json
import shutil
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.blobs import sha256_of
from pipeline.engine.base import Engine, StageReport, chunks, scope_rows, span
from pipeline.engine.moving import MOVED_AFTER, moved
from pipeline.engine.registry import register_sites, vantage_from_json
from pipeline.errors import StoreFullError
from pipeline.model import Fetched, Outcome, Purpose, Quality, SiteDay, Target, Validators
from pipeline.revisit import NOT_FOUND, after_failure, after_visit, is_gone

__all__ = ["LEASE", "MIDNIGHT_GRACE", "blob_rows", "fetch", "release_leases"]

LEASE = timedelta(minutes=15)
"""How long a claimed page is nobody else's; the longest a `watch` run may take before Dagster ends it."""

MIDNIGHT_GRACE = timedelta(minutes=15)
"""A run made for a day may still fetch this long after the day ended: it waited in the queue past midnight."""

RECORD = 50
"""Visits recorded in one transaction while fetching goes on, so that a run that dies loses at most these."""

ROOM_MB = 100
"""Free disk below which nothing is fetched, so that what was fetched can still be judged and told of."""

_DOUBTFUL = frozenset(quality for quality in Quality if quality.doubtful)

Row = dict[str, Any]


def fetch(
    engine: Engine,
    parts: Sequence[SiteDay],
    *,
    manual: Collection[str] | None = None,
    purpose: Purpose = Purpose.MANUAL,
    backfill: bool = False,
) -> StageReport:
    """Visit the pages of these partitions that are due.

    For a past day nothing is fetched: what is stored stands.

    Args:
        engine: The parts of the run.
        parts: Sites on days; only those of today are fetched.
        manual: Visit now whatever is due; names of pages, empty for all.
        purpose: Of such visits; without validators if they are to calibrate, which needs the whole page.
        backfill: The run belongs to a backfill: never fetch for a day that is over, not even just after midnight.

    Raises:
        StoreFullError: the disk has less than `ROOM_MB` left; nothing was fetched.
    """
    report = StageReport(stage="fetch")
    live = [part for part in parts if _is_live(part, engine.clock.now(), backfill=backfill)]
    if live:
        _check_room(engine.project.data)
    claims = _claim(engine, live, manual, purpose)
    waiting: list[tuple[Row, Fetched]] = []

    def done(target: Target, fetched: Fetched) -> None:
        waiting.append((claims[target.page_id], fetched))
        if len(waiting) >= RECORD:
            _record(engine, live, waiting, report)
            waiting.clear()

    try:
        engine.fetcher.fetch_all([_target(claim) for claim in claims.values()], done)
    except BaseException:
        _record(engine, live, waiting, report)
        release_leases(engine, [engine.run_id])  # what was not fetched is nobody's, or the next run would wait for it
        raise
    _record(engine, live, waiting, report)
    return report


def _check_room(data: Path) -> None:
    made = next(folder for folder in (data, *data.parents) if folder.exists())
    free = shutil.disk_usage(made).free // 2**20
    if free < ROOM_MB:
        raise StoreFullError(data, f"{free} MB free, and nothing is fetched below {ROOM_MB} MB")


def _is_live(part: SiteDay, now: datetime, *, backfill: bool) -> bool:
    if part.day == now.date():
        return True
    return not backfill and part.day == (now - MIDNIGHT_GRACE).date()


def _claim(
    engine: Engine, parts: Sequence[SiteDay], manual: Collection[str] | None, purpose: Purpose
) -> dict[int, Row]:
    """Take a lease on the due pages, in one short transaction, so that two runs never fetch one page."""
    with engine.warehouse.session() as session:
        register_sites(engine, session)
        if not parts:
            return {}
        now = engine.clock.now()  # only here: while we waited for the database, another run may have made pages due
        site, day = span(parts)
        scope = [{"site": row["site"]} for row in scope_rows(parts)]
        due = session.rows("select_due", batch=scope, now=now, manual=manual is not None)
        due = [row for row in due if engine.page(row["site"], row["page_name"])]  # its file may be malformed now
        if manual:
            due = [row for row in due if row["page_name"] in manual]
        purposes = {"next_purpose": purpose} if manual is not None else {}
        days = {part.site: part.day for part in parts}
        claims = {row["page_id"]: row | {"day": days[row["site"]]} | purposes for row in due}
        if claims:
            with session.transaction(stage="fetch", run_id=engine.run_id, now=now, site=site, day=day) as transaction:
                batch = [{"page_id": page_id} for page_id in claims]
                transaction.execute("claim_pages", batch=batch, until=now + LEASE, run_id=engine.run_id)
    return claims


def release_leases(engine: Engine, run_ids: Collection[str]) -> int:
    """Let go of the pages that runs hold which are known to be dead; their leases would run out by themselves later.

    Args:
        engine: The parts of whoever says so.
        run_ids: The dead runs.

    Returns:
        How many pages there were.
    """
    with engine.warehouse.session() as session:
        held = session.rows("select_leases", batch=[{"run_id": run_id} for run_id in run_ids])
        if held:
            with session.transaction(stage="fetch", run_id=engine.run_id, now=engine.clock.now()) as transaction:
                transaction.execute("release_pages", batch=held)
    return len(held)


def _target(claim: Row) -> Target:
    return Target(
        page_id=claim["page_id"],
        page_name=claim["page_name"],
        url=claim["url"],
        vantage=vantage_from_json(claim["vantage_json"]),
        validators=_validators(claim),
    )


def _validators(claim: Row) -> Validators | None:
    """Validators to send, or None.

    Only those of a good body that was read under the present rules, so that a 304 means that nothing changed for
    these rules.
    """
    if claim["next_purpose"] == Purpose.CALIBRATE:
        return None
    if claim["validator_rules_id"] != claim["rules_id"] or claim["effective_outcome"] != Outcome.OK:
        return None
    if claim["etag"] is None and claim["last_modified"] is None:
        return None
    return Validators(etag=claim["etag"], last_modified=claim["last_modified"])


def _record(
    engine: Engine, parts: Sequence[SiteDay], results: Sequence[tuple[Row, Fetched]], report: StageReport
) -> None:
    """Write visits and page states; bodies first, so that a row never names a body that is not there."""
    if not results:
        return
    now = engine.clock.now()
    site, day = span(parts)
    bodies = {page["page_id"]: fetched.body for page, fetched in results if fetched.body is not None}
    names = dict(zip(bodies, (sha256_of(body) for body in bodies.values()), strict=True))
    with engine.warehouse.session() as session:
        batch = [{"page_id": page["page_id"]} for page, _ in results]
        states = {row["page_id"]: row for row in session.rows("select_claimed", batch=batch, run_id=engine.run_id)}
        visits = [
            _visit(engine, _planned(states[page["page_id"]]) | _run_of(page), fetched, names.get(page["page_id"]), now)
            for page, fetched in results
            if page["page_id"] in states  # a lease that ran out is somebody else's page now
        ]
        changed = [bodies[visit["page_id"]] for visit, _ in visits if visit["body_sha256"] and not visit["unchanged"]]
        stored = [blob for some in chunks(changed) for blob in engine.blobs.put_many(some)]
        with session.transaction(stage="fetch", run_id=engine.run_id, now=now, site=site, day=day) as transaction:
            transaction.insert("visits", [visit | {"commit_no": transaction.commit_no} for visit, _ in visits])
            transaction.execute("update_fetched", batch=[state for _, state in visits])
            transaction.execute("merge_blobs", batch=blob_rows(stored, "body", now))
    for visit, state in visits:
        if states[visit["page_id"]]["moved_visits"] != state["moved_visits"] == MOVED_AFTER:
            report.counts["moved"] += 1
        report.counts["unchanged" if visit["unchanged"] and visit["outcome"] == Outcome.OK else visit["outcome"]] += 1


def _planned(state: Row) -> Row:
    """What the page was due for, which a visit by hand does not change: a confirm visit that failed is repeated."""
    return state | {"planned_purpose": state["next_purpose"]}


def _run_of(claim: Row) -> Row:
    """What the claim decided and the state does not know."""
    return {"day": claim["day"], "next_purpose": claim["next_purpose"]}


def blob_rows(stored: Sequence[tuple[str, int, int]], role: str, now: datetime, pin: str | None = None) -> list[Row]:
    """Rows of the table `blobs` for contents just stored; each content once."""
    return [
        {"sha256": sha256, "role": role, "raw_bytes": raw, "stored_bytes": size, "stored_at": now, "pin": pin}
        for sha256, raw, size in dict.fromkeys(stored)
    ]


def _visit(engine: Engine, page: Row, fetched: Fetched, body_sha256: str | None, now: datetime) -> tuple[Row, Row]:
    """The row of a visit and what becomes of the page's state."""
    outcome, reason, unchanged, back = _outcome(page, fetched, body_sha256)
    good = outcome in {Outcome.OK, Outcome.NOT_MODIFIED}
    last = page["last_visited_at"]
    visit: Row = {
        "page_id": page["page_id"],
        "visit_no": page["last_visit_no"] + 1,
        "site": page["site"],
        "day": page["day"],
        "visited_at": max(fetched.started_at, last + timedelta(microseconds=1)) if last else fetched.started_at,
        "purpose": page["next_purpose"],
        "outcome": outcome,
        "outcome_reason": reason,
        "unchanged": unchanged,
        "http_status": fetched.http_status,
        "body_sha256": back if unchanged else body_sha256,
        "rules_id": page["rules_id"],
    }
    if not unchanged:
        headers = dict(fetched.headers) | ({"content-type": fetched.content_type} if fetched.content_type else {})
        visit |= {
            "duration_ms": fetched.duration_ms,
            "wire_bytes": fetched.wire_bytes,
            "final_url": fetched.final_url,
            "headers_json": json.dumps(headers, sort_keys=True) if headers else None,
        }
    # A new body leaves the streak to classify, which alone can tell a block page from the page.
    streak = page["failure_streak"] + (not good) if not good or not unchanged else 0
    configured = engine.page(page["site"], page["page_name"])
    every = configured.every if configured else engine.project.settings.defaults.every
    missing = (page["missing_visits"] or 0) + 1 if reason == NOT_FOUND else 0
    planned = Purpose(page["planned_purpose"])
    due, purpose = after_visit(now, every) if good else after_failure(now, every, planned, streak, missing)
    state = _state_after(page, fetched, visit, body_sha256) | moved(page, fetched)
    return visit, state | {"failure_streak": streak, "next_due_at": due, "next_purpose": purpose}


def _outcome(page: Row, fetched: Fetched, body_sha256: str | None) -> tuple[Outcome, str | None, bool, str | None]:
    """(outcome, reason, unchanged, body to name while unchanged).

    An early exit repeats the earlier outcome, failure included, unless that was merely doubtful. Bytes count as equal
    only under the rules they were last read with, once classify has seen them. A 404 is gone once it is confirmed.
    """
    if fetched.outcome is Outcome.NOT_MODIFIED:
        return Outcome.NOT_MODIFIED, None, True, _named(page, page["last_body_sha256"])
    if fetched.reason == NOT_FOUND and not is_gone(fetched.started_at, page["missing_visits"], page["missing_since"]):
        return Outcome.FAILED, NOT_FOUND, False, None
    if fetched.outcome is not Outcome.OK or page["validator_rules_id"] != page["rules_id"]:
        return fetched.outcome, fetched.reason, False, None
    if page["effective_outcome"] is None:  # an earlier body waits for classify: what is the reference is open
        return Outcome.OK, None, False, None
    if body_sha256 == page["last_body_sha256"] and page["effective_reason"] not in _DOUBTFUL:
        return Outcome(page["effective_outcome"]), page["effective_reason"], True, _named(page, body_sha256)
    if body_sha256 == page["body_sha256"] and page["read_rules_id"] == page["rules_id"]:
        return Outcome.OK, None, True, _named(page, body_sha256)
    return Outcome.OK, None, False, None


def _named(page: Row, body_sha256: str | None) -> str | None:
    """An unchanged visit names its body only where there are two it could be."""
    return None if page["last_body_sha256"] == page["body_sha256"] else body_sha256


def _state_after(page: Row, fetched: Fetched, visit: Row, body_sha256: str | None) -> Row:
    """What fetch writes of a page's state; without a body, everything about bodies stays as it was."""
    state: Row = {
        "page_id": page["page_id"],
        "visit_no": visit["visit_no"],
        "last_body_sha256": page["last_body_sha256"],
        "effective_outcome": page["effective_outcome"],
        "effective_reason": page["effective_reason"],
        "etag": page["etag"],
        "last_modified": page["last_modified"],
        "validator_rules_id": page["validator_rules_id"],
        "visits_since_full": page["visits_since_full"] + (fetched.outcome is Outcome.NOT_MODIFIED),
    }
    if body_sha256 is None:
        return state
    # A body that is not unchanged is judged by classify, which then says what it was worth.
    worth = (visit["outcome"], visit["outcome_reason"]) if visit["unchanged"] else (None, None)
    return state | {
        "last_body_sha256": body_sha256,
        "effective_outcome": worth[0],
        "effective_reason": worth[1],
        "etag": fetched.validators.etag,
        "last_modified": fetched.validators.last_modified,
        "validator_rules_id": page["rules_id"],
        "visits_since_full": 0,
    }
