"""The one place where connections are made, and what it means when one fails."""

import functools
import socket
import ssl
from collections.abc import Iterator

import httpx

from pipeline.fetch.ending import Fault
from pipeline.fetch.vantage import Headers

__all__ = ["open_transport", "send"]


def open_transport(proxy: httpx.Proxy | None) -> httpx.AsyncHTTPTransport:
    """The connections of one attempt; every request gets a new one, and none is kept.

    A transport and not a client: no cookie jar, no environment, no redirects, no log line a request.
    """
    return httpx.AsyncHTTPTransport(
        verify=_tls_context(),
        trust_env=False,
        proxy=proxy,
        limits=httpx.Limits(max_connections=4, max_keepalive_connections=0),
    )


# What a failure is, by what lies at its root: httpx reports those of DNS, TCP and TLS alike as ConnectError.
# The first that matches; none does when the other side leaves during the TLS handshake.
_ROOTS: tuple[tuple[str, tuple[type[Exception], ...]], ...] = (
    ("dns", (socket.gaierror, UnicodeError)),
    ("tls", (ssl.SSLError,)),
    ("timeout", (httpx.TimeoutException, TimeoutError)),
    ("proxy", (httpx.ProxyError,)),
    ("protocol", (httpx.ProtocolError, httpx.ReadError, httpx.WriteError)),
    ("connect", (OSError,)),
)


@functools.cache
def _tls_context() -> ssl.SSLContext:
    """Verifies names and chains. Shared, because reading the root certificates takes 16 ms of CPU."""
    context = httpx.create_ssl_context(trust_env=False)
    context.minimum_version = ssl.TLSVersion.TLSv1_2  # some builds of Python, such as Debian's, set none (RFC 8996)
    return context


async def send(
    transport: httpx.AsyncHTTPTransport, url: httpx.URL, headers: Headers, *, proxied: bool
) -> httpx.Response:
    """Ask for a URL and wait for the head of the answer; the body is still to be read.

    No timeouts of its own: the caller's deadline holds for all of it. Headers are decoded as Latin-1, the one
    encoding in which every byte survives.

    Raises:
        Fault: `dns`, `connect`, `tls`, `protocol` or `timeout`; `proxy` if it is the proxy's fault.
    """
    try:
        answer = await transport.handle_async_request(httpx.Request("GET", url, headers=headers))
    except (httpx.TransportError, OSError, UnicodeError) as error:
        chain = list(_chain(error))
        reason = next((word for word, roots in _ROOTS if any(isinstance(link, roots) for link in chain)), "tls")
        if proxied and reason in ("dns", "connect"):  # it is the proxy that was looked up and called
            reason = "proxy"
        raise Fault(reason, str(chain[-1]) or type(chain[-1]).__name__) from error
    answer.headers.encoding = "latin-1"
    return answer


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it arose from; httpcore chains its own to the socket's by context only."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
