"""`quietdiff calibrate`: rapid fetches, what they teach of a page, and the thresholds that follow."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.blobs import BlobStore
from pipeline.cli.app import Context
from pipeline.cli.output import Printer, print_json, told
from pipeline.cli.streams import complain
from pipeline.engine import FEWEST, MOST, Fitted, Promise, StageReport, build_engine, calibrate, promises
from pipeline.errors import UsageError
from pipeline.warehouse import Published

__all__ = ["calibrate_pages", "printed_promise"]


def calibrate_pages(context: Context, site: str, pages: Sequence[str], *, fetches: int, as_json: bool) -> int:
    """Calibrate pages of a site and print what came of it.

    Returns:
        0, or 1 if not one fetch answered.

    Raises:
        ConfigError: The site's file or `quietdiff.yaml` is wrong.
        UsageError: There is no such site or page, or the number of fetches is out of bounds.
        StoreError: The database cannot be used.
    """
    if not FEWEST <= fetches <= MOST:
        raise UsageError(f"--fetches {fetches}: expected {FEWEST} to {MOST}; two show a difference, five are usual")
    project = context.project()
    names = list(pages) or [page.name for page in project.site(site).pages]
    for name in names:
        project.page(site, name)
    engine = build_engine(
        project,
        clock=context.clock,
        environ=context.environ,
        run_id=f"cli-{uuid.uuid4()}",
        command=f"quietdiff calibrate {site}",
    )
    who = context.environ.get("USER") or context.environ.get("LOGNAME") or "a person"
    with told() as progress:
        reports, fitted = calibrate(engine, site, names, fetches=fetches, by=who, progress=progress)
    kept = promises(Published(project.data), BlobStore(project.data), site)
    _print([each for each in kept if each.page in names], fitted, site, fetches, as_json=as_json)
    waiting = sum(not each.applied for each in fitted)
    if waiting:
        complain(f"{site}: {waiting} thresholds would make pages less watched and wait as proposals")
    return _complain_of_fetches(site, reports, fetches * len(names))


def _complain_of_fetches(site: str, fetched: Sequence[StageReport], asked: int) -> int:
    """Say what was asked for and not made or not answered; the exit status."""
    made, answered = (sum(report.counts.total() for report in fetched), sum(report.answered for report in fetched))
    if made < asked:
        complain(f"{site}: {made} of {asked} fetches were made; another run holds the pages, try again when it is done")
    elif not answered:
        complain(f"{site}: no fetch answered; nothing was learned, see quietdiff status {site}")
    return 0 if answered else 1


def printed_promise(promise: Promise) -> dict[str, Any]:
    """What is promised of a page as JSON; docs/commands.md lists the keys."""
    row, watched = promise.row, promise.watched
    return {
        "page": promise.page,
        "page_type": row["page_type"],
        "threshold": {
            key: row[key]
            for key in ("noise_bits", "drift_bits", "method", "fetches", "max_seen_bits", "alpha", "alpha_upper")
        }
        | {"applied_at": row["applied_at"], "applied_by": row["applied_by"]},
        "words": watched.words if watched else None,
        "watched": watched.watched if watched else None,
        "volatile": watched.volatile if watched else None,
        "around": watched.around if watched else None,
        "volatile_places": list(watched.volatile_places) if watched else [],
        "statement": str(watched) if watched else None,
    }


def _print(kept: Sequence[Promise], fitted: Sequence[Fitted], site: str, fetches: int, *, as_json: bool) -> None:
    by_page: Mapping[str | None, Fitted] = {each.page: each for each in fitted}
    if as_json:
        for promise in kept:
            own = by_page.get(promise.page)
            extra = {"distances": list(own.distances) if own else [], "applied": own.applied if own else False}
            print_json({"site": site} | printed_promise(promise) | extra)
        return
    printer = Printer()
    for promise in kept:
        own = by_page.get(promise.page)
        if own is None:
            printer.line((promise.page, "bold"), "  too few fetches answered to learn from")
            continue
        bits = ", ".join(map(str, own.distances[1 - fetches :])) or "none"
        printer.line((promise.page, "bold"), f"  distances between fetches: {bits} of 64 bits")
        printer.line(promise.threshold_words, indent=2)
        if promise.watched:
            printer.line(str(promise.watched), indent=2)
