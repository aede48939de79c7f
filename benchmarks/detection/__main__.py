"""Judge labelled pairs with `quietdiff compare --pairs` and print confusion tables.

Usage: python -m benchmarks.detection CORPUS [--misses]

CORPUS is a folder with `labels.jsonl`: one line a pair with `old_file`, `new_file`, `label` (none, noise, content or
field), `lang`, `synthetic`, and for field labels `fields`. Pairs are judged with no history and no rules.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

Row = Mapping[str, Any]

LABELS = ("none", "noise", "content", "field")
OTHER = "not judged"


def judge(corpus: Path, labels: list[Row]) -> list[Row]:
    """The judged line of each pair, in order."""
    pairs = [
        {"id": str(n), "old": str(corpus / row["old_file"]), "new": str(corpus / row["new_file"])}
        for n, row in enumerate(labels)
    ]
    command = [sys.executable, "-m", "assets.cli", "compare", "--pairs", "-", "--json"]
    text = "".join(json.dumps(pair) + "\n" for pair in pairs)
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True, encoding="utf-8")
    return [json.loads(line) for line in done.stdout.splitlines()]


def source(row: Row) -> str:
    """Where a pair comes from: the history's collection, or `synthetic`."""
    return "synthetic" if row["synthetic"] else str(row["page"]).split("/", 1)[0]


def right(label: Row, line: Row) -> bool:
    """Whether the kind is the label's."""
    return bool(line["kind"] == label["label"])


def table(title: str, labels: list[Row], lines: list[Row], key: Callable[[Row], str]) -> Table:
    """Rows by key and label, columns by the kind given."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for label, line in zip(labels, lines, strict=True):
        counts[key(label), label["label"], line["kind"] or OTHER] += 1
    made = Table(title=title, title_justify="left")
    for column in ("group", "label", *LABELS, OTHER, "right"):
        made.add_column(column, justify="left" if column in {"group", "label"} else "right")
    for group, label in sorted({(group, label) for group, label, _ in counts}):
        given = [counts[group, label, kind] for kind in (*LABELS, OTHER)]
        share = f"{counts[group, label, label] / sum(given):.1%}"
        made.add_row(group, label, *(str(n or "") for n in given), share)
    return made


def found(line: Row) -> bool:
    """Whether a pair is told as a change of the text."""
    return line["kind"] == "content" or bool(line["also_content"])


def alerted(line: Row) -> bool:
    """Whether anybody is told of a pair."""
    return line["kind"] in {"content", "field"}


WAYS: Mapping[str, tuple[Callable[[Row], bool], Callable[[Row], bool]]] = {
    "Quietdiff": (found, alerted),
    "simhash beyond 3 bits": (lambda line: (line["distance"] or 0) > SIMHASH_BITS,) * 2,
    "any visible change": (lambda line: bool(line["changed_blocks"]),) * 2,
}
"""By name: whether a pair counts as found, and whether it alerts. The others see the same blocks and masks."""

SIMHASH_BITS = 3


def beside_others(labels: list[Row], lines: list[Row]) -> Table:
    """How many edits each way finds, and how often it alerts where nothing happened."""
    real = [pair for pair in zip(labels, lines, strict=True) if pair[0]["label"] == "content"]
    quiet = [pair for pair in zip(labels, lines, strict=True) if pair[0]["label"] in {"none", "noise"}]
    made = Table(title="Beside other ways", title_justify="left")
    for column in ("way", "content found", "noise and none alerted"):
        made.add_column(column, justify="left" if column == "way" else "right")
    for name, (finds, alerts) in WAYS.items():
        hits, false = sum(finds(line) for _, line in real), sum(alerts(line) for _, line in quiet)
        made.add_row(
            name,
            f"{hits} of {len(real)}, {hits / len(real):.1%}",
            f"{false} of {len(quiet)}, {false / len(quiet):.1%}",
        )
    return made


def misses(labels: Iterable[Row], lines: Iterable[Row]) -> Iterable[str]:
    """One line for each pair judged otherwise than labelled."""
    for label, line in zip(labels, lines, strict=True):
        if not right(label, line):
            seen = [block["new"] or block["old"] for block in line["changed_blocks"] if not block["explained_by"]]
            said = f"{label['label']:>8} -> {line['kind'] or OTHER:<8}"
            yield f"{said} {label['new_file']}: {label.get('why')} | {seen[:2]}"


def main() -> None:
    """Print the tables, and with --misses each miss."""
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(arguments) != 1:
        sys.exit(__doc__)
    corpus = Path(arguments[0])
    labels = [json.loads(line) for line in (corpus / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    lines = judge(corpus, labels)
    console = Console(width=120)
    console.print(table("By label", labels, lines, lambda _: "all"))
    console.print(beside_others(labels, lines))
    console.print(table("By source", labels, lines, source))
    console.print(table("By language", labels, lines, lambda row: str(row["lang"])))
    if "--misses" in sys.argv:
        for text in misses(labels, lines):
            console.print(text, markup=False)


if __name__ == "__main__":
    main()
