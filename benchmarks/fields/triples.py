"""One thing in JSON-LD, microdata and RDFa must give the same fields: schema.org's own examples."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.fields.corpus import Page, Result, of_source, read_fields
from pipeline.config.fieldsets import STRUCTURED_FIELDS
from pipeline.model import FieldValue

__all__ = ["DIFFERENT", "triples"]

DIFFERENT = tuple(f"eg-{number}" for number in ("0010", "0013", "0028", "0172", "0393", "0419", "0426", "3475"))
"""Examples whose notations say different things; the README says which."""


def triples(corpus: Path) -> tuple[dict[str, Result], list[str]]:
    """Agreement by notation over every structured field that either side has, and a line for each difference.

    Several examples may share a file's name; a page is compared with the one that it agrees with most.
    """
    results: dict[str, Result] = {}
    differences: list[str] = []
    by_file: dict[str, list[Page]] = {}
    for page in of_source(corpus, "schemaorg-examples"):
        by_file.setdefault(page.file, []).append(page)
    for file, candidates in sorted(by_file.items()):
        notation = file.rpartition("_")[2].removesuffix(".html")
        read = read_fields(candidates[0].body, "", list(STRUCTURED_FIELDS))
        mine = {name: value for name, value in read.items() if value.source != "metadata"}  # the page's own title
        compared = [list(_compared(mine, page)) for page in candidates]
        best = min(compared, key=lambda rows: sum(not right for _, right, _ in rows))
        for name, right, said in best:
            results.setdefault(notation, Result()).count(right=right)
            if not right:
                differences.append(f"{file} {name}: {said}")
    return results, differences


def _compared(mine: Mapping[str, FieldValue], page: Page) -> Iterator[tuple[str, bool, str]]:
    script = f'<script type="application/ld+json">{json.dumps(page.expected)}</script>'
    theirs = read_fields(script.encode(), "", list(STRUCTURED_FIELDS))
    for name in sorted(mine.keys() | theirs.keys()):
        here, there = mine.get(name), theirs.get(name)
        yield name, _values(here) == _values(there), f"{_shown(here)} | json_ld {_shown(there)}"


def _values(value: FieldValue | None) -> Sequence[object]:
    return () if value is None else (value.state, value.text, value.currency)


def _shown(value: FieldValue | None) -> str:
    return "-" if value is None else f"{value.state} {value.text!r}"
