"""`quietdiff diff`: what one change changed, readable."""

import re

from pipeline.blobs import BlobStore
from pipeline.cli.app import Context
from pipeline.cli.output import Printer, instant, print_json
from pipeline.cli.shown import remark, show_blocks, sides
from pipeline.cli.visit import Changes, Row, change_id, changes_of, judged_words, printed_visit
from pipeline.errors import BlobError, UsageError
from pipeline.model import Confirmation

__all__ = ["show_change"]

CHANGES = "SELECT change_id, page_name, kind FROM changes"


def show_change(context: Context, name: str, *, as_json: bool) -> int:
    """Print one change of the published copy.

    Raises:
        UsageError: There is no such change, or it vanished long ago, or nothing is published.
        BlobError: Its stored diff is gone or damaged.
    """
    row = _find(context, name)
    try:
        changes = changes_of(row, BlobStore(context.data))
    except BlobError as error:
        if row["confirmation"] == Confirmation.VANISHED:
            kept = "its diff went as `retention.evidence` in quietdiff.yaml says"
            raise UsageError(f"{name} vanished at the second look, and {kept}") from error
        raise
    if as_json:
        print_json(printed_visit(row, changes) | {"reference_visited_at": row["reference_visited_at"]})
    else:
        _show(row, changes)
    return 0


def _find(context: Context, name: str) -> Row:
    """The visit that a change is named after; changes that still wait or have vanished are shown too."""
    list_them = f'list them: {context.program} sql "{CHANGES}"'
    match = re.fullmatch(r"v(\d{1,9})-(\d{1,9})", name)
    if match is None:
        raise UsageError(f"`{name}` is no change id such as v6-2; {list_them}")
    rows = context.published().rows("select_visit_result", page_id=int(match[1]), visit_no=int(match[2]))
    if not rows or rows[0]["diff_sha256"] is None:
        what = f"visit {match[2]} of that page changed nothing: {judged_words(rows[0])}" if rows else "no such visit"
        raise UsageError(f"no change {name}: {what}; {list_them}")
    return rows[0]


def _show(row: Row, changes: Changes) -> None:
    fields, blocks = changes
    printer = Printer()
    printer.line((f"{row['site']} / {row['page_name']}", "bold"), f"  {row['url']}")
    printer.line(judged_words(row))
    seen = f"seen {instant(row['visited_at'])}, compared with the visit of {instant(row['reference_visited_at'])}"
    printer.line((seen, "dim"))
    if change_id(row) is None:
        printer.line(("not among the recorded changes", "dim"))
    if fields:
        printer.line("")
        rows = [(field.name, *sides(field), remark(field)) for field in fields]
        printer.table(("field", "before", "after", ""), rows, fold=["before", "after"])
    if blocks:
        printer.line("")
        show_blocks(printer, blocks)
