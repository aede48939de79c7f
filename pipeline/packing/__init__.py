"""Blocks as bytes: hashes, packed blocks and diffs for the database, block lists for the blob store.

Nothing here knows how a block is read, masked or judged.
"""

from pipeline.packing.blocks import (
    MAX_DIFF_BYTES,
    PackedBlock,
    PackedChange,
    PackedDiff,
    pack_blocks,
    pack_diff,
    unpack_blocks,
    unpack_diff,
)
from pipeline.packing.documents import (
    decode_blocks,
    decode_earlier,
    decode_normal_blocks,
    encode_blocks,
    encode_normal_blocks,
)
from pipeline.packing.hashes import UNSPACED, count_words, distance, slot_text, text_hash64

__all__ = [
    "MAX_DIFF_BYTES",
    "UNSPACED",
    "PackedBlock",
    "PackedChange",
    "PackedDiff",
    "count_words",
    "decode_blocks",
    "decode_earlier",
    "decode_normal_blocks",
    "distance",
    "encode_blocks",
    "encode_normal_blocks",
    "pack_blocks",
    "pack_diff",
    "slot_text",
    "text_hash64",
    "unpack_blocks",
    "unpack_diff",
]
