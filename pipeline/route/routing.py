"""Route: what becomes of a change. Pure: a change and the page's alert rules in, rows to record out.

It only records. A price that changed goes to the dataset, and to the outbox if its rule says it matters; a value that
was lost, and a text that changed, go to a person.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from pipeline.codec import field_from_json, field_to_json, printed_value
from pipeline.config import AlertRule
from pipeline.model import ChangeType, FieldChange, FieldState, FieldType, FieldValue, Kind, ReviewCause
from pipeline.route.worth import visits_needed, worth_an_alert

if TYPE_CHECKING:
    from decimal import Decimal

__all__ = [
    "LOG_CHANNEL",
    "Change",
    "Routed",
    "alert_id",
    "change_id",
    "decode_last_alerted",
    "encode_last_alerted",
    "event_item",
    "route",
]

LOG_CHANNEL = "log"
"""The built-in channel that every deployment has."""

Row = dict[str, Any]

_OF_TEXT = {ReviewCause.CONTENT, ReviewCause.ALSO_CONTENT}
"""Causes that a site event stands for; a field is always the page's own."""

_UNCLEAR = {FieldState.AMBIGUOUS, FieldState.CONFLICT, FieldState.UNREADABLE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A final judgement of kind `content` or `field`.

    Attributes:
        seen_at: Start of the visit that showed it.
        not_before_at: The last good visit that still showed the old state; the change lies between the two.
        last_alerted: Field values last alerted, or the first old value where none was; by field name.
        seen_before: When the page last began to show the new value before, by field name; absent: never.
        group_id: The site event it belongs to.
    """

    page_id: int
    visit_no: int
    site: str
    page_name: str
    url: str
    day: date
    importance: float
    kind: Kind
    also_content: bool
    seen_at: datetime
    not_before_at: datetime
    field_changes: tuple[FieldChange, ...]
    last_alerted: Mapping[str, FieldValue]
    seen_before: Mapping[str, datetime] = field(default_factory=dict)
    group_id: str | None = None

    @property
    def change_id(self) -> str:
        """How people and links name the change."""
        return change_id(self.page_id, self.visit_no)


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """Rows to write for one change.

    Attributes:
        last_alerted: What `Change.last_alerted` is from now on.
    """

    field_changes: list[Row] = field(default_factory=list)
    review_items: list[Row] = field(default_factory=list)
    alerts: list[Row] = field(default_factory=list)
    last_alerted: Mapping[str, FieldValue] = field(default_factory=dict)


def change_id(page_id: int, visit_no: int) -> str:
    """How people and links name what a visit showed."""
    return f"v{page_id}-{visit_no}"


def route(change: Change, rule_of: Callable[[str], AlertRule], now: datetime) -> Routed:
    """Decide where a change goes.

    Args:
        change: The change.
        rule_of: The page's alert rule of a field.
        now: The run's clock.
    """
    last = dict(change.last_alerted)
    rows: list[Row] = []
    alerts: list[Row] = []
    for item in change.field_changes:
        rule = rule_of(item.name)
        seen_before = change.seen_before.get(item.name)
        alertable = worth_an_alert(item, rule, last.get(item.name), seen_before)
        rows.append(_field_change(change, item, alertable=alertable, seen_before=seen_before))
        visits = visits_needed(item, rule)
        if alertable:
            alerts.append(_alert(change, item, visits, seen_before, now))
        if alertable and visits == 1:
            last[item.name] = item.new
        elif item.old.state is FieldState.VALUE:
            last.setdefault(item.name, item.old)
    cause = _cause(change)
    items = [_review_item(change, cause, now)] if cause else []
    return Routed(field_changes=rows, review_items=items, alerts=alerts, last_alerted=last)


def alert_id(subject: str, channel: str, rule: str) -> str:
    """The identity of an alert: the same in any retry, backfill or crash."""
    return hashlib.sha256(json.dumps([subject, channel, rule]).encode()).hexdigest()


def encode_last_alerted(values: Mapping[str, FieldValue]) -> str:
    """For `page_state.last_alerted_json`."""
    return json.dumps({name: field_to_json(value) for name, value in sorted(values.items())}, ensure_ascii=False)


def decode_last_alerted(text: str | None) -> dict[str, FieldValue]:
    """The inverse; nothing was alerted yet when NULL."""
    return {name: field_from_json(item) for name, item in json.loads(text or "{}").items()}


def _field_change(change: Change, item: FieldChange, *, alertable: bool, seen_before: datetime | None) -> Row:
    old, new = item.old, item.new
    numeric = item.type in {FieldType.PRICE, FieldType.NUMBER, FieldType.DURATION}
    difference: Decimal | None = None
    if numeric and old.number is not None and new.number is not None and old.currency == new.currency:
        difference = new.number - old.number
    relative = float(difference / old.number) if difference is not None and old.number else None
    return {
        "set_id": 0,
        "page_id": change.page_id,
        "visit_no": change.visit_no,
        "site": change.site,
        "day": change.day,
        "seen_at": change.seen_at,
        "not_before_at": change.not_before_at,
        "field_name": item.name,
        "field_type": item.type,
        "change_type": item.change_type,
        "old_state": old.state,
        "new_state": new.state,
        "old_text": old.text,
        "new_text": new.text,
        "old_number": old.number,
        "new_number": new.number,
        "currency": new.currency or old.currency,
        "difference": difference,
        "relative_difference": relative,
        "members_added": list(item.members_added) or None,
        "members_removed": list(item.members_removed) or None,
        "source": new.source,
        "alertable": alertable,
        "disputed": item.disputed,
        "seen_before_at": seen_before,
    }


def _alert(change: Change, item: FieldChange, visits: int, seen_before: datetime | None, now: datetime) -> Row:
    """The row of the outbox; one whose value must last is held until as many visits have shown it."""
    payload = {
        "change_id": change.change_id,
        "site": change.site,
        "page": change.page_name,
        "url": change.url,
        "field": item.name,
        "old": printed_value(item.old),
        "new": printed_value(item.new),
        "seen_at": change.seen_at.isoformat(),
        "seen_before_at": seen_before.isoformat() if seen_before else None,
    } | ({"stable_for": visits} if visits > 1 else {})
    return {
        "alert_id": alert_id(change.change_id, LOG_CHANNEL, f"field:{item.name}"),
        "site": change.site,
        "page_id": change.page_id,
        "visit_no": change.visit_no,
        "channel": LOG_CHANNEL,
        "severity": "info",
        "payload_json": json.dumps(payload, ensure_ascii=False),
        "status": "pending" if visits == 1 else "held",
        "status_reason": None if visits == 1 else f"until {visits} visits in a row have shown it",
        "attempts": 0,
        "next_attempt_at": now if visits == 1 else None,
        "created_at": now,
    }


def _cause(change: Change) -> ReviewCause | None:
    """Why a person should look at it, the weightiest reason first; None if nobody needs to."""
    lost = [c for c in change.field_changes if c.decides and c.change_type is ChangeType.VANISHED]
    if lost:
        return ReviewCause.FIELD_LOST
    if any(item.decides and (item.disputed or item.new.state in _UNCLEAR) for item in change.field_changes):
        return ReviewCause.FIELD_CONFLICT
    if change.kind is Kind.CONTENT:
        return ReviewCause.CONTENT
    return ReviewCause.ALSO_CONTENT if change.also_content else None


def event_item(group_id: str, site: str, importance: float, now: datetime) -> Row:
    """The review item of a site event, which stands for those of its pages.

    Args:
        group_id: The event.
        site: Where.
        importance: The largest of its pages.
        now: The run's clock.
    """
    return {
        "review_id": f"g{group_id}",
        "site": site,
        "group_id": group_id,
        "cause": ReviewCause.SITE_EVENT,
        "importance": importance,
        "set_id": 0,
        "opened_at": now,
        "row_version": 1,
    }


def _review_item(change: Change, cause: ReviewCause, now: datetime) -> Row:
    """The item of one change; one of a site event is closed at once in favour of the event's."""
    group_id = change.group_id if cause in _OF_TEXT else None
    return {
        "review_id": change.change_id,
        "site": change.site,
        "page_id": change.page_id,
        "visit_no": change.visit_no,
        "group_id": group_id,
        "cause": cause,
        "importance": change.importance,
        "set_id": 0,
        "opened_at": now,
        "closed_at": None if group_id is None else now,
        "row_version": 1,
    }
