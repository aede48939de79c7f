"""Redirects are walked by hand: bounded, checked at each hop, and trusted with nothing that is not theirs."""

import pytest

from pipeline.fetch.ending import Fault
from pipeline.fetch.urls import check_url, next_hop
from tests.engine.fetch.conftest import head

SECRET_HEADERS = {"cookie", "if-none-match", "if-modified-since"}
PRIVATE = {"etag": '"a"', "last_modified": "yesterday", "cookies": (("session", "SESSION"),)}


@pytest.fixture
def logged_in(visitor):
    visitor.environ["SESSION"] = "s3cret"
    return visitor


@pytest.mark.parametrize("status", ["301 A", "302 B", "303 C", "307 D", "308 E"])
def test_a_redirect_ends_at_the_page_it_leads_to(server, visitor, status):
    server.page("/new?q=1", b"new")
    fetched = visitor.fetch(server.redirect("/old", "new?q=1#part", status))
    assert (fetched.outcome, fetched.body) == ("ok", b"new")
    assert fetched.final_url == server.url("/new?q=1")


def test_a_raw_location_is_escaped_as_browsers_do(server, visitor):
    server.page("/ok?q=gr%C3%B6%C3%9Fe%20%E6%BC%A2", b"found")
    location = "/ok?q=größe 漢".encode().decode("latin-1")
    assert visitor.fetch(server.redirect("/", location)).body == b"found"


def test_a_location_in_latin_1_is_read_as_such(server, visitor):
    server.page("/gr%C3%B6%C3%9Fe", b"found")
    assert visitor.fetch(server.redirect("/", "/größe")).body == b"found"


@pytest.mark.parametrize("chain", [["/a"], ["/a", "/b"], ["/a", "/b", "/a#x"]])
def test_a_redirect_to_where_we_have_been_is_a_loop(server, visitor, chain):
    for here, there in zip(chain, [*chain[1:], chain[0]], strict=True):
        server.redirect(here, there)
    fetched = visitor.fetch(server.url("/a"))
    assert (fetched.outcome, fetched.reason, fetched.http_status) == ("failed", "redirect_loop", 302)
    assert len(server.requests) <= 2


@pytest.mark.parametrize(("hops", "outcome"), [(8, "ok"), (9, "failed")])
def test_eight_redirects_are_followed_and_a_ninth_is_not(server, visitor, hops, outcome):
    server.page(f"/{hops}")
    for number in range(hops):
        server.redirect(f"/{number}", f"/{number + 1}")
    fetched = visitor.fetch(server.url("/0"))
    assert fetched.outcome == outcome
    assert fetched.reason == (None if hops == 8 else "too_many_redirects")
    assert len(server.requests) == 9


@pytest.mark.parametrize(
    "location",
    ["file:/etc/passwd", "ftp://h/", "data:text/html,x", "javascript:alert(1)", "gopher://h/", "mailto:a@b"],
)
def test_a_redirect_to_another_scheme_is_refused(server, visitor, location):
    fetched = visitor.fetch(server.redirect("/", location))
    assert (fetched.outcome, fetched.reason, fetched.http_status) == ("refused", "scheme", 302)
    assert location in fetched.detail


def test_a_hop_to_another_origin_carries_no_secrets_and_neither_does_the_way_back(server, logged_in):
    server.redirect("/start", server.url("/elsewhere", host="other.test"))
    server.redirect("/elsewhere", server.url("/back"))
    server.page("/back", b"back")
    logged_in.fetch(server.url("/start"), **PRIVATE)
    first, *rest = [request.headers.keys() & SECRET_HEADERS for request in server.requests]
    assert first == SECRET_HEADERS
    assert rest == [set(), set()]


def test_a_hop_within_the_origin_carries_them(server, logged_in):
    server.redirect("/start", "/end")
    server.page("/end", b"", status="304 Not Modified")
    fetched = logged_in.fetch(server.url("/start"), **PRIVATE)
    assert fetched.outcome == "not_modified"
    assert server.requests[-1].headers["cookie"] == "session=s3cret"


def test_a_304_from_another_origin_is_not_believed(server, logged_in):
    server.redirect("/start", server.url("/end", host="other.test"))
    server.page("/end", b"", status="304 Not Modified")
    fetched = logged_in.fetch(server.url("/start"), **PRIVATE)
    assert (fetched.outcome, fetched.reason) == ("failed", "unexpected_304")
    assert len(server.requests) == 4  # asked once more, without conditions


def test_a_cookie_set_on_the_way_is_sent_on_and_then_forgotten(server, visitor):
    server.page("/start", b"", "Location: /end", "Set-Cookie: seen=1", status="302 Found")
    server.page("/end", b"end")
    for _ in range(2):
        visitor.fetch(server.url("/start"))
    assert [request.headers.get("cookie") for request in server.requests] == [None, "seen=1"] * 2


def test_a_cookie_goes_to_no_other_host(server, visitor):
    server.page("/start", b"", f"Location: {server.url('/end', 'other.test')}", "Set-Cookie: a=1", status="302 Found")
    server.page("/end", b"end")
    assert visitor.fetch(server.url("/start", "shop.test")).body == b"end"
    assert "cookie" not in server.requests[-1].headers


def test_a_page_that_sets_a_cookie_and_leads_to_itself_is_no_loop(server, visitor):
    async def gate(_reader, writer):
        known = server.requests[-1].headers.get("cookie") == "gate=1"
        more = b"HTTP/1.1 302 Found\r\nLocation: /\r\nSet-Cookie: gate=1\r\nContent-Length: 0\r\n\r\n"
        writer.write(head("Content-Length: 2") + b"in" if known else more)

    fetched = visitor.fetch(server.raw("/", gate))
    assert (fetched.outcome, fetched.body, len(server.requests)) == ("ok", b"in", 2)


def test_a_flood_of_cookies_is_cut(server, visitor):
    flood = [f"Set-Cookie: c{number}={'x' * 100}" for number in range(200)]
    server.page("/start", b"", "Location: /end", *flood, status="302 Found")
    server.page("/end", b"end")
    assert visitor.fetch(server.url("/start")).body == b"end"
    sent = server.requests[-1].headers["cookie"]
    assert sent.count("=") == 50
    server.page("/start", b"", "Location: /end", *["Set-Cookie: a=" + "x" * 5000] * 9, status="302 Found")
    visitor.fetch(server.url("/start"))
    assert len(server.requests[-1].headers["cookie"]) < 8 * 1024


def test_a_redirect_to_plain_http_is_refused_unless_the_page_allows_it(server, tls_server, visitor, trusted):
    server.page("/plain", b"plain")
    url = tls_server.redirect("/", server.url("/plain"))
    fetched = visitor.fetch(url)
    assert (fetched.outcome, fetched.reason) == ("refused", "downgrade")
    assert not server.requests
    fetched = visitor.fetch(url, allow_downgrade=True)
    assert (fetched.outcome, fetched.body) == ("ok", b"plain")
    assert fetched.detail.startswith("downgrade")


def test_a_hop_that_fails_has_no_status(server, visitor):
    fetched = visitor.fetch(server.redirect("/", "http://127.0.0.1:1/"))
    assert (fetched.outcome, fetched.reason, fetched.http_status) == ("failed", "connect", None)
    assert fetched.final_url == "http://127.0.0.1:1/"


REFUSED = {
    "ftp://h/": "scheme",
    "/only/a/path": "scheme",
    "http:///no-host": "url",
    "http://user:pw@h/": "url",
    "http://a\\@b/": "url",
    "http://ex ample/": "url",
    "http://h\n.example/": "url",
    "http://xn--/": "url",
    "http://①②⑦.0.0.1/": "url",
    "http://[fe80::1%25lo]/": "url",
    "http://h:99999/": "url",
    "http://h:0/": "url",
    "http://[/": "url",
    "http://h/" + "a" * 5000: "url",
}


@pytest.mark.parametrize(("url", "reason"), REFUSED.items(), ids=[url[:30] for url in REFUSED])
def test_a_url_that_cannot_be_trusted_is_refused_without_a_request(visitor, url, reason):
    fetched = visitor.fetch(url)
    assert (fetched.outcome, fetched.reason, fetched.http_status) == ("refused", reason, None)
    assert "pw" not in fetched.detail
    assert len(fetched.detail) <= 1000


@pytest.mark.parametrize("location", ["http://a\\@b/", "/\\evil.example", "http://xn--/", "\x01", "//user@h/"])
def test_a_location_is_checked_like_any_url(location):
    with pytest.raises(Fault) as raised:
        next_hop(check_url("http://h/"), location.encode())
    assert raised.value.ending.reason == "url"
