"""JSON-LD as sites get it wrong, made into JSON: a small tolerant step, never a guess at meaning."""

import html
import re

__all__ = ["mend"]

_STRING = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_WRAPPER = re.compile(r"<!--|-->|(?://|/\*)?\s*(?:<!\[CDATA\[|\]\]>)(?:\s*\*/)?")
_COMMENT = re.compile(rf"(?P<keep>{_STRING})|/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_COMMA = re.compile(rf"(?P<keep>{_STRING})|,(?=\s*[}}\]])", re.DOTALL)
_QUOTE = re.compile("&(?:quot|#34|#x22);", re.IGNORECASE)
_ESCAPE = re.compile(r'\\(?:(?P<keep>["\\/bfnrt]|u[0-9a-fA-F]{4})|(?P<drop>.)|\Z)', re.DOTALL)


def mend(text: str) -> str:
    """Take out comments, CDATA and comment wrappers, trailing commas and invalid escapes.

    Control characters inside strings need no mending, they are let through by the reader. Where the quotes
    themselves were written as HTML entities the whole text is decoded; entities inside strings stay as they are.
    """
    text = _WRAPPER.sub(" ", _without_remarks(text.lstrip("\ufeff")))
    if '"' not in text and _QUOTE.search(text):
        text = html.unescape(text)
    text = _COMMENT.sub(lambda match: match["keep"] or " ", text)
    text = _COMMA.sub(lambda match: match["keep"] or "", text)
    return _ESCAPE.sub(lambda match: match[0] if match["keep"] else match["drop"] or "", text).strip(" \t\r\n;,")


def _without_remarks(text: str) -> str:
    """HTML comments in front of or behind the data go with what they say; one around the data is only opened."""
    head, *parts = text.split("<!--")
    kept = [head]
    for part in parts:
        remark, end, rest = part.partition("-->")
        kept.append(rest if end and not any(sign in remark for sign in '"{[') else part)
    return " ".join(kept)
