import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.extract.text import count_words, fold, plain, sentences


@pytest.mark.parametrize(
    ("raw", "folded"),
    [
        ("  a \n\t b ", "a b"),
        ("a\u00a0b\u2009c\u202fd", "a b c d"),
        ("a\x00b\x01c\x1fd", "abc d"),
        ("a\ud800b", "ab"),
        ("\u200b\u00ad \ufeff", ""),
        ("zero\u200bwidth stays", "zero\u200bwidth stays"),
        ("", ""),
    ],
)
def test_white_space_is_folded_and_what_cannot_be_printed_goes(raw: str, folded: str) -> None:
    assert fold(raw) == folded


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<p>Soup &amp; bread</p>", "Soup & bread"),
        ("&lt;p&gt;Soup &amp;amp; bread&lt;/p&gt;", "Soup & bread"),
        ("2 < 3 and 4 > 3", "2 < 3 and 4 > 3"),
        ("a<br>b", "a b"),
    ],
)
def test_values_of_structured_data_lose_tags_and_entities(raw: str, text: str) -> None:
    assert plain(raw) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [("one two  three", 3), ("三个汉字呢", 3), ("iPhone 手机 16", 3), ("", 0), ("ราคา", 2), ("naïve café", 2)],
)
def test_a_character_of_a_script_without_spaces_counts_half_a_word(text: str, words: int) -> None:
    assert count_words(text) == words


FILLER = "This sentence is here to make the whole block long enough"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Short. Blocks stay whole.", ["Short. Blocks stay whole."]),
        (f"{FILLER}. Second one!", [f"{FILLER}.", "Second one!"]),
        (f"“{FILLER}.” He said so.", [f"“{FILLER}.”", "He said so."]),
        (f"{FILLER}… and it goes on in lower case.", [f"{FILLER}… and it goes on in lower case."]),
        (f"4.1. {FILLER}. Next one.", [f"4.1. {FILLER}.", "Next one."]),
        (f"{FILLER}, see No. 5 and Art. 12 of it.", [f"{FILLER}, see No. 5 and Art. 12 of it."]),
        (f"{FILLER} of 3. Januar 2024 in Bonn.", [f"{FILLER} of 3. Januar 2024 in Bonn."]),
        (f"{FILLER}, said J. Smith of it.", [f"{FILLER}, said J. Smith of it."]),
        ("这是一个很长的句子。" * 7, ["这是一个很长的句子。"] * 7),
        (f"{FILLER}؟ نعم", [f"{FILLER}؟", "نعم"]),
        (f"{FILLER}। हिन्दी में", [f"{FILLER}।", "हिन्दी में"]),
        (f"{FILLER} version 2.5 of it.", [f"{FILLER} version 2.5 of it."]),
        (f"{FILLER}۔ دوسرا جملہ", [f"{FILLER}۔", "دوسرا جملہ"]),
        (f"{FILLER}។ ទីពីរ", [f"{FILLER}។", "ទីពីរ"]),
        (f"{FILLER}։ Երկրորդ", [f"{FILLER}։", "Երկրորդ"]),
        (f"{FILLER}። ሁለተኛ", [f"{FILLER}።", "ሁለተኛ"]),
        (f"{FILLER}། གཉིས་པ", [f"{FILLER}།", "གཉིས་པ"]),
        (f"{FILLER}။ ဒုတိယ", [f"{FILLER}။", "ဒုတိယ"]),
        (f"{FILLER} είναι; Ναι.", [f"{FILLER} είναι;", "Ναι."]),
        (f"{FILLER}; and it goes on.", [f"{FILLER}; and it goes on."]),
        (
            "บริษัทขอสงวนสิทธิ์ในการเปลี่ยนแปลงเงื่อนไข ลูกค้าสามารถคืนสินค้าได้ภายใน 14 วัน โดยไม่เสียค่าใช้จ่าย",
            ["บริษัทขอสงวนสิทธิ์ในการเปลี่ยนแปลงเงื่อนไข", "ลูกค้าสามารถคืนสินค้าได้ภายใน 14 วัน", "โดยไม่เสียค่าใช้จ่าย"],
        ),
        (f"{FILLER}। डॉ. शर्मा ने 3.5 कहा", [f"{FILLER}।", "डॉ. शर्मा ने 3.5 कहा"]),
        (f"{FILLER} по ул. Ленина и др. Местам.", [f"{FILLER} по ул. Ленина и др. Местам."]),
        (f"{FILLER}, z. B. Bonn, i. d. R. Köln.", [f"{FILLER}, z. B. Bonn, i. d. R. Köln."]),
        (f"{FILLER} 2026. 3. 3. 수정", [f"{FILLER} 2026. 3. 3. 수정"]),
    ],
)
def test_long_blocks_are_split_into_sentences(text: str, pieces: list[str]) -> None:
    assert list(sentences(text)) == pieces


@given(st.text(alphabet="aB .!?。1\"'", max_size=300).map(fold))
def test_splitting_loses_nothing_but_the_spaces_between(text: str) -> None:
    assert "".join(sentences(text)).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("text", ["." * 200_000 + "A", ".'" * 100_000 + " A", "No. " * 50_000, "。" * 100_000])
def test_a_text_of_nothing_but_stops_is_read(text: str) -> None:
    assert sum(map(len, sentences(fold(text)))) > 0
