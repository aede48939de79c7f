"""Meta elements: OpenGraph (https://ogp.me), its product and article properties, and Twitter's title."""

from turbohtml import Document

from pipeline.extract.structured.nodes import Item, Node, Source, make_source, types_of
from pipeline.extract.text import fold

__all__ = ["opengraph"]

_PROPERTIES = {
    "og:title": "name",
    "og:description": "description",
    "og:url": "url",
    "article:published_time": "datePublished",
    "article:modified_time": "dateModified",
    "og:updated_time": "dateModified",
    "product:brand": "brand",
    "product:retailer_item_id": "sku",
    "product:condition": "itemCondition",
}
_OFFER = {
    "product:sale_price:amount": "salePrice",
    "product:sale_price:currency": "salePriceCurrency",
    "product:price:amount": "price",
    "og:price:amount": "price",
    "product:price:currency": "priceCurrency",
    "og:price:currency": "priceCurrency",
    "product:availability": "availability",
    "og:availability": "availability",
}


def opengraph(document: Document) -> Source:
    """One node for the page; a product where a price says so, an article where `og:type` does."""
    found: dict[str, str] = {}
    for meta in document.select("meta[content]"):
        key = (meta.attr("property") or meta.attr("name") or "").strip().lower()
        if key.startswith(("og:", "product:", "article:")) and (content := fold(meta.attr("content") or "")):
            found.setdefault(key, content)
    if not found:
        return make_source("opengraph", [])
    offer: Node = {}
    node: Node = {"@type": "WebPage"}
    for key, content in found.items():
        if key in _OFFER:
            offer.setdefault(_OFFER[key], content)
        elif key in _PROPERTIES:
            node.setdefault(_PROPERTIES[key], content)
    _sale(offer)
    kind = found.get("og:type", "").lower()
    if "price" in offer or kind.startswith(("product", "og:product")):
        node |= {"@type": "Product", "offers": offer}
    elif kind == "article":
        node["@type"] = "Article"
    return make_source("opengraph", [Item(node=node, types=types_of(node))])


def _sale(offer: Node) -> None:
    """What a buyer pays is the sale price where one is given."""
    for key in ("price", "priceCurrency"):
        sale = offer.pop(f"sale{key[0].upper()}{key[1:]}", None)
        if sale is not None:
            offer[key] = sale
