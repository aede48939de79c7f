"""Block hashes and their differences as bytes for the database. All integers are little endian."""

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from pipeline.errors import BlobError
from pipeline.model import BlockOp, NormalBlock
from pipeline.packing.hashes import count_words, slot_text, text_hash64

__all__ = [
    "MAX_DIFF_BYTES",
    "PackedBlock",
    "PackedChange",
    "PackedDiff",
    "pack_blocks",
    "pack_diff",
    "unpack_blocks",
    "unpack_diff",
]

MAX_DIFF_BYTES = 4096
"""A larger packed diff is not stored: column `fingerprints.block_diff`."""

_BLOCK = struct.Struct("<IHHB")  # 9 bytes: text, masked, path, words


class PackedBlock(NamedTuple):
    """What is kept of a block to compare it by.

    Attributes:
        text: Low 32 bits of the hash of the normal text.
        masked: Low 16 bits of the hash of `slot_text` of the normal text.
        path: Low 16 bits of the hash of the tag path.
        words: Words of the normal text, 255 for more.
    """

    text: int
    masked: int
    path: int
    words: int


_AS_BLOCK = partial(tuple.__new__, PackedBlock)
"""`PackedBlock._make` without its check of the length, in a third of its time."""


def pack_blocks(blocks: Sequence[NormalBlock], earlier: bytes = b"") -> bytes:
    """Blocks as 9 bytes each, in their order: text hash 4, masked hash 2, tag path hash 2, words 1.

    Args:
        blocks: In reading order.
        earlier: Packed blocks of an earlier text of the page. What was counted of a block that recurs is taken over.

    Raises:
        BlobError: The length of `earlier` is no multiple of 9.
    """
    known = {text: (masked, words) for text, masked, _, words in _rows(earlier)}
    paths: dict[str, int] = {}
    packed = []
    for block in blocks:
        text = text_hash64(block.normal) & 0xFFFFFFFF
        counted = known.get(text)
        if counted is None:
            counted = known[text] = _counted(block.normal)
        path = paths.get(block.path)
        if path is None:
            path = paths[block.path] = text_hash64(block.path) & 0xFFFF
        packed.append(_BLOCK.pack(text, counted[0], path, counted[1]))
    return b"".join(packed)


def _counted(normal: str) -> tuple[int, int]:
    """Masked hash and words."""
    return text_hash64(slot_text(normal)) & 0xFFFF, min(count_words(normal), 255)


def unpack_blocks(packed: bytes) -> list[PackedBlock]:
    """The inverse of `pack_blocks`, as far as hashes go.

    Raises:
        BlobError: The length is no multiple of 9.
    """
    return list(map(_AS_BLOCK, _rows(packed)))


def _rows(packed: bytes) -> list[tuple[int, int, int, int]]:
    if len(packed) % _BLOCK.size:
        raise BlobError(f"packed blocks: {len(packed)} bytes are no multiple of {_BLOCK.size}; the row is damaged")
    return list(_BLOCK.iter_unpack(packed))


# ── packed diffs ─────────────────────────────────────────────────────────────

_DIFF_VERSION = 1
_DIFF_HEADER = struct.Struct("<BII")  # 9 bytes: version, blocks before, blocks after
_DIFF_CHANGE = struct.Struct("<BIHHBHH")  # 14 bytes: op, the block's 9 bytes, anchor before, anchor after
_REMOVED, _ADDED = 0, 1
_NO_ANCHOR = 0
_OPS = (BlockOp.REMOVED, BlockOp.ADDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedChange:
    """One block that is on one side only.

    Attributes:
        op: `removed` or `added`; a replaced block is one of each.
        before: Low 16 bits of the text hash of the nearest block before it that both sides have; 0 at the start.
        after: The same after it; 0 at the end.
    """

    op: BlockOp
    block: PackedBlock
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedDiff:
    """What changed between two lists of blocks.

    Attributes:
        old_count: Blocks before.
        new_count: Blocks after.
        changes: The removed blocks, then the added ones, each in reading order.
    """

    old_count: int
    new_count: int
    changes: tuple[PackedChange, ...]


def pack_diff(old: bytes, new: bytes) -> bytes | None:
    """The multiset difference of two packed block lists on the text hash; moved blocks are no change.

    A header of 9 bytes (version 1, old count 4, new count 4), then 14 bytes a changed block: op 1 (0 removed,
    1 added), the block's 9 bytes, the anchors before and after it 2 bytes each.

    Returns:
        None when it would be longer than `MAX_DIFF_BYTES`, which is 291 changed blocks.

    The anchors are the nearest blocks that both sides have: they name the place of a change by what stands around it,
    which stays while the place itself varies from visit to visit.
    """
    removed, added = _rows(old), _rows(new)
    common = Counter(row[0] for row in removed) & Counter(row[0] for row in added)
    records = [_DIFF_HEADER.pack(_DIFF_VERSION, len(removed), len(added))]
    records += _changes(_REMOVED, removed, common.copy())
    records += _changes(_ADDED, added, common)
    packed = b"".join(records)
    return packed if len(packed) <= MAX_DIFF_BYTES else None


def _changes(op: int, rows: list[tuple[int, int, int, int]], common: Counter[int]) -> list[bytes]:
    """One record for each row beyond the common ones; of equal blocks the first are the common ones."""
    records: list[bytes] = []
    run: list[tuple[int, int, int, int]] = []
    before = _NO_ANCHOR
    for row in rows:
        text = row[0]
        if common[text] > 0:
            common[text] -= 1
            anchor = text & 0xFFFF
            records += (_DIFF_CHANGE.pack(op, *changed, before, anchor) for changed in run)
            run.clear()
            before = anchor
        else:
            run.append(row)
    records += (_DIFF_CHANGE.pack(op, *changed, before, _NO_ANCHOR) for changed in run)
    return records


def unpack_diff(packed: bytes) -> PackedDiff:
    """The inverse of `pack_diff`.

    Raises:
        BlobError: Another version wrote it, or it is cut off.
    """
    body = packed[_DIFF_HEADER.size :]
    if len(packed) < _DIFF_HEADER.size or packed[0] != _DIFF_VERSION or len(body) % _DIFF_CHANGE.size:
        raise BlobError(f"packed diff: {len(packed)} bytes are none of version {_DIFF_VERSION}; the row is damaged")
    _, old_count, new_count = _DIFF_HEADER.unpack_from(packed)
    changes = tuple(
        PackedChange(
            op=_OPS[op],
            block=PackedBlock(text=text, masked=masked, path=path, words=words),
            before=before,
            after=after,
        )
        for op, text, masked, path, words, before, after in _DIFF_CHANGE.iter_unpack(body)
    )
    return PackedDiff(old_count=old_count, new_count=new_count, changes=changes)
