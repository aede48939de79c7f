"""Raw values of a field in a node of structured data: where schema.org puts them and how they flatten to text."""

import re
from collections.abc import Sequence
from decimal import Decimal

from turbohtml import Element

from pipeline.extract.elements import machine_value
from pipeline.extract.structured import Node, Source, Value, as_list, types_of
from pipeline.extract.text import plain
from pipeline.extract.typed import bounded, decimal_text

__all__ = ["Scalar", "members", "numbers_of", "property_values", "scalar", "text_of"]

Scalar = str | Decimal | bool

DEPTH = 6
"""Levels of nodes and lists that flatten into one text; deeper ones are left out."""

_PATHS: dict[str, tuple[str, ...]] = {
    "name": ("name", "headline", "title"),
    "rating_value": ("aggregateRating.ratingValue",),
    "rating_count": ("aggregateRating.ratingCount",),
    "review_count": ("aggregateRating.reviewCount",),
    "ingredients": ("recipeIngredient", "ingredients"),
    "instructions": ("recipeInstructions",),
    "location": ("location", "jobLocation"),
    "salary": ("baseSalary",),
}
"""Fields that are not simply the property of the same name; the first path that leads anywhere counts."""

_ADDRESS = ("streetAddress", "postOfficeBoxNumber", "postalCode", "addressLocality", "addressRegion", "addressCountry")
_MEMBERS = ("itemListElement", "recipeInstructions", "step", "steps")
_TEXTS = ("@value", "text", "name", "headline", "value", "url", "contentUrl")
_NUMBERS = ("sku", "productID", "mpn", "gtin", "gtin13", "gtin12", "gtin8", "gtin14", "model", "identifier")
_ENUMERATIONS = ("http://schema.org/", "https://schema.org/", "schema:")
_URLS = ("url", "contentUrl", "@id", "embedUrl")


def property_values(node: Node, field_name: str, source: Source) -> list[Value]:
    """The values of the first property that the field may stand under, references resolved; empty if there is none."""
    for path in _PATHS.get(field_name, (_camel(field_name),)):
        values: list[Value] = [node]
        for key in path.split("."):
            values = [
                source.resolve(value)
                for holder in values
                if isinstance(holder, dict)
                for value in as_list(holder.get(key))
            ]
        if values:
            return values
    return []


def scalar(value: Value, *, want_url: bool = False) -> Scalar:
    """One value as text, exact number or truth; an empty text stands for none."""
    if isinstance(value, bool | Decimal):
        return value
    if isinstance(value, dict) and want_url:
        return next((text for key in _URLS if (text := text_of(value.get(key)))), "")
    return text_of(value)


def text_of(value: Value, depth: int = 0) -> str:
    """A value of any shape as the text a person would write; tags stripped, entities decoded, white space folded."""
    match value:
        case str():
            return plain(value)
        case bool():
            return str(value).lower()
        case Decimal():
            return decimal_text(value) if bounded(value) is not None else f"{value:.3E}"
        case Element():
            return machine_value(value)
        case list() if depth < DEPTH:
            return ", ".join(dict.fromkeys(filter(None, (text_of(member, depth + 1) for member in value))))
        case dict() if depth < DEPTH:
            return _node_text(value, depth + 1)
    return ""


def numbers_of(node: Node) -> set[str]:
    """The numbers that a thing, a variant or an offer goes by, case folded."""
    named = {text_of(node.get(key)).casefold() for key in _NUMBERS}
    return (named | {text_of(node.get("@id")).rpartition("#")[2].casefold()}) - {""}


def members(values: Sequence[Value]) -> list[str]:
    """The members of a list: one for each value, and one for each step of an instruction section."""
    found: list[str] = []
    for value in values:
        inner = next((value[key] for key in _MEMBERS if key in value), None) if isinstance(value, dict) else None
        found += [text_of(member) for member in as_list(inner)] if inner is not None else [text_of(value)]
    return found


def _node_text(node: Node, depth: int) -> str:
    types = types_of(node)
    if "postaladdress" in types or any(key in node for key in _ADDRESS):
        return ", ".join(filter(None, (text_of(node.get(key), depth) for key in _ADDRESS)))
    if "address" in node:
        parts = (text_of(node.get(key), depth) for key in ("name", "address"))
        return ", ".join(dict.fromkeys(filter(None, parts)))
    if "value" in node or "minValue" in node:
        low, high = (text_of(node.get(key), depth) for key in ("minValue", "maxValue"))
        amount = text_of(node.get("value"), depth) or "-".join(filter(None, (low, high)))
        unit = text_of(node.get("unitText") or node.get("currency"), depth)
        name = text_of(node.get("name"), depth) if "propertyvalue" in types else ""
        return " ".join(filter(None, (amount, unit, name)))
    return next((text for key in _TEXTS if (text := text_of(node.get(key), depth))), "") or _member_name(node)


def _member_name(node: Node) -> str:
    """A mere reference to a member of an enumeration (`{"@id": "https://schema.org/InStock"}`) as its address."""
    name = node.get("@id")
    return name if isinstance(name, str) and name.startswith(_ENUMERATIONS) else ""


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)
