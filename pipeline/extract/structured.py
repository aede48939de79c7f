"""The structured data of a page, from every notation, as nodes of one shape.

A node is a mapping from property to values as in JSON-LD, with `@type` and `@id`. JSON-LD, microdata and OpenGraph
meta elements are read; RDFa and JSONPath would be further functions that return a `Source`.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from turbohtml import Document, Element

from pipeline.extract.facts import Facts, address
from pipeline.extract.mending import mend
from pipeline.extract.text import fold

__all__ = ["Item", "Node", "Source", "Value", "as_list", "load_json", "read_sources", "types_of"]

DEPTH = 50
NODES = 10_000
"""Nodes of one notation looked at; a page with more is read in part."""

VALUES = 2000
"""Values kept of one microdata property."""

_GAP = re.compile(r"\s*")

Node: TypeAlias = dict[str, "Value"]
Value: TypeAlias = "Node | list[Value] | str | Decimal | bool | Element | None"
"""An `Element` stands for its text or address, read only when a field asks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A node that may be what the page is about.

    Attributes:
        depth: 0 at the top or in `@graph`, one more for each `mainEntity` above it.
        repaired: The block it came from had to be mended to parse.
    """

    node: Node
    depth: int = 0
    repaired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What one notation says.

    Attributes:
        name: As in `FieldValue.source`.
        by_id: Nodes by `@id`, for references between them.
    """

    name: str
    items: tuple[Item, ...]
    by_id: dict[str, Node]

    def resolve(self, value: Value) -> Value:
        """The node a mere reference (`{"@id": ...}`) points to; anything else as it is."""
        if isinstance(value, dict) and value.keys() <= {"@id", "@type"} and isinstance(value.get("@id"), str):
            return self.by_id.get(str(value["@id"]), value)
        return value


def read_sources(document: Document, facts: Facts) -> tuple[Source, ...]:
    """Every notation that the page has, in order of trust."""
    sources = (_json_ld(document), _microdata(document, facts), _opengraph(document))
    return tuple(source for source in sources if source.items)


def as_list(value: Value) -> "list[Value]":
    """The values of a property that may hold none, one or several."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def types_of(node: Node) -> frozenset[str]:
    """Type names in lower case without their vocabulary: `https://schema.org/Product` is `product`."""
    names = [name for name in as_list(node.get("@type")) if isinstance(name, str)]
    return frozenset(name.rstrip("/").replace("#", "/").replace(":", "/").rpartition("/")[2].lower() for name in names)


def load_json(text: str) -> list[Value]:
    """Every JSON value in a text, numbers as exact decimals.

    Raises:
        ValueError: It is no JSON, or is nested too deeply to be read.
    """
    decoder = json.JSONDecoder(parse_float=Decimal, parse_int=Decimal, parse_constant=lambda _: None, strict=False)
    values: list[Value] = []
    at = 0
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            values.append(value)
            at = _GAP.match(text, at).end()  # type: ignore[union-attr]  # it matches everywhere
    except (RecursionError, ArithmeticError) as error:
        raise ValueError(str(error)) from error
    return values


def _json_ld(document: Document) -> Source:
    items: list[Item] = []
    for script in document.select('script[type*="ld+json" i]'):
        text = script.text.strip()
        repaired = False
        try:
            blocks = load_json(text)
        except ValueError:
            try:
                blocks, repaired = load_json(mend(text)), True
            except ValueError:
                continue
        items += _items(blocks, repaired=repaired)
    return _source("json_ld", items[:NODES])


def _items(blocks: Sequence[Value], *, repaired: bool) -> Iterator[Item]:
    """The typed nodes at the top, in `@graph` and under `mainEntity`, in order; never those of lists."""
    stack: list[tuple[Value, int, int]] = [(block, 0, 0) for block in reversed(blocks)]
    seen = 0
    while stack and seen < NODES:
        value, depth, nesting = stack.pop()
        seen += 1
        if nesting > DEPTH:
            continue
        if isinstance(value, list):
            stack += [(member, depth, nesting + 1) for member in reversed(value)]
        elif isinstance(value, dict):
            if "@type" in value:
                yield Item(node=value, depth=depth, repaired=repaired)
            if "mainEntity" in value:
                stack.append((value["mainEntity"], depth + 1, nesting + 1))
            if "@graph" in value:
                stack.append((value["@graph"], depth, nesting + 1))


def _source(name: str, items: Sequence[Item]) -> Source:
    by_id: dict[str, Node] = {}
    for item in items:
        node_id = item.node.get("@id")
        if isinstance(node_id, str) and len(item.node) > len(by_id.get(node_id, ())):
            by_id[node_id] = item.node
    return Source(name=name, items=tuple(items), by_id=by_id)


def _microdata(document: Document, facts: Facts) -> Source:
    """Own walk, because `content` counts on any element here, not only on `meta`, and values are read lazily.

    A thing inside a link to another page belongs to that page: cards of related things often lie inside the scope of
    the main one and would give it their ratings.
    """
    scopes = frozenset(document.select("[itemscope]"))
    tops: list[Value] = []
    if scopes and document.root is not None:
        properties = frozenset(document.select("[itemprop]"))
        stack: list[tuple[Element, Node | None, bool]] = [(document.root, None, False)]
        while stack:
            element, owner, elsewhere = stack.pop()
            scope = _scope(element) if element in scopes else None
            if owner is not None and element in properties:
                if not (scope is not None and elsewhere):
                    _add(owner, element, scope)
            elif scope is not None:
                tops.append(scope)
            elsewhere = scope is None and (elsewhere or _leads_elsewhere(element, facts))
            inner = owner if scope is None else scope
            stack += [(child, inner, elsewhere) for child in element.children[::-1] if isinstance(child, Element)]
    return _source("microdata", list(_items(tops, repaired=False)))


def _add(owner: Node, element: Element, scope: Node | None) -> None:
    for name in (element.attr("itemprop") or "").split():
        values = owner.setdefault(name, [])
        if isinstance(values, list) and len(values) < VALUES:
            values.append(element if scope is None else scope)


def _leads_elsewhere(element: Element, facts: Facts) -> bool:
    href = (element.attr("href") or "") if element.tag == "a" else ""
    if not facts.addresses or not href or href.startswith("#"):
        return False
    target = address(href, facts.base)
    return target != "" and not target.startswith(tuple(facts.addresses))


def _scope(element: Element) -> Node:
    node: Node = {"@type": list((element.attr("itemtype") or "").split())}
    if identity := element.attr("itemid"):
        node["@id"] = identity
    return node


_META_PROPERTIES = {
    "og:title": "name",
    "og:description": "description",
    "og:url": "url",
    "article:published_time": "datePublished",
    "article:modified_time": "dateModified",
    "og:updated_time": "dateModified",
    "product:brand": "brand",
    "product:retailer_item_id": "sku",
}
_META_OFFER = {
    "product:price:amount": "price",
    "og:price:amount": "price",
    "product:price:currency": "priceCurrency",
    "og:price:currency": "priceCurrency",
    "product:availability": "availability",
    "og:availability": "availability",
}


def _opengraph(document: Document) -> Source:
    """One node for the page; a product where a price says so, an article where `og:type` does."""
    found: dict[str, str] = {}
    for meta in document.select("meta[content]"):
        key = (meta.attr("property") or meta.attr("name") or "").strip().lower()
        if key.startswith(("og:", "product:", "article:")) and (content := fold(meta.attr("content") or "")):
            found.setdefault(key, content)
    if not found:
        return _source("opengraph", [])
    offer: Node = {}
    node: Node = {"@type": "WebPage"}
    for key, content in found.items():
        if key in _META_OFFER:
            offer.setdefault(_META_OFFER[key], content)
        elif key in _META_PROPERTIES:
            node.setdefault(_META_PROPERTIES[key], content)
    kind = found.get("og:type", "").lower()
    if "price" in offer or kind.startswith(("product", "og:product")):
        node |= {"@type": "Product", "offers": offer}
    elif kind == "article":
        node["@type"] = "Article"
    return _source("opengraph", [Item(node=node)])
