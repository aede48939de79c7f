"""A raw loopback server that says exactly the bytes a test gives it, and a fetcher that never sleeps."""

import asyncio
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
import trustme

from pipeline.clock import SteppedClock
from pipeline.config import FetchSettings
from pipeline.fetch import HttpFetcher, connection, guard
from pipeline.fetch.guard import Resolve
from pipeline.model import Fetched, Target, Validators, Vantage

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

# A test's servers are all on this machine, under these names, at whichever port was free.
NAMES = ("127.0.0.1", "shop.test", "other.test", "straße.test", *(f"shop{number}.test" for number in range(10)))
PORTS = {1, 9}  # where nobody listens
PUBLIC = "93.184.215.14"

Answer = bytes | Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Request:
    """A request as it came: its target and its headers by lower-case name."""

    target: str
    headers: dict[str, str]


@dataclass
class Loopback:
    """Answers each request target with the bytes, or by the coroutine, that stands under it; once a connection."""

    port: int = 0
    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    scheme: str = "http"
    host: str = "127.0.0.1"

    def url(self, path: str, host: str | None = None) -> str:
        return f"{self.scheme}://{host or self.host}:{self.port}{path}"

    def page(self, path: str, body: bytes = b"<p>hello", *headers: str, status: str = "200 OK") -> str:
        lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "", ""]
        self.answers[path] = "\r\n".join(lines).encode("latin-1") + body
        return self.url(path)

    def raw(self, path: str, answer: Answer) -> str:
        self.answers[path] = answer
        return self.url(path)

    def redirect(self, path: str, location: str, status: str = "302 Found") -> str:
        return self.page(path, b"", f"Location: {location}", status=status)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.rstrip("\r\n").split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            self.requests.append(Request(first.split(" ")[1], headers))
            answer = self.answers.get(self.requests[-1].target, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            if isinstance(answer, bytes):
                writer.write(answer)
                await writer.drain()
            else:
                await answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client had enough
        finally:
            writer.close()


async def _serve(loopback: Loopback, tls: ssl.SSLContext | None, ready: threading.Event, stop: asyncio.Event) -> None:
    tasks: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.current_task())
        await loopback.handle(reader, writer)

    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
    loopback.port = server.sockets[0].getsockname()[1]
    PORTS.add(loopback.port)
    ready.set()
    await stop.wait()
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def serving(loopback: Loopback, tls: ssl.SSLContext | None = None) -> Iterator[Loopback]:
    loop, ready, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    loop.set_exception_handler(lambda _loop, _context: None)  # handshakes are meant to fail
    thread = threading.Thread(target=lambda: loop.run_until_complete(_serve(loopback, tls, ready, stop)))
    thread.start()
    ready.wait()
    try:
        yield loopback
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name ending in `.test` is this machine, `.example` is out in the world; no test asks a real resolver."""
    resolve = socket.getaddrinfo

    def getaddrinfo(host, *args, **kwargs):
        name = host.decode() if isinstance(host, bytes) else host
        address = {"test": "127.0.0.1", "example": PUBLIC}.get(name.rpartition(".")[2], name)
        return resolve(address, *args, **kwargs, flags=socket.AI_NUMERICHOST)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving(Loopback()) as loopback:
        yield loopback


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


def tls_for(authority: trustme.CA, *names: str, **options) -> ssl.SSLContext:
    """What a server of these names needs."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names, **options).configure_cert(tls)
    return tls


@pytest.fixture
def tls_server(authority: trustme.CA) -> Iterator[Loopback]:
    """A server of `shop.test` whose certificate nobody trusts without `trusted`."""
    with serving(Loopback(scheme="https", host="shop.test"), tls_for(authority, "shop.test")) as loopback:
        yield loopback


@pytest.fixture
def trusted(authority: trustme.CA, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fetcher trusts the tests' authority."""
    contexts = {http2: guard.tls_context.__wrapped__(http2=http2) for http2 in (False, True)}
    for context in contexts.values():
        authority.configure_trust(context)
    monkeypatch.setattr(connection, "tls_context", lambda *, http2=False: contexts[http2])


@dataclass
class Visitor:
    """Fetches with settings that a test may change, and remembers the delays instead of waiting them out."""

    settings: dict[str, object] = field(default_factory=lambda: {"timeout": timedelta(seconds=5)})
    private: tuple[str, ...] = NAMES
    resolve: Resolve | None = None
    environ: dict[str, str] = field(default_factory=dict)
    slept: list[float] = field(default_factory=list)
    clock: SteppedClock = field(default_factory=lambda: SteppedClock(NOW))

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)

    def fetcher(self) -> HttpFetcher:
        allowed = tuple(f"{name}:{port}" for name in self.private for port in PORTS)
        settings = FetchSettings(**{"allow_private": allowed, **self.settings})
        return HttpFetcher(settings, self.clock, self.environ, sleep=self.sleep, resolve=self.resolve)

    def target(self, url: str, etag: str | None = None, last_modified: str | None = None, **asked) -> Target:
        validators = Validators(etag=etag, last_modified=last_modified) if etag or last_modified else None
        own = {key: asked.pop(key) for key in ("allow_downgrade", "ignore_robots") if key in asked}
        return Target(page_id=1, page_name=url, url=url, vantage=Vantage(**asked), validators=validators, **own)

    def fetch_all(self, *urls: str, fetcher: HttpFetcher | None = None) -> dict[str, Fetched]:
        found: dict[str, Fetched] = {}
        (fetcher or self.fetcher()).fetch_all(
            [self.target(url) for url in urls], lambda target, fetched: found.update({target.url: fetched})
        )
        return found

    def fetch(self, url: str, **asked) -> Fetched:
        found: list[Fetched] = []
        self.fetcher().fetch_all([self.target(url, **asked)], lambda _target, fetched: found.append(fetched))
        [fetched] = found
        return fetched


@pytest.fixture
def visitor() -> Visitor:
    return Visitor()


def head(*lines: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", *lines, "", ""]).encode("latin-1")
