"""Mean and variances of the noise of pages, pooled and shrunk, and the distribution of the next distance.

A page of five fetches knows little of its own noise: most noise is rare, so most such pages have only zeros. What they
lack comes from the pages of their site and type, what those lack from all others, and what those lack from a prior.
How much a page's own distances count against the pages around it is its credibility, between / (between + within / n).
The same number says how many pages a group is worth against those that it is shrunk to. Counted by heads instead, the
zeros of short calibrations outvote the prior: with 5 fetches 1.0 % of real noise exceeded thresholds asked for 1 %,
not 0.8 %.

Sites differ by more than their pages do: of two sites one may be twenty times as noisy. So the level of noise around a
page, the factor of mean and variances, is itself uncertain, the more so the fewer sites it is known from, and the
distribution of the next distance is the mixture over all levels it may have. Its tail is heavier than that of any one
level, as Student's is heavier than the normal's.

Sources: Buhlmann, Gisler 2005, "A course in credibility theory and its applications", section 4.2, for credibility and
the estimators of the variances; Gelman and others 2013, "Bayesian data analysis", section 3.2, for a variance known
from n values: scaled inverse chi-square with n - 1 degrees of freedom.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt

from pipeline.calibrate.records import Moments
from pipeline.calibrate.tails import BITS, Floats, beta_binomial_survival

__all__ = ["PRIOR", "PRIOR_PAGES", "PageMoments", "fit_prior", "next_distance"]

PRIOR = Moments(mean=0.303 / BITS, within=2.37 / BITS**2, between=0.0587 / BITS**2, freedom=4)
"""Noise of pages when no others are known: mean 0.30 bits, standard deviations 1.54 within a page and 0.24 between.

`fit_prior` of 14 histories of public terms pages from five sites: 509 fetches 12 hours apart that an archive labelled
as no change of the terms, 16 to 41 a page, 270 to 9,000 words. 95 % of the distances are 0, the others 3.7 bits in the
mean. The sites differ: one has 20 times the variance of the others together. Leaving out one site gives 0.34 to 0.38,
1.65 to 1.79 and 0.26 to 0.28 bits, but without the noisy one 0.10, 0.55 and 0.08. `benchmarks.detection.threshold` fits
it anew for each page, without that page and without its site.
"""

_LEVELS = np.geomspace(0.05, 1000, 32)
"""Levels over which noise is mixed. Twice as many move no threshold of the histories; with 4 degrees of freedom 2 in a
million are beyond."""

PRIOR_PAGES = 5.0
"""Pages that what a group is shrunk to counts for. From 2 to 12 false-alert rates stay; thresholds move by a bit."""

_ONE_SIDED_95 = 1.645
"""Standard errors by which the prior is raised, because few pages are behind it. At 0 real noise exceeded thresholds
asked for 1 % in 1.0 % with 5 fetches, not 0.8 %, and of sites that nothing was known of in 1.2 %, not 1.0 %; the price
is two to four bits."""

_OUTWEIGHED_BY = 50
"""Distances of a page that outweigh all other pages whatever the histories say."""

_UNRELATED = 0.5
"""Mean distance of unrelated texts, a fraction of 64 bits: no noise is larger."""

_LEAST_SPREAD = 0.5
"""Smallest a + b of a beta: below it nearly all its mass is at 0 and 1, and a distance would be 0 or 64."""


def as_fractions(distances: Sequence[int]) -> Floats:
    """Distances in bits as fractions of 64."""
    return np.asarray(distances, np.float64) / BITS


@dataclass(frozen=True, slots=True)
class PageMoments:
    """Of each page its number of distances, their mean, and the sum of their squared deviations, as fractions."""

    counts: Floats
    means: Floats
    squares: Floats

    @classmethod
    def of(cls, pages: Iterable[Sequence[int]]) -> Self:
        """Those of the pages that have distances."""
        known = [as_fractions(page) for page in pages if len(page)]
        squares = [float(((page - page.mean()) ** 2).sum()) for page in known]
        return cls(
            np.array([len(page) for page in known], np.float64), np.array([p.mean() for p in known]), np.array(squares)
        )

    def where(self, chosen: npt.NDArray[np.bool_]) -> "PageMoments":
        """Those of some pages."""
        return PageMoments(self.counts[chosen], self.means[chosen], self.squares[chosen])

    def credibility(self, around: Moments) -> Floats:
        """What each mean counts for against that of the pages around it, 0..1."""
        weights: Floats = around.between / (around.between + around.within / self.counts)
        return weights

    def pooled(self, otherwise: Moments) -> Moments:
        """Unbiased moments; what cannot be estimated (one page, one distance each) is taken from `otherwise`."""
        freedom = float((self.counts - 1).sum())
        within = float(self.squares.sum()) / freedom if freedom else otherwise.within
        between = otherwise.between
        if len(self.means) > 1:
            between = max(0.0, float(self.means.var(ddof=1)) - within * float((1 / self.counts).mean()))
        return Moments(mean=float(self.means.mean()), within=within, between=between, freedom=otherwise.freedom)

    def shrunk(self, toward: Moments) -> Moments:
        """The moments, shrunk toward others as if those were PRIOR_PAGES perfectly known pages.

        Args:
            toward: Variances above 0.

        Returns:
            `toward` if there are no pages.
        """
        if not len(self.counts):
            return toward
        weights = self.credibility(toward)
        total = float(weights.sum())
        share = total / (total + PRIOR_PAGES)
        own = self.pooled(toward)
        return Moments(
            mean=share * float(weights @ self.means) / total + (1 - share) * toward.mean,
            within=share * own.within + (1 - share) * toward.within,
            between=share * own.between + (1 - share) * toward.between,
            freedom=toward.freedom + total,
        )


def fit_prior(sites: Sequence[Sequence[Sequence[int]]]) -> Moments:
    """The moments of long histories as a prior for pages not among them, of sites not among theirs.

    Mean and variance within are the upper ends of one-sided 95 % confidence intervals over the pages. The variance
    between is at least so large that fifty distances of a page count for as much as all the other pages.

    Args:
        sites: Of at least two sites the distances of their pages in bits, two or more each.
    """
    each = PageMoments.of(page for pages in sites for page in pages)

    def upper(values: Floats) -> float:
        return float(values.mean() + _ONE_SIDED_95 * values.std(ddof=1) / math.sqrt(len(values)))

    within = upper(each.squares / (each.counts - 1))
    between = each.pooled(Moments(mean=0, within=0, between=0, freedom=1)).between
    return Moments(
        mean=upper(each.means),
        within=within,
        between=max(between, within / _OUTWEIGHED_BY),
        freedom=len(sites) - 1,
    )


@lru_cache(maxsize=1024)
def next_distance(own: tuple[int, ...], around: Moments) -> Floats:
    """P(D > t) for the next distance D of a page, shape (65,): the mixture over the levels of noise around it.

    Remembered, as most pages of a group have the same few distances. Not to be written to.

    Args:
        own: The page's own distances in bits; may be empty.
        around: Of its group.
    """
    weights = _LEVELS ** (-around.freedom / 2) * np.exp(-around.freedom / (2 * _LEVELS))  # on equal steps of log level
    curves = np.array([_at_level(own, around, float(level)) for level in _LEVELS])
    mixed: Floats = weights @ curves / weights.sum()
    return mixed


def _at_level(own: Sequence[int], around: Moments, level: float) -> Floats:
    """The same with noise around the page that is `level` times what it is taken for.

    A page noisier than its group also varies more, as a binomial does, in proportion to mean (1 - mean): so do short
    pages, on which the same noise moves more bits. A quieter page is not taken to vary less: its noise may be rare.
    After n distances the mean is at least 1 / (n + 2) bits, half a bit where nothing is known.
    """
    around = replace(
        around,
        mean=min(around.mean * level, _UNRELATED),
        within=around.within * level,
        between=around.between * level,
    )
    mean, weight = around.mean, 0.0
    if own:
        page = PageMoments.of([own])
        weight = float(page.credibility(around)[0])
        mean = weight * float(page.means[0]) + (1 - weight) * around.mean
    mean = max(mean, 1 / (BITS * (len(own) + 2)))
    within = around.within * max(1.0, mean * (1 - mean) / (around.mean * (1 - around.mean)))
    return _survival(mean, within + around.between * (1 - weight))


def _survival(mean: float, variance: float) -> Floats:
    """The beta-binomial of this mean whose variance exceeds that of a binomial by `variance`, both of fractions."""
    binomial = mean * (1 - mean) / BITS
    spread = max((BITS - 1) * binomial / max(variance, 1e-12) - 1, _LEAST_SPREAD)
    return beta_binomial_survival(mean * spread, (1 - mean) * spread)
