"""A ledger made ready to ask: sets and faded counts, built once for a comparison."""

from pipeline.ledger.changes import Change
from pipeline.ledger.slots import ONE, Place, faded, place_key, slots_of
from pipeline.ledger.state import Ledger

__all__ = ["Known"]

_EXPLAINS = ONE // 4
"""A slot explains from this count on: one change in noise does for 120 trials."""
_STANDS = 2 * ONE
"""A block that bounded a volatile slot in two trials is no part of that slot when it goes and nothing comes."""
_PATH_BLOCKS, _PATH_TRIALS = 6 * ONE, 3
"""A path explains after so many blocks and trials: it reaches over the whole page, so one noisy visit is too little."""
_WIDER, _WIDER_WORDS = 2, 8
"""A slot or path explains blocks of at most twice the words of the longest that came or went there, and 8 more."""


class Known:
    """Questions to one state of a ledger.

    Attributes:
        texts: Those that came or went in noise.
        literals: `masked << 16 | path` of the blocks whose numbers vary.
    """

    __slots__ = ("_counts", "_ledger", "_paths", "_pinned_slots", "_pinned_texts", "literals", "texts")

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._counts = {
            key: count for key, slot in ledger.slots.items() if (count := faded(slot, ledger.trials)) >= _EXPLAINS
        }
        self._pinned_slots = frozenset(ledger.pinned_slots)
        self._pinned_texts = frozenset(ledger.pinned_texts)
        self._paths = {
            path: share.widest
            for path, share in ledger.paths.items()
            if ledger.trials >= _PATH_TRIALS and share.total >= _PATH_BLOCKS and 2 * share.changed > share.total
        }
        self.texts = frozenset(ledger.seen)
        self.literals = frozenset(key for key in self._counts if key >> 32 == Place.LITERAL)

    def pinned(self, change: Change) -> bool:
        """Whether a person said that this text, or a change in this place, matters."""
        if change.block.text in self._pinned_texts:
            return True
        return bool(self._pinned_slots) and not self._pinned_slots.isdisjoint(slots_of(change))

    def slot_explains(self, change: Change) -> bool:
        """Whether blocks of about its length keep changing between its neighbours."""
        _, before, after = slots_of(change)
        return any(key in self._counts and _fits(change, self._ledger.slots[key].widest) for key in (before, after))

    def path_explains(self, change: Change) -> bool:
        """Whether most of what stands on its path keeps changing, with blocks of about its length."""
        widest = self._paths.get(change.block.path)
        return widest is not None and _fits(change, widest)

    def bounds(self, text: int, path: int, *, replaced: bool) -> bool:
        """Whether a block is one that a volatile slot lies beside, so that it stood still while the slot changed.

        With changes on both its sides it is rather an entry of a rotating list that happened to stay.

        Args:
            text: The hash of its text.
            path: Of the blocks that change in that slot.
            replaced: Something came where it went; otherwise one trial is too little to tell, for the oldest entry of
                a list of news was beside a new one the day before it goes.
        """
        enough = _EXPLAINS if replaced else _STANDS
        anchor = text & 0xFFFF
        after_it = self._counts.get(place_key(Place.BEFORE, anchor, path), 0)
        before_it = self._counts.get(place_key(Place.AFTER, anchor, path), 0)
        return max(after_it, before_it) >= enough and not (after_it and before_it)


def _fits(change: Change, widest: int) -> bool:
    return change.block.words <= _WIDER * widest + _WIDER_WORDS
