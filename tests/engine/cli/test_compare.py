"""`compare`: one pair for people and programs, many pairs as JSON lines."""

import json

import pytest

KEYS = {
    "id", "kind", "kind_reason", "also_content", "quality", "distance", "distance_baseline", "threshold",
    "reasons", "fields", "changed_blocks", "group",
}  # fmt: skip


def pairs_of(cli, *lines):
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n"
    return cli.write("many/pairs.jsonl", text)


def test_a_judged_pair_has_exactly_the_stable_keys(cli, pages):
    (line,) = cli("compare", "terms30.html", "terms14.html", "--json").lines
    assert line.keys() == KEYS
    assert (line["kind"], line["kind_reason"], line["quality"]) == ("content", "unexplained", "good")
    assert line["threshold"] == 64
    (block,) = [block for block in line["changed_blocks"] if block["explained_by"] is None]
    assert block["op"] == "replaced"
    assert (block["old"][:34], block["new"][:34]) == (
        "You may return goods within 30 day",
        "You may return goods within 14 day",
    )
    assert block["region"] == "main"
    assert line["group"] is None


def test_a_price_is_an_amount_with_its_currency(cli, pages):
    (line,) = cli("compare", "anvil89.html", "anvil79.html", "--json").lines
    assert (line["kind"], line["kind_reason"]) == ("field", "fields")
    (field,) = line["fields"]
    assert field["name"] == "price"
    assert field["old"] == {"amount": "89.00", "currency": "EUR"}
    assert field["new"] == {"amount": "79.00", "currency": "EUR"}


def test_kind_comes_first_then_fields_then_blocks(cli, pages):
    out = cli("compare", "anvil89.html", "anvil79.html").out.splitlines()
    assert out[0] == "field: a tracked field changed"
    assert out[2] == "  price  89.00 EUR → 79.00 EUR"
    out = cli("compare", "terms30.html", "terms14.html").out.splitlines()
    assert out[0] == "content: text changed that nothing explains"
    assert "  ~ You may return goods within [-30-]{+14+} days of delivery, at our cost." in out


def test_explained_blocks_are_counted_by_reason(cli, pages):
    out = cli("compare", "terms30.html", "terms30later.html").out
    assert out.startswith("noise: ")
    assert "explained blocks: 1 masked" in out


def test_equal_files_show_no_change(cli, pages):
    assert cli("compare", "terms30.html", "terms30.html").out.startswith("none: the same bytes")


def test_either_file_may_be_standard_input(cli, pages):
    body = (pages / "terms14.html").read_bytes()
    for argv in (["-", "terms30.html"], ["terms30.html", "-"]):
        (line,) = cli("compare", *argv, "--json", stdin=body).lines
        assert line["kind"] == "content"
    assert cli("compare", "-", "-", stdin=body).status == 2


def test_a_file_that_is_not_the_page_is_said_to_be_that(cli, pages):
    assert cli("compare", "terms30.html", "empty.html").out.startswith("not the page: a page that could not be read")
    assert cli("compare", "empty.html", "terms30.html").out.startswith("nothing to compare with: the old file is ")
    (line,) = cli("compare", "terms30.html", "empty.html", "--json").lines
    assert (line["kind"], line["kind_reason"], line["quality"]) == (None, "not_good", "extraction_failed")


def test_an_old_file_that_is_not_the_page_gives_its_quality_and_no_kind(cli, pages):
    for new in ("terms30.html", "empty.html"):
        (line,) = cli("compare", "empty.html", new, "--json").lines
        assert line.keys() == KEYS
        assert (line["kind"], line["kind_reason"], line["quality"]) == (None, "not_good", "extraction_failed")
        assert (line["fields"], line["changed_blocks"]) == ([], [])


def test_a_wrapped_line_hangs_below_its_first(cli, pages):
    shown = cli.on_terminal(60, "compare", "terms30.html", "terms14.html")
    assert "distance" in shown[1]
    assert "uncalibrated, so it decides nothing" in " ".join(line.strip() for line in shown)
    at = next(number for number, line in enumerate(shown) if line.startswith("  ~ You may return"))
    assert shown[at + 1].startswith("    ")
    assert max(map(len, shown)) <= 60


def test_rules_of_a_file_are_used(cli, pages):
    cli.write("rules.yaml", "mask: ['\\d+ days']\n")
    assert cli("compare", "terms30.html", "terms14.html", "--rules", "rules.yaml").out.startswith("noise: ")


def test_wrong_rules_are_status_2_with_file_line_and_key(cli, pages):
    cli.write("rules.yaml", "page_type: text\nmaks: []\n")
    result = cli("compare", "terms30.html", "terms14.html", "--rules", "rules.yaml")
    assert result.status == 2
    assert result.err.startswith("quietdiff: rules.yaml:2: maks: ")


def test_pairs_are_judged_in_order_with_paths_relative_to_their_file(cli, pages):
    file = pairs_of(
        cli,
        {"id": "b", "old": "../anvil89.html", "new": "../anvil79.html", "url": "https://shop.example/anvil"},
        {"id": 7, "old": "../terms30.html", "new": "../terms30.html"},
        {"id": "masked", "old": "../terms30.html", "new": "../terms14.html", "rules": {"mask": [r"\d+ days"]}},
    )
    result = cli("compare", "--pairs", file, "--json")
    assert (result.status, result.err) == (0, "")
    assert [(line["id"], line["kind"]) for line in result.lines] == [("b", "field"), (7, "none"), ("masked", "noise")]
    assert all(line.keys() == KEYS for line in result.lines)


def test_rules_of_a_line_may_be_a_file_beside_the_pairs(cli, pages):
    cli.write("many/rules.yaml", "mask: ['\\d+ days']\n")
    line = {"id": 1, "old": "../terms30.html", "new": "../terms14.html", "rules": "rules.yaml"}
    result = cli("compare", "--pairs", pairs_of(cli, line, line | {"id": 2, "rules": "nothere.yaml"}))
    assert result.status == 1
    assert result.lines[0]["kind"] == "noise"
    assert result.lines[1].keys() == {"id", "error"}


@pytest.mark.parametrize(
    ("line", "id_"),
    [
        ("not json", None),
        ("[1]", None),
        ('"text"', None),
        ('{"old": "../terms30.html", "new": "../terms14.html"}', None),
        ('{"id": "x", "new": "../terms14.html"}', "x"),
        ('{"id": "x", "old": 5, "new": "../terms14.html"}', "x"),
        ('{"id": "x", "old": "nothere.html", "new": "../terms14.html"}', "x"),
        ('{"id": "x", "old": "..", "new": "../terms14.html"}', "x"),
        ('{"id": "x", "old": "a\\u0000b", "new": "../terms14.html"}', "x"),
        ('{"id": "x", "old": "../terms30.html", "new": "../terms14.html", "rules": 5}', "x"),
        ('{"id": "x", "old": "../terms30.html", "new": "../terms14.html", "rules": {"maks": []}}', "x"),
        ('{"id": "x", "old": "../terms30.html", "new": "../terms14.html", "url": 5}', "x"),
        ("[" * 100_000, None),
    ],
)
def test_an_unreadable_line_gives_an_error_in_its_place_and_the_rest_goes_on(cli, pages, line, id_):
    good = {"id": "good", "old": "../terms30.html", "new": "../terms14.html"}
    result = cli("compare", "--pairs", pairs_of(cli, good, line, good), "--json")
    assert result.status == 1
    first, bad, last = result.lines
    assert bad.keys() == {"id", "error"}
    assert bad["id"] == id_
    assert bad["error"]
    assert first["kind"] == last["kind"] == "content"


def test_bytes_that_are_no_text_give_an_error_in_their_place(cli, pages):
    result = cli(
        "compare", "--pairs", "-", stdin=b'\xff\xfe\n{"id": 1, "old": "terms30.html", "new": "terms14.html"}\n'
    )
    assert result.status == 1
    assert [line.get("kind") for line in result.lines] == [None, "content"]


def test_pairs_may_come_from_standard_input_relative_to_the_current_folder(cli, pages):
    line = b'\n{"id": "x", "old": "terms30.html", "new": "terms14.html"}\n\n'
    assert [line["kind"] for line in cli("compare", "--pairs", "-", "--json", stdin=line).lines] == ["content"]


def test_a_pairs_file_that_is_not_there_is_status_2(cli):
    result = cli("compare", "--pairs", "nothere.jsonl", "--json")
    assert (result.status, result.out) == (2, "")
    assert "nothere.jsonl" in result.err


def test_pairs_and_files_do_not_go_together(cli, pages):
    assert cli("compare", "terms30.html", "terms14.html", "--pairs", "x.jsonl").status == 2


def test_a_bug_in_one_pair_is_an_error_in_its_place(cli, pages, monkeypatch):
    monkeypatch.setattr("pipeline.engine.offline.fingerprint", lambda *_: 1 / 0)
    good = {"id": "x", "old": "../terms30.html", "new": "../terms14.html"}
    result = cli("compare", "--pairs", pairs_of(cli, good))
    assert result.status == 1
    assert result.lines == [{"id": "x", "error": "unexpected ZeroDivisionError: division by zero"}]


def test_one_line_stays_one_line_for_every_reader(cli, pages):
    line = {"id": "a\u2028b\x85c", "old": "../terms30.html", "new": "../terms14.html"}
    result = cli("compare", "--pairs", pairs_of(cli, line))
    assert len(result.out.splitlines()) == 1
    assert result.lines[0]["id"] == line["id"]


def test_an_id_that_utf8_cannot_hold_comes_back_all_the_same(cli, pages):
    result = cli("compare", "--pairs", pairs_of(cli, '{"id": "\\ud800", "old": "x", "new": "y"}'))
    assert result.lines[0]["id"] == "\ud800"


def test_a_page_cannot_steer_the_terminal(cli):
    cli.write("a.html", "<p>one line that stays as it is, for sure</p><p>old words</p>")
    cli.write("b.html", "<p>one line that stays as it is, for sure</p><p>new \u009b31m \u202e [bold]words[/bold]</p>")
    out = cli("compare", "a.html", "b.html").out
    assert "[bold]words[/bold]" in out
    assert not set(out) & set("\x1b\x9b\u202e")
