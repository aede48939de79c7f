"""The guard: no connection to an address that only this machine, or its network, can reach.

A name is resolved once, every answer is judged, and the connection is made to a judged address: what the name
resolves to a moment later does not matter. TLS still asks for the name and verifies it. One bad answer refuses
the name, for it could be the one that is used next time.

`open_pool` is for whoever else makes requests to addresses that others chose.
"""

import asyncio
import functools
import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ipaddress import ip_address

import httpcore
import httpx

from pipeline.errors import GuardError
from pipeline.fetch.addresses import why_refused
from pipeline.fetch.ending import Fault

__all__ = ["Guard", "GuardedBackend", "Resolve", "open_pool", "prove", "tls_context"]

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Host and port -> literal addresses, in the order to try them; raises `OSError` or `UnicodeError` if none."""

ADDRESSES_TRIED = 4
ADDRESS_S = 5.0
"""A second address is tried after this time: many hosts have IPv6 addresses that do not answer."""

_HTTP_PORT = 80

RESOLVERS = 64
"""Names looked up at once. The system's resolver blocks its thread, for half a minute where no server answers."""


class Guard:
    """Judges hosts.

    Args:
        allow: Pairs `host:port` that may have private and loopback addresses, as they stand in URLs.
        resolve: Another resolver than the system's.
    """

    def __init__(self, allow: Collection[str] = (), resolve: Resolve | None = None) -> None:
        self._allow = frozenset(_host_and_port(pair) for pair in allow)
        self._resolve = resolve or _system_resolver()

    def allows(self, host: str, port: int) -> bool:
        """Whether the operator lets this host be a private one."""
        return (host, port) in self._allow

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses that may be connected to for this host, at least one.

        Args:
            host: A name in its ASCII form, or a literal address without brackets.
            port: Of the URL.

        Raises:
            Fault: `refused: address`; `dns` if there is none.
        """
        try:
            found = _literal(host) or await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise Fault("dns", str(error) or type(error).__name__) from error
        if not found:
            raise Fault("dns", f"{host} has no address")
        allowed = self.allows(host, port)
        for address in found:
            why = why_refused(address, allowed=allowed)
            if why is not None:
                also = f" ({address})" if address != host else ""
                raise Fault.refused("address", f"{host}:{port}{also} is not to be asked: {why}")
        return found


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Makes httpcore's connections, to judged addresses only."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address that answers.

        Raises:
            Fault: As `Guard.addresses` does.
            httpcore.NetworkError: None answers.
        """
        *others, last = (await self._guard.addresses(host, port))[:ADDRESSES_TRIED]
        connect = functools.partial(
            self._network.connect_tcp, port=port, local_address=local_address, socket_options=socket_options
        )
        for address in others:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return await connect(address, timeout=ADDRESS_S)
        return await connect(last, timeout=timeout)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


def open_pool(guard: Guard) -> httpcore.AsyncConnectionPool:
    """Connections for requests to addresses that others chose, such as webhooks.

    It follows no redirects, reads no environment, keeps no cookies and has no limits of its own: give each
    request a timeout, and check its URL first (`check_url`).
    """
    return httpcore.AsyncConnectionPool(
        ssl_context=tls_context(), network_backend=GuardedBackend(guard), max_keepalive_connections=0
    )


@functools.cache
def tls_context(*, http2: bool = False) -> ssl.SSLContext:
    """Verifies names and chains. Shared, because reading the root certificates takes 16 ms of CPU.

    Args:
        http2: For connections that offer HTTP/2 beside HTTP/1.1; httpcore writes the offer into the context.
    """
    context = httpx.create_ssl_context(trust_env=False)
    context.minimum_version = ssl.TLSVersion.TLSv1_2  # some builds of Python, such as Debian's, set none (RFC 8996)
    context.set_alpn_protocols(["http/1.1", "h2"] if http2 else ["http/1.1"])
    return context


async def prove(guard: Guard) -> None:
    """See for ourselves that the guard is in force: ask a listener on this machine, which must not notice.

    Raises:
        GuardError: It is not; nothing may be fetched.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        port = listener.getsockname()[1]
        if guard.allows("127.0.0.1", port):
            return  # the operator watches a page at this very port
        try:
            async with open_pool(guard) as pool:
                await pool.request("GET", f"http://127.0.0.1:{port}/", extensions={"timeout": {"read": 0.1}})
        except Fault as fault:
            refused = fault.ending.reason == "address"
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException):
            refused = False
        else:
            refused = False
        with suppress(BlockingIOError):
            listener.accept()[0].close()
            refused = False
    if not refused:
        raise GuardError(
            "the guard against private addresses is not in force: a request reached this machine itself. Nothing was"
            " fetched. Install the versions that are tested: pip install -c constraints.txt -e ."
        )


def _literal(host: str) -> list[str]:
    """The address that the host is; empty for a name. What only some read as an address is left to the resolver."""
    try:
        return [str(ip_address(host))]
    except ValueError:
        return []


def _host_and_port(pair: str) -> tuple[str, int]:
    """The parts of `host:port`, the host as it is resolved: IDNA in its ASCII form, IPv6 without brackets."""
    url = httpx.URL(f"http://{pair}")
    return url.raw_host.decode("ascii"), url.port or _HTTP_PORT


def _system_resolver() -> Resolve:
    """The system's resolver, in threads of its own: nobody waits for one that hangs."""

    @functools.cache
    def threads() -> ThreadPoolExecutor:
        return ThreadPoolExecutor(RESOLVERS, thread_name_prefix="resolve")

    async def resolve(host: str, port: int) -> list[str]:
        look_up = functools.partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(threads(), look_up)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    return resolve
