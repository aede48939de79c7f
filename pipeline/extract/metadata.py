"""Title, author and date of a page that has no structured data for them: the last source, and the least trusted.

Measured against trafilatura on its own evaluation: README of `benchmarks/fields`.
"""

from collections.abc import Iterator
from datetime import date

from turbohtml import Document
from turbohtml.extract import DateExtraction, dates

from pipeline.extract.text import fold

__all__ = ["METADATA", "metadata"]

METADATA = frozenset({"name", "author", "date_published", "date_modified"})
"""The fields it can give."""

LONGEST_NAME = 100
"""Characters; what is longer is a sentence that holds an author."""

LINKS = 20
"""Headings and authors looked at."""

_AUTHOR_METAS = ("parsely-author", "author", "article:author", "dc.creator", "dcterms.creator", "citation_author")
_AUTHOR_MARKS = ("[rel~=author i],[itemprop~=author i]", ".author,.byline,.author-name,.article-author,.entry-author")
_LAST_DAY = date(2999, 12, 31)
"""A fixed end, so that a page reads the same on every day; the library's own is today."""


def metadata(document: Document, name: str, title: str | None) -> str | None:
    """The text of one of `METADATA`, or None if the page does not show it.

    The name is the heading that the title repeats, the page's one `h1`, or the title. The author stands in a meta
    element, or is the one that links and classes mark as such. A date stands in meta elements, in `time`, or in the
    page's address; never in running text.
    """
    match name:
        case "name":
            return _heading(document, title) or title
        case "author":
            return next(_authors(document), None)
        case _:
            options = DateExtraction(original=name == "date_published", extensive_search=False, max_date=_LAST_DAY)
            found = dates(document.html, options)
            return None if found is None else found.date


def _heading(document: Document, title: str | None) -> str | None:
    headings = [text for heading in document.select("h1")[:LINKS] if (text := fold(heading.text))]
    repeated = [text for text in headings if text in (title or "")]
    return max(repeated, key=len) if repeated else headings[0] if len(headings) == 1 else None


def _authors(document: Document) -> Iterator[str]:
    metas: dict[str, list[str]] = {}
    for meta in document.select("meta[content]"):
        key = (meta.attr("name") or meta.attr("property") or "").lower()
        if key in _AUTHOR_METAS and (text := fold(meta.attr("content") or "")) and _is_name(text):
            metas.setdefault(key, []).append(text)
    yield from (", ".join(dict.fromkeys(metas[key])) for key in _AUTHOR_METAS if key in metas)
    for selector in _AUTHOR_MARKS:
        marked = dict.fromkeys(fold(element.text) for element in document.select(selector)[:LINKS])
        if len(names := list(filter(_is_name, marked))) == 1:
            yield names[0]


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_NAME and not text.startswith(("http", "@", "//"))
