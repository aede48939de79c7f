"""From distances at which nothing had happened to the largest distance still noise.

A page with calibration fetches gets the beta-binomial of its own mean, shrunk toward its site and type. A page without
gets what the noise of the others of its site and type means at its length, as far as there are others. Either is mixed
with a quarter of what noise is like elsewhere, because a module that shows once a week is in no five fetches.

`noise_bits` is the smallest t with P(distance > t) <= alpha, and no less than what the page itself was seen to do.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.calibrate.lengths import changed_words, survival_at_length
from pipeline.calibrate.moments import PRIOR, PRIOR_PAGES, PageMoments, next_distance
from pipeline.calibrate.promise import Rates, alpha_from_trials
from pipeline.calibrate.records import Calibration, Evidence, Moments, PageNoise
from pipeline.calibrate.tails import BITS, Floats

__all__ = ["ALPHA", "drift_bits", "fit"]

ALPHA = 0.005
"""False-alert rate asked for by default; half of what is wanted, because sites differ by more than a prior knows. Real
noise then exceeded its threshold in 0.0 to 0.6 %, and where nothing was known of its site in 0.0 to 1.0 %."""

_ELSEWHERE = 0.25
"""Share of the distribution of other sites' pages in each page's own. At 0 real noise of sites that nothing was known
of exceeded thresholds asked for 1 % in 1.20 % with 5 fetches, not 1.00 %; at 0.5 in no less. The price is a bit."""
_LEAST_MEAN = 1e-3
"""Smallest mean expected elsewhere, a fraction of 64 bits."""
_SHOWN_DOWN_TO = 1e-4
"""Where the curve that is kept as evidence ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """What the pages of one site and type share.

    Attributes:
        around: Their moments.
        elsewhere: P(D > t) of the pages of other sites and types.
        changes: Changed words of each page with distances.
        credible: How many perfectly known pages those are worth.
    """

    around: Moments
    elsewhere: Floats
    changes: Sequence[Floats]
    credible: float

    def mixed(self, survival: Floats) -> Floats:
        """With a share of what is seen elsewhere."""
        return (1 - _ELSEWHERE) * survival + _ELSEWHERE * self.elsewhere

    def at_length(self, words: int) -> Floats:
        """P(D > t) for a page without fetches: of the others at its length, shrunk toward what is seen elsewhere."""
        if not self.changes:
            return self.elsewhere
        share = self.credible / (self.credible + PRIOR_PAGES)
        return self.mixed(share * survival_at_length(self.changes, words) + (1 - share) * self.elsewhere)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Curve:
    """P(D > t) of one page or of a group, shape (65,), and what it is made of; `page` is None for a group."""

    survival: Floats
    page: PageNoise | None = None
    words: int | None = None
    distances: tuple[int, ...] = ()
    fetches: int = 0
    floor: int = 0

    def at(self, alpha: float) -> int:
        """The threshold in bits."""
        return max(int(np.argmax(self.survival <= alpha)), self.floor)

    def above(self, alpha: float) -> int:
        """Later trials of the page above the threshold."""
        threshold = self.at(alpha)
        return sum(bits > threshold for bits in self.page.later) if self.page else 0


def fit(pages: Iterable[PageNoise], *, alpha: float = ALPHA, prior: Moments = PRIOR) -> tuple[Calibration, ...]:
    """Thresholds for every page, and for every site and type.

    Args:
        pages: Those of all sites, so that they learn from each other; several records of one page are an error of the
            caller.
        alpha: The false-alert rate asked for, above 0 and below 1. Where later trials of a site and type show more, it
            is lowered for them; it is never raised, because noise is not stationary: raised on one half of real
            histories it gave 1.5 % instead of 1 % on the other.
        prior: Noise of pages that are not among these.

    Returns:
        By site and type, first the row of the group and then those of its pages by `page_id`.
    """
    groups: dict[tuple[str, str], list[PageNoise]] = defaultdict(list)
    for page in sorted(pages, key=lambda page: (*page.group, page.page_id)):
        groups[page.group].append(page)
    known = [page for members in groups.values() for page in members if page.distances]
    moments = PageMoments.of(page.distances for page in known)
    number = {group: n for n, group in enumerate(groups)}
    group_of = np.array([number[page.group] for page in known], np.int64)
    rows: list[Calibration] = []
    for group, members in groups.items():
        others = moments.where(group_of != number[group]).shrunk(prior)
        rows += _fit_group(members, moments.where(group_of == number[group]), others, alpha)
    return tuple(rows)


def drift_bits(noise_bits: int) -> int:
    """The largest distance to the baseline still noise: that of two independent changes of `noise_bits` each.

    Habitual noise does not accumulate: the page is in one noisy state at the baseline and in another now, however many
    lie between. In 14 real histories of 42 fetches the largest distance to the baseline without a true change was
    0.8 to 1.5 times the largest between neighbours. But a baseline stays for months, so what `noise_bits` allows once
    in 200 visits would come up for every baseline; and a baseline can itself be an unusual state. Changed shingles add
    up, 1 - cos(angle) is proportional to them, so two such changes make up to the square root of 2 times the bits. With
    `noise_bits` itself 4 of 83 baselines of those histories were left by noise; with this none of 79.

    Slow drift is many small true changes in different places, each explained or below `noise_bits`. Their shingles add
    up in the same way: n changes of b bits make b times the square root of n. So it is found once
    n > 2 (noise_bits / b)^2; with 6 bits of noise after 18 changes of 2 bits.
    """
    angle_cosine = 1 - 2 * (1 - math.cos(math.pi * noise_bits / BITS))
    return min(BITS, math.ceil(BITS * math.acos(max(-1.0, angle_cosine)) / math.pi - 1e-9))


def _fit_group(members: Sequence[PageNoise], moments: PageMoments, others: Moments, alpha: float) -> list[Calibration]:
    group = _Group(
        around=moments.shrunk(others),
        elsewhere=next_distance((), replace(others, mean=max(others.mean, _LEAST_MEAN))),
        changes=[changed_words(page) for page in members if page.distances],
        credible=float(moments.credibility(others).sum()),
    )
    curves = [_curve_of_group(members, group), *(_curve_of_page(page, group) for page in members)]
    trials = sum(len(page.later) for page in members)
    used = alpha_from_trials(alpha, trials, lambda asked: sum(curve.above(asked) for curve in curves))
    events = sum(curve.above(used) for curve in curves)
    return [
        _row(members[0], curve, group, Rates(asked=alpha, used=used, events=events, trials=trials)) for curve in curves
    ]


def _curve_of_page(page: PageNoise, group: _Group) -> _Curve:
    if not page.distances:
        return _Curve(survival=group.at_length(page.words), words=page.words, page=page)
    return _Curve(
        survival=group.mixed(next_distance(page.distances, group.around)),
        page=page,
        distances=page.distances,
        fetches=len(page.distances) + 1,
        floor=max(page.distances),
    )


def _curve_of_group(members: Sequence[PageNoise], group: _Group) -> _Curve:
    """For pages of which nothing is known, not even the length: it is taken to be that of the shortest."""
    words = min(page.words for page in members)
    return _Curve(
        survival=group.at_length(words),
        words=words,
        distances=tuple(bits for page in members for bits in page.distances),
        fetches=sum(len(page.distances) + 1 for page in members if page.distances),
    )


def _row(member: PageNoise, curve: _Curve, group: _Group, rates: Rates) -> Calibration:
    bits = curve.at(rates.used)
    bound = rates.promised(len(curve.distances) if curve.page else 0)
    evidence = Evidence(
        counts=tuple(np.bincount(curve.distances).tolist()) if curve.distances else (),
        pages=len(group.changes),
        credible_pages=group.credible,
        mean_bits=BITS * group.around.mean,
        within_bits=BITS * math.sqrt(group.around.within),
        between_bits=BITS * math.sqrt(group.around.between),
        expected_bits=float(curve.survival.sum()),
        alpha_used=rates.used,
        words=curve.words,
        bound=bound,
        survival=tuple(curve.survival[: int(np.argmax(curve.survival < _SHOWN_DOWN_TO)) + 1].tolist()),
    )
    return Calibration(
        site=member.site,
        page_type=member.page_type,
        page_id=curve.page.page_id if curve.page else None,
        noise_bits=bits,
        drift_bits=drift_bits(bits),
        fetches=curve.fetches,
        max_seen_bits=max(curve.distances, default=None),
        alpha=rates.asked,
        alpha_upper=bound.rate,
        evidence=evidence,
    )
