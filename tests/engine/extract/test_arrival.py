"""Where redirects ended says what stands there."""

import pytest
from turbohtml import parse

from pipeline.extract import Arrival, extract
from pipeline.extract.marks import arrival_marks
from pipeline.model import Rules

SIGN_IN = "<form><input name=user autocomplete='username webauthn'><button>Next</button></form>"
VERSIONS = """<link rel=alternate hreflang=de href="https://shop.example/de/anvil"><link rel=alternate hreflang=en-us
href="https://shop.example/us/anvil"><link rel=alternate hreflang=x-default href="https://shop.example/anvil">"""


def marks(asked: str, final: str, markup: str = "", country: str | None = None) -> set[str]:
    return arrival_marks(Arrival(asked=asked, final=final, country=country), parse(markup))


@pytest.mark.parametrize(
    ("asked", "final", "mark"),
    [
        ("https://shop.example/anvil", "https://shop.example/", "to_root"),
        ("https://shop.example/a/b.html?id=4", "https://www.shop.example/index.php", "to_root"),
        ("https://shop.example/anvil", "https://shop.example/en/", "to_root"),
        ("https://shop.example/?p=12", "https://shop.example", "to_root"),
        ("https://shop.example/anvil", "https://shop.example/404", "not_found"),
        ("https://shop.example/anvil", "https://shop.example/error-404.html?from=/anvil", "not_found"),
        ("https://shop.example/anvil", "https://shop.example/login?next=/anvil", "login"),
        ("https://shop.example/anvil", "https://login.shop.example/x?r=https%3A%2F%2Fshop.example%2Fanvil", "login"),
        ("https://shop.example/anvil", "https://consent.shop.example/m?continue=https://shop.example/anvil", "consent"),
        (
            "https://shop.example/anvil",
            "https://shop.queue-it.net/?c=shop&t=https%3A%2F%2Fshop.example",
            "waiting_room",
        ),
        ("https://shop.example/anvil", "https://shop.example/waiting-room/", "waiting_room"),
    ],
)
def test_the_place_that_redirects_lead_to_is_a_sign(asked: str, final: str, mark: str) -> None:
    assert marks(asked, final) == {mark}


@pytest.mark.parametrize(
    ("asked", "final"),
    [
        ("http://shop.example/anvil", "https://www.shop.example/anvil/"),
        ("https://shop.example/anvil", "https://shop.example/iron/anvil-2"),
        ("https://shop.example/", "https://shop.example/en/"),
        ("https://shop.example/de/", "https://shop.example/"),
        ("https://shop.example/index.html", "https://shop.example/"),
        ("https://shop.example/login", "https://shop.example/login/?next=%2F"),
        ("https://shop.example/anvil", "https://shop.example/login-hammers"),
        ("https://shop.example/sign-in-guide", "https://shop.example/guides/sign-in"),
        ("https://shop.example/consent", "https://shop.example/en/consent"),
        ("https://[broken", "https://shop.example/"),
        ("", "https://shop.example/anvil"),
    ],
)
def test_a_redirect_to_the_page_itself_is_none(asked: str, final: str) -> None:
    assert marks(asked, final) == set()


def test_a_login_that_does_not_lead_back_asks_who_it_is() -> None:
    assert marks("https://shop.example/anvil", "https://id.example/signin?client=4") == set()
    assert marks("https://shop.example/anvil", "https://id.example/signin?client=4", SIGN_IN) == {"login"}


def test_the_version_of_another_language_is_not_the_page_asked_for() -> None:
    assert marks("https://shop.example/de/anvil", "https://shop.example/us/anvil", VERSIONS) == {"geo"}
    assert marks("https://shop.example/anvil", "https://shop.example/us/anvil", VERSIONS) == set()
    assert marks("https://shop.example/de/anvil", "https://shop.example/de/anvil-2", VERSIONS) == set()


def test_a_locale_of_another_country_than_the_vantages_is_abroad() -> None:
    asked, final = "https://shop.example/anvil", "https://shop.example/en-us/anvil"
    assert marks(asked, final, country="de") == {"geo"}
    assert marks(asked, final, country="us") == set()
    assert marks(asked, final) == set()
    assert marks("https://shop.example/en-us/anvil", "https://shop.example/en-us/anvil-2", country="de") == set()


def test_the_marks_of_arrival_join_those_of_the_page() -> None:
    came = Arrival(asked="https://shop.example/anvil", final="https://shop.example/")
    reading = extract(b"<h1>404</h1>", url=came.final, content_type="text/html", rules=Rules(), arrival=came)
    assert reading.marks == ("not_found", "to_root")
