"""Bytes to text: in which encoding, and whether it could be decoded."""

import re

import turbohtml
from turbohtml.detect import detect  # also registers the codecs named `whatwg-...`

from pipeline.extract.media import BOMS, LOOKED_AT, wide

__all__ = ["REPLACED_SHARE", "decode", "encoding_of", "is_garbled", "label_of"]

REPLACED_SHARE = 0.01
"""Share of characters that could not be decoded above which a text is not the page's."""

SURE = 0.5
"""Confidence of the detection, 0..1, below which the page's last encoding is believed if it fits: 0 for a sentence in
Lithuanian that is taken for a Western one, 0.6 and more for sentences in East Asian or Cyrillic encodings."""

UTF_8 = "utf-8"
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_META = re.compile(rb"<meta\b[^>]{0,300}?charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a]")
_WIDE = frozenset({"utf-16le", "utf-16be"})
_SEVERAL_BYTES = frozenset({"gbk", "gb18030", "big5", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr"})


def label_of(content_type: str | None) -> str | None:
    """The charset of a Content-Type header, verbatim."""
    match = _CHARSET.search(content_type or "")
    return match[1] if match else None


def encoding_of(body: bytes, label: str | None, before: str | None = None) -> str:
    """The WHATWG name of a body's encoding, in lower case.

    In this order: a byte-order mark; the zeros of UTF-16 without one; the label of the header; the label in the markup;
    what the page's bytes were last time; what they look like. A label that is no encoding of the web, such as UTF-7,
    says nothing, nor does one that the bytes contradict. So a page whose label is wrong for a while, or comes and goes,
    is decoded alike.

    Args:
        body: As fetched.
        label: Of the header, or None.
        before: The encoding of the page's last good body, or None.
    """
    if body.startswith(BOMS):
        return str(detect(body).encoding).lower()
    zeros = wide(body)
    if zeros:
        return zeros
    named = _known(label)
    if named in _WIDE and b"</" not in body and (_CONTROL.search(body[:LOOKED_AT]) or not _decodes(body, UTF_8)):
        return str(named)
    if body.isascii() and b"\x1b" not in body:
        return UTF_8
    is_utf_8 = b"\x1b" not in body and _decodes(body, UTF_8)
    remembered = _known(before)
    for name in (named, _in_markup(body)):
        if name is not None and not _contradicted(body, name, is_utf_8=is_utf_8):
            return remembered if remembered and _is_rather(body, remembered, name) else name
    if is_utf_8:
        return UTF_8
    seen, confidence = _seen(body)
    return remembered if remembered and confidence < SURE and _decodes(body, remembered) else seen


def decode(body: bytes, encoding: str) -> str:
    """The text without its byte-order mark; what cannot be decoded is U+FFFD."""
    return body.decode(f"whatwg-{encoding}", "replace").removeprefix("\ufeff")


def is_garbled(text: str) -> bool:
    """Whether more than a hundredth of a text could not be decoded."""
    return text.count("\ufffd") > REPLACED_SHARE * len(text)


def _in_markup(body: bytes) -> str | None:
    """The encoding that the markup names; as it is read byte by byte it is never UTF-16 (HTML 13.2.3.2, step 8)."""
    head = body[:LOOKED_AT]
    match = _XML.match(head) or _META.search(_COMMENT.sub(b"", head))
    name = _known(match[1].decode("ascii")) if match else None
    return None if name in _WIDE else name


def _seen(body: bytes) -> tuple[str, float]:
    """What bytes look like, whatever they are called in the markup, and how sure that is, 0..1."""
    head = _META.sub(b"<meta ", _XML.sub(b"", body[:LOOKED_AT]))
    found = detect(head + body[LOOKED_AT:])
    return str(found.encoding).lower(), found.confidence


def _known(label: str | None) -> str | None:
    """The WHATWG name of a label, or None if it is none."""
    if not label:
        return None
    try:
        name = turbohtml.parse(b"", encoding=label).encoding
    except (LookupError, ValueError):
        return None
    return str(name).lower()


def _contradicted(body: bytes, name: str, *, is_utf_8: bool) -> bool:
    """Whether bytes cannot be what a label says.

    Text in UTF-8 is hardly ever valid by chance: a label of single bytes is wrong for it; text that is mostly not
    valid is not in UTF-8. What could be in UTF-16 was settled before.
    """
    if name in _WIDE:
        return True
    if name == UTF_8:
        return not is_utf_8 and is_garbled(decode(body, UTF_8))
    return is_utf_8 and name not in _SEVERAL_BYTES


def _is_rather(body: bytes, remembered: str, name: str) -> bool:
    """Whether bytes look like what the page's were before and not like what they are called now."""
    if name in {remembered, UTF_8} or not _decodes(body, remembered):
        return False
    return _seen(body)[0] == remembered


def _decodes(body: bytes, name: str) -> bool:
    """Whether nothing is left over; codecs of the web replace also where they are asked to be strict."""
    if name != UTF_8:
        return "\ufffd" not in decode(body, name)
    try:
        body.decode(name)
    except UnicodeDecodeError:
        return False
    return True
