"""Two ways to write the same, and what only looks alike."""

import pytest

from pipeline.classify.forms import form


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("$1,304.00", "USD 1304"),
        ("58,00 €", "EUR 58,00"),
        ("1.307,00 € En stock", "EUR 1307,00 En stock"),
        ("89 zł", "PLN 89,00"),
        ("4.0 of 5", "4 of 5"),
        ("1 000 000 items", "1,000,000 items"),
        ("4.1. Refunds", "4.2. Refunds"),
        ("b) Refunds", "c) Refunds"),
        ("ﬁne print", "fine print"),
        ("3 % off", "3% off"),
    ],
)
def test_the_same_written_otherwise_has_one_form(one: str, two: str) -> None:
    assert form(one) == form(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("89 $", "89 €"), ("89 USD", "89 CAD"), ("89,00 €", "8,900 €"), ("4.9", "49"), ("5 %", "5"), ("5%", "-5%"),
        ("Call 0170 123", "Call 170 123"), ("1.5.2024", "15.2024"), ("10:30", "10:3"), ("v2.10", "v2.1"),
        ("Not liable", "not liable"), ("30 days", "14 days"), ("1304", "1340"), ("A. Smith", "B. Smith"),
        ("1.000 days", "1.001 days"), ("30. Juni", "14. Juni"), ("4.1 million", "4.2 million"),
    ],
)  # fmt: skip
def test_another_value_has_another_form(one: str, two: str) -> None:
    assert form(one) != form(two)
