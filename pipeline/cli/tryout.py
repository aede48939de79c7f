"""`quietdiff try`: what other rules would have said of a page's stored visits.

Reads the published copy and the blobs, writes nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.blobs import BlobStore
from pipeline.cli.app import Context
from pipeline.cli.inputs import RulesFinder
from pipeline.cli.output import Printer, instant, print_json, progress
from pipeline.cli.shown import kind_words, short_fields, show_blocks, value_words
from pipeline.engine import History, printed_judgement, read
from pipeline.errors import BlobError, UsageError
from pipeline.model import Confirmation, FieldValue, Judgement, Kind, Purpose, Rules

__all__ = ["try_rules"]

MOST_BLOCKS = 3
"""Changed blocks shown of each visit; `--json` has them all."""

Row = Mapping[str, Any]
Values = Mapping[str, FieldValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """One stored visit under the new rules: the row of the published copy, and the judgement now."""

    row: Row
    judgement: Judgement


def try_rules(context: Context, name: str, *, rules: Path, as_json: bool) -> int:
    """Judge the stored bodies of a page again under a rules file, and print each beside what was said of it.

    Raises:
        ConfigError: The rules are wrong.
        UsageError: There is no such page, or no body of it is kept.
    """
    site, _, page = name.partition("/")
    if not page:
        raise UsageError(f"`{name}`: expected SITE/PAGE, such as demo/anvil")
    current = context.project().page(site, page)
    tried_rules = RulesFinder(rules).of()
    rows = context.published().rows("select_kept_bodies", site=site, page=page)
    kept = [row for row in rows if row["kept"]]
    if not kept:
        raise UsageError(
            f"{name}: no visit of it has a body that is kept; visit it first: quietdiff visit {site} {page}"
        )
    blobs = BlobStore(context.data)
    tried = list(_judged(kept, blobs, tried_rules))
    before, after = (_values(kept[-1], blobs, each) for each in (current.rules, tried_rules))
    if as_json:
        for each in tried:
            print_json(_as_json(each))
    else:
        _show(name, rows, tried, before, after)
    return 0


def _judged(rows: Sequence[Row], blobs: BlobStore, rules: Rules) -> Iterator[_Tried]:
    """Each body in order; a page's first calibration fetches teach the ledger here too."""
    first = next((n for n, row in enumerate(rows) if row["purpose"] != Purpose.CALIBRATE), len(rows))
    history = History(url=rows[0]["url"], rules=rules, calibrate=first)
    with progress() as bar:
        for row in bar.track(rows, description="visits"):
            try:
                body = blobs.get(row["body_sha256"])
            except BlobError:  # gone since the copy was made
                continue
            yield _Tried(row=row, judgement=history.visit(body, content_type=row["content_type"]))


def _values(row: Row, blobs: BlobStore, rules: Rules) -> Values:
    reading, _ = read(
        blobs.get(row["body_sha256"]), url=row["url"], content_type=row["content_type"], rules=rules, visit_no=1
    )
    return {value.name: value for value in reading.fields}


def _as_json(tried: _Tried) -> dict[str, Any]:
    row = tried.row
    recorded = {key: row[key] for key in ("kind", "kind_reason", "confirmation", "quality")}
    head = {"visit_no": row["visit_no"], "visited_at": row["visited_at"], "recorded": recorded}
    return head | printed_judgement(tried.judgement, id_=f"v{row['visit_no']}")


def _show(name: str, rows: Sequence[Row], tried: Sequence[_Tried], before: Values, after: Values) -> None:
    printer = Printer()
    printer.line((name, "bold"), f"  {len(tried)} of {len(rows)} visits with a body of their own are still kept")
    table = [
        (
            field,
            value_words(before[field]) if field in before else "",
            value_words(after[field]) if field in after else "",
        )
        for field in sorted(before.keys() | after.keys())
    ]
    if table:
        printer.line("")
        printer.table(("field", "rules in force", "these rules"), table, fold=["rules in force", "these rules"])
    printer.line("")
    other = 0
    for each in tried:
        differs = _said(each.row) != each.judgement.kind
        other += differs
        printer.line(
            f"{each.row['visit_no']:>4}  {instant(each.row['visited_at'])}  ",
            (_words(each.judgement), "bold" if differs else ""),
            (f"  recorded: {_said(each.row) or each.row['kind_reason']}" if differs else "", "dim"),
        )
        if each.judgement.field_changes:
            printer.line(short_fields(each.judgement.field_changes), indent=6)
        if each.judgement.kind in {Kind.CONTENT, Kind.FIELD}:
            show_blocks(printer, each.judgement.block_changes, indent=6, most=MOST_BLOCKS)
    printer.line("")
    printer.line(f"{other} of {len(tried)} come out differently; nothing was written")


def _said(row: Row) -> Kind | None:
    """What was recorded; a change that vanished at the second look counts as noise."""
    if row["kind"] is None:
        return None
    return Kind.NOISE if row["confirmation"] == Confirmation.VANISHED else Kind(row["kind"])


def _words(judgement: Judgement) -> str:
    return kind_words(judgement.kind, judgement.kind_reason, judgement.quality, also_content=judgement.also_content)
