"""Which addresses may be watched, and when two are one page."""

import pytest

from pipeline.config import canonical_url
from pipeline.config.urls import check_url


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/anvil",
        "http://127.0.0.1:8600/fixed",
        "HTTPS://Shop.Example",
        "https://[::1]:8443/?q=a%20b#part",
        "https://bücher.example/über",
        "https://shop.example/a@b?mail=x@y",
        "https://shop.example/" + "a" * 4_075,
    ],
)
def test_an_address_of_the_web_is_taken_as_given(url):
    assert check_url(url) == url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("ftp://shop.example/", "begins with `http://` or `https://`"),
        ("file:///etc/passwd", "begins with `http://` or `https://`"),
        ("javascript:alert(1)", "begins with `http://` or `https://`"),
        ("shop.example/anvil", "begins with `http://` or `https://`"),
        ("https:///anvil", "and a host"),
        ("https://:80/", "and a host"),
        ("https://shop.example:99999/", "no such port"),
        ("https://shop.example:0/", "no such port"),
        ("https://shop.example:abc/", "no such port"),
        ("https://[::1/", "and a host"),
        ("https://user:pw@shop.example/", "without user name"),
        ("https://@shop.example/", "without user name"),
        ("http://a\\@b/", "backslashes"),
        ("https://shop.example/a b", "without spaces"),
        ("https://shop.example/a\u00a0b", "without spaces"),
        ("https://shop.example/\x00", "control characters"),
        ("https://shop.example/\x9f", "control characters"),
        ("https://shop.example/\ud800", "control characters"),
        ("https://shop.example/a\nb", "control characters"),
        ("https://shop.example/?k=${KEY}", "only by `proxy` and `cookies`"),
        ("https://shop.example/" + "a" * 4_076, "at most 4,096 characters"),
        ("", "begins with `http://` or `https://`"),
    ],
)
def test_anything_else_is_refused_without_being_repeated(url, expected):
    with pytest.raises(ValueError, match=expected) as refused:
        check_url(url)
    assert not url or url not in str(refused.value)


@pytest.mark.parametrize(
    "spelling",
    [
        "https://shop.example",
        "HTTPS://SHOP.example/",
        "https://shop.example:443/",
        "https://shop.example./",
        "https://shop.example/#top",
    ],
)
def test_spellings_of_one_address_have_one_canonical_form(spelling):
    assert canonical_url(spelling) == "https://shop.example/"


def test_what_a_server_may_tell_apart_stays_apart():
    for url in ("http://a.example:8080/A/b/?q=1&q=2", "https://[::1]:8443/", "https://a.example/%7Ea/"):
        assert canonical_url(url) == url


def test_the_canonical_form_is_its_own():
    once = canonical_url("HTTP://Shop.Example:80?q#f")
    assert once == "http://shop.example/?q" == canonical_url(once)


def test_what_is_no_address_stays_as_it_is():
    assert canonical_url("mailto:a@b.example") == "mailto:a@b.example"
    assert canonical_url("https://[::1/") == "https://[::1/"
