"""Structured data against the output that extruct's own samples expect."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from turbohtml import Element

from benchmarks.fields.corpus import Result, of_source
from pipeline.extract.document import read_body
from pipeline.extract.elements import machine_value
from pipeline.extract.facts import Facts
from pipeline.extract.structured import Value, read_sources

__all__ = ["samples"]

_NAMES = {"json": "microdata", "microdata": "microdata", "jsonld": "json_ld"}


def samples(corpus: Path) -> tuple[Result, list[str]]:
    """Samples whose things are exactly the expected ones, and a line for each other one."""
    result, differences = Result(), []
    for page in of_source(corpus, "extruct"):
        document = read_body(page.body, "text/html").document
        if document is None:
            continue
        sources = {source.name: source for source in read_sources(document, Facts.of(document, page.url, None))}
        for key, expected in page.expected.items():
            source = sources.get(_NAMES[key])
            mine = [_plain(item.node) for item in source.items] if source else []
            theirs = [_plain(_flat(item)) for item in expected]
            result.count(right=mine == theirs)
            if mine != theirs:
                differences.append(f"{page.file} {key}:\n  {mine}\n  {theirs}")
    return result, differences


def _flat(value: Any) -> Any:
    """Their `{type, properties}` as a node."""
    if isinstance(value, dict):
        if "properties" in value:
            head = {"@type": value["type"]} if "type" in value else {}
            return head | {key: _flat(inner) for key, inner in value["properties"].items()}
        return {key: _flat(inner) for key, inner in value.items()}
    return [_flat(member) for member in value] if isinstance(value, list) else value


def _plain(value: Value) -> Any:
    """Nodes of both sides alike: no context, no lists of one, texts without white space at their ends."""
    match value:
        case Element():
            return machine_value(value)
        case dict():
            inner = {key: _plain(each) for key, each in value.items() if key != "@context"}
            return {key: each for key, each in inner.items() if each != []}
        case list():
            members = [_plain(member) for member in value]
            return members[0] if len(members) == 1 else members
        case str():
            return " ".join(value.split())
        case bool() | None:
            return value
        case int() | float() | Decimal():
            return str(value)
    return value
