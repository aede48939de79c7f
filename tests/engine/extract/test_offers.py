import json

import pytest

from pipeline.model import FieldSpec, FieldState, FieldType

SPECS = (FieldSpec(name="price", type=FieldType.PRICE), FieldSpec(name="availability", type=FieldType.AVAILABILITY))
IN, OUT = "https://schema.org/InStock", "https://schema.org/OutOfStock"


def values(read, node: dict[str, object], url: str = "") -> tuple[str | None, str | None]:
    block = json.dumps({"@type": "Product", "name": "A"} | node)
    page = read(f'<script type="application/ld+json">{block}</script>', url=url, page_type="product", fields=SPECS)
    return tuple(value.text or value.state.value for value in page.fields)


@pytest.mark.parametrize(
    ("offers", "price", "availability"),
    [
        ({"price": 89, "priceCurrency": "EUR", "availability": IN}, "89 EUR", "InStock"),
        ({"price": "0", "priceCurrency": "EUR"}, "0 EUR", "missing"),
        ({"price": 0}, "0", "missing"),
        ({"price": "Free"}, "0", "missing"),
        ({"price": ""}, "missing", "missing"),
        ({"price": "19,99", "priceCurrency": "eur"}, "19.99 EUR", "missing"),
        ({"price": "1.299,00", "priceCurrency": "€"}, "1299 EUR", "missing"),
        ({"price": "1.234", "priceCurrency": "EUR"}, "1.234 EUR", "missing"),
        ({"price": "€ 89,00"}, "89 EUR", "missing"),
        ({"price": "-5"}, "unreadable", "missing"),
        ({"price": "on request"}, "unreadable", "missing"),
        ({"price": "10-20"}, "10-20", "missing"),
        ({"price": ["10", 12]}, "10-12", "missing"),
        ([{"price": 10}, {"price": 12}], "10-12", "missing"),
        ([{"price": 10}, {"price": "10.00"}], "10", "missing"),
        ([{"price": 10, "priceCurrency": "EUR"}, {"price": 12, "priceCurrency": "USD"}], "ambiguous", "missing"),
        (
            {"@type": "AggregateOffer", "lowPrice": "10", "highPrice": "12", "priceCurrency": "EUR"},
            "10-12 EUR",
            "missing",
        ),
        ({"@type": "AggregateOffer", "lowPrice": "10"}, "10", "missing"),
        ({"@type": "AggregateOffer", "offers": [{"price": 10}, {"price": 12, "availability": IN}]}, "10-12", "InStock"),
        (
            {"@type": "AggregateOffer", "lowPrice": 10, "offers": [{"price": 99, "availability": OUT}]},
            "10",
            "OutOfStock",
        ),
        ({"priceSpecification": {"price": 10, "priceCurrency": "EUR"}}, "10 EUR", "missing"),
        (
            {
                "priceSpecification": [
                    {"price": 15, "priceType": "https://schema.org/StrikethroughPrice"},
                    {"price": 20, "priceType": "https://schema.org/ListPrice"},
                    {"price": 10},
                ]
            },
            "10",
            "missing",
        ),
        ([{"availability": OUT}, {"availability": IN}], "missing", "InStock"),
        ([{"availability": OUT}, {"availability": "https://schema.org/PreOrder"}], "missing", "PreOrder"),
        ({"availability": "maybe tomorrow"}, "missing", "unreadable"),
        ("no object", "missing", "missing"),
        ([], "missing", "missing"),
    ],
)
def test_offers_give_one_price_and_one_state(read, offers: object, price: str, availability: str) -> None:
    assert values(read, {"offers": offers}) == (price, availability)


def test_a_price_on_the_thing_itself_counts(read) -> None:
    assert values(read, {"price": "10", "priceCurrency": "EUR", "availability": IN}) == ("10 EUR", "InStock")


def test_the_offer_bound_to_the_watched_address_counts(read) -> None:
    offers = [
        {"price": 10, "url": "/a?size=1", "availability": OUT},
        {"price": 12, "url": "/a?size=2", "availability": IN},
    ]
    assert values(read, {"offers": offers}, "https://shop.example/a?size=1") == ("10", "OutOfStock")
    assert values(read, {"offers": offers}, "https://shop.example/a") == ("10-12", "InStock")


def test_variants_of_a_group_are_a_range_unless_one_is_watched(read) -> None:
    group = {
        "@type": "ProductGroup",
        "hasVariant": [
            {"@type": "Product", "url": "/a?size=1", "offers": {"price": 10}},
            {"@type": "Product", "url": "/a?size=2", "offers": {"price": 12}},
        ],
    }
    assert values(read, group)[0] == "10-12"
    assert values(read, group, "https://shop.example/a?size=2")[0] == "12"


def test_the_raw_texts_of_all_offers_are_kept(read) -> None:
    block = json.dumps({"@type": "Product", "name": "A", "offers": [{"price": "10.00"}, {"price": "12,00"}]})
    page = read(f'<script type="application/ld+json">{block}</script>', page_type="product", fields=SPECS)
    assert page.fields[0].raw == "10.00 | 12,00"
    assert page.fields[0].state is FieldState.VALUE
