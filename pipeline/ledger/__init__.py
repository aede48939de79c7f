"""The block volatility ledger: which places of a page are habitually volatile, learned from noise.

A block that changed is explained when its text has come or gone in noise before, when the slot it stands in has changed
in noise before, or when most of what stands on its tag path keeps changing. Anything else is new: one number in a
sentence that stood still is unexplained at once.

A ledger is a value; learning gives another one. It sees packed blocks only, so that it can be replayed from what is
stored, and it knows no database, no page and no clock.
"""

from pipeline.ledger.changes import Change, Diff, diff_of_packed, difference
from pipeline.ledger.explaining import Explained, Why, explain, stands
from pipeline.ledger.learning import calibrate, learn, missed
from pipeline.ledger.packed import MAX_LEDGER_BYTES, pack, unpack
from pipeline.ledger.share import StableShare, stable_share
from pipeline.ledger.state import Ledger

__all__ = [
    "MAX_LEDGER_BYTES",
    "Change",
    "Diff",
    "Explained",
    "Ledger",
    "StableShare",
    "Why",
    "calibrate",
    "diff_of_packed",
    "difference",
    "explain",
    "learn",
    "missed",
    "pack",
    "stable_share",
    "stands",
    "unpack",
]
