"""Bytes to what can be read: a tree, JSON values, or text in blocks; parsed once."""

from dataclasses import dataclass
from typing import TypedDict

import turbohtml
from turbohtml import Document

from pipeline.extract.charset import decode, encoding_of, is_garbled, label_of
from pipeline.extract.feeds import feed_blocks
from pipeline.extract.json_text import json_blocks
from pipeline.extract.media import BOMS, is_known_file, said_media, sniff
from pipeline.extract.pdf import read_pdf
from pipeline.extract.plain import line_blocks, paragraph_blocks
from pipeline.extract.structured import Value, load_json
from pipeline.model import Block, Media

__all__ = ["Body", "read_body"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A parsed body.

    Attributes:
        media: What it was read as.
        said: What its Content-Type header says, or None.
        charset: Of what is text.
        unknown: Bytes that are no file of a known kind, and that nobody calls anything.
        garbled: Too much of it could not be decoded.
        document: Of HTML, XML and feeds.
        values: Of JSON: the top-level values.
        blocks: Of everything but HTML and XML, which are walked; None where there can be none.
        title: Of a PDF.
        language: Likewise.
    """

    media: Media
    said: Media | None = None
    charset: str | None = None
    unknown: bool = False
    garbled: bool = False
    document: Document | None = None
    values: list[Value] | None = None
    blocks: tuple[Block, ...] | None = None
    title: str | None = None
    language: str | None = None


def read_body(body: bytes, content_type: str | None, charset: str | None = None) -> Body:
    """Parse a body as what it is, whatever it is called.

    Args:
        body: As fetched, after content decoding.
        content_type: The Content-Type header, verbatim, or None.
        charset: The encoding of the page's last good body, or None.
    """
    media, said = sniff(body, content_type), said_media(content_type)
    if media is Media.BYTES:
        return Body(media=media, said=said, unknown=said is None and not is_known_file(body))
    if media is Media.PDF:
        pdf = read_pdf(body)
        return Body(media=media, said=said, blocks=pdf.blocks, title=pdf.title, language=pdf.language)
    encoding = encoding_of(body, label_of(content_type), charset)
    text = decode(body, encoding)
    read = _read_text(text, body, encoding, media)
    return Body(
        media=read.media,
        said=said,
        charset=encoding,
        garbled=is_garbled(text),
        document=read.document,
        values=read.values,
        blocks=read.blocks,
    )


def _read_text(text: str, body: bytes, encoding: str, media: Media) -> Body:
    match media:
        case Media.JSON:
            return _json(text)
        case Media.XML | Media.FEED:
            return _xml(text, body, encoding, media)
        case Media.TABLE:
            return Body(media=media, blocks=line_blocks(text))
        case Media.TEXT:
            return Body(media=media, blocks=paragraph_blocks(text))
        case _:
            return Body(media=media, document=_html(body, encoding))


def _json(text: str) -> Body:
    """JSON, or JSON lines; what is neither is text."""
    try:
        values = load_json(text.strip())
    except ValueError:
        return Body(media=Media.TEXT, blocks=line_blocks(text))
    return Body(media=Media.JSON, values=values, blocks=json_blocks(values))


class _Options(TypedDict):
    positions: bool
    scripting: bool
    allow_declarative_shadow_roots: bool


_OPTIONS: _Options = {"positions": False, "scripting": True, "allow_declarative_shadow_roots": False}
"""As a browser that runs scripts: `noscript` holds no elements. Shadow roots stay templates, to be walked in place."""


def _html(body: bytes, encoding: str) -> Document:
    if body.startswith(BOMS):  # which it then takes off
        return turbohtml.parse(body, detect_encoding=True, **_OPTIONS)
    return turbohtml.parse(body, encoding=encoding, **_OPTIONS)


def _xml(text: str, body: bytes, encoding: str, media: Media) -> Body:
    """XML without entity definitions, which are never expanded; what is not well-formed is read as HTML."""
    try:
        document = turbohtml.parse_xml(text.lstrip("\ufeff \t\r\n"))
    except turbohtml.HTMLParseError:
        return Body(media=Media.HTML, document=_html(body, encoding))
    blocks = feed_blocks(document) if media is Media.FEED else None
    return Body(media=Media.XML if blocks is None else Media.FEED, document=document, blocks=blocks)
