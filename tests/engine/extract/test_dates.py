from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.extract.dates import date
from pipeline.extract.durations import duration
from pipeline.model import FieldState


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("2024-05-01", "2024-05-01"),
        (" 2024-05-01 ", "2024-05-01"),
        ("20240501", "2024-05-01"),
        ("2024/5/1", "2024-05-01"),
        ("2024", "2024"),
        ("2024-05", "2024-05"),
        ("2024-05-01T12:00:00Z", "2024-05-01T12:00:00Z"),
        ("2024-05-01T14:00:00+02:00", "2024-05-01T12:00:00Z"),
        ("2024-05-01T14:00:00+0200", "2024-05-01T12:00:00Z"),
        ("2024-05-01T12:00Z", "2024-05-01T12:00:00Z"),
        ("2024-05-01T12:00:00.000Z", "2024-05-01T12:00:00Z"),
        ("2024-05-01 14:00:00 +0200", "2024-05-01T12:00:00Z"),
        ("2024-05-01 12:00:00", "2024-05-01T12:00:00"),
        ("Wed, 01 May 2024 12:00:00 GMT", "2024-05-01T12:00:00Z"),
        ("Wed May 01 2024 14:00:00 GMT+0200", "2024-05-01T12:00:00Z"),
        ("01.05.2024", "2024-05-01"),
        ("Stand: 01.05.2024", "2024-05-01"),
        ("13/4/2024", "2024-04-13"),
        ("4/13/2024", "2024-04-13"),
        ("4/4/2024", "2024-04-04"),
        ("1 May 2024", "2024-05-01"),
        ("May 1st, 2024", "2024-05-01"),
        ("Last updated: 1 May 2024", "2024-05-01"),
        ("1. März 2024", "2024-03-01"),
        ("1 de mayo de 2024", "2024-05-01"),
        ("1 de março de 2024", "2024-03-01"),
        ("1er février 2024", "2024-02-01"),
        ("1 juin 2024", "2024-06-01"),
        ("1 juillet 2024", "2024-07-01"),
        ("1 maggio 2024", "2024-05-01"),
        ("1 mei 2024", "2024-05-01"),
        ("2024年5月1日", "2024-05-01"),
        ("2024년 5월 1일", "2024-05-01"),
        ("٢٠٢٤-٠٥-٠١", "2024-05-01"),
    ],
)
def test_a_date_is_iso_and_an_instant_is_utc(raw: str, text: str) -> None:
    value = date(raw)
    assert (value.state, value.text) == (FieldState.VALUE, text)
    assert value.moment is not None
    assert value.moment.tzinfo is UTC


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        ("", FieldState.MISSING),
        ("3/4/2024", FieldState.AMBIGUOUS),
        ("soon", FieldState.UNREADABLE),
        ("2024-13-01", FieldState.UNREADABLE),
        ("31 Feb 2024", FieldState.UNREADABLE),
        ("0001-01-01T00:00:00+05:00", FieldState.UNREADABLE),
        ("1714521600", FieldState.UNREADABLE),
        ("at 12:30 on 01.05.2024", FieldState.UNREADABLE),
        ("x" * 200 + " 2024-05-01", FieldState.UNREADABLE),
    ],
)
def test_what_is_no_day_or_could_be_two_has_no_value(raw: str, state: FieldState) -> None:
    assert date(raw).state is state


def test_the_moment_of_a_day_is_its_beginning_in_utc() -> None:
    assert date("2024-05-01").moment == datetime(2024, 5, 1, tzinfo=UTC)


@given(st.datetimes(timezones=st.timezones()))
def test_an_instant_reads_the_same_in_every_zone(moment: datetime) -> None:
    try:
        expected = moment.astimezone(UTC)
    except OverflowError:
        return
    if (moment.utcoffset() or expected.utcoffset()).total_seconds() % 60 == 0:
        assert date(moment.isoformat()).moment == expected


@given(st.text(max_size=60))
def test_any_text_gives_a_state_and_never_an_error(raw: str) -> None:
    assert (date(raw).state is FieldState.VALUE) == (date(raw).moment is not None)
    assert (duration(raw).state is FieldState.VALUE) == (duration(raw).number is not None)


@pytest.mark.parametrize(
    ("raw", "minutes"),
    [
        ("PT60M", "60"),
        ("PT1H", "60"),
        ("PT1H30M", "90"),
        ("pt1h30m", "90"),
        ("PT1H 30M", "90"),
        ("P0DT0H45M", "45"),
        ("P0Y0M0DT0H35M0.000S", "35"),
        ("P1DT2H", "1560"),
        ("P1W", "10080"),
        ("PT1.5H", "90"),
        ("PT0S", "0"),
        ("PT90S", "1.5"),
        ("T30M", "30"),
        ("45", "45"),
        ("45 min", "45"),
        ("30m", "30"),
        ("1h20", "80"),
        ("1:30", "90"),
        ("1 hour 20 minutes", "80"),
        ("1 h and 20 min", "80"),
        ("2 Std. 15 Min.", "135"),
        ("1 heure et 30 minutes", "90"),
        ("1 hora y 5 minutos", "65"),
        ("1 hora e 5 minutos", "65"),
        ("2 uur", "120"),
        ("1時間30分", "90"),
        ("1 day", "1440"),
    ],
)
def test_a_duration_is_minutes(raw: str, minutes: str) -> None:
    assert duration(raw).text == minutes


@pytest.mark.parametrize("raw", ["PT", "P", "P1Y", "P1M", "PT90", "PT30M-PT45M", "20-30 min", "a while", "9" * 200])
def test_a_duration_without_a_fixed_length_is_unreadable(raw: str) -> None:
    assert duration(raw).state is FieldState.UNREADABLE


def test_no_text_is_no_duration() -> None:
    assert duration("").state is FieldState.MISSING
