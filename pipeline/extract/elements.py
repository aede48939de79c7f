"""The text and the address that one element stands for."""

import re
from collections.abc import Collection, Mapping

from turbohtml import Element, Node, Text

from pipeline.extract.blocks import INLINE, SKIPPED
from pipeline.extract.text import fold
from pipeline.extract.view import Mark, is_icon, mail_address

__all__ = ["STRUCK", "inner_text", "link_of", "machine_value"]

LONGEST = 20_000
"""Characters of the text of one element of structured data; what follows is left out."""

STRUCK = frozenset({"del", "s", "strike"})
"""What is crossed out: the price that no longer holds."""

_LINKS = {"a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "video": "src", "source": "src"}
_VALUES = {**_LINKS, "iframe": "src", "embed": "src", "object": "data", "data": "value", "meter": "value"}
_CENTS = re.compile(r"\d\d")


def machine_value(element: Element) -> str:
    """What an element with `itemprop` says: `content` on any element, else its link or value, else its text."""
    content = element.attr("content")
    if content is None:
        content = element.attr("datetime") if element.tag == "time" else element.attr(_VALUES.get(element.tag, ""))
    return fold(_bounded_text(element) if content is None else content)


def _bounded_text(element: Element) -> str:
    """Its text up to `LONGEST`, so that a thousand elements inside each other stay linear."""
    parts: list[str] = []
    length = 0
    for part in element.strings:
        parts.append(part)
        length += len(part)
        if length > LONGEST:
            break
    return "".join(parts)


def link_of(element: Element) -> str | None:
    """The address of a link or picture; None if the element is neither."""
    return element.attr(_LINKS[element.tag]) if element.tag in _LINKS else None


def inner_text(element: Element, marked: Mapping[Element, int], *, skip: Collection[str] = ()) -> str:
    """The visible text inside, folded; hidden parts and tags to skip are left out unless nothing else is there.

    The element itself was asked for, so whether it is hidden does not matter. `19<sup>99</sup>` reads as 19.99, and so
    does `<span>19</span><span>99</span>` of a price.
    """
    return _walk(element, marked, skip) or _walk(element, {}, ())


def _walk(root: Element, marked: Mapping[Element, int], skip: Collection[str]) -> str:
    parts: list[str] = []
    stack: list[Node | str] = list(root.children[::-1])
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, Text):
            parts.append(node.data)
        elif isinstance(node, Element):
            mark = marked.get(node, Mark.NOTHING)
            tag = node.tag
            if tag in SKIPPED or tag in skip or mark & Mark.HIDDEN or (tag in {"i", "span"} and is_icon(node)):
                continue
            if mark & Mark.MAIL and (address := mail_address(node)):
                parts.append(address)
                continue
            cents = tag == "sup" or (tag == "span" and skip is STRUCK)  # of a price, `19<span>99</span>` too
            if cents and parts and parts[-1][-1:].isdigit() and _CENTS.fullmatch(node.text):
                parts.append(".")
            if tag not in INLINE or tag == "br":
                parts.append(" ")
                stack.append(" ")
            stack += node.children[::-1]
    return fold("".join(parts))
