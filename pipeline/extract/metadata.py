"""Title, author and date of a page that has no structured data for them: the last source, and the least trusted.

Measured against trafilatura on its own evaluation: README of `benchmarks/fields`.
"""

import re
from collections.abc import Iterator

from turbohtml import Document

from pipeline.extract.dates import date
from pipeline.extract.text import fold
from pipeline.model import FieldState

__all__ = ["METADATA", "metadata"]

METADATA = frozenset({"name", "author", "date_published"})
"""The fields it can give."""

LONGEST_NAME = 100
"""Characters; what is longer is a sentence that holds an author."""

LOOKED_AT = 20
"""Headings, authors and times looked at."""

_AUTHOR_METAS = ("parsely-author", "author", "article:author", "dc.creator", "dcterms.creator", "citation_author")
_AUTHOR_MARKS = ("[rel~=author i],[itemprop~=author i]", ".author,.byline,.author-name,.article-author,.entry-author")
_DATE_METAS = (
    *("article:published_time", "og:published_time", "datepublished", "parsely-pub-date", "publishdate", "pubdate"),
    *("date", "dc.date", "dc.date.issued", "dcterms.issued", "dcterms.created", "citation_publication_date"),
    *("sailthru.date", "cxenseparse:recs:publishtime"),
)
_DATE_IN_PATH = re.compile(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?=[/-])")


def metadata(document: Document, name: str, title: str | None, url: str) -> str | None:
    """The text of one of `METADATA`, or None if the page does not show it.

    The name is the heading that the title repeats, the page's one `h1`, or the title. The author stands in a meta
    element, or is the one that links and classes mark as such. A date stands in a meta element, in the first `time`
    with a date for machines, or in the page's address; never in running text.
    """
    match name:
        case "name":
            return _heading(document, title) or title
        case "author":
            return next(_authors(document), None)
        case _:
            return next((text for text in _dates(document, url) if date(text).state is FieldState.VALUE), None)


def _heading(document: Document, title: str | None) -> str | None:
    headings = [text for heading in document.select("h1")[:LOOKED_AT] if (text := fold(heading.text))]
    repeated = [text for text in headings if text in (title or "")]
    return max(repeated, key=len) if repeated else headings[0] if len(headings) == 1 else None


def _authors(document: Document) -> Iterator[str]:
    metas = _metas(document)
    for key in _AUTHOR_METAS:
        if names := list(filter(_is_name, dict.fromkeys(metas.get(key, ())))):
            yield ", ".join(names)
    for selector in _AUTHOR_MARKS:
        marked = dict.fromkeys(fold(element.text) for element in document.select(selector)[:LOOKED_AT])
        if len(names := list(filter(_is_name, marked))) == 1:
            yield names[0]


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_NAME and not text.startswith(("http", "@", "//"))


def _dates(document: Document, url: str) -> Iterator[str]:
    metas = _metas(document)
    yield from (text for key in _DATE_METAS for text in metas.get(key, ()))
    yield from (element.attr("datetime") or "" for element in document.select("time[datetime]")[:LOOKED_AT])
    canonical = document.select_one('link[rel~="canonical" i][href]')
    for link in (canonical.attr("href") or "" if canonical is not None else "", url):
        if found := _DATE_IN_PATH.search(link):
            yield "-".join(part.zfill(2) for part in found.groups())


def _metas(document: Document) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for meta in document.select("meta[content]"):
        key = (meta.attr("name") or meta.attr("property") or meta.attr("itemprop") or "").lower()
        if text := fold(meta.attr("content") or ""):
            found.setdefault(key, []).append(text)
    return found
