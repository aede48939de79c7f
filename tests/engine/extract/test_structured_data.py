import json

import pytest

from pipeline.model import FieldSpec, FieldState, FieldType

PRODUCT = {"@type": "Product", "name": "Anvil", "offers": {"@type": "Offer", "price": "89.00", "priceCurrency": "EUR"}}


def ld(*blocks: object) -> str:
    return "".join(
        f'<script type="application/ld+json">{block if isinstance(block, str) else json.dumps(block)}</script>'
        for block in blocks
    )


def field(reading, name: str):
    return next(value for value in reading.fields if value.name == name)


@pytest.mark.parametrize(
    "block",
    [
        PRODUCT,
        [PRODUCT],
        {"@context": "https://schema.org", "@graph": [{"@type": "WebSite"}, PRODUCT]},
        [{"@graph": [PRODUCT]}],
        {"@type": "WebPage", "mainEntity": PRODUCT},
        PRODUCT | {"@type": ["Thing", "Product"]},
        PRODUCT | {"@type": "https://schema.org/Product"},
        PRODUCT | {"@type": "http://schema.org/product"},
        PRODUCT | {"@type": "schema:Product"},
        PRODUCT | {"@type": "ProductGroup"},
    ],
)
def test_a_product_is_found_wherever_the_page_may_put_it(read, block) -> None:
    page = read(ld(block))
    assert page.page_type == "product"
    assert field(page, "price").text == "89 EUR"
    assert (field(page, "name").text, field(page, "name").source, field(page, "name").repaired) == (
        "Anvil",
        "json_ld",
        False,
    )


@pytest.mark.parametrize(
    "block",
    [
        '{"@type": "Product", "name": "Anvil", "offers": {"price": "89.00", "priceCurrency": "EUR",},}',
        '<!-- {"@type": "Product", "name": "Anvil", "offers": {"price": "89.00", "priceCurrency": "EUR"}} -->',
        '<!-- our best -->\n{"@type": "Product", "name": "Anvil", "offers": {"price": "89.00", "priceCurrency": "EUR"}}',
        '//<![CDATA[\n{"@type": "Product", "name": "Anvil", "offers": {"price": "89.00", "priceCurrency": "EUR"}}\n//]]>',
        '/*<![CDATA[*/{"@type": "Product", "name": "Anvil", "offers": {"price": "89.00", "priceCurrency": "EUR"}}/*]]>*/',
        '{"@type": "Product", // our best\n "name": "Anvil", /* in stock */ "offers": {"price": "89.00", "priceCurrency": "EUR"}}',
        '{"@type": "Product", "name": "Anvil", "offers": {"price": "89.00", "priceCurrency": "EUR"}};',
        '{"@type": "Product", "name": "An\\vil", "offers": {"price": "89.00", "priceCurrency": "EUR"}}',
        json.dumps(PRODUCT).replace('"', "&quot;"),
    ],
)
def test_a_broken_block_is_mended_and_says_so(read, block: str) -> None:
    page = read(ld(block))
    assert field(page, "price").text == "89 EUR"
    assert field(page, "name").text == "Anvil"
    assert field(page, "name").repaired


@pytest.mark.parametrize(
    "block",
    [
        '{"@type": "Product", "name": "Soup\x01 &amp;\n bread", "offers": {"price": NaN}}',
        '\ufeff{"@type": "Product", "name": "Soup &amp;amp; <b>bread</b>"}',
        '{"@type": "Product", "name": "Soup \\ud800& bread"}',
        '{"@type": "WebSite"} {"@type": "Product", "name": "Soup & bread"}',
    ],
)
def test_control_characters_entities_and_tags_in_values_do_no_harm(read, block: str) -> None:
    assert field(read(ld(block)), "name").text == "Soup & bread"
    assert field(read(ld(block)), "price").state is FieldState.MISSING


def test_a_slash_in_a_string_is_no_comment(read) -> None:
    page = read(ld('{"@type": "Product", "name": "a // b /* c */ ,}", }'))
    assert field(page, "name").text == "a // b /* c */ ,}"


def test_a_hopeless_block_is_skipped_and_the_others_count(read) -> None:
    page = read(ld("{", '{"@type": "Product", "name": "unclosed', PRODUCT))
    assert field(page, "price").text == "89 EUR"


def test_things_of_a_list_are_not_what_the_page_is_about(read) -> None:
    items = {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": PRODUCT}]}
    assert read(ld(items)).page_type == "text"
    page = read(ld(items, PRODUCT | {"name": "Hammer", "offers": {"price": 12}}))
    assert (field(page, "name").text, field(page, "price").text) == ("Hammer", "12")


def test_references_between_nodes_are_followed(read) -> None:
    graph = [
        {"@type": "Article", "headline": "News", "author": {"@id": "#ann"}},
        {"@type": "Person", "@id": "#ann", "name": "Ann"},
    ]
    assert field(read(ld({"@graph": graph})), "author").text == "Ann"


@pytest.mark.parametrize(
    "block",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"@type": "Product", "name": ' + "[" * 900 + '"x"' + "]" * 900 + "}",
        '{"@type": "Product", "mainEntity": ' * 300 + "1" + "}" * 300,
        "[" + ",".join(['{"@type": "Product"}'] * 20_000) + "]",
        '"\\' * 100_000,
        "<!--" * 100_000,
        "/*" * 100_000,
        ", " * 100_000,
        '{"@type": "Product", "name": "' + "<" * 100_000 + '"}',
        '{"@type": "Product", "offers": {"price": ' + "9" * 100_000 + "}}",
        '{"@type": "Product", "offers": {"price": 1e9999999999999999999}}',
        '{"@type": "Product", "@id": "#a", "offers": {"@id": "#a"}, "brand": {"@id": "#a"}}',
        '{"@type": [1, null, {}], "name": true, "offers": [null, 1, "x", {"price": {}}]}',
    ],
)
def test_hostile_blocks_are_survived(read, block: str) -> None:
    specs = (FieldSpec(name="price", type=FieldType.PRICE), FieldSpec(name="brand", type=FieldType.TEXT))
    page = read(f"<p>text</p>{ld(block)}", page_type="product", fields=specs)
    assert page.blocks[0].text == "text"
    assert all(value.state is not FieldState.VALUE for value in page.fields)


MICRODATA = """<div itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>Anvil</h1>
<div itemprop=offers itemscope itemtype="http://schema.org/Offer"><meta itemprop=priceCurrency content=EUR>
<span itemprop=price content="89.00">89,00 €</span><link itemprop=availability href="https://schema.org/InStock"></div>
<div itemprop=aggregateRating itemscope><span itemprop=ratingValue>4,5</span><meta itemprop=reviewCount content=12></div></div>"""


def test_microdata_says_the_same_as_json_ld(read) -> None:
    page = read(MICRODATA)
    assert page.page_type == "product"
    values = {value.name: value.text for value in page.fields if value.text}
    assert values == {
        "name": "Anvil",
        "price": "89 EUR",
        "availability": "InStock",
        "rating_value": "4.5",
        "review_count": "12",
    }
    assert {value.source for value in page.fields if value.text} == {"microdata"}


def test_a_microdata_thing_is_known_by_its_itemid(read) -> None:
    def thing(itemid: str, name: str) -> str:
        return (
            f"<div itemscope itemtype='https://schema.org/Product' itemid='{itemid}'><b itemprop=name>{name}</b></div>"
        )

    page = read(thing("/hammer", "Hammer") + thing("/anvil", "Anvil"), url="https://shop.example/anvil")
    assert field(page, "name").text == "Anvil"


def test_things_inside_each_other_by_the_thousand_are_read(read) -> None:
    page = read("<div itemscope itemtype='https://schema.org/Product'><b itemprop='name sku'>Anvil " * 3000)
    assert (page.page_type, len(page.blocks)) == ("text", 3000)


def test_ratings_of_cards_inside_links_to_other_pages_are_theirs(read) -> None:
    card = "<a href='/hammer'><div itemprop=aggregateRating itemscope><meta itemprop=ratingValue content=1></div></a>"
    own = "<a href='#reviews'><div itemprop=aggregateRating itemscope><meta itemprop=ratingValue content=5></div></a>"
    start = "<div itemscope itemtype='https://schema.org/Product'><b itemprop=name>Anvil</b>"
    url = "https://shop.example/anvil"
    assert field(read(start + card + "</div>", url=url), "rating_value").state is FieldState.MISSING
    assert field(read(start + card + own + "</div>", url=url), "rating_value").text == "5"


OPENGRAPH = """<meta property="og:type" content="product"><meta property="og:title" content="Anvil">
<meta property="product:price:amount" content="89.00"><meta property="product:price:currency" content="EUR">
<meta property="product:availability" content="in stock">"""


def test_product_meta_elements_tell_a_product(read) -> None:
    page = read(OPENGRAPH)
    assert page.page_type == "product"
    values = {value.name: (value.text, value.source) for value in page.fields if value.text}
    assert values == {
        "name": ("Anvil", "opengraph"),
        "price": ("89 EUR", "opengraph"),
        "availability": ("InStock", "opengraph"),
    }


def test_og_type_article_alone_makes_no_article(read) -> None:
    assert (
        read('<meta property="og:type" content="article"><meta property="og:title" content="Terms">').page_type
        == "text"
    )


def test_the_first_source_that_has_a_field_gives_it(read) -> None:
    page = read(ld({"@type": "Product", "name": "From JSON"}) + MICRODATA + OPENGRAPH)
    assert (field(page, "name").text, field(page, "name").source) == ("From JSON", "json_ld")
    assert (field(page, "price").text, field(page, "price").source) == ("89 EUR", "microdata")


@pytest.mark.parametrize(
    ("types", "page_type"),
    [
        (["Organization", "WebSite"], "organization"),
        (["Organization", "NewsArticle"], "article"),
        (["BlogPosting", "JobPosting"], "job"),
        (["JobPosting", "MusicEvent"], "event"),
        (["SocialEvent", "Recipe"], "recipe"),
        (["Recipe", "Product"], "product"),
        (["Restaurant"], "organization"),
        (["WebPage", "BreadcrumbList"], "text"),
        ([], "text"),
    ],
)
def test_the_page_type_is_that_of_the_weightiest_thing(read, types: list[str], page_type: str) -> None:
    assert read(ld(*({"@type": kind, "name": kind} for kind in types))).page_type == page_type


def test_a_page_type_of_the_rules_stays(read) -> None:
    page = read(ld(PRODUCT), page_type="terms")
    assert (page.page_type, page.fields) == ("terms", ())


def test_the_fields_of_an_auto_page_are_settled_with_the_users_own(read) -> None:
    page = read(ld(PRODUCT), fields=(FieldSpec(name="price", type=FieldType.PRICE, css="#p"),))
    assert page.rules.page_type == "product"
    assert field(page, "price").source == "css"
    assert field(page, "name").text == "Anvil"


MICRODATA_WITH_REFERENCE = """
<div itemscope itemtype="https://schema.org/Product" itemref="more gone">
  <span itemprop="name">Anvil</span>
  <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
    <meta itemprop="priceCurrency" content="EUR"><span itemprop="price" content="89.00">89,00 €</span>
    <link itemprop="availability" href="https://schema.org/InStock">
  </div>
</div>
<p id="more"><b itemprop="sku">A-1</b><span itemprop="brand" itemscope><i itemprop="name">Acme</i></span></p>
"""

RDFA = """
<div vocab="https://schema.org/" typeof="Product">
  <span property="name">Anvil</span>
  <div property="offers" typeof="Offer">
    <meta property="priceCurrency" content="EUR"><span property="price" content="89.00">89,00 €</span>
    <link property="availability" href="https://schema.org/InStock">
  </div>
  <b property="sku">A-1</b><span property="brand" typeof="Brand"><i property="name">Acme</i></span>
</div>
"""

RDFA_BY_PREFIX = """
<div prefix="s: https://schema.org/ og: http://ogp.me/ns#" about="#anvil">
  <div resource="#it" typeof="s:Product gr:ProductOrService">
    <span property="s:name" content="Anvil">An anvil</span>
    <span property="og:title">Not this</span>
    <span property="s:offers" resource="#offer"></span>
    <b property="http://schema.org/sku">A-1</b>
  </div>
  <span about="#it" property="s:brand">Acme</span>
  <div resource="#offer" typeof="s:Offer">
    <meta property="s:priceCurrency" content="EUR"><span property="s:price" content="89.00">89,00 €</span>
    <link property="schema:availability" href="https://schema.org/InStock">
  </div>
</div>
"""


@pytest.mark.parametrize(
    ("markup", "source"), [(MICRODATA_WITH_REFERENCE, "microdata"), (RDFA, "rdfa"), (RDFA_BY_PREFIX, "rdfa")]
)
def test_one_thing_has_the_same_fields_in_every_notation(read, markup: str, source: str) -> None:
    page = read(markup)
    assert page.page_type == "product"
    found = {value.name: value.text for value in page.fields if value.state is FieldState.VALUE}
    assert found == {"name": "Anvil", "price": "89 EUR", "availability": "InStock", "sku": "A-1", "brand": "Acme"}
    assert {value.source for value in page.fields if value.state is FieldState.VALUE} == {source}


def test_other_vocabularies_are_passed_over(read) -> None:
    page = read('<div vocab="http://rdf.data-vocabulary.org/#" typeof="Product"><b property="name">Anvil</b></div>')
    assert (page.page_type, page.fields) == ("text", ())


def test_a_reference_to_a_member_of_an_enumeration_is_its_value(read) -> None:
    offer = {"@type": "Offer", "price": 1, "availability": {"@id": "https://schema.org/OutOfStock"}}
    assert field(read(ld({"@type": "Product", "offers": offer})), "availability").text == "OutOfStock"


@pytest.mark.parametrize("kind", ["Book", "SoftwareApplication", "Course", "Movie"])
def test_what_is_for_sale_is_a_product(read, kind: str) -> None:
    page = read(ld({"@type": kind, "name": "It", "offers": {"@type": "Offer", "price": 5, "priceCurrency": "EUR"}}))
    assert (page.page_type, field(page, "price").text) == ("product", "5 EUR")


@pytest.mark.parametrize("kind", ["NewsArticle", "Recipe", "JobPosting", "Organization", "WebPage"])
def test_what_has_offers_of_another_kind_is_none(read, kind: str) -> None:
    assert read(ld({"@type": kind, "name": "It", "offers": {"@type": "Offer", "price": 5}})).page_type != "product"


def test_things_inside_each_other_without_end_cost_linear_time(read) -> None:
    page = read('<div itemscope itemtype="https://schema.org/Product">' + '<p itemprop="name">' * 20_000)
    assert page.page_type == "product"
    page = read('<div vocab="https://schema.org/" typeof="Product">' + '<i property="name">' * 20_000)
    assert page.page_type == "product"


def test_what_refers_to_itself_ends(read) -> None:
    page = read('<div id=a itemscope itemtype="https://schema.org/Product" itemprop=brand itemref="a">x</div>')
    assert page.page_type in {"product", "text"}
