"""What each page does, as a client over loopback sees it."""

import json
import re
from datetime import timedelta

import pytest
import turbohtml

from pipeline.demo import PAGES

NOISY = ["noisy-en", "noisy-es", "noisy-pt", "noisy-zh"]
AGES = {
    "noisy-en": r"Updated (1 (minute|hour)|\d+ (minutes|hours)) ago",
    "noisy-es": r"Actualizado hace (1 (minuto|hora)|\d+ (minutos|horas))",
    "noisy-pt": r"Atualizado há (1 (minuto|hora)|\d+ (minutos|horas))",
    "noisy-zh": r"\d+(分钟|小时)前更新",
}
LANGUAGES = {"noisy-es": "es", "noisy-pt": "pt", "noisy-zh": "zh"}


def texts(response, css):
    return [element.text for element in turbohtml.parse(response.text).select(css)]


@pytest.mark.parametrize("page", [page.name for page in PAGES])
def test_every_page_is_whole_html_in_its_language_without_anything_from_outside(site, page):
    response = site.get(page, 1)
    tree = turbohtml.parse(response.text)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert tree.select_one("html").attr("lang") == LANGUAGES.get(page, "en")
    assert tree.select_one("title").text
    for tag in ("header", "nav", "main", "footer"):
        assert tree.select(tag), tag
    assert not tree.select("[src], link:not([href^='data:'])")
    assert "$" not in response.text
    words = " ".join(texts(response, "main"))
    assert len(words if page == "noisy-zh" else words.split()) >= 120


@pytest.mark.parametrize("page", [page.name for page in PAGES])
def test_two_loads_at_the_same_instant_are_equal_to_the_last_byte(site, page):
    for day in (1, 2, 3, 4):
        first, second = site.get(page, day), site.get(page, day)
        assert (first.status_code, first.content) == (second.status_code, second.content)
        assert first.headers == second.headers


@pytest.mark.parametrize("page", NOISY)
def test_a_noisy_page_shows_age_clock_token_ads_and_a_shuffled_list(site, page):
    response = site.get(page, 2)
    assert re.fullmatch(AGES[page], texts(response, "p.updated")[0])
    assert "2026-03-03 09:00:00 UTC" in texts(response, "footer p")[0]
    token = turbohtml.parse(response.text).select_one("input[type=hidden]").attr("value")
    assert re.fullmatch(r"[0-9a-f]{32}", token)
    assert token in texts(response, "footer p")[1]
    assert len(texts(response, "aside p")) == 2
    assert len(texts(response, "main li")) == 6


@pytest.mark.parametrize("page", NOISY)
def test_a_noisy_page_differs_each_day_in_its_noise_alone(site, page):
    for day in range(1, 6):
        old, new = site.get(page, day), site.get(page, day + 1)
        assert texts(old, "aside p") != texts(new, "aside p")
        assert texts(old, "footer p")[0] != texts(new, "footer p")[0]
        assert sorted(texts(old, "main li")) == sorted(texts(new, "main li"))
        steady = "h1, h2, main p:not(.updated), header"
        assert texts(old, steady) == texts(new, steady)


@pytest.mark.parametrize("page", NOISY)
def test_a_noisy_page_differs_from_one_instant_to_the_next(site, page):
    seen = set()
    for seconds in range(20):
        site.clock.set(site.script.start + timedelta(seconds=seconds))
        response = site.client.get(f"/{page}")
        seen.add((texts(response, "p.updated")[0], tuple(texts(response, "main li"))))
    assert len(seen) > 15


def test_the_fixed_page_never_changes(site):
    assert len({site.get("fixed", day, fraction).content for day in range(1, 12) for fraction in (0, 0.5)}) == 1


@pytest.mark.parametrize(
    ("day", "price", "availability", "words"),
    [
        (1, "89.00", "InStock", "In stock"),
        (2, "79.00", "InStock", "In stock"),
        (3, "79.00", "InStock", "In stock"),
        (4, "79.00", "OutOfStock", "Out of stock"),
        (5, "79.00", "OutOfStock", "Out of stock"),
        (6, "89.00", "InStock", "In stock"),
    ],
)
def test_the_anvil_says_the_same_in_its_data_and_its_words(site, day, price, availability, words):
    response = site.get("anvil", day)
    offer = json.loads(texts(response, "script[type='application/ld+json']")[0])["offers"]
    assert (offer["price"], offer["priceCurrency"]) == (price, "EUR")
    assert offer["availability"] == f"https://schema.org/{availability}"
    assert texts(response, "#price") == [f"{price} EUR"]
    assert texts(response, "#stock") == [words]


def test_the_supplier_loses_one_certificate_on_day_three(site):
    before, after = (texts(site.get("supplier", day), "ul.certs li") for day in (2, 3))
    assert [name for name in before if name not in after] == ["ISO 14001 Environmental management"]
    assert after == [name for name in before if name in after]


def test_thirty_days_become_fourteen_within_a_paragraph(site):
    before, after = site.get("terms", 2).text, site.get("terms", 3).text
    assert before.replace("within 30 days", "within 14 days") == after
    assert before != after


def test_the_cached_page_answers_304_until_its_text_changes(site):
    first = site.get("cached", 1)
    tag = first.headers["etag"]
    again = site.get("cached", 3, if_none_match=f'"other", W/{tag}')
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    changed = site.get("cached", 4, if_none_match=tag)
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag
    assert "closed on Mondays and Tuesdays" in changed.text
    assert site.get("cached", 5, if_none_match=changed.headers["etag"]).status_code == 304


def test_a_wrong_tag_gets_the_whole_page(site):
    assert site.get("cached", 1, if_none_match='"other"').status_code == 200


def test_the_echo_shows_the_vantage_and_is_constant_for_one(site):
    first = site.get("echo", 1, accept_language="es-MX", user_agent="Watcher <1>")
    assert texts(first, "#accept-language") == ["es-MX"]
    assert texts(first, "#user-agent") == ["Watcher <1>"]
    assert site.get("echo", 4, accept_language="es-MX", user_agent="Watcher <1>").content == first.content
    assert site.get("echo", 1, accept_language="de-DE", user_agent="Watcher <1>").content != first.content


def test_the_wall_shows_the_same_block_page_for_two_days_and_comes_back_unchanged(site):
    days = {day: site.get("wall", day) for day in range(1, 6)}
    assert {response.status_code for response in days.values()} == {200}
    assert texts(days[2], "title") == ["Just a moment..."]
    assert "Verify you are human" in days[2].text
    assert days[2].content == days[3].content
    assert days[1].content == days[4].content == days[5].content


def test_the_flaky_page_answers_500_for_the_whole_of_day_three_and_comes_back_unchanged(site):
    assert [site.get("flaky", 3, fraction).status_code for fraction in (0, 0.375, 0.999)] == [500] * 3
    assert site.get("flaky", 2).content == site.get("flaky", 4).content


def test_the_blink_is_there_at_nine_and_gone_two_minutes_later(site):
    usual = site.get("blink", 3).content
    assert site.get("blink", 4, 0.36).content == usual
    assert b"seats four readers" in site.get("blink", 4, 0.375).content
    site.clock.advance(timedelta(minutes=2))
    assert site.client.get("/blink").content == usual


def test_the_front_page_lists_every_page_with_what_it_does_today(site):
    rows = [re.sub(r"\s+", " ", text) for text in texts(site.get("", 3), "tr")]
    assert len(rows) == len(PAGES) + 1
    today = {page.name: row.removeprefix(page.name + page.about) for page, row in zip(PAGES, rows[1:], strict=True)}
    assert today["fixed"] == "unchanged"
    assert today["noisy-zh"] == "noise only"
    assert today["supplier"] == "certificates lost ISO 14001 Environmental management"
    assert today["terms"] == "within 30 days → within 14 days"
    assert today["wall"] == "shows a block page"
    assert today["flaky"] == "answers 500"
    assert "day 3 of 5" in site.get("", 3).text
    assert "the next day begins in 15:00:00" in site.get("", 3).text
    assert "price 89.00 EUR → 79.00 EUR" in site.get("", 2).text
    assert "for a moment seats forty readers → seats four readers" in site.get("", 4).text


def test_an_unknown_path_is_not_found(site):
    assert site.get("nothing", 1).status_code == 404
    assert site.get("fixed/", 1).status_code == 404
