"""Blocks to the form they are compared in: what looks the same is made the same, what passes by itself is masked.

`folding` is about characters, `tokens` about machine-made identifiers, `masks` about times, dates and counters in
short blocks, with the words of each language in `languages`.
"""

from pipeline.normalize.folding import fold
from pipeline.normalize.masking import normalize

__all__ = ["NORMALIZER_VERSION", "fold", "normalize"]

NORMALIZER_VERSION = 1
"""Raised whenever the same blocks could give other normal texts."""
