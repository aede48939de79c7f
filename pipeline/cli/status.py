"""`quietdiff status`: pages, their last and next visits, failures, what is overdue, and the room it all takes."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from rich.text import Text

from pipeline.blobs import BlobStore
from pipeline.cli.app import Context
from pipeline.cli.calibrate import printed_promise
from pipeline.cli.output import Printer, instant, print_json
from pipeline.cli.visit import judged_words
from pipeline.clock import DEMO_MARK
from pipeline.config import Project
from pipeline.engine import promises
from pipeline.upkeep import Sizes, sizes
from pipeline.warehouse import Published

__all__ = ["OVERDUE_AFTER", "show_page_status", "show_status"]

OVERDUE_AFTER = timedelta(minutes=10)
"""A page whose visit was due longer ago than this is overdue: schedules look every few minutes, and the published
copy is a little older than the database."""

Row = Mapping[str, Any]


def show_status(context: Context, *, as_json: bool) -> int:
    """Print the state of every page as of the published copy.

    Raises:
        ConfigError: `quietdiff.yaml` is wrong.
        StoreError: The published copy cannot be read.
    """
    project, now = context.project(), context.clock.now()
    published = Published(project.data)
    copied_at = published.published_at()
    demo = copied_at is not None and (project.data / DEMO_MARK).exists()
    if demo and copied_at is not None:
        now = copied_at  # its clock went through days that are over, and stopped there
    visited = published.rows("select_status") if published.path.exists() else []
    rows = [_row(row, now) for row in visited] + _unvisited(project, visited)
    rows.sort(key=lambda row: row["site"])
    storage = sizes(project)
    if as_json:
        print_json(_as_json(project, rows, copied_at, storage))
    else:
        if copied_at is None and (project.data / "quietdiff.duckdb").exists():
            Printer().line((f"the published copy is gone; make it anew: {context.program} doctor --repair", "red"))
        else:
            _show(project, rows, context.program)
        Printer().line((f"storage: {storage}", "dim"))
        _show_copy(copied_at, now, demo=demo)
    return 0


def show_page_status(context: Context, name: str, *, as_json: bool) -> int:
    """Print the state of one page, or of a site's pages, and what is promised of each.

    Args:
        context: Where to work.
        name: `SITE/PAGE` or `SITE`.
        as_json: One JSON line a page.

    Raises:
        ConfigError: The site's file or `quietdiff.yaml` is wrong.
        UsageError: There is no such site or page.
        StoreError: The published copy cannot be read.
    """
    project, now = context.project(), context.clock.now()
    site, _, page = name.partition("/")
    wanted = [project.page(site, page)] if page else project.site(site).pages
    published = Published(project.data)
    there = published.path.exists()
    states = (
        {row["page_name"]: _row(row, now) for row in published.rows("select_status") if row["site"] == site}
        if there
        else {}
    )
    kept = {each.page: each for each in promises(published, BlobStore(project.data), site)} if there else {}
    printer = Printer()
    for each in wanted:
        state, promise = states.get(each.name), kept.get(each.name)
        if as_json:
            said = {key: value for key, value in (state or {}).items() if key != "words"}
            print_json({"site": site, "page": each.name} | said | (printed_promise(promise) if promise else {}))
            continue
        printer.line((f"{site}/{each.name}", "bold"), f"  {state['words'] if state else 'no visits yet'}")
        if state:
            when = f"last visit {instant(state['last_visit_at'])}, next {instant(state['next_visit_at'])}"
            printer.line((when, "dim"), indent=2)
        if promise and promise.watched:
            printer.line(str(promise.watched), indent=2)
        if promise:
            printer.line(promise.threshold_words, indent=2)
    return 0


def _row(row: dict[str, Any], now: datetime) -> Row:
    due = row["next_due_at"]
    return {
        "site": row["site"],
        "page": row["page_name"],
        "page_type": row["page_type"],
        "url": row["url"],
        "last_visit_at": row["last_visited_at"],
        "outcome": row["outcome"],
        "outcome_reason": row["outcome_reason"],
        "kind": row["kind"],
        "kind_reason": row["kind_reason"],
        "confirmation": row["confirmation"],
        "group": row["group_id"],
        "next_visit_at": due,
        "next_purpose": row["next_purpose"],
        "failure_streak": row["failure_streak"],
        "overdue": due is not None and due + OVERDUE_AFTER < now,
        "moved_to": row["moved_to"],
        "words": _words(row),
    }


def _words(row: dict[str, Any]) -> str:
    words = judged_words(row | {"effective_outcome": row["outcome"]}) if row["outcome"] else "no visits yet"
    return f"{words}; moved for good to {row['moved_to']}" if row["moved_to"] else words


def _unvisited(project: Project, visited: Sequence[Row]) -> list[Row]:
    """Pages of the site files that the published copy does not know yet."""
    known = {(row["site"], row["page_name"]) for row in visited}
    empty = ("last_visit_at", "outcome", "outcome_reason", "kind", "kind_reason", "confirmation", "group", "moved_to")
    return [
        {"site": site.name, "page": page.name, "page_type": page.page_type, "url": page.url}
        | dict.fromkeys((*empty, "next_visit_at", "next_purpose"))
        | {"failure_streak": 0, "overdue": False, "words": "no visits yet"}
        for site in project.sites.values()
        for page in site.pages
        if (site.name, page.name) not in known
    ]


def _sites(rows: Sequence[Row]) -> list[Row]:
    """One row a site."""
    return [
        {
            "site": site,
            "pages": len(pages),
            "visited": sum(page["last_visit_at"] is not None for page in pages),
            "failing": sum(page["failure_streak"] > 0 for page in pages),
            "overdue": sum(page["overdue"] for page in pages),
            "next_visit_at": min((page["next_visit_at"] for page in pages if page["next_visit_at"]), default=None),
        }
        for site, pages in ((site, list(group)) for site, group in groupby(rows, key=lambda row: row["site"]))
    ]


def _as_json(project: Project, rows: Sequence[Row], copied_at: datetime | None, storage: Sizes) -> Row:
    problems = [
        {"file": str(problem.path), "line": problem.line, "key": problem.key, "message": str(problem)}
        for problem in project.problems
    ]
    pages = [{key: value for key, value in row.items() if key != "words"} for row in rows]
    return {
        "published_at": copied_at,
        "sites": _sites(rows),
        "pages": pages,
        "problems": problems,
        "storage": asdict(storage) | {"total": storage.total},
    }


def _show(project: Project, rows: Sequence[Row], program: str) -> None:
    printer = Printer()
    for problem in project.problems:
        printer.line((f"problem: {problem}", "red"))
    if not any(row["last_visit_at"] for row in rows):
        printer.line(f"no visits yet; make the first: {program} visit SITE")
    if not rows:
        return
    cells = [_cells(row) for row in rows]
    if printer.fits(_HEAD, cells):
        printer.table(_HEAD, cells, right=["failures"])
    else:
        printer.table(_SHORT_HEAD, [_short_cells(row) for row in rows], right=["failures"], fold=["found"])
    printer.line("")
    counted = ("pages", "visited", "failing", "overdue")
    sites = [(row["site"], *(str(row[key]) for key in counted), instant(row["next_visit_at"])) for row in _sites(rows)]
    printer.table(("site", *counted, "next visit"), sites, right=counted)


def _show_copy(copied_at: datetime | None, now: datetime, *, demo: bool) -> None:
    """Of when all of this is."""
    if copied_at is None:
        return
    printer = Printer()
    if demo:
        told = f"a demo, as of {instant(copied_at)} by its own clock, which stands: no further visit comes"
        printer.line((told, "dim"))
        return
    printer.line((f"published copy of {instant(copied_at)}{_age(copied_at, now)}", "dim"))


_HEAD = ("site", "page", "type", "last visit", "found", "next visit", "failures")


def _cells(row: Row) -> list[str | Text]:
    due = instant(row["next_visit_at"])
    return [
        row["site"],
        row["page"],
        row["page_type"],
        instant(row["last_visit_at"]),
        row["words"],
        Text(f"{due} overdue", style="red") if row["overdue"] else due,
        _streak(row),
    ]


_SHORT_HEAD = ("site", "page", "last (UTC)", "found", "next (UTC)", "failures")


def _short_cells(row: Row) -> list[str | Text]:
    """For a narrow terminal: no type, times to the minute and without a year."""
    return [
        row["site"],
        row["page"],
        _minute(row["last_visit_at"]),
        row["words"],
        Text("overdue", style="red") if row["overdue"] else _minute(row["next_visit_at"]),
        _streak(row),
    ]


def _minute(moment: datetime | None) -> str:
    return "-" if moment is None else f"{moment:%d %b %H:%M}"


def _streak(row: Row) -> Text:
    return Text(str(row["failure_streak"]), style="red" if row["failure_streak"] else "")


def _age(copied_at: datetime, now: datetime) -> str:
    """How old the copy is; nothing if a simulation's clock made it later than now."""
    seconds = (now - copied_at).total_seconds()
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f", {seconds // size:.0f} {unit} ago"
    return ", just now" if seconds >= 0 else ""
