"""In which encoding a body is, whoever says what."""

import pytest

from pipeline.classify import assess
from pipeline.engine import History, read
from pipeline.extract.charset import encoding_of, is_garbled
from pipeline.model import Kind, KindReason, Quality, Rules

CHINESE = "价格和其他的词语在这个页面上，产品很好，欢迎购买"
TAIWANESE = "價格和其他的詞語在這個頁面上，產品很好，歡迎購買"
JAPANESE = "この商品の価格は八十九円です。送料は無料です。"
KOREAN = "이 제품의 가격은 팔십구 유로입니다. 배송은 무료입니다."
RUSSIAN = "Цена товара и другие слова на этой странице"
GERMAN = "Der Preis beträgt 89 € – größer, schöner, überall"
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy"
TURKISH = "Fiyatı düşük ürünler için şimdi tıklayın, ığüşöç"
HEBREW = "מחיר המוצר ומילים אחרות בדף זה"
ARABIC = "سعر المنتج وكلمات أخرى في هذه الصفحة"
GREEK = "Η τιμή του προϊόντος και άλλες λέξεις"
LITHUANIAN = "Šio produkto kaina ir kiti žodžiai puslapyje, ąčęėįšųūž"
THAI = "ราคาสินค้าและคำอื่นๆ ในหน้านี้"

ENCODINGS = [
    ("gbk", CHINESE), ("gb18030", CHINESE), ("gb2312", CHINESE), ("big5", TAIWANESE), ("shift_jis", JAPANESE), ("euc-jp", JAPANESE),
    ("iso-2022-jp", JAPANESE), ("euc-kr", KOREAN), ("windows-1251", RUSSIAN), ("koi8-r", RUSSIAN), ("windows-1252", GERMAN),
    ("windows-1250", CZECH), ("windows-1254", TURKISH), ("windows-1255", HEBREW), ("windows-1256", ARABIC), ("windows-1253", GREEK),
    ("windows-1257", LITHUANIAN), ("cp874", THAI), ("utf-8", CHINESE), ("utf-16-le", CHINESE), ("utf-16-be", RUSSIAN),
]  # fmt: skip
UNNAMED = [(name, text) for name, text in ENCODINGS if name != "windows-1257"]
"""Nothing but letters tells the Baltic code page from the Western one."""


def page(text: str, head: str = "") -> str:
    return f"<html><head>{head}<title>Page</title></head><body><p>{text}</p></body></html>"


def texts(reading) -> list[str]:
    return [block.text for block in reading.blocks]


@pytest.mark.parametrize(("name", "text"), ENCODINGS)
def test_the_header_names_the_encoding(read, name: str, text: str) -> None:
    label = name.replace("utf-16-", "utf-16").replace("cp874", "windows-874")
    assert texts(read(page(text).encode(name), content_type=f"text/html; charset={label}")) == [text]
    assert texts(read(text.encode(name), content_type=f'text/plain;charset="{label.upper()}"')) == [text]


@pytest.mark.parametrize(("name", "text"), [pair for pair in ENCODINGS if "utf-16" not in pair[0]])
def test_the_markup_names_the_encoding(read, name: str, text: str) -> None:
    label = name.replace("cp874", "windows-874")
    for head in (f"<meta charset={label}>", f"<meta http-equiv=Content-Type content='text/html; charset={label}'>"):
        assert texts(read(page(text, head).encode(name), content_type="text/html")) == [text]
        assert texts(read(page(text, head).encode(name), content_type="text/html; charset=bogus")) == [text]


@pytest.mark.parametrize(("name", "text"), UNNAMED)
def test_what_nobody_names_is_seen(read, name: str, text: str) -> None:
    assert texts(read(page(text).encode(name), content_type="text/html")) == [text]


@pytest.mark.parametrize("name", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_outweighs_every_label(read, name: str) -> None:
    mark = "\ufeff" if name in {"utf-16-le", "utf-16-be"} else ""
    body = (mark + page(RUSSIAN, "<meta charset=koi8-r>")).encode(name)
    assert texts(read(body, content_type="text/html; charset=windows-1252")) == [RUSSIAN]


@pytest.mark.parametrize(
    ("label", "name", "text"),
    [
        ("utf-8", "gbk", CHINESE),
        ("utf-8", "shift_jis", JAPANESE),
        ("utf-8", "windows-1251", RUSSIAN),
        ("utf-16", "windows-1251", RUSSIAN),
        ("windows-1252", "utf-8", RUSSIAN),
        ("iso-8859-1", "utf-8", CHINESE),
        ("utf-7", "utf-8", GERMAN),
    ],
)
def test_a_label_that_the_bytes_contradict_says_nothing(read, label: str, name: str, text: str) -> None:
    assert texts(read(page(text).encode(name), content_type=f"text/html; charset={label}")) == [text]
    assert texts(read(page(text, f"<meta charset={label}>").encode(name), content_type="text/html")) == [text]


def test_utf_7_is_never_decoded(read) -> None:
    body = b"<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-"
    for content_type in ("text/html; charset=utf-7", "text/html"):
        assert texts(read(body, content_type=content_type)) == ["+ADw-script+AD4-alert(1)+ADw-/script+AD4-"]


def test_the_bytes_are_what_they_were_when_nobody_says(read) -> None:
    body = page(LITHUANIAN).encode("windows-1257")
    assert encoding_of(body, None, "windows-1257") == "windows-1257"
    assert encoding_of(page(JAPANESE).encode("euc-jp"), None, "shift_jis") == "euc-jp"  # what does not fit is not kept
    assert encoding_of(page(CHINESE).encode(), None, "gbk") == "utf-8"
    assert encoding_of(page(CHINESE).encode("gbk"), "windows-1252", "gbk") == "gbk"
    assert encoding_of(page(GERMAN).encode("windows-1252"), "windows-1252", "windows-1251") == "windows-1252"


STEADY = [
    ("text/html; charset=gbk", "gbk", ""),
    ("text/html", "gbk", ""),
    ("text/html; charset=utf-8", "gbk", " "),
    ("text/html; charset=windows-1252", "gbk", "  "),
    ("text/html", "utf-8", ""),
    ("text/html; charset=iso-8859-1", "utf-8", " "),
    ("text/html; charset=bogus", "utf-16-le", ""),
    (None, "utf-8-sig", ""),
]


def test_a_change_of_decoding_alone_is_never_a_change_of_content() -> None:
    history = History()
    for content_type, name, space in STEADY:
        judgement = history.visit(page(CHINESE + space).encode(name), content_type=content_type)
        assert judgement.quality is Quality.GOOD, (content_type, name)
        assert judgement.kind_reason in {KindReason.FIRST, KindReason.BYTES_EQUAL, KindReason.TEXT_EQUAL}, (
            content_type,
            name,
        )
    assert history.visit(page(CHINESE + "了").encode("gbk"), content_type="text/html").kind is Kind.CONTENT


@pytest.mark.parametrize(("broken", "good"), [(0, True), (9, True), (11, False), (300, False)])
def test_more_than_a_hundredth_that_cannot_be_decoded_is_not_the_page(broken: int, good: bool) -> None:
    assert is_garbled("\ufffd" * broken + "a" * (1000 - broken)) is not good
    body = b"a b " * ((1000 - broken) // 4) + "é".encode() * 3 + b"\xff" * broken
    reading, version = read(body, url=None, content_type="text/plain; charset=utf-8", rules=Rules(), visit_no=1)
    if broken in {0, 300}:
        quality = assess(reading.marks, version).quality
        assert ("garbled" in reading.marks) is (quality is not Quality.GOOD)


def test_nul_and_bad_bytes_harm_nothing(read) -> None:
    assert texts(read(b"<p>a\x00b \xff", content_type="text/html; charset=bogus"))
    assert texts(read(b"<p>a\x00b", content_type="text/html")) == ["ab"]
