"""One body under one set of rules to one `Reading`."""

import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from turbohtml import Document, Element, Namespace

from pipeline.config import settle
from pipeline.extract.blocks import read_pieces, to_blocks
from pipeline.extract.document import Body, leaves, read_body
from pipeline.extract.entities import find_page_type
from pipeline.extract.facts import Facts
from pipeline.extract.fields import FieldReader
from pipeline.extract.main_text import article_text, squeezed
from pipeline.extract.marks import Arrival, Signs, arrival_marks, page_marks
from pipeline.extract.parts import Piece
from pipeline.extract.selected import Place
from pipeline.extract.structured import Item, Source, read_sources, types_of
from pipeline.extract.text import count_words, fold, sentences
from pipeline.extract.typed import Hints
from pipeline.extract.view import ARTICLE, MAIN, Mark, marks
from pipeline.model import Block, Reading, Region, Rules

__all__ = ["EXTRACTOR_VERSION", "extract"]

EXTRACTOR_VERSION = 5
"""Part of the rules: raise it with any change that gives other blocks or fields for the same body."""

_TAG_OF_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


def extract(
    body: bytes, *, url: str, content_type: str | None, rules: Rules, arrival: Arrival | None = None
) -> Reading:
    """Read the tracked fields and the visible text of a body.

    Args:
        body: As fetched, after content decoding.
        url: Of the page, to resolve links and to know its main thing by; may be empty.
        content_type: The Content-Type header, verbatim.
        rules: Of the page; with page type `auto` they are settled by what the structured data tells.
        arrival: Where the request went, if redirects led it elsewhere.

    Returns:
        Always a reading: a body that is no text has the mark `not_text`, one without any text and any script
        `unreadable`, and every field is `missing` then.
    """
    read = read_body(body, content_type)
    if read.document is not None and read.document.root is not None:
        reading = _read_document(read.document, read.document.root, url, rules)
    else:
        reading = _read_flat(read, url, rules)
    if arrival is None:
        return reading
    return replace(reading, marks=tuple(sorted({*reading.marks, *arrival_marks(arrival, read.document)})))


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
    """JSON as one block a leaf, plain text as one block a sentence; anything else has neither text nor fields."""
    values = read.values or []
    items = tuple(Item(node=value, types=types_of(value)) for value in values if isinstance(value, dict))
    sources = (Source(name="json_path", items=items, by_id={}),) if items else ()
    facts = Facts(addresses=frozenset(), headings=(), base=url)
    settled = settle(rules, find_page_type(sources, facts))
    texts = [(path, f"{path}: {leaf}" if path else leaf) for value in values for path, leaf in leaves(value)]
    texts += [("p", text) for part in re.split(r"\n\s*\n", read.text or "") for text in sentences(fold(part))]
    blocks = tuple(Block(text=kept, region=Region.MAIN, path=path) for path, text in texts if (kept := fold(text)))
    no_text = read.text is None and read.values is None
    return Reading(
        page_type=settled.page_type,
        rules=settled,
        title=None,
        language=rules.language,
        words=sum(count_words(block.text) for block in blocks),
        marks=("not_text",) if no_text else () if blocks else ("unreadable",),
        fields=FieldReader(
            Place(None, read.values, {}), sources, facts, None, (), _hints(None, url, rules.language, rules)
        ).read(settled),
        blocks=blocks,
    )


def _pieces(root: Element, rules: Rules) -> tuple[Mapping[Element, Mark], list[Piece]]:
    """The pieces of a page, and its noteworthy elements; with `article`, only what trafilatura also found is kept."""
    article = article_text(root.html) if ARTICLE in rules.include else None
    if article is None:
        include = tuple(MAIN if part == ARTICLE else part for part in rules.include)
        marked, restricted = marks(root, replace(rules, include=include))
        return marked, read_pieces(root, marked, restricted=restricted)
    marked, restricted = marks(root, rules)
    pieces = read_pieces(root, marked, restricted=restricted)
    for piece in pieces:
        piece.included = (restricted and piece.included) or squeezed(piece.text) in article
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
