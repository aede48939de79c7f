"""What fields cost beside the parse, and beside extruct; the contenders take turns, page by page."""

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

import extruct

from pipeline.config import settle
from pipeline.extract.document import read_body
from pipeline.extract.entities import find_page_type
from pipeline.extract.facts import Facts
from pipeline.extract.fields import FieldReader
from pipeline.extract.selected import Place
from pipeline.extract.structured import read_sources
from pipeline.extract.typed import Hints
from pipeline.model import Rules

__all__ = ["speed"]

T = TypeVar("T")

TURNS = 5
SYNTAXES = ["json-ld", "microdata", "opengraph"]


def speed(corpus: Path) -> list[str]:
    """Ratios over all saved pages together, and in the median of pages that have structured data."""
    files = sorted(path for folder in ("pages", "pairs") for path in (corpus / folder).rglob("*.html"))
    parse, fields, whole, theirs = [], [], [], []
    for path in files:
        body = path.read_bytes()
        text = body.decode("utf-8", "replace")
        costs = [(_cost(_parse, body), _cost(_read, body), _cost(_extruct, text)) for _ in range(TURNS)]
        bare, with_fields, other = (min(column) for column in zip(*costs, strict=True))
        parse.append(bare)
        whole.append(with_fields)
        fields.append(with_fields - bare)
        theirs.append(other)
    return [
        f"{len(files)} pages: fields cost {sum(fields) / sum(parse):.2f} of the parse, all together",
        f"  median of pages {median(f / p for f, p in zip(fields, parse, strict=True)):.2f}",
        f"extruct (JSON-LD, microdata, OpenGraph) costs {sum(theirs) / sum(whole):.1f} times our parse and fields",
        f"  median of pages {median(t / w for t, w in zip(theirs, whole, strict=True)):.1f}",
    ]


def _cost(work: Callable[[T], object], page: T) -> float:
    begin = time.process_time_ns()
    work(page)
    return (time.process_time_ns() - begin) / 1e9


def _parse(body: bytes) -> object:
    return read_body(body, "text/html")


def _read(body: bytes) -> object:
    """Everything about fields that reading a page does beside its blocks."""
    document = read_body(body, "text/html").document
    if document is None:
        return None
    title = document.select_one("title")
    name = None if title is None else title.text
    facts = Facts.of(document, "https://page.invalid/", name)
    sources = read_sources(document, facts)
    rules = settle(Rules(), find_page_type(sources, facts))
    return FieldReader(Place(document, None, {}), sources, facts, name, (), Hints()).read(rules)


def _extruct(text: str) -> object:
    try:
        return extruct.extract(text, syntaxes=SYNTAXES, errors="ignore")
    except Exception:  # noqa: BLE001  (it raises on some pages that it cannot parse)
        return None
