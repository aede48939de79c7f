"""Whether a field change is one that people are told of, and how long its value must last for that."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from pipeline.config import AlertRule
from pipeline.model import FieldChange, FieldState, FieldType, FieldValue

__all__ = ["visits_needed", "worth_an_alert"]

SUSPICIOUS_VISITS = 2
"""Visits that must show a suspicious price, whatever the rule says."""


def worth_an_alert(
    change: FieldChange, rule: AlertRule, last_alerted: FieldValue | None, seen_before: datetime | None = None
) -> bool:
    """Whether all conditions of a field's rule hold.

    Only a value is worth an alert: one that was lost, is ambiguous or disputed goes to review. Size, direction and
    members are measured against the value last alerted, so that many small steps add up; `below`, `above` and `to`
    against the value before, so that each crossing and each return is told once. Another currency has no size: it is
    always worth one.

    Args:
        change: Old and new value.
        rule: Of its field.
        last_alerted: The value last alerted, or None if none was.
        seen_before: When the page last began to show the new value before, or None.
    """
    new = change.new
    if rule.never or not change.decides or change.disputed or new.state is not FieldState.VALUE:
        return False
    if seen_before is not None and not rule.repeat:
        return False
    before = last_alerted or (change.old if change.old.state is FieldState.VALUE else None)
    return all(_conditions(change, rule, before))


def visits_needed(change: FieldChange, rule: AlertRule) -> int:
    """Good visits in a row that must show the new value before people are told."""
    return max(rule.stable_for, SUSPICIOUS_VISITS if change.suspicious else 1)


def _conditions(change: FieldChange, rule: AlertRule, before: FieldValue | None) -> Iterator[bool]:
    new = change.new
    returns = bool(rule.to) or rule.below is not None or rule.above is not None
    yield returns or before is None or _differs(before, new)
    yield not rule.to or new.text in rule.to
    if rule.members is not None:
        yield bool(_members(before, new, rule.members))
    comparable = before is not None and new.number is not None and before.number is not None
    if new.number is None or (before is not None and (not comparable or _other_currency(before, new))):
        return
    yield _within_limits(change, rule)
    if before is not None:
        sized = rule.change is not None or rule.absolute is not None
        yield (returns and not sized) or _large_enough(before, new, rule)
        yield rule.direction is None or rule.direction == _direction(before, new)
    else:
        yield rule.direction is None


def _within_limits(change: FieldChange, rule: AlertRule) -> bool:
    """Whether the new value lies beyond the limits; where no size is given, the old one must not have."""
    sized = rule.change is not None or rule.absolute is not None
    new, old = change.new.number, change.old.number
    if new is None:
        return True
    if rule.below is not None and (new >= rule.below or (not sized and old is not None and old < rule.below)):
        return False
    return rule.above is None or (new > rule.above and (sized or old is None or old <= rule.above))


def _large_enough(before: FieldValue, new: FieldValue, rule: AlertRule) -> bool:
    if before.number is None or new.number is None:
        return True
    step = abs(new.number - before.number)
    if step == 0:
        return before.high != new.high  # the upper end of a range moved
    if rule.change is not None:
        return before.number == 0 or step >= rule.change * abs(before.number)
    return rule.absolute is None or step >= rule.absolute


def _direction(before: FieldValue, new: FieldValue) -> str | None:
    ends = [(value.number, value.high or value.number) for value in (before, new)]
    return None if ends[0] == ends[1] else "up" if ends[1] > ends[0] else "down"


def _members(before: FieldValue | None, new: FieldValue, which: str) -> Counter[str]:
    old_members, new_members = Counter((before and before.members) or ()), Counter(new.members or ())
    return new_members - old_members if which == "added" else old_members - new_members


def _other_currency(before: FieldValue, new: FieldValue) -> bool:
    return (
        new.type is FieldType.PRICE and None not in {before.currency, new.currency} and before.currency != new.currency
    )


def _differs(old: FieldValue, new: FieldValue) -> bool:
    if old.number is not None and new.number is not None and not _other_currency(old, new):
        return (old.number, old.high) != (new.number, new.high)
    return (old.text, old.currency, old.members, old.high) != (new.text, new.currency, new.members, new.high)
