"""A page that redirects for good: watched on under its own URL, and reported once."""

import logging
from collections.abc import Mapping
from typing import Any

from pipeline.model import Fetched, Outcome

__all__ = ["MOVED_AFTER", "moved"]

MOVED_AFTER = 3
"""Visits in a row that a permanent redirect leads to the same place before that is reported: some are taken back."""

Row = dict[str, Any]

_log = logging.getLogger(__name__)


def moved(page: Mapping[str, Any], fetched: Fetched) -> Row:
    """What a visit makes of the page's columns `moved_to` and `moved_visits`.

    A visit that did not answer says nothing of it. The site file is never rewritten, and the history goes on.
    """
    if fetched.outcome not in {Outcome.OK, Outcome.NOT_MODIFIED}:
        return {"moved_to": page["moved_to"], "moved_visits": page["moved_visits"]}
    if fetched.moved_to is None:
        return {"moved_to": None, "moved_visits": None}
    visits = page["moved_visits"] + 1 if fetched.moved_to == page["moved_to"] else 1
    if visits == MOVED_AFTER:
        _log.warning("%s of %s has moved to %s; set its url, with was: to keep its name's history", page["page_name"],
                     page["site"], fetched.moved_to)  # fmt: skip
    return {"moved_to": fetched.moved_to, "moved_visits": visits}
