"""The stages between a stored body and a fingerprint: extract, normalize, fingerprint.

Each reads its work list, works in memory and writes in short transactions, re-reading the work list there: what
another run has done meanwhile is skipped. Run again, each finds nothing to do.
"""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipeline import fingerprint as fingerprinter
from pipeline.codec import field_to_json
from pipeline.config import rules_from_json
from pipeline.engine.base import Engine, StageReport, chunks, scope_rows, span
from pipeline.engine.fetching import blob_rows
from pipeline.engine.registry import rules_ids_for
from pipeline.errors import BlobError
from pipeline.extract import Arrival
from pipeline.extract import extract as extract_body
from pipeline.model import Fingerprint, NormalBlock, Reading, Rules, SiteDay
from pipeline.normalize import normalize as normalize_blocks
from pipeline.packing import (
    decode_blocks,
    decode_earlier,
    decode_normal_blocks,
    encode_blocks,
    encode_normal_blocks,
    pack_diff,
)
from pipeline.warehouse import Session

__all__ = ["extract", "fingerprint", "normalize"]

Row = dict[str, Any]

_log = logging.getLogger(__name__)


def extract(engine: Engine, parts: Sequence[SiteDay]) -> StageReport:
    """Read each new body: fields, and visible text as blocks; one row in `readings` a visit.

    When a page's rules changed, its stored reference and baseline are read again under the new rules first.
    """
    report = StageReport(stage="extract")
    with engine.warehouse.session() as session:
        _drop_stale(engine, session, parts)
        work = session.rows("select_to_extract", batch=scope_rows(parts))
        again = _to_read_again(work)
        bodies = session.rows("select_visit_bodies", batch=again) if again else []
    pages = {row["page_id"]: row for row in work}
    work = [pages[row["page_id"]] | row | {"again": True} for row in bodies] + work
    for chunk in chunks(work):
        _extract_chunk(engine, parts, chunk, report)
    return report


def _drop_stale(engine: Engine, session: Session, parts: Sequence[SiteDay]) -> None:
    """Take back readings that a run left over and whose page got other rules meanwhile."""
    scope = scope_rows(parts)
    if scope and session.one("count_stale_readings", batch=scope)["readings"]:
        with session.transaction(stage="extract", run_id=engine.run_id, now=engine.clock.now()) as transaction:
            transaction.execute("delete_stale_readings", batch=scope)


def _to_read_again(work: Iterable[Row]) -> list[Row]:
    """Visits whose stored bodies must be read under the page's new rules before the new visit is judged."""
    return [
        {"page_id": row["page_id"], "visit_no": visit_no}
        for row in {row["page_id"]: row for row in work}.values()
        if row["last_good_visit_no"] is not None and row["read_rules_id"] != row["rules_id"]
        for visit_no in sorted({row["last_good_visit_no"], row["baseline_visit_no"], row["waiting_visit_no"]} - {None})
    ]


def _extract_chunk(engine: Engine, parts: Sequence[SiteDay], chunk: Sequence[Row], report: StageReport) -> None:
    now = engine.clock.now()
    readings: list[tuple[Row, Reading]] = []
    texts: list[bytes] = []
    for row in chunk:
        reading = _read(engine, row)
        if reading is None:
            report.counts["snapshot_gone"] += 1
            continue
        texts.append(encode_blocks(reading.blocks))
        readings.append((row, replace(reading, blocks=())))  # the blocks are in the text; holding them costs memory
    stored = engine.blobs.put_many(texts)
    site, day = span(parts)
    with engine.warehouse.session() as session:
        engine.blobs.put_again(stored, texts)
        keys = [{"page_id": row["page_id"], "visit_no": row["visit_no"]} for row, _ in readings]
        todo = {(row["page_id"], row["visit_no"]) for row in session.rows("select_still_to_extract", batch=keys)}
        with session.transaction(stage="extract", run_id=engine.run_id, now=now, site=site, day=day) as transaction:
            wanted = [
                (row, reading, blob[0])
                for (row, reading), blob in zip(readings, stored, strict=True)
                if row.get("again") or (row["page_id"], row["visit_no"]) in todo
            ]
            rules_ids = rules_ids_for(session, transaction, [reading.rules for _, reading, _ in wanted], now)
            rows = [
                _reading_row(*each, rules_id, transaction.commit_no)
                for each, rules_id in zip(wanted, rules_ids, strict=True)
            ]
            transaction.execute("delete_readings", batch=[_reading_key(row) for row in rows])
            transaction.insert("readings", rows)
            transaction.execute("merge_blobs", batch=blob_rows(stored, "text", now))
    report.counts["read"] += len(rows)


def _reading_row(row: Row, reading: Reading, text_sha256: str, rules_id: int, commit_no: int) -> Row:
    return {
        "page_id": row["page_id"],
        "visit_no": row["visit_no"],
        "site": row["site"],
        "day": row["day"],
        "rules_id": rules_id,
        "text_sha256": text_sha256,
        "extract_json": _extract_json(reading),
        "fingerprinted": False,
        "commit_no": commit_no,
    }


def _read(engine: Engine, row: Row) -> Reading | None:
    """Read one stored body; None when one that was to be read again is gone.

    Whatever goes wrong with one page is that page's: it is logged, its visit is `unreadable`, and the run goes on.
    """
    rules = rules_from_json(row["rules_json"])
    try:
        body = engine.blobs.get(row["body_sha256"])
    except BlobError:
        return None if row.get("again") else _unreadable(rules)  # said once, not tried again at every run
    headers = json.loads(row["headers_json"] or "{}")
    try:
        return extract_body(
            body,
            url=row["final_url"] or row["url"],
            content_type=headers.get("content-type"),
            rules=rules,
            arrival=_arrival(row),
            charset=row["charset"],
        )
    except Exception:  # noqa: BLE001  (one page never stops the others; it is logged with its traceback)
        _log.exception("page %s, visit %s of %s could not be read", row["page_id"], row["visit_no"], row["url"])
        return _unreadable(rules)


def _arrival(row: Row) -> Arrival | None:
    if row["final_url"] is None:
        return None
    return Arrival(asked=row["url"], final=row["final_url"], country=row["country"])


def _unreadable(rules: Rules) -> Reading:
    return Reading(
        page_type=rules.page_type, rules=rules, title=None, language=None, words=0, marks=("unreadable",),
        fields=(), blocks=(),
    )  # fmt: skip


def _extract_json(reading: Reading) -> str:
    packed = {
        "title": reading.title,
        "language": reading.language,
        "words": reading.words,
        "marks": list(reading.marks),
        "read_as": reading.read_as,
        "charset": reading.charset,
        "fields": [field_to_json(value) for value in reading.fields],
    }
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":"))


def _reading_key(row: Row) -> Row:
    return {key: row[key] for key in ("page_id", "visit_no", "rules_id")}


def normalize(engine: Engine, parts: Sequence[SiteDay]) -> StageReport:
    """Mask what is volatile in each new reading's blocks; fills `readings.normal_sha256`."""
    report = StageReport(stage="normalize")
    with engine.warehouse.session() as session:
        work = session.rows("select_readings", batch=scope_rows(parts), stage="normalize")
    for chunk in chunks(work):
        now = engine.clock.now()
        texts = [_normal_text(engine, row) for row in chunk]
        stored = engine.blobs.put_many(texts)
        site, day = span(parts)
        with (
            engine.warehouse.session() as session,
            session.transaction(stage="normalize", run_id=engine.run_id, now=now, site=site, day=day) as transaction,
        ):
            engine.blobs.put_again(stored, texts)
            marks = [
                _reading_key(row) | {"normal_sha256": blob[0], "commit_no": transaction.commit_no}
                for row, blob in zip(chunk, stored, strict=True)
            ]
            transaction.execute("mark_normalized", batch=marks)
            transaction.execute("merge_blobs", batch=blob_rows(stored, "text", now))
        report.counts["normalized"] += len(chunk)
    return report


def _normal_text(engine: Engine, row: Row) -> bytes:
    blocks = decode_blocks(engine.blobs.get(row["text_sha256"]))
    language = json.loads(row["extract_json"])["language"]
    masks = rules_from_json(row["rules_json"]).mask
    earlier = _earlier(engine, row["reference_sha256"], language)
    return encode_normal_blocks(normalize_blocks(blocks, language=language, masks=masks, earlier=earlier), language)


def _earlier(engine: Engine, sha256: str | None, language: str | None) -> tuple[NormalBlock, ...]:
    """What the blocks of a page's reference were made; none if that cannot be had, for it only saves work."""
    try:
        return decode_earlier(engine.blobs.get(sha256), language) if sha256 else ()
    except BlobError:
        return ()


def fingerprint(engine: Engine, parts: Sequence[SiteDay]) -> StageReport:
    """Simhash, exact hash and block hashes of each normalised reading.

    A row only if the text differs from the page's previous fingerprint; otherwise the earlier row stands.
    """
    report = StageReport(stage="fingerprint")
    with engine.warehouse.session() as session:
        work = session.rows("select_readings", batch=scope_rows(parts), stage="fingerprint")
        references = _reference_blocks(session, work)
    for chunk in chunks(work):
        made = [(row, _fingerprint(engine, row, references)) for row in chunk]
        _write_fingerprints(engine, parts, made, report)
    return report


def _fingerprint(engine: Engine, row: Row, references: Mapping[tuple[int, int], bytes]) -> Fingerprint:
    blocks = decode_normal_blocks(engine.blobs.get(row["normal_sha256"]))
    return fingerprinter.fingerprint(blocks, references.get((row["page_id"], row["rules_id"]), b""))


def _write_fingerprints(
    engine: Engine, parts: Sequence[SiteDay], made: Sequence[tuple[Row, Fingerprint]], report: StageReport
) -> None:
    now = engine.clock.now()
    site, day = span(parts)
    with engine.warehouse.session() as session:
        before = {
            (row["page_id"], row["visit_no"], row["rules_id"]): row
            for row in session.rows("select_fingerprints_as_of", batch=[_reading_key(row) for row, _ in made])
        }
        references = _reference_blocks(session, [row for row, _ in made])
        with session.transaction(stage="fingerprint", run_id=engine.run_id, now=now, site=site, day=day) as transaction:
            last: dict[tuple[int, int], int] = {}
            rows: list[Row] = []
            for row, made_of in made:
                key = (row["page_id"], row["rules_id"])
                as_of = before.get((row["page_id"], row["visit_no"], row["rules_id"]))
                previous = last.get(key, as_of["text_hash"] if as_of else None)
                if previous != made_of.text_hash:
                    rows.append(_fingerprint_row(row, made_of, references.get(key)))
                last[key] = made_of.text_hash
            transaction.execute("delete_fingerprints", batch=[_reading_key(row) for row in rows])
            transaction.insert("fingerprints", rows)
            marks = [_reading_key(row) | {"commit_no": transaction.commit_no} for row, _ in made]
            transaction.execute("mark_fingerprinted", batch=marks)
    report.counts["fingerprinted"] += len(made)
    report.counts["text_changed"] += len(rows)


def _reference_blocks(session: Session, readings: Iterable[Row]) -> dict[tuple[int, int], bytes]:
    """Packed blocks of the reference of each reading's page by (page_id, rules_id)."""
    pages = [{"page_id": page_id} for page_id in {row["page_id"] for row in readings}]
    rows = session.rows("select_reference_blocks", batch=pages) if pages else []
    return {(row["page_id"], row["rules_id"]): row["blocks"] for row in rows if row["blocks"] is not None}


def _fingerprint_row(row: Row, made_of: Fingerprint, reference: bytes | None) -> Row:
    return {key: row[key] for key in ("page_id", "visit_no", "site", "day", "rules_id")} | {
        "text_hash": made_of.text_hash,
        "simhash": made_of.simhash,
        "word_count": made_of.word_count,
        "block_count": made_of.block_count,
        "blocks": made_of.blocks,
        "block_diff": None if reference is None else pack_diff(reference, made_of.blocks),
        "text_sha256": row["normal_sha256"],
    }
