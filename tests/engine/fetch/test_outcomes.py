"""What each answer is called."""

import gzip
import socket

import pytest

from pipeline.model import Outcome, Validators
from tests.engine.fetch.conftest import head


async def resetting(_reader, writer):
    linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


def test_a_whole_page_is_ok_with_its_facts(server, visitor):
    url = server.page(
        "/",
        b"<p>Gr\xfc\xdfe",
        "Content-Type: text/html; charset=ISO-8859-1",
        'ETag: W/"\xe4"',
        "Last-Modified: 2020-01-01",
        "Set-Cookie: session=1",
        "Retry-After: 3",
        "X-Other: 1",
    )
    fetched = visitor.fetch(url)
    assert (fetched.outcome, fetched.reason, fetched.detail) == (Outcome.OK, None, None)
    assert (fetched.http_status, fetched.body, fetched.wire_bytes) == (200, b"<p>Gr\xfc\xdfe", 8)
    assert fetched.content_type == "text/html; charset=ISO-8859-1"
    assert fetched.final_url is None
    assert fetched.started_at == visitor.clock.now()
    assert 0 <= fetched.duration_ms < 5000
    assert fetched.validators == Validators(etag='W/"\xe4"', last_modified="2020-01-01")
    assert fetched.headers == {
        "content-type": "text/html; charset=ISO-8859-1",
        "etag": 'W/"\xe4"',
        "last-modified": "2020-01-01",
        "retry-after": "3",
    }


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("401 Unauthorized", "blocked"),
        ("403 Forbidden", "blocked"),
        ("429 Too Many Requests", "blocked"),
        ("451 Unavailable", "blocked"),
        ("404 Not Found", "gone"),
        ("410 Gone", "gone"),
        ("500 Internal Server Error", "failed"),
        ("503 Service Unavailable", "failed"),
        ("204 No Content", "failed"),
        ("206 Partial Content", "failed"),
        ("226 IM Used", "failed"),
        ("300 Multiple Choices", "failed"),
        ("302 Found", "failed"),  # without Location
        ("407 Proxy Authentication Required", "failed"),  # without a proxy
        ("418 I'm a teapot", "failed"),
        ("999 Request denied", "failed"),
    ],
)
def test_a_status_other_than_200_has_no_body(server, visitor, status, outcome):
    fetched = visitor.fetch(server.page("/", b"sorry", 'ETag: "a"', status=status))
    number = int(status[:3])
    assert (fetched.outcome, fetched.reason, fetched.http_status) == (outcome, f"http_{number}", number)
    assert fetched.body is None
    assert fetched.validators == Validators()
    assert fetched.detail == f"HTTP {status}"


CUT = {
    "content_length_too_long": head("Content-Length: 100") + b"only this",
    "cut_chunk": head("Transfer-Encoding: chunked") + b"5\r\nhello\r\n50\r\npart",
    "bad_chunk_size": head("Transfer-Encoding: chunked") + b"5\r\nhello\r\nZZ\r\noops\r\n",
    "no_last_chunk": head("Transfer-Encoding: chunked") + b"5\r\nhello\r\n",
    "cut_before_the_first_byte": head("Content-Length: 100"),
}


@pytest.mark.parametrize("answer", CUT.values(), ids=CUT)
def test_a_cut_body_is_incomplete_and_never_returned(server, visitor, answer):
    fetched = visitor.fetch(server.raw("/", answer))
    assert (fetched.outcome, fetched.reason, fetched.body) == ("failed", "incomplete", None)
    assert fetched.http_status == 200


PROTOCOL = {
    "nothing": b"",
    "garbage": b"\x16\x03\x01garbage\r\n\r\n",
    "two_lengths": head("Content-Length: 4", "Content-Length: 9") + b"only this",
    "length_of_5000_digits": head("Content-Length: " + "9" * 5000),
    "negative_length": head("Content-Length: -4"),
    "nul_in_header": head("X-A: a\x00b", "Content-Length: 2") + b"ok",
    "header_of_200_kb": head("X-A: " + "y" * 200_000, "Content-Length: 2") + b"ok",
    "headers_of_4_mb": head(*(f"X-{i}: {'y' * 1000}" for i in range(4000)), "Content-Length: 2") + b"ok",
    "reset": resetting,
}


@pytest.mark.parametrize("answer", PROTOCOL.values(), ids=PROTOCOL)
def test_an_answer_that_is_not_http_is_a_protocol_fault(server, visitor, answer):
    fetched = visitor.fetch(server.raw("/", answer))
    assert (fetched.outcome, fetched.reason) == ("failed", "protocol")
    assert fetched.detail
    assert "\n" not in fetched.detail


TOLERATED = {
    "chunked": head("Transfer-Encoding: chunked") + b"2\r\nok\r\n0\r\n\r\n",
    "chunked_with_wrong_length": head("Content-Length: 99999999", "Transfer-Encoding: chunked")
    + b"2\r\nok\r\n0\r\n\r\n",
    "content_length_too_short": head("Content-Length: 2") + b"ok, and more",
    "raw_utf8_in_header": head("X-Title: Gr\xc3\xb6\xc3\x9fe", "Content-Length: 2") + b"ok",
    "folded_header": head("X-Title: a", " b", "Content-Length: 2") + b"ok",
    "early_hints": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + head("Content-Length: 2") + b"ok",
}


@pytest.mark.parametrize("answer", TOLERATED.values(), ids=TOLERATED)
def test_a_sloppy_but_whole_answer_is_ok(server, visitor, answer):
    fetched = visitor.fetch(server.raw("/", answer))
    assert (fetched.outcome, fetched.body, fetched.detail) == ("ok", b"ok", None)


def test_a_body_ended_by_closing_is_ok_but_says_that_its_length_is_unknown(server, visitor):
    fetched = visitor.fetch(server.raw("/", b"HTTP/1.0 200 OK\r\n\r\nto the end"))
    assert (fetched.outcome, fetched.body) == ("ok", b"to the end")
    assert "length" in fetched.detail

    packed = b"HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"to the end")
    fetched = visitor.fetch(server.raw("/", packed))  # has an end mark of its own
    assert (fetched.body, fetched.detail) == (b"to the end", None)


def test_surplus_bytes_do_not_spoil_the_next_page(server, visitor):
    first = server.raw("/first", head("Content-Length: 5") + b"first" + head("Content-Length: 6") + b"poison")
    second = server.page("/second", b"second")
    found = visitor.fetch_all(first, second)
    assert (found[first].body, found[second].body) == (b"first", b"second")


@pytest.mark.parametrize("lines", [(), ("Content-Encoding: gzip",)], ids=["plain", "gzip"])
def test_an_empty_page_is_not_a_page(server, visitor, lines):
    fetched = visitor.fetch(server.page("/", b"", *lines))
    assert (fetched.outcome, fetched.reason, fetched.body) == ("failed", "empty", None)


def test_not_modified_is_believed_only_if_asked(server, visitor):
    url = server.page("/", b"", 'ETag: W/"\xe4"', status="304 Not Modified")
    fetched = visitor.fetch(url, etag='"\xe4"', last_modified="last week")
    assert (fetched.outcome, fetched.reason, fetched.http_status) == ("not_modified", None, 304)
    assert fetched.validators == Validators(etag='"\xe4"', last_modified="last week")
    assert server.requests[-1].headers["if-none-match"] == '"\xe4"'
    assert server.requests[-1].headers["if-modified-since"] == "last week"

    fetched = visitor.fetch(url)
    assert (fetched.outcome, fetched.reason) == ("failed", "unexpected_304")
    assert not server.requests[-1].headers.keys() & {"if-none-match", "if-modified-since"}
    assert [request.headers.get("cache-control") for request in server.requests] == [None, None, "no-cache"]


def test_not_modified_is_not_believed_of_another_version(server, visitor):
    async def confused(_reader, writer):
        asked = "if-none-match" in server.requests[-1].headers
        writer.write(b'HTTP/1.1 304 Not Modified\r\nETag: "b"\r\n\r\n' if asked else head("Content-Length: 2") + b"ok")

    fetched = visitor.fetch(server.raw("/", confused), etag='"a"')
    assert (fetched.outcome, fetched.body) == ("ok", b"ok")
    assert len(server.requests) == 2


def test_validators_go_back_byte_for_byte_and_one_that_cannot_is_left_out(server, visitor):
    odd = bytes(range(0x80, 0x100)).decode("latin-1")
    fetched = visitor.fetch(server.page("/", b"x", f'ETag: "{odd}"', "Last-Modified: gestern"))
    assert fetched.validators == Validators(etag=f'"{odd}"', last_modified="gestern")
    visitor.fetch(server.url("/"), etag=fetched.validators.etag, last_modified="a\r\nX: b")
    assert server.requests[-1].headers["if-none-match"] == f'"{odd}"'
    assert not server.requests[-1].headers.keys() & {"if-modified-since", "x"}
