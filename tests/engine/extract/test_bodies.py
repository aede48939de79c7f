"""Bodies that are no HTML: what they are taken for, and the blocks they give."""

import time

import pytest

from pipeline.classify import assess
from pipeline.engine import History, compare, read
from pipeline.extract import pdf as pdf_module
from pipeline.extract.pdf import read_pdf
from pipeline.extract.plain import paragraph_blocks
from pipeline.model import Kind, KindReason, Media, Quality, Region, Rules
from tests.engine.extract.pdfs import pdf


def texts(reading) -> list[str]:
    return [block.text for block in reading.blocks]


def kind(old: bytes, new: bytes) -> tuple[Kind | None, KindReason]:
    _, judgement = compare(old, new)
    return judgement.kind, judgement.kind_reason


# ── what it is ───────────────────────────────────────────────────────────────

RSS = b"<?xml version='1.0'?><rss version='2.0'><channel><title>News</title></channel></rss>"


@pytest.mark.parametrize(
    ("body", "content_type", "media"),
    [
        (b"<!doctype html><p>x", "text/plain", Media.HTML),
        (b"<!doctype html><p>x", "application/json", Media.HTML),
        (b"<!doctype html><p>x", "application/pdf", Media.HTML),
        (b"<p>about %PDF-1.4 files", "text/html", Media.HTML),
        (b"plain words", None, Media.HTML),
        (b'{"a": 1}', None, Media.JSON),
        (b'{"a": 1}', "text/plain", Media.TEXT),
        (b'{"a": 1}', "application/vnd.api+json; charset=utf-8", Media.JSON),
        (b'{"a": 1}\n{"a": 2}', "application/x-ndjson", Media.JSON),
        (b'{"a": 1}', "application/octet-stream", Media.JSON),
        (b"not json", "application/json", Media.TEXT),
        (RSS, "application/rss+xml", Media.FEED),
        (RSS, "text/xml", Media.FEED),
        (RSS, "text/html", Media.FEED),
        (RSS, None, Media.FEED),
        (b"<a><b>x</b></a>", "application/xml", Media.XML),
        (b"<a><b>x</b></a>", "application/atom+xml", Media.XML),
        (b"<?xml version='1.0'?><a>x</a>", None, Media.XML),
        (b"a,b\n1,2", "text/csv", Media.TABLE),
        (b"words", "text/plain", Media.TEXT),
        (b"\xef\xbb\xbfwords", "text/plain", Media.TEXT),
        ("words of text".encode("utf-16-le"), "text/plain", Media.TEXT),
        (pdf(["x"]), "application/pdf", Media.PDF),
        (pdf(["x"]), "text/html", Media.PDF),
        (b"\r\n\r\n" + pdf(["x"]), None, Media.PDF),
        (b"\x89PNG\r\n\x1a\n", "text/html", Media.BYTES),
        (b"PK\x03\x04....", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", Media.BYTES),
        (b"GIF89a", None, Media.BYTES),
        (bytes(range(256)), None, Media.BYTES),
        (b"BMW drivers like it", "text/plain", Media.TEXT),
        (b"words", "image/x-unknown", Media.BYTES),
        (b"", None, Media.HTML),
    ],
)
def test_what_a_body_shows_outweighs_what_it_is_called(read_as, body: bytes, content_type, media: Media) -> None:
    assert read_as(body, content_type).media is media


@pytest.fixture
def read_as(read):
    return lambda body, content_type: read(body, content_type=content_type)


def test_what_it_was_called_is_kept_beside_it(read) -> None:
    lying = read(b"<!doctype html><p>x", content_type="text/plain")
    assert (lying.media, lying.said, lying.read_as) == (Media.HTML, Media.TEXT, Media.HTML)
    honest = read(b"<!doctype html><p>x", content_type="text/html")
    assert (honest.said, honest.read_as) == (Media.HTML, None)
    history = History()
    history.visit(b"<!doctype html><p>One", content_type="text/html")
    judgement = history.visit(b"<!doctype html><p>Two", content_type="text/plain")
    assert (judgement.kind, judgement.read_as) == (Kind.CONTENT, Media.HTML)


# ── JSON ─────────────────────────────────────────────────────────────────────


def test_json_is_compared_by_its_values_whatever_the_order_of_its_keys_and_its_spacing() -> None:
    old = b'{"name": "Anvil", "offers": {"stock": 3, "tags": ["iron", "heavy"]}}'
    assert kind(old, b'{"offers":{"tags":["iron","heavy"],"stock":3},\n"name":"Anvil"}') == (
        Kind.NOISE,
        KindReason.TEXT_EQUAL,
    )
    assert kind(old, old.replace(b"3", b"4"))[0] is Kind.CONTENT
    assert kind(old, old.replace(b"heavy", b"light"))[0] is Kind.CONTENT
    assert kind(old, old.replace(b', "tags": ["iron", "heavy"]', b', "tags": []'))[0] is Kind.CONTENT


def test_the_paths_of_json_are_sorted_and_quoted_where_they_need_it(read) -> None:
    page = read('{"b": [{"x.y": 1, "": 2}], "a": null, "ключ": true}', content_type="application/json")
    assert texts(page) == ["a: null", 'b[0][""]: 2', 'b[0]["x.y"]: 1', '["ключ"]: true']
    assert texts(read("[1, [2]]", content_type="application/json")) == ["[0]: 1", "[1][0]: 2"]
    assert texts(read('"word"', content_type="application/json")) == ["word"]


def test_json_is_bounded_in_depth_and_leaves(read) -> None:
    deep = '{"k": 1, "a":' + '{"a":' * 60 + "1" + "}" * 60 + "}"
    assert texts(read(deep, content_type="application/json")) == ["k: 1"]
    wide = "[" + ",".join(str(n) for n in range(30_000)) + "]"
    assert len(read(wide, content_type="application/json").blocks) == 20_000


# ── feeds and XML ────────────────────────────────────────────────────────────

ATOM = """<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>
<updated>{now}</updated><id>urn:x</id>{entries}</feed>"""
ENTRY = """<entry><title>{title}</title><link href="https://shop.example/{title}?s={now}"/><id>urn:{title}</id><updated>{now}</updated>
<published>2026-03-0{day}</published><summary type="html">&lt;p&gt;The smith says: {text}&lt;/p&gt;</summary></entry>"""


def atom(*items: tuple[str, str], now: str = "2026-03-02T09:00:00Z") -> bytes:
    entries = "".join(
        ENTRY.format(title=title, text=text, day=n % 9 + 1, now=now) for n, (title, text) in enumerate(items)
    )
    return ATOM.format(entries=entries, now=now).encode()


FIRST = ("Anvils", "Anvils are back."), ("Tongs", "Tongs are gone.")


def test_a_feed_is_a_block_an_item_with_what_it_says(read) -> None:
    page = read(atom(*FIRST), content_type="application/atom+xml")
    assert texts(page) == [
        "News", "Anvils | 2026-03-01", "The smith says: Anvils are back.", "Tongs | 2026-03-02", "The smith says: Tongs are gone.",
    ]  # fmt: skip
    assert page.marks == ()


def test_a_feed_that_was_only_made_anew_is_noise() -> None:
    old = atom(*FIRST)
    assert kind(old, atom(*FIRST, now="2026-03-03T10:00:00Z")) == (Kind.NOISE, KindReason.TEXT_EQUAL)
    assert kind(old, atom(FIRST[0], ("Tongs", "Tongs are here.")))[0] is Kind.CONTENT
    assert kind(old, atom(*FIRST, ("Bellows", "New bellows.")))[0] is Kind.CONTENT


def test_rss_1_and_2_and_their_extensions_are_feeds(read) -> None:
    rdf = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title></channel><item><title>Anvils</title>
    <dc:date>2026-03-02</dc:date></item></rdf:RDF>"""
    assert texts(read(rdf, content_type="application/rdf+xml")) == ["News", "Anvils | 2026-03-02"]
    rss = """<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>News</title><lastBuildDate>now</lastBuildDate>
    <item><title>Anvils</title><pubDate>Mon, 2 Mar 2026</pubDate><comments>4</comments><description>Short.</description>
    <content:encoded><![CDATA[<p>The whole story.</p>]]></content:encoded></item></channel></rss>"""
    assert texts(read(rss, content_type="application/rss+xml")) == [
        "News",
        "Anvils | Mon, 2 Mar 2026",
        "The whole story.",
    ]


@pytest.mark.parametrize(
    "xml",
    [
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1:1/">%x;]><a>&x;</a>',
        '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + "".join(
            f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12)
        ) + "]><a>&m;</a>",
        '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd" parse="text"/></a>',
        '<?xml-stylesheet href="http://127.0.0.1:1/x.xsl"?><a>text</a>',
    ],
)  # fmt: skip
def test_xml_fetches_nothing_and_expands_nothing(read, xml: str) -> None:
    began = time.process_time()
    said = " ".join(texts(read(xml, content_type="application/xml")))
    assert "root:" not in said
    assert len(said) < 2000
    assert time.process_time() - began < 5


# ── plain text ───────────────────────────────────────────────────────────────

PROSE = ("The smith heats the iron until it glows, and strikes it with the hammer\nuntil it is what was asked for. Then he looks\n"
         "at what has become of it.")  # fmt: skip


def test_text_that_was_wrapped_otherwise_is_the_same() -> None:
    wide = PROSE.replace("\n", " ")
    assert [block.text for block in paragraph_blocks(PROSE)] == [block.text for block in paragraph_blocks(wide)]
    assert len(paragraph_blocks(PROSE)) == 2


def test_lines_that_stand_for_themselves_are_blocks() -> None:
    robots = "User-agent: *\nDisallow: /cart\nDisallow: /login\n\nSitemap: https://shop.example/sitemap.xml"
    assert [block.text for block in paragraph_blocks(robots)] == [line for line in robots.split("\n") if line]
    table = "anvil,89.00,12\ntongs,19.00,40"
    assert [block.text for block in paragraph_blocks(table)] == table.split("\n")


def test_a_table_is_a_block_a_row(read) -> None:
    page = read("name;price\nanvil und mehr;89\ntongs;19\n", content_type="text/csv")
    assert texts(page) == ["name;price", "anvil und mehr;89", "tongs;19"]


# ── PDF ──────────────────────────────────────────────────────────────────────


def test_a_pdf_is_read_as_text_with_its_running_lines_apart(read) -> None:
    pages = [
        ["Terms of sale", f"Clause {n} says that anvils may be returned within", "30 days.", f"Page {n} of 3"]
        for n in (1, 2, 3)
    ]
    page = read(pdf(*pages, title="Terms", language="en-GB"), content_type="application/pdf")
    assert (page.title, page.language, page.media, page.marks) == ("Terms", "en-GB", Media.PDF, ())
    assert texts(page)[:3] == [
        "Terms of sale",
        "Page 1 of 3",
        "Clause 1 says that anvils may be returned within 30 days.",
    ]
    assert [block.region for block in page.blocks[:3]] == [Region.HEADER, Region.FOOTER, Region.MAIN]


def test_an_edit_of_a_pdf_is_content_and_a_new_date_of_its_making_is_noise() -> None:
    old = pdf(["Anvils may be returned within 30 days."], title="Terms")
    assert kind(old, old.replace(b"30 days", b"14 days"))[0] is Kind.CONTENT
    assert kind(old, old.replace(b"Title(Terms)", b"Title(Other)")) == (Kind.NOISE, KindReason.TEXT_EQUAL)


@pytest.mark.parametrize(
    "body",
    [
        b"%PDF-1.4",
        b"%PDF-1.7\n" + bytes(range(256)) * 40,
        pdf(["x"])[:-200],
        pdf(["x"]).replace(b"/Count 1", b"/Count 99999999"),
        pdf(["x"]).replace(b"/Kids[4 0 R]", b"/Kids[2 0 R]"),
        pdf(["x"]).replace(b"/Parent 2 0 R", b"/Parent 4 0 R"),
    ],
)
def test_a_broken_pdf_is_unreadable_and_harms_nothing(read, body: bytes) -> None:
    page = read(body, content_type="application/pdf")
    assert page.marks in {("unreadable",), ("bytes",), ()}
    assert page.media is Media.PDF


def test_a_pdf_that_takes_too_long_is_given_up(monkeypatch) -> None:
    assert read_pdf(pdf(["x"]), wait_s=0.01).blocks is None
    monkeypatch.setattr(pdf_module, "run", lambda *_, **__: [["no facts"]])
    assert read_pdf(pdf(["x"])).blocks is None


def test_a_pdf_of_pictures_is_compared_by_its_bytes() -> None:
    scan = pdf([])
    assert kind(scan, scan + b"\n%") == (Kind.CONTENT, KindReason.BYTES_DIFFER)


# ── anything else ────────────────────────────────────────────────────────────

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def test_what_has_no_text_is_compared_by_its_bytes_and_says_so() -> None:
    assert kind(PNG, PNG) == (Kind.NONE, KindReason.BYTES_EQUAL)
    _, judgement = compare(PNG, PNG + b"x")
    assert (judgement.kind, judgement.kind_reason, judgement.quality) == (
        Kind.CONTENT,
        KindReason.BYTES_DIFFER,
        Quality.GOOD,
    )
    assert judgement.unexplained_blocks == 1
    assert judgement.block_changes[0].new.startswith("SHA-256 ")


def test_a_picture_in_the_place_of_a_page_is_not_the_page_until_it_has_stayed() -> None:
    history = History()
    page = b"<h1>Terms</h1><p>Cancel within 30 days.</p>"
    assert [history.visit(body).quality for body in (page, PNG, page, PNG, PNG, PNG)] == [
        Quality.GOOD, Quality.EXTRACTION_FAILED, Quality.GOOD, Quality.EXTRACTION_FAILED, Quality.EXTRACTION_FAILED, Quality.GOOD,
    ]  # fmt: skip


def test_a_picture_that_is_called_a_page_is_none() -> None:
    reading, version = read(PNG, url=None, content_type="text/html", rules=Rules(), visit_no=1)
    assert assess(reading.marks, version).quality is Quality.EXTRACTION_FAILED
