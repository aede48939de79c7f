"""Blocks to the form they are compared in: what looks the same is made the same, what passes by itself is masked.

`folding` is about characters, `tokens` about machine-made identifiers, `machines` about what a server tells of itself,
`masks` about times, dates and counters in short blocks, which `signs` writes with one sign a number and `patterns`
looks for, with the words of each language in `languages` and in `pipeline.cldr`.
"""

from pipeline.normalize.folding import fold
from pipeline.normalize.masking import normalize

__all__ = ["NORMALIZER_VERSION", "fold", "normalize"]

NORMALIZER_VERSION = 2
"""Raised whenever the same blocks could give other normal texts."""
