"""What calibration reads, and what it says with its evidence."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = ["METHOD", "Bound", "Calibration", "Evidence", "Moments", "PageNoise"]

METHOD = "beta_binomial"
"""The word for it in the table `thresholds`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNoise:
    """The distances of one page at which nothing had happened, each to the fetch before.

    Attributes:
        words: Length of the page, at least 1.
        distances: Of its calibration fetches, bits 0..64: K rapid fetches give K - 1. A fetch at which the page changed
            for good does not belong here. Empty before calibration.
        later: Of its visits since then whose truth is noise: a second fetch took the candidate back, a person said so,
            or the blocks explain them whatever the distance. They test the threshold and never move it up.
    """

    page_id: int
    site: str
    page_type: str
    words: int
    distances: tuple[int, ...] = ()
    later: tuple[int, ...] = ()

    @property
    def group(self) -> tuple[str, str]:
        """Pages that are pooled: one site, one type."""
        return self.site, self.page_type


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Noise of a set of pages, in fractions of the 64 bits.

    Attributes:
        mean: Of the pages' means, 0..1.
        within: Variance of one page's distances.
        between: Variance of the pages' true means.
        freedom: How well their level is known, above 0: degrees of freedom of the factor by which all three may differ
            where a page lives. One less than the sites behind them, and one more for each perfectly known page.
    """

    mean: float
    within: float
    between: float
    freedom: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A false-alert rate that is promised, 0..1, and by what.

    Attributes:
        by: `max_of_n`: of n exchangeable distances and one more, each is as likely the largest, so the next exceeds a
            threshold no lower than all n in at most 1 of n + 1 cases; the mean over calibrations. `clopper_pearson`:
            95 % upper bound from later trials of the site and type. `nothing`: neither is there, and the rate is 1.
        events: Later trials above their threshold.
        trials: Later trials.
    """

    rate: float
    by: Literal["nothing", "max_of_n", "clopper_pearson"]
    events: int = 0
    trials: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a threshold is what it is. Means and deviations are in bits.

    Attributes:
        counts: How many of the distances behind it were 0, 1, 2 ... bits, up to the largest; the page's own, or all of
            the group.
        pages: Pages of the group with distances.
        credible_pages: What their distances are worth against the prior's five pages.
        mean_bits, within_bits, between_bits: Mean and standard deviations of the group, after shrinking.
        expected_bits: Mean of the fitted curve.
        alpha_used: The asked rate, or the smaller one that later trials made of it.
        words: Length that it was computed for; None where length plays no part.
        survival: P(distance > t) of the fitted curve for t from 0 to the first below 1 in 10,000.
    """

    counts: tuple[int, ...]
    pages: int
    credible_pages: float
    mean_bits: float
    within_bits: float
    between_bits: float
    expected_bits: float
    alpha_used: float
    words: int | None
    bound: Bound
    survival: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A proposed row of `thresholds`.

    Attributes:
        page_id: None for the row of every page of the site and type that has none of its own.
        noise_bits: Largest distance to the reference still noise, 0..64.
        drift_bits: The same to the baseline.
        fetches: Calibration fetches behind it.
        max_seen_bits: Largest distance among them; None without any.
        alpha: The false-alert rate asked for, 0..1.
        alpha_upper: The one promised: `evidence.bound`.
    """

    site: str
    page_type: str
    page_id: int | None
    noise_bits: int
    drift_bits: int
    fetches: int
    max_seen_bits: int | None
    alpha: float
    alpha_upper: float
    evidence: Evidence
    method: str = METHOD

    def evidence_json(self) -> dict[str, Any]:
        """The evidence as JSON writes it: objects, lists, numbers, null."""
        return {key: _plain(value) for key, value in asdict(self.evidence).items()}


def _plain(value: Any) -> Any:
    """Tuples as lists, floats with six significant digits."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value
