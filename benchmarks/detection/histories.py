"""Replay labelled histories with their site events; print what reaches people and should not, or should and does not.

Usage: python -m benchmarks.detection.histories FOLDER [--calibrate 5] [--misses]

FOLDER holds `manifest.jsonl`: one line a version with `page`, `version`, `file`, `time` (epoch seconds) and `label`
(`first`, `noise`, `content`). A page's site is the first word of its name before an underscore. Versions that calibrate
are not counted.

An alert is a version of kind `content` or `field`; `alone` when it is in no group. A content label whose text, apart
from volatile spans, is that of the version before shows no change to find and is counted apart.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

Row = Mapping[str, Any]

COLUMNS = ("noise", "alone", "grouped", "content", "found alone", "found grouped", "missed", "nothing to see")


def replay(folder: Path, manifest: Iterable[Row], calibrate: int) -> dict[tuple[str, int], Row]:
    """The judged line of every version, by page and version."""
    pages: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(manifest, key=lambda row: row["version"]):
        pages[row["page"]].append(row)
    histories = [
        {
            "id": page,
            "site": page.partition("_")[0],
            "files": [str((folder / row["file"]).resolve()) for row in rows],
            "times": [row["time"] for row in rows],
            "calibrate": calibrate,
        }
        for page, rows in pages.items()
    ]
    command = [sys.executable, "-m", "assets.cli", "replay", "--histories", "-", "--json"]
    text = "".join(json.dumps(history) + "\n" for history in histories)
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True, encoding="utf-8")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {(line["id"], line["version"]): line for line in lines}


def told(label: str, line: Row) -> str:
    """The column of the table that a version counts in."""
    alert = line["kind"] in {"content", "field"}
    where = "grouped" if line["group"] else "alone"
    if label == "noise":
        return where if alert else "quiet"
    if alert:
        return f"found {where}"
    return "nothing to see" if line["kind_reason"] in {"text_equal", "bytes_equal"} else "missed"


def table(counts: Mapping[str, Counter[str]]) -> Table:
    """One row a page and the sum."""
    made = Table(title="Noise labels and their alerts, content labels and what became of them", title_justify="left")
    for column in ("page", *COLUMNS):
        made.add_column(column, justify="left" if column == "page" else "right")
    total: Counter[str] = sum(counts.values(), Counter())
    for page, row in [*counts.items(), ("all", total)]:
        made.add_row(page, *(str(row[column] or "") for column in COLUMNS))
    return made


def misses(judged: Iterable[tuple[Row, Row]]) -> Iterator[str]:
    """One line for each alert alone on a noise label and each content label with something to see that was missed."""
    for row, line in judged:
        what = told(row["label"], line)
        if what in {"alone", "missed"}:
            blocks = [block for block in line["changed_blocks"] if not block["explained_by"] or what == "missed"]
            seen = [(block["explained_by"], (block["new"] or block["old"])[:80]) for block in blocks[:3]]
            yield f"{what:>7} {row['page']} {row['version']}: {line['kind']} {line['kind_reason']} {seen}"


def main() -> None:
    """Print the table, the two figures, and with --misses each miss."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--calibrate", type=int, default=5)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    text = (options.folder / "manifest.jsonl").read_text(encoding="utf-8")
    manifest = [json.loads(line) for line in text.splitlines()]
    lines = replay(options.folder, manifest, options.calibrate)
    judged = [
        (row, lines[row["page"], row["version"]])
        for row in manifest
        if row["label"] in {"noise", "content"} and row["version"] >= options.calibrate
    ]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row, line in judged:
        counts[row["page"]].update((row["label"], told(row["label"], line)))
    console = Console(width=160)
    console.print(table(counts))
    total = sum(counts.values(), Counter[str]())
    found, visible = total["found alone"] + total["found grouped"], total["content"] - total["nothing to see"]
    console.print(f"alerts alone on noise labels: {total['alone']} of {total['noise']}")
    console.print(f"content labels with a visible change found, alone or in a group: {found} of {visible}")
    for miss in misses(judged) if options.misses else ():
        console.print(miss, markup=False, soft_wrap=True)


if __name__ == "__main__":
    main()
