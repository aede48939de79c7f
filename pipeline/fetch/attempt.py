"""One attempt to fetch one page: redirects walked by hand under one deadline, and the outcome of it all."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import httpx

from pipeline.fetch.body import BodyReader
from pipeline.fetch.connection import Answer, Wire
from pipeline.fetch.cookies import Jar
from pipeline.fetch.ending import Ending, Fault
from pipeline.fetch.facts import kept_headers, one_line, same_etag, validators
from pipeline.fetch.guard import Guard
from pipeline.fetch.urls import next_hop, origin
from pipeline.model import Fetched, Outcome, Target, Validators

if TYPE_CHECKING:
    from pipeline.config import FetchSettings
    from pipeline.fetch.vantage import Headers, Identity

__all__ = ["Attempt"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TRIED_AGAIN = frozenset({"protocol", "incomplete", "empty", "unexpected_304"})
"""What a second request on a fresh connection may mend."""
_FRESH = ((b"Cache-Control", b"no-cache"),)


async def _anything(_url: httpx.URL) -> None:
    """No robots.txt is asked."""


class Attempt:
    """One attempt; `run` it once.

    Args:
        url: The target's URL, checked.
        guard: What judges the addresses of all hops.
        pause: Waits until the host may be asked again, before a second try.
        permit: Called with the URL of every hop; raises `Fault` where it may not be asked for.
        prefix: A body that is too large is cut, and no fault.
    """

    def __init__(
        self,
        target: Target,
        url: httpx.URL,
        identity: "Identity",
        settings: "FetchSettings",
        *,
        guard: Guard,
        pause: Callable[[], Awaitable[None]],
        permit: Callable[[httpx.URL], Awaitable[None]] = _anything,
        prefix: bool = False,
    ) -> None:
        self._asked_with = target.validators or Validators()
        self._allow_downgrade = target.allow_downgrade
        self._identity = identity
        self._settings = settings
        self._guard = guard
        self._pause = pause
        self._permit = permit
        self._prefix = prefix
        self._conditional = identity.conditional
        self._urls = [url]
        self._notes: list[str] = []
        self._answer: Answer | None = None
        self._reader: BodyReader | None = None

    async def run(self, started_at: datetime) -> Fetched:
        """Fetch the page; whatever the network does, the result is a value."""
        began = time.monotonic()
        seconds = self._settings.timeout.total_seconds()
        try:
            async with asyncio.timeout(seconds):
                ending = await self._fetch()
        except TimeoutError:
            detail = f"no whole answer within {seconds:g} s"
            ending = Ending(outcome=Outcome.FAILED, reason="timeout", detail=detail)
        except Fault as fault:
            ending = fault.ending
        return self._fetched(started_at, round(1000 * (time.monotonic() - began)), ending)

    async def _fetch(self) -> Ending:
        """Try; once more on a fresh connection where that may help, and then without HTTP/2 where that may."""
        try:
            return await self._walk()
        except Fault as fault:
            if fault.ending.reason not in _TRIED_AGAIN:
                raise
            unconditional = fault.ending.reason == "unexpected_304"
        await self._start_over()
        if unconditional:
            self._conditional = False
        try:
            return await self._walk(_FRESH if unconditional else ())
        except Fault as fault:
            if not fault.http2:
                raise
        await self._start_over()
        return await self._walk(http2=False)

    async def _start_over(self) -> None:
        await self._pause()
        self._urls = self._urls[:1]
        self._notes.clear()
        self._answer = self._reader = None

    async def _walk(self, extra: "Headers" = (), *, http2: bool = True) -> Ending:
        """Ask hop by hop, to where the redirects end."""
        jar = Jar()
        seen: set[tuple[httpx.URL, bytes]] = set()
        own = True  # still at the page's own origin; and not again if a later hop leads back: others chose that URL
        async with aclosing(Wire(self._guard, self._identity)) as wire:
            while True:
                url = self._urls[-1]
                cookies = jar.header(url)
                if (url, cookies) in seen:
                    raise Fault("redirect_loop", f"redirects lead back to {url}")
                seen.add((url, cookies))
                await self._permit(url)
                headers = self._identity.headers_for(own=own, conditional=self._conditional, cookies=cookies)
                self._answer = None
                self._answer = answer = await wire.send(url, headers + extra, http2=http2)
                location = answer.headers.get("location")
                if answer.status not in _REDIRECTS or not location:
                    return await self._read(answer, conditional=self._conditional and own)
                jar.take(url, answer.headers)
                self._follow(next_hop(url, location.encode("latin-1")))
                own = own and origin(self._urls[-1]) == origin(url)

    def _follow(self, url: httpx.URL) -> None:
        if len(self._urls) > self._settings.max_redirects:
            raise Fault("too_many_redirects", f"{len(self._urls)} redirects: {_path(self._urls)} -> {url}")
        if self._urls[-1].scheme == "https" and url.scheme == "http":
            if not self._allow_downgrade:
                raise Fault.refused("downgrade", f"redirect from https to {url}")
            self._notes.append(f"downgrade: redirected from https to {url}")
        self._urls.append(url)

    async def _read(self, answer: Answer, *, conditional: bool) -> Ending:
        """What the last hop said. Only the body of a 200 is read."""
        status = answer.status
        reason, detail = f"http_{status}", f"HTTP {status} {answer.reason}"
        match status:
            case 200:
                return await self._page(answer)
            case 304 if not conditional:
                raise Fault("unexpected_304", "it says `unchanged`, but was not asked about an earlier answer")
            case 304 if not same_etag(self._asked_with.etag, answer.headers.get("etag")):
                raise Fault("unexpected_304", "it says `unchanged`, but of another version than the one asked about")
            case 304:
                return Ending(outcome=Outcome.NOT_MODIFIED, validators=self._asked_with)
            case 401 | 403 | 429 | 451:
                raise Fault(reason, detail, outcome=Outcome.BLOCKED)
            case 404 | 410:
                raise Fault(reason, detail, outcome=Outcome.GONE)
            case 407 if self._identity.proxy:
                raise Fault("proxy", detail)
            case _:
                raise Fault(reason, detail)

    async def _page(self, answer: Answer) -> Ending:
        self._reader = BodyReader(answer, self._settings, prefix=self._prefix)
        body = await self._reader.read()
        if not self._reader.cut_would_show:
            self._notes.append("its length was not announced: a cut would not show")
        return Ending(
            outcome=Outcome.OK,
            body=body,
            body_sha256=self._reader.sha256,
            validators=validators(answer.headers, self._identity.redact),
        )

    def _fetched(self, started_at: datetime, duration_ms: int, ending: Ending) -> Fetched:
        redact = self._identity.redact
        headers = kept_headers(self._answer.headers, redact) if self._answer else {}
        ending = replace(ending, detail="; ".join([*filter(None, [ending.detail]), *self._notes]))
        return Fetched(
            started_at=started_at,
            outcome=ending.outcome,
            reason=ending.reason,
            http_status=self._answer.status if self._answer else None,
            duration_ms=duration_ms,
            wire_bytes=self._reader.wire_bytes if self._reader else None,
            body=ending.body,
            body_sha256=ending.body_sha256,
            content_type=headers.get("content-type"),
            final_url=redact(str(self._urls[-1])) if len(self._urls) > 1 else None,
            headers=headers,
            validators=ending.validators,
            detail=one_line(redact(ending.detail)),
        )


def _path(urls: list[httpx.URL]) -> str:
    return " -> ".join(str(url) for url in urls)
