"""How long work says how far it is."""

from collections.abc import Callable

__all__ = ["Tell", "nobody"]

Tell = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


def nobody(_what: str, _done: int, _total: int) -> None:
    """Tell nobody."""
