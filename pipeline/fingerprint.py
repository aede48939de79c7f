"""What is kept of a text to compare it by: an exact hash, a simhash, the packed block hashes.

The simhash is over the *set* of word 3-grams of the normal texts joined by line feeds. A token is what stands between
white space, case kept, punctuation attached; each character of a script without spaces is a token of its own. A
3-gram is mixed from the xxh3-64 hashes of its tokens, so no string is built for it.

Sources: Charikar 2002, "Similarity estimation techniques from rounding algorithms", section 3, for the sign of the sum
over hashed features; Manku, Jain, Das Sarma 2007, "Detecting near-duplicates for web crawling", for 64 bits.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
import xxhash

from pipeline.model import Fingerprint, NormalBlock
from pipeline.packing import UNSPACED, count_words, pack_blocks, text_hash64

__all__ = ["FINGERPRINT_VERSION", "fingerprint", "simhash64"]

FINGERPRINT_VERSION = 2
"""Raised whenever the same blocks could give another fingerprint."""

_Hashes = npt.NDArray[np.uint64]

_ALONE, _BLANK = 1, 2
"""Sorts of code points: a token of its own, and white space."""
_CODES = 0x40000
"""From here on no code point is either."""
_LAST_BLANK = 0x3000
"""The ideographic space; no white space is beyond (Unicode 16.0)."""

_GRAM = 3
"""Tokens a feature. One changed word of 300 moves 3.0 bits, against 1.0 with single words (measured over 200 texts)."""

# One odd factor a place in the 3-gram, so that order counts: splitmix64's increment (2**64 over the golden ratio) and
# its two multipliers. Then splitmix64's finaliser, after which every bit depends on every token.
# Source: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators", figure 14 (variant 13 of Stafford).
_PLACES = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_FINAL = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_FINAL_SHIFT = 31

_BITS = 64
_LANE = 255
"""Features summed in one unsigned byte before it could overflow."""
_CHUNK = _LANE * 256
"""Features unpacked at a time: 4 MB of bits."""


def fingerprint(blocks: Sequence[NormalBlock], earlier: bytes = b"") -> Fingerprint:
    """The fingerprint of a page's normal blocks in reading order.

    The text is the normal texts joined by line feeds; equal texts give equal `text_hash` and `simhash`, and
    practically (1 in 2**64) only they the same `text_hash`. No blocks: simhash 0.

    Args:
        blocks: In reading order.
        earlier: Packed blocks of an earlier text of the page, as for `pack_blocks`.
    """
    text = "\n".join(block.normal for block in blocks)
    return Fingerprint(
        text_hash=text_hash64(text),
        simhash=simhash64(text),
        word_count=count_words(text),
        block_count=len(blocks),
        blocks=pack_blocks(blocks, earlier),
    )


def simhash64(text: str) -> int:
    """The 64-bit simhash over the set of word 3-grams of a text, unsigned.

    Bit i is 1 when more than half of the distinct 3-grams have it; a tie is 0. A text of one or two tokens is one
    3-gram whose missing tokens hash to 0; a text without any token is 0.
    """
    hashes = _token_hashes(text)
    if not len(hashes):
        return 0
    if len(hashes) < _GRAM:
        hashes = np.concatenate([hashes, np.zeros(_GRAM - len(hashes), np.uint64)])
    grams = _distinct(_mix(hashes))
    ones = _ones_by_bit(grams)
    return int.from_bytes(np.packbits(2 * ones > len(grams), bitorder="little").tobytes(), "little")


def _token_hashes(text: str) -> _Hashes:
    """xxh3-64 of each token, in order."""
    encoded = text.encode("utf-8", "surrogatepass")
    if not text.isascii() and _may_be_unspaced(encoded):
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        sorts = _sorts()[np.minimum(codes, _CODES)]
        if _ALONE in sorts:
            return _with_characters(codes, sorts)
    return _hashed(encoded)


def _hashed(encoded: bytes) -> _Hashes:
    """xxh3-64 of what stands between ASCII white space in UTF-8."""
    return np.frombuffer(b"".join(map(xxhash.xxh3_64_digest, encoded.split())), dtype=">u8").astype(np.uint64)


def _may_be_unspaced(encoded: bytes) -> bool:
    """Whether a text in UTF-8 can hold a character of a script without spaces.

    Theirs are of three bytes or more, and none begins with E2, as quotes, dashes and bullets do. Ten times as fast as
    the pattern.
    """
    lead = np.frombuffer(encoded, np.uint8)
    return bool(((lead >= 0xE0) & (lead != 0xE2)).any())  # noqa: PLR2004


def _with_characters(codes: npt.NDArray[np.uint32], sorts: npt.NDArray[np.uint8]) -> _Hashes:
    """Hashes of the tokens of a text some of whose characters are tokens of their own.

    Args:
        codes: The text's code points.
        sorts: What each is: _ALONE, _BLANK or 0.
    """
    alone = sorts == _ALONE
    words = (
        np.where(sorts == 0, codes, np.uint32(ord(" "))).astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    )
    between = sorts != 0
    starts = ~between
    starts[1:] &= between[:-1]
    is_character = alone[alone | starts]
    hashes = np.empty(len(is_character), np.uint64)
    hashes[is_character] = _character_hashes()[codes[alone]]
    hashes[~is_character] = _hashed(words.encode("utf-8", "surrogatepass"))
    return hashes


@cache
def _sorts() -> npt.NDArray[np.uint8]:
    """_ALONE, _BLANK or 0 for each code point below _CODES, and 0 for all from there."""
    sorts = np.zeros(_CODES + 1, np.uint8)
    sorts[[code for code in range(_LAST_BLANK + 1) if chr(code).isspace()]] = _BLANK
    for first, last in zip(UNSPACED[::3], UNSPACED[2::3], strict=True):
        sorts[ord(first) : ord(last) + 1] = _ALONE
    return sorts


@cache
def _character_hashes() -> _Hashes:
    """xxh3-64 of the UTF-8 of each _ALONE code point, 2 MB; takes 20 ms, once and only for scripts without spaces."""
    hashes = np.zeros(_CODES, np.uint64)
    alone = np.flatnonzero(_sorts() == _ALONE)
    hashes[alone] = _hashed(" ".join(map(chr, alone.tolist())).encode())
    return hashes


def _mix(hashes: _Hashes) -> _Hashes:
    """One hash for each run of three, modulo 2**64."""
    count = len(hashes) - _GRAM + 1
    grams = np.zeros(count, np.uint64)
    for place, factor in enumerate(_PLACES):
        grams += hashes[place : place + count] * np.uint64(factor)
    for shift, factor in _FINAL:
        grams ^= grams >> np.uint64(shift)
        grams *= np.uint64(factor)
    grams ^= grams >> np.uint64(_FINAL_SHIFT)
    return grams


def _distinct(grams: _Hashes) -> _Hashes:
    """Each hash once. Sorting beats `numpy.unique` here by 65 to 3 ns a token (numpy 2.4)."""
    grams = np.sort(grams)
    first = np.ones(len(grams), np.bool_)
    np.not_equal(grams[1:], grams[:-1], out=first[1:])
    return grams[first]


def _ones_by_bit(grams: _Hashes) -> npt.NDArray[np.int64]:
    """How many hashes have each of the 64 bits set; shape (64,), bit 0 first."""
    ones = np.zeros(_BITS, np.int64)
    for start in range(0, len(grams), _CHUNK):
        chunk = grams[start : start + _CHUNK]
        padded = np.concatenate([chunk, np.zeros(-len(chunk) % _LANE, np.uint64)]).astype("<u8")
        bits = np.unpackbits(padded.view(np.uint8), bitorder="little").reshape(-1, _LANE, _BITS)
        ones += bits.sum(axis=1, dtype=np.uint8).sum(axis=0, dtype=np.int64)
    return ones
