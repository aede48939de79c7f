import json

import pytest

from pipeline.model import FieldSpec, FieldType


def page(structured: str, *shown: str, currency: str | None = "EUR", availability: str = "InStock") -> str:
    offer = {"@type": "Offer", "price": structured, "availability": availability}
    data = {"@type": "Product", "name": "Anvil", "offers": offer | ({"priceCurrency": currency} if currency else {})}
    blocks = "".join(f"<p>{text}</p>" for text in shown)
    return f'<html lang=de><script type="application/ld+json">{json.dumps(data)}</script><main>{blocks}</main>'


def rival(read, markup: str, name: str = "price", **options):
    return next(value for value in read(markup, **options).fields if value.name == name).rival


@pytest.mark.parametrize(
    ("structured", "shown", "expected"),
    [
        ("89.00", ("79,00 €",), "79 EUR"),
        ("89.00", ("Jetzt nur 79,00 €", "79,00 €"), "79 EUR"),
        ("1299.00", ("1.199,00 EUR",), "1199 EUR"),
    ],
)
def test_another_price_in_sight_is_kept_beside(read, structured: str, shown: tuple[str, ...], expected: str) -> None:
    found = rival(read, page(structured, *shown))
    assert (found.text, found.source) == (expected, "visible")


@pytest.mark.parametrize(
    "shown",
    [
        (),
        ("89,00 €",),
        ("89 €", "79,00 €"),  # it is in sight, whatever else is
        ("69,00 €", "79,00 €"),  # which of them?
        ("79",),  # no currency: a number
        ("79,00 € will buy you the smallest of all the anvils that we have ever made here",),  # a text about prices
        ("Versand 4,90 € bis 9,90 €",),  # a range
    ],
)
def test_nothing_certain_in_sight_is_no_rival(read, shown: tuple[str, ...]) -> None:
    assert rival(read, page("89.00", *shown)) is None


def test_prices_of_related_things_are_none_of_its(read) -> None:
    markup = page("89.00") + "<aside><h2>Related</h2><p>79,00 €</p></aside><footer><p>Versand 5 €</p></footer>"
    assert rival(read, markup) is None


PRICE = FieldSpec(name="price", type=FieldType.PRICE, css="#price")
STOCK = FieldSpec(name="availability", type=FieldType.AVAILABILITY, css="#stock")


def test_structured_data_is_the_rival_of_what_a_selector_finds(read) -> None:
    markup = page("89.00", "<b id=price>79,00 €</b>", "<b id=stock>Ausverkauft</b>")
    price = rival(read, markup, fields=(PRICE, STOCK))
    stock = rival(read, markup, "availability", fields=(PRICE, STOCK))
    assert (price.text, price.source, stock.text) == ("89 EUR", "json_ld", "InStock")


def test_what_agrees_is_no_rival(read) -> None:
    markup = page("89.00", "<b id=price>89,00</b>", "<b id=stock>Auf Lager</b>")
    assert rival(read, markup, fields=(PRICE, STOCK)) is None
    assert rival(read, markup, "availability", fields=(PRICE, STOCK)) is None
