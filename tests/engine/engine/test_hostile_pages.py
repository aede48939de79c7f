"""What is no page or an absurd one: quality says so, it is never content, and never learned from."""

import os
from dataclasses import replace

import pytest

from pipeline.engine import History, compare
from pipeline.model import Kind, Quality
from tests.engine.engine.conftest import html

PAGE = html("<h1>Terms</h1><p>Cancel within 30 days of purchase.</p>")
NOISE = os.urandom(50_000)

BAD = {
    "empty": b"",
    "white space": b" \n\t ",
    "no text": b"<html><head><title>Terms</title></head><body></body></html>",
    "binary": NOISE,
    "a picture": b"\x89PNG\r\n\x1a\n" + NOISE,
    "deep": b"<div>" * 100_000 + b"Terms",
    "one tag of 50,000 attributes": b"<p " + b" ".join(b"a%d=1" % n for n in range(50_000)) + b">Terms",
    "50 MB": b"<p>Terms and conditions apply to all of our customers.</p>" * 900_000,
    "half of it": html("<h1>Terms</h1>")[: len(PAGE) // 3],
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_the_page_is_never_content(name: str) -> None:
    _, judgement = compare(PAGE, BAD[name])
    assert judgement.quality is not Quality.GOOD
    assert judgement.kind is None


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_the_page_teaches_nothing_and_is_no_reference(name: str) -> None:
    history = History(calibrate=2)
    for body in (PAGE, PAGE.replace(b"Terms", b"The terms"), PAGE):
        history.visit(body)
    before = history.memory
    history.visit(BAD[name])
    assert replace(history.memory, doubts=()) == before  # what is doubtful counts for itself alone
    assert history.visit(PAGE.replace(b"30 days", b"14 days")).kind is Kind.CONTENT


def test_a_wrong_charset_label_changes_no_letter_that_is_ascii() -> None:
    page = PAGE.replace(b"<head>", b"<head><meta charset=bogus>")
    _, judgement = compare(page, page.replace(b"30 days", b"14 days"))
    assert judgement.kind is Kind.CONTENT
    assert [(change.old, change.new) for change in judgement.block_changes] == [
        ("Cancel within 30 days of purchase.", "Cancel within 14 days of purchase.")
    ]
