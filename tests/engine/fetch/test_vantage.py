"""From where and as whom a page is asked for, and that no secret of it is ever stored."""

import dataclasses
import json
import logging
import socket

import pytest

from pipeline.model import Validators
from tests.engine.fetch.conftest import PORTS

PROXIED = "http://shop.example/page"


def everything_kept(fetched) -> str:
    """All that the record says apart from the page itself."""
    return json.dumps(dataclasses.asdict(dataclasses.replace(fetched, body=None)), default=str)


@pytest.fixture
def proxy(server, visitor):
    """The loopback server as the proxy of the variable PROXY, with credentials."""
    visitor.environ["PROXY"] = f"http://proxyuser:p4ss%3Aw0rd%2F@127.0.0.1:{server.port}"
    return server


def test_a_page_is_asked_for_as_its_vantage_says(server, visitor):
    visitor.environ |= {"SESSION": "s3cret", "REGION": "de"}
    cookies = (("session", "SESSION"), ("region", "REGION"))
    visitor.fetch(server.page("/"), language="de-DE, de;q=0.8", user_agent="Mozilla/5.0 (test)", cookies=cookies)
    assert server.requests[-1].headers == {
        "host": f"127.0.0.1:{server.port}",
        "user-agent": "Mozilla/5.0 (test)",
        "accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "accept-language": "de-DE, de;q=0.8",
        "accept-encoding": server.requests[-1].headers["accept-encoding"],
        "cookie": "session=s3cret; region=de",
    }


def test_a_plain_page_is_asked_for_with_the_settings_user_agent_and_nothing_personal(server, visitor):
    visitor.settings["user_agent"] = "quietdiff-test"
    visitor.fetch(server.page("/"))
    headers = server.requests[-1].headers
    assert headers["user-agent"] == "quietdiff-test"
    assert headers.keys() == {"host", "user-agent", "accept", "accept-encoding"}


UNUSABLE = {
    "proxy_not_set": ({}, {"proxy": "PROXY"}),
    "proxy_empty": ({"PROXY": ""}, {"proxy": "PROXY"}),
    "proxy_no_url": ({"PROXY": "p4ssw0rd"}, {"proxy": "PROXY"}),
    "proxy_without_host": ({"PROXY": "http://:p4ssw0rd@"}, {"proxy": "PROXY"}),
    "proxy_other_scheme": ({"PROXY": "socks5://p4ssw0rd@h:1"}, {"proxy": "PROXY"}),
    "proxy_invalid": ({"PROXY": "http://p4ssw0rd\n@h"}, {"proxy": "PROXY"}),
    "cookie_not_set": ({}, {"cookies": (("session", "COOKIE"),)}),
    "cookie_with_line_break": ({"COOKIE": "p4ssw0rd\r\nX: 1"}, {"cookies": (("session", "COOKIE"),)}),
    "cookie_with_semicolon": ({"COOKIE": "p4ssw0rd; admin=1"}, {"cookies": (("session", "COOKIE"),)}),
    "cookie_beyond_latin_1": ({"COOKIE": "p4ssw0rd漢"}, {"cookies": (("session", "COOKIE"),)}),
    "user_agent_with_line_break": ({}, {"user_agent": "a\nb"}),
    "language_beyond_latin_1": ({}, {"language": "中文"}),
}


@pytest.mark.parametrize(("environ", "vantage"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_page_is_never_asked_for_from_another_vantage_than_its_own(server, visitor, environ, vantage):
    visitor.environ |= environ
    fetched = visitor.fetch(server.page("/"), **vantage)
    assert (fetched.outcome, fetched.reason) == ("refused", "vantage")
    assert fetched.detail
    assert "p4ssw0rd" not in everything_kept(fetched)
    assert not server.requests


def test_a_proxied_page_is_asked_of_the_proxy(proxy, visitor):
    proxy.page(PROXIED, b"<p>by proxy")
    assert visitor.fetch(PROXIED, proxy="PROXY").body == b"<p>by proxy"
    assert proxy.requests[-1].headers["proxy-authorization"].startswith("Basic ")
    assert proxy.requests[-1].headers["host"] == "shop.example"


@pytest.mark.parametrize("url", [PROXIED, "https://shop.example/page"])
def test_a_proxy_that_wants_other_credentials_is_a_proxy_fault(proxy, visitor, url):
    for target in (url, "shop.example:443"):
        proxy.page(target, b"", status="407 Proxy Authentication Required")
    fetched = visitor.fetch(url, proxy="PROXY")
    assert (fetched.outcome, fetched.reason) == ("failed", "proxy")
    assert "407" in fetched.detail


@pytest.mark.parametrize("url", [PROXIED, "https://shop.example/page"])
def test_a_proxy_that_is_down_is_a_proxy_fault(visitor, url):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        PORTS.add(port := unused.getsockname()[1])
        visitor.environ["PROXY"] = f"http://127.0.0.1:{port}"
        fetched = visitor.fetch(url, proxy="PROXY")
    assert (fetched.outcome, fetched.reason) == ("failed", "proxy")
    assert "127.0.0.1" not in everything_kept(fetched)


def test_the_machines_own_proxy_variables_are_ignored(server, visitor, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert visitor.fetch(server.page("/")).outcome == "ok"


def test_an_answer_that_repeats_secrets_is_stored_without_them(proxy, visitor, caplog):
    caplog.set_level(logging.DEBUG)
    visitor.environ["SESSION"] = "s3cret/t0ken"
    echo = "s3cret/t0ken s3cret%2Ft0ken proxyuser p4ss:w0rd/ p4ss%3Aw0rd%2F " + visitor.environ["PROXY"]
    lines = (f'ETag: "{echo}"', f"Last-Modified: {echo}", f"Server: {echo}", f"Content-Type: text/html; {echo}")
    proxy.page(PROXIED + "?" + "s3cret%2Ft0ken", b"hello s3cret/t0ken", *lines)
    proxy.redirect(PROXIED, "?s3cret%2Ft0ken")
    vantage = {"proxy": "PROXY", "cookies": (("session", "SESSION"),)}
    fetched = visitor.fetch(PROXIED, **vantage)
    assert fetched.body == b"hello s3cret/t0ken"
    assert fetched.validators == Validators()
    assert fetched.final_url == PROXIED + "?[secret]"

    proxy.page(PROXIED, b"", status=f"403 {echo}")
    refused = visitor.fetch(PROXIED, **vantage)
    assert refused.reason == "http_403"
    kept = everything_kept(fetched) + everything_kept(refused)
    for secret in ("s3cret", "t0ken", "proxyuser", "p4ss", "w0rd", str(proxy.port)):
        assert secret not in kept
    assert "s3cret" not in "".join(record.getMessage() for record in caplog.records if "httpcore" not in record.name)


def test_short_switches_are_no_secrets(server, visitor):
    visitor.environ["CURRENCY"] = "EUR"
    fetched = visitor.fetch(server.page("/", b"x", "Server: EUR-1"), cookies=(("currency", "CURRENCY"),))
    assert fetched.headers["server"] == "EUR-1"


def test_huge_headers_are_cut_and_a_huge_validator_is_not_kept(server, visitor):
    fetched = visitor.fetch(server.page("/", b"x", "Server: " + "s" * 5000, "ETag: " + "e" * 5000))
    assert fetched.headers["server"] == "s" * 1000
    assert fetched.validators == Validators()
