"""What a raw text means under a field's type, before it is known which field it belongs to."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pipeline.model import FieldState

__all__ = ["AMBIGUOUS", "CONFLICT", "MISSING", "UNREADABLE", "Hints", "Typed", "decimal_text"]

DECIMALS = 8
WHOLE_DIGITS = 20
"""The database keeps amounts as DECIMAL(28, 8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What helps to read a value that could mean two things.

    Attributes:
        language: BCP 47 tag of the page, or None.
        host: Of the page's URL, lower case; empty if unknown.
        base: URL that relative links are resolved against; may be empty.
        currency: ISO 4217, told beside the amount; it outweighs a sign that several countries share.
        machine: Written for machines (schema.org: the full stop is the decimal point), not for people.
        locale: BCP 47 tag that a rule gives; it outweighs language, host and currency.
    """

    language: str | None = None
    host: str = ""
    base: str = ""
    currency: str | None = None
    machine: bool = False
    locale: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A typed value or the reason why there is none; the attributes are those of `FieldValue`."""

    state: FieldState = FieldState.VALUE
    text: str | None = None
    number: Decimal | None = None
    high: Decimal | None = None
    currency: str | None = None
    moment: datetime | None = None
    boolean: bool | None = None
    members: tuple[str, ...] | None = None


MISSING = Typed(state=FieldState.MISSING)
AMBIGUOUS = Typed(state=FieldState.AMBIGUOUS)
UNREADABLE = Typed(state=FieldState.UNREADABLE)
CONFLICT = Typed(state=FieldState.CONFLICT)


def bounded(number: Decimal) -> Decimal | None:
    """The number rounded to what the database can keep; None if it is too large or no number at all."""
    if not number.is_finite() or number.adjusted() >= WHOLE_DIGITS:
        return None
    return round(number, DECIMALS) if number.adjusted() >= -DECIMALS else Decimal(0)


def decimal_text(number: Decimal) -> str:
    """The canonical text of a number: no exponent, no trailing zeros, so that 2879.20 is 2879.2 and 1E+2 is 100."""
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
