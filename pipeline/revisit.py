"""When a page is visited next. A fixed interval a page for now; what learns from change rates comes in here."""

from datetime import datetime, timedelta

from pipeline.model import Purpose

__all__ = ["CONFIRM_DELAY", "CONFIRM_RETRIES", "after_failure", "after_visit", "to_confirm"]

CONFIRM_DELAY = timedelta(minutes=3)
"""A waiting content change is looked at again after 2 to 5 minutes: long enough for a cache to turn over, short
enough that a real edit is hardly ever undone."""

CONFIRM_RETRIES = (timedelta(minutes=5), timedelta(minutes=15), timedelta(minutes=60))
"""When a confirm visit is not good it is repeated after these; then the candidate waits for the next good visit."""

Plan = tuple[datetime, Purpose]


def after_visit(now: datetime, every: timedelta) -> Plan:
    """The next visit after one that answered. After downtime one visit is due, not the missed ones."""
    return now + every, Purpose.WATCH


def to_confirm(now: datetime, every: timedelta, purpose: Purpose) -> Plan:
    """The next visit while a content change waits.

    A change first seen on a confirm visit waits for the usual next visit, so that a page that changes at every
    load is not fetched every three minutes for ever.
    """
    if purpose is Purpose.CONFIRM:
        return after_visit(now, every)
    return now + min(CONFIRM_DELAY, every), Purpose.CONFIRM


def after_failure(now: datetime, every: timedelta, purpose: Purpose, failure_streak: int) -> Plan:
    """The next visit after one that was not good.

    Args:
        now: When it ended.
        every: The page's interval.
        purpose: Its purpose; only confirm visits are repeated early.
        failure_streak: Visits in a row that were not good, this one included; at least 1.
    """
    if purpose is Purpose.CONFIRM and failure_streak <= len(CONFIRM_RETRIES):
        return now + min(CONFIRM_RETRIES[failure_streak - 1], every), Purpose.CONFIRM
    return after_visit(now, every)
