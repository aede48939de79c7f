"""When a page is visited next. A fixed interval a page for now; what learns from change rates comes in here."""

from datetime import datetime, timedelta

from pipeline.model import Purpose

__all__ = ["CONFIRM_DELAY", "CONFIRM_RETRIES", "NOT_FOUND", "after_failure", "after_visit", "is_gone", "to_confirm"]

CONFIRM_DELAY = timedelta(minutes=3)
"""A waiting content change is looked at again after 2 to 5 minutes: long enough for a cache to turn over, short
enough that a real edit is hardly ever undone."""

CONFIRM_RETRIES = (timedelta(minutes=5), timedelta(minutes=15), timedelta(minutes=60))
"""When a confirm visit is not good it is repeated after these; then the candidate waits for the next good visit."""

NOT_FOUND = "http_404"
"""Reason of a visit whose page was not found: gone once that is confirmed, failed until then. 410 is gone at once."""

MISSING_RETRIES = (timedelta(minutes=5), timedelta(minutes=15))
"""A page that answers 404 is asked again after these before it counts as gone: deployments and caches answer so too."""

MISSING_FOR = timedelta(minutes=15)
"""How long it must have answered so by then, also when it is visited by hand."""

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


def after_failure(
    now: datetime, every: timedelta, purpose: Purpose, failure_streak: int, missing_visits: int = 0
) -> Plan:
    """The next visit after one that was not good.

    Args:
        now: When it ended.
        every: The page's interval.
        purpose: Its purpose; confirm visits are repeated early.
        failure_streak: Visits in a row that were not good, this one included; at least 1.
        missing_visits: Visits in a row that answered 404, this one included; 0 after another failure.
    """
    if 0 < missing_visits <= len(MISSING_RETRIES):
        again = purpose if purpose is Purpose.CONFIRM else Purpose.PROBE
        return now + min(MISSING_RETRIES[missing_visits - 1], every), again
    if purpose is Purpose.CONFIRM and failure_streak <= len(CONFIRM_RETRIES):
        return now + min(CONFIRM_RETRIES[failure_streak - 1], every), Purpose.CONFIRM
    return after_visit(now, every)


def is_gone(at: datetime, missing_visits: int | None, missing_since: datetime | None) -> bool:
    """Whether a visit that answered 404 is the one that settles that the page is gone.

    Args:
        at: When it began.
        missing_visits: Visits in a row before it that answered so; None for none.
        missing_since: When the first of them began, or None.
    """
    long = missing_since is not None and at - missing_since >= MISSING_FOR
    return long and (missing_visits or 0) >= len(MISSING_RETRIES)
