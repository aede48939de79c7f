"""Reading the body of an answer to its end, within its bounds."""

import time
from typing import TYPE_CHECKING

from pipeline.fetch.connection import Answer
from pipeline.fetch.decoding import Decoder
from pipeline.fetch.ending import Fault

if TYPE_CHECKING:
    from pipeline.config import FetchSettings

__all__ = ["BodyReader"]

_END_MARKS = frozenset({"content-length", "transfer-encoding", "content-encoding"})


class BodyReader:
    """Reads one body.

    Args:
        answer: Whose body it is.
        settings: For the bounds.
        prefix: Return what comes before `max_decoded_bytes` where more would be too large.

    Attributes:
        wire_bytes: Received so far, before content decoding.
        cut_would_show: Its end is marked, by its length or by the end of a compressed stream, or by HTTP/2. If not,
            it ends where the connection does, and half a page looks like a whole one (RFC 9112, section 8).
        sha256: Of the body, 64 hex digits; once it is read.
    """

    def __init__(self, answer: Answer, settings: "FetchSettings", *, prefix: bool = False) -> None:
        self._answer = answer
        self._settings = settings
        self._prefix = prefix
        self.wire_bytes = 0
        self.cut_would_show = answer.http2 or not _END_MARKS.isdisjoint(answer.headers)
        self.sha256: str | None = None

    async def read(self) -> bytes:
        """The decoded body; never a part of it, never empty.

        Raises:
            Fault: `too_large`, `bomb`, `too_slow`, `encoding`, `encoding_corrupt`, `incomplete` or `empty`.
        """
        decoder = Decoder(self._answer.headers.get("content-encoding", ""), self._settings.max_decoded_bytes)
        try:
            await self._receive(decoder)
            body = decoder.finish()
        except Fault as fault:
            if not self._prefix or fault.ending.reason != "too_large":
                raise
            return decoder.prefix()
        if not body:
            raise Fault("empty", "the answer has no body")
        self.sha256 = decoder.sha256.hexdigest()
        return body

    async def _receive(self, decoder: Decoder) -> None:
        headers = self._answer.headers
        left = self._settings.max_bytes - sum(len(name) + len(value) for name, value in headers.raw)
        if "transfer-encoding" not in headers and not self._prefix:  # which would be right where the two differ
            self._bound(_announced(headers.get("content-length", "")), left)
        began = time.monotonic()
        async for chunk in self._answer.chunks():
            self.wire_bytes += len(chunk)
            self._bound(self.wire_bytes, left)
            self._keep_pace(time.monotonic() - began)
            decoder.feed(chunk)

    def _keep_pace(self, seconds: float) -> None:
        settings = self._settings
        if seconds > settings.grace.total_seconds() and self.wire_bytes < settings.min_rate * seconds:
            raise Fault("too_slow", f"{self.wire_bytes} bytes in {seconds:.1f} s")

    def _bound(self, size: int, left: int) -> None:
        if size > left:
            raise Fault("too_large", f"more than {self._settings.max_bytes} bytes of headers and body")


def _announced(length: str) -> int:
    """The Content-Length; 0 if there is none that could be read, which HTTP/1.1 does not let through and HTTP/2 may."""
    return int(length) if length.isascii() and length.isdigit() and len(length) <= 18 else 0  # noqa: PLR2004 - 2**63
