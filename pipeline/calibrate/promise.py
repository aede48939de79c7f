"""What false-alert rate can be promised, and how later trials lower the one that is asked for.

Sources: Vovk, Gammerman, Shafer 2005, "Algorithmic learning in a random world", section 2.2, for the largest of n
exchangeable distances; Clopper, Pearson 1934, as in `tails`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.calibrate.records import Bound
from pipeline.calibrate.tails import rate_lower, rate_upper

__all__ = ["Rates", "alpha_from_trials"]

_STEP = 0.8
"""Factor between the rates that are tried."""
_LEAST = 0.01
"""Smallest share of the asked rate that trials can lower it to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The false-alert rate asked for, the one used, and what later trials of the site and type say of it."""

    asked: float
    used: float
    events: int
    trials: int

    def promised(self, count: int) -> Bound:
        """The smaller of the two bounds.

        Args:
            count: Distances of the page that its threshold is not below.
        """
        by_trials = rate_upper(self.events, self.trials)
        by_maximum = 1 / (count + 1)
        if not self.trials and not count:
            return Bound(rate=1.0, by="nothing")
        if by_trials < by_maximum:
            return Bound(rate=by_trials, by="clopper_pearson", events=self.events, trials=self.trials)
        return Bound(rate=by_maximum, by="max_of_n", events=self.events, trials=self.trials)


def alpha_from_trials(asked: float, trials: int, above: Callable[[float], int]) -> float:
    """The largest rate, no larger than the asked one, whose thresholds the later trials do not speak against.

    With trials enough to prove the asked rate (3 / asked, if none is above) they have to prove it: their 95 % upper
    bound is no more. With fewer they have to leave it possible: their 95 % lower bound is no more. If no rate does,
    the smallest.

    Args:
        asked: 0..1.
        trials: Later trials of the site and type.
        above: How many of them are above the thresholds of a rate.
    """
    if not trials:
        return asked
    bound = rate_upper if rate_upper(0, trials) <= asked else rate_lower
    rate = asked
    while rate > asked * _LEAST and bound(above(rate), trials) > asked:
        rate *= _STEP
    return rate
