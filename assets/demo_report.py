"""What `quietdiff demo` says at its end: what changed and why, what was noise, what failed, where to look next."""

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from pipeline.blobs import BlobStore
from pipeline.cli.output import Printer
from pipeline.cli.shown import show_blocks, show_fields
from pipeline.cli.visit import change_id, changes_of, judged_words
from pipeline.model import Confirmation, Kind, KindReason
from pipeline.warehouse import Published

Row = dict[str, Any]

CHANGES = "select change_id, seen_at, page_name, kind from changes"

MOST_BLOCKS = 5
"""Changed blocks shown of one visit."""


def print_report(data: Path, root: Path) -> None:
    """Print what a demo's data folder holds, read as an analyst would read it: from the published copy.

    Args:
        data: The demo's data folder.
        root: The demo's project folder.
    """
    published, blobs = Published(data), BlobStore(data)
    visits = published.rows("select_all_results")
    printer = Printer()
    first, last = (visits[0]["visited_at"], visits[-1]["visited_at"])
    pages = len({visit["page_name"] for visit in visits})
    printer.line(
        f"{len(visits)} visits of the demo site's {pages} pages, {first:%d %b} to {last:%d %b %Y} by the demo's clock"
    )
    _changes(printer, visits, blobs)
    _noise(printer, visits, blobs)
    _failures(printer, visits)
    _rest(printer, visits)
    _alerts(printer, published.rows("select_pending_alerts"))
    _next(printer, data, root, next((name for name in map(change_id, visits) if name), None))


def _changes(printer: Printer, visits: Iterable[Row], blobs: BlobStore) -> None:
    """Every change with its fields or its text, old and new."""
    _head(printer, "What changed, and why")
    for page, rows in _by_page(visit for visit in visits if change_id(visit)):
        printer.line((page, "bold"), indent=2)
        for visit in rows:
            fields, blocks = changes_of(visit, blobs)
            printer.line(_when(visit), f"  {judged_words(visit)}", (f"  {change_id(visit)}", "dim"), indent=4)
            show_fields(printer, fields, indent=6)
            if visit["kind"] == Kind.CONTENT or visit["also_content"]:
                show_blocks(printer, blocks, indent=6, most=MOST_BLOCKS)


def _noise(printer: Printer, visits: Sequence[Row], blobs: BlobStore) -> None:
    """Visits whose text differed without a change: a count a page, and the candidates that vanished."""
    _head(printer, "What was only noise", "recorded, and nobody is told")
    for page, rows in _by_page(visit for visit in visits if visit["kind"] == Kind.NOISE):
        printer.line((page, "bold"), f"  {len(rows)} visits, {judged_words(rows[0])}: {_mechanisms(rows)}", indent=2)
    for page, rows in _by_page(visit for visit in visits if visit["confirmation"] == Confirmation.VANISHED):
        for visit in rows:
            printer.line((page, "bold"), f"  {_when(visit)}  {judged_words(visit)}", indent=2)
            show_blocks(printer, changes_of(visit, blobs)[1], indent=6, most=MOST_BLOCKS)


def _mechanisms(rows: Iterable[Row]) -> str:
    """What explained the changed blocks of some visits, with how many."""
    reasons = [reason for row in rows for reason in json.loads(row["reasons"] or "[]")]
    counts = Counter(reason["explained_by"] for reason in reasons if reason["explained_by"])
    return ", ".join(f"{count} {name}" for name, count in counts.most_common()) or "nothing to explain"


def _failures(printer: Printer, visits: Iterable[Row]) -> None:
    """Visits that did not show the page. They are outside the four kinds."""
    _head(printer, "What could not be had", "no change: the last good state stands")
    for page, rows in _by_page(visit for visit in visits if visit["kind_reason"] == KindReason.NOT_GOOD):
        days = ", ".join(f"{visit['visited_at']:%a %d %b}" for visit in rows)
        printer.line((page, "bold"), f"  {days}  {judged_words(rows[0])}", indent=2)


def _rest(printer: Printer, visits: Sequence[Row]) -> None:
    """Pages of which nothing above tells, and how many visits found nothing."""
    quiet = [visit for visit in visits if visit["kind"] == Kind.NONE or visit["kind_reason"] == KindReason.FIRST]
    told = {visit["page_name"] for visit in visits if visit not in quiet}
    still = sorted({visit["page_name"] for visit in visits} - told)
    nothing = sum(visit["kind"] == Kind.NONE for visit in visits)
    _head(printer, "What stood still")
    printer.line((", ".join(still), "bold"), indent=2)
    printer.line(
        f"Of {len(visits)} visits {len(quiet) - nothing} were first ones, and {nothing} were of the kind none.",
        indent=2,
    )


def _alerts(printer: Printer, alerts: Iterable[Row]) -> None:
    """The outbox: alerts on the built-in channel."""
    _head(printer, "Alerts that wait in the outbox")
    for alert in alerts:
        payload = json.loads(alert["payload_json"])
        told = f"{payload['page']}: {payload['field']} {_step(payload['old'], payload['new'])}"
        moment = payload["seen_at"][:16].replace("T", " ")
        printer.line((alert["channel"], "bold"), f"  {moment} UTC  {told}", indent=2)


def _next(printer: Printer, data: Path, root: Path, change: str | None) -> None:
    """Commands to try now."""
    here = Path.cwd()
    data, root = (path.relative_to(here) if path.is_relative_to(here) else path for path in (data, root))
    installed = Path(".venv", "bin", "quietdiff")
    command = f"{installed if installed.exists() else 'quietdiff'} --data {shlex.quote(str(data))}"
    _head(printer, "Where to look next")
    printer.command(f'{command} sql "{CHANGES}"', indent=2)
    if change:
        printer.command(f"{command} diff {change}", indent=2)
    printer.command(f"{command} --project {shlex.quote(str(root))} status", indent=2)
    printer.command("make up", "  the Dagster UI with its schedule, and the demo site on the real clock", indent=2)


def _head(printer: Printer, title: str, remark: str = "") -> None:
    printer.line()
    printer.line((title, "bold"), (f"  ({remark})" if remark else "", "dim"))


def _by_page(visits: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    return [(page, list(rows)) for page, rows in groupby(visits, lambda visit: visit["page_name"])]


def _when(visit: Row) -> str:
    return f"{visit['visited_at']:%a %d %b %H:%M}"


def _step(old: object, new: object) -> str:
    """What an alert's values say: old and new, or the members that a list lost and gained."""
    if isinstance(old, list) and isinstance(new, list):
        lost = [f"lost {member}" for member in old if member not in new]
        return ", ".join(lost + [f"gained {member}" for member in new if member not in old])
    return f"{_value(old)} → {_value(new)}"


def _value(value: object) -> str:
    return f"{value['amount']} {value['currency']}" if isinstance(value, dict) else str(value)
