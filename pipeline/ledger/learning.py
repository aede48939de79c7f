"""What a ledger learns: from noise, from rapid fetches of a page, and from a reviewer."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from pipeline.ledger.changes import Diff, difference
from pipeline.ledger.explaining import number_changes
from pipeline.ledger.known import Known
from pipeline.ledger.slots import ONE, PathShare, Slot, earlier, fade, faded, slots_of
from pipeline.ledger.state import MAX_PATHS, MAX_PINNED, MAX_SEEN, MAX_SLOTS, Ledger
from pipeline.packing import PackedBlock

__all__ = ["calibrate", "learn", "missed"]

EMPTY = Ledger()
_GONE = ONE // 10
"""A count or share under a tenth is dropped."""
_MOST = 0xFFFF
"""A count of 255 trials; fading keeps it under 88."""


def calibrate(fetches: Sequence[Sequence[PackedBlock]], ledger: Ledger = EMPTY) -> Ledger:
    """The ledger of a page after a few rapid fetches, in which everything that differs is noise.

    Args:
        fetches: The blocks of each.
        ledger: What was known before them.

    All pairs are learned from, in two passes: the first finds the texts that come and go, so that the second names
    places by neighbours that stand still. A pair that differs too much to be the same page teaches nothing.
    """
    known = Known(ledger)
    texts: dict[int, None] = {}
    for old, new in combinations(fetches, 2):
        diff = difference(old, new)
        if not diff.collapsed:
            texts.update(dict.fromkeys(_texts(_without_pinned(diff, known), frozenset())))
    ledger = replace(ledger, seen=_latest(ledger.seen, tuple(texts), MAX_SEEN))
    for old, new in combinations(fetches, 2):
        known = Known(ledger)
        ledger = learn(ledger, difference(old, new, texts=known.texts, literals=known.literals))
    return ledger


def learn(ledger: Ledger, diff: Diff, *, verdict: bool = False) -> Ledger:
    """The ledger after a visit that was noise: one trial, in which the changes of `diff` happened.

    Args:
        ledger: As it was when the visit was judged, or later.
        diff: `Explained.diff` of the visit, or `diff_of_packed` of what is stored of it. Without changes it is a trial
            in which nothing happened.
        verdict: A person said `noise`, which also lifts the pins of what is in `diff`; otherwise pinned slots and
            texts learn nothing.

    Returns:
        The same ledger when `diff` has collapsed.
    """
    if diff.collapsed:
        return ledger
    if verdict:
        ledger = _unpin(ledger, diff)
    trials = ledger.trials + 1
    known = Known(ledger)
    open_diff = _without_pinned(diff, known)
    return replace(
        ledger,
        trials=trials,
        slots=_counted(ledger.slots, _slots(open_diff, known.texts, stored=diff.totals is None), trials),
        seen=_latest(ledger.seen, _texts(open_diff, known.texts), MAX_SEEN),
        paths=_shared(ledger.paths, open_diff, known.texts, ledger.trials),
    )


def missed(ledger: Ledger, diff: Diff) -> Ledger:
    """The ledger after a person said `missed` of a visit: what is in `diff` is forgotten and pinned as stable.

    What is pinned never explains and is never learned again, until a person says `noise` of it. Give `Diff.only` of the
    blocks that mattered, or the counter beside them is pinned with them.
    """
    keys = [key for change in diff.changes for key in slots_of(change)]
    texts = [change.block.text for change in diff.changes]
    forgotten = set(texts)
    return replace(
        ledger,
        slots={key: slot for key, slot in ledger.slots.items() if key not in set(keys)},
        seen=tuple(text for text in ledger.seen if text not in forgotten),
        pinned_slots=_latest(ledger.pinned_slots, keys, MAX_PINNED),
        pinned_texts=_latest(ledger.pinned_texts, texts, MAX_PINNED),
    )


def _without_pinned(diff: Diff, known: Known) -> Diff:
    return replace(diff, changes=tuple(change for change in diff.changes if not known.pinned(change)))


def _unpin(ledger: Ledger, diff: Diff) -> Ledger:
    keys = {key for change in diff.changes for key in slots_of(change)}
    texts = {change.block.text for change in diff.changes}
    return replace(
        ledger,
        pinned_slots=tuple(key for key in ledger.pinned_slots if key not in keys),
        pinned_texts=tuple(text for text in ledger.pinned_texts if text not in texts),
    )


def _texts(diff: Diff, known: frozenset[int]) -> list[int]:
    """The texts that came or went; not those of which only a number differs, for the next will be another."""
    _, still = number_changes(diff, known)
    return [change.block.text for change in diff.changes if change.literal not in still]


def _slots(diff: Diff, texts: frozenset[int], *, stored: bool) -> dict[int, int]:
    """Each slot in which something changed, with the words of the longest block that did."""
    literals, still = number_changes(diff, texts)
    volatile = {text & 0xFFFF for text in texts} if stored else set()
    widest: dict[int, int] = {}
    for change in diff.changes:
        words = change.block.words
        literal, before, after = slots_of(change)
        keys = [literal] if literal in literals else []
        if literal not in still:
            keys += [key for key, anchor in ((before, change.before), (after, change.after)) if anchor not in volatile]
        for key in keys:
            widest[key] = max(words, widest.get(key, 0))
    return widest


def _counted(slots: Mapping[int, Slot], hit: Mapping[int, int], trials: int) -> dict[int, Slot]:
    """The slots with one more trial counted; faint ones dropped."""
    counted = {key: slot for key, slot in slots.items() if faded(slot, trials) >= _GONE}
    for key, words in hit.items():
        old = slots.get(key, Slot(0, trials, 0))
        counted[key] = Slot(min(faded(old, trials) + ONE, _MOST), trials, max(words, old.widest))
    if len(counted) <= MAX_SLOTS:
        return counted
    best = sorted(counted, key=lambda key: (-faded(counted[key], trials), key))
    return {key: counted[key] for key in best[:MAX_SLOTS]}


def _shared(paths: Mapping[int, PathShare], diff: Diff, texts: frozenset[int], trials: int) -> Mapping[int, PathShare]:
    """The shares with one more trial; as they were when the blocks of the page are not at hand.

    A path met for the first time stood still in the trials before.
    """
    if diff.totals is None:
        return paths
    _, still = number_changes(diff, texts)
    came: dict[int, list[int]] = defaultdict(list)
    for change in diff.changes:
        if not change.removed and change.literal not in still:
            came[change.block.path].append(change.block.words)
    shares = {}
    for path in sorted(paths.keys() | came.keys()):
        blocks = diff.totals.get(path, 0)
        old = paths.get(path) or PathShare(0, earlier(blocks, trials), 0)
        words = came.get(path, [])
        changed = fade(old.changed) + len(words) * ONE
        if changed >= _GONE:
            total = fade(old.total) + blocks * ONE
            shares[path] = PathShare(changed, total, max([old.widest, *words]))
    most = sorted(shares, key=lambda path: (-shares[path].changed, path))[:MAX_PATHS]
    return {path: shares[path] for path in most}


def _latest(old: Iterable[int], new: Collection[int], most: int) -> tuple[int, ...]:
    """Each once, the new ones at the end; no more than `most` of the last."""
    order = dict.fromkeys(old)
    for value in new:
        order.pop(value, None)
        order[value] = None
    return tuple(order)[-most:]
