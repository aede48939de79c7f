import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.normalize import fold


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("“Don’t”", '"Don\'t"'),
        ("«oui» ‹non›", "\"oui\" 'non'"),
        ("2019–2026", "2019-2026"),
        ("a — b", "a -- b"),
        ("−5 °C", "-5 °C"),
        ("wait…", "wait..."),
        ("co\u00adoperate", "cooperate"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("\u202bשלום\u202c", "שלום"),
        ("1\u202f204\u00a0€", "1 204 €"),
        ("two\t\r\n  words ", "two words"),
        ("cafe\u0301", "café"),
        ("e\u200d\u0301", "é"),
        ("❤\ufe0f", "❤"),
        ("\u2126", "\u03a9"),
        ("1\u20442", "1/2"),
    ],
)
def test_what_looks_the_same_folds_to_the_same(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    "text", ["m² and m2", "½ cup", "19,90 €", "５０", "ﬁne", "Straße", "a < b > c", "+5 % - 3 %", "₂O", "①", "Ünïcödé"]
)
def test_signs_case_and_compatibility_forms_are_kept(text):
    assert fold(text) == text


def test_superscripts_do_not_become_digits():
    assert fold("10 m²") != fold("10 m2")


def test_a_lone_surrogate_is_replaced():
    assert fold("a\ud83d b") == "a\ufffd b"
    fold("\udc00\ud800").encode()


def test_a_text_of_nothing_visible_folds_to_nothing():
    assert fold("\u200b\u00ad \u2060\x00") == ""


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Z", "C"])))
def test_folding_twice_is_folding_once(text):
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_folded_text_is_composed_single_spaced_and_encodable(text):
    folded = fold(text)
    assert unicodedata.is_normalized("NFC", folded)
    assert folded.split() == [word for word in folded.split(" ") if word]
    assert folded == folded.strip()
    assert "\n" not in folded
    folded.encode()


@given(st.text(st.sampled_from("abcABC019%+-<>=&$€£.,;:!?()[]{}#@*~^|\\/_ "), max_size=40))
def test_plain_text_loses_nothing_but_white_space_and_runs_of_dashes(text):
    assert [sign for sign in fold(text) if sign not in " -"] == [sign for sign in text if sign not in " -"]
