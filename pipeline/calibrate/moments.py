"""Mean and variances of the noise of pages, pooled and shrunk, and the distribution of the next distance.

A page of five fetches knows little of its own noise: most noise is rare, so most such pages have only zeros. What they
lack comes from the pages of their site and type, what those lack from all pages, and what those lack from a prior.
How much a page's own distances count against the pages around it is its credibility, between / (between + within / n).
The same number says how many pages a group is worth against those that it is shrunk to. Counting pages by heads
instead let twenty zero distances outvote the prior: of the noise of real pages 1.4 to 1.7 % then exceeded thresholds
that were asked for 1 %, with credibility 0.9 to 1.0 %.

Source: Buhlmann, Gisler 2005, "A course in credibility theory and its applications", section 4.2, for credibility and
the estimators of the variances.
"""

import math
from collections.abc import Sequence

import numpy as np

from pipeline.calibrate.records import Moments
from pipeline.calibrate.tails import BITS, Floats, beta_binomial_survival

__all__ = [
    "PRIOR",
    "PRIOR_PAGES",
    "as_fractions",
    "credibility",
    "credible_pages",
    "fit_prior",
    "next_distance",
    "shrunk",
]

PRIOR = Moments(mean=0.303 / BITS, within=2.37 / BITS**2, between=0.0587 / BITS**2)
"""Noise of pages when no others are known: mean 0.30 bits, standard deviations 1.54 within a page and 0.24 between.

`fit_prior` of 14 histories of public terms pages from five sites: 509 fetches 12 hours apart that an archive labelled
as no change of the terms, 16 to 41 a page, 270 to 9,000 words. 95 % of the distances are 0, the others 3.7 bits in the
mean. The sites differ: one has 20 times the variance of the others together. Leaving out one site gives 0.34 to 0.38,
1.65 to 1.79 and 0.26 to 0.28 bits, but without the noisy one 0.10, 0.55 and 0.08. `benchmarks.detection.threshold` fits
it anew for each page, without that page and without its site.
"""

PRIOR_PAGES = 5.0
"""Pages that what a group is shrunk to counts for. The lab's value; not sensitive between 3 and 8."""

_ONE_SIDED_95 = 1.645
"""Standard errors by which the prior is raised: it is known from few pages, and an alert too many costs trust."""

_OUTWEIGHED_BY = 50

_LEAST_SPREAD = 0.5
"""Smallest a + b of a beta: below it nearly all its mass is at 0 and 1, and a distance would be 0 or 64."""


def as_fractions(distances: Sequence[int]) -> Floats:
    """Distances in bits as fractions of 64."""
    return np.asarray(distances, np.float64) / BITS


def credibility(count: int, around: Moments) -> float:
    """What the mean of `count` distances of a page counts for against the mean of the pages around it, 0..1."""
    return around.between / (around.between + around.within / count) if count else 0.0


def credible_pages(pages: Sequence[Floats], around: Moments) -> float:
    """How many perfectly known pages these are worth."""
    return math.fsum(credibility(len(page), around) for page in pages)


def shrunk(pages: Sequence[Floats], toward: Moments) -> Moments:
    """The moments of pages, shrunk toward others as if those were PRIOR_PAGES perfectly known pages.

    Args:
        pages: Distances of each as fractions, none empty. No pages: `toward`.
        toward: All variances above 0.
    """
    if not pages:
        return toward
    weights = np.array([credibility(len(page), toward) for page in pages])
    total = float(weights.sum())
    own = _pooled(pages, toward)

    def between_both(mine: float, theirs: float) -> float:
        return (total * mine + PRIOR_PAGES * theirs) / (total + PRIOR_PAGES)

    means = np.array([page.mean() for page in pages])
    return Moments(
        mean=between_both(float(weights @ means) / total, toward.mean),
        within=between_both(own.within, toward.within),
        between=between_both(own.between, toward.between),
    )


def _pooled(pages: Sequence[Floats], otherwise: Moments) -> Moments:
    """Unbiased moments of pages; what cannot be estimated (one page, one distance each) is taken from `otherwise`."""
    means = np.array([page.mean() for page in pages])
    freedom = sum(len(page) - 1 for page in pages)
    within = sum(float(((page - page.mean()) ** 2).sum()) for page in pages) / freedom if freedom else otherwise.within
    noise_of_means = within * float(np.mean([1 / len(page) for page in pages]))
    between = max(0.0, float(means.var(ddof=1)) - noise_of_means) if len(pages) > 1 else otherwise.between
    return Moments(mean=float(means.mean()), within=within, between=between)


def fit_prior(pages: Sequence[Sequence[int]]) -> Moments:
    """The moments of long histories as a prior for pages not among them.

    Mean and variance within are the upper ends of one-sided 95 % confidence intervals over the pages. The variance
    between is at least so large that fifty distances of a page count for as much as all the other pages.

    Args:
        pages: Distances of at least two pages in bits, two or more each.
    """
    fractions = [as_fractions(page) for page in pages]
    pooled = _pooled(fractions, Moments(mean=0, within=0, between=0))

    def upper(values: Sequence[float]) -> float:
        return float(np.mean(values) + _ONE_SIDED_95 * np.std(values, ddof=1) / math.sqrt(len(values)))

    within = upper([float(page.var(ddof=1)) for page in fractions])
    return Moments(
        mean=upper([float(page.mean()) for page in fractions]),
        within=within,
        between=max(pooled.between, within / _OUTWEIGHED_BY),
    )


def next_distance(own: Floats, around: Moments) -> Floats:
    """P(D > t) for the next distance D of a page, shape (65,).

    Args:
        own: The page's own distances as fractions; may be empty.
        around: Of its group.
    """
    count = len(own)
    weight = credibility(count, around)
    mean = weight * float(own.mean()) + (1 - weight) * around.mean if count else around.mean
    return _survival(max(mean, 1 / (BITS * (count + 2))), around.within + around.between * (1 - weight))


def _survival(mean: float, variance: float) -> Floats:
    """The beta-binomial of this mean whose variance exceeds that of a binomial by `variance`, both of fractions."""
    binomial = mean * (1 - mean) / BITS
    spread = max((BITS - 1) * binomial / max(variance, 1e-12) - 1, _LEAST_SPREAD)
    return beta_binomial_survival(mean * spread, (1 - mean) * spread)
