"""Title, author and date of articles against what trafilatura's evaluation expects, beside trafilatura itself."""

from collections.abc import Mapping
from pathlib import Path

from trafilatura.metadata import extract_metadata

from benchmarks.fields.corpus import Result, of_source, read_fields

__all__ = ["metadata"]

_ASKED: Mapping[str, tuple[str, str]] = {
    "name": ("title", "title"), "author": ("author", "author"), "date_published": ("date", "date"),
}  # fmt: skip
"""Our field: the key of what is expected, and trafilatura's attribute."""


def metadata(corpus: Path) -> dict[str, Result]:
    """Right answers by field, ours and trafilatura's."""
    results: dict[str, Result] = {}
    for page in of_source(corpus, "trafilatura"):
        mine = read_fields(page.body, page.url, list(_ASKED))
        theirs = extract_metadata(page.body.decode("utf-8", "replace"), default_url=page.url)
        for name, (key, attribute) in _ASKED.items():
            if wanted := page.expected.get(key):
                value = mine.get(name)
                ours = value.text if value is not None else None
                results.setdefault(name, Result()).count(right=_same(ours, wanted))
                given = getattr(theirs, attribute, None)
                results.setdefault(f"{name}, trafilatura", Result()).count(right=_same(given, wanted))
    return results


def _same(given: str | None, wanted: str) -> bool:
    plain = " ".join((given or "").split()).casefold()
    return plain == wanted.casefold() or (len(wanted) == 10 and plain[:10] == wanted)  # a day, with or without a time
