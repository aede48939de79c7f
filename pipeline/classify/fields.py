"""Fields first, always, typed: which tracked values differ from the reference's."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime

from pipeline.config import is_weak
from pipeline.model import ChangeType, FieldChange, FieldState, FieldType, FieldValue, Rules

__all__ = ["compare_fields"]


def compare_fields(
    old: Mapping[str, FieldValue], new: Mapping[str, FieldValue], rules: Rules
) -> tuple[FieldChange, ...]:
    """Every field whose typed value or state differs, in the order of the rules.

    A field that neither side read (it was added to the rules, say) is no change. Zero, missing, ambiguous,
    unreadable and conflict are different states. Where the value stays and its rival appears or moves, the rival's
    change is the field's, and disputed.
    """
    changes: list[FieldChange] = []
    for spec in rules.fields:
        before, after = old.get(spec.name), new.get(spec.name)
        if before is None or after is None:
            continue
        if not _same(before, after):
            decides = not is_weak(spec.name, rules.page_type)
            changes.append(_change(before, after, decides=decides, disputed=_newly_disputed(before, after)))
        elif after.rival is not None and (before.rival is None or not _same(before.rival, after.rival)):
            changes.append(_change(before.rival or before, after.rival, decides=True, disputed=True))
    return tuple(changes)


def _change(before: FieldValue, after: FieldValue, *, decides: bool, disputed: bool) -> FieldChange:
    gone, come = _members(before, after)
    return FieldChange(
        name=after.name,
        type=after.type,
        change_type=_change_type(before, after),
        old=before,
        new=after,
        decides=decides,
        disputed=disputed,
        members_added=come,
        members_removed=gone,
    )


def _newly_disputed(before: FieldValue, after: FieldValue) -> bool:
    """Whether the page gives two values now that gave one; two that it always gave are its habit."""
    return after.rival is not None and before.rival is None


def _same(old: FieldValue, new: FieldValue) -> bool:
    if old.state is not new.state:
        return False
    if old.state is FieldState.MISSING:
        return True
    if old.state is not FieldState.VALUE:
        return old.raw == new.raw
    match new.type:
        case FieldType.PRICE:
            # A currency that only one side names is no change of price; two different ones are.
            currencies = {old.currency, new.currency} - {None}
            return (old.number, old.high) == (new.number, new.high) and len(currencies) < 2  # noqa: PLR2004
        case FieldType.NUMBER | FieldType.DURATION:
            return old.number == new.number
        case FieldType.LIST:
            return Counter(old.members or ()) == Counter(new.members or ())
        case FieldType.DATE:
            return old.text == new.text or _same_day(old, new)
        case FieldType.BOOL:
            return old.boolean == new.boolean
        case FieldType.TEXT:
            return _bare(old.text) == _bare(new.text)
        case _:
            return old.text == new.text


def _same_day(old: FieldValue, new: FieldValue) -> bool:
    """A bare date equals the same day with a time; two instants are equal when they are the same instant."""
    if old.moment is None or new.moment is None:
        return False
    bare = {len(old.text or "") <= 10, len(new.text or "") <= 10}  # noqa: PLR2004  (length of YYYY-MM-DD)
    if bare == {True, False}:
        return (old.text or "")[:10] == (new.text or "")[:10] or _day(old.moment) == _day(new.moment)
    return old.moment == new.moment


def _day(moment: datetime) -> str:
    return moment.astimezone(UTC).date().isoformat()


def _bare(text: str | None) -> str:
    return "".join((text or "").split()).casefold()


def _change_type(old: FieldValue, new: FieldValue) -> ChangeType:
    if old.state is FieldState.VALUE and new.state is FieldState.VALUE:
        return ChangeType.VALUE
    if new.state is FieldState.MISSING:
        return ChangeType.VANISHED
    if old.state is FieldState.MISSING:
        return ChangeType.APPEARED
    return ChangeType.STATE


def _members(old: FieldValue, new: FieldValue) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if new.type is not FieldType.LIST or ChangeType.VALUE is not _change_type(old, new):
        return (), ()
    before, after = Counter(old.members or ()), Counter(new.members or ())
    return tuple(sorted((before - after).elements())), tuple(sorted((after - before).elements()))
