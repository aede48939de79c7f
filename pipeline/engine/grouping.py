"""Site events of the live set: a visit joins the event that other pages showed, and earlier ones join with it.

What visits showed is kept in `sightings` for some days, so that nothing has to be read again to find out. All of it is
read and written in the session that writes the judgements: of two runs the one that writes second sees the first.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pipeline.classify import Evidence, Sighting, group
from pipeline.model import Confirmation
from pipeline.route import change_id
from pipeline.warehouse import Session, Transaction

__all__ = ["Judged", "sighting_row", "write_judged"]

KEPT = timedelta(days=8)
"""How long a sighting is kept: visits that were not judged for a week can still be grouped."""

Row = dict[str, Any]
Key = tuple[int, int]


@dataclass(slots=True, kw_only=True)
class Judged:
    """What a transaction of classify is about to say.

    Attributes:
        rows: New judgements, and final words on earlier ones; all of `judgements` but the site event.
        closings: Visits whose row is the final word on a judgement that waited.
        sightings: Of the new judgements that showed anything; rows of `sightings`.
        pinned: Bodies and texts to keep for good.
    """

    rows: list[Row] = field(default_factory=list)
    closings: set[Key] = field(default_factory=set)
    sightings: list[Row] = field(default_factory=list)
    pinned: list[str] = field(default_factory=list)


def sighting_row(row: Row, visited_at: datetime, evidence: Evidence) -> Row:
    """A row of `sightings` for a row of `judgements`."""
    same = {key: row[key] for key in ("site", "page_id", "visit_no", "commit_no")}
    return same | {"visited_at": visited_at, "shown": list(evidence.shown), "needed": list(evidence.needed)}


def write_judged(session: Session, transaction: Transaction, judged: Judged, now: datetime) -> None:
    """Append judgements with their site events, and for earlier visits that join one a copy that says so."""
    vanished = {_key(row) for row in judged.rows if row["confirmation"] == Confirmation.VANISHED} & judged.closings
    groups = _groups(session, judged.sightings, vanished)
    own = {_key(row): row for row in judged.rows}
    current = {_key(row): row for row in session.rows("select_judgements", batch=_batch({*groups, *judged.closings}))}
    for key, row in own.items():
        said = current[key]["group_id"] if key in judged.closings else None
        row["group_id"] = None if key in vanished else said or groups.get(key)
    joined = [
        row | {"group_id": groups[key], "judged_at": now, "commit_no": transaction.commit_no}
        for key, row in current.items()
        if key in groups and key not in own and row["group_id"] is None
    ]
    transaction.insert("judgements", [*judged.rows, *joined])
    transaction.execute("delete_sightings", batch=_batch(vanished))
    transaction.insert("sightings", judged.sightings)
    sites = {row["site"] for row in judged.sightings}
    transaction.execute("delete_old_sightings", batch=[{"site": site, "before_at": now - KEPT} for site in sites])


def _groups(session: Session, fresh: Sequence[Row], vanished: Collection[Key]) -> dict[Key, str]:
    """The site event of each fresh visit, and of each earlier one that shares a text with one; by visit."""
    asked = {(row["site"], text) for row in fresh for text in (*row["shown"], *row["needed"])}
    batch = [{"site": site, "text": text} for site, text in sorted(asked)]
    earlier = [row for row in session.rows("select_sightings", batch=batch) if _key(row) not in vanished]
    by_site: dict[str, list[Sighting]] = defaultdict(list)
    for row in (*fresh, *earlier):
        by_site[row["site"]].append(_sighting(row))
    touched = {_key(row) for row in fresh} | {_key(row) for row in earlier if row["near"]}
    return {
        key: change_id(*first)
        for sightings in by_site.values()
        for key, first in group(sightings).items()
        if key in touched
    }


def _sighting(row: Row) -> Sighting:
    return Sighting(
        page=row["page_id"],
        visit=row["visit_no"],
        at=row["visited_at"].timestamp(),
        order=row["commit_no"],
        evidence=Evidence(shown=tuple(row["shown"]), needed=tuple(row["needed"])),
    )


def _key(row: Row) -> Key:
    return row["page_id"], row["visit_no"]


def _batch(keys: Iterable[Key]) -> list[Row]:
    return [{"page_id": page_id, "visit_no": visit_no} for page_id, visit_no in sorted(keys)]
