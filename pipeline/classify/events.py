"""Site events: one change on many pages of a site, such as a new menu entry, is one event.

Pure: what visits showed in, which of them belong together out. The order in which the visits are given says nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.model import BlockChange, Judgement, Kind, KindReason, Region
from pipeline.packing import text_hash64

__all__ = ["WINDOW", "Evidence", "Sighting", "evidence_of", "group"]

WINDOW = 36 * 3600.0
"""Seconds between two pages' visits that can show one event, either side and included: pages visited once a day meet it
at their next visit, late ones too. From the roll-up that was measured on histories of terms pages."""

SITE_WIDE = {
    f"chrome:{region}"
    for region in (Region.NAVIGATION, Region.HEADER, Region.FOOTER, Region.DIALOG, Region.CONSENT, Region.ASIDE)
}
"""Explanations by the parts of a page that sites share. Not `related`: teasers rotate over the pages of a site."""

_EXPLAINED_BY_CHROME = "chrome:"

_BITS = (1 << 63) - 1
"""Of the text hash that are kept: it fits a signed 64-bit column."""

VisitKey = tuple[int, int]
"""(page, visit), each by its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What of one visit can be of a site event, as hashes of texts that came and of texts that went; sorted.

    Attributes:
        shown: Unexplained ones, and those explained as a part of the page that sites share. Never one that the page's
            ledger knows: a rotating advertisement is no event.
        needed: Those that must all be of events for the visit to join one; empty: it joins none.
    """

    shown: tuple[int, ...] = ()
    needed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One visit with its evidence.

    Attributes:
        page: Number of the page within its site.
        visit: Number of the visit within its page.
        at: When it began, epoch seconds.
        order: Which of two visits counts as the first that showed a text, the smaller one; `at` where nothing else is
            known, the commit of the judgement where names that were given must stay.
    """

    page: int
    visit: int
    at: float
    order: float
    evidence: Evidence

    @property
    def key(self) -> VisitKey:
        """Page and visit."""
        return self.page, self.visit


def evidence_of(judgement: Judgement) -> Evidence:
    """What a judgement says of site events; nothing for a visit without a kind.

    A visit with unexplained blocks joins by these. One without, that is noise or is content by its distance alone,
    joins by what is explained as chrome and is no habit of the page. A field that changed is the page's own: the visit
    joins with its text, and stays a field change.
    """
    if judgement.kind is None:
        return Evidence()
    unexplained: set[int] = set()
    site_wide: set[int] = set()
    other: set[int] = set()
    for change in judgement.block_changes:
        if change.explained_by is None:
            unexplained |= _hashes(change)
        elif change.explained_by.startswith(_EXPLAINED_BY_CHROME) and not change.habitual:
            (site_wide if change.explained_by in SITE_WIDE else other).update(_hashes(change))
    needed = unexplained
    if judgement.kind is Kind.NOISE or judgement.kind_reason is KindReason.BEYOND_THRESHOLD:
        needed = site_wide | other if site_wide else set()
    return Evidence(shown=tuple(sorted(unexplained | site_wide)), needed=tuple(sorted(needed)))


def _hashes(change: BlockChange) -> set[int]:
    sides = (("-", change.old), ("+", change.new))
    return {text_hash64(sign + text) & _BITS for sign, text in sides if text is not None}


def group(sightings: Iterable[Sighting]) -> dict[VisitKey, VisitKey]:
    """Which visits of one site belong to a site event, each with the first visit that showed the event.

    A text that came, or that went, on two pages within `WINDOW` is of an event, as far as such visits follow one
    another within `WINDOW`. A visit joins if all it needs is of events; the event with most of it counts, of several
    the first. Linear in the texts, apart from sorting.
    """
    by_text: dict[int, list[Sighting]] = defaultdict(list)
    visits: dict[VisitKey, Sighting] = {}
    for sighting in sightings:
        visits[sighting.key] = sighting
        for text in sighting.evidence.shown:
            by_text[text].append(sighting)
    events: dict[VisitKey, dict[int, Sighting]] = defaultdict(dict)  # of each visit: text -> first visit that showed it
    for text, seen in by_text.items():
        for run in _runs(seen):
            first = min(run, key=_place)
            for sighting in run:
                events[sighting.key][text] = first
    return {
        key: _most_of_it(visits[key], firsts).key
        for key, firsts in events.items()
        if visits[key].evidence.needed and all(text in firsts for text in visits[key].evidence.needed)
    }


def _place(sighting: Sighting) -> tuple[float, float, int, int]:
    return sighting.order, sighting.at, sighting.page, sighting.visit


def _runs(seen: Sequence[Sighting]) -> Iterator[list[Sighting]]:
    """The visits that showed a text within `WINDOW` of another page's, cut where more than `WINDOW` lies between."""
    run: list[Sighting] = []
    for sighting in _shared(sorted(seen, key=lambda sighting: sighting.at)):
        if run and sighting.at - run[-1].at > WINDOW:
            yield run
            run = []
        run.append(sighting)
    if run:
        yield run


def _shared(seen: Sequence[Sighting]) -> list[Sighting]:
    """Of visits in order of time, those within `WINDOW` of another page's, before or after."""
    near = {
        id(one)
        for direction in (seen, seen[::-1])
        for one, other in _with_other_page(direction)
        if abs(one.at - other.at) <= WINDOW
    }
    return [sighting for sighting in seen if id(sighting) in near]


def _with_other_page(seen: Sequence[Sighting]) -> Iterator[tuple[Sighting, Sighting]]:
    """Each with the nearest one of another page that stands before it in the sequence, if there is one."""
    last: Sighting | None = None
    other: Sighting | None = None  # the last one of another page than `last`
    for sighting in seen:
        if last is not None and last.page != sighting.page:
            other = last
        if other is not None:
            yield sighting, other
        last = sighting


def _most_of_it(sighting: Sighting, firsts: Mapping[int, Sighting]) -> Sighting:
    """The first visit of the event with most of a visit's needed texts; of several such, of the one shown first."""
    counts = Counter(firsts[text].key for text in sighting.evidence.needed)
    by_key = {first.key: first for first in firsts.values()}
    return min((by_key[key] for key in counts), key=lambda first: (-counts[first.key], _place(first)))
