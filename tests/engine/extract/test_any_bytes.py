"""Whatever the bytes are and whatever they are called: always a reading, the same one every time, never an exception."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.engine import compare
from pipeline.extract import MARKS, Arrival, extract
from pipeline.extract.charset import decode, encoding_of
from pipeline.extract.media import sniff
from pipeline.model import Kind, Quality, Reading, Rules
from tests.engine.extract.interstitials import STAND_INS
from tests.engine.extract.pdfs import pdf

TYPES = [
    None, "", ";;", "text/html", "text/html; charset=gbk", "text/plain; charset=utf-16", "text/csv", "application/json", "image/png",
    "application/rss+xml; charset=utf-7", "text/xml; charset=koi8-r", "application/octet-stream", "text/html; charset=\x00",
]  # fmt: skip
SEEDS = [
    b"<!doctype html><html lang=en><head><title>Anvil</title></head><body><main><h1>Anvil</h1><p>89,00 EUR</p></main></body></html>",
    b'{"name": "Anvil", "offers": [{"price": "89.00"}, null, true, 1e400, "\\ud800"]}',
    b"<?xml version='1.0'?><rss><channel><title>News</title><item><title>A</title><pubDate>now</pubDate></item></channel></rss>",
    b"User-agent: *\nDisallow: /cart\n\nSitemap: x\n",
    "Цена товара\n".encode("utf-16"),
    "価格は八十九円です".encode("iso-2022-jp"),
    b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    *(markup.encode() for _, markup in list(STAND_INS.values())[::5]),
]
PIECES = [
    b"<",
    b">",
    b"\x00",
    b"\xff\xfe",
    b"{",
    b"[" * 2000,
    b"<div>" * 2000,
    b"&#x0;",
    b"]]>",
    b"<!--",
    b"\x1b$B",
    b"charset=",
    b'"' * 50,
]
ARRIVAL = Arrival(asked="https://shop.example/anvil", final="https://shop.example/login?next=%2Fanvil", country="de")


def read(body: bytes, content_type: str | None, charset: str | None = None) -> Reading:
    return extract(
        body,
        url="https://shop.example/anvil",
        content_type=content_type,
        rules=Rules(),
        arrival=ARRIVAL,
        charset=charset,
    )


def mutated(seed: bytes, rng: random.Random) -> bytes:
    body = bytearray(seed)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(body) + 1)
        match rng.randrange(4):
            case 0:
                body[at : at + rng.randint(1, 40)] = b""
            case 1:
                body[at:at] = rng.choice(PIECES)
            case 2:
                body[at : at + 1] = bytes([rng.randrange(256)])
            case _:
                body[at:at] = rng.randbytes(rng.randint(1, 30))
    return bytes(body)


@pytest.mark.parametrize("seed", range(len(SEEDS)))
def test_mutated_bodies_give_a_reading_and_the_same_one_again(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    for _ in range(120):
        body, content_type = mutated(SEEDS[seed], rng), rng.choice(TYPES)
        reading = read(body, content_type)
        assert set(reading.marks) <= MARKS.keys()
        assert all(block.text == block.text.strip() != "" for block in reading.blocks)
        assert reading == read(body, content_type)


@given(st.binary(max_size=300), st.sampled_from(TYPES), st.sampled_from([None, "gbk", "utf-7", "windows-1257", ""]))
def test_any_bytes_give_a_reading(body: bytes, content_type: str | None, charset: str | None) -> None:
    if b"%PDF-" not in body:  # which would start a process each
        assert set(read(body, content_type, charset).marks) <= MARKS.keys()


@given(st.binary(max_size=300), st.text(max_size=20), st.text(max_size=20))
def test_any_label_gives_an_encoding_of_the_web(body: bytes, label: str, before: str) -> None:
    encoding = encoding_of(body, label, before)
    assert encoding != "utf-7"
    assert isinstance(decode(body, encoding), str)
    assert sniff(body, f"text/html; charset={label}")


@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from([None, "de", "zz"]))
def test_any_addresses_give_marks(asked: str, final: str, country: str | None) -> None:
    arrival = Arrival(asked=asked, final=f"https://shop.example/{final}", country=country)
    reading = extract(b"<p>x", url=final, content_type="text/html", rules=Rules(), arrival=arrival)
    assert set(reading.marks) <= MARKS.keys()


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=4)
                    | st.dictionaries(st.text(max_size=5), inner, max_size=4), max_leaves=20))  # fmt: skip
def test_any_json_is_equal_to_itself_with_its_keys_turned_around(value: object) -> None:
    import json  # noqa: PLC0415

    def turned(node: object) -> object:
        if isinstance(node, dict):
            return {key: turned(node[key]) for key in reversed(node)}
        return [turned(inner) for inner in node] if isinstance(node, list) else node

    one, two = (read(json.dumps(v).encode(), "application/json").blocks for v in (value, turned(value)))
    assert one == two


@pytest.mark.parametrize("seed", range(6))
def test_mutated_pdfs_give_a_reading(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    body = mutated(pdf(["Anvils may be returned within 30 days."], title="Terms"), rng)
    assert set(read(b"%PDF-1.4\n" + body, "application/pdf").marks) <= MARKS.keys()


@pytest.mark.parametrize("body", SEEDS[:7])
def test_a_body_of_another_kind_than_before_is_judged_or_not_good(body: bytes) -> None:
    for other in SEEDS[:7]:
        _, judgement = compare(body, other)
        assert (judgement.kind is None) == (judgement.quality is not Quality.GOOD)
        assert judgement.kind in {None, *Kind}
