"""What a ledger holds, and how much of it at most."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.ledger.slots import PathShare, Slot

__all__ = ["MAX_PATHS", "MAX_PINNED", "MAX_SEEN", "MAX_SLOTS", "Ledger"]

MAX_SEEN = 512
"""Texts kept that came or went; those longest not met are let go. A page that rotates through more of them
still has its slots and paths."""
MAX_SLOTS = 256
"""Slots kept; the faintest are let go."""
MAX_PATHS = 32
"""Paths whose share is kept; those of which least changed are let go."""
MAX_PINNED = 128
"""Slots pinned, and texts pinned; the first pinned are let go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """What the noise of one page has taught. `Ledger()` knows nothing: with it every change is unexplained.

    Attributes:
        trials: Visits, or pairs of calibration fetches, that were learned from.
        slots: By slot key.
        seen: Text hashes that came or went in noise, the one met last at the end.
        paths: By path hash; only paths on which something came in noise.
        pinned_slots: Slot keys that never explain, the last pinned at the end.
        pinned_texts: Text hashes that never explain, likewise.
    """

    trials: int = 0
    slots: Mapping[int, Slot] = field(default_factory=dict)
    seen: tuple[int, ...] = ()
    paths: Mapping[int, PathShare] = field(default_factory=dict)
    pinned_slots: tuple[int, ...] = ()
    pinned_texts: tuple[int, ...] = ()
