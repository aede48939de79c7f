"""One attempt to fetch one page: redirects walked by hand under one deadline, and the outcome of it all."""

import asyncio
import time
from contextlib import aclosing
from datetime import datetime
from typing import TYPE_CHECKING

import httpx

from pipeline.fetch.body import BodyReader
from pipeline.fetch.connection import open_transport, send
from pipeline.fetch.ending import Ending, Fault
from pipeline.fetch.facts import kept_headers, one_line, validators
from pipeline.fetch.urls import next_hop, origin
from pipeline.model import Fetched, Outcome, Target, Validators

if TYPE_CHECKING:
    from pipeline.config import FetchSettings
    from pipeline.fetch.vantage import Identity

__all__ = ["Attempt"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Attempt:
    """One attempt; `run` it once.

    Args:
        url: The target's URL, checked.
    """

    def __init__(self, target: Target, url: httpx.URL, identity: "Identity", settings: "FetchSettings") -> None:
        self._asked_with = target.validators or Validators()
        self._identity = identity
        self._settings = settings
        self._urls = [url]
        self._answer: httpx.Response | None = None
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
        """Ask hop by hop, to where the redirects end."""
        identity = self._identity
        private = identity.private
        async with open_transport(identity.proxy) as transport:
            while True:
                url = self._urls[-1]
                self._answer = None
                answer = await send(transport, url, identity.headers + private, proxied=bool(identity.proxy))
                async with aclosing(answer):
                    self._answer = answer
                    location = answer.headers.get("location")
                    if answer.status_code not in _REDIRECTS or not location:
                        return await self._read(answer, conditional=identity.conditional and bool(private))
                self._follow(next_hop(url, location.encode("latin-1")))
                if origin(self._urls[-1]) != origin(url):
                    private = ()  # and not again if a later hop leads back: others chose that URL

    def _follow(self, url: httpx.URL) -> None:
        if url in self._urls:
            raise Fault("redirect_loop", f"redirects lead back to {url}")
        if len(self._urls) > self._settings.max_redirects:
            raise Fault("too_many_redirects", f"{len(self._urls)} redirects, the last one to {url}")
        self._urls.append(url)

    async def _read(self, answer: httpx.Response, *, conditional: bool) -> Ending:
        """What the last hop said. Only the body of a 200 is read."""
        status = answer.status_code
        reason, detail = f"http_{status}", f"HTTP {status} {answer.reason_phrase}"
        match status:
            case 200:
                return await self._page(answer)
            case 304 if conditional:
                return Ending(outcome=Outcome.NOT_MODIFIED, validators=self._asked_with)
            case 304:
                raise Fault("unexpected_304", "it says `unchanged`, but was not asked about an earlier answer")
            case 401 | 403 | 429 | 451:
                raise Fault(reason, detail, outcome=Outcome.BLOCKED)
            case 404 | 410:
                raise Fault(reason, detail, outcome=Outcome.GONE)
            case 407 if self._identity.proxy:
                raise Fault("proxy", detail)
            case _:
                raise Fault(reason, detail)

    async def _page(self, answer: httpx.Response) -> Ending:
        self._reader = BodyReader(answer, self._settings)
        return Ending(
            outcome=Outcome.OK,
            body=await self._reader.read(),
            validators=validators(answer.headers, self._identity.redact),
            detail="" if self._reader.cut_would_show else "its length was not announced: a cut would not show",
        )

    def _fetched(self, started_at: datetime, duration_ms: int, ending: Ending) -> Fetched:
        redact = self._identity.redact
        headers = kept_headers(self._answer.headers, redact) if self._answer else {}
        return Fetched(
            started_at=started_at,
            outcome=ending.outcome,
            reason=ending.reason,
            http_status=self._answer.status_code if self._answer else None,
            duration_ms=duration_ms,
            wire_bytes=self._reader.wire_bytes if self._reader else None,
            body=ending.body,
            content_type=headers.get("content-type"),
            final_url=redact(str(self._urls[-1])) if len(self._urls) > 1 else None,
            headers=headers,
            validators=ending.validators,
            detail=one_line(redact(ending.detail)),
        )
