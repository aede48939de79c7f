"""`try`: other rules over the stored visits of the demo site, with no side effect; and `extract` of a URL."""

import pytest

from tests.engine.cli.conftest import PRODUCT

RULES = """page_type: product
fields:
  - product
  - headline: {type: text, xpath: //h1}
    kilograms: {type: text, css: main p, regex: 'of (\\w+) kilograms'}
"""


@pytest.fixture
def visited(demo):
    """The demo after three days, in which the price of the anvil changed once."""
    for day in (1, 2, 3):
        demo.visit_day(day, "anvil")
    demo.cli.write("rules.yaml", RULES)
    return demo


def files_of(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_new_rules_are_shown_beside_those_in_force_and_nothing_is_written(visited):
    before = files_of(visited.cli.folder / "data")
    result = visited.cli("try", "demo/anvil", "--rules", "rules.yaml")
    assert (result.status, result.err) == (0, "")
    assert "headline" in result.out
    assert "price 89.00 EUR → 79.00 EUR" in result.out
    assert "nothing was written" in result.out
    assert files_of(visited.cli.folder / "data") == before


def test_a_visit_that_comes_out_differently_says_what_was_recorded(visited):
    visited.cli.write("text.yaml", "page_type: text\nregion: {exclude: [main]}\n")
    out = visited.cli("try", "demo/anvil", "--rules", "text.yaml").out
    assert "recorded: field" in out


def test_each_visit_is_a_line_of_json_with_what_was_recorded(visited):
    lines = visited.cli("try", "demo/anvil", "--rules", "rules.yaml", "--json").lines
    assert [line["visit_no"] for line in lines][:2] == [1, 2]
    assert (lines[1]["kind"], lines[1]["recorded"]["kind"]) == ("field", "field")
    assert lines[1]["fields"][0]["name"] == "price"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("anvil", "expected SITE/PAGE"),
        ("demo/anvl", "did you mean `anvil`?"),
        ("dmo/anvil", "did you mean `demo`?"),
        ("demo/terms", "no visit of it has a body that is kept; visit it first: quietdiff visit demo terms"),
    ],
)
def test_a_page_that_cannot_be_tried_says_why(visited, name, message):
    result = visited.cli("try", name, "--rules", "rules.yaml")
    assert (result.status, result.out) == (2, "")
    assert message in result.err


def test_wrong_rules_are_refused_with_their_line(visited):
    visited.cli.write("wrong.yaml", "fields:\n  a: {type: text, xpath: '//p['}\n")
    result = visited.cli("try", "demo/anvil", "--rules", "wrong.yaml")
    assert result.status == 2
    assert "wrong.yaml:2: fields.a.xpath: expected XPath 1.0" in result.err


def test_a_page_can_be_fetched_to_be_read(demo):
    (address,) = [
        line.split()[1] for line in (demo.cli.folder / "sites/demo.yaml").read_text().splitlines() if "/anvil" in line
    ]
    (page,) = demo.cli("extract", address.strip("'\""), "--json").lines
    assert page["fields"]["price"]["value"]["currency"] == "EUR"
    assert not list((demo.cli.folder).glob("data/*.duckdb"))


@pytest.mark.parametrize(
    ("url", "message"),
    [("http://user:pw@shop.example/", "without user name and password"), ("http://127.0.0.1:9/", "nothing was read")],
)
def test_a_page_that_cannot_be_fetched_says_why(demo, url, message):
    result = demo.cli("extract", url)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert "pw" not in result.err


def test_a_second_value_is_shown_beside_the_first(cli):
    page = PRODUCT.replace("<p>{price} EUR</p>", "<p>75.00 EUR</p>").format(price="89.00")
    cli.write("page.html", page)
    (found,) = cli("extract", "page.html", "--json").lines
    assert found["fields"]["price"]["rival"]["value"] == {"amount": "75.00", "currency": "EUR"}
    assert "89.00 EUR; but visible: 75.00 EUR" in " ".join(cli("extract", "page.html").out.split())
