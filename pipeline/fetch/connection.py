"""The one place where requests are sent, and what it means when one fails."""

import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress

import httpcore
import httpx

from pipeline.fetch.ending import Fault
from pipeline.fetch.guard import Guard, GuardedBackend, tls_context
from pipeline.fetch.vantage import Headers, Identity

__all__ = ["Answer", "Wire"]

MAX_HEADERS = 500
MAX_HEADER_BYTES = 100 * 1024
"""Far more than any page needs; what h11 takes before it calls a head too large."""

_DEFAULT_PORTS = {"http": 80, "https": 443}

# What a failure is, by what lies at its root: httpcore reports those of DNS, TCP and TLS alike as ConnectError.
# The first that matches; none does when the other side leaves during the TLS handshake.
_ROOTS: tuple[tuple[str, tuple[type[Exception], ...]], ...] = (
    ("tls", (ssl.SSLError,)),
    ("timeout", (httpcore.TimeoutException, TimeoutError)),
    ("proxy", (httpcore.ProxyError,)),
    ("protocol", (httpcore.ProtocolError, httpcore.ReadError, httpcore.WriteError)),
    ("connect", (OSError,)),
)


class Answer:
    """The head of an answer; its body is still to be read.

    Attributes:
        status: 100 to 999.
        reason: The server's words for it, perhaps empty.
        headers: Decoded as Latin-1, the one encoding in which every byte survives.
        http2: Whether it came over HTTP/2.
    """

    def __init__(self, response: httpcore.Response) -> None:
        self._response = response
        self.status = response.status
        self.reason = response.extensions.get("reason_phrase", b"").decode("latin-1")
        self.headers = httpx.Headers(response.headers)
        self.headers.encoding = "latin-1"
        self.http2 = response.extensions.get("http_version") == b"HTTP/2"

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it came over the wire, without chunk sizes.

        Raises:
            Fault: `incomplete`; whatever went wrong, it is not whole.
        """
        try:
            async for chunk in self._response.aiter_stream():
                yield chunk
        except Exception as error:  # what h11 and h2 raise on hostile input is not all declared
            raise Fault("incomplete", _words(error), http2=self.http2) from error

    async def aclose(self) -> None:
        """Read no more of it."""
        with suppress(Exception):  # it may be broken already
            await self._response.aclose()


class Wire:
    """The connections of one attempt. Every request has its own, but for those that share one over HTTP/2.

    A server that sends more than it announced then harms its own page only: on a kept connection of HTTP/1.1
    the surplus would be read as the start of the next answer.
    """

    def __init__(self, guard: Guard, identity: Identity) -> None:
        self._backend = GuardedBackend(guard)
        self._guard = guard
        self._proxy = identity.proxy
        self._open: list[httpcore.AsyncConnectionInterface | httpcore.AsyncConnectionPool] = []

    async def send(self, url: httpx.URL, headers: Headers, *, http2: bool = True) -> Answer:
        """Ask for a URL and wait for the head of the answer.

        No timeouts of its own: the caller's deadline holds for all of it.

        Args:
            url: Checked.
            headers: All but Host.
            http2: Offer it where there is TLS.

        Raises:
            Fault: `refused: address`, `dns`, `connect`, `tls`, `protocol` or `timeout`; `proxy` if it is its fault.
        """
        await self.aclose()
        target = _target(url)
        connection = await self._connect(url, target.origin, http2=http2)
        self._open.append(connection)
        host = url.netloc if url.port else url.raw_host if b":" not in url.raw_host else b"[%b]" % url.raw_host
        request = httpcore.Request(b"GET", target, headers=[(b"Host", host), *headers])
        try:
            answer = Answer(await connection.handle_async_request(request))
        except Fault as fault:
            raise self._blamed(fault) from fault
        except Exception as error:  # what h11 and h2 raise on hostile input is not all declared
            spoke_http2 = isinstance(connection, httpcore.AsyncHTTPConnection) and "HTTP/2" in connection.info()
            raise self._fault(error, http2=spoke_http2) from error
        size = sum(len(name) + len(value) for name, value in answer.headers.raw)
        if len(answer.headers.raw) > MAX_HEADERS or size > MAX_HEADER_BYTES:
            raise Fault("protocol", f"{len(answer.headers.raw)} headers of {size} bytes are more than any page needs")
        return answer

    async def aclose(self) -> None:
        """End all connections."""
        while self._open:
            with suppress(Exception):  # it may be broken already
                await self._open.pop().aclose()

    async def _connect(
        self, url: httpx.URL, origin: httpcore.Origin, *, http2: bool
    ) -> httpcore.AsyncConnectionInterface | httpcore.AsyncConnectionPool:
        http2 = http2 and url.scheme == "https"
        context = tls_context(http2=http2) if url.scheme == "https" else None
        if self._proxy is None:
            return httpcore.AsyncHTTPConnection(origin, ssl_context=context, http2=http2, network_backend=self._backend)
        await self._judge_behind_proxy(url)
        proxy = self._proxy
        return httpcore.AsyncHTTPProxy(
            _target(proxy.url),
            proxy_auth=proxy.raw_auth,
            ssl_context=context,
            proxy_ssl_context=tls_context() if proxy.url.scheme == "https" else None,
            http2=http2,
            network_backend=self._backend,
            max_keepalive_connections=0,
        )

    async def _judge_behind_proxy(self, url: httpx.URL) -> None:
        """The proxy makes the connection, and may resolve the name otherwise; what we see is judged all the same."""
        try:
            await self._guard.addresses(url.raw_host.decode("ascii"), url.port or _DEFAULT_PORTS[url.scheme])
        except Fault as fault:
            if fault.ending.reason != "dns":
                raise

    def _fault(self, error: Exception, *, http2: bool) -> Fault:
        chain = list(_chain(error))
        reason = next((word for word, roots in _ROOTS if any(isinstance(link, roots) for link in chain)), None)
        if reason is None:
            reason = "tls" if isinstance(error, httpcore.ConnectError) else "protocol"
        if isinstance(error, httpcore.ConnectError | httpcore.ConnectTimeout) and reason == "timeout":
            reason = "connect"  # the deadline is the caller's: it was one address of several
        return self._blamed(Fault(reason, _words(error), http2=http2))

    def _blamed(self, fault: Fault) -> Fault:
        """The fault, or the proxy's: it is the proxy that was looked up and called."""
        if self._proxy is None or fault.ending.reason not in ("dns", "connect"):
            return fault
        return Fault("proxy", fault.ending.detail)


def _target(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _words(error: BaseException) -> str:
    *_, root = _chain(error)
    return str(root) or type(root).__name__


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it arose from; httpcore chains its own to the socket's by context only."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
