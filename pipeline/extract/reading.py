"""One body under one set of rules to one `Reading`."""

import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from turbohtml import Document, Element, Namespace

from pipeline.config import settle
from pipeline.extract.blocks import read_pieces, to_blocks
from pipeline.extract.document import Body, read_body
from pipeline.extract.entities import find_page_type
from pipeline.extract.facts import Facts
from pipeline.extract.fields import FieldReader
from pipeline.extract.main_text import article_text, squeezed
from pipeline.extract.marks import Arrival, Signs, arrival_marks, page_marks
from pipeline.extract.parts import Piece
from pipeline.extract.selected import Place
from pipeline.extract.structured import Item, Source, read_sources, types_of
from pipeline.extract.text import count_words, fold
from pipeline.extract.typed import Hints
from pipeline.extract.view import ARTICLE, MAIN, marks
from pipeline.model import Media, Reading, Region, Rules

__all__ = ["EXTRACTOR_VERSION", "extract"]

EXTRACTOR_VERSION = 5
"""Part of the rules: raise it with any change that gives other blocks or fields for the same body."""

_TAG_OF_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


def extract(
    body: bytes,
    *,
    url: str,
    content_type: str | None,
    rules: Rules,
    arrival: Arrival | None = None,
    charset: str | None = None,
) -> Reading:
    """Read the tracked fields and the visible text of a body.

    Args:
        body: As fetched, after content decoding.
        url: Of the page, to resolve links and to know its main thing by; may be empty.
        content_type: The Content-Type header, verbatim.
        rules: Of the page; with page type `auto` they are settled by what the structured data tells.
        arrival: Where the request went, if redirects led it elsewhere.
        charset: The encoding of the page's last good body, for one that does not say its own.

    Returns:
        Always a reading: a body that is to be compared by its bytes has the mark `bytes`, one that is called text and
        is none `not_text`, one without any text and any script `unreadable`, and every field is `missing` then.
    """
    read = read_body(body, content_type, charset)
    if read.blocks is None and read.document is not None and read.document.root is not None:
        reading = _read_document(read.document, read.document.root, url, rules)
    else:
        reading = _read_flat(read, url, rules)
    marks = {*reading.marks} | ({"garbled"} if read.garbled else set())
    if arrival is not None:
        marks |= arrival_marks(arrival, read.document)
    return replace(reading, marks=tuple(sorted(marks)), media=read.media, said=read.said, charset=read.charset)


def _read_document(document: Document, root: Element, url: str, rules: Rules) -> Reading:
    title = _title(document)
    language = rules.language or _language(root)
    facts = Facts.of(document, url, title)
    sources = read_sources(document, facts)
    settled = settle(rules, find_page_type(sources, facts))
    marked, pieces = _pieces(root, settled)
    shown = [piece.text for piece in pieces if piece.region is Region.MAIN]
    reader = FieldReader(
        Place(document, None, marked), sources, facts, title, shown, _hints(document, url, language, rules)
    )
    return Reading(
        page_type=settled.page_type,
        rules=settled,
        title=title,
        language=language,
        words=sum(piece.words for piece in pieces),
        marks=page_marks(Signs.of(document, title, pieces)),
        fields=reader.read(settled),
        blocks=to_blocks(pieces),
    )


def _read_flat(read: Body, url: str, rules: Rules) -> Reading:
    """What is no page of elements: JSON, feeds, plain text, PDF; anything else has neither text nor fields."""
    items = tuple(Item(node=value, types=types_of(value)) for value in read.values or () if isinstance(value, dict))
    sources = (Source(name="json_path", items=items, by_id={}),) if items else ()
    facts = Facts(addresses=frozenset(), headings=(), base=url)
    settled = settle(rules, find_page_type(sources, facts))
    language = rules.language or read.language
    blocks = read.blocks or ()
    place = Place(read.document, read.values, {})
    return Reading(
        page_type=settled.page_type,
        rules=settled,
        title=read.title,
        language=language,
        words=sum(count_words(block.text) for block in blocks),
        marks=_flat_marks(read),
        fields=FieldReader(place, sources, facts, read.title, (), _hints(None, url, language, rules)).read(settled),
        blocks=blocks,
    )


def _flat_marks(read: Body) -> tuple[str, ...]:
    """What has text is a page; bytes are compared as such unless they were to be text."""
    if read.blocks:
        return ()
    if read.media is Media.BYTES:
        meant = read.said in {None, Media.BYTES, Media.PDF} and not read.unknown
        return ("bytes",) if meant else ("not_text",)
    if read.media is Media.PDF:
        return ("unreadable",) if read.blocks is None else ("bytes",)
    return ("unreadable",)


def _pieces(root: Element, rules: Rules) -> tuple[Mapping[Element, int], list[Piece]]:
    """The pieces of a page, and its noteworthy elements; with `article`, only what trafilatura also found is kept."""
    article = article_text(root.html) if ARTICLE in rules.include else None
    if article is None:
        include = tuple(MAIN if part == ARTICLE else part for part in rules.include)
        marked, restricted = marks(root, replace(rules, include=include))
        return marked, read_pieces(root, marked, restricted=restricted)
    marked, restricted = marks(root, rules)
    pieces = read_pieces(root, marked, restricted=restricted)
    for piece in pieces:
        included = (restricted and piece.place.included) or squeezed(piece.text) in article
        piece.place = replace(piece.place, included=included)
    return marked, pieces


def _title(document: Document) -> str | None:
    titles = (fold(title.text) for title in document.select("title") if title.namespace is Namespace.HTML)
    return next(filter(None, titles), None)


def _language(root: Element) -> str | None:
    tag = (root.attr("lang") or root.attr("xml:lang") or "").strip().replace("_", "-")
    return tag if _TAG_OF_LANGUAGE.fullmatch(tag) else None


def _hints(document: Document | None, url: str, language: str | None, rules: Rules) -> Hints:
    """What helps to read a value: the page's language and host, and a rule's language above both."""
    hints = Hints(language=language, locale=rules.language)
    try:
        host = urlsplit(url).hostname or ""
        return replace(hints, host=host, base=document.base_url(url) if document is not None else url)
    except ValueError:
        return hints
