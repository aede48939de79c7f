import json

import pytest

from pipeline.model import FieldState


def ld(*blocks: object) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(block)}</script>' for block in blocks)


def product(name: str, price: object, **more: object) -> dict[str, object]:
    return {"@type": "Product", "name": name, "offers": {"price": price, "priceCurrency": "EUR"}} | more


def field(reading, name: str):
    return next(value for value in reading.fields if value.name == name)


URL = "https://www.shop.example/anvil?size=2"


@pytest.mark.parametrize(
    "main",
    [
        product("Other name", 10, url="https://shop.example/anvil?size=2"),
        product("Other name", 10, url="/anvil?size=2#buy"),
        product("Other name", 10, **{"@id": "http://shop.example/anvil/?size=2#product"}),
        product("Other name", 10, mainEntityOfPage={"@type": "WebPage", "@id": URL}),
        product("Anvil", 10),
        product("anvil ", 10),
    ],
)
def test_the_main_thing_is_bound_to_the_page_by_address_or_heading(read, main) -> None:
    page = read(f"<h1>Anvil</h1>{ld(product('Hammer', 1), main, product('Tongs', 2))}", url=URL)
    assert field(page, "price").text == "10 EUR"


def test_an_address_outweighs_a_heading_and_a_heading_outweighs_order(read) -> None:
    page = read(f"<title>Anvil</title>{ld(product('Anvil', 1), product('X', 2, url=URL))}", url=URL)
    assert field(page, "price").text == "2 EUR"


def test_the_canonical_link_is_an_address_of_the_page(read) -> None:
    page = read(
        f"<link rel=canonical href='https://shop.example/a'>{ld(product('A', 1), product('B', 2, url='https://shop.example/a'))}"
    )
    assert field(page, "price").text == "2 EUR"


def test_the_longer_name_in_the_heading_is_the_closer_one(read) -> None:
    page = read(f"<h1>Anvil XL by Acme</h1>{ld(product('Anvil', 1), product('Anvil XL', 2))}")
    assert field(page, "price").text == "2 EUR"


def test_the_less_nested_thing_counts(read) -> None:
    page = read(ld({"@type": "WebPage", "mainEntity": product("A", 1)}, product("B", 2)))
    assert field(page, "name").text == "B"


def test_two_descriptions_of_one_thing_with_two_prices_are_a_conflict(read) -> None:
    page = read(ld(product("Anvil", "10.00"), product("Anvil", "12.00")))
    price = field(page, "price")
    assert (price.state, price.text, price.raw) == (FieldState.CONFLICT, None, "10.00 | 12.00")
    assert field(page, "name").text == "Anvil"


def test_two_descriptions_of_one_thing_with_one_price_agree(read) -> None:
    assert field(read(ld(product("Anvil", "10.00"), product("Anvil", 10))), "price").text == "10 EUR"


def test_of_lesser_values_the_first_description_counts(read) -> None:
    page = read(ld(product("Anvil", 10, brand="Acme"), product("Anvil", 10, brand="ACME Inc.")))
    assert (field(page, "brand").text, field(page, "brand").state) == ("Acme", FieldState.VALUE)


def test_descriptions_of_one_thing_fill_each_others_gaps(read) -> None:
    rating = {"@type": "Product", "name": "Anvil", "aggregateRating": {"ratingValue": "4,5"}}
    page = read(f"<h1>Anvil</h1>{ld(product('Anvil', 10, url=URL), rating)}", url=URL)
    assert (field(page, "price").text, field(page, "rating_value").text) == ("10 EUR", "4.5")


def test_two_things_that_nothing_tells_apart_are_ambiguous(read) -> None:
    page = read(ld(product("Anvil", 10), product("Hammer", 12)))
    assert {field(page, name).state for name in ("name", "price")} == {FieldState.AMBIGUOUS}
    assert field(read(ld(product("Anvil", 10), product("Hammer", 10))), "price").text == "10 EUR"


def test_a_crowd_of_things_makes_no_page_about_one(read) -> None:
    crowd = [product(f"Thing {n}", n) for n in range(4)]
    assert read(ld(*crowd)).page_type == "text"
    assert read(ld(*crowd, {"@type": "Article", "headline": "Ten anvils"})).page_type == "article"
    assert read(f"<h1>Thing 3</h1>{ld(*crowd)}").page_type == "product"


def test_recommended_products_do_not_touch_the_price(read) -> None:
    others = [{"@type": "ListItem", "item": product(f"Other {n}", n)} for n in range(6)]
    page = read(ld({"@type": "ItemList", "itemListElement": others}, product("Anvil", 10)))
    assert field(page, "price").text == "10 EUR"


VARIANTS = [
    {"@type": "Product", "name": f"Anvil {size}", "sku": f"A-{size}",
     "offers": {"@type": "Offer", "price": price, "priceCurrency": "EUR", "sku": f"A-{size}"}}
    for size, price in (("S", 10), ("M", 20), ("L", 30))
]  # fmt: skip
GROUP = {"@type": "ProductGroup", "name": "Anvil", "hasVariant": VARIANTS}
OFFERS = {"@type": "Product", "name": "Anvil", "offers": [variant["offers"] for variant in VARIANTS]}


@pytest.mark.parametrize("data", [GROUP, OFFERS, VARIANTS])
@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/anvil?variant=A-M",
        "https://shop.example/anvil?size=x&sku=a-m",
        "https://shop.example/anvil#A-M",
        "https://shop.example/anvil/A-M/",
        "https://shop.example/A-M.html",
    ],
)
def test_the_variant_that_the_url_names_is_the_one(read, data, url: str) -> None:
    page = read(f'<h1>Anvil</h1><script type="application/ld+json">{json.dumps(data)}</script>', url=url)
    assert next(value.text for value in page.fields if value.name == "price") == "20 EUR"


def test_the_watched_url_outweighs_the_canonical_one(read) -> None:
    offers = [
        {"@type": "Offer", "price": 10, "priceCurrency": "EUR", "url": "https://shop.example/anvil"},
        {"@type": "Offer", "price": 20, "priceCurrency": "EUR", "url": "https://shop.example/anvil?size=m"},
    ]
    data = json.dumps({"@type": "Product", "name": "Anvil", "offers": offers})
    markup = f'<link rel=canonical href="https://shop.example/anvil"><script type="application/ld+json">{data}</script>'
    price = {"https://shop.example/anvil?size=m": "20 EUR", "https://shop.example/anvil": "10 EUR"}
    for url, text in price.items():
        assert next(value.text for value in read(markup, url=url).fields if value.name == "price") == text


def test_without_a_variant_in_the_url_the_price_is_their_range(read) -> None:
    markup = f'<script type="application/ld+json">{json.dumps(GROUP)}</script>'
    page = read(markup, url="https://shop.example/anvil")
    assert next(value.text for value in page.fields if value.name == "price") == "10-30 EUR"
