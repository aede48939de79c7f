"""Which node of the structured data is what the page is about."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.extract.facts import Facts, address
from pipeline.extract.properties import numbers_of, scalar, text_of
from pipeline.extract.structured import Item, Source, as_list
from pipeline.extract.text import words

__all__ = ["PAGE_CLASSES", "Main", "classes_of", "find_page_type", "main_item"]

PAGE_CLASSES = ("product", "recipe", "event", "job", "article", "organization")
"""Page types that structured data can tell, the first one present wins."""

OTHER_CLASSES = ("article", "page", *PAGE_CLASSES, "thing")
"""Where a page of another type (terms, text, the user's own) looks for its fields."""

CROWD = 3
"""More things of a class than this, none bound to the page, make it a list of things and not a page about one."""

CANDIDATES = 1000
"""Things of a class looked at."""

_TYPES = {
    "product": words("product productgroup productmodel individualproduct someproducts vehicle car"),
    "recipe": frozenset({"recipe"}),
    "event": frozenset({"festival", "hackathon", "eventseries", "courseinstance"}),
    "job": frozenset({"jobposting"}),
    "article": frozenset({"blogposting", "liveblogposting", "report", "socialmediaposting", "discussionforumposting"}),
    "organization": words("""
        corporation ngo airline restaurant cafeorcoffeeshop bakery barorpub fastfoodrestaurant hotel motel hostel resort
        bedandbreakfast dentist physician hospital pharmacy school collegeoruniversity attorney notary legalservice
        travelagency realestateagent autodealer autorepair bankorcreditunion insuranceagency gasstation beautysalon
        hairsalon dayspa healthclub sportsclub sportsteam library winery brewery florist plumber electrician
    """),
    "page": frozenset({"website"}),
}
_NOT_FOR_SALE = ("event", "article", "posting", "recipe", "organization", "business", "page", "offer", "list")
"""Endings of types whose offers are something else: tickets, subscriptions, what is offered in a list."""

_UTILITIES = (
    *("list", "action", "object", "rating", "offer", "review", "specification", "statistic", "address", "person"),
    *("entrypoint", "counter", "contactpoint", "image", "element", "comment"),
)
"""Endings of types that describe a part of a page or of a thing, never what the page is about."""

_SUFFIXES = {
    "event": ("event",),
    "article": ("article",),
    "organization": ("organization", "business", "store"),
    "page": ("page",),
}


@dataclass(frozen=True, slots=True)
class Main:
    """The main thing of a class in one source.

    Attributes:
        rivals: Items that the page's evidence cannot tell apart, the first one first; usually one.
        same: Whether the rivals are one entity described several times, not several entities.
        others: Further descriptions of the first one, which fill its gaps.
    """

    rivals: tuple[Item, ...]
    same: bool
    others: tuple[Item, ...]


def find_page_type(sources: Sequence[Source], facts: Facts) -> str:
    """The page type that the structured data tells; `text` if it tells none.

    OpenGraph tells a product only: sites put `og:type` article on pages of every kind.
    """
    for page_class in PAGE_CLASSES:
        for source in sources:
            if source.name == "opengraph" and page_class != "product":
                continue
            main = main_item(source, (page_class,), facts)
            if main and (main.same or len(main.rivals) <= CROWD):
                return page_class
    return "text"


def main_item(source: Source, classes: Sequence[str], facts: Facts) -> Main | None:
    """The main thing of the first class that the source has anything of."""
    for page_class in classes:
        candidates = [item for item in source.items if _is_a(item, page_class)][:CANDIDATES]
        if candidates:
            ranked = [(_rank(item, facts), item) for item in candidates]
            best = max(rank for rank, _ in ranked)
            rivals = tuple(item for rank, item in ranked if rank == best)
            others = tuple(item for rank, item in ranked if rank != best and _same(item, rivals[0], facts))
            same = all(_same(item, rivals[0], facts) for item in rivals[1:])
            return Main(rivals=rivals, same=same, others=others)
    return None


def classes_of(page_type: str) -> tuple[str, ...]:
    """The classes in which a page of this type looks for its fields, first match wins."""
    return (page_type,) if page_type in PAGE_CLASSES else OTHER_CLASSES


def _is_a(item: Item, page_class: str) -> bool:
    types = item.types
    if page_class == "thing":
        return not any(name.endswith(_UTILITIES) for name in types)
    if not types.isdisjoint(_TYPES[page_class]):
        return True
    if page_class == "product":  # a book, a film, a course or an app is one when it is for sale
        return "offers" in item.node and not any(name.endswith(_NOT_FOR_SALE) for name in types)
    return page_class in _SUFFIXES and any(name.endswith(_SUFFIXES[page_class]) for name in types)


def _rank(item: Item, facts: Facts) -> tuple[bool, bool, int, int, bool, int]:
    """What binds a node to the page, strongest first; equal ranks cannot be told apart."""
    bound = any(address(link, facts.base) in facts.addresses for link in _links(item, "url", "@id", "mainEntityOfPage"))
    name = _name(item)
    held = [heading for heading in facts.headings if name and name in heading]
    return (
        bound,
        bool(facts.keys) and not facts.keys.isdisjoint(numbers_of(item.node)),
        2 if name in held else bool(held),
        len(name) if held else 0,
        "mainEntityOfPage" in item.node,
        -item.depth,
    )


def _same(item: Item, other: Item, facts: Facts) -> bool:
    """Whether two nodes describe one thing: they share a name, an `@id` or an address."""
    if _name(item) == _name(other) != "" or item.node.get("@id", "") == other.node.get("@id") is not None:
        return True
    mine, theirs = ({address(link, facts.base) for link in _links(node, "url")} - {""} for node in (item, other))
    return not mine.isdisjoint(theirs)


def _name(item: Item) -> str:
    return next((text for key in ("name", "headline", "title") if (text := text_of(item.node.get(key)).casefold())), "")


def _links(item: Item, *keys: str) -> list[str]:
    return [str(scalar(value, want_url=True)) for key in keys for value in as_list(item.node.get(key))]
