"""What a thing costs and whether it can be had, from its offers."""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from pipeline.extract.availability import availability
from pipeline.extract.currencies import iso_code
from pipeline.extract.facts import Facts, address
from pipeline.extract.prices import amount, price
from pipeline.extract.properties import numbers_of, text_of
from pipeline.extract.structured import Node, Source, Value, as_list, types_of
from pipeline.extract.typed import AMBIGUOUS, MISSING, Hints, Typed
from pipeline.model import AVAILABILITIES, FieldState

__all__ = ["offered_availability", "offered_price", "offers"]

OFFERS_MAX = 500

_STRUCK_PRICES = ("listprice", "srp", "msrp", "strikethroughprice", "regularprice", "minimumadvertisedprice")
"""`priceType`s of a specification that is not what a buyer pays (schema.org PriceTypeEnumeration)."""


def offers(node: Node, source: Source, facts: Facts) -> list[Node]:
    """The offers of a thing or of its variants; only those bound to the page's address if any is."""
    own = _nodes(node.get("offers"), source)
    if not own and ("price" in node or "availability" in node):
        own = [node]
    variants = _nodes(node.get("hasVariant"), source)[:OFFERS_MAX]
    if not own and variants:
        chosen = _bound(variants, facts) or variants
        own = [offer for variant in chosen for offer in _nodes(variant.get("offers"), source)]
    own = list(_unfold(own, source))[:OFFERS_MAX]
    return _bound(own, facts) or own


def offered_price(node: Node, found: Iterable[Node], hints: Hints) -> tuple[Typed, str | None]:
    """The price over all offers with its raw text: one amount, or a range where they differ."""
    typed: list[Typed] = []
    raws: list[str] = []
    for offer in found:
        for value, currency in _prices(offer, node):
            told = Hints(language=hints.language, host=hints.host, currency=currency, machine=True)
            raws.append(text_of(value))
            typed.append(amount(value, currency) if isinstance(value, Decimal) else price(raws[-1], told))
    raw = " | ".join(dict.fromkeys(filter(None, raws))) or None
    return _range(typed), raw


def offered_availability(found: Iterable[Node], language: str | None) -> tuple[Typed, str | None]:
    """The best state among the offers with the raw texts of all of them."""
    raws = [raw for offer in found if (raw := text_of(offer.get("availability")))]
    typed = [availability(raw, language) for raw in raws]
    words = {value.text for value in typed if value.text}
    best = next((word for word in AVAILABILITIES if word in words), None)
    state = Typed(text=best) if best else typed[0] if typed else MISSING
    return state, " | ".join(dict.fromkeys(raws)) or None


def _range(typed: list[Typed]) -> Typed:
    values = [value for value in typed if value.state is FieldState.VALUE]
    if not values:
        return next((value for value in typed if value.state is not FieldState.MISSING), MISSING)
    if len({value.currency for value in values}) > 1:
        return AMBIGUOUS
    bounds = [bound for value in values for bound in (value.number, value.high) if bound is not None]
    return amount(min(bounds), values[0].currency, max(bounds))


def _prices(offer: Node, node: Node) -> Iterator[tuple[Value, str | None]]:
    """Each amount of an offer with its currency; lowest and highest of an aggregate."""
    currency = iso_code(text_of(offer.get("priceCurrency")) or text_of(node.get("priceCurrency")))
    for keys in (("lowPrice", "highPrice"), ("price",), ("minPrice", "maxPrice")):
        amounts = [value for key in keys for value in as_list(offer.get(key)) if text_of(value)]
        if amounts:
            yield from ((value, currency) for value in amounts)
            return
    for part in as_list(offer.get("priceSpecification")):
        if isinstance(part, dict) and not text_of(part.get("priceType")).lower().endswith(_STRUCK_PRICES):
            told = iso_code(text_of(part.get("priceCurrency"))) or currency
            yield from ((value, told) for key in ("price", "minPrice", "maxPrice") for value in as_list(part.get(key)))


def _unfold(found: Iterable[Node], source: Source) -> Iterator[Node]:
    """Aggregates without a price of their own give way to the offers inside them."""
    for offer in found:
        inner = _nodes(offer.get("offers"), source) if "aggregateoffer" in types_of(offer) else []
        priced = any(key in offer for key in ("lowPrice", "price", "highPrice"))
        if inner and priced and "availability" not in offer:
            yield offer
            yield from ({"availability": each.get("availability")} for each in inner)
        elif inner and not priced:
            yield from inner
        else:
            yield offer


def _nodes(value: Value, source: Source) -> list[Node]:
    return [node for each in as_list(value) if isinstance(node := source.resolve(each), dict)]


def _bound(nodes: list[Node], facts: Facts) -> list[Node]:
    """Those of the page's URL, or else of its canonical address, or else those whose number stands in the URL."""
    links = [address(link, facts.base) if (link := text_of(node.get("url"))) else "" for node in nodes]
    for wanted in ({facts.own}, facts.addresses):
        if bound := [node for node, link in zip(nodes, links, strict=True) if link and link in wanted]:
            return bound
    return [node for node in nodes if not facts.keys.isdisjoint(numbers_of(node))]
