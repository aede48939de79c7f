"""Bytes to a tree: what kind of body it is, in which encoding, parsed once."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypedDict

import turbohtml
from turbohtml import Document
from turbohtml.detect import detect  # also registers the codecs named `whatwg-...`

from pipeline.extract.structured import Value, load_json

__all__ = ["Body", "leaves", "read_body"]

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")
_LOOKS_LIKE_HTML = re.compile(
    rb"\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|link|div|p|h[1-6]|table|a|br|span|main"
    rb"|article|section|header|nav|ul|ol|img|style|base|form)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a]")
_MAGIC = (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b")
"""First bytes of files that are no text whatever the server calls them."""

_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_SNIFFED = 8192

JSON_LEAVES = 20_000
JSON_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Body:
    """A parsed body; exactly one attribute is set, none if the bytes are no text.

    Attributes:
        document: Of HTML and XML.
        values: Of JSON: the top-level values.
        text: Of plain text.
    """

    document: Document | None = None
    values: list[Value] | None = None
    text: str | None = None


def read_body(body: bytes, content_type: str | None) -> Body:
    """Parse by the media type; a body that looks like HTML is HTML whatever it is called, an unnamed one too."""
    media = (content_type or "").partition(";")[0].strip().lower()
    media = media if "/" in media else ""
    label = _charset(content_type)
    head = body[:_SNIFFED].removeprefix(_BOMS[0]).lstrip()
    if head.startswith(_MAGIC):
        return Body()
    if "html" in media or _LOOKS_LIKE_HTML.match(head):
        return Body(document=_html(body, label))
    if media.endswith(("/json", "+json")) or (not media and head.startswith((b"{", b"["))):
        return _json(body, label)
    if media.endswith(("/xml", "+xml")) or (not media and head.startswith(b"<?xml") and b"<html" not in head):
        return Body(document=_xml(body, label))
    if media.startswith("text/") and not _binary(body):
        return Body(text=_decoded(body, label))
    return Body() if media or _binary(body) else Body(document=_html(body, label))


def leaves(value: Value) -> Iterator[tuple[str, str]]:
    """Each leaf of a JSON value with its path (`a.b[0]`), in order.

    At most `JSON_LEAVES` of them, none deeper than `JSON_DEPTH`.
    """
    stack: list[tuple[str, Value, int]] = [("", value, 0)]
    count = 0
    while stack and count < JSON_LEAVES:
        path, node, depth = stack.pop()
        if depth > JSON_DEPTH:
            continue
        if isinstance(node, dict):
            stack += [(f"{path}.{key}" if path else key, node[key], depth + 1) for key in reversed(node)]
        elif isinstance(node, list):
            stack += [(f"{path}[{index}]", node[index], depth + 1) for index in reversed(range(len(node)))]
        else:
            count += 1
            yield path, _leaf_text(node)


def _leaf_text(value: Value) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _json(body: bytes, label: str | None) -> Body:
    text = _decoded(body, label)
    try:
        return Body(values=load_json(text.strip()))
    except ValueError:
        return Body(text=text)


class _Options(TypedDict):
    positions: bool
    scripting: bool
    allow_declarative_shadow_roots: bool


_OPTIONS: _Options = {"positions": False, "scripting": True, "allow_declarative_shadow_roots": False}
"""As a browser that runs scripts: `noscript` holds no elements. Shadow roots stay templates, to be walked in place."""


def _html(body: bytes, label: str | None) -> Document:
    if label and not body.startswith(_BOMS):
        try:
            return turbohtml.parse(body, encoding=label, **_OPTIONS)
        except LookupError:  # an unknown label says nothing
            pass
    return turbohtml.parse(body, detect_encoding=True, **_OPTIONS)


def _xml(body: bytes, label: str | None) -> Document:
    """XML without entity definitions, which are never expanded; what is not well-formed is read as HTML."""
    named = _XML_ENCODING.match(body[:_SNIFFED])
    try:
        return turbohtml.parse_xml(
            _decoded(body, label or (named[1].decode() if named else None)).lstrip("\ufeff \t\r\n")
        )
    except turbohtml.HTMLParseError:
        return _html(body, label)


def _decoded(body: bytes, label: str | None) -> str:
    """The text by byte-order mark, label or, for an unknown label too, what the bytes look like."""
    found = detect(body).encoding
    bom = body.startswith(_BOMS)
    for name in (found if bom else label, found):
        try:
            return body.decode(f"whatwg-{name}", "replace").removeprefix("\ufeff")
        except (LookupError, ValueError):
            continue
    return body.decode("utf-8", "replace")


def _charset(content_type: str | None) -> str | None:
    match = _CHARSET.search(content_type or "")
    return match[1] if match else None


def _binary(body: bytes) -> bool:
    head = body[:_SNIFFED]
    if head.startswith(_BOMS):
        return False
    return b"\x00" in head[:512] or len(_CONTROL.findall(head)) * 50 > len(head)
