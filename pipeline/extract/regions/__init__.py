"""Which part of the page a block lies in: its own subject (`main`), or one of the kinds of chrome around it.

What elements say of themselves (`hints`) is only a hint: a `header` that holds the page's `h1` and an `aside` that
holds the recipe are no chrome. `settle` weighs each hint against what lies in the element: how much of the page, how
much of it links or running text, where it stands. What no element says is then read from the text itself (`telling`).
"""

from pipeline.extract.regions.hints import ROLE_SELECTOR, hints_of
from pipeline.extract.regions.settling import settle

__all__ = ["ROLE_SELECTOR", "hints_of", "settle"]
