"""Every command's options and help. The work is imported when a command runs, so that `--help` is quick."""
# ruff: noqa: PLC0415  (that is the point of this module)

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, validators

from pipeline.cli.app import ContextParameter, app

__all__ = [
    "backup",
    "calibrate",
    "check",
    "compare",
    "diff",
    "doctor",
    "extract",
    "replay",
    "restore",
    "sql",
    "status",
    "try_",
    "visit",
]

Flag = Annotated[bool, Parameter(show_default=False)]
VISIT = "Usage: quietdiff visit [OPTIONS] SITE [PAGE...]"
CALIBRATE = "Usage: quietdiff calibrate [OPTIONS] SITE [PAGE...]"
STATUS = "Usage: quietdiff status [OPTIONS] [SITE/PAGE]"
COMPARE = "Usage: quietdiff compare [OPTIONS] OLD NEW\n       quietdiff compare [OPTIONS] --pairs FILE.jsonl"
REPLAY = "Usage: quietdiff replay [OPTIONS] FILE...\n       quietdiff replay [OPTIONS] --histories FILE.jsonl"
"""Usage lines that cannot be derived: what one form needs, another has not."""

Count = Annotated[int, Parameter(validator=validators.Number(gte=0))]


@app.command
def check(*, context: ContextParameter) -> int:
    """Check `quietdiff.yaml` and every file of `sites/`.

    Lists what is watched; or, with exit status 2, each problem with file, line, key and what is expected, or that
    there is no site file.

    Example: `quietdiff check`
    """
    from pipeline.cli.check import check_files

    return check_files(context)


@app.command(usage=VISIT)
def visit(site: str, /, *pages: str, json: Flag = False, context: ContextParameter) -> int:
    """Visit pages of a site now, whatever is due, and print what was found.

    Goes through the whole pipeline: fetch, read, judge, record, publish.

    Example: `quietdiff visit demo anvil terms`

    Args:
        site: Name of the site: its file in `sites/` without `.yaml`.
        pages: Names of its pages; none for all of them.
        json: One JSON line a visit.
        context: Where to work.
    """
    from pipeline.cli.visit import visit_pages

    return visit_pages(context, site, pages, as_json=json)


@app.command(usage=CALIBRATE)
def calibrate(site: str, /, *pages: str, fetches: int = 5, json: Flag = False, context: ContextParameter) -> int:
    """Fetch pages a few times in a row, so that what moves by itself is known and the rest is watched.

    Keeps to the host's delay. Between rapid fetches nothing happens to a page: what differs teaches its ledger, how far
    its text moves fits its threshold. New pages are calibrated by themselves while `quietdiff up` runs.

    Example: `quietdiff calibrate demo anvil --fetches 5`

    Args:
        site: Name of the site: its file in `sites/` without `.yaml`.
        pages: Names of its pages; none for all of them.
        fetches: How often each page is fetched.
        json: One JSON line a page.
        context: Where to work.
    """
    from pipeline.cli.calibrate import calibrate_pages

    return calibrate_pages(context, site, pages, fetches=fetches, as_json=json)


@app.command(usage=COMPARE)
def compare(
    old: Path | None = None,
    new: Path | None = None,
    /,
    *,
    url: str | None = None,
    rules: Path | None = None,
    json: Flag = False,
    pairs: Path | None = None,
) -> int:
    """Judge two saved HTML files of one page, with no history.

    Example: `quietdiff compare old.html new.html --url https://shop.example/anvil`

    Example: `quietdiff compare --pairs pairs.jsonl --json`

    Args:
        old: The earlier file; `-` is standard input.
        new: The later file; `-` is standard input.
        url: Where the page was, for its relative addresses.
        rules: A rules file: page type, fields, region, unordered, mask, language.
        json: One JSON line.
        pairs: Many pairs instead: lines of `{"id", "old", "new", "url"?, "rules"?}`; one JSON line each, in order.
            Paths are relative to this file; `-` is standard input.
    """
    from pipeline.cli.compare import compare_files, compare_pairs

    if pairs is not None:
        return compare_pairs(pairs, others=(old, new), url=url, rules=rules)
    return compare_files(old, new, url=url, rules=rules, as_json=json)


@app.command(usage=REPLAY)
def replay(
    *files: Path,
    calibrate: Count = 0,
    url: str | None = None,
    rules: Path | None = None,
    json: Flag = False,
    histories: Path | None = None,
) -> int:
    """Judge saved versions of one page in order, each against the last good one before it.

    Example: `quietdiff replay monday.html tuesday.html wednesday.html`

    Example: `quietdiff replay --histories histories.jsonl --json`

    Args:
        files: The versions, the earliest first; `-` is standard input.
        calibrate: How many of the first versions only teach what noise looks like.
        url: Where the page was, for its relative addresses.
        rules: A rules file: page type, fields, region, unordered, mask, language.
        json: One JSON line a version.
        histories: Many histories instead: lines of
            `{"id", "files", "site"?, "times"?, "calibrate"?, "url"?, "rules"?}`; one JSON line a version. Those of one
            site run together in order of time. Paths are relative to this file; `-` is standard input.
    """
    from pipeline.cli.replay import replay_files, replay_histories

    if histories is not None:
        return replay_histories(histories, others=files, calibrate=calibrate, url=url, rules=rules)
    return replay_files(files, calibrate=calibrate, url=url, rules=rules, as_json=json)


@app.command
def extract(
    page: str, /, *, url: str | None = None, rules: Path | None = None, json: Flag = False, context: ContextParameter
) -> int:
    """Show the fields and the visible text of a saved page, or of one that is fetched now.

    Example: `quietdiff extract page.html --rules rules.yaml --json`

    Example: `quietdiff extract https://shop.example/anvil --rules rules.yaml`

    Args:
        page: The saved page, `-` for standard input; or a URL that begins with `http://` or `https://`.
        url: Where a saved page was, for its relative addresses.
        rules: A rules file: page type, fields, region, unordered, mask, language.
        json: One JSON object.
        context: Where to work.
    """
    from pipeline.cli.extract import extract_page

    return extract_page(context, page, url=url, rules=rules, as_json=json)


@app.command(name="try")
def try_(page: str, /, *, rules: Path, json: Flag = False, context: ContextParameter) -> int:
    """Show what other rules would have said of a page's stored visits, and read from its last one; writes nothing.

    Visits whose body is no longer kept are left out. The page's calibration counts where it is the first that is kept.

    Example: `quietdiff try demo/anvil --rules rules.yaml`

    Args:
        page: `SITE/PAGE`.
        rules: A rules file: page type, fields, region, unordered, mask, language.
        json: One JSON line a visit.
        context: Where to work.
    """
    from pipeline.cli.tryout import try_rules

    return try_rules(context, page, rules=rules, as_json=json)


@app.command
def sql(
    statement: str,
    /,
    *,
    format: Literal["table", "csv", "json", "parquet"] = "table",  # noqa: A002  (the option's name)
    output: Path | None = None,
    context: ContextParameter,
) -> int:
    """Query the published copy with DuckDB's SQL; times are UTC.

    Start with the views changes, visit_results, price_history, current_values,
    kind_rates, calibration_log and site_events.

    Example: `quietdiff sql "SELECT seen_at, page_name, kind FROM changes ORDER BY seen_at"`

    Args:
        statement: One statement; `-` reads it from standard input.
        format: How rows are written.
        output: The file to write; needed for parquet.
        context: Where to work.
    """
    from pipeline.cli.sql import query

    return query(context, statement, format_=format, output=output)


@app.command(usage=STATUS)
def status(page: str | None = None, /, *, json: Flag = False, context: ContextParameter) -> int:
    """Show each page's last visit, its next one, failures and what is overdue, as of the published copy.

    Of one page, or one site's, also what is promised: how much of its text is watched, and its threshold.

    Example: `quietdiff status`

    Example: `quietdiff status demo/anvil`

    Args:
        page: `SITE/PAGE`, or `SITE` for all of its pages.
        json: One JSON object.
        context: Where to work.
    """
    from pipeline.cli.status import show_page_status, show_status

    if page is not None:
        return show_page_status(context, page, as_json=json)
    return show_status(context, as_json=json)


@app.command
def diff(change_id: str, /, *, json: Flag = False, context: ContextParameter) -> int:
    """Show what one change changed: fields, then text, with what was removed and added marked inline.

    Example: `quietdiff diff v6-2`

    Args:
        change_id: As in the view changes: `quietdiff sql "SELECT change_id, page_name FROM changes"`.
        json: One JSON object.
        context: Where to work.
    """
    from pipeline.cli.diff import show_change

    return show_change(context, change_id, as_json=json)


@app.command
def doctor(*, deep: Flag = False, repair: Flag = False, json: Flag = False, context: ContextParameter) -> int:
    """Look for anything wrong with the data folder and say what it means and what to do; changes nothing.

    Example: `quietdiff doctor --deep`

    Args:
        deep: Read every blob and compare it with its name; otherwise only its size is looked at.
        repair: Mend what can be mended without loss, and say what was done.
        json: One JSON array, one finding a line.
        context: Where to work.
    """
    from pipeline.cli.doctor import see_doctor

    return see_doctor(context, deep=deep, repair=repair, as_json=json)


@app.command
def backup(folder: Path, /, *, json: Flag = False, context: ContextParameter) -> int:
    """Copy everything that cannot be made anew to a folder, verified; runs go on meanwhile.

    A second backup into the same folder copies only what is new. One that dies half way leaves the earlier one whole.

    Example: `quietdiff backup /mnt/disk/quietdiff`

    Args:
        folder: Where the backup is kept; outside the data folder, best on another disk.
        json: One JSON object.
        context: Where to work.
    """
    from pipeline.cli.backup import make_backup

    return make_backup(context, folder, as_json=json)


@app.command
def restore(folder: Path, /, *, force: Flag = False, json: Flag = False, context: ContextParameter) -> int:
    """Put a backup into an empty data folder, and its site files where none are.

    Verifies every file of the backup before it touches anything.

    Example: `quietdiff restore /mnt/disk/quietdiff`

    Args:
        folder: Where the backup is kept.
        force: Restore over a database that is there; it is moved to `replaced` in the data folder, not deleted.
        json: One JSON object.
        context: Where to work.
    """
    from pipeline.cli.backup import restore_backup

    return restore_backup(context, folder, force=force, as_json=json)
