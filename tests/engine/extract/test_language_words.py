"""Dates, durations, numbers and truth in the words of many languages."""

import datetime as dt
import time

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from pipeline.extract.dates import date
from pipeline.extract.durations import duration
from pipeline.extract.typed import Hints
from pipeline.extract.values import typed
from pipeline.extract.words import tables
from pipeline.model import FieldState, FieldType

LANGUAGES = sorted(tables())


@pytest.mark.parametrize(
    ("raw", "language", "text"),
    [
        ("03/04/2024", "en-US", "2024-03-04"),
        ("03/04/2024", "en-GB", "2024-04-03"),
        ("03/04/2024", "en", None),
        ("03/04/2024", None, None),
        ("03/04/2024", "de", "2024-04-03"),
        ("03/04/2024", "fr", "2024-04-03"),
        ("3/4/2024", "en-IN", "2024-04-03"),
        ("03.04.24", None, None),
        ("1 May 24", None, None),
        ("Wednesday, 1 May 2024", None, "2024-05-01"),
        ("mercredi 1er mai 2024", None, "2024-05-01"),
        ("среда, 1 мая 2024 г.", None, "2024-05-01"),
        ("2024. május 1.", None, "2024-05-01"),
        ("1. toukokuuta 2024", None, "2024-05-01"),
        ("1 Μαΐου 2024", None, "2024-05-01"),
        ("1 مايو 2024", None, "2024-05-01"),
        ("1 मई 2024", None, "2024-05-01"),
        ("1 พฤษภาคม 2567", None, "2024-05-01"),
        ("1 tháng 5, 2024", None, "2024-05-01"),
        ("1 במאי 2024", None, "2024-05-01"),
        ("令和6年5月1日", None, "2024-05-01"),
        ("2024年5月", None, "2024-05"),
        ("May 2024", None, "2024-05"),
        ("mai 2024", None, "2024-05"),
        ("5 listopada 2024", "pl", "2024-11-05"),
        ("5 listopada 2024", "hr", "2024-10-05"),
        ("5 listopada 2024", None, None),
        ("1 May 2024, 12:30", None, "2024-05-01T12:30:00"),
        ("May 1, 2024 at 3:05 pm", None, "2024-05-01T15:05:00"),
        ("01.05.2024 14:00 Uhr", None, "2024-05-01T14:00:00"),
        ("1 May 2024 - 3 May 2024", None, None),
        ("Published 1 May 2024, again 2024-05-01", None, "2024-05-01"),
        ("1 decembre 2024", None, "2024-12-01"),
        ("31 de enero de 2024", None, "2024-01-31"),
        ("1 Mayıs 2024", None, "2024-05-01"),
        ("1 maj 2024", None, "2024-05-01"),
        ("٠١/٠٥/٢٠٢٤", "ar", "2024-05-01"),
        ("Feb 30, 2024", None, None),
        ("12 Bhadra 2081", None, None),
    ],
)
def test_a_day_is_read_in_the_words_and_the_order_of_its_language(
    raw: str, language: str | None, text: str | None
) -> None:
    value = date(raw, Hints(language=language))
    assert value.text == text
    assert (value.state is FieldState.VALUE) == (text is not None)


@given(
    st.dates(min_value=dt.date(1900, 1, 1), max_value=dt.date(2199, 12, 31)),
    st.sampled_from(LANGUAGES),
    st.sampled_from(["medium", "long", "full"]),
)
def test_a_day_formatted_in_any_language_is_read_back(day: dt.date, language: str, width: str) -> None:
    value = date(format_date(day, width, locale=language), Hints(language=language))
    assert value.text == day.isoformat()


@pytest.mark.parametrize(
    ("raw", "minutes"),
    [
        ("1 Stunde 30 Minuten", "90"),
        ("1 godzina 20 minut", "80"),
        ("2 часа 15 минут", "135"),
        ("1 ώρα και 5 λεπτά", "65"),
        ("1 saat 30 dakika", "90"),
        ("1시간 30분", "90"),
        ("1 小时 30 分钟", "90"),
        ("1 giờ 30 phút", "90"),
        ("2 jam", "120"),
        ("1 שעה", "60"),
        ("1 घंटा 30 मिनट", "90"),
        ("3 Wochen", "30240"),
        ("1½ hours", "90"),
        ("30 min 1 hour", None),
        ("1,234.5 hours", None),
        ("3 jours", "4320"),
        ("1 tunti 20 minuuttia", "80"),
    ],
)
def test_a_duration_is_read_in_the_words_of_its_language(raw: str, minutes: str | None) -> None:
    assert duration(raw).text == minutes


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_for_a_unit_is_one(language: str) -> None:
    minutes = {"week": "20160", "day": "2880", "hour": "120", "minute": "2"}
    for unit, expected in minutes.items():
        for word in tables()[language]["time"][unit].split("|"):
            assert duration(f"2 {word}", language).text == expected, word


@pytest.mark.parametrize(
    ("raw", "hints", "text"),
    [
        ("1.2M", Hints(), "1200000"),
        ("3 Mio.", Hints(), "3000000"),
        ("1,5 Tsd.", Hints(), "1500"),
        ("2.5万", Hints(), "25000"),
        ("5 lakh", Hints(), "500000"),
        ("250 g", Hints(), "250"),
        ("5g 7", Hints(), "7"),
        ("4½ stars", Hints(), "4.5"),
        ("5 m", Hints(), "5"),
        ("-3,5 °C", Hints(), "-3.5"),
        ("10-20", Hints(), "10"),
        ("12 тыс.", Hints(), "12000"),
        ("1.2k", Hints(), "1200"),
        ("100 %", Hints(), "100"),
        ("4.9★", Hints(), "4.9"),
        ("1,234", Hints(locale="en"), "1234"),
        ("第5回", Hints(), "5"),
        ("評価4.5", Hints(), "4.5"),
    ],
)
def test_a_number_is_read_with_its_power_and_without_its_unit(raw: str, hints: Hints, text: str) -> None:
    assert typed(raw, FieldType.NUMBER, hints).text == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_yes_and_no(language: str) -> None:
    for text in ("true", "false"):
        for word in tables()[language]["truth"][text].split("|"):
            assert typed(word, FieldType.BOOL, Hints(language=language)).text == text, word


@pytest.mark.parametrize(
    ("raw", "text"),
    [("Ja", "true"), ("нет", "false"), ("はい", "true"), ("✓", "true"), ("✗", "false"), ("NO!", "false")],
)
def test_truth_needs_no_language_where_all_agree(raw: str, text: str) -> None:
    assert typed(raw, FieldType.BOOL, Hints()).text == text


@pytest.mark.parametrize("piece", ["1 ", "1 May ", "May ", "1/", "1 h ", "1h", "2024-", "k", "1k ", "½", "⁹"])
@pytest.mark.parametrize("field_type", [FieldType.DATE, FieldType.DURATION, FieldType.NUMBER, FieldType.BOOL])
def test_any_text_is_read_in_time_that_grows_with_its_length(piece: str, field_type: FieldType) -> None:
    started = time.process_time()
    for length in (100, 50_000):
        typed((piece * length)[:length], field_type, Hints())
    assert time.process_time() - started < 2
