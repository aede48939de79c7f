import pytest

from pipeline.model import FieldSpec, FieldState, FieldType


def texts(reading) -> list[str]:
    return [block.text for block in reading.blocks]


RUSSIAN = "Цена товара и другие слова на этой странице"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (f"<p>{RUSSIAN}".encode("cp1251"), "text/html; charset=windows-1251"),
        (f"<p>{RUSSIAN}".encode("cp1251"), 'text/html;charset="windows-1251"'),
        (f"<meta charset=windows-1251><p>{RUSSIAN}".encode("cp1251"), "text/html"),
        (f"<meta charset=windows-1251><p>{RUSSIAN}".encode("cp1251"), "text/html; charset=bogus"),
        (f"<meta charset=windows-1251><p>{RUSSIAN}".encode(), "text/html; charset=utf-8"),
        (f"<p>{RUSSIAN}".encode("cp1251"), "text/html"),
        (f"<p>{RUSSIAN}".encode(), None),
        (f"<p>{RUSSIAN}".encode("utf-8-sig"), "text/html; charset=windows-1251"),
        (f"<p>{RUSSIAN}".encode("utf-16"), "text/html; charset=utf-8"),
        (RUSSIAN.encode("cp1251"), "text/plain; charset=windows-1251"),
        (RUSSIAN.encode("utf-8-sig"), "text/plain"),
        (f'<?xml version="1.0" encoding="windows-1251"?><a>{RUSSIAN}</a>'.encode("cp1251"), "application/xml"),
        (f"<a>{RUSSIAN}</a>".encode(), "text/xml; charset=bogus"),
    ],
)
def test_the_encoding_is_that_of_bom_header_declaration_or_text(read, body: bytes, content_type: str | None) -> None:
    assert texts(read(body, content_type=content_type)) == [RUSSIAN]


@pytest.mark.parametrize("label", ["utf-7", "bogus", ";;", "", "idna", "hex", "undefined", "rot13"])
def test_a_label_that_is_no_encoding_says_nothing(read, label: str) -> None:
    for kind in ("text/html", "text/plain", "application/json"):
        assert read(b'"caf\xc3\xa9"', content_type=f"{kind}; charset={label}").blocks[0].text.strip('"') == "café"


def test_json_is_one_block_a_leaf(read) -> None:
    page = read(
        '{"a": {"b": [1, "x  y", null, true]}, "c": 1.50, "d": {}}', content_type="application/ld+json; charset=utf-8"
    )
    assert texts(page) == ["a.b[0]: 1", "a.b[1]: x y", "a.b[2]: null", "a.b[3]: true", "c: 1.50", "d: {}"]
    assert [block.path for block in page.blocks][:2] == ["a.b[0]", "a.b[1]"]
    assert (page.page_type, page.title, page.language) == ("text", None, None)


def test_json_of_a_thing_tells_its_page_type(read) -> None:
    page = read('{"@type": "Product", "name": "Anvil", "offers": {"price": 5}}', content_type="application/ld+json")
    assert page.page_type == "product"
    assert {value.name: value.text for value in page.fields if value.text} == {"name": "Anvil", "price": "5"}


def test_json_that_does_not_parse_is_text(read) -> None:
    assert texts(read('{"a": ', content_type="application/json")) == ['{"a":']
    assert texts(read("[" * 100_000 + "1", content_type="application/json"))


def test_deep_json_is_read_to_a_depth(read) -> None:
    assert read('{"a":' * 200 + "1" + "}" * 200, content_type="application/json").blocks == ()


def test_plain_text_is_a_block_a_paragraph(read) -> None:
    assert texts(read("One\nline.\n\n Two \n\n\n", content_type="text/plain")) == ["One line.", "Two"]


def test_xml_is_read_without_expanding_entities(read) -> None:
    feed = '<?xml version="1.0"?><rss><channel><title>T</title><item><title>I</title><link>https://e.example/</link></item></channel></rss>'
    assert texts(read(feed, content_type="application/rss+xml")) == ["T", "I"]
    assert texts(read(feed, content_type=None)) == ["T", "I"]
    bomb = '<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;">]><a>&m;</a>'
    assert "lollol" not in " ".join(texts(read(bomb, content_type="text/xml")))


def test_xml_that_is_not_well_formed_is_read_as_html(read) -> None:
    assert texts(read("<a><b>x</a>", content_type="text/xml")) == ["x"]


def test_html_is_html_whatever_it_is_called(read) -> None:
    page = "<!doctype html><p>x</p>"
    for content_type in ("text/plain", "application/json", "application/octet-stream", None):
        assert texts(read(page, content_type=content_type)) == ["x"]
    assert texts(
        read('<?xml version="1.0"?><html><body><p>x</p></body></html>', content_type="application/xhtml+xml")
    ) == ["x"]


@pytest.mark.parametrize(
    ("body", "content_type", "mark"),
    [
        (b"%PDF-1.4\n<html>", "application/pdf", "unreadable"),
        (b"%PDF-1.4", "text/html", "unreadable"),
        (b"\x89PNG\r\n", None, "bytes"),
        (b"\x89PNG\r\n", "image/png", "bytes"),
        (b"\x89PNG\r\n", "text/html", "not_text"),
        (b"PK\x03\x04", "text/plain", "not_text"),
        (bytes(range(256)) * 4, None, "not_text"),
        (bytes(range(256)) * 4, "application/octet-stream", "bytes"),
        (bytes(range(256)) * 4, "text/plain", "not_text"),
        (b"anything", "image/svg+thing", "bytes"),
    ],
)
def test_what_is_no_text_is_marked_and_its_fields_are_missing(
    read, body: bytes, content_type: str | None, mark: str
) -> None:
    specs = (FieldSpec(name="price", type=FieldType.PRICE), FieldSpec(name="x", type=FieldType.TEXT, css="p"))
    page = read(body, content_type=content_type, page_type="product", fields=specs)
    assert (page.marks, page.blocks, page.words) == ((mark,), (), 0)
    assert [(value.state, value.source) for value in page.fields] == [
        (FieldState.MISSING, "json_ld"),
        (FieldState.MISSING, "css"),
    ]


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ("<html lang=de-AT>", "de-AT"),
        ("<html lang='pt_BR'>", "pt-BR"),
        ("<html xml:lang=fr>", "fr"),
        ("<html lang=''>", None),
        ("<html lang='de, en'>", None),
        ("<p lang=de>", None),
    ],
)
def test_the_language_is_the_pages_own_unless_the_rules_name_one(read, markup: str, language: str | None) -> None:
    assert read(markup).language == language
    assert read(markup, language="ja").language == "ja"


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<title> A\n title </title>", "A title"),
        ("<svg><title>no</title></svg><p>x", None),
        ("<title></title>", None),
    ],
)
def test_the_title_is_that_of_the_document(read, markup: str, title: str | None) -> None:
    assert read(markup).title == title


@pytest.mark.parametrize("url", ["", "http://[", "not a url", "https://e.example:99999/", "javascript:void(0)"])
def test_an_address_that_is_none_does_no_harm(read, url: str) -> None:
    page = "<base href='http://['><link rel=canonical href='http://['><h1>x</h1><a href='http://['>y</a>"
    specs = (FieldSpec(name="u", type=FieldType.URL, css="a"), FieldSpec(name="p", type=FieldType.PRICE, css="h1"))
    assert texts(read(page, url=url, fields=specs, page_type="text")) == ["x", "y"]
