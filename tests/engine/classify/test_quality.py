"""Is this the page at all? By its marks, and beside what the page was."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.classify import Doubt, Memory, Past, Seen, advance, assess, doubt, judge
from pipeline.model import FieldState, Kind, Purpose, Quality, Rules, Threshold, Version

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
OPEN = Threshold(threshold_id=1, noise_bits=64, drift_bits=64)
LONG = [f"Paragraph {n} of the page says what it always says of anvils." for n in range(20)]
OTHER = [f"Hier steht in Absatz {n} etwas ganz anderes, und zwar auf Deutsch." for n in range(20)]
STUB = ["This page is short now, and says only where the rest of it went."]


def version(make, no: int, texts: list[str], language: str | None = "en", **fields: object) -> Version:
    made = make.version(no, make.blocks(*texts), fields.values())  # type: ignore[arg-type]
    return replace(made, language=language)


@pytest.mark.parametrize(
    ("marks", "quality"),
    [
        (("captcha", "challenge", "shell"), Quality.BLOCKED),
        (("challenge", "shell"), Quality.BLOCKED),
        (("block", "login"), Quality.BLOCKED),
        (("waiting_room",), Quality.BLOCKED),
        (("login", "password"), Quality.LOGIN),
        (("consent", "shell"), Quality.CONSENT),
        (("geo",), Quality.GEO),
        (("not_found", "to_root"), Quality.SOFT_404),
        (("error_page",), Quality.ERROR_PAGE),
        (("parked",), Quality.ELSEWHERE),
        (("shell", "half_rendered"), Quality.SHELL),
        (("half_rendered",), Quality.HALF_RENDERED),
        (("garbled",), Quality.EXTRACTION_FAILED),
        (("to_root",), Quality.ELSEWHERE),
        (("password", "unfilled"), Quality.GOOD),
        ((), Quality.GOOD),
    ],
)
def test_marks_settle_the_quality_in_their_order(make, marks: tuple[str, ...], quality: Quality) -> None:
    found = assess(marks, version(make, 1, LONG))
    assert found.quality is quality
    assert found.sign in {*marks, None}


def test_a_page_without_text_is_good_if_a_field_could_be_read(make) -> None:
    assert assess(("unreadable",), version(make, 1, [])).quality is Quality.EXTRACTION_FAILED
    assert assess((), version(make, 1, [])).quality is Quality.SHELL
    assert assess(("unreadable",), version(make, 1, [], price=make.price("89"))).quality is Quality.GOOD


def beside(make, now: Version, *marks: str, **past: object) -> tuple[Quality, str | None]:
    reference = version(make, 1, LONG, price=make.price("89"), name=make.text_field("name", "Anvil"))
    return assess(marks, now, Past(reference=reference, **past))  # type: ignore[arg-type]


def test_the_text_of_another_language_is_a_geo_switch(make) -> None:
    assert beside(make, version(make, 2, OTHER, "de-AT")) == (Quality.GEO, "language")
    assert beside(make, version(make, 2, OTHER, "en-GB"))[0] is Quality.GOOD
    assert beside(make, version(make, 2, OTHER, None))[0] is Quality.GOOD
    assert beside(make, version(make, 2, LONG, "de"))[0] is Quality.GOOD  # only the attribute was mended


def test_other_prices_currency_is_a_geo_switch_where_something_else_says_so(make) -> None:
    dollars = make.price("95", "USD")
    assert beside(make, version(make, 2, LONG, "en", price=dollars))[0] is Quality.GOOD
    assert beside(make, version(make, 2, LONG, "en-US", price=dollars)) == (Quality.GEO, "currency")
    assert beside(make, version(make, 2, LONG, "en", price=dollars), country="de") == (Quality.GEO, "currency")
    assert beside(make, version(make, 2, LONG, "en", price=dollars), country="us")[0] is Quality.GOOD
    assert beside(make, version(make, 2, LONG, "en-US", price=make.price("95")))[0] is Quality.GOOD


def test_a_redirect_to_the_start_page_counts_where_that_is_another_page(make) -> None:
    assert beside(make, version(make, 2, OTHER, "en"), "to_root") == (Quality.ELSEWHERE, "to_root")
    assert beside(make, version(make, 2, LONG), "to_root")[0] is Quality.GOOD


def test_the_text_of_other_pages_of_the_site_is_not_this_pages(make) -> None:
    assert beside(make, version(make, 2, OTHER, "en"), shared_by=1) == (Quality.ELSEWHERE, "shared_text")
    assert beside(make, version(make, 2, [*LONG[:-1], "A new end."]), shared_by=1)[0] is Quality.GOOD
    first = version(make, 1, STUB)
    assert assess((), first, Past(shared_by=3)).quality is Quality.ELSEWHERE
    assert assess((), first, Past(shared_by=2)).quality is Quality.GOOD
    assert assess((), version(make, 1, LONG), Past(shared_by=9)).quality is Quality.GOOD


def test_a_page_that_lost_its_words_is_a_login_half_rendered_or_a_collapse(make) -> None:
    assert beside(make, version(make, 2, STUB)) == (Quality.COLLAPSE, "words")
    assert beside(make, version(make, 2, STUB), "password") == (Quality.LOGIN, "password")
    assert beside(make, version(make, 2, LONG[:14]), "unfilled") == (Quality.HALF_RENDERED, "unfilled")
    assert beside(make, version(make, 2, LONG[:14]))[0] is Quality.GOOD
    assert beside(make, version(make, 2, LONG), "unfilled", "password")[0] is Quality.GOOD


def test_most_fields_lost_at_once_is_a_failure(make) -> None:
    lost = {"price": make.price(None), "name": make.text_field("name", None)}
    assert beside(make, version(make, 2, LONG, **lost)) == (Quality.EXTRACTION_FAILED, "fields")
    assert lost["name"].state is FieldState.MISSING


def visits(make, hours: list[float], texts: list[list[str]], marks: tuple[str, ...] = ()) -> list[Quality]:
    """The qualities of visits at some hours after a good first one."""
    memory = Memory()
    qualities = []
    for no, (hour, text) in enumerate(zip([-6, *hours], [LONG, *texts], strict=True), 1):
        seen = Seen(
            purpose=Purpose.WATCH,
            marks=marks if no > 1 else (),
            version=version(make, no, text),
            at=NOW + timedelta(hours=hour),
        )
        judgement = judge(seen, memory, Rules(), OPEN)
        memory = advance(doubt(memory, seen, judgement), seen.version, judgement)
        qualities.append(judgement.quality)
    return qualities[1:]


def test_a_page_that_stays_short_is_judged_after_three_visits_and_a_day(make) -> None:
    assert visits(make, [0, 6, 23, 24], [STUB] * 4) == [Quality.COLLAPSE] * 3 + [Quality.GOOD]
    assert visits(make, [0, 24], [STUB] * 2) == [Quality.COLLAPSE] * 2
    assert visits(make, [0, 24, 48], [STUB] * 3) == [Quality.COLLAPSE] * 2 + [Quality.GOOD]


def test_what_is_believed_is_content(make) -> None:
    reference, stub = version(make, 1, LONG), version(make, 4, STUB)
    simhash, words = stub.fingerprint.simhash, stub.fingerprint.word_count
    doubts = tuple(Doubt(NOW + timedelta(days=n), simhash, words) for n in range(2))
    memory = Memory(reference=reference, baseline_visit_no=1, doubts=doubts)
    seen = Seen(purpose=Purpose.WATCH, marks=(), version=stub, at=NOW + timedelta(days=2))
    judgement = judge(seen, memory, Rules(), OPEN)
    assert (judgement.kind, judgement.quality) == (Kind.CONTENT, Quality.GOOD)
    assert advance(memory, stub, judgement).doubts == ()


def test_a_good_visit_between_begins_anew(make) -> None:
    texts = [STUB, STUB, LONG, STUB, STUB]
    expected = [Quality.COLLAPSE, Quality.COLLAPSE, Quality.GOOD, Quality.COLLAPSE, Quality.COLLAPSE]
    assert visits(make, [0, 20, 40, 60, 80], texts) == expected


def test_a_short_page_that_is_never_twice_alike_takes_a_week(make) -> None:
    texts = [[f"{word} {word}ly said the {word}, and {word} it was, {word}." * 2] for word in "abcdefgh"]
    found = visits(make, [24 * n for n in range(8)], texts)
    assert found == [Quality.COLLAPSE] * 7 + [Quality.GOOD]


def test_what_marks_say_is_never_believed_however_long_it_stays(make) -> None:
    assert visits(make, [0, 24, 48, 72], [STUB] * 4, ("challenge",)) == [Quality.BLOCKED] * 4


def test_where_no_times_are_known_three_visits_are_enough(make) -> None:
    stub = version(make, 4, STUB)
    doubts = (Doubt(None, stub.fingerprint.simhash, stub.fingerprint.word_count),) * 2
    assert beside(make, stub, doubts=doubts[:1])[0] is Quality.COLLAPSE
    assert beside(make, stub, doubts=doubts)[0] is Quality.GOOD
