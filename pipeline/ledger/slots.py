"""Slots: the places of a page in which changes are counted, and the counts, which fade.

A slot key is `kind << 32 | a << 16 | path`, exact in the hashes that a packed block and a packed diff have, so that the
same key comes out of two block lists and out of a stored diff, in every process. What it can confuse: an edited block
is taken for another one of the same path when 16 bits agree by chance, 1 in 65,536 for each known slot of that path.
"""

from enum import IntEnum
from itertools import accumulate
from typing import NamedTuple

from pipeline.ledger.changes import Change

__all__ = ["ONE", "PathShare", "Place", "Slot", "earlier", "fade", "faded", "place_key", "slots_of"]

ONE = 256
"""One trial in a count, one block in a share: counts are whole 256ths, so that they are equal on every machine."""

_HALF_LIFE = 60
"""Trials of noise after which a count has halved."""

_FADING: tuple[int, ...] = tuple(round(65536 * 0.5 ** (age / _HALF_LIFE)) for age in range(16 * _HALF_LIFE))
"""By age in trials, in 65,536ths; older is nothing."""

_EARLIER = tuple(accumulate(_FADING))


class Place(IntEnum):
    """How a slot names its place: by the text around a number, or by the standing neighbour before or after it."""

    LITERAL = 0
    BEFORE = 1
    AFTER = 2


class Slot(NamedTuple):
    """How often a place changed.

    Attributes:
        hits: In 256ths of a trial, as it was at `trial`.
        trial: Number of the trial in which it last changed.
        widest: Words of the longest block that changed there, at most 255.
    """

    hits: int
    trial: int
    widest: int


class PathShare(NamedTuple):
    """How much of a tag path changes.

    Attributes:
        changed: Blocks added in trials of noise, in 256ths, fading.
        total: Blocks there were, likewise.
        widest: Words of the longest block that came there, at most 255.
    """

    changed: int
    total: int
    widest: int


def place_key(place: Place, neighbour: int, path: int) -> int:
    """The key of a slot of 34 bits.

    Args:
        place: How it is named.
        neighbour: 16 bits: of the masked text for a literal slot, otherwise of the neighbour's text.
        path: 16 bits of the tag path of the block that changed.
    """
    return place << 32 | neighbour << 16 | path


def slots_of(change: Change) -> tuple[int, int, int]:
    """The literal slot of a changed block, and its slots by the neighbour before and after."""
    path = change.block.path
    return (
        change.literal,
        Place.BEFORE << 32 | change.before << 16 | path,
        Place.AFTER << 32 | change.after << 16 | path,
    )


def fade(value: int) -> int:
    """A count one trial later; rounded down, so that none stands still above 0."""
    return value * _FADING[1] >> 16


def earlier(blocks: int, trials: int) -> int:
    """The total of a path that stood still so far: as if it always had so many blocks; in 256ths, faded."""
    return blocks * _EARLIER[min(trials, len(_EARLIER)) - 1] * ONE >> 16 if trials else 0


def faded(slot: Slot, trials: int) -> int:
    """The count of a slot after so many trials in all, in 256ths."""
    age = trials - slot.trial
    return slot.hits * _FADING[age] >> 16 if age < len(_FADING) else 0
