"""The classify stage: judge what was fingerprinted, and move each page's reference, baseline and candidate with it.

Judgement and page state are one transaction, which also takes the reading off the work list.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from pipeline.classify import evidence_of
from pipeline.codec import encode_diff
from pipeline.engine.base import CHUNK, Engine, StageReport, scope_rows, span
from pipeline.engine.fetching import blob_rows
from pipeline.engine.grouping import Judged, sighting_row, write_judged
from pipeline.engine.judged import field_rows, judgement_row, ledger_rows, pins, settled_rows, state_row
from pipeline.engine.loading import Loaded
from pipeline.engine.pagework import Event, PageWork, Verdict
from pipeline.model import Confirmation, Kind, SiteDay
from pipeline.warehouse import Session, Transaction

__all__ = ["classify"]

LEDGER_KEY = ("set_id", "page_id", "day")
FIELD_KEY = ("page_id", "visit_no", "field_name", "rules_id")

Row = dict[str, Any]
Stored = tuple[str, int, int]


def classify(engine: Engine, parts: Sequence[SiteDay]) -> StageReport:
    """Judge every fingerprinted reading against its page's reference; close candidates that wait.

    Run again, it finds nothing to do.
    """
    report = StageReport(stage="classify")
    loaded, left = _load(engine, parts, None)
    while loaded.states:
        _classify_chunk(engine, parts, loaded, report)
        if not left:
            break
        loaded, left = _load(engine, parts, left)
    return report


def _load(engine: Engine, parts: Sequence[SiteDay], pages: Sequence[Row] | None) -> tuple[Loaded, Sequence[Row]]:
    """The next pages of the work list, and what is left of it after them; None: the list is not read yet."""
    with engine.warehouse.session() as session:
        if pages is None:
            pages = session.rows("select_pages_to_classify", batch=scope_rows(parts))
        return Loaded(engine, session, _with_days(session, parts, pages[:CHUNK])), pages[CHUNK:]


def _classify_chunk(engine: Engine, parts: Sequence[SiteDay], loaded: Loaded, report: StageReport) -> None:
    works: list[tuple[PageWork, list[Event]]] = []
    for page_id in loaded.states:
        work, events = loaded.work(page_id)
        work.run(events)
        works.append((work, events))
    texts = _diffs(works)
    stored = engine.blobs.put_many(list(texts.values()))
    diffs = dict(zip(texts, stored, strict=True))
    site, day = span(parts)
    now = engine.clock.now()
    with engine.warehouse.session() as session:
        engine.blobs.put_again(stored, list(texts.values()))
        untouched = loaded.untouched(session)
        mine = [(work, events) for work, events in works if work.page_id in untouched]
        with session.transaction(stage="classify", run_id=engine.run_id, now=now, site=site, day=day) as transaction:
            judged = _judged(transaction, loaded, mine, diffs, now)
            write_judged(session, transaction, judged, now)
            _write(transaction, loaded, mine, diffs, judged.pinned, now)
    for work, _ in mine:
        for verdict in work.verdicts:
            report.counts[_counted(verdict)] += 1


def _with_days(session: Session, parts: Sequence[SiteDay], pages: Sequence[Row]) -> list[Row]:
    """Pages with the latest day up to which their readings count."""
    days = {row["site"]: row["day"] for row in scope_rows(parts)}
    states = session.rows("select_states", batch=pages)
    return [{"page_id": row["page_id"], "day": days[row["site"]]} for row in states]


def _counted(verdict: Verdict) -> str:
    if verdict.judgement is None:
        return str(verdict.confirmation)
    if verdict.confirmation is Confirmation.WAITING:
        return "waiting"
    return str(verdict.judgement.kind or verdict.judgement.kind_reason)


def _diffs(works: Iterable[tuple[PageWork, list[Event]]]) -> dict[tuple[int, int], bytes]:
    """The readable diff of every judgement a person may look at, by (page_id, visit_no)."""
    return {
        (work.page_id, verdict.judgement.visit_no): encode_diff(
            verdict.judgement.field_changes, verdict.judgement.block_changes
        )
        for work, _ in works
        for verdict in work.verdicts
        if verdict.judgement is not None and verdict.judgement.kind in {Kind.CONTENT, Kind.FIELD}
    }


def _judged(
    transaction: Transaction,
    loaded: Loaded,
    works: Sequence[tuple[PageWork, list[Event]]],
    diffs: dict[tuple[int, int], Stored],
    now: datetime,
) -> Judged:
    """The rows of what was judged, with what the new ones showed that can be of a site event."""
    judged = Judged()
    for work, events in works:
        state = loaded.states[work.page_id]
        for verdict in work.verdicts:
            row = judgement_row(work, verdict, state, diffs, now) | {"commit_no": transaction.commit_no}
            judged.rows.append(row)
            if row["kind"] in {Kind.CONTENT, Kind.FIELD}:
                judged.pinned += pins(work, events, state, row)
            if verdict.event is None or verdict.judgement is None:
                judged.closings.add((row["page_id"], row["visit_no"]))
                continue
            evidence = evidence_of(verdict.judgement)
            if evidence.shown and verdict.confirmation is not Confirmation.VANISHED:
                judged.sightings.append(sighting_row(row, verdict.event.visited_at, evidence))
    return judged


def _write(
    transaction: Transaction,
    loaded: Loaded,
    works: Sequence[tuple[PageWork, list[Event]]],
    diffs: dict[tuple[int, int], Stored],
    pinned: Sequence[str],
    now: datetime,
) -> None:
    """What the judgements leave behind: values, states, ledgers, and what is kept or no longer to do."""
    fields: list[Row] = []
    states: list[Row] = []
    settled: list[Row] = []
    for work, events in works:
        state = loaded.states[work.page_id]
        held = loaded.recall.fields_as_of(work.page_id, state["last_visit_no"], state["rules_id"])
        fields += field_rows(work, events, state, held)
        states.append(state_row(work, events, state))
        settled += settled_rows(work, events, state)
    transaction.execute("delete_field_values", batch=[{key: row[key] for key in FIELD_KEY} for row in fields])
    transaction.insert("field_values", fields)
    transaction.execute("update_classified", batch=states)
    ledgers = [row for work, _ in works for row in ledger_rows(work)]
    keys = [{key: row[key] for key in LEDGER_KEY} for row in ledgers]
    transaction.execute("delete_ledger_states", batch=keys)
    transaction.insert("ledger_states", ledgers)
    transaction.execute("settle_pages", batch=settled)
    done = [reading for work, _ in works for reading in loaded.readings[work.page_id]]
    keys = [{key: row[key] for key in ("page_id", "visit_no", "rules_id")} for row in done]
    transaction.execute("delete_readings", batch=keys)
    transaction.execute("merge_blobs", batch=blob_rows(list(diffs.values()), "diff", now, pin="change"))
    transaction.execute("pin_blobs", batch=[{"sha256": name} for name in dict.fromkeys(pinned)], pin="change")
