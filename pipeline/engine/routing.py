"""The route stage: record what becomes of each final change, in a transaction of its own."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pipeline.codec import decode_diff
from pipeline.config import AlertRule, default_alert
from pipeline.engine.base import Engine, StageReport, chunks, scope_rows, span
from pipeline.model import FieldChange, FieldState, FieldValue, Kind, SiteDay
from pipeline.route import Change, Routed, decode_last_alerted, encode_last_alerted, event_item
from pipeline.route import route as route_change
from pipeline.warehouse import Session, Transaction

__all__ = ["route"]

NEWEST = 10
"""Changes shown in the run's table."""

Row = dict[str, Any]
Key = tuple[int, int]
"""A visit: (page_id, visit_no)."""


def route(engine: Engine, parts: Sequence[SiteDay]) -> StageReport:
    """Record every final change that is not recorded yet: dataset, outbox, review queue.

    What a run that died left over is recorded by the next; run again, it finds nothing to do.
    """
    report = StageReport(stage="route")
    with engine.warehouse.session() as session:
        work = session.rows("select_to_route", batch=scope_rows(parts))
        joined = session.rows("select_joined_items", batch=scope_rows(parts))
        if not work and not joined:
            report.table.extend(_newest(session, parts))
    pieces = list(chunks(work)) or ([()] if joined else [])
    for chunk in pieces:
        _route_chunk(engine, parts, chunk, report, last=chunk is pieces[-1])
    _settle_held(engine, parts, report)
    return report


def _newest(session: Session, parts: Sequence[SiteDay]) -> list[Row]:
    return session.rows("select_newest_changes", batch=scope_rows(parts), limit=NEWEST)


def _route_chunk(
    engine: Engine, parts: Sequence[SiteDay], chunk: Sequence[Row], report: StageReport, *, last: bool
) -> None:
    now = engine.clock.now()
    field_changes = {row["diff_sha256"]: decode_diff(engine.blobs.get(row["diff_sha256"]))[0] for row in chunk}
    site, day = span(parts)
    with engine.warehouse.session() as session:
        mine = {(row["page_id"], row["visit_no"]) for row in chunk}
        again = session.rows("select_to_route", batch=scope_rows(parts))  # another run may have been here
        todo = [row for row in again if (row["page_id"], row["visit_no"]) in mine]
        changes = {(row["page_id"], row["visit_no"]): field_changes[row["diff_sha256"]] for row in todo}
        seen = _seen_before(session, changes)
        routed: list[Routed] = []
        alerted: dict[int, Mapping[str, FieldValue]] = {}
        for row in todo:
            key = (row["page_id"], row["visit_no"])
            known = alerted.get(row["page_id"], decode_last_alerted(row["last_alerted_json"]))
            change = _change(row, changes[key], known, seen.get(key, {}))
            made = route_change(change, _rules(engine, row), now)
            alerted[row["page_id"]] = made.last_alerted
            routed.append(made)
        with session.transaction(stage="route", run_id=engine.run_id, now=now, site=site, day=day) as transaction:
            for table in ("field_changes", "review_items", "alerts"):
                rows = [row for made in routed for row in getattr(made, table)]
                transaction.insert(table, rows)
                report.counts[table] += sum(row.get("closed_at") is None for row in rows)
            states = [
                {"page_id": page_id, "last_alerted_json": encode_last_alerted(v)} for page_id, v in alerted.items()
            ]
            transaction.execute("update_routed", batch=states)
            report.counts["review_items"] += _settle_events(session, transaction, parts, now)
        if last:
            report.table.extend(_newest(session, parts))


def _seen_before(session: Session, changes: Mapping[Key, Sequence[FieldChange]]) -> Mapping[Key, dict[str, datetime]]:
    """When the page last began to show each new value before the visit that changed to it, by visit and field."""
    asked = [
        {"page_id": page_id, "visit_no": visit_no, "field_name": item.name, "text_value": item.new.text}
        for (page_id, visit_no), items in changes.items()
        for item in items
        if item.new.state is FieldState.VALUE
    ]
    found: dict[Key, dict[str, datetime]] = {}
    for row in session.rows("select_seen_before", batch=asked) if asked else []:
        found.setdefault((row["page_id"], row["visit_no"]), {})[row["field_name"]] = row["seen_before_at"]
    return found


def _settle_held(engine: Engine, parts: Sequence[SiteDay], report: StageReport) -> None:
    """Release alerts whose value has lasted, drop those whose value has not."""
    with engine.warehouse.session() as session:
        held = session.rows("select_held_alerts", batch=scope_rows(parts))
    ripe = [row for row in held if row["moved"] or row["shown"] >= row["stable_for"]]
    if not ripe:
        return
    diffs = {row["diff_sha256"]: decode_diff(engine.blobs.get(row["diff_sha256"]))[0] for row in ripe}
    site, day = span(parts)
    now = engine.clock.now()
    with engine.warehouse.session() as session:
        mine = {row["alert_id"] for row in ripe}
        again = [row for row in session.rows("select_held_alerts", batch=scope_rows(parts)) if row["alert_id"] in mine]
        known = {row["page_id"]: decode_last_alerted(row["last_alerted_json"]) for row in again}
        for row in again:
            if not row["moved"]:
                known[row["page_id"]] |= {
                    item.name: item.new for item in diffs[row["diff_sha256"]] if item.name == row["field_name"]
                }
        with session.transaction(stage="route", run_id=engine.run_id, now=now, site=site, day=day) as transaction:
            settled = [{"alert_id": row["alert_id"], "moved": row["moved"]} for row in again]
            transaction.execute("settle_held_alerts", batch=settled, now=now)
            states = [{"page_id": key, "last_alerted_json": encode_last_alerted(value)} for key, value in known.items()]
            transaction.execute("update_routed", batch=states)
    report.counts["alerts_released"] += sum(not row["moved"] for row in again)
    report.counts["alerts_dropped"] += sum(bool(row["moved"]) for row in again)


def _settle_events(session: Session, transaction: Transaction, parts: Sequence[SiteDay], now: datetime) -> int:
    """Give each site event one review item in the place of its pages' items; how many it opened."""
    scope = scope_rows(parts)
    transaction.execute("close_joined_items", batch=session.rows("select_joined_items", batch=scope), now=now)
    events = session.rows("select_event_items", batch=scope)
    opened = [
        event_item(row["group_id"], row["site"], row["importance"], now) for row in events if row["review_id"] is None
    ]
    transaction.insert("review_items", opened)
    transaction.execute("raise_event_items", batch=[row for row in events if row["review_id"] is not None])
    return len(opened)


def _change(
    row: Row,
    field_changes: tuple[FieldChange, ...],
    last_alerted: Mapping[str, FieldValue],
    seen_before: Mapping[str, datetime],
) -> Change:
    return Change(
        page_id=row["page_id"],
        visit_no=row["visit_no"],
        site=row["site"],
        page_name=row["page_name"],
        url=row["url"],
        day=row["day"],
        importance=row["importance"],
        kind=Kind(row["kind"]),
        also_content=row["also_content"],
        seen_at=row["visited_at"],
        not_before_at=row["not_before_at"] or row["visited_at"],
        field_changes=field_changes,
        last_alerted=last_alerted,
        seen_before=seen_before,
        group_id=row["group_id"],
    )


def _rules(engine: Engine, row: Row) -> Callable[[str], AlertRule]:
    page = engine.page(row["site"], row["page_name"])
    alerts = page.alerts if page else {}

    def rule_of(field_name: str) -> AlertRule:
        return alerts.get(field_name) or default_alert(field_name)

    return rule_of
