"""What the words beside amounts say: which one holds, and which is former, saved, for a unit, added or on request."""

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.extract.prices import price
from pipeline.extract.typed import Hints
from pipeline.model import FieldState


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("19€99", "19.99 EUR"),
        ("19 € 99", "19.99 EUR"),
        ("19€ 99", "19.99 EUR"),
        ("1.299,- €", "1299 EUR"),
        ("99:-", "99"),
        ("-,79 €", "0.79 EUR"),
        ("19 ,99 €", "19.99 EUR"),
        ("1.299.- Fr.", "1299 CHF"),
        ("desde 5 €", "5+ EUR"),
        ("à partir de 5 €", "5+ EUR"),
        ("5元起", "5+ CNY"),
        ("¥1000~", "1000+ JPY"),
        ("from only $5", "5+ USD"),
        ("starting at $5", "5+ USD"),
        ("från 99 kr", "99+"),
        ("ab Lager 99 €", "99 EUR"),
        ("12 x 9,90 €", "9.9 EUR"),
        ("118,80 € oder 12 x 9,90 €", "118.8 EUR"),
        ("R$ 118,80 ou 12x de R$ 9,90", "118.8 BRL"),
        ("R$ 118,80 em até 12x de R$ 9,90 sem juros", "118.8 BRL"),
        ("$99 or 4 payments of $24.75", "99 USD"),
        ("was 99 now 79", "79"),
        ("statt 99 € nur 79 €", "79 EUR"),
        ("79 € statt 99 €", "79 EUR"),
        ("UVP 99,00 € 79,00 €", "79 EUR"),
        ("UVP 99 €", "99 EUR"),
        ("List Price: $99.00 Price: $79.00", "79 USD"),
        ("Was $99.00, now $79.00, you save $20.00", "79 USD"),
        ("$79.00 You save 20%", "79 USD"),
        ("Sale $79 Regular $99", "79 USD"),
        ("79 € (20 € gespart)", "79 EUR"),
        ("$79.99 20% off", "79.99 USD"),
        ("20% off $79.99", "79.99 USD"),
        ("von 99 € auf 79 €", "79 EUR"),
        ("reduced from $99 to $79", "79 USD"),
        ("de R$ 99 por R$ 79", "79 BRL"),
        ("原价¥199 现价¥99", "99 JPY"),
        ("9990 Ft helyett 7990 Ft", "7990 HUF"),
        ("3,99 € / 100 g", "3.99 EUR"),
        ("3,99 €/100 g", "3.99 EUR"),
        ("1,29 € 2,58 €/kg", "1.29 EUR"),
        ("1,29 € (1 l = 2,50 €)", "1.29 EUR"),
        ("1,29 € 1 kg = 2,58 €", "1.29 EUR"),
        ("2,58 € pro kg", "2.58 EUR"),
        ("0,5 l 1,29 €", "1.29 EUR"),
        ("Grundpreis: 2,58 €/kg 1,29 €", "1.29 EUR"),
        ("(12) $5", "5 USD"),
        ("$99 excl. VAT", "99 USD"),
        ("£82.50 ex VAT £99.00 inc VAT", "99 GBP"),
        ("19,99 € + 4,90 € Versand", "19.99 EUR"),
        ("19,99 € zzgl. Versand", "19.99 EUR"),
        ("19,99 € zzgl. 4,90 € Versandkosten", "19.99 EUR"),
        ("$19.99 + shipping", "19.99 USD"),
        ("$19.99 plus $5 shipping", "19.99 USD"),
        ("19,99 € inkl. 19 % MwSt.", "19.99 EUR"),
        ("free", "0"),
        ("FREE!", "0"),
        ("was $5 now free", "0 USD"),
        ("0,00 €", "0 EUR"),
        ("1.2 Mio. €", "1200000 EUR"),
        ("1,2 millones €", "1200000 EUR"),
        ("3万円", "30000 JPY"),
        ("5 lakh", "500000"),
        ("₹5 lakh", "500000 INR"),
        ("3万5000円", "35000 JPY"),
        ("$1.2m", "1200000 USD"),
        ("$5k", "5000 USD"),
        ("1-2 Mio. €", "1000000-2000000 EUR"),
        ("₹1.5 crore", "15000000 INR"),
        ("25 тыс. руб.", "25000 RUB"),
        ("19⁹⁹ €", "19.99 EUR"),
        ("19,99 €¹", "19.99 EUR"),
        ("99¢", "0.99"),
        ("99 ct", "0.99"),
        ("19 € 99 ct", "19.99 EUR"),
        ("5 руб. 50 коп.", "5.5 RUB"),
        ("100 € (ca. 110 $)", "100 EUR"),
        ("Price - $19.99", "19.99 USD"),
        ("-20 € 79,99 €", "79.99 EUR"),
        ("New 8 from $93.99", "93.99+ USD"),
        ("1980円税込", "1980 JPY"),
        ("1,980円(税込2,178円)", "1980 JPY"),
        ("税抜1,800円 税込1,980円", "1980 JPY"),
        ("between $5 and $10", "5-10 USD"),
        ("zwischen 5 und 10 €", "5-10 EUR"),
        ("1.299 Kč", "1299 CZK"),
        ("R 199,99", "199.99"),
        ("19.99 USD/month", "19.99 USD"),
        ("3 for $10", "10 USD"),
        ("512GB $999", "999 USD"),
        ("5 x $3", "3 USD"),
        ("£1,299.00 Save £200", "1299 GBP"),
        ("AED 1,299.00", "1299 AED"),
        ("د.إ ١٬٢٩٩٫٠٠", "1299 AED"),
        ("1 299,00 грн", "1299 UAH"),
        ("от 1 299 ₽", "1299+ RUB"),
        ("৳ ১,২৯৯", "1299 BDT"),
        ("Rs.1,299/-", "1299 INR"),
        ("Price: 19.99", "19.99"),
        ("EUR 19.99 *", "19.99 EUR"),
        ("Now: $19.99", "19.99 USD"),
        ("As low as $19.99", "19.99+ USD"),
        ("$19.99/lb", "19.99 USD"),
        ("$19.99 each", "19.99 USD"),
        ("$19.99 - $19.99", "19.99 USD"),
        ("ab 19,99 €/Monat", "19.99+ EUR"),
        ("$ 1 299 . 99", "1299.99 USD"),
        ("12.990 kr.", "12990"),
        ("AU $19.99", "19.99 AUD"),
        ("1,99 € zzgl. 0,25 € Pfand", "1.99 EUR"),
        ("Pfand 0,25 € 1,99 €", "1.99 EUR"),
        ("As low as $25/mo", "25+ USD"),
        ("Regular price $29.00 Sale price $19.00 Unit price / per", "19 USD"),
        ("M.R.P.: ₹2,000 Deal Price: ₹1,299.00 You Save: ₹701 (35%)", "1299 INR"),
        ("990 Kč bez DPH 1 198 Kč s DPH", "1198 CZK"),
        ("Was £29.99 Now £19.99 Save £10.00", "19.99 GBP"),
        ("$119. 95", "119.95 USD"),
        ("118, 99 TL", "118.99 TRY"),
        ("$80.00 U.S.", "80 USD"),
    ],
)
def test_the_words_beside_an_amount_say_what_it_is(raw: str, text: str) -> None:
    value = price(raw, Hints())
    assert (value.state, value.text) == (FieldState.VALUE, text)


@pytest.mark.parametrize(
    "raw",
    [
        "20 € Rabatt",
        "you save $20",
        "$20 off",
        "Free shipping",
        "Buy 1 get 1 free",
        "Gratis verzending",
        "call for price",
        "auf Anfrage",
        "consultar precio",
        "询价",
        "Call 0800 123 456 for price",
        "$-5",
        "Preis auf Anfrage",
        "Cena na dotaz",
        "цена по запросу",
        "お問い合わせ",
        "Kostenloser Versand",
        "spare 20 €",
        "Discount 20 €",
        "20 € discount",
    ],
)
def test_what_is_no_price_is_unreadable_and_never_zero(raw: str) -> None:
    assert price(raw, Hints()).state is FieldState.UNREADABLE


@pytest.mark.parametrize(
    "raw",
    [
        "Free $5.99",
        "US$20 / €20",
        "up to $50",
        "99,00 € 79,00 €",
        "79 € Rabatt 20 €",
        "20 € Rabatt 79 €",
        "1250€600",
        "$19 99",
        "19 99 €",
        "29.99 € → 19.99 €",
        "$20 - $30 $25",
        "$30 $25",
        "$25 30 kr",
        "30 zł / Rs. 25",
        "$30$25",
        "€30 €25",
        "€ 12.00 € 8.00 – € 10.00",
        "bis zu 50 €",
        "from $99 to $79",
    ],
)
def test_several_prices_none_of_which_is_said_to_hold_are_ambiguous(raw: str) -> None:
    assert price(raw, Hints()).state is FieldState.AMBIGUOUS


@pytest.mark.parametrize(
    ("raw", "hints", "text"),
    [
        ("1.299 €", Hints(host="laden.de"), "1299 EUR"),
        ("1.299 €", Hints(host="laden.fr"), "1299 EUR"),
        ("1.299 €", Hints(language="fr"), "1299 EUR"),
        ("1.299 kr", Hints(language="sv"), "1299 SEK"),
        ("1,299 €", Hints(language="en", host="laden.de"), None),
        ("1.299 CHF", Hints(host="laden.ch"), None),
        ("1.299 US$", Hints(locale="de"), "1299 USD"),
        ("1,299 €", Hints(language="de", host="laden.de", locale="en"), "1299 EUR"),
        ("US$20 / €18", Hints(currency="EUR"), "18 EUR"),
        ("١٬٢٩٩ ر.س", Hints(language="ar"), "1299 SAR"),
        ("94,000 تومان", Hints(), "94000"),
        ("R 1,299.00", Hints(host="winkel.co.za"), "1299 ZAR"),
        ("1 299 ₽", Hints(language="ru"), "1299 RUB"),
        ("100元", Hints(language="zh-TW"), "100 TWD"),
        ("$1.299", Hints(language="es-CL"), "1299 CLP"),
    ],
)
def test_country_and_override_decide_too(raw: str, hints: Hints, text: str | None) -> None:
    value = price(raw, hints)
    assert value.text == text
    assert value.state is (FieldState.AMBIGUOUS if text is None else FieldState.VALUE)


def test_a_lowest_price_is_told_apart_from_a_plain_one_by_its_text() -> None:
    lowest, plain = price("ab 5 €", Hints()), price("5 €", Hints())
    assert (lowest.text, plain.text) == ("5+ EUR", "5 EUR")
    assert (lowest.number, lowest.high) == (plain.number, plain.high) == (Decimal(5), None)


@pytest.mark.parametrize("raw", ["0 €", "", "1.234", "auf Anfrage"])
def test_zero_missing_ambiguous_and_unreadable_stay_apart(raw: str) -> None:
    value = price(raw, Hints())
    states = {"0 €": "value", "": "missing", "1.234": "ambiguous", "auf Anfrage": "unreadable"}
    assert value.state == states[raw]
    assert (value.number == 0) == (raw == "0 €")


_MARKS = "\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2069\u200b\ufeff \u00a0\u2009"


@given(
    st.sampled_from(["1.299,00 €", "ab 5 €", "was $89 now $79", "$19.99 - $29.99", "1.234", "auf Anfrage", "¥1,980"]),
    st.text(_MARKS, max_size=4),
    st.text(_MARKS, max_size=4),
)
def test_spaces_and_bidi_marks_around_a_price_change_nothing(raw: str, before: str, behind: str) -> None:
    assert price(f"{before}{raw}{behind}", Hints()) == price(raw, Hints())


@pytest.mark.parametrize(
    "piece",
    [
        "1.",
        "1,",
        "1 ",
        "1'",
        "¤",
        "$",
        "$1 ",
        "-",
        "- ",
        "(",
        "()",
        "was ",
        "ab ",
        "1x",
        "1万",
        "Rs. ",
        ".,",
        "from 1 to ",
    ],
)
def test_any_text_is_read_in_time_that_grows_with_its_length(piece: str) -> None:
    started = time.process_time()
    for length in (299, 300, 100_000):
        price((piece * length)[:length], Hints())
    assert time.process_time() - started < 1
