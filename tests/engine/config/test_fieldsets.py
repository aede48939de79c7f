"""The built-in fields."""

import pytest

from pipeline.config import AUTO, BUILTIN_FIELDS, AlertRule, default_alert, is_count, is_weak, settle
from pipeline.model import FieldSpec, FieldType, Rules


def test_every_page_type_of_the_design_has_a_set():
    types = {"product", "article", "recipe", "event", "job", "organization", "terms", "text"}
    assert set(BUILTIN_FIELDS) == types


def test_a_name_has_one_type_in_all_sets():
    kinds = {}
    for specs in BUILTIN_FIELDS.values():
        for spec in specs:
            assert kinds.setdefault(spec.name, spec.type) is spec.type
            assert spec.css is None


def test_settling_gives_an_auto_page_the_fields_of_its_type():
    settled = settle(Rules(mask=("x",)), "article")
    assert settled.page_type == "article"
    assert {spec.name for spec in settled.fields} == {"name", "author", "date_published", "date_modified"}
    assert settled.mask == ("x",)


def test_a_field_of_the_rules_wins_over_the_built_in_one():
    own = FieldSpec(name="price", type=FieldType.PRICE, css="#price")
    extra = FieldSpec(name="certificates", type=FieldType.LIST, css="li")
    settled = settle(Rules(fields=(own, extra)), "product")
    assert [spec for spec in settled.fields if spec.name in {"price", "certificates"}] == [extra, own]
    assert len(settled.fields) == len(BUILTIN_FIELDS["product"]) + 1


def test_settled_fields_are_in_order_of_name():
    names = [spec.name for spec in settle(Rules(), "recipe").fields]
    assert names == sorted(names)


def test_rules_whose_type_is_known_are_settled_already():
    rules = Rules(page_type="terms")
    assert settle(rules, "product") is rules
    assert settle(settle(Rules(), "text"), "product").page_type == "text"


def test_a_type_that_is_not_built_in_adds_no_fields():
    assert settle(Rules(), "supplier") == Rules(page_type="supplier")
    assert AUTO not in BUILTIN_FIELDS


@pytest.mark.parametrize("page_type", ["article", "text", "terms", "organization"])
def test_dates_of_plain_pages_are_weak(page_type):
    assert is_weak("date_published", page_type)
    assert is_weak("date_modified", page_type)
    assert not is_weak("name", page_type)


@pytest.mark.parametrize("page_type", ["product", "recipe", "event", "job"])
def test_dates_of_things_are_strong(page_type):
    assert not is_weak("date_published", page_type)
    assert not is_weak("date_modified", page_type)


def test_ratings_reviews_and_modification_dates_are_counts_and_alert_nobody():
    for name in ("rating_value", "rating_count", "review_count", "date_modified"):
        assert is_count(name)
        assert default_alert(name) == AlertRule(never=True)
    for name in ("price", "availability", "date_published", "certificates"):
        assert not is_count(name)
        assert default_alert(name) == AlertRule()
