"""A raw loopback server that says exactly the bytes a test gives it, and a fetcher that never sleeps."""

import asyncio
import importlib
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.clock import SteppedClock
from pipeline.config import FetchSettings
from pipeline.fetch import HttpFetcher
from pipeline.model import Fetched, Target, Validators, Vantage

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

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
    """Every name ending in `.test` is this machine; no test asks a real resolver."""
    resolve = socket.getaddrinfo

    def getaddrinfo(host, *args, **kwargs):
        name = host.decode() if isinstance(host, bytes) else host
        return resolve("127.0.0.1" if name.endswith(".test") else name, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving(Loopback()) as loopback:
        yield loopback


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificate and key of `shop.test`, signed by itself."""
    x509 = pytest.importorskip("cryptography.x509")
    serialization = importlib.import_module("cryptography.hazmat.primitives.serialization")
    hashes = importlib.import_module("cryptography.hazmat.primitives.hashes")
    ec = importlib.import_module("cryptography.hazmat.primitives.asymmetric.ec")

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "shop.test")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("shop.test")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    unencrypted = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path = tmp_path_factory.mktemp("tls") / "shop.pem"
    path.write_bytes(signed.public_bytes(pem) + key.private_bytes(pem, *unencrypted))
    return path


@pytest.fixture
def tls_server(certificate: Path) -> Iterator[Loopback]:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with serving(Loopback(scheme="https", host="shop.test"), tls) as loopback:
        yield loopback


@dataclass
class Visitor:
    """Fetches with settings that a test may change, and remembers the delays instead of waiting them out."""

    settings: dict[str, object] = field(default_factory=lambda: {"timeout": timedelta(seconds=5)})
    environ: dict[str, str] = field(default_factory=dict)
    slept: list[float] = field(default_factory=list)
    clock: SteppedClock = field(default_factory=lambda: SteppedClock(NOW))

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)

    def fetcher(self) -> HttpFetcher:
        settings = FetchSettings(**self.settings)
        return HttpFetcher(settings, self.clock, self.environ, sleep=self.sleep)

    def target(self, url: str, etag: str | None = None, last_modified: str | None = None, **vantage) -> Target:
        validators = Validators(etag=etag, last_modified=last_modified) if etag or last_modified else None
        return Target(page_id=1, page_name=url, url=url, vantage=Vantage(**vantage), validators=validators)

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
