from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.extract.typed import Hints, decimal_text
from pipeline.extract.values import listed, quantity, typed
from pipeline.model import FieldState, FieldType

MACHINE = Hints(machine=True)


@pytest.mark.parametrize(
    ("raw", "hints", "text"),
    [
        ("4,9", Hints(), "4.9"),
        ("4.90", Hints(), "4.9"),
        ("4.5 out of 5", Hints(), "4.5"),
        ("5/5", Hints(), "5"),
        ("(123)", Hints(), "123"),
        ("1.2k", Hints(), "1200"),
        ("-5", Hints(), "-5"),
        ("٤٫٩", Hints(), "4.9"),
        ("1,234 reviews", Hints(language="en"), "1234"),
        ("62.821 keer", Hints(language="nl"), "62821"),
        ("4,267", Hints(language="de"), "4.267"),
        ("5 000", Hints(), "5000"),
        ("1,234", MACHINE, "1234"),
        ("1.234", MACHINE, "1.234"),
        ("4.2631578947368425", MACHINE, "4.26315789"),
    ],
)
def test_a_number_is_canonical(raw: str, hints: Hints, text: str) -> None:
    value = typed(raw, FieldType.NUMBER, hints)
    assert (value.state, value.text, value.number) == (FieldState.VALUE, text, Decimal(text))


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        ("", FieldState.MISSING),
        ("none", FieldState.UNREADABLE),
        ("1,234", FieldState.AMBIGUOUS),
        ("NAN", FieldState.UNREADABLE),
    ],
)
def test_what_is_no_number_has_no_value(raw: str, state: FieldState) -> None:
    assert typed(raw, FieldType.NUMBER, Hints()).state is state


@pytest.mark.parametrize(
    ("number", "text"), [("100", "100"), ("1E+2", "100"), ("2879.20", "2879.2"), ("-0.0", "0"), ("0.10", "0.1")]
)
def test_equal_numbers_have_equal_texts(number: str, text: str) -> None:
    assert decimal_text(Decimal(number)) == text


@pytest.mark.parametrize("number", ["1e999", "NaN", "Infinity", "9" * 40])
def test_a_number_the_database_cannot_keep_is_unreadable(number: str) -> None:
    for field_type in (FieldType.NUMBER, FieldType.PRICE, FieldType.TEXT):
        assert quantity(Decimal(number), field_type, MACHINE).state is FieldState.UNREADABLE


def test_a_number_too_small_to_keep_is_zero() -> None:
    assert quantity(Decimal("1e-99"), FieldType.NUMBER, MACHINE).text == "0"


def test_a_list_is_a_sorted_multiset_without_empty_members() -> None:
    value = listed(["b ", "a", "", "b", " a\n c"])
    assert value.members == ("a", "a c", "b", "b")
    assert value.text == listed(["a c", "b", "b", "a"]).text
    assert listed(["", " "]).state is FieldState.MISSING


@pytest.mark.parametrize(
    ("raw", "text"),
    [("true", "true"), ("https://schema.org/True", "true"), ("No", "false"), ("0", "false"), ("maybe", None)],
)
def test_truth_has_a_few_names(raw: str, text: str | None) -> None:
    assert typed(raw, FieldType.BOOL, Hints()).text == text


@pytest.mark.parametrize(
    ("raw", "base", "text"),
    [
        ("/a?b=1", "https://e.example/x/y", "https://e.example/a?b=1"),
        ("https://other.example/", "https://e.example/", "https://other.example/"),
        ("/a", "", "/a"),
        ("http://[", "https://e.example/", None),
    ],
)
def test_an_address_is_absolute(raw: str, base: str, text: str | None) -> None:
    assert typed(raw, FieldType.URL, Hints(base=base)).text == text


@given(st.text(max_size=40), st.sampled_from(FieldType), st.booleans())
def test_any_text_of_any_type_gives_a_state(raw: str, field_type: FieldType, machine: bool) -> None:
    value = typed(raw, field_type, Hints(machine=machine))
    assert (value.state is FieldState.VALUE) == (value.text is not None)
