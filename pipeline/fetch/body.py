"""Reading the body of an answer to its end, within its bounds."""

from typing import TYPE_CHECKING

import httpx

from pipeline.fetch.decoding import Decoder
from pipeline.fetch.ending import Fault

if TYPE_CHECKING:
    from pipeline.config import FetchSettings

__all__ = ["BodyReader"]

_END_MARKS = frozenset({"content-length", "transfer-encoding", "content-encoding"})


class BodyReader:
    """Reads one body.

    Attributes:
        wire_bytes: Received so far, before content decoding.
        cut_would_show: Its end is marked, by its length or by the end of a compressed stream. If not, it ends
            where the connection does, and half a page looks like a whole one (RFC 9112, section 8).
    """

    def __init__(self, response: httpx.Response, settings: "FetchSettings") -> None:
        self._response = response
        self._settings = settings
        self.wire_bytes = 0
        self.cut_would_show = not _END_MARKS.isdisjoint(response.headers)

    async def read(self) -> bytes:
        """The decoded body; never a part of it, never empty.

        Raises:
            Fault: `too_large`, `encoding`, `encoding_corrupt`, `incomplete` or `empty`.
        """
        headers = self._response.headers
        decoder = Decoder(headers.get("content-encoding", ""), self._settings.max_decoded_bytes)
        left = self._settings.max_bytes - sum(len(name) + len(value) for name, value in headers.raw)
        if "transfer-encoding" not in headers:  # which would be right where the two differ
            self._bound(int(headers.get("content-length", 0)), left)
        try:
            async for chunk in self._response.aiter_raw():
                self.wire_bytes += len(chunk)
                self._bound(self.wire_bytes, left)
                decoder.feed(chunk)
        except (httpx.TransportError, OSError) as error:
            raise Fault("incomplete", str(error) or type(error).__name__) from error
        body = decoder.finish()
        if not body:
            raise Fault("empty", "the answer has no body")
        return body

    def _bound(self, size: int, left: int) -> None:
        if size > left:
            raise Fault("too_large", f"more than {self._settings.max_bytes} bytes of headers and body")
