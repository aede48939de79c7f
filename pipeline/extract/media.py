"""What kind of body it is: by the media type that was named, unless the bytes show that it is another."""

import re

from pipeline.model import Media

__all__ = ["BOMS", "LOOKED_AT", "is_known_file", "said_media", "sniff", "wide"]

LOOKED_AT = 8192
"""Bytes at the begin of a body that are looked at."""

BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

_LOOKS_LIKE_HTML = re.compile(
    rb"\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|link|div|p|h[1-6]|table|a|br|span|main"
    rb"|article|section|header|nav|ul|ol|img|style|base|form)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_IS_HTML = re.compile(rb"\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL)
_FEED = re.compile(rb"<(?:[A-Za-z]\w*:)?(?:rss|feed|RDF)[\s>]")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a]")
_MAGIC = (
    b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"BM", b"RIFF", b"OggS", b"ID3", b"II*\x00",
    b"\x00\x00\x01\x00", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"MM\x00*",
    b"\xd0\xcf\x11\xe0", b"wOFF", b"wOF2", b"SQLite format 3", b"\x7fELF", b"\xca\xfe\xba\xbe", b"%!PS", b"{\\rtf",
)  # fmt: skip
"""First bytes of files that are no text whatever the server calls them."""

_PDF = b"%PDF-"
_PDF_WITHIN = 1024
"""Bytes within which a PDF may begin (ISO 32000-1, annex H, note 13)."""

_TABLES = frozenset({"text/csv", "text/tab-separated-values"})


def said_media(content_type: str | None) -> Media | None:
    """What a Content-Type header says, or None if it says nothing that could be used."""
    media = (content_type or "").partition(";")[0].strip().lower()
    if "/" not in media:
        return None
    if "html" in media:
        return Media.HTML
    if media.endswith(("/json", "+json", "/x-ndjson", "/jsonl")):
        return Media.JSON
    if media.endswith(("rss+xml", "atom+xml", "rdf+xml")):
        return Media.FEED
    if media.endswith(("/xml", "+xml")):
        return Media.XML
    if media in _TABLES:
        return Media.TABLE
    if media.startswith("text/"):
        return Media.TEXT
    return Media.PDF if media.endswith("/pdf") else Media.BYTES


def is_known_file(body: bytes) -> bool:
    """Whether bytes begin as some kind of file does that is no text."""
    return body.startswith(_MAGIC)


def sniff(body: bytes, content_type: str | None) -> Media:
    """What a body is to be read as: what its first bytes show, else what is said, else what they suggest."""
    head = body[:LOOKED_AT].removeprefix(BOMS[0]).lstrip()
    said = said_media(content_type)
    if _PDF in body[:_PDF_WITHIN] and not _LOOKS_LIKE_HTML.match(head):
        return Media.PDF
    if head.startswith(_MAGIC) and (head[:2] != b"BM" or _is_binary(body)):
        return Media.BYTES
    if _IS_HTML.match(head) or (said not in {Media.XML, Media.FEED} and _LOOKS_LIKE_HTML.match(head)):
        return Media.HTML
    if said in {Media.XML, Media.FEED} or (head.startswith(b"<?xml") and b"<html" not in head):
        return Media.FEED if _FEED.search(head) else Media.XML
    if said is not None and said not in {Media.BYTES, Media.PDF}:
        is_wide = "utf-16" in (content_type or "").lower()  # its bytes look like anything
        return Media.BYTES if said is not Media.HTML and not is_wide and _is_binary(body) else said
    if head.startswith((b"{", b"[")) and not _is_binary(body):
        return Media.JSON
    if _is_binary(body) or said is Media.BYTES:
        return Media.BYTES
    return Media.TEXT if said is Media.PDF else Media.HTML


WIDE_CHARACTERS = 4
WIDE_SHARE = 0.3
WIDE_REST = 0.02
"""Characters from which text can be UTF-16, the least share of zero bytes in one half, and the most in the other."""


def wide(body: bytes) -> str | None:
    """`utf-16le` or `utf-16be` for text in one of them without a byte-order mark, by the zeros in every other byte.

    So it is for all text in ASCII, and for the markup of any other.
    """
    head = body[: LOOKED_AT & ~1]
    half = len(head) // 2
    if half < WIDE_CHARACTERS:
        return None
    even, odd = head[::2].count(0) / half, head[1::2].count(0) / half
    if odd > WIDE_SHARE and even < WIDE_REST:
        return "utf-16le"
    return "utf-16be" if even > WIDE_SHARE and odd < WIDE_REST else None


def _is_binary(body: bytes) -> bool:
    head = body[:LOOKED_AT]
    if head.startswith(BOMS) or wide(body):
        return False
    return b"\x00" in head[:512] or len(_CONTROL.findall(head)) * 50 > len(head)
