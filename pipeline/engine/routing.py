"""The route stage: record what becomes of each final change, in a transaction of its own."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pipeline.codec import decode_diff
from pipeline.config import AlertRule, default_alert
from pipeline.engine.base import Engine, StageReport, chunks, scope_rows, span
from pipeline.model import FieldChange, FieldValue, Kind, SiteDay
from pipeline.route import Change, Routed, decode_last_alerted, encode_last_alerted, event_item
from pipeline.route import route as route_change
from pipeline.warehouse import Session, Transaction

__all__ = ["route"]

NEWEST = 10
"""Changes shown in the run's table."""

Row = dict[str, Any]


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
        todo = session.rows("select_to_route", batch=scope_rows(parts))  # again: another run may have been here
        routed: list[Routed] = []
        alerted: dict[int, Mapping[str, FieldValue]] = {}
        for row in todo:
            if (row["page_id"], row["visit_no"]) not in mine:
                continue
            known = alerted.get(row["page_id"], decode_last_alerted(row["last_alerted_json"]))
            made = route_change(_change(row, field_changes[row["diff_sha256"]], known), _rules(engine, row), now)
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


def _change(row: Row, field_changes: tuple[FieldChange, ...], last_alerted: Mapping[str, FieldValue]) -> Change:
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
        group_id=row["group_id"],
    )


def _rules(engine: Engine, row: Row) -> Callable[[str], AlertRule]:
    page = engine.page(row["site"], row["page_name"])
    alerts = page.alerts if page else {}

    def rule_of(field_name: str) -> AlertRule:
        return alerts.get(field_name) or default_alert(field_name)

    return rule_of
