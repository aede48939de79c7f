"""Many pages: hosts in parallel, one request at a time to each host.

The hops of a redirect belong to the request that led there: they wait for no turn, at whichever host they end.
"""

import asyncio
import functools
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import httpx

from pipeline.clock import Clock
from pipeline.fetch.attempt import Attempt
from pipeline.fetch.ending import Fault
from pipeline.fetch.facts import one_line
from pipeline.fetch.guard import Guard, Resolve, prove
from pipeline.fetch.urls import check_url, origin
from pipeline.fetch.vantage import identify
from pipeline.model import Fetched, Target

if TYPE_CHECKING:
    from pipeline.config import FetchSettings

__all__ = ["Fetcher", "HttpFetcher"]

logger = logging.getLogger(__name__)

_Pages = list[tuple[Target, httpx.URL]]
_Results = asyncio.Queue[tuple[Target, Fetched] | None]


class Fetcher(Protocol):
    """Something that fetches pages."""

    def fetch_all(self, targets: Sequence[Target], done: Callable[[Target, Fetched], None]) -> None:
        """Make one attempt for each target and report each as it ends, from the calling thread."""
        ...


class HttpFetcher:
    """Fetches over HTTP/2 where a server offers it, and HTTP/1.1.

    Args:
        clock: For `Fetched.started_at`; deadlines and delays are in real time.
        environ: Where the values of proxies and cookies are looked up; none of them is stored or logged.
        sleep: Waits for a number of seconds.
        resolve: Another resolver than the system's.
    """

    def __init__(
        self,
        settings: "FetchSettings",
        clock: Clock,
        environ: Mapping[str, str],
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        resolve: Resolve | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._environ = environ
        self._sleep = sleep
        self._guard = Guard(settings.allow_private, resolve)
        self._proven = False
        self._ended_at: dict[str, float] = {}  # by host, when its last request ended; monotonic seconds

    def fetch_all(self, targets: Sequence[Target], done: Callable[[Target, Fetched], None]) -> None:
        """Make one attempt for each target; a page's fault is a value, never an exception.

        Not to be called where an event loop runs.

        Args:
            targets: Those of one host are fetched in this order.
            done: Called as each attempt ends, in that order, in the calling thread. It holds up the other
                fetches for as long as it takes, so it should not take seconds. If it raises, what is still
                being fetched is cancelled and the exception passes through.

        Raises:
            GuardError: The guard against private addresses is not in force; nothing was fetched.
        """
        if targets:
            asyncio.run(self._run(targets, done))

    async def _run(self, targets: Sequence[Target], done: Callable[[Target, Fetched], None]) -> None:
        if not self._proven:
            await prove(self._guard)
            self._proven = True
        results: _Results = asyncio.Queue()
        fetching = asyncio.create_task(self._fetch_hosts(targets, results))
        try:
            while (result := await results.get()) is not None:
                done(*result)
            await fetching
        finally:
            fetching.cancel()
            await asyncio.gather(fetching, return_exceptions=True)

    async def _fetch_hosts(self, targets: Sequence[Target], results: _Results) -> None:
        """Let a few workers share the hosts; the last result is followed by None."""
        try:
            hosts = iter(self._by_host(targets, results).items())
            async with asyncio.TaskGroup() as workers:
                for _ in range(self._settings.concurrency):
                    workers.create_task(self._work(hosts, results))
        finally:
            results.put_nowait(None)

    def _by_host(self, targets: Sequence[Target], results: _Results) -> dict[str, _Pages]:
        hosts: dict[str, _Pages] = {}
        for target in targets:
            try:
                url = check_url(target.url)
            except Fault as fault:
                results.put_nowait((target, self._without_request(fault)))
            else:
                hosts.setdefault(url.host, []).append((target, url))
        return hosts

    async def _work(self, hosts: Iterator[tuple[str, _Pages]], results: _Results) -> None:
        for host, pages in hosts:
            for target, url in pages:
                await self._wait_turn(host, url)
                results.put_nowait((target, await self._attempt(target, url)))
                self._ended_at[host] = time.monotonic()

    async def _wait_turn(self, host: str, url: httpx.URL) -> None:
        """Keep the delay between the end of one request to a host and the start of the next."""
        if host not in self._ended_at:
            return
        wait = self._delay(url) - (time.monotonic() - self._ended_at[host])
        if wait > 0:
            await self._sleep(wait)

    def _delay(self, url: httpx.URL) -> float:
        """Seconds; settings may name a host with or without its port, an IDN host in either form."""
        for host in (url.host, url.raw_host.decode()):
            name = f"[{host}]" if ":" in host else host
            for key in (f"{name}:{origin(url)[2]}", name):
                if key in self._settings.hosts:
                    return self._settings.hosts[key].delay.total_seconds()
        return self._settings.delay.total_seconds()

    async def _attempt(self, target: Target, url: httpx.URL) -> Fetched:
        """One attempt. A bug of ours is this page's fault too: it is logged, and stops no other page."""
        started_at = self._clock.now()
        try:
            identity = identify(target, self._settings.user_agent, self._environ)
            pause = functools.partial(self._sleep, self._delay(url))
            attempt = Attempt(target, url, identity, self._settings, guard=self._guard, pause=pause)
            return await attempt.run(started_at)
        except Fault as fault:
            return self._without_request(fault)
        except Exception as error:
            logger.exception("%s: fetching broke down", target.page_name)
            return self._without_request(Fault("bug", f"{type(error).__name__}; the log has more"))

    def _without_request(self, fault: Fault) -> Fetched:
        ending = fault.ending
        return Fetched(
            started_at=self._clock.now(),
            outcome=ending.outcome,
            reason=ending.reason,
            detail=one_line(ending.detail),
        )
