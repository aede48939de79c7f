"""The tails that thresholds are read off: binomial, beta-binomial, and a bound on a rate.

Sources: Johnson, Kemp, Kotz 2005, "Univariate discrete distributions", section 6.2.2, for the beta-binomial; Clopper,
Pearson 1934, "The use of confidence or fiducial limits illustrated in the case of the binomial", for the bounds.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["BITS", "Floats", "beta_binomial_survival", "binomial_survival", "rate_lower", "rate_upper"]

Floats = npt.NDArray[np.float64]

BITS = 64
"""Bits of a simhash, so the largest distance."""

_CHOOSE = np.array([math.log(math.comb(BITS, k)) for k in range(BITS + 1)])
_HALVINGS = 50


def binomial_survival(p: Floats) -> Floats:
    """P(D > t) for D binomial of 64 trials.

    Args:
        p: Probabilities 0..1, shape (n,).

    Returns:
        Shape (n, 65), by t from 0; exact to 1e-12.
    """
    inside = np.clip(p, 1e-300, 1 - 1e-16)[:, None]
    k = np.arange(BITS + 1)
    return _survival(np.exp(_CHOOSE + k * np.log(inside) + (BITS - k) * np.log1p(-inside)))


def beta_binomial_survival(a: float, b: float) -> Floats:
    """P(D > t) for D binomial of 64 trials whose probability is beta distributed.

    Args:
        a: First parameter of the beta, above 0; the mean of D is 64 a / (a + b).
        b: Second, above 0.

    Returns:
        Shape (65,), by t from 0; exact to 1e-10 for a + b up to 1e5.
    """
    whole = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) - math.lgamma(BITS + a + b)
    log_mass = [math.lgamma(k + a) + math.lgamma(BITS - k + b) + whole for k in range(BITS + 1)]
    return _survival(np.exp(_CHOOSE + np.array(log_mass)))


def _survival(mass: Floats) -> Floats:
    """P(D > t) from P(D = t) along the last axis, added up from the small end."""
    from_here = np.cumsum(mass[..., ::-1], axis=-1)[..., ::-1]
    return from_here - mass


def rate_upper(events: int, trials: int, confidence: float = 0.95) -> float:
    """The largest rate that `events` in `trials` do not contradict: Clopper-Pearson, one-sided.

    Found by halving an interval on the exact binomial tail; off by less than 1e-9. No trials: 1.
    """
    if events >= trials:
        return 1.0
    terms = _log_terms(events, trials)
    return _root(lambda p: _at_most(p, terms, trials) > 1 - confidence)


def rate_lower(events: int, trials: int, confidence: float = 0.95) -> float:
    """The smallest rate that `events` in `trials` do not contradict; likewise. No events: 0."""
    return 1 - rate_upper(trials - events, trials, confidence)


def _log_terms(events: int, trials: int) -> Floats:
    """Logarithms of the binomial coefficients of 0..events."""
    whole = math.lgamma(trials + 1)
    return np.array([whole - math.lgamma(k + 1) - math.lgamma(trials - k + 1) for k in range(events + 1)])


def _at_most(p: float, log_terms: Floats, trials: int) -> float:
    """P(events or fewer), the events being those that `log_terms` has coefficients for."""
    k = np.arange(len(log_terms))
    return float(np.exp(log_terms + k * math.log(p) + (trials - k) * math.log1p(-p)).sum())


def _root(below: Callable[[float], bool]) -> float:
    """Where a condition that holds at small rates ends."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return high
