"""Files of the project that follow from the script: the table in docs/demo.md and sites/demo.yaml."""

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from pipeline.demo.expected import Expectation, expectations
from pipeline.demo.index import show_change
from pipeline.demo.pages import PAGES
from pipeline.demo.script import CYCLE_DAYS
from pipeline.demo.server import DEFAULT_PORT
from pipeline.model import Purpose

__all__ = ["TABLE_BEGIN", "TABLE_END", "demo_table", "site_yaml", "with_table", "write_files"]

TABLE_BEGIN = "<!-- table: written by pipeline.demo.files.write_files -->"
TABLE_END = "<!-- end of table -->"


def site_yaml(base_url: str = f"http://127.0.0.1:{DEFAULT_PORT}") -> str:
    """The site file that watches the demo site at an address without a slash at its end."""
    text = files("pipeline.demo").joinpath("site.yaml").read_text(encoding="utf-8")
    return text.replace("{base_url}", base_url)


def demo_table() -> str:
    """Expected outcome, kind and values by page and day, as a Markdown table."""
    expected = expectations()
    days = range(1, CYCLE_DAYS + 1)
    lines = [
        "| page | " + " | ".join(f"day {day}" for day in days) + " |",
        "|---" * (CYCLE_DAYS + 1) + "|",
    ]
    for page in PAGES:
        cells = (_cell(e for e in expected if (e.page, e.day) == (page.name, day)) for day in days)
        lines.append(f"| `{page.name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def with_table(text: str) -> str:
    """docs/demo.md with the current table between its two markers.

    Raises:
        ValueError: A marker is not there.
    """
    before, begin, rest = text.partition(TABLE_BEGIN)
    _, end, after = rest.partition(TABLE_END)
    if not (begin and end):
        raise ValueError("docs/demo.md has lost a marker of its table")
    return f"{before}{begin}\n\n{demo_table()}\n{end}{after}"


def write_files(root: Path) -> None:
    """Bring docs/demo.md and sites/demo.yaml below the project's root up to date."""
    document = root / "docs" / "demo.md"
    document.write_text(with_table(document.read_text(encoding="utf-8")), encoding="utf-8")
    (root / "sites" / "demo.yaml").write_text(site_yaml(), encoding="utf-8")


def _cell(visits: Iterable[Expectation]) -> str:
    return "<br>".join(line for visit in visits for line in _lines(visit))


def _lines(visit: Expectation) -> list[str]:
    """One visit: outcome and kind with their reasons, then the values."""
    outcome = f"{visit.outcome} ({visit.outcome_reason})" if visit.outcome_reason else f"{visit.outcome}"
    kind = f"**{visit.kind}**" if visit.kind else "no kind"
    settled = f", {visit.confirmation}" if visit.confirmation else ""
    also = ", also content" if visit.also_content else ""
    head = f"{outcome}: {kind} ({visit.kind_reason}){settled}{also}"
    lines = [f"confirm visit {head}" if visit.purpose is Purpose.CONFIRM else head]
    lines += [f"{name}: {show_change(old, new)}" for name, (old, new) in visit.fields.items()]
    if visit.text:
        lines.append(f"text: {show_change(*visit.text)}")
    return lines
