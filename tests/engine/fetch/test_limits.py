"""Answers that take too long or are too large."""

import asyncio
from datetime import timedelta

import pytest

from tests.engine.fetch.conftest import head

ENDLESS_CHUNK = b"10000\r\n" + b"x" * 65536 + b"\r\n"


def dripping(start: bytes, drop: bytes):
    async def answer(_reader, writer):
        writer.write(start)
        while True:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(0.01)

    return answer


def flooding(start: bytes, piece: bytes):
    async def answer(_reader, writer):
        writer.write(start)
        while True:
            writer.write(piece)
            await writer.drain()

    return answer


async def silent(_reader, _writer):
    await asyncio.sleep(60)


SLOW = {
    "no_answer": silent,
    "header_drip": dripping(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
    "body_drip": dripping(head("Content-Length: 100000"), b"x"),
    "endless_1xx": flooding(b"", b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"),
}


@pytest.mark.parametrize("answer", SLOW.values(), ids=SLOW)
def test_one_deadline_ends_everything_that_takes_too_long(server, visitor, answer):
    visitor.settings["timeout"] = timedelta(seconds=0.2)
    fetched = visitor.fetch(server.raw("/", answer))
    assert (fetched.outcome, fetched.reason, fetched.body) == ("failed", "timeout", None)
    assert 150 <= fetched.duration_ms < 2000


def test_a_body_that_drips_is_given_up_long_before_the_deadline(server, visitor):
    visitor.settings |= {"grace": timedelta(seconds=0.1), "min_rate": 1000}
    fetched = visitor.fetch(server.raw("/", dripping(head("Content-Length: 100000"), b"x")))
    assert (fetched.outcome, fetched.reason) == ("failed", "too_slow")
    assert fetched.duration_ms < 1000


@pytest.mark.parametrize("count", [400, 600])
def test_hundreds_of_headers_are_no_page(server, visitor, count):
    fetched = visitor.fetch(server.page("/", b"ok", *(f"X-{i}: y" for i in range(count))))
    assert fetched.reason == ("protocol" if count > 500 else None)


def test_the_deadline_holds_for_all_redirects_together(server, visitor):
    async def slow(_reader, writer):
        await asyncio.sleep(0.1)
        writer.write(f"HTTP/1.1 302 Found\r\nLocation: /{len(server.requests)}\r\n\r\n".encode())

    for number in range(8):
        server.raw(f"/{number}", slow)
    visitor.settings["timeout"] = timedelta(seconds=0.25)
    assert visitor.fetch(server.url("/0")).reason == "timeout"
    assert len(server.requests) < 4


LARGE = {
    "announced": head("Content-Length: 50000000") + b"x",
    "endless_chunks": flooding(head("Transfer-Encoding: chunked"), ENDLESS_CHUNK),
    "endless_to_close": flooding(head(), b"x" * 65536),
    "headers_count_too": head("X-A: " + "y" * 60_000, "Content-Length: 45000") + b"x" * 45_000,
}


@pytest.mark.parametrize("answer", LARGE.values(), ids=LARGE)
def test_more_bytes_than_allowed_are_too_large(server, visitor, answer):
    visitor.settings["max_bytes"] = 100_000
    fetched = visitor.fetch(server.raw("/", answer))
    assert (fetched.outcome, fetched.reason, fetched.body) == ("failed", "too_large", None)
    assert fetched.wire_bytes < 400_000


def test_a_page_of_exactly_the_allowed_size_is_ok(server, visitor):
    url = server.raw("/", b"HTTP/1.1 200 OK\r\nContent-Length: 9978\r\n\r\n" + b"x" * 9978)
    visitor.settings["max_bytes"] = 9978 + len("Content-Length") + len("9978")
    assert visitor.fetch(url).outcome == "ok"
    visitor.settings["max_bytes"] -= 1
    assert visitor.fetch(url).reason == "too_large"
