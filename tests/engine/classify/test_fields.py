"""Which typed values differ."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from pipeline.classify.fields import compare_fields
from pipeline.model import ChangeType, FieldState, FieldType, FieldValue
from tests.engine.classify.conftest import Make


def test_decimals_are_compared_not_strings(make: Make) -> None:
    old, new = make.price("2879.2"), make.price("2879.20")
    assert compare_fields({"price": old}, {"price": new}, make.rules(old)) == ()


def test_another_amount_is_a_value_change(make: Make) -> None:
    old, new = make.price("89.00"), make.price("79.00")
    [change] = compare_fields({"price": old}, {"price": new}, make.rules(old))
    assert (change.change_type, change.decides) == (ChangeType.VALUE, True)


def test_another_currency_of_the_same_amount_is_a_change(make: Make) -> None:
    old, new = make.price("89.00", "EUR"), make.price("89.00", "USD")
    assert len(compare_fields({"price": old}, {"price": new}, make.rules(old))) == 1


def test_a_currency_that_only_one_side_names_is_no_change(make: Make) -> None:
    old, new = make.price("89.00", "EUR"), make.price("89.00", None)
    assert compare_fields({"price": old}, {"price": new}, make.rules(old)) == ()


def test_zero_and_missing_are_different(make: Make) -> None:
    old, new = make.price("0"), make.price(None)
    [change] = compare_fields({"price": old}, {"price": new}, make.rules(old))
    assert (change.change_type, change.old.state, change.new.state) == (
        ChangeType.VANISHED,
        FieldState.VALUE,
        FieldState.MISSING,
    )


def test_missing_then_a_value_has_appeared(make: Make) -> None:
    old, new = make.price(None), make.price("5")
    [change] = compare_fields({"price": old}, {"price": new}, make.rules(new))
    assert change.change_type is ChangeType.APPEARED


def test_a_list_names_members_that_came_and_went(make: Make) -> None:
    old, new = make.members("certs", "A", "B", "B"), make.members("certs", "B", "C")
    [change] = compare_fields({"certs": old}, {"certs": new}, make.rules(old))
    assert (change.members_removed, change.members_added) == (("A", "B"), ("C",))


def test_text_that_differs_in_case_and_space_is_equal(make: Make) -> None:
    old, new = make.text_field("name", "Anvil  XL"), make.text_field("name", "anvil XL")
    assert compare_fields({"name": old}, {"name": new}, make.rules(old)) == ()


def date_of(text: str) -> FieldValue:
    moment = (
        datetime.fromisoformat(text).astimezone(UTC)
        if "T" in text
        else datetime.fromisoformat(text + "T00:00:00+00:00")
    )
    return FieldValue(
        name="start_date", type=FieldType.DATE, state=FieldState.VALUE, source="json_ld", text=text, moment=moment
    )


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("2026-03-01", "2026-03-01T10:00:00+00:00", True),
        ("2026-03-01", "2026-03-02T10:00:00+00:00", False),
        ("2026-03-01T10:00:00+00:00", "2026-03-01T11:00:00+01:00", True),
        ("2026-03-01T10:00:00+00:00", "2026-03-01T12:00:00+00:00", False),
    ],
)
def test_dates_are_compared_as_days_or_instants(make: Make, old: str, new: str, same: bool) -> None:
    before, after = date_of(old), date_of(new)
    assert (compare_fields({"start_date": before}, {"start_date": after}, make.rules(before)) == ()) is same


def test_dates_of_articles_accompany_but_never_decide(make: Make) -> None:
    old = make.text_field("date_modified", "2026-03-01", FieldType.DATE)
    new = make.text_field("date_modified", "2026-03-02", FieldType.DATE)
    fields = {"date_modified": old}, {"date_modified": new}
    [weak] = compare_fields(*fields, make.rules(old, page_type="article"))
    [strong] = compare_fields(*fields, make.rules(old, page_type="recipe"))
    assert (weak.decides, strong.decides) == (False, True)


def test_a_field_new_in_the_rules_is_no_change(make: Make) -> None:
    new = make.price("5")
    assert compare_fields({}, {"price": new}, make.rules(new)) == ()


def test_an_unreadable_price_is_a_state_change_not_a_value(make: Make) -> None:
    old = make.price("5")
    new = FieldValue(name="price", type=FieldType.PRICE, state=FieldState.AMBIGUOUS, source="css", raw="1.234")
    [change] = compare_fields({"price": old}, {"price": new}, make.rules(old))
    assert change.change_type is ChangeType.STATE
    assert change.new.number is None
    assert change.old.number == Decimal(5)


def test_a_second_value_that_appears_beside_the_first_is_disputed(make: Make) -> None:
    alone, other = make.price("21.90"), make.price("19.71")
    [change] = compare_fields({"price": alone}, {"price": replace(alone, rival=other)}, make.rules(alone))
    assert (change.old, change.new, change.change_type, change.disputed) == (alone, other, ChangeType.VALUE, True)
    assert change.decides


def test_a_value_that_moves_away_from_the_second_is_disputed(make: Make) -> None:
    old, new = make.price("21.90"), replace(make.price("19.71"), rival=make.price("21.90"))
    [change] = compare_fields({"price": old}, {"price": new}, make.rules(old))
    assert (change.old, change.new, change.disputed) == (old, new, True)


def test_two_values_that_a_page_always_gave_are_its_habit(make: Make) -> None:
    before = replace(make.price("89"), rival=make.price("99"))
    same, moved = replace(before), replace(make.price("79"), rival=make.price("99"))
    rules = make.rules(before)
    assert compare_fields({"price": before}, {"price": same}, rules) == ()
    [change] = compare_fields({"price": before}, {"price": moved}, rules)
    assert not change.disputed


def test_the_second_value_that_moves_alone_is_the_change(make: Make) -> None:
    before = replace(make.price("89"), rival=make.price("99"))
    after = replace(make.price("89"), rival=make.price("95"))
    [change] = compare_fields({"price": before}, {"price": after}, make.rules(before))
    assert (change.old.text, change.new.text, change.disputed) == (before.rival.text, after.rival.text, True)


def test_values_that_agree_again_are_no_change(make: Make) -> None:
    before = replace(make.price("89"), rival=make.price("99"))
    assert compare_fields({"price": before}, {"price": make.price("89")}, make.rules(before)) == ()
