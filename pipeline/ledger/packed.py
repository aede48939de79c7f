"""A ledger as bytes for the database: little endian, the same bytes for the same state.

    header        15  version 1, trials 4, then how many: slots 2, seen 2, paths 2, pinned slots 2, pinned texts 2
    slot          10  kind 1, neighbour or masked text 2, path 2, trials since it last changed 2, count 2, widest 1
    seen text      4  the one met last at the end
    path          11  path 2, changed 4, total 4, widest 1
    pinned slot    5  kind 1, neighbour or masked text 2, path 2
    pinned text    4

Slots and paths are in rising order. As every part is bounded (`state`), so is the whole: `MAX_LEDGER_BYTES`.
"""

import struct
from collections.abc import Iterator
from typing import Any

from pipeline.errors import BlobError
from pipeline.ledger.slots import PathShare, Slot
from pipeline.ledger.state import MAX_PATHS, MAX_PINNED, MAX_SEEN, MAX_SLOTS, Ledger

__all__ = ["MAX_LEDGER_BYTES", "pack", "unpack"]

_VERSION = 1
_HEADER = struct.Struct("<BIHHHHH")
_SLOT = struct.Struct("<BHHHHB")
_TEXT = struct.Struct("<I")
_PATH = struct.Struct("<HIIB")
_PINNED = struct.Struct("<BHH")
_PARTS = (_SLOT, _TEXT, _PATH, _PINNED, _TEXT)
_MOST = 0xFFFFFFFF

MAX_LEDGER_BYTES = _HEADER.size + sum(
    part.size * most
    for part, most in zip(_PARTS, (MAX_SLOTS, MAX_SEEN, MAX_PATHS, MAX_PINNED, MAX_PINNED), strict=True)
)
"""No ledger is longer."""


def pack(ledger: Ledger) -> bytes:
    """The ledger as bytes; 15 for an empty one."""
    slots = [
        _SLOT.pack(*_split(key), ledger.trials - slot.trial, slot.hits, slot.widest)
        for key, slot in sorted(ledger.slots.items())
    ]
    parts = [
        slots,
        [_TEXT.pack(text) for text in ledger.seen],
        [
            _PATH.pack(path, min(share.changed, _MOST), min(share.total, _MOST), share.widest)
            for path, share in sorted(ledger.paths.items())
        ],
        [_PINNED.pack(*_split(key)) for key in ledger.pinned_slots],
        [_TEXT.pack(text) for text in ledger.pinned_texts],
    ]
    header = _HEADER.pack(_VERSION, ledger.trials, *map(len, parts))
    return header + b"".join(record for part in parts for record in part)


def unpack(packed: bytes) -> Ledger:
    """The inverse of `pack`.

    Raises:
        BlobError: Another version wrote it, or it is cut off.
    """
    if len(packed) < _HEADER.size or packed[0] != _VERSION:
        raise _damaged(packed)
    _, trials, *counts = _HEADER.unpack_from(packed)
    if len(packed) != _HEADER.size + sum(part.size * count for part, count in zip(_PARTS, counts, strict=True)):
        raise _damaged(packed)
    slots, seen, paths, pinned_slots, pinned_texts = _rows(packed, counts)
    return Ledger(
        trials=trials,
        slots={
            _joined(kind, neighbour, path): Slot(count, trials - age, widest)
            for kind, neighbour, path, age, count, widest in slots
        },
        seen=tuple(text for (text,) in seen),
        paths={path: PathShare(*share) for path, *share in paths},
        pinned_slots=tuple(_joined(*key) for key in pinned_slots),
        pinned_texts=tuple(text for (text,) in pinned_texts),
    )


def _rows(packed: bytes, counts: list[int]) -> Iterator[list[tuple[Any, ...]]]:
    start = _HEADER.size
    for part, count in zip(_PARTS, counts, strict=True):
        end = start + part.size * count
        yield list(part.iter_unpack(packed[start:end]))
        start = end


def _split(key: int) -> tuple[int, int, int]:
    return key >> 32, key >> 16 & 0xFFFF, key & 0xFFFF


def _joined(kind: int, neighbour: int, path: int) -> int:
    return kind << 32 | neighbour << 16 | path


def _damaged(packed: bytes) -> BlobError:
    return BlobError(f"packed ledger: {len(packed)} bytes are none of version {_VERSION}; the row is damaged")
