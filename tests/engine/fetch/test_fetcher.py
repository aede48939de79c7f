"""Many pages: manners towards each host, order, and what happens when the caller fails."""

import asyncio
import threading
import time
from datetime import timedelta

import pytest

from pipeline.config import HostSettings
from pipeline.fetch import Fetcher, HttpFetcher, fetcher

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Meter:
    """A page that takes a moment, and how many of it were asked for at once."""

    def __init__(self) -> None:
        self.now = 0
        self.most = 0

    async def __call__(self, _reader, writer):
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.03)
        self.now -= 1
        writer.write(OK)


def pages(server, count, host=None):
    return [server.url(f"/{number}", host) for number in range(count)]


@pytest.fixture
def meter(server):
    meter = Meter()
    server.answers = dict.fromkeys((f"/{number}" for number in range(20)), meter)
    return meter


def test_the_fetcher_is_what_the_engine_asks_for(visitor):
    fetcher: Fetcher = visitor.fetcher()
    assert isinstance(fetcher, HttpFetcher)


def test_no_targets_are_no_work(visitor):
    assert visitor.fetch_all() == {}


def test_a_host_is_asked_one_page_at_a_time_and_in_order(server, visitor, meter):
    urls = pages(server, 4)
    assert list(visitor.fetch_all(*urls)) == urls
    assert meter.most == 1


def test_hosts_are_asked_at_the_same_time_up_to_the_limit(server, visitor, meter):
    visitor.settings["concurrency"] = 3
    urls = [server.url(f"/{number}", f"shop{number}.test") for number in range(9)]
    assert visitor.fetch_all(*urls).keys() == set(urls)
    assert meter.most == 3


def test_a_slow_host_holds_up_no_other(server, visitor):
    async def slow(_reader, writer):
        await asyncio.sleep(0.2)
        writer.write(OK)

    server.answers = {"/slow": slow, "/fast": OK}
    slow_url, fast_url = server.url("/slow"), server.url("/fast", "other.test")
    assert list(visitor.fetch_all(slow_url, fast_url)) == [fast_url, slow_url]


def test_the_delay_lies_between_requests_to_one_host(server, visitor):
    server.answers = dict.fromkeys(["/0", "/1", "/2"], OK)
    visitor.fetch_all(*pages(server, 3), server.url("/0", "other.test"))
    assert visitor.slept == [pytest.approx(1, abs=0.2)] * 2


def test_the_delay_also_lies_between_two_calls(server, visitor):
    fetcher = visitor.fetcher()
    url = server.page("/")
    visitor.fetch_all(url, fetcher=fetcher)
    visitor.fetch_all(url, fetcher=fetcher)
    assert visitor.slept == [pytest.approx(1, abs=0.2)]


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        ({}, 3),
        ({"127.0.0.1": 5}, 5),
        ({"127.0.0.1:PORT": 7, "127.0.0.1": 5}, 7),
        ({"127.0.0.1:1": 7, "other.test": 5}, 3),
    ],
)
def test_a_host_may_have_a_delay_of_its_own(server, visitor, hosts, expected):
    visitor.settings["delay"] = timedelta(seconds=3)
    visitor.settings["hosts"] = {
        host.replace("PORT", str(server.port)): HostSettings(delay=timedelta(seconds=delay))
        for host, delay in hosts.items()
    }
    server.answers = dict.fromkeys(["/0", "/1"], OK)
    visitor.fetch_all(*pages(server, 2))
    assert visitor.slept == [pytest.approx(expected, abs=0.2)]


@pytest.mark.parametrize("host", ["straße.test", "xn--strae-oqa.test"])
def test_a_host_may_be_named_in_either_form_of_its_name(server, visitor, host):
    visitor.settings["hosts"] = {host: HostSettings(delay=timedelta(seconds=5))}
    server.answers = dict.fromkeys(["/0", "/1"], OK)
    visitor.fetch_all(server.url("/0", "straße.test"), server.url("/1", "xn--strae-oqa.test"))
    assert visitor.slept == [pytest.approx(5, abs=0.2)]


def test_no_delay_is_no_sleep(server, visitor):
    visitor.settings["hosts"] = {"127.0.0.1": HostSettings(delay=timedelta(0))}
    server.answers = dict.fromkeys(["/0", "/1"], OK)
    visitor.fetch_all(*pages(server, 2))
    assert visitor.slept == []


def test_a_page_that_fails_stops_no_other(server, visitor):
    server.page("/good")
    urls = ["http://\\/", server.raw("/bad", b""), server.url("/good"), "ftp://h/"]
    found = visitor.fetch_all(*urls)
    assert {url: str(found[url].outcome) for url in urls} == dict(
        zip(urls, ["refused", "failed", "ok", "refused"], strict=True)
    )


def test_done_is_called_in_the_calling_thread(server, visitor):
    threads = []
    visitor.fetcher().fetch_all([visitor.target(server.page("/"))], lambda *_: threads.append(threading.get_ident()))
    assert threads == [threading.get_ident()]


def test_an_error_of_the_caller_passes_through_and_ends_the_rest(server, visitor):
    async def never(_reader, _writer):
        await asyncio.sleep(60)

    server.answers = {"/0": OK, "/1": OK, "/slow": never}
    seen = []

    def done(target, _fetched):
        seen.append(target.url)
        raise KeyError("disk full")

    targets = [visitor.target(url) for url in [*pages(server, 2), server.url("/slow", "other.test")]]
    started = time.monotonic()
    with pytest.raises(KeyError, match="disk full"):
        visitor.fetcher().fetch_all(targets, done)
    assert time.monotonic() - started < 2
    assert seen == [server.url("/0")]


def test_a_bug_of_ours_is_logged_and_stops_no_other_page(server, visitor, monkeypatch, caplog):
    real = fetcher.identify
    monkeypatch.setattr(
        fetcher, "identify", lambda target, *rest: real(target, *rest) if "good" in target.url else 1 / 0
    )
    found = visitor.fetch_all(server.page("/odd"), server.page("/good"))
    assert [(each.outcome, each.reason) for each in found.values()] == [("failed", "bug"), ("ok", None)]
    assert "ZeroDivisionError" in caplog.text


def test_pages_do_not_mix(server, visitor):
    for number in range(20):
        server.page(f"/{number}", b"page %d" % number)
    urls = [server.url(f"/{number}", f"shop{number % 4}.test") for number in range(20)]
    found = visitor.fetch_all(*urls)
    assert [found[url].body for url in urls] == [b"page %d" % number for number in range(20)]
