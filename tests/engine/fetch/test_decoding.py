"""Content-Encoding: whole streams only, in bounded memory."""

import gzip
import tracemalloc
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pipeline.fetch.decoding import STEP_BYTES, Decoder, accepted_encodings
from pipeline.fetch.ending import Fault

PAGE = b"<p>" + b"".join(b"line %d<br>" % number for number in range(3000))
MB = 1 << 20


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


PACKERS = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("X-GZIP", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "deflate": ("deflate", raw_deflate),
    "zstd": ("zstd", zstandard.compress),
}
packers = pytest.mark.parametrize(("encoding", "pack"), PACKERS.values(), ids=PACKERS)
repeating = pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("zstd", zstandard.compress)], ids=["gzip", "zstd"]
)


def decode(encoding: str, data: bytes, *, chunk: int = 1000, max_bytes: int = 20 * MB) -> bytes:
    decoder = Decoder(encoding, max_bytes)
    for start in range(0, len(data), chunk):
        decoder.feed(data[start : start + chunk])
    return decoder.finish()


def reason(encoding: str, data: bytes, **how) -> str:
    with pytest.raises(Fault) as raised:
        decode(encoding, data, **how)
    return raised.value.ending.reason


@packers
@pytest.mark.parametrize("chunk", [1, 7, 1000, 10**6])
def test_a_whole_stream_is_decoded_however_it_is_cut_into_chunks(encoding, pack, chunk):
    assert decode(encoding, pack(PAGE), chunk=chunk) == PAGE


@packers
@given(page=st.binary(min_size=1, max_size=300), cut=st.integers(1, 100), chunk=st.integers(1, 50))
def test_a_cut_stream_is_never_a_body(encoding, pack, page, cut, chunk):
    packed = pack(page)
    kept = max(len(packed) - cut, 1)
    assert reason(encoding, packed[:kept], chunk=chunk) in {"incomplete", "encoding_corrupt"}


@packers
def test_a_stream_cut_by_one_byte_is_incomplete(encoding, pack):
    assert reason(encoding, pack(PAGE)[:-1]) == "incomplete"


@packers
def test_a_body_that_is_not_what_the_header_says_is_corrupt(encoding, pack):
    assert reason(encoding, b"<!doctype html><title>Plain all along</title>") == "encoding_corrupt"


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_damaged_stream_is_corrupt(encoding):
    pack = gzip.compress if encoding == "gzip" else zstandard.ZstdCompressor(write_checksum=True).compress
    packed = bytearray(pack(PAGE))
    packed[-2] ^= 0xFF  # in the checksum
    assert reason(encoding, bytes(packed)) == "encoding_corrupt"


@packers
@pytest.mark.parametrize("size", [STEP_BYTES - 1, STEP_BYTES, 2 * STEP_BYTES, 2 * STEP_BYTES + 1])
def test_the_size_of_a_step_does_not_show(encoding, pack, size):
    page = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    assert decode(encoding, pack(page), chunk=10**6) == page


@packers
def test_a_bomb_is_stopped_in_little_memory(encoding, pack):
    bomb = pack(b"\0" * (64 * MB))
    tracemalloc.start()
    try:
        assert reason(encoding, bomb, chunk=65536, max_bytes=4 * MB) in {"too_large", "bomb"}
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * MB


@packers
def test_what_grows_two_hundred_times_is_a_bomb_long_before_it_is_too_large(encoding, pack):
    decoder = Decoder(encoding, 1000 * MB)
    with pytest.raises(Fault) as raised:
        decoder.feed(pack(b"\0" * (32 * MB)))
    assert raised.value.ending.reason == "bomb"
    assert len(decoder.prefix()) < 8 * MB
    assert decode(encoding, pack(b"\0" * (MB // 2))) == b"\0" * (MB // 2)


@packers
def test_a_page_may_decode_to_exactly_the_limit(encoding, pack):
    assert decode(encoding, pack(PAGE), max_bytes=len(PAGE)) == PAGE
    assert reason(encoding, pack(PAGE), max_bytes=len(PAGE) - 1) == "too_large"


@repeating
@pytest.mark.parametrize("chunk", [1, 10**6])
def test_streams_may_follow_one_another(encoding, pack, chunk):
    assert decode(encoding, pack(b"first, ") + pack(b"second"), chunk=chunk) == b"first, second"
    assert reason(encoding, pack(b"first, ") + pack(b"second")[:-1], chunk=chunk) == "incomplete"


@packers
@pytest.mark.parametrize("chunk", [1, 10**6])
@pytest.mark.parametrize("padding", [b"\0", b"\0" * 600, b"\nSome proxy was here"])
def test_padding_after_the_stream_is_no_part_of_the_page(encoding, pack, padding, chunk):
    assert decode(encoding, pack(PAGE) + padding, chunk=chunk) == PAGE


def test_a_skippable_zstd_frame_is_skipped():
    skippable = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"hello"
    assert decode("zstd", skippable + zstandard.compress(PAGE)) == PAGE


def test_a_zstd_window_beyond_what_browsers_allow_is_corrupt():
    wide = zstandard.ZstdCompressionParameters(window_log=27)
    packer = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    assert reason("zstd", packer.compress(PAGE) + packer.flush()) == "encoding_corrupt"


@pytest.mark.parametrize("encoding", ["", "identity", " Identity ", "identity, identity"])
def test_a_body_that_is_not_encoded_is_taken_as_it_is(encoding):
    assert decode(encoding, PAGE) == PAGE
    assert reason(encoding, PAGE, max_bytes=100) == "too_large"


@pytest.mark.parametrize("encoding", ["gzip, gzip", "compress", "utf-8", "gzip;q=1"])
def test_an_unknown_or_stacked_encoding_is_a_fault(encoding):
    assert reason(encoding, b"") == "encoding"


def test_what_is_offered_is_what_is_undone():
    assert accepted_encodings() == "gzip, deflate, br, zstd"


def test_brotli_is_bounded_and_complete_like_the_others():
    packed = brotli.compress(PAGE)
    assert decode("br", packed) == PAGE
    assert decode("br", packed, chunk=1) == PAGE
    assert reason("br", packed[:-1]) == "incomplete"
    assert reason("br", b"\xff" * 50) == "encoding_corrupt"
    assert reason("br", brotli.compress(b"\0" * (16 * MB), quality=1), max_bytes=MB) == "too_large"


def test_an_encoded_page_keeps_its_size_on_the_wire(server, visitor):
    packed = gzip.compress(PAGE)
    fetched = visitor.fetch(server.page("/", packed, "Content-Encoding: gzip"))
    assert (fetched.body, fetched.wire_bytes) == (PAGE, len(packed))
    assert fetched.headers["content-encoding"] == "gzip"


def test_a_compressed_body_cut_with_a_correct_length_is_incomplete(server, visitor):
    fetched = visitor.fetch(server.page("/", gzip.compress(PAGE)[:-9], "Content-Encoding: gzip"))
    assert (fetched.outcome, fetched.reason, fetched.body) == ("failed", "incomplete", None)


def test_decoded_bytes_have_a_limit_of_their_own(server, visitor):
    visitor.settings["max_decoded_bytes"] = 1000
    fetched = visitor.fetch(server.page("/", gzip.compress(PAGE), "Content-Encoding: gzip"))
    assert (fetched.outcome, fetched.reason) == ("failed", "too_large")
