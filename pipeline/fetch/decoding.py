"""Content-Encoding undone in bounded steps.

A few kilobytes can decode to gigabytes, and a cut stream decodes to half a page without an error: so output
is counted as it is made, and a stream that did not reach its own end is not a body.
"""

import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NamedTuple, Protocol

import brotli  # its version 1.2 is the first that can be told to stop
import zstandard

from pipeline.fetch.ending import Fault

__all__ = ["Decoder", "accepted_encodings"]

STEP_BYTES = 256 * 1024
# Four bytes of zstd may say "128 KiB of the same byte", and its decoder takes no output limit: 128 bytes of
# input make at most 4 MiB of output (measured).
ZSTD_STEP_BYTES = 128
ZSTD_WINDOW_BYTES = 8 << 20  # RFC 9659, section 3: a web server must not ask for more
# Pages shrink 4 to 20 times, the most repetitive of the measured ones 60 times; a bomb a thousand times. Below the
# floor a bomb does no harm, and a page that is mostly white space is still a page.
MAX_RATIO = 200
RATIO_FLOOR_BYTES = 1 << 20


class _Stream(Protocol):
    """One compressed stream. `rest` is what followed its end, which may be the next stream."""

    @property
    def ended(self) -> bool: ...
    @property
    def rest(self) -> bytes: ...
    def feed(self, data: bytes) -> Iterator[bytes]: ...


class _Inflate:
    def __init__(self, window_bits: int) -> None:
        self._inflate = zlib.decompressobj(window_bits)

    @property
    def ended(self) -> bool:
        return self._inflate.eof

    @property
    def rest(self) -> bytes:
        return self._inflate.unused_data

    def feed(self, data: bytes) -> Iterator[bytes]:
        piece = b""
        while data or len(piece) == STEP_BYTES:  # a full piece may have left output inside, with no input left
            yield (piece := self._inflate.decompress(data, STEP_BYTES))
            data = self._inflate.unconsumed_tail


class _Zstd:
    def __init__(self) -> None:
        self._zstd = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW_BYTES).decompressobj()
        self.rest = b""

    @property
    def ended(self) -> bool:
        return self._zstd.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), ZSTD_STEP_BYTES):
            end = start + ZSTD_STEP_BYTES
            yield self._zstd.decompress(data[start:end])
            if self._zstd.eof:
                self.rest = self._zstd.unused_data + data[end:]
                return


class _Brotli:
    rest = b""

    def __init__(self) -> None:
        self._brotli = brotli.Decompressor()

    @property
    def ended(self) -> bool:
        return bool(self._brotli.is_finished())

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield self._brotli.process(data, output_buffer_limit=STEP_BYTES)
        while not self._brotli.can_accept_more_data():
            yield self._brotli.process(b"", output_buffer_limit=STEP_BYTES)


def _open_gzip(head: bytes) -> _Stream | None:
    return _Inflate(31) if head == b"\x1f\x8b" else None


def _open_deflate(head: bytes) -> _Stream | None:
    """RFC 9110 says zlib, some servers send the bare stream; RFC 1950, section 2.2 tells them apart."""
    is_zlib = head[0] & 15 == zlib.DEFLATED and int.from_bytes(head) % 31 == 0
    return _Inflate(15 if is_zlib else -15)


def _open_zstd(head: bytes) -> _Stream | None:
    """A frame, or one to be skipped (RFC 8878, sections 3.1.1 and 3.1.2)."""
    is_skippable = head[0] & 0xF0 == 0x50 and head[1:] == b"\x2a\x4d\x18"  # noqa: PLR2004 - a magic number
    return _Zstd() if is_skippable or head == b"\x28\xb5\x2f\xfd" else None


def _open_brotli(_head: bytes) -> _Stream:
    return _Brotli()


class _Encoding(NamedTuple):
    """One Content-Encoding; `open` is shown the first `head_bytes`, and gives None if no stream begins so."""

    head_bytes: int
    open: Callable[[bytes], _Stream | None]
    repeats: bool  # a body may be several streams, one after the other


_ENCODINGS = {
    "gzip": _Encoding(2, _open_gzip, repeats=True),
    "deflate": _Encoding(2, _open_deflate, repeats=False),
    "br": _Encoding(1, _open_brotli, repeats=False),
    "zstd": _Encoding(4, _open_zstd, repeats=True),
}
_CORRUPT = (zlib.error, zstandard.ZstdError, brotli.error)


def accepted_encodings() -> str:
    """The Accept-Encoding header: what `Decoder` undoes."""
    return ", ".join(_ENCODINGS)


class Decoder:
    """Collects the decoded bytes of one body, and hashes them as they come.

    Attributes:
        sha256: Of the bytes so far.

    Args:
        encoding: The Content-Encoding header; empty if there was none.
        max_bytes: The most it may decode to.

    Raises:
        Fault: `encoding` if it is none, or more than one, of those in `accepted_encodings`.
    """

    def __init__(self, encoding: str, max_bytes: int) -> None:
        names = [name.removeprefix("x-") for part in encoding.split(",") if (name := part.strip().lower())]
        names = [name for name in names if name != "identity"]
        if len(names) > 1 or not _ENCODINGS.keys() >= set(names):
            raise Fault("encoding", f"Content-Encoding {encoding!r} is not one of {accepted_encodings()}")
        self._encoding = _ENCODINGS[names[0]] if names else None
        self._max_bytes = max_bytes
        self._pieces: list[bytes] = []
        self._sent = 0
        self._size = 0
        self.sha256 = sha256()
        self._stream: _Stream | None = None
        self._held = b""  # received, but not enough to see which stream begins
        self._over = False  # nothing that may still come belongs to the body

    def feed(self, data: bytes) -> None:
        """Take the next bytes as they came over the wire.

        Raises:
            Fault: `too_large`, `bomb`; `encoding_corrupt` if the bytes are not what the header says.
        """
        self._sent += len(data)
        if self._encoding is None:
            self._add(data)
            return
        data = self._held + data
        try:
            while data and (stream := self._wanting(self._encoding, data)):
                for piece in stream.feed(data):
                    self._add(piece)
                data = stream.rest if stream.ended else b""
        except _CORRUPT as error:
            raise Fault("encoding_corrupt", str(error)) from error
        self._held = b"" if self._over else data

    def finish(self) -> bytes:
        """The whole decoded body; empty if nothing was received.

        Raises:
            Fault: `incomplete` if the compressed stream did not reach its end.
        """
        whole = self._stream.ended if self._stream else not self._held
        if not whole:
            raise Fault("incomplete", "the compressed body ends before its end mark")
        return b"".join(self._pieces)

    def prefix(self) -> bytes:
        """What is decoded so far, up to the limit."""
        return b"".join(self._pieces)[: self._max_bytes]

    def _wanting(self, encoding: _Encoding, data: bytes) -> _Stream | None:
        """The stream that the data belongs to; None if there is none, or the data is too short to see it."""
        if self._stream and not self._stream.ended:
            return self._stream
        if self._over or len(data) < encoding.head_bytes:
            return None
        begun = encoding.open(data[: encoding.head_bytes]) if encoding.repeats or not self._stream else None
        if begun is None and self._stream is None:
            raise Fault("encoding_corrupt", "the body does not begin as its Content-Encoding says")
        self._over = begun is None  # what follows the last stream is padding
        self._stream = begun or self._stream
        return begun

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        self._pieces.append(piece)
        if self._size > self._max_bytes:
            raise Fault("too_large", f"more than {self._max_bytes} bytes after decoding")
        if self._size > max(RATIO_FLOOR_BYTES, MAX_RATIO * self._sent):
            raise Fault("bomb", f"{self._sent} bytes decode to more than {MAX_RATIO} times as many")
        self.sha256.update(piece)
