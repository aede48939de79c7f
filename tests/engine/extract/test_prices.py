from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.extract.prices import price
from pipeline.extract.typed import Hints
from pipeline.model import FieldState

READ = [
    ("1.299,00 €", "1299 EUR"),
    ("1 299,00 €", "1299 EUR"),
    ("1\u202f299,00 €", "1299 EUR"),
    ("1\u00a0299,00\u00a0€", "1299 EUR"),
    ("1,299.00", "1299"),
    ("1'299.00", "1299"),
    ("CHF 1’299.–", "1299 CHF"),
    ("19.- Fr.", "19 CHF"),
    ("¥1,980", "1980 JPY"),
    ("￥１，９８０", "1980 JPY"),
    ("R$ 89,00", "89 BRL"),
    ("Rs. 1,500", "1500 INR"),
    ("Rs. 1,00,000", "100000 INR"),
    ("₹1,29,900", "129900 INR"),
    ("12.000 ₫", "12000 VND"),
    ("Rp 150.000", "150000 IDR"),
    ("12.990 Ft", "12990 HUF"),
    ("$.75", "0.75 USD"),
    ("0,750 €", "0.75 EUR"),
    ("$1,299", "1299 USD"),
    ("US$20", "20 USD"),
    ("C$ 20", "20 CAD"),
    ("$20 CAD", "20 CAD"),
    ("89 zł", "89 PLN"),
    ("89,90 Kč", "89.9 CZK"),
    ("1 234 567 ₽", "1234567 RUB"),
    ("19.99USD", "19.99 USD"),
    ("EUR19.99", "19.99 EUR"),
    ("٤٩٫٩٩ €", "49.99 EUR"),
    ("४९९ ₹", "499 INR"),
    ("1.799 KWD", "1.799 KWD"),
    ("2879.20", "2879.2"),
    ("2879.2", "2879.2"),
    ("1,5", "1.5"),
    ("12,345,678", "12345678"),
    ("19.99.", "19.99"),
    ("Only 19,99 €!", "19.99 EUR"),
    ("ab 19,99 €", "19.99+ EUR"),
    ("New (8) from $93.99", "93.99+ USD"),
    ("-20% 79,99 €", "79.99 EUR"),
    ("€ 1,29 (€ 2,58/kg)", "1.29 EUR"),
    ("2 x 5,00 €", "5 EUR"),
    ("5,00 € / 100 g", "5 EUR"),
    ("3-5 Tage, 19,99 €", "19.99 EUR"),
    ("From $19.99 to $29.99", "19.99-29.99 USD"),
    ("$19.99 - $29.99", "19.99-29.99 USD"),
    ("19.99 – 29.99 €", "19.99-29.99 EUR"),
    ("de R$ 10,00 a R$ 20,00", "10-20 BRL"),
    ("von 5 bis 10 €", "5-10 EUR"),
    ("10-20", "10-20"),
    ("20 - 20 €", "20 EUR"),
    ("0", "0"),
    ("$0.00", "0 USD"),
    ("Free", "0"),
    ("gratis!", "0"),
    ("kostenlos", "0"),
    ("免费", "0"),
]


@pytest.mark.parametrize(("raw", "text"), READ)
def test_a_price_is_read_as_people_write_it(raw: str, text: str) -> None:
    value = price(raw, Hints())
    assert (value.state, value.text) == (FieldState.VALUE, text)


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        ("", FieldState.MISSING),
        (" \u00a0 ", FieldState.MISSING),
        ("-5 €", FieldState.UNREADABLE),
        ("−5,00 €", FieldState.UNREADABLE),
        ("- 5 €", FieldState.UNREADABLE),
        ("-$5", FieldState.UNREADABLE),
        ("$-5", FieldState.UNREADABLE),
        ("USD -5", FieldState.UNREADABLE),
        ("-5 - 10 €", FieldState.UNREADABLE),
        ("call for price", FieldState.UNREADABLE),
        ("Free shipping", FieldState.UNREADABLE),
        ("USD 1e5", FieldState.UNREADABLE),
        ("1.2.3", FieldState.UNREADABLE),
        ("19.99,25 €", FieldState.UNREADABLE),
        ("$.750.30", FieldState.UNREADABLE),
        ("1,234,56", FieldState.UNREADABLE),
        ("1,299.00.00", FieldState.UNREADABLE),
        ("9" * 40, FieldState.UNREADABLE),
        ("1000000000000 €", FieldState.UNREADABLE),
        ("a long text " * 30 + "5 €", FieldState.UNREADABLE),
        ("1.234", FieldState.AMBIGUOUS),
        ("12.345", FieldState.AMBIGUOUS),
        ("1,400", FieldState.AMBIGUOUS),
        ("1.299 €", FieldState.AMBIGUOUS),
        ("$1.299", FieldState.AMBIGUOUS),
        ("$89.00 $79.00", FieldState.AMBIGUOUS),
        ("$20 / €20", FieldState.AMBIGUOUS),
        ("US$20 / €20", FieldState.AMBIGUOUS),
        ("€20 / £18", FieldState.AMBIGUOUS),
        ("30 - 20 €", FieldState.AMBIGUOUS),
        ("1.234 - 1.456", FieldState.AMBIGUOUS),
        ("12 34", FieldState.AMBIGUOUS),
    ],
)
def test_what_is_no_price_or_could_be_two_has_no_value(raw: str, state: FieldState) -> None:
    value = price(raw, Hints())
    assert (value.state, value.number, value.text) == (state, None, None)


@pytest.mark.parametrize(
    ("raw", "hints", "text"),
    [
        ("1.299 €", Hints(language="de"), "1299 EUR"),
        ("1.299 €", Hints(language="pt-BR"), "1299 EUR"),
        ("1.299 €", Hints(language="en"), None),
        ("1.299 CHF", Hints(language="de-CH"), None),
        ("1,400", Hints(language="en-GB"), "1400"),
        ("1,400", Hints(language="es-MX"), "1400"),
        ("1.299 US$", Hints(language="es"), None),
        ("R$ 1.299", Hints(), "1299 BRL"),
        ("1.980", Hints(currency="JPY"), "1980 JPY"),
        ("1.980", Hints(currency="KRW", machine=True), "1980 KRW"),
        ("1.234", Hints(machine=True), "1.234"),
        ("19,99", Hints(machine=True), "19.99"),
        ("1.299,00", Hints(machine=True), "1299"),
        ("1,299.00", Hints(machine=True), "1299"),
        ("1,299", Hints(machine=True), "1299"),
        ("19.99", Hints(currency="EUR"), "19.99 EUR"),
        ("$20", Hints(currency="CAD"), "20 CAD"),
        ("$20", Hints(host="shop.example.ca"), "20 CAD"),
        ("$20", Hints(host="shop.co", language="en"), "20 USD"),
        ("$20", Hints(language="es-MX"), "20 MXN"),
        ("20 €", Hints(currency="USD"), "20 EUR"),
        ("¥20", Hints(language="zh-CN"), "20 CNY"),
        ("¥20", Hints(language="ja"), "20 JPY"),
        ("99 kr", Hints(language="sv"), "99 SEK"),
        ("99 kr.", Hints(host="butik.dk"), "99 DKK"),
        ("99 kr", Hints(), "99"),
        ("Rs 99", Hints(host="shop.pk"), "99 PKR"),
    ],
)
def test_language_host_and_currency_decide_what_the_text_leaves_open(raw: str, hints: Hints, text: str | None) -> None:
    value = price(raw, hints)
    assert value.text == text
    assert value.state is (FieldState.AMBIGUOUS if text is None else FieldState.VALUE)


def test_a_range_has_both_ends_as_exact_decimals() -> None:
    value = price("$19.99 - $29.99", Hints())
    assert (value.number, value.high, value.currency) == (Decimal("19.99"), Decimal("29.99"), "USD")


@given(st.decimals(min_value=0, max_value=Decimal("999999999.99"), places=2))
def test_every_amount_survives_each_way_of_writing_it(number: Decimal) -> None:
    english = f"{number:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    for raw in (english, german, german.replace(".", "\u202f"), english.replace(",", "'")):
        assert price(f"€{raw}", Hints()).number == number


@given(st.text(max_size=60), st.sampled_from([Hints(), Hints(machine=True), Hints(language="de", currency="JPY")]))
def test_any_text_gives_a_state_and_never_an_error(raw: str, hints: Hints) -> None:
    value = price(raw, hints)
    assert (value.state is FieldState.VALUE) == (value.number is not None)
