"""Where a changed field is shown on the page: a block that changed by nothing else is reported as the field."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from pipeline.model import FieldChange, FieldState, FieldType, FieldValue

__all__ = ["Shown"]

_HOLE = "\x00"


class Shown:
    """The ways the old and new values of changed fields may be written on the page."""

    def __init__(self, changes: Sequence[FieldChange]) -> None:
        self._changes = [(_spellings(change.old), _spellings(change.new)) for change in changes]
        self._removed = {member for change in changes for member in change.members_removed}
        self._added = {member for change in changes for member in change.members_added}

    def explains(self, old: str | None, new: str | None) -> bool:
        """Whether two versions of a block differ only by the value of a changed field.

        Args:
            old: The block's folded text before; None if it was added.
            new: After; None if it was removed.
        """
        if old is None or new is None:
            return (old in self._removed) if new is None else (new in self._added)
        if old in self._removed and new in self._added:
            return True
        return any(self._swaps(old, new, before, after) for before, after in self._changes)

    @staticmethod
    def _swaps(old: str, new: str, before: Sequence[str], after: Sequence[str]) -> bool:
        holes = {hole for hole in (_cut(old, spelling) for spelling in before) if hole is not None}
        return any(_cut(new, spelling) in holes for spelling in after)


def _cut(text: str, spelling: str) -> str | None:
    """The text with a value's spelling cut out; None if it does not stand there as a word or number of its own."""
    at = text.find(spelling)
    if at < 0:
        return None
    end = at + len(spelling)
    if _goes_on(text[:at][::-1], spelling[0]) or _goes_on(text[end:], spelling[-1]):
        return None
    return text[:at] + _HOLE + text[end:]


def _goes_on(beside: str, edge: str) -> bool:
    """Whether the characters beside a spelling, nearest first, belong to the same word or number as its edge."""
    if not beside or not edge.isalnum():
        return False
    if beside[0].isalnum():
        return edge.isdigit() == beside[0].isdigit()  # `89EUR` ends a number, `1892` and `Anvils` go on
    return edge.isdigit() and beside[0] in ".,'" and beside[1:2].isdigit()


def _spellings(value: FieldValue) -> tuple[str, ...]:
    """How a value may be written, longest first, so that `1,299.00` is tried before `299`."""
    if value.state is not FieldState.VALUE:
        return ()
    texts = {value.raw, value.text}
    if value.type in {FieldType.PRICE, FieldType.NUMBER} and value.number is not None:
        texts |= set(_amounts(value.number))
    return tuple(sorted((text.strip() for text in texts if text and text.strip()), key=len, reverse=True))


def _amounts(number: Decimal) -> Iterable[str]:
    """A number with the separators of the world's locales, with and without trailing zeros."""
    short = format(number.normalize(), "f")
    for plain in {short, format(number.quantize(Decimal("0.01")), "f")} if number < Decimal(10) ** 20 else {short}:
        whole, _, fraction = plain.partition(".")
        grouped = f"{int(whole):,}"
        for thousands, point in (("", "."), ("", ","), (",", "."), (".", ","), (" ", ","), ("'", ".")):
            head = grouped.replace(",", thousands) if thousands else whole
            yield f"{head}{point}{fraction}" if fraction else head
