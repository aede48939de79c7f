"""Records to JSON and back, and how values are printed."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.codec import decode_diff, encode_diff, field_from_json, field_to_json, plain_decimal, printed_value
from pipeline.model import (
    BlockChange,
    BlockOp,
    ChangeType,
    FieldChange,
    FieldState,
    FieldType,
    FieldValue,
    Region,
)

decimals = st.decimals(min_value=-(10**9), max_value=10**9, places=4)
values = st.builds(
    FieldValue,
    name=st.sampled_from(["price", "name"]),
    type=st.sampled_from(FieldType),
    state=st.sampled_from(FieldState),
    source=st.just("json_ld"),
    text=st.none() | st.text(max_size=5),
    number=st.none() | decimals,
    high=st.none() | decimals,
    currency=st.none() | st.just("EUR"),
    moment=st.none() | st.just(datetime(2026, 3, 2, tzinfo=UTC)),
    boolean=st.none() | st.booleans(),
    members=st.none() | st.lists(st.text(max_size=3), max_size=3).map(tuple),
    raw=st.none() | st.text(max_size=5),
    repaired=st.booleans(),
)


@given(values)
def test_a_field_value_survives_json(value: FieldValue) -> None:
    assert field_from_json(field_to_json(value)) == value


@given(values, values, st.text(max_size=5))
def test_a_diff_survives_its_blob(old: FieldValue, new: FieldValue, text: str) -> None:
    change = FieldChange(name=new.name, type=new.type, change_type=ChangeType.VALUE, old=old, new=new, decides=True)
    block = BlockChange(op=BlockOp.REPLACED, old=text, new="x", region=Region.MAIN, explained_by=None)
    assert decode_diff(encode_diff([change], [block])) == ((change,), (block,))


def value_of(type_: FieldType, **given) -> FieldValue:
    return FieldValue(name="x", type=type_, state=FieldState.VALUE, source="css", **given)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (
            value_of(FieldType.PRICE, number=Decimal("89.00000000"), currency="EUR"),
            {"amount": "89.00", "currency": "EUR"},
        ),
        (value_of(FieldType.PRICE, number=Decimal(89), currency="EUR"), {"amount": "89.00", "currency": "EUR"}),
        (value_of(FieldType.PRICE, number=Decimal("2879.2"), currency=None), {"amount": "2879.20", "currency": None}),
        (value_of(FieldType.PRICE, number=Decimal("0.125"), currency="USD"), {"amount": "0.125", "currency": "USD"}),
        (value_of(FieldType.PRICE, number=Decimal("1980.0000"), currency="JPY"), {"amount": "1980", "currency": "JPY"}),
        (
            value_of(FieldType.PRICE, number=Decimal(5), high=Decimal("7.5"), currency="EUR"),
            {"amount": "5.00", "currency": "EUR", "high": "7.50"},
        ),
        (value_of(FieldType.NUMBER, number=Decimal("4.9000")), "4.9"),
        (value_of(FieldType.NUMBER, number=Decimal(1200)), "1200"),
        (value_of(FieldType.DURATION, number=Decimal("60.000")), 60),
        (value_of(FieldType.LIST, members=("a", "b")), ["a", "b"]),
        (value_of(FieldType.BOOL, boolean=False), False),
        (value_of(FieldType.AVAILABILITY, text="InStock"), "InStock"),
        (FieldValue(name="x", type=FieldType.PRICE, state=FieldState.MISSING, source="css"), None),
        (FieldValue(name="x", type=FieldType.PRICE, state=FieldState.AMBIGUOUS, source="css", raw="1.234"), None),
    ],
)
def test_values_print_as_the_commands_promise(value: FieldValue, printed: object) -> None:
    assert printed_value(value) == printed


@pytest.mark.parametrize(
    "text", ["1234567890123456789012345678901234567.8", "12345678901234567890.123456789", "0.1", "100"]
)
def test_decimals_print_exactly_however_long(text: str) -> None:
    assert plain_decimal(Decimal(text)) == text
    assert plain_decimal(Decimal(f"{text}{'0' if '.' in text else '.00'}")) == text
