"""The stages chained, for assets, `visit`, `compare` and `replay` alike.

base      what every stage is given, and what it gives back
building  putting an Engine together
registry  the tables of what is watched, kept equal to the site files
fetching  fetch
reading   extract, normalize, fingerprint
pagework  judging the pending visits of one page in order; no database
recall    from rows and blobs back to records
judging   classify
grouping  one change on many pages of a site as one event
calibrating  rapid fetches, and the thresholds fitted to them
routing   route
statements   what is promised of each page
watching  the six in a row
offline   the same stages over saved files, with no database
"""

from pipeline.engine.base import Engine, StageReport
from pipeline.engine.building import build_engine
from pipeline.engine.calibrating import AUTO, FETCHES, FEWEST, MOST, Fitted, calibrate, uncalibrated
from pipeline.engine.fetching import fetch, release_leases
from pipeline.engine.judging import classify
from pipeline.engine.offline import History, NoisePool, compare, printed_judgement, read
from pipeline.engine.reading import extract, fingerprint, normalize
from pipeline.engine.registry import register_sites
from pipeline.engine.routing import route
from pipeline.engine.statements import Promise, promises
from pipeline.engine.watching import due_sites, next_due, unjudged, visit_now

__all__ = [
    "AUTO",
    "FETCHES",
    "FEWEST",
    "MOST",
    "Engine",
    "Fitted",
    "History",
    "NoisePool",
    "Promise",
    "StageReport",
    "build_engine",
    "calibrate",
    "classify",
    "compare",
    "due_sites",
    "extract",
    "fetch",
    "fingerprint",
    "next_due",
    "normalize",
    "printed_judgement",
    "promises",
    "read",
    "register_sites",
    "release_leases",
    "route",
    "uncalibrated",
    "unjudged",
    "visit_now",
]
