"""The rows that the judging of a page leaves behind."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pipeline.classify import DETECTOR_VERSION
from pipeline.codec import reasons_of
from pipeline.engine.pagework import Event, PageWork, Verdict
from pipeline.engine.recall import field_row
from pipeline.ledger import pack
from pipeline.model import FieldValue, Outcome, Quality

__all__ = ["field_rows", "judgement_row", "ledger_rows", "pins", "settled_rows", "state_row"]

Row = dict[str, Any]
Stored = tuple[str, int, int]


def judgement_row(
    work: PageWork, verdict: Verdict, state: Row, diffs: dict[tuple[int, int], Stored], now: datetime
) -> Row:
    """One row of `judgements`: a new judgement, or the final word on one that waited."""
    if verdict.closes is not None:
        return verdict.closes | {"confirmation": verdict.confirmation, "judged_at": now}
    event, judgement = verdict.event, verdict.judgement
    assert event is not None and judgement is not None  # noqa: S101, PT018  (a verdict closes or judges)
    diff = diffs.get((work.page_id, event.visit_no))
    return {
        "set_id": 0,
        "page_id": work.page_id,
        "visit_no": event.visit_no,
        "site": state["site"],
        "day": event.day,
        "quality": judgement.quality,
        "kind": judgement.kind,
        "kind_reason": judgement.kind_reason,
        "confirmation": verdict.confirmation,
        "also_content": judgement.also_content,
        "reference_visit_no": judgement.reference_visit_no,
        "baseline_visit_no": judgement.baseline_visit_no,
        "fields_changed": judgement.fields_changed,
        "text_equal": judgement.text_equal,
        "unexplained_blocks": judgement.unexplained_blocks,
        "explained_blocks": judgement.explained_blocks,
        "distance": judgement.distance,
        "distance_baseline": judgement.distance_baseline,
        "threshold_id": judgement.threshold.threshold_id if judgement.threshold else None,
        "rules_id": event.rules_id,
        "reasons": json.dumps(reasons_of(judgement), ensure_ascii=False),
        "diff_sha256": diff[0] if diff else None,
        "group_id": None,
        "judged_at": now,
    }


def pins(work: PageWork, events: Sequence[Event], state: Row, row: Row) -> list[str]:
    """Bodies and texts of the two sides of a change: kept for good."""
    bodies = {event.visit_no: event.body_sha256 for event in events} | {
        state["last_good_visit_no"]: state["body_sha256"]
    }
    texts = {state["last_good_visit_no"]: state["text_sha256"]} | work.texts
    sides = (row["visit_no"], row["reference_visit_no"])
    return [name for side in sides for name in (bodies.get(side), texts.get(side)) if name]


def field_rows(work: PageWork, events: Sequence[Event], state: Row, held_before: Mapping[str, FieldValue]) -> list[Row]:
    """Values of good visits that differ from the row before; a value holds until the field's next row.

    A visit that is read again under new rules has a row for every field, whatever it was under the rules before.
    """
    bad = {v.judgement.visit_no for v in work.verdicts if v.judgement and v.judgement.quality is not Quality.GOOD}
    held = {name: _value_key(value) for name, value in held_before.items()}
    rows: list[Row] = []
    for event in sorted(events, key=lambda event: event.visit_no):
        if event.seen is None or event.visit_no in bad:
            continue
        for name, value in event.seen.version.fields.items():
            if event.again or held.get(name) != _value_key(value):
                base = {
                    "page_id": work.page_id,
                    "visit_no": event.visit_no,
                    "site": state["site"],
                    "day": event.day,
                }
                rows.append(base | {"rules_id": event.rules_id} | field_row(value))
                held[name] = _value_key(value)
    return rows


def _value_key(value: FieldValue) -> tuple[Any, ...]:
    rival = () if value.rival is None else _value_key(value.rival)
    return (value.state, value.type, value.text, value.currency, value.high, value.members, rival)


def state_row(work: PageWork, events: Sequence[Event], state: Row) -> Row:
    """What classify writes of a page's state."""
    reference, baseline = work.memory.reference, work.memory.baseline_visit_no
    row: Row = {
        "page_id": work.page_id,
        "last_good_visit_no": reference.visit_no if reference else state["last_good_visit_no"],
        "baseline_visit_no": baseline,
        "body_sha256": reference.body_sha256 if reference else state["body_sha256"],
        "text_sha256": work.texts.get(reference.visit_no, state["text_sha256"]) if reference else state["text_sha256"],
        "baseline_text_sha256": work.texts.get(baseline or 0, state["baseline_text_sha256"]),
        "read_rules_id": work.memory_rules_id,
        "language": reference.language if reference else state["language"],
        "charset": reference.charset if reference else state["charset"],
        "effective_outcome": state["effective_outcome"],
        "effective_reason": state["effective_reason"],
        "validator_rules_id": state["validator_rules_id"],
        "failure_streak": work.failure_streak,
        "next_due_at": work.plan[0] if work.plan else state["next_due_at"],
        "next_purpose": work.plan[1] if work.plan else state["next_purpose"],
    }
    if state["baseline_visit_no"] == state["last_good_visit_no"] and baseline == state["baseline_visit_no"]:
        row["baseline_text_sha256"] = work.texts.get(baseline or 0, state["text_sha256"])
    last = next(
        (e for e in sorted(events, key=lambda e: -e.visit_no) if e.body_sha256 == state["last_body_sha256"]),
        None,
    )
    judged = {v.event.visit_no: v.judgement for v in work.verdicts if v.event and v.judgement}
    if last is not None and last.visit_no in judged:
        outcome = judged[last.visit_no].quality.outcome
        row["effective_outcome"] = outcome
        row["effective_reason"] = judged[last.visit_no].outcome_reason
        if outcome is Outcome.OK and state["page_type"] == "auto":
            row["validator_rules_id"] = last.rules_id
    return row


def ledger_rows(work: PageWork) -> list[Row]:
    """The page's ledger as it stood after each day on which it learned."""
    return [
        {
            "set_id": 0,
            "page_id": work.page_id,
            "day": day,
            "visit_no": visit_no,
            "detector_version": DETECTOR_VERSION,
            "state": pack(ledger),
        }
        for day, (visit_no, ledger) in work.ledgers.items()
    ]


def settled_rows(work: PageWork, events: Sequence[Event], state: Row) -> list[Row]:
    """A page of type `auto` takes the type that its first good visit showed."""
    reference = work.memory.reference
    if state["page_type"] != "auto" or reference is None:
        return []
    first = next((event for event in events if event.visit_no == reference.visit_no), None)
    return (
        []
        if first is None
        else [{"page_id": work.page_id, "page_type": first.rules.page_type, "rules_id": first.rules_id}]
    )
