"""Numbers and prices of every locale that babel knows."""

import json
from decimal import Decimal
from importlib import resources

import pytest
from babel import Locale, localedata
from babel.numbers import format_currency, format_decimal, get_decimal_symbol
from hypothesis import given
from hypothesis import strategies as st

from pipeline.extract.babel_locales import babel_locales
from pipeline.extract.locales import locales
from pipeline.extract.numerals import agreed_grouping
from pipeline.extract.prices import price
from pipeline.extract.typed import Hints

CODES = [
    name
    for name in sorted(localedata.locale_identifiers())
    # Adlam has a grouping mark of its own, Toki Pona groups by two digits behind the first group
    if get_decimal_symbol(name) in {".", ","} and "Adlm" not in name and not name.startswith("tok")
]


def test_the_tables_are_those_of_the_installed_babel() -> None:
    kept = json.loads(resources.files("pipeline.extract").joinpath("locales.json").read_text("utf-8"))
    assert kept == json.loads(json.dumps(babel_locales().as_dict()))


@given(st.decimals(min_value=0, max_value=Decimal("99999999.99"), places=2), st.sampled_from(CODES))
def test_an_amount_formatted_in_any_locale_is_read_back_exactly(number: Decimal, code: str) -> None:
    written = format_decimal(number, locale=code, format=None, decimal_quantization=False)
    written += "" if number % 1 else f"{get_decimal_symbol(code)}00"
    assert price(written, Hints(language=code.replace("_", "-"))).number == number


@given(
    st.integers(min_value=0, max_value=99_999_999),
    st.sampled_from([code for code in CODES if locales().of_language(code.replace("_", "-"))[1:] in {".", ",", " "}]),
)
def test_a_whole_amount_is_read_back_or_ambiguous_but_never_another_one(number: int, code: str) -> None:
    value = price(format_decimal(number, locale=code), Hints(language=code.replace("_", "-")))
    assert value.number == number


@given(
    st.decimals(min_value=Decimal("0.01"), max_value=Decimal("99999999.99"), places=2),
    st.sampled_from(CODES),
    st.sampled_from(["EUR", "USD", "GBP", "BRL", "INR", "PLN", "CZK", "TRY", "UAH", "ILS"]),
)
def test_a_price_formatted_in_any_locale_is_read_back_exactly(number: Decimal, code: str, currency: str) -> None:
    written = format_currency(number, currency, locale=code)
    value = price(written, Hints(language=code.replace("_", "-"), currency=currency))
    assert (value.number, value.currency) == (number, currency)


@pytest.mark.parametrize(
    ("marks", "groups"),
    [
        ((), ""),
        ((",.",), "."),
        ((".,", ""), ","),
        ((", ",), "."),
        ((".,", ", "), ","),
        ((".,", ",."), ""),
        ((".'",), ""),
        ((",.", ".'"), ""),
    ],
)
def test_a_mark_groups_thousands_where_nobody_contradicts(marks: tuple[str, ...], groups: str) -> None:
    assert agreed_grouping(*marks) == groups


def test_every_locale_of_many_pages_has_its_marks() -> None:
    for code in ("de", "en", "fr", "es", "ja", "zh", "ru", "pt-BR", "es-MX", "de-CH", "hi", "vi"):
        assert Locale.parse(code.replace("-", "_"))
        assert locales().of_language(code)
