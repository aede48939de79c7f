import json

import pytest

from pipeline.model import FieldSpec, FieldState, FieldType

PAGE = """
<html lang=de><main><h1 class=x>Amboss</h1>
<p class=price>Preis: <b>89,00 €</b> inkl. MwSt.</p><a class=more href="/amboss?sku=A-1">Artikel A-1, 12 Stück</a>
<ul class=sizes><li>S</li><li>M</li></ul>
<script type="application/json" id="state">{"offer": {"price": 79.5, "sizes": ["L", "XL"], "in": true}}</script>
</main></html>
"""


def one(read, body: str, field_type: FieldType, **keys):
    options = {key: keys.pop(key) for key in ("url", "content_type") if key in keys}
    spec = FieldSpec(name="f", type=field_type, **keys)
    (value,) = read(body, page_type="product", fields=(spec,), **options).fields
    return value


@pytest.mark.parametrize(
    ("field_type", "keys", "text", "source"),
    [
        (FieldType.TEXT, {"xpath": "//h1"}, "Amboss", "xpath"),
        (FieldType.TEXT, {"xpath": "//a/@href"}, "/amboss?sku=A-1", "xpath"),
        (FieldType.TEXT, {"xpath": "//h1/text()"}, "Amboss", "xpath"),
        (FieldType.TEXT, {"xpath": "substring-after(//a/@href, 'sku=')"}, "A-1", "xpath"),
        (FieldType.PRICE, {"xpath": "//p[starts-with(., 'Preis')]/b"}, "89 EUR", "xpath"),
        (FieldType.NUMBER, {"xpath": "count(//li)"}, "2", "xpath"),
        (FieldType.BOOL, {"xpath": "boolean(//h1)"}, "true", "xpath"),
        (FieldType.LIST, {"xpath": "//ul"}, "M\nS", "xpath"),
        (FieldType.URL, {"xpath": "//a"}, "https://shop.example/amboss?sku=A-1", "xpath"),
        (FieldType.URL, {"xpath": "//a", "attribute": "href"}, "https://shop.example/amboss?sku=A-1", "xpath"),
        (FieldType.TEXT, {"css": "a", "regex": r"Artikel (\S+),"}, "A-1", "regex"),
        (FieldType.NUMBER, {"css": "a", "regex": r"\d+ Stück"}, "12", "regex"),
        (FieldType.TEXT, {"css": "a", "attribute": "href", "regex": r"sku=(.*)"}, "A-1", "regex"),
        (FieldType.NUMBER, {"xpath": "//a/@href", "regex": r"sku=A-(\d)"}, "1", "regex"),
        (FieldType.PRICE, {"css": "#state", "json_path": "$.offer.price", "currency": "EUR"}, "79.5 EUR", "json_path"),
        (FieldType.LIST, {"css": "#state", "json_path": "$..sizes"}, "L\nXL", "json_path"),
        (FieldType.BOOL, {"xpath": "//script", "json_path": "$.offer.in"}, "true", "json_path"),
    ],
)
def test_a_value_is_found_where_the_rules_say(read, field_type: FieldType, keys: dict, text: str, source: str) -> None:
    value = one(read, PAGE, field_type, url="https://shop.example/x", **keys)
    assert (value.text, value.state, value.source) == (text, FieldState.VALUE, source)


@pytest.mark.parametrize(
    "keys",
    [
        {"xpath": "//h2"},
        {"xpath": "string(//h2)"},
        {"xpath": "//h2["},
        {"css": "h1", "regex": "Preis"},
        {"css": "h1", "json_path": "$.a"},
        {"css": "#state", "json_path": "$.nothing"},
        {"json_path": "$.offer.price"},
    ],
)
def test_what_leads_nowhere_is_missing(read, keys: dict) -> None:
    assert one(read, PAGE, FieldType.TEXT, **keys).state is FieldState.MISSING


BODY = {
    "items": [{"id": 7, "price": {"amount": 19.90, "currency": "USD"}}, {"id": 8, "price": {"amount": 5}}],
    "n": "x",
}


@pytest.mark.parametrize(
    ("field_type", "path", "text"),
    [
        (FieldType.NUMBER, "$.items[0].price.amount", "19.9"),
        (FieldType.NUMBER, "$.items[?@.id == 8].price.amount", "5"),
        (FieldType.LIST, "$.items[*].id", "7\n8"),
        (FieldType.TEXT, "$.n", "x"),
        (FieldType.NUMBER, "$['items'][-1]['price']['amount']", "5"),
    ],
)
def test_a_json_body_is_read_by_json_path(read, field_type: FieldType, path: str, text: str) -> None:
    value = one(read, json.dumps(BODY), field_type, json_path=path, content_type="application/json")
    assert (value.text, value.source) == (text, "json_path")


@pytest.mark.parametrize("body", ['"$.a"', "[]", "1", "", '{"a":' * 500 + "1" + "}" * 500])
def test_a_body_that_the_path_does_not_fit_has_no_value(read, body: str) -> None:
    value = one(read, body, FieldType.TEXT, json_path="$..b", content_type="application/json")
    assert value.state is FieldState.MISSING


def test_different_values_at_one_path_are_in_conflict(read) -> None:
    value = one(read, json.dumps(BODY), FieldType.NUMBER, json_path="$.items[*].price.amount", content_type="a/json")
    assert (value.state, value.raw) == (FieldState.CONFLICT, "19.9 | 5")


@pytest.mark.parametrize(
    ("text", "expected"), [("$19.99", "19.99 CAD"), ("19.99", "19.99 CAD"), ("19.99 EUR", "19.99 EUR")]
)
def test_the_rules_currency_holds_where_the_text_leaves_it_open(read, text: str, expected: str) -> None:
    assert one(read, f"<p class=x>{text}", FieldType.PRICE, css=".x", currency="CAD").text == expected


def test_regions_may_be_xpath(read) -> None:
    page = "<div id=a><p>in</p><p class=b>out</p></div><p>away</p><ul><li>1<li>2</ul>"
    read_page = read(page, include=("//div[@id='a']", "//ul"), exclude=("//p[@class='b']",), unordered=("(//ul)[1]",))
    assert [(block.text, block.unordered) for block in read_page.blocks] == [("in", False), ("1", True), ("2", True)]


def test_the_rules_language_decides_what_the_page_leaves_open(read) -> None:
    markup = "<html lang=en><p class=x>1.234 EUR"
    assert one(read, markup, FieldType.PRICE, css=".x").text in {None, "1.234 EUR"}
    spec = FieldSpec(name="f", type=FieldType.PRICE, css=".x")
    (value,) = read(markup, page_type="product", fields=(spec,), language="de").fields
    assert value.text == "1234 EUR"
