"""What noise of pages of one length means on a page of another.

The same rotating module moves the simhash of a short page by many bits and that of a long one by few. A distance of d
bits between two texts of U distinct shingles means a cosine of cos(pi d / 64), so U (1 - cos(pi d / 64)) changed
shingles; those make a cosine, so an expected distance, on a page of any other length. Words stand for shingles: on
real pages they differ by a tenth, and only their ratio between two pages counts.

Source: Charikar 2002, "Similarity estimation techniques from rounding algorithms", section 3: two texts differ in one
bit with probability angle / pi.
"""

import math
from collections.abc import Sequence

import numpy as np

from pipeline.calibrate.records import PageNoise
from pipeline.calibrate.tails import BITS, Floats, binomial_survival

__all__ = ["changed_words", "survival_at_length"]

_LEAST_BITS = 0.25
"""A distance of 0 still allows for a change too small to move a bit."""


def changed_words(page: PageNoise) -> Floats:
    """Words that the noise of a page changed, one number a distance.

    A distance is a noisy measure of the angle: of the spread of a page's distances, what a binomial would have anyway
    is taken out by drawing them toward their mean.
    """
    bits = np.asarray(page.distances, np.float64)
    mean = bits.mean()
    observed = bits.var(ddof=1) if len(bits) > 1 else 0.0
    kept = math.sqrt(max(0.0, 1 - mean * (1 - mean / BITS) / observed)) if observed else 0.0
    drawn = np.maximum(mean + kept * (bits - mean), _LEAST_BITS)
    changed: Floats = page.words * (1 - np.cos(math.pi * drawn / BITS))
    return changed


def survival_at_length(changes: Sequence[Floats], words: int) -> Floats:
    """P(D > t) on a page of `words` words, each page's noise being as likely; shape (65,).

    Args:
        changes: Changed words of each page, at least one.
        words: At least 1.
    """
    weights = np.concatenate([np.full(len(page), 1 / (len(page) * len(changes))) for page in changes])
    cosines = 1 - np.concatenate(changes) / words
    survival: Floats = weights @ binomial_survival(np.arccos(np.clip(cosines, -1.0, 1.0)) / math.pi)
    return survival
