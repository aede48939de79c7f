import json
from decimal import Decimal

import pytest

from pipeline.model import FieldSpec, FieldState, FieldType


def one(
    read,
    markup: str,
    field_type: FieldType,
    css: str | None = ".x",
    *,
    name: str = "f",
    attribute: str | None = None,
    **options,
):
    spec = FieldSpec(name=name, type=field_type, css=css, attribute=attribute)
    options = {"page_type": "product"} | options
    (value,) = read(markup, fields=(spec,), **options).fields
    return value


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p class=x>89,00 €</p>", "89 EUR"),
        ("<p class=x>Now <b>89,00</b> €</p>", "89 EUR"),
        ("<p class=x><del>99,00 €</del> <ins>89,00 €</ins></p>", "89 EUR"),
        ("<p class=x><del>99,00 €</del></p>", "99 EUR"),
        ("<p class=x>$19<sup>99</sup></p>", "19.99 USD"),
        ("<p class=x><span>$19.99</span><span aria-hidden=true>$19<sup>99</sup></span></p>", "19.99 USD"),
        ("<p class=x>$<span>19</span><span>99</span></p>", "19.99 USD"),
        ("<p class=x>$<span>1</span><span>299</span></p>", "1299 USD"),
        ("<p class=x hidden>$19.99</p>", "19.99 USD"),
        ("<meta class=x content='1.234'>", "1.234"),
        ("<data class=x value='19.99'>nineteen</data>", "19.99"),
        ("<input class=x value='19.99'>", "19.99"),
        ("<span class=x content='19.99'></span>", "19.99"),
        ("<div itemscope><meta itemprop=priceCurrency content=CAD><p class=x>$19.99</p></div>", "19.99 CAD"),
        ("<div><meta itemprop=priceCurrency content=CAD><p class=x>19.99</p></div>", "19.99 CAD"),
        ("<meta property='product:price:currency' content=EUR><p class=x>19.99</p>", "19.99 EUR"),
        ("<p class=x>19.99 €</p><p class=x>19,99 €</p>", "19.99 EUR"),
        ("<p class=x>Price:</p><p class=x>19,99 €</p>", "19.99 EUR"),
        ("<html lang=de><p class=x>1.299 €</p>", "1299 EUR"),
    ],
)
def test_a_price_is_read_from_what_a_selector_matches(read, markup: str, text: str) -> None:
    value = one(read, markup, FieldType.PRICE)
    assert (value.text, value.state, value.source) == (text, FieldState.VALUE, "css")


@pytest.mark.parametrize(
    "markup", ["", "<p class=x></p>", "<p class=x> &nbsp; </p>", "<p class=x><script>1</script></p>"]
)
@pytest.mark.parametrize("field_type", FieldType)
def test_a_field_that_is_not_there_is_missing_whatever_its_type(read, markup: str, field_type: FieldType) -> None:
    value = one(read, markup, field_type)
    assert (value.state, value.source, value.text, value.raw) == (FieldState.MISSING, "css", None, None)
    assert one(read, markup, field_type, css=None).source == "json_ld"


def test_a_selector_that_does_not_parse_matches_nothing(read) -> None:
    assert one(read, "<p class=x>1 €</p>", FieldType.PRICE, css="p[[").state is FieldState.MISSING


def test_a_protected_address_is_decoded(read) -> None:
    encoded = bytes([0x4B, *(byte ^ 0x4B for byte in b"a@b.de")]).hex()
    page = f"<p class=x>Mail <a data-cfemail={encoded}>[email&#160;protected]</a></p>"
    assert one(read, page, FieldType.TEXT).text == "Mail a@b.de"


def test_matches_with_different_values_are_in_conflict(read) -> None:
    value = one(read, "<p class=x>19 €</p><p class=x>20 €</p>", FieldType.PRICE)
    assert (value.state, value.number, value.raw) == (FieldState.CONFLICT, None, "19 € | 20 €")


def test_a_price_that_could_be_two_keeps_its_raw_text(read) -> None:
    value = one(read, "<p class=x>1.234</p>", FieldType.PRICE)
    assert (value.state, value.number, value.raw) == (FieldState.AMBIGUOUS, None, "1.234")


@pytest.mark.parametrize(
    ("markup", "field_type", "text"),
    [
        ("<p class=x>In stock</p>", FieldType.AVAILABILITY, "InStock"),
        ("<link class=x href='https://schema.org/OutOfStock'>", FieldType.AVAILABILITY, "OutOfStock"),
        ("<a class=x href=/buy>In stock</a>", FieldType.AVAILABILITY, "InStock"),
        ("<a class=x href='/a b'>A</a>", FieldType.URL, "https://e.example/a b"),
        ("<img class=x src=/i.png>", FieldType.URL, "https://e.example/i.png"),
        ("<p class=x>/plain</p>", FieldType.URL, "https://e.example/plain"),
        ("<time class=x datetime=2024-05-01>yesterday</time>", FieldType.DATE, "2024-05-01"),
        ("<time class=x>1 May 2024</time>", FieldType.DATE, "2024-05-01"),
        ("<p class=x>1 h 30 min</p>", FieldType.DURATION, "90"),
        ("<p class=x>4,9 / 5</p>", FieldType.NUMBER, "4.9"),
        ("<p class=x>yes</p>", FieldType.BOOL, "true"),
        ("<p class=x>Two <b>words</b></p><p class=x>more</p>", FieldType.TEXT, "Two words more"),
        ("<p class=x>One<br>two<i class=icon>cart</i></p>", FieldType.TEXT, "One two"),
    ],
)
def test_every_type_reads_its_element(read, markup: str, field_type: FieldType, text: str) -> None:
    assert one(read, markup, field_type, url="https://e.example/page").text == text


def test_an_attribute_can_be_asked_for(read) -> None:
    page = "<p class=x data-price=' 19.99 '>other</p>"
    assert one(read, page, FieldType.PRICE, attribute="data-price").number == Decimal("19.99")
    assert one(read, page, FieldType.PRICE, attribute="data-none").state is FieldState.MISSING


@pytest.mark.parametrize("css", ["ul.certs li", "ul.certs", ".certs > *"])
def test_a_list_is_a_multiset_of_its_members(read, css: str) -> None:
    page = "<ul class=certs><li>ISO 9001</li><li> ISO  14001</li><li></li><li>ISO 9001</li></ul>"
    assert one(read, page, FieldType.LIST, css=css).members == ("ISO 14001", "ISO 9001", "ISO 9001")


def test_a_base_element_moves_links(read) -> None:
    page = "<base href='https://cdn.example/x/'><a class=x href=y>y</a>"
    assert one(read, page, FieldType.URL, url="https://e.example/").text == "https://cdn.example/x/y"


def test_the_raw_text_is_kept_up_to_five_hundred_characters(read) -> None:
    value = one(read, f"<p class=x>{'long ' * 300}</p>", FieldType.TEXT)
    assert len(value.text) > 500
    assert len(value.raw) == 500


RECIPE = {
    "@type": "Recipe",
    "name": "Soup",
    "author": [{"@type": "Person", "name": "Ann"}, {"@type": "Person", "name": "Bo"}],
    "totalTime": "PT1H30M",
    "prepTime": "",
    "recipeYield": ["4", "4 bowls"],
    "recipeIngredient": ["2 leeks", "1 l water "],
    "recipeInstructions": [
        {"@type": "HowToSection", "name": "First", "itemListElement": [{"@type": "HowToStep", "text": "Cut."}]},
        {"@type": "HowToStep", "text": "<p>Boil &amp; stir.</p>"},
    ],
    "aggregateRating": {"ratingValue": 4.50, "ratingCount": "12", "bestRating": 5},
    "datePublished": "2024-05-01T12:00:00+02:00",
    "isFamilyFriendly": True,
    "image": {"@type": "ImageObject", "url": "/soup.jpg"},
    "nutrition": {"@type": "NutritionInformation", "calories": "200 kcal"},
    "weight": {"@type": "QuantitativeValue", "value": 2, "unitText": "kg"},
}


@pytest.mark.parametrize(
    ("name", "field_type", "text"),
    [
        ("name", FieldType.TEXT, "Soup"),
        ("author", FieldType.TEXT, "Ann, Bo"),
        ("total_time", FieldType.DURATION, "90"),
        ("prep_time", FieldType.DURATION, None),
        ("recipe_yield", FieldType.TEXT, "4, 4 bowls"),
        ("ingredients", FieldType.LIST, "1 l water\n2 leeks"),
        ("instructions", FieldType.LIST, "Boil & stir.\nCut."),
        ("rating_value", FieldType.NUMBER, "4.5"),
        ("rating_count", FieldType.NUMBER, "12"),
        ("review_count", FieldType.NUMBER, None),
        ("date_published", FieldType.DATE, "2024-05-01T10:00:00Z"),
        ("is_family_friendly", FieldType.BOOL, "true"),
        ("is_family_friendly", FieldType.TEXT, "true"),
        ("image", FieldType.URL, "https://e.example/soup.jpg"),
        ("weight", FieldType.TEXT, "2 kg"),
        ("nothing_of_the_kind", FieldType.TEXT, None),
    ],
)
def test_a_field_is_the_property_of_its_name(read, name: str, field_type: FieldType, text: str | None) -> None:
    page = f'<script type="application/ld+json">{json.dumps(RECIPE)}</script>'
    value = one(read, page, field_type, css=None, name=name, page_type="recipe", url="https://e.example/soup")
    assert (value.text, value.state) == (text, FieldState.MISSING if text is None else FieldState.VALUE)


@pytest.mark.parametrize(
    ("node", "name", "text"),
    [
        (
            {"@type": "Event", "location": {"@type": "Place", "name": "Hall", "address": "1 Road"}},
            "location",
            "Hall, 1 Road",
        ),
        ({"@type": "Event", "location": {"name": "Bonn", "address": "Bonn"}}, "location", "Bonn"),
        ({"@type": "JobPosting", "title": "Smith"}, "name", "Smith"),
        ({"@type": "JobPosting", "hiringOrganization": {"name": "Acme"}}, "hiring_organization", "Acme"),
        (
            {
                "@type": "JobPosting",
                "jobLocation": {"address": {"addressLocality": "Bonn", "addressCountry": {"name": "DE"}}},
            },
            "job_location",
            "Bonn, DE",
        ),
        (
            {
                "@type": "Organization",
                "address": {"@type": "PostalAddress", "streetAddress": "1 Road", "postalCode": 53111},
            },
            "address",
            "1 Road, 53111",
        ),
        ({"@type": "Article", "headline": "News", "author": "Ann"}, "name", "News"),
    ],
)
def test_nodes_flatten_to_what_a_person_would_write(read, node: dict[str, object], name: str, text: str) -> None:
    page = read(f'<script type="application/ld+json">{json.dumps(node)}</script>')
    assert next(value.text for value in page.fields if value.name == name) == text


def test_a_plain_page_finds_its_fields_in_whatever_it_has(read) -> None:
    page = '<script type="application/ld+json">{"@type": "WebPage", "dateModified": "2024-05-01"}</script>'
    assert one(read, page, FieldType.DATE, css=None, name="date_modified", page_type="terms").text == "2024-05-01"


def test_json_has_the_same_fields(read) -> None:
    body = '{"price": "19.9", "stock": 3, "on_sale": true, "name": "Anvil"}'
    specs = (FieldSpec(name="price", type=FieldType.PRICE), FieldSpec(name="stock", type=FieldType.NUMBER))
    page = read(body, content_type="application/json", page_type="product", fields=specs)
    assert [(value.text, value.source) for value in page.fields] == [("19.9", "json_path"), ("3", "json_path")]
