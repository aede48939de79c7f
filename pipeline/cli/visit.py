"""`quietdiff visit`: visit pages now and print what was found."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.blobs import BlobStore
from pipeline.cli.app import Context
from pipeline.cli.output import Printer, instant, print_json
from pipeline.cli.shown import kind_words, reason_words, show_blocks, show_fields
from pipeline.cli.streams import complain
from pipeline.codec import decode_diff, printed_block, printed_field_change
from pipeline.config import Project
from pipeline.engine import build_engine, visit_now
from pipeline.model import BlockChange, Confirmation, FieldChange, Kind, Outcome, Purpose
from pipeline.warehouse import Published

__all__ = ["change_id", "changes_of", "judged_words", "printed_visit", "visit_pages"]

Row = Mapping[str, Any]
Changes = tuple[tuple[FieldChange, ...], tuple[BlockChange, ...]]


def visit_pages(context: Context, site: str, pages: Sequence[str], *, as_json: bool) -> int:
    """Visit pages of a site through every stage, publish, and print each visit.

    Returns:
        0, or 1 if a page was not visited because another run holds it.

    Raises:
        ConfigError: The site's file or `quietdiff.yaml` is wrong.
        UsageError: There is no such site or page.
        StoreError: The database cannot be used.
    """
    project = context.project()
    names = list(pages) or [page.name for page in project.site(site).pages]
    for name in names:
        project.page(site, name)
    _warn_of_others(project, site)
    run_id = f"cli-{uuid.uuid4()}"
    engine = build_engine(
        project, clock=context.clock, environ=context.environ, run_id=run_id, command=f"quietdiff visit {site}"
    )
    visit_now(engine, site, pages)
    rows = Published(project.data).rows("select_run_results", run_id=run_id)
    rows = [row for row in rows if row["visited"] or row["purpose"] != Purpose.CALIBRATE]  # another run's, read by ours
    _print(rows, BlobStore(project.data), as_json=as_json)
    left = sorted(set(names) - {row["page_name"] for row in rows if row["visited"]})
    if left:
        complain(f"{site}: not visited: {', '.join(left)}; another run holds them, try again when it is done")
    return 1 if left else 0


def _warn_of_others(project: Project, site: str) -> None:
    for problem in project.problems:
        complain(f"{problem}; not watched until that is right, {site} is visited all the same")


def _print(rows: Sequence[Row], blobs: BlobStore, *, as_json: bool) -> None:
    if as_json:
        for row in rows:
            print_json(printed_visit(row, changes_of(row, blobs)) | {"next_visit_at": row["next_due_at"]})
        return
    printer = Printer()
    for row in rows:
        _show(printer, row, changes_of(row, blobs))


def changes_of(row: Row, blobs: BlobStore) -> Changes:
    """The changed fields and blocks of a visit; empty for one that is neither `field` nor `content`.

    Raises:
        BlobError: Its diff is gone.
    """
    return decode_diff(blobs.get(row["diff_sha256"])) if row["diff_sha256"] else ((), ())


def change_id(row: Row) -> str | None:
    """The id under which a visit stands in the view `changes`; None if it does not."""
    is_change = row["kind"] in {Kind.CONTENT, Kind.FIELD} and row["confirmation"] in {
        Confirmation.NOT_NEEDED,
        Confirmation.CONFIRMED,
    }
    return f"v{row['page_id']}-{row['visit_no']}" if is_change else None


def printed_visit(row: Row, changes: Changes) -> dict[str, Any]:
    """A visit as one JSON object; docs/commands.md lists the keys."""
    fields, blocks = changes
    same = ("kind", "kind_reason", "confirmation", "also_content", "quality", "distance", "distance_baseline")
    return {
        "site": row["site"],
        "page": row["page_name"],
        "visit_no": row["visit_no"],
        "visited_at": row["visited_at"],
        "outcome": row["effective_outcome"],
        "outcome_reason": row["outcome_reason"],
        "http_status": row["http_status"],
        **{key: row[key] for key in (*same, "threshold")},
        "fields": [printed_field_change(change) for change in fields],
        "changed_blocks": [printed_block(change) for change in blocks],
        "group": row["group_id"],
        "change_id": change_id(row),
    }


def judged_words(row: Row) -> str:
    """Outcome and kind of a visit in words, and the site event it is part of."""
    pages = row.get("group_pages")
    words = _outcome_words(row)
    if not pages:
        return words
    shared = f"{pages} pages of the site" if pages > 1 else "other pages of the site too"
    return f"{words}; part of a change on {shared}"


def _outcome_words(row: Row) -> str:
    if row["effective_outcome"] not in {Outcome.OK, Outcome.NOT_MODIFIED}:
        reason = reason_words(row["outcome_reason"])
        return ": ".join(word for word in (row["effective_outcome"], reason) if word)
    if row["outcome"] == Outcome.NOT_MODIFIED:
        return f"{Kind.NONE}: not modified, the server says"
    words = kind_words(row["kind"], row["kind_reason"], also_content=row["also_content"])
    match row["confirmation"]:
        case Confirmation.WAITING:
            return f"{words}; waits for a second look"
        case Confirmation.CONFIRMED:
            return f"{words}; confirmed by a second look"
        case Confirmation.VANISHED:
            return f"{words}; gone at the second look, so noise"
    return words


def _show(printer: Printer, row: Row, changes: Changes) -> None:
    fields, blocks = changes
    earlier = "" if row["visited"] else f" (visit {row['visit_no']})"
    name = change_id(row)
    printer.line((row["page_name"], "bold"), f"{earlier}  {judged_words(row)}", (f"  {name}" if name else "", "dim"))
    show_fields(printer, fields, indent=2)
    if row["kind"] == Kind.CONTENT or row["also_content"]:
        show_blocks(printer, blocks, indent=2)
    if row["visited"] and row["confirmation"] == Confirmation.WAITING:
        candidate = f"candidate v{row['page_id']}-{row['visit_no']}"
        rule = "confirmed if the next good visit still finds it, by schedule or by hand; else it was noise"
        printer.line((f"{candidate}: {rule}; due {instant(row['next_due_at'])}", "dim"), indent=2)
