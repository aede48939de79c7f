"""Where other tools go wrong with fields, by what people reported of them: one small page each, and its right value."""

import json
from typing import Any

import pytest

from pipeline.codec import printed_value
from pipeline.engine import History, compare
from pipeline.extract import extract
from pipeline.model import FieldSpec, FieldState, FieldType, Judgement, Kind, Quality, Rules

FILLER = "".join(f"<p>Paragraph {n} tells of forging and never of money at all.</p>" for n in range(30))


def ld(*blocks: object) -> str:
    return "".join(
        f'<script type="application/ld+json">{block if isinstance(block, str) else json.dumps(block)}</script>'
        for block in blocks
    )


def product(price: object = "89.00", currency: str = "EUR", **more: object) -> dict[str, Any]:
    offer = {"@type": "Offer", "price": price, "priceCurrency": currency}
    offer |= {key: more.pop(key) for key in ("availability",) if key in more}
    return {"@type": "Product", "name": "Anvil", "offers": offer} | more


def page(head: str = "", main: str = "<h1>Anvil</h1>", lang: str = "en") -> bytes:
    return f"<html lang={lang}><head><title>Anvil</title>{head}</head><main>{main}{FILLER}</main></html>".encode()


def value(body: bytes, name: str = "price", rules: Rules | None = None, url: str = "https://shop.example/anvil"):
    reading = extract(body, url=url, content_type=None, rules=rules or Rules())
    return next(found for found in reading.fields if found.name == name)


def judged(old: bytes, new: bytes, rules: Rules | None = None) -> Judgement:
    return compare(old, new, History(rules=rules or Rules(), url="https://shop.example/anvil"))[1]


def changed(judgement: Judgement) -> dict[str, tuple[Any, Any]]:
    return {item.name: (printed_value(item.old), printed_value(item.new)) for item in judgement.field_changes}


def selected(field_type: FieldType, css: str, name: str = "price") -> Rules:
    return Rules(page_type="product", fields=(FieldSpec(name=name, type=field_type, css=css),))


def test_noise_on_the_line_of_a_price_hides_neither_the_price_nor_itself_as_a_change() -> None:
    def at(price: int, views: int) -> bytes:
        return page(main=f"<h1>Anvil</h1><p id=p>Price {price} € - {views} people viewed this</p>")

    rules = Rules(
        page_type="product",
        fields=(FieldSpec(name="price", type=FieldType.PRICE, css="#p", regex="Price (.*?) -"),),
    )
    assert judged(at(20, 412), at(20, 415), rules).kind is Kind.NOISE
    assert judged(at(20, 412), at(18, 415), rules).kind is Kind.FIELD


def test_a_short_edit_in_a_long_page_is_a_field_change() -> None:
    old, new = (page(ld(product(amount)), f"<h1>Anvil</h1><p>{amount} EUR</p>") for amount in ("19.00", "29.00"))
    assert changed(judged(old, new)) == {
        "price": ({"amount": "19.00", "currency": "EUR"}, {"amount": "29.00", "currency": "EUR"})
    }


def test_stock_that_flips_is_told_however_little_the_price_moves() -> None:
    old, new = product("10.00", availability="OutOfStock"), product("10.10", availability="InStock")
    assert changed(judged(page(ld(old)), page(ld(new)))).keys() == {"price", "availability"}


def test_a_value_that_vanishes_is_missing_and_not_zero() -> None:
    rules = selected(FieldType.PRICE, ".price")
    judgement = judged(page(main="<b class=price>0</b>"), page(main="<b class=price></b>"), rules)
    assert (judgement.kind, changed(judgement)) == (Kind.FIELD, {"price": ({"amount": "0.00", "currency": None}, None)})
    assert judgement.field_changes[0].new.state is FieldState.MISSING


@pytest.mark.parametrize("zero", [0, "0", 0.0, "0.00"])
def test_zero_is_a_price(zero: object) -> None:
    assert value(page(ld(product(zero)))).text == "0 EUR"


@pytest.mark.parametrize(
    "block",
    [
        product() | {"@type": ["Product", "Thing"]},
        {"@graph": [{"@type": "BreadcrumbList"}, product()]},
        [product()],
        json.dumps(product())[:-1] + ",}",
        "/* shop */ " + json.dumps(product()),
        "<!-- " + json.dumps(product()) + " -->",
        "//<![CDATA[\n" + json.dumps(product()) + "\n//]]>",
        "\ufeff" + json.dumps(product()),
        json.dumps(product() | {"weight": "N"}).replace('"N"', "NaN"),
    ],
)
def test_structured_data_is_read_however_it_is_wrapped_or_broken(block: object) -> None:
    assert value(page(ld(block))).text == "89 EUR"


def test_a_block_that_cannot_be_read_leaves_the_others() -> None:
    assert value(page(ld('{"@type": "Product", "name": ', product()))).text == "89 EUR"


def test_the_prices_of_recommendations_are_not_the_pages() -> None:
    others = {"@type": "ItemList", "itemListElement": [product(n, name=f"Tongs {n}") for n in range(1, 7)]}
    assert value(page(ld(others, product("89.00")))).text == "89 EUR"


def test_two_descriptions_that_disagree_are_a_conflict_with_both() -> None:
    found = value(page(ld(product("10.00"), product("12.00"))))
    assert (found.state, found.raw) == (FieldState.CONFLICT, "10.00 | 12.00")


def test_whether_the_page_names_its_stock_changes_nothing_about_its_price() -> None:
    with_stock, without = (page(ld(product("89.00", **more))) for more in ({"availability": "InStock"}, {}))
    assert value(with_stock).text == value(without).text == "89 EUR"


def test_a_price_in_json_is_a_price() -> None:
    reading = extract(
        b'{"price": "19.9", "stock": 3}', url="", content_type="application/json",
        rules=Rules(page_type="product", fields=(FieldSpec(name="price", type=FieldType.PRICE, json_path="$.price"),)),
    )  # fmt: skip
    assert reading.fields[0].text == "19.9"


def test_nothing_is_in_stock_without_evidence() -> None:
    wall = page(main="<h1>Robot check</h1><p id=s>Please type the letters</p>")
    assert (
        value(wall, "availability", selected(FieldType.AVAILABILITY, "#s", "availability")).state
        is FieldState.UNREADABLE
    )
    assert value(page(ld(product())), "availability").state is FieldState.MISSING


def test_the_stock_of_another_thing_on_the_page_is_not_this_ones() -> None:
    body = page(main="<p class=s>250 in stock</p>").replace(
        b"</main>", b"</main><aside><p class=s>Out of stock</p></aside>"
    )
    rules = selected(FieldType.AVAILABILITY, "main .s", "availability")
    assert value(body, "availability", rules).text == "InStock"


def test_most_fields_gone_at_once_is_a_page_that_could_not_be_read() -> None:
    whole = page(ld(product("89.00", sku="A-1", brand="Acme", availability="InStock")))
    judgement = judged(whole, page())
    assert (judgement.quality, judgement.kind, judgement.field_changes) == (Quality.EXTRACTION_FAILED, None, ())


@pytest.mark.parametrize(
    ("old", "new"),
    [("2879.2", "2879.20"), ("89", "89.00"), ("89.00", "+89"), (89, "89")],
)
def test_another_way_to_write_a_price_is_no_change(old: object, new: object) -> None:
    assert judged(page(ld(product(old))), page(ld(product(new)))).field_changes == ()


def test_a_price_that_could_be_two_never_changes_a_value() -> None:
    rules = selected(FieldType.PRICE, "#p")
    unclear = page(main="<p id=p>1.234</p>", lang="xx")
    found = value(unclear, rules=rules, url="https://shop.example/")
    assert (found.state, found.raw) == (FieldState.AMBIGUOUS, "1.234")
    judgement = judged(page(main="<p id=p>1.23 USD</p>", lang="xx"), unclear, rules)
    assert [item.change_type for item in judgement.field_changes] == ["state"]
