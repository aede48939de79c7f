"""Field changes of labelled pairs: every labelled one found with its old and new value, none on noise."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from benchmarks.fields.corpus import Result

__all__ = ["pairs"]

Row = Mapping[str, Any]

_NAMES = {
    "ratingValue": "rating_value",
    "ratingCount": "rating_count",
    "reviewCount": "review_count",
    "dateModified": "date_modified",
    "totalTime": "total_time",
    "prepTime": "prep_time",
    "cookTime": "cook_time",
}
_SELECTORS = {
    "fields": [
        "product",
        {
            "name": {"type": "text", "css": "#pname"},
            "price": {"type": "price", "css": "#price"},
            "availability": {"type": "availability", "css": "#stock"},
        },
    ]
}
"""For pages whose product box is marked by ids alone."""


def pairs(corpus: Path) -> tuple[dict[str, Result], list[str]]:
    """By what is asked: the labelled changes found, and the noise pairs without any."""
    labels = [json.loads(line) for line in (corpus / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    results = {name: Result() for name in ("synthetic", "real", "quiet")}
    differences: list[str] = []
    for label, line in zip(labels, _judged(corpus, labels), strict=True):
        found = {field["name"]: field for field in line["fields"]}
        if label["label"] in {"none", "noise"}:
            results["quiet"].count(right=not found)
            if found:
                differences.append(f"{label['new_file']} {label['label']}: {list(found.values())}")
        for field in label.get("fields", ()) if label["label"] == "field" else ():
            name = field["field"].rpartition(".")[2]
            mine = found.get(_NAMES.get(name, name))
            right = mine is not None and _same(mine["old"], field["old"]) and _same(mine["new"], field["new"])
            results["synthetic" if label["synthetic"] else "real"].count(right=right)
            if not right:
                differences.append(f"{label['new_file']} {label.get('markup')}: {field} | {mine}")
    return results, differences


def _judged(corpus: Path, labels: list[Row]) -> Iterator[Row]:
    lines = []
    for number, label in enumerate(labels):
        line = {"id": str(number), "old": str(corpus / label["old_file"]), "new": str(corpus / label["new_file"])}
        rules = {"rules": _SELECTORS} if label.get("markup") == "og+selector" else {}
        lines.append(json.dumps(line | rules))
    command = [sys.executable, "-m", "assets.cli", "compare", "--pairs", "-", "--json"]
    done = subprocess.run(
        command, input="\n".join(lines), stdout=subprocess.PIPE, text=True, check=True, encoding="utf-8"
    )
    yield from map(json.loads, done.stdout.splitlines())


def _same(mine: Any, wanted: Any) -> bool:
    value = mine.get("amount") if isinstance(mine, dict) else mine
    try:
        return Decimal(str(value)) == Decimal(str(wanted))
    except InvalidOperation:
        return " ".join(str(value).split()) == " ".join(str(wanted).split())
