import pytest

from pipeline.model import Block, Region
from pipeline.normalize import normalize


def masked(text, region=Region.FOOTER):
    (block,) = normalize([Block(text=text, region=region, path="body/p")], language="en")
    return block.normal


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("served by web-7f9c-x2k4", "served by ⟦id⟧"),
        ("node: prod-12", "node: ⟦id⟧"),
        ("v2.3.1 build 4412", "⟦id⟧ build ⟦id⟧"),
        ("Page generated in 0.123 s by web-3.", "Page generated in ⟦id⟧ s by ⟦id⟧."),
        ("© 2026 Acme v4.2.1", "© ⟦year⟧ Acme ⟦version⟧"),
    ],
)
def test_a_line_about_the_machine_is_masked_outside_main(text, normal):
    assert masked(text) == normal


@pytest.mark.parametrize("text", ["Node: 18 required", "Version 2.3.1", "Release 7 adds 12 machines", "node: prod-12"])
def test_the_same_words_in_main_are_about_the_subject(text):
    assert masked(text, Region.MAIN) == text


@pytest.mark.parametrize(
    "text",
    [
        "Server from 5 €",
        "Server uptime 99 %",
        "Version 3 of these terms, effective 1 March 2026",
        "Our host 4 you and all of the many people that come to see the 12 old houses here",
    ],
)
def test_a_price_a_share_an_effective_date_or_running_text_stays(text):
    assert masked(text) == text


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Your IP: 203.0.113.7", "Your IP: ⟦id⟧"),
        ("Ihre IP-Adresse lautet 203.0.113.7", "Ihre IP-Adresse lautet ⟦id⟧"),
        ("Votre adresse IP : 2001:db8::7", "Votre adresse IP : ⟦id⟧"),
        ("The printer answers at 203.0.113.7", "The printer answers at 203.0.113.7"),
    ],
)
def test_the_visitors_address_is_masked_and_no_other(text, normal):
    assert masked(text, Region.MAIN) == normal


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("https://x.example/app.js?v=3.2.1", "https://x.example/app.js?v=⟦id⟧"),
        ("https://x.example/app.css?a=b&ver=77", "https://x.example/app.css?a=b&ver=⟦id⟧"),
        ("https://x.example/data?_=1699999999", "https://x.example/data?_=⟦id⟧"),
        ("https://x.example/watch?v=dQw4w9WgXcQ", "https://x.example/watch?v=dQw4w9WgXcQ"),
        ("https://x.example/api?v=2", "https://x.example/api?v=2"),
        ("https://x.example/list?page=2", "https://x.example/list?page=2"),
    ],
)
def test_a_cache_buster_is_masked_and_no_other_parameter(text, normal):
    assert masked(text, Region.MAIN) == normal


@pytest.mark.parametrize(
    "hidden",
    ["info [at] acme (dot) com", "info(at)acme.com", "info {at} acme [dot] com", "info [arroba] acme [punto] com"],
)
def test_a_hidden_mail_address_equals_the_plain_one_and_differs_from_another(hidden):
    assert masked(hidden, Region.MAIN) == masked("info@acme.com", Region.MAIN)
    assert masked(hidden.replace("info", "sales"), Region.MAIN) != masked("info@acme.com", Region.MAIN)
