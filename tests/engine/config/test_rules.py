"""Rules files, and rules as canonical JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.config import BUILTIN_FIELDS, load_rules, rules_from_json, rules_json, settle
from pipeline.errors import ConfigError
from pipeline.model import FieldSpec, FieldType, Rules


def problem(source):
    with pytest.raises(ConfigError) as refused:
        load_rules(source)
    return str(refused.value)


def test_a_rules_file_holds_the_rules_keys_of_a_page(folder):
    file = folder.write(
        "anvil.yaml",
        r"""
        page_type: terms
        fields:
          price: {type: price, css: "#price"}
          certificates: {type: list, css: "ul.certs li", attribute: title}
        region: {include: [main], exclude: [".related"]}
        unordered: ["ul.sizes"]
        mask: ['\d+ people are looking']
        language: pt-BR
        """,
    )
    assert load_rules(file) == Rules(
        page_type="terms",
        fields=(
            FieldSpec(name="certificates", type=FieldType.LIST, css="ul.certs li", attribute="title"),
            FieldSpec(name="price", type=FieldType.PRICE, css="#price"),
        ),
        include=("main",),
        exclude=(".related",),
        unordered=("ul.sizes",),
        mask=(r"\d+ people are looking",),
        language="pt-BR",
    )


def test_a_mapping_is_read_like_a_file():
    rules = load_rules({"page_type": "product", "fields": {"price": {"type": "price", "css": "#price"}}})
    assert {spec.name for spec in rules.fields} == {spec.name for spec in BUILTIN_FIELDS["product"]}
    assert FieldSpec(name="price", type=FieldType.PRICE, css="#price") in rules.fields


def test_empty_rules_are_the_rules_of_a_page_that_says_nothing(folder):
    assert load_rules({}) == load_rules(folder.write("empty.yaml", "# nothing\n")) == Rules()


def test_the_page_type_stays_auto_beside_fields_of_ones_own():
    rules = load_rules({"fields": {"stock": {"type": "availability", "css": "#stock"}}})
    assert rules.page_type == "auto"
    assert [spec.name for spec in rules.fields] == ["stock"]
    assert "price" in {spec.name for spec in settle(rules, "product").fields}


@pytest.mark.parametrize(
    "fields",
    [
        "product",
        ["product"],
        ["article", "product", {"date_published": {"type": "date"}}],
    ],
)
def test_fields_may_be_a_set_or_a_list(fields):
    names = {spec.name for spec in load_rules({"fields": fields}).fields}
    assert names >= {spec.name for spec in BUILTIN_FIELDS["product"]}


def test_in_a_list_the_last_of_one_name_wins():
    own = {"price": {"type": "price", "css": "#price"}}
    with_css = load_rules({"fields": ["product", own]}).fields
    assert FieldSpec(name="price", type=FieldType.PRICE, css="#price") in with_css
    assert FieldSpec(name="price", type=FieldType.PRICE) in load_rules({"fields": [own, "product"]}).fields


def test_a_region_may_be_one_word_or_selector():
    assert load_rules({"region": "main"}).include == ("main",)
    assert load_rules({"region": "#content"}).include == ("#content",)


def test_a_type_of_a_site_file_is_taken_with_the_fields_that_are_given():
    rules = load_rules({"page_type": "supplier", "fields": {"certs": {"type": "list", "css": "li"}}})
    assert rules.page_type == "supplier"
    assert [spec.name for spec in rules.fields] == ["certs"]


def test_a_page_type_that_looks_like_a_slip_is_refused():
    message = problem({"page_type": "prodct", "fields": "product"})
    assert message == "rules: page_type: no page type; did you mean `product`?"
    assert "no built-in page type" in problem({"page_type": "zzz"})


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"filds": "product"}, "rules: filds: unknown key; did you mean `fields`?"),
        ({"every": "6h"}, "rules: every: unknown key"),
        ({"fields": "prodct"}, "rules: fields: no built-in set of fields; did you mean `product`?"),
        ({"fields": 5}, "rules: fields: expected the name of a built-in set, a mapping of fields, or a list of both"),
        ({"fields": [["x"]]}, "rules: fields[0]: expected the name of a built-in set or a mapping of fields"),
        ({"fields": {"price": {"type": "prise"}}}, "rules: fields.price.type: expected `price`, `number`"),
        ({"fields": {"price": {}}}, "rules: fields.price.type: missing"),
        ({"fields": {"price": "#price"}}, "rules: fields.price: expected a mapping"),
        ({"fields": {"Price": {"type": "price"}}}, "rules: fields.Price: expected a field name"),
        ({"fields": {"certs": {"type": "list"}}}, "rules: fields.certs: needs `css`"),
        ({"fields": {"availabilty": {"type": "text"}}}, "did you mean `availability`?"),
        ({"fields": ["text", {"certs": {"type": "list"}}]}, "rules: fields[1].certs: needs `css`"),
        ({"fields": {"name": {"type": "text", "attribute": "id"}}}, "rules: fields.name: `attribute` needs `css`"),
        ({"fields": {"a": {"type": "text", "css": "p["}}}, "rules: fields.a.css: expected a CSS selector: "),
        ({"fields": {"a": {"type": "text", "css": "p", "attribute": "a b"}}}, "the name of an attribute"),
        ({"fields": {"a": {"type": "text", "xpath": "//p["}}}, "rules: fields.a.xpath: expected XPath 1.0: "),
        ({"fields": {"a": {"type": "text", "xpath": "no()"}}}, "rules: fields.a.xpath: expected XPath 1.0: unknown"),
        ({"fields": {"a": {"type": "text", "xpath": "//x:p"}}}, "expected XPath 1.0: undefined namespace prefix"),
        ({"fields": {"a": {"type": "text", "xpath": "//p[re:test(., 'a')]"}}}, "which has no `re:` functions"),
        ({"fields": {"a": {"type": "text", "json_path": "offer.price"}}}, "fields.a.json_path: expected a JSONPath"),
        ({"fields": {"a": {"type": "text", "json_path": "$[?match(@, 'a')]"}}}, "without `match` and `search`"),
        ({"fields": {"a": {"type": "text", "json_path": "$" + "[0]" * 700}}}, "at most 2,000 characters"),
        ({"fields": {"a": {"type": "text", "css": "p", "regex": "(?=a)"}}}, "rules: fields.a.regex: expected an RE2"),
        ({"fields": {"a": {"type": "text", "css": "p", "regex": "(a)(b)"}}}, "expected at most one group"),
        ({"fields": {"name": {"type": "text", "regex": "a"}}}, "`regex` needs `css`, `xpath` or `json_path`"),
        ({"fields": {"a": {"type": "text", "css": "p", "xpath": "//p"}}}, "`css` or `xpath`, not both"),
        ({"fields": {"a": {"type": "price", "css": "p", "currency": "euro"}}}, "three capital letters such as `EUR`"),
        ({"fields": {"a": {"type": "text", "css": "p", "currency": "EUR"}}}, "`currency` needs `type: price`"),
        ({"region": {"exclude": ["//p/@id | 1"]}}, "rules: region.exclude[0]: expected"),
        ({"unordered": ["(count(//p))"]}, "expected an XPath of elements"),
        ({"region": {"include": ["main", "p:contains(x)"]}}, "rules: region.include[1]: expected a CSS selector"),
        ({"region": {"inclde": []}}, "rules: region.inclde: unknown key; did you mean `include`?"),
        ({"region": ["main"]}, "rules: region: expected `main`, `article`, a CSS selector, an XPath, or a mapping"),
        ({"unordered": "ul"}, "rules: unordered: expected a list"),
        ({"unordered": ["x" * 2_001]}, "at most 2,000 characters"),
        ({"mask": ["(?=a)"]}, "rules: mask[0]: expected an RE2 pattern (no look-around, no back references): "),
        ({"mask": [r"(a)\1"]}, "rules: mask[0]: expected an RE2 pattern"),
        ({"mask": ["(?:a{1000}){1000}"]}, "rules: mask[0]: expected an RE2 pattern"),
        ({"mask": [r"\d*"]}, "rules: mask[0]: matches the empty text"),
        ({"mask": ["x" * 1_001]}, "at most 1,000 characters"),
        ({"mask": [5]}, "rules: mask[0]: expected text"),
        ({"mask": ["\ud800"]}, "rules: mask[0]: expected an RE2 pattern without half surrogates"),
        ({"language": "German please"}, "rules: language: expected a language tag"),
    ],
)
def test_what_is_wrong_with_rules_is_named_by_key(source, message):
    assert message in problem(source)


def test_every_key_of_a_field_comes_back_from_what_is_stored():
    keys = {"xpath": "//p", "regex": "a(b)", "json_path": "$.a", "currency": "EUR", "type": "price"}
    rules = load_rules({"fields": {"a": keys, "b": {"type": "text", "css": "p", "attribute": "id"}}})
    assert rules_from_json(rules_json(rules)) == rules


def test_what_is_wrong_with_a_rules_file_is_named_by_line(folder):
    file = folder.write("anvil.yaml", "page_type: product\nmask:\n  - ok\n  - '('\n")
    assert problem(file).startswith(f"{file}:4: mask[1]: expected an RE2 pattern")


def test_a_rules_file_that_is_not_there_says_so(tmp_path):
    assert problem(tmp_path / "none.yaml") == f"{tmp_path / 'none.yaml'}: cannot be read: No such file or directory"


def test_a_hostile_pattern_is_compiled_by_a_matcher_that_never_backtracks():
    assert load_rules({"mask": ["(a+)+$"]}).mask == ("(a+)+$",)


def test_canonical_json_is_sorted_without_blanks_and_without_what_is_empty():
    rules = Rules(fields=(FieldSpec(name="b", type=FieldType.LIST, css="é"), FieldSpec(name="a", type=FieldType.DATE)))
    assert rules_json(rules) == '{"fields":{"a":{"type":"date"},"b":{"css":"é","type":"list"}},"page_type":"auto"}'


def test_the_order_of_fields_makes_no_difference():
    one, two = FieldSpec(name="a", type=FieldType.TEXT), FieldSpec(name="b", type=FieldType.TEXT)
    assert rules_json(Rules(fields=(one, two))) == rules_json(Rules(fields=(two, one)))


_LISTS = st.lists(st.text(max_size=5), max_size=3).map(tuple)
_SPECS = st.builds(
    FieldSpec,
    name=st.text(min_size=1, max_size=5),
    type=st.sampled_from(FieldType),
    css=st.none() | st.text(min_size=1, max_size=5),
    attribute=st.none() | st.text(min_size=1, max_size=5),
)
_RULES = st.builds(
    Rules,
    page_type=st.sampled_from(["auto", "product", "own"]),
    fields=st.lists(_SPECS, max_size=3, unique_by=lambda spec: spec.name).map(
        lambda specs: tuple(sorted(specs, key=lambda spec: spec.name))
    ),
    include=_LISTS,
    exclude=_LISTS,
    unordered=_LISTS,
    mask=_LISTS,
    language=st.none() | st.just("de"),
)


@given(_RULES)
def test_rules_survive_their_json(rules):
    text = rules_json(rules)
    assert rules_from_json(text) == rules
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
