"""Records to and from JSON: for the work list, the diff blobs and what commands print."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from pipeline.model import (
    BlockChange,
    BlockOp,
    ChangeType,
    FieldChange,
    FieldState,
    FieldType,
    FieldValue,
    Judgement,
    Region,
)

__all__ = [
    "decode_diff",
    "encode_diff",
    "field_from_json",
    "field_to_json",
    "plain_decimal",
    "printed_block",
    "printed_field_change",
    "printed_value",
    "reasons_of",
]

Json = dict[str, Any]

WITHOUT_DECIMALS = frozenset("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split())
"""Currencies without a minor unit (ISO 4217, table A.1)."""

MAX_REASONS = 20
"""Blocks named in a judgement row; the diff blob holds them all."""


def field_to_json(value: FieldValue) -> Json:
    """A field value as JSON types; attributes that are None or False are left out."""
    packed: Json = {"name": value.name, "type": value.type, "state": value.state, "source": value.source}
    optional = {
        "text": value.text,
        "number": None if value.number is None else str(value.number),
        "high": None if value.high is None else str(value.high),
        "currency": value.currency,
        "moment": value.moment.isoformat() if value.moment else None,
        "boolean": value.boolean,
        "members": None if value.members is None else list(value.members),
        "raw": value.raw,
        "repaired": value.repaired or None,
        "rival": None if value.rival is None else field_to_json(value.rival),
    }
    return packed | {key: item for key, item in optional.items() if item is not None}


def field_from_json(packed: Mapping[str, Any]) -> FieldValue:
    """The inverse of `field_to_json`."""
    return FieldValue(
        name=packed["name"],
        type=FieldType(packed["type"]),
        state=FieldState(packed["state"]),
        source=packed["source"],
        text=packed.get("text"),
        number=_decimal(packed.get("number")),
        high=_decimal(packed.get("high")),
        currency=packed.get("currency"),
        moment=datetime.fromisoformat(packed["moment"]) if packed.get("moment") else None,
        boolean=packed.get("boolean"),
        members=tuple(packed["members"]) if packed.get("members") is not None else None,
        raw=packed.get("raw"),
        repaired=packed.get("repaired", False),
        rival=field_from_json(packed["rival"]) if packed.get("rival") else None,
    )


def printed_value(value: FieldValue) -> Any:
    """A field's value as people and programs read it on a command's output.

    Returns:
        None unless the state is `value`; a price as `{"amount", "currency", "high"?}`, number and duration as a
        decimal string, a list as a list, a bool as a bool, anything else as its canonical text.
    """
    if value.state is not FieldState.VALUE:
        return None
    match value.type:
        case FieldType.PRICE:
            price: Json = {"amount": _amount(value.number, value.currency), "currency": value.currency}
            return price if value.high is None else price | {"high": _amount(value.high, value.currency)}
        case FieldType.NUMBER:
            return _plain(value.number)
        case FieldType.DURATION:
            return (
                int(value.number)
                if value.number is not None and value.number == int(value.number)
                else _plain(value.number)
            )
        case FieldType.LIST:
            return list(value.members or ())
        case FieldType.BOOL:
            return value.boolean
        case _:
            return value.text


def printed_field_change(change: FieldChange) -> Json:
    """A field change as `{"name", "old", "new"}`; a state other than `value` is null."""
    return {"name": change.name, "old": printed_value(change.old), "new": printed_value(change.new)}


def printed_block(change: BlockChange) -> Json:
    """A block change as `{"op", "old", "new", "region", "explained_by"}`."""
    return {
        "op": change.op,
        "old": change.old,
        "new": change.new,
        "region": change.region,
        "explained_by": change.explained_by,
    }


def reasons_of(judgement: Judgement) -> list[Json]:
    """Why a judgement is what it is: `{"step", "block", "explained_by"}` each, unexplained blocks first.

    One that is not good has a single reason, explained by its sign. Where a body was read as something else than it was
    called, that stands at the end: `{"step": "media", ...}`.
    """
    lying: list[Json] = (
        [{"step": "media", "block": None, "explained_by": judgement.read_as}] if judgement.read_as else []
    )
    reasons: list[Json] = [
        {"step": "fields", "block": change.name, "explained_by": None}
        for change in judgement.field_changes
        if change.decides
    ]
    blocks = sorted(judgement.block_changes, key=lambda change: change.explained_by is not None)
    reasons += [
        {
            "step": "blocks",
            "block": _short(change.new or change.old or ""),
            "explained_by": change.explained_by,
        }
        for change in blocks
    ]
    whole: list[Json] = [{"step": judgement.kind_reason, "block": None, "explained_by": judgement.sign}]
    return (reasons[:MAX_REASONS] or whole) + lying


def encode_diff(field_changes: Sequence[FieldChange], block_changes: Sequence[BlockChange]) -> bytes:
    """The readable diff of a judgement as data: what the review queue, route and people read later."""
    fields = [
        {
            "old": field_to_json(change.old),
            "new": field_to_json(change.new),
            "change_type": change.change_type,
            "decides": change.decides,
            "disputed": change.disputed,
            "members_added": list(change.members_added),
            "members_removed": list(change.members_removed),
        }
        for change in field_changes
    ]
    packed = {"version": 1, "fields": fields, "blocks": [printed_block(change) for change in block_changes]}
    return json.dumps(packed, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def decode_diff(data: bytes) -> tuple[tuple[FieldChange, ...], tuple[BlockChange, ...]]:
    """The inverse of `encode_diff`."""
    packed = json.loads(data)
    fields = tuple(
        FieldChange(
            name=item["new"]["name"],
            type=FieldType(item["new"]["type"]),
            change_type=ChangeType(item["change_type"]),
            old=field_from_json(item["old"]),
            new=field_from_json(item["new"]),
            decides=item["decides"],
            disputed=item.get("disputed", False),
            members_added=tuple(item["members_added"]),
            members_removed=tuple(item["members_removed"]),
        )
        for item in packed["fields"]
    )
    blocks = tuple(
        BlockChange(
            op=BlockOp(item["op"]),
            old=item["old"],
            new=item["new"],
            region=Region(item["region"]),
            explained_by=item["explained_by"],
        )
        for item in packed["blocks"]
    )
    return fields, blocks


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _amount(number: Decimal | None, currency: str | None) -> str | None:
    """A price with the decimals its currency is written with, and more only if it has more."""
    plain = _plain(number)
    if plain is None or currency in WITHOUT_DECIMALS:
        return plain
    whole, _, fraction = plain.partition(".")
    return f"{whole}.{fraction:0<2}"


def plain_decimal(number: Decimal) -> str:
    """A decimal as digits, exact, without trailing zeros or exponent: a column adds zeros that the page never had."""
    plain = format(number, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _plain(number: Decimal | None) -> str | None:
    return None if number is None else plain_decimal(number)


def _short(text: str, limit: int = 120) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
