"""Classify: what one visit showed, judged against the page's reference. Pure; no network, no database, no clock.

The order of decision, each step leaving its reason: is this the page at all (quality)? -> bytes equal = `none` -> a
tracked field changed = `field` -> text equal = `noise` -> a changed block nothing explains = `content` -> distance
beyond the threshold = `content` -> drifted from the baseline = `content` -> `noise`.
"""

from pipeline.classify.decide import decide
from pipeline.classify.events import WINDOW, Evidence, Sighting, evidence_of, group
from pipeline.classify.fields import compare_fields
from pipeline.classify.judge import USUAL, Memory, Seen, advance, doubt, judge, still_there, vanish
from pipeline.classify.quality import Assessment, Doubt, Past, assess
from pipeline.classify.statement import Watched, watched
from pipeline.classify.text import compare_blocks

__all__ = [
    "DETECTOR_VERSION",
    "USUAL",
    "WINDOW",
    "Assessment",
    "Doubt",
    "Evidence",
    "Memory",
    "Past",
    "Seen",
    "Sighting",
    "Watched",
    "advance",
    "assess",
    "compare_blocks",
    "compare_fields",
    "decide",
    "doubt",
    "evidence_of",
    "group",
    "judge",
    "still_there",
    "vanish",
    "watched",
]

DETECTOR_VERSION = 3
"""Raised when the same evidence can be judged differently; part of what makes a page's rules."""
