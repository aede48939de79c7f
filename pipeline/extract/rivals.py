"""A second value for one thing on the same page: what a person sees against what machines are told."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.extract.currencies import take_signs
from pipeline.extract.numerals import uniform
from pipeline.extract.prices import price
from pipeline.extract.typed import Hints, Typed
from pipeline.model import FieldState, FieldType, FieldValue

__all__ = ["visible_price", "with_rival"]

LONGEST = 60
"""Characters of a block that may be a price with its label; a longer one tells of prices."""

_SIGN = "¤"


def with_rival(value: FieldValue, other: FieldValue | None) -> FieldValue:
    """The value, and the other beside it if both are values and not the same one."""
    if other is None or FieldState.VALUE is not value.state or FieldState.VALUE is not other.state:
        return value
    return replace(value, rival=other) if _differ(value, other) else value


def visible_price(value: FieldValue, shown: Sequence[str], hints: Hints) -> tuple[Typed, str] | None:
    """The one price that the page shows, with its text, if it is not the one that machines are told.

    None when the page shows no price, several, or the one that machines are told among them: then there is nothing to
    say against it. A price here has a currency beside it and stands in a short block.

    Args:
        value: Of structured data.
        shown: Texts of the main part, block by block.
        hints: Of the page.
    """
    if value.state is not FieldState.VALUE or value.high is not None or value.number is None:
        return None
    hints = replace(hints, currency=value.currency)
    seen: dict[str | None, tuple[Typed, str]] = {}
    for text in shown:
        if len(text) > LONGEST or not any(char.isdigit() for char in text) or not _names_currency(text):
            continue
        found = price(text, hints)
        if found.high is not None:
            continue
        if found.state is not FieldState.VALUE or found.number == value.number:
            return None
        seen.setdefault(found.text, (found, text))
    return next(iter(seen.values())) if len(seen) == 1 else None


def _names_currency(text: str) -> bool:
    return bool(take_signs(uniform(text), _SIGN)[1])


def _differ(value: FieldValue, other: FieldValue) -> bool:
    if value.type is not FieldType.PRICE:
        return value.text != other.text
    currencies = {value.currency, other.currency} - {None}
    return (value.number, value.high) != (other.number, other.high) or len(currencies) > 1
