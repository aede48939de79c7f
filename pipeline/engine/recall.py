"""From rows and blobs back to the records that classify compares."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pipeline.blobs import BlobStore
from pipeline.classify import Memory, Seen
from pipeline.codec import decode_diff, field_from_json, field_to_json
from pipeline.config import rules_from_json
from pipeline.engine.pagework import Candidate, Event
from pipeline.errors import BlobError
from pipeline.model import FieldState, FieldType, FieldValue, Fingerprint, Media, Purpose, Version
from pipeline.packing import decode_normal_blocks

__all__ = ["Recall", "field_row", "field_value"]

Row = dict[str, Any]


class Recall:
    """What the rows of some pages mean.

    Args:
        blobs: Where texts and diffs lie.
        fingerprints: Rows by (page_id, visit_no, rules_id), as of those visits.
        fields: Rows by (page_id, visit_no, rules_id), as of those visits.
        shared: How many pages of the site show the text of a visit too, by (page_id, visit_no).
    """

    def __init__(
        self,
        blobs: BlobStore,
        fingerprints: Mapping[tuple[int, int, int], Row],
        fields: Mapping[tuple[int, int, int], Iterable[Row]],
        shared: Mapping[tuple[int, int], int],
    ) -> None:
        self._blobs = blobs
        self._fingerprints = fingerprints
        self._fields = fields
        self._shared = shared

    def event(self, row: Row) -> Event:
        """A fingerprinted reading with its visit."""
        packed = json.loads(row["extract_json"])
        fields = {item["name"]: field_from_json(item) for item in packed["fields"]}
        version = Version(
            visit_no=row["visit_no"],
            body_sha256=row["body_sha256"],
            fields=fields,
            blocks=decode_normal_blocks(self._blobs.get(row["normal_sha256"])),
            fingerprint=_fingerprint(self._fingerprints[row["page_id"], row["visit_no"], row["rules_id"]]),
            language=packed["language"],
            charset=packed.get("charset"),
        )
        purpose = Purpose(row["purpose"])
        return Event(
            visit_no=row["visit_no"],
            day=row["day"],
            visited_at=row["visited_at"],
            purpose=purpose,
            body_sha256=row["body_sha256"],
            rules_id=row["rules_id"],
            rules=rules_from_json(row["rules_json"]),
            seen=Seen(
                purpose=purpose,
                marks=tuple(packed["marks"]),
                version=version,
                at=row["visited_at"],
                shared_by=self._shared.get((row["page_id"], row["visit_no"]), 0),
                country=row["country"],
                read_as=Media(packed["read_as"]) if packed.get("read_as") else None,
            ),
            again=row["judged"],
            text_sha256=row["normal_sha256"],
        )

    def memory(self, state: Row) -> Memory:
        """Reference and baseline of a page."""
        page_id, reference_no, baseline_no = (
            state["page_id"],
            state["last_good_visit_no"],
            state["baseline_visit_no"],
        )
        if reference_no is None:
            return Memory()
        baseline = self._fingerprints.get((page_id, baseline_no, state["read_rules_id"]))
        reference = self._version(
            page_id, reference_no, state["read_rules_id"], state["body_sha256"], state["text_sha256"]
        )
        return Memory(
            reference=reference and replace(reference, language=state["language"], charset=state["charset"]),
            baseline_visit_no=baseline_no,
            baseline_simhash=baseline["simhash"] if baseline else None,
            rebaseline=reference is None,
        )

    def candidate(self, row: Row, body_sha256: str) -> Candidate | None:
        """A waiting candidate from its judgement row; None when its text is gone."""
        found = self._fingerprints.get((row["page_id"], row["visit_no"], row["rules_id"]))
        text_sha256 = found["text_sha256"] if found else None
        version = self._version(row["page_id"], row["visit_no"], row["rules_id"], body_sha256, text_sha256)
        if version is None or row["diff_sha256"] is None:
            return None
        _, changes = decode_diff(self._blobs.get(row["diff_sha256"]))
        return Candidate(row=row, version=version, changes=changes, text_sha256=text_sha256)

    def fields_as_of(self, page_id: int, visit_no: int, rules_id: int) -> dict[str, FieldValue]:
        """Field values of a page at a visit as those rules read them, by name."""
        return {row["field_name"]: field_value(row) for row in self._fields.get((page_id, visit_no, rules_id), ())}

    def _version(
        self, page_id: int, visit_no: int, rules_id: int, body_sha256: str, text_sha256: str | None
    ) -> Version | None:
        found = self._fingerprints.get((page_id, visit_no, rules_id))
        if found is None or text_sha256 is None:
            return None
        try:
            blocks = decode_normal_blocks(self._blobs.get(text_sha256))
        except BlobError:
            return None
        return Version(
            visit_no=visit_no,
            body_sha256=body_sha256,
            fields=self.fields_as_of(page_id, visit_no, rules_id),
            blocks=blocks,
            fingerprint=_fingerprint(found),
        )


def _fingerprint(row: Row) -> Fingerprint:
    return Fingerprint(
        text_hash=row["text_hash"],
        simhash=row["simhash"],
        word_count=row["word_count"],
        block_count=row["block_count"],
        blocks=row["blocks"] or b"",
    )


def field_value(row: Row) -> FieldValue:
    """A row of `field_values` as a record."""
    members = row["list_value"]
    return FieldValue(
        name=row["field_name"],
        type=FieldType(row["field_type"]),
        state=FieldState(row["field_state"]),
        source=row["source"],
        text=row["text_value"],
        number=_trim(row["number_value"]),
        high=_trim(row["number_high"]),
        currency=row["currency"],
        moment=row["moment_value"],
        boolean=row["bool_value"],
        members=None if members is None else tuple(members),
        raw=row["raw_text"],
        repaired=row["repaired"],
        rival=field_from_json(json.loads(row["rival_json"])) if row["rival_json"] else None,
    )


def field_row(value: FieldValue) -> Row:
    """The columns of `field_values` that a record fills."""
    return {
        "field_name": value.name,
        "field_type": value.type,
        "field_state": value.state,
        "text_value": value.text,
        "number_value": value.number,
        "number_high": value.high,
        "currency": value.currency,
        "moment_value": value.moment,
        "bool_value": value.boolean,
        "list_value": None if value.members is None else list(value.members),
        "raw_text": value.raw,
        "source": value.source,
        "repaired": value.repaired,
        "rival_json": None if value.rival is None else json.dumps(field_to_json(value.rival), ensure_ascii=False),
    }


def _trim(number: Decimal | None) -> Decimal | None:
    """Without the column's trailing zeros: 89.00000000 is 89."""
    if number is None:
        return None
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number.normalize()
