"""What becomes of a change."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from pipeline.config import AlertRule
from pipeline.model import ChangeType, FieldChange, FieldState, FieldType, FieldValue, Kind, ReviewCause
from pipeline.route import (
    Change,
    alert_id,
    decode_last_alerted,
    encode_last_alerted,
    route,
    visits_needed,
    worth_an_alert,
)

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANY = AlertRule()


def price(amount: str | None, state: FieldState = FieldState.VALUE, currency: str = "EUR") -> FieldValue:
    if amount is None and state is FieldState.VALUE:
        state = FieldState.MISSING
    number = None if amount is None else Decimal(amount)
    text = None if amount is None else f"{amount} {currency}"
    return FieldValue(
        name="price", type=FieldType.PRICE, state=state, source="json_ld", text=text, number=number,
        currency=currency if amount else None, raw=amount,
    )  # fmt: skip


def changed(
    old: FieldValue, new: FieldValue, change_type: ChangeType = ChangeType.VALUE, *, decides=True
) -> FieldChange:
    return FieldChange(name=new.name, type=new.type, change_type=change_type, old=old, new=new, decides=decides)


def change(*items: FieldChange, kind: Kind = Kind.FIELD, also: bool = False, last=None) -> Change:
    return Change(
        page_id=7, visit_no=12, site="shop", page_name="anvil", url="https://shop.example/anvil", day=date(2026, 3, 2),
        importance=2.0, kind=kind, also_content=also, seen_at=NOW, not_before_at=NOW, field_changes=items,
        last_alerted=last or {},
    )  # fmt: skip


def test_a_price_change_is_a_row_of_the_dataset_and_an_alert() -> None:
    routed = route(change(changed(price("89.00"), price("79.00"))), lambda _: ANY, NOW)
    [row] = routed.field_changes
    assert (row["old_number"], row["new_number"], row["difference"]) == (
        Decimal("89.00"),
        Decimal("79.00"),
        Decimal("-10.00"),
    )
    assert row["relative_difference"] == pytest.approx(-10 / 89)
    assert row["alertable"]
    [alert] = routed.alerts
    assert (alert["channel"], alert["status"]) == ("log", "pending")
    payload = json.loads(alert["payload_json"])
    assert payload["old"] == {"amount": "89.00", "currency": "EUR"}
    assert payload["change_id"] == "v7-12"
    assert routed.review_items == []


def test_the_alert_of_a_change_has_the_same_identity_every_time() -> None:
    one, two = (route(change(changed(price("89"), price("79"))), lambda _: ANY, NOW) for _ in range(2))
    assert one.alerts[0]["alert_id"] == two.alerts[0]["alert_id"] == alert_id("v7-12", "log", "field:price")


def test_a_disputed_value_goes_to_review_and_raises_no_value_alert() -> None:
    item = replace(changed(price("21.90"), replace(price("19.71"), rival=price("21.90"))), disputed=True)
    routed = route(change(item), lambda _: ANY, NOW)
    assert routed.alerts == []
    assert [row["cause"] for row in routed.review_items] == [ReviewCause.FIELD_CONFLICT]
    assert (routed.field_changes[0]["disputed"], routed.field_changes[0]["alertable"]) == (True, False)


@pytest.mark.parametrize(
    ("new", "cause"),
    [
        (price(None), ReviewCause.FIELD_LOST),
        (price(None, FieldState.CONFLICT), ReviewCause.FIELD_CONFLICT),
        (price(None, FieldState.AMBIGUOUS), ReviewCause.FIELD_CONFLICT),
        (price(None, FieldState.UNREADABLE), ReviewCause.FIELD_CONFLICT),
    ],
)
def test_a_value_that_is_lost_or_unclear_goes_to_review_and_raises_no_value_alert(
    new: FieldValue, cause: ReviewCause
) -> None:
    kind = ChangeType.VANISHED if new.state is FieldState.MISSING else ChangeType.STATE
    routed = route(change(changed(price("89"), new, kind)), lambda _: ANY, NOW)
    assert routed.alerts == []
    assert [item["cause"] for item in routed.review_items] == [cause]
    assert len(routed.field_changes) == 1


def test_content_goes_to_review_and_a_date_that_came_along_alerts_nobody() -> None:
    old = FieldValue(
        name="date_modified", type=FieldType.DATE, state=FieldState.VALUE, source="json_ld", text="2026-03-01"
    )
    new = FieldValue(
        name="date_modified", type=FieldType.DATE, state=FieldState.VALUE, source="json_ld", text="2026-03-02"
    )
    routed = route(change(changed(old, new, decides=False), kind=Kind.CONTENT), lambda _: ANY, NOW)
    assert [item["cause"] for item in routed.review_items] == [ReviewCause.CONTENT]
    assert [row["alertable"] for row in routed.field_changes] == [False]
    assert routed.alerts == []


def test_a_field_change_with_other_text_is_also_reviewed() -> None:
    routed = route(change(changed(price("89"), price("79")), also=True), lambda _: ANY, NOW)
    assert [item["cause"] for item in routed.review_items] == [ReviewCause.ALSO_CONTENT]
    assert len(routed.alerts) == 1


def test_one_fields_rule_never_cancels_anothers_event() -> None:
    stock_old = FieldValue(
        name="availability", type=FieldType.AVAILABILITY, state=FieldState.VALUE, source="css", text="OutOfStock"
    )
    stock_new = FieldValue(
        name="availability", type=FieldType.AVAILABILITY, state=FieldState.VALUE, source="css", text="InStock"
    )
    rules = {"price": AlertRule(change=Decimal("0.05")), "availability": ANY}
    both = change(changed(price("10.00"), price("10.10")), changed(stock_old, stock_new))
    routed = route(both, rules.__getitem__, NOW)
    assert [json.loads(a["payload_json"])["field"] for a in routed.alerts] == ["availability"]


def test_many_small_steps_add_up_against_the_value_last_alerted() -> None:
    rule = AlertRule(change=Decimal("0.05"))
    last: dict[str, FieldValue] = {}
    alerted = []
    for old, new in (("100", "102"), ("102", "104"), ("104", "106"), ("106", "107")):
        routed = route(change(changed(price(old), price(new)), last=last), lambda _: rule, NOW)
        last = decode_last_alerted(encode_last_alerted(routed.last_alerted))
        alerted.append(bool(routed.alerts))
    assert alerted == [False, False, True, False]


@pytest.mark.parametrize(
    ("old", "new", "rule", "told"),
    [
        ("100", "101", ANY, True),
        ("100", "101", AlertRule(change=Decimal("0.01")), True),
        ("100", "100.99", AlertRule(change=Decimal("0.01")), False),
        ("100", "95", AlertRule(absolute=Decimal(5)), True),
        ("100", "96", AlertRule(absolute=Decimal(5)), False),
        ("0", "1", AlertRule(change=Decimal("0.5")), True),
        ("100", "50", AlertRule(never=True), False),
    ],
)
def test_rules_by_size(old: str, new: str, rule: AlertRule, told: bool) -> None:
    assert worth_an_alert(changed(price(old), price(new)), rule, None) is told


def test_a_switch_of_currency_alerts_whatever_the_amounts() -> None:
    item = changed(price("100"), price("100", currency="USD"))
    assert worth_an_alert(item, AlertRule(change=Decimal("0.5")), None)


def test_a_price_that_comes_back_unchanged_is_not_news() -> None:
    back = changed(price(None), price("89"), ChangeType.APPEARED)
    assert not worth_an_alert(back, ANY, price("89"))
    assert worth_an_alert(back, ANY, price("99"))
    assert worth_an_alert(back, ANY, None)


def listed(*members: str) -> FieldValue:
    text = "\n".join(sorted(members))
    return FieldValue(name="certs", type=FieldType.LIST, state=FieldState.VALUE, source="css", text=text,
                      members=tuple(sorted(members)))  # fmt: skip


def stock(word: str) -> FieldValue:
    return FieldValue(name="availability", type=FieldType.AVAILABILITY, state=FieldState.VALUE, source="css", text=word)


PERCENT = AlertRule(change=Decimal("0.05"))


@pytest.mark.parametrize(
    ("old", "new", "last", "rule", "worth"),
    [
        # Ten small steps add up against the value last alerted.
        (price("102"), price("104"), price("100"), PERCENT, False),
        (price("104"), price("106"), price("100"), PERCENT, True),
        (price("10.00"), price("10.10"), None, PERCENT, False),
        (price("19.90"), price("19.80"), None, AlertRule(absolute=Decimal("0.2")), False),
        (price("19.90"), price("19.70"), None, AlertRule(absolute=Decimal("0.2")), True),
        # Direction is from what people know.
        (price("100"), price("90"), None, AlertRule(direction="down"), True),
        (price("100"), price("90"), None, AlertRule(direction="up"), False),
        (price("110"), price("95"), price("90"), AlertRule(direction="down"), False),
        (price(None), price("95"), None, AlertRule(direction="down"), False),
        # A limit is crossed once, and again after it was left.
        (price("55"), price("49"), None, AlertRule(below=Decimal(50)), True),
        (price("49"), price("48"), price("49"), AlertRule(below=Decimal(50)), False),
        (price("52"), price("49"), price("49"), AlertRule(below=Decimal(50)), True),
        (price("49"), price("40"), price("49"), AlertRule(below=Decimal(50), change=Decimal("0.1")), True),
        (price("95"), price("101"), None, AlertRule(above=Decimal(100)), True),
        (price("95"), price("100"), None, AlertRule(above=Decimal(100)), False),
        (price(None), price("49"), None, AlertRule(below=Decimal(50)), True),
        # Another currency has no size.
        (price("89"), price("89", currency="USD"), None, PERCENT, True),
        # Zero is a value.
        (price("89"), price("0"), None, PERCENT, True),
        (price("0"), price("89"), None, PERCENT, True),
        # Members.
        (listed("a", "b"), listed("b"), None, AlertRule(members="removed"), True),
        (listed("a", "b"), listed("a", "b", "c"), None, AlertRule(members="removed"), False),
        (listed("a", "b"), listed("a", "b", "b"), None, AlertRule(members="added"), True),
        # Words, each time they come back.
        (stock("OutOfStock"), stock("InStock"), stock("InStock"), AlertRule(to=("InStock",)), True),
        (stock("InStock"), stock("OutOfStock"), stock("InStock"), AlertRule(to=("InStock",)), False),
        (stock("InStock"), stock("OutOfStock"), stock("InStock"), ANY, True),
    ],
)  # fmt: skip
def test_an_alert_is_worth_it_when_all_that_its_rule_says_holds(
    old: FieldValue, new: FieldValue, last: FieldValue | None, rule: AlertRule, worth: bool
) -> None:
    kind = ChangeType.APPEARED if old.state is FieldState.MISSING else ChangeType.VALUE
    assert worth_an_alert(changed(old, new, kind), rule, last) is worth


def test_a_value_that_was_there_before_is_told_unless_the_rule_says_not() -> None:
    item = changed(price("89"), price("79"))
    assert worth_an_alert(item, ANY, None, NOW)
    assert not worth_an_alert(item, AlertRule(repeat=False), None, NOW)
    assert worth_an_alert(item, AlertRule(repeat=False), None, None)


def test_one_fields_rule_has_no_effect_on_another() -> None:
    items = (changed(price("10.00"), price("10.10")), changed(stock("OutOfStock"), stock("InStock")))
    routed = route(change(*items), lambda name: PERCENT if name == "price" else ANY, NOW)
    assert [json.loads(alert["payload_json"])["field"] for alert in routed.alerts] == ["availability"]
    assert [row["field_name"] for row in routed.field_changes] == ["price", "availability"]


def test_an_alert_that_must_last_is_held_and_not_yet_what_people_know() -> None:
    routed = route(change(changed(price("89"), price("79"))), lambda _: AlertRule(stable_for=3), NOW)
    [alert] = routed.alerts
    assert (alert["status"], alert["next_attempt_at"]) == ("held", None)
    assert alert["status_reason"] == "until 3 visits in a row have shown it"
    assert routed.last_alerted["price"].text == "89 EUR"


@pytest.mark.parametrize(
    ("old", "new", "visits"),
    [
        (price("89"), price("8.90"), 1),
        (price("89"), price("8.80"), 2),
        (price("89"), price("8900"), 2),
        (price("89"), price("89", currency="USD"), 2),
        (price("0"), price("89"), 1),
        (price("89"), price("79"), 1),
    ],
)
def test_a_price_that_looks_like_a_slip_must_be_shown_twice(old: FieldValue, new: FieldValue, visits: int) -> None:
    assert visits_needed(changed(old, new), ANY) == visits
