"""How much a page differs from itself when nothing happened, and the thresholds that follow.

Records in, records out; nothing here knows a database, the network or a clock.
"""

from pipeline.calibrate.moments import PRIOR, fit_prior
from pipeline.calibrate.records import METHOD, Bound, Calibration, Evidence, Moments, PageNoise
from pipeline.calibrate.tails import rate_lower, rate_upper
from pipeline.calibrate.thresholds import ALPHA, drift_bits, fit

__all__ = [
    "ALPHA",
    "METHOD",
    "PRIOR",
    "Bound",
    "Calibration",
    "Evidence",
    "Moments",
    "PageNoise",
    "drift_bits",
    "fit",
    "fit_prior",
    "rate_lower",
    "rate_upper",
]
