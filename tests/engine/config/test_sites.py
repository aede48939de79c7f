"""Site files that are right: what comes out of them."""

from datetime import timedelta
from decimal import Decimal
from hashlib import sha256

import pytest

from pipeline.config import BUILTIN_FIELDS, AlertRule
from pipeline.model import FieldSpec, FieldType, PageRole, Vantage

EVERYTHING = r"""
# sites/anvil-shop.yaml                      # the file's name is the site and its partition key
vantage: {country: de, language: de-DE, proxy: ${SHOP_PROXY}}
time_zone: Europe/Berlin
every: 6h                                    # until the revisit plan has learned better; `fixed: true` keeps it; `min:` `max:` bound it
page_types:
  product:
    fields: product                          # a built-in set, a mapping, or a set plus a mapping
    alert: {price: {change: 1%}, availability: any}
pages:
  - name: anvil
    url: https://shop.example/anvil
    page_type: product
    importance: 2
    fields:
      price: {type: price, css: "#price"}
      certificates: {type: list, css: "ul.certs li"}
    region: {include: [main], exclude: [".related"]}
    unordered: ["ul.sizes"]
    mask: ['\d+ people are looking']
"""


def test_a_site_file_that_says_everything_loads_whole(folder):
    site = folder.site(EVERYTHING, {"SHOP_PROXY": "http://user:secret@proxy.example:3128"})
    assert (site.name, site.time_zone) == ("shop", "Europe/Berlin")
    (page,) = site.pages
    assert page.vantage == Vantage(country="de", language="de-DE", proxy="SHOP_PROXY")
    assert (page.every, page.fixed, page.min, page.max) == (timedelta(hours=6), False, None, None)
    assert (page.page_type, page.role, page.importance, page.confirm, page.was) == (
        "product",
        PageRole.WATCHED,
        2.0,
        True,
        None,
    )
    assert page.alerts == {"price": AlertRule(change=Decimal("0.01")), "availability": AlertRule()}
    assert (page.rules.include, page.rules.exclude) == (("main",), (".related",))
    assert (page.rules.unordered, page.rules.mask) == (("ul.sizes",), (r"\d+ people are looking",))
    fields = {spec.name: spec for spec in page.rules.fields}
    assert set(fields) == {*(spec.name for spec in BUILTIN_FIELDS["product"]), "certificates"}
    assert fields["price"].css == "#price"
    assert fields["certificates"] == FieldSpec(name="certificates", type=FieldType.LIST, css="ul.certs li")


def test_a_page_that_says_nothing_gets_the_defaults(folder):
    page = folder.page()
    assert (page.page_type, page.rules.page_type, page.rules.fields) == ("auto", "auto", ())
    assert (page.every, page.fixed, page.confirm, page.importance) == (timedelta(hours=6), False, True, 1.0)
    assert (page.vantage, page.alerts, page.role) == (Vantage(), {}, PageRole.WATCHED)


def test_a_site_knows_its_file(folder):
    site = folder.site("pages: [{name: a, url: 'https://a.example'}]")
    assert site.path == folder.root / "sites/shop.yaml"
    assert site.sha256 == sha256(site.path.read_bytes()).hexdigest()


def test_pages_stand_in_the_order_of_the_file(folder):
    site = folder.site("pages: [{name: b, url: 'https://b.example'}, {name: a, url: 'https://a.example'}]")
    assert [page.name for page in site.pages] == ["b", "a"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("1m", 60), ("30m", 1_800), ("6h", 21_600), ("2d", 172_800), ("365d", 31_536_000)],
)
def test_times_are_a_number_and_a_unit(folder, text, seconds):
    assert folder.page(f"every: {text}").every == timedelta(seconds=seconds)


def test_a_page_overrides_its_site_which_overrides_the_defaults(folder):
    folder.write("quietdiff.yaml", "defaults: {every: 1d, confirm: false}")
    assert folder.page().every == timedelta(days=1)
    assert not folder.page().confirm
    assert folder.page(head="every: 2h\nconfirm: true\nfixed: true").every == timedelta(hours=2)
    page = folder.page("every: 3h\nfixed: false\nmin: 1h\nmax: 4h", "every: 2h\nfixed: true\nmax: 9h")
    assert (page.every, page.fixed) == (timedelta(hours=3), False)
    assert (page.min, page.max) == (timedelta(hours=1), timedelta(hours=4))


def test_the_bounds_hold_for_the_interval_too(folder):
    assert folder.page("min: 12h").every == timedelta(hours=12)
    assert folder.page("max: 1h").every == timedelta(hours=1)


def test_a_vantage_is_replaced_key_by_key_and_null_takes_a_key_away(folder):
    folder.write("quietdiff.yaml", "defaults: {vantage: {language: en, user_agent: Watcher/1}}")
    folder.write(
        "sites/shop.yaml",
        """
        vantage: {country: DE, proxy: "${P}", cookies: {b: "${B}", a: "${A}"}}
        pages:
          - {name: plain, url: "https://a.example"}
          - {name: own, url: "https://a.example", vantage: {language: fr, proxy: null, cookies: ~}}
        """,
    )
    plain, own = folder.load({"P": "x", "A": "x", "B": "x"}).sites["shop"].pages
    assert plain.vantage == Vantage(
        country="de", language="en", user_agent="Watcher/1", proxy="P", cookies=(("a", "A"), ("b", "B"))
    )
    assert own.vantage == Vantage(country="de", language="fr", user_agent="Watcher/1")


def test_norway_is_a_country_and_a_language(folder):
    page = folder.page("vantage: {country: NO, language: no}\nlanguage: no")
    assert (page.vantage.country, page.vantage.language, page.rules.language) == ("no", "no", "no")


def test_one_url_may_be_watched_from_two_vantages(folder):
    folder.site(
        """
        pages:
          - {name: a, url: "https://a.example", vantage: {country: de}}
          - {name: b, url: "https://a.example", vantage: {country: fr}}
        """
    )


def test_a_built_in_page_type_needs_no_entry(folder):
    assert folder.page("page_type: recipe").rules.fields == tuple(
        sorted(BUILTIN_FIELDS["recipe"], key=lambda spec: spec.name)
    )


def test_the_fields_of_a_page_type_stand_for_the_built_in_ones(folder):
    head = "page_types: {product: {fields: {price: {type: price, css: b}}}}"
    assert [spec.name for spec in folder.page("page_type: product", head).rules.fields] == ["price"]


def test_a_page_type_without_fields_keeps_the_built_in_ones(folder):
    page = folder.page("page_type: product", "page_types: {product: {region: main}}")
    assert len(page.rules.fields) == len(BUILTIN_FIELDS["product"])
    assert page.rules.include == ("main",)


def test_a_page_type_of_ones_own_has_the_fields_it_is_given(folder):
    head = "page_types: {supplier: {fields: [organization, {certs: {type: list, css: li}}]}}"
    rules = folder.page("page_type: supplier", head).rules
    assert rules.page_type == "supplier"
    names = {spec.name for spec in rules.fields}
    assert names == {*(spec.name for spec in BUILTIN_FIELDS["organization"]), "certs"}


def test_fields_and_alerts_add_to_the_type_and_the_rest_replaces_it(folder):
    head = """
    page_types:
      product:
        alert: {price: any, name: never}
        region: {include: [main], exclude: [nav]}
        unordered: [ul]
        mask: [a, b]
        language: de
    """
    keys = """
    page_type: product
    alert: {price: {change: 2.5}, sku: never}
    region: {exclude: [aside]}
    mask: []
    """
    page = folder.page(keys, head)
    assert page.alerts == {
        "price": AlertRule(absolute=Decimal("2.5")),
        "name": AlertRule(never=True),
        "sku": AlertRule(never=True),
    }
    assert (page.rules.include, page.rules.exclude) == ((), ("aside",))
    assert (page.rules.unordered, page.rules.mask, page.rules.language) == (("ul",), (), "de")


def test_a_change_is_relative_with_a_percent_sign_and_absolute_without(folder):
    def rule(text):
        return folder.page(f"page_type: product\nalert: {{price: {text}}}").alerts["price"]

    assert rule("{change: 0.5%}") == AlertRule(change=Decimal("0.005"))
    assert rule("{change: 5}") == AlertRule(absolute=Decimal(5))
    assert rule("never") == AlertRule(never=True)
    assert rule("any") == AlertRule()


def test_an_auto_page_may_have_alerts_for_any_built_in_field(folder):
    assert set(folder.page("alert: {price: {change: 1%}, total_time: {change: 5}}").alerts) == {"price", "total_time"}


def test_an_alert_of_a_type_may_be_for_a_field_of_one_of_its_pages(folder):
    head = "page_types: {product: {alert: {certs: any}}}"
    folder.page("page_type: product\nfields: {certs: {type: list, css: li}}", head)


def test_roles_renames_and_names_are_kept(folder):
    page = folder.page("role: canary\nwas: old-anvil")
    assert (page.role, page.was) == (PageRole.CANARY, "old-anvil")
    site = folder.site("pages: [{name: 2024, url: 'https://a.example'}, {name: no, url: 'https://b.example'}]")
    assert [page.name for page in site.pages] == ["2024", "no"]


def test_a_change_of_what_shapes_no_judgement_leaves_the_rules_alone(folder):
    before = folder.page("page_type: product").rules
    keys = "page_type: product\nevery: 1h\nimportance: 9\nalert: {price: never}\nconfirm: false\nvantage: {country: de}"
    assert folder.page(keys).rules == before


def test_anchors_and_aliases_may_be_used(folder):
    site = folder.site(
        """
        pages:
          - {name: a, url: "https://a.example", fields: &f {price: {type: price, css: b}}}
          - {name: b, url: "https://b.example", fields: *f}
        """
    )
    assert site.pages[0].rules == site.pages[1].rules
