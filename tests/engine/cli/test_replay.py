"""`replay`: versions of one page, or many histories site by site."""

import json

import pytest

from pipeline.engine import History
from tests.engine.cli.conftest import TERMS


def histories_of(cli, *lines):
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n"
    return cli.write("many/histories.jsonl", text)


FILES = ["../terms30.html", "../terms30later.html", "../terms14.html"]


def test_versions_are_judged_in_order(cli, pages):
    lines = cli("replay", "terms30.html", "terms30later.html", "terms14.html", "terms14.html", "--json").lines
    assert [line["kind_reason"] for line in lines] == ["first", "text_equal", "unexplained", "bytes_equal"]
    assert [line["version"] for line in lines] == [0, 1, 2, 3]
    assert [line["id"] for line in lines][:2] == ["terms30.html", "terms30later.html"]


def test_people_see_a_line_a_version_with_what_changed(cli, pages):
    out = cli("replay", "anvil89.html", "anvil79.html", "terms14.html").out
    assert "first visit, nothing to compare with yet" in out
    assert "field: a tracked field changed" in out
    assert "price 89.00 EUR → 79.00 EUR" in out


def test_the_first_versions_may_be_calibration(cli, pages):
    cli.write("terms7.html", TERMS.format(days=30, clock="10:15:30").replace("tax", "all tax"))
    files = ("terms30.html", "terms14.html", "terms30.html", "terms7.html")
    lines = cli("replay", *files, "--calibrate", "2", "--json").lines
    # What differed between rapid fetches is this page's habit; a word elsewhere is not.
    assert [line["kind_reason"] for line in lines] == ["calibration", "calibration", "explained", "unexplained"]
    assert {block["explained_by"] for block in lines[2]["changed_blocks"]} == {"ledger"}
    assert lines[2]["threshold"] < 64


def test_one_version_may_be_standard_input(cli, pages):
    body = (pages / "terms14.html").read_bytes()
    lines = cli("replay", "terms30.html", "-", "--json", stdin=body).lines
    assert lines[1]["kind"] == "content"


def test_no_file_or_a_missing_file_is_status_2(cli, pages):
    assert cli("replay").status == 2
    assert cli("replay", "terms30.html", "nothere.html").status == 2
    assert cli("replay", "terms30.html", "--histories", "x.jsonl").status == 2
    assert cli("replay", "--histories", "nothere.jsonl").status == 2


def test_histories_give_a_line_for_each_version(cli, pages):
    file = histories_of(
        cli,
        {"id": "terms", "files": FILES},
        {"id": "anvil", "files": ["../anvil89.html", "../anvil79.html"], "calibrate": 1, "url": "https://a.example/"},
        {"id": "masked", "files": FILES, "rules": {"mask": [r"\d+ days"]}},
        {"id": "none", "files": []},
    )
    result = cli("replay", "--histories", file, "--json")
    assert (result.status, result.err) == (0, "")
    assert [(line["id"], line["version"], line["kind"]) for line in result.lines] == [
        ("terms", 0, None),
        ("terms", 1, "noise"),
        ("terms", 2, "content"),
        ("anvil", 0, None),
        ("anvil", 1, "field"),
        ("masked", 0, None),
        ("masked", 1, "noise"),
        ("masked", 2, "noise"),
    ]


def test_histories_of_one_site_run_in_order_of_time_and_are_printed_by_line(cli, pages, monkeypatch):
    seen = []
    visit = History.visit
    monkeypatch.setattr(History, "visit", lambda self, body, at: (seen.append(self.url), visit(self, body, at=at))[1])
    site = {"site": "s", "files": FILES}
    file = histories_of(
        cli,
        site | {"id": "a", "times": [10, 30, 50], "url": "https://a.example/"},
        {"id": "other", "files": FILES[:1], "url": "https://other.example/"},
        site | {"id": "b", "times": [20.5, 30, 40], "url": "https://b.example/"},
    )
    lines = cli("replay", "--histories", file, "--json").lines
    order = "".join(url.removeprefix("https://")[0] for url in seen)
    assert order == "abab" + "ba" + "o"
    assert [(line["id"], line["version"]) for line in lines] == [
        *(("a", version) for version in range(3)),
        *(("b", version) for version in range(3)),
        ("other", 0),
    ]


def test_versions_keep_their_order_where_their_times_go_back(cli, pages):
    line = {"id": "a", "site": "s", "files": FILES, "times": [10, 5, 7]}
    lines = cli("replay", "--histories", histories_of(cli, line, line | {"id": "b"}), "--json").lines
    assert [line["kind_reason"] for line in lines] == ["first", "text_equal", "unexplained"] * 2


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        {"id": "bad"},
        {"id": "bad", "files": "x.html"},
        {"id": "bad", "files": [1]},
        {"id": "bad", "files": FILES, "site": 5},
        {"id": "bad", "files": FILES, "site": "s", "times": [1]},
        {"id": "bad", "files": FILES, "site": "s", "times": ["a", "b", "c"]},
        {"id": "bad", "files": FILES, "site": "s", "times": 5},
        {"id": "bad", "files": FILES, "calibrate": -1},
        {"id": "bad", "files": FILES, "calibrate": True},
        {"id": "bad", "files": FILES, "calibrate": "2"},
        {"id": "bad", "files": FILES, "rules": {"fields": 5}},
    ],
)
def test_an_unreadable_line_gives_one_error_in_its_place(cli, pages, bad):
    good = {"id": "good", "files": FILES[:2]}
    result = cli("replay", "--histories", histories_of(cli, good, bad, good), "--json")
    assert result.status == 1
    assert [line["id"] for line in result.lines] == ["good", "good", None if bad == "{" else "bad", "good", "good"]
    assert result.lines[2].keys() == {"id", "error"}


def test_a_missing_version_gives_its_error_and_the_others_are_judged(cli, pages):
    files = [FILES[0], "nothere.html", FILES[2]]
    result = cli("replay", "--histories", histories_of(cli, {"id": "x", "files": files}), "--json")
    assert result.status == 1
    first, missing, last = result.lines
    assert missing.keys() == {"id", "version", "error"}
    assert missing["version"] == 1
    assert (first["version"], last["version"], last["kind"]) == (0, 2, "content")


def test_options_hold_for_lines_that_do_not_say(cli, pages):
    cli.write("rules.yaml", "mask: ['\\d+ days']\n")
    line = {"id": "a", "files": FILES}
    file = histories_of(cli, line, line | {"id": "b", "calibrate": 0, "rules": {}})
    lines = cli("replay", "--histories", file, "--calibrate", "1", "--rules", "rules.yaml").lines
    assert [line["kind_reason"] for line in lines] == [
        *("calibration", "text_equal", "text_equal"),
        *("first", "text_equal", "unexplained"),
    ]


def site_of(cli, name, *mains):
    """Saved versions of one page, each with a long steady part."""
    steady = "".join(f"<p>Clause {n} of {name} stands as agreed between the parties.</p>" for n in range(30))
    for number, main in enumerate(mains):
        cli.write(f"many/{name}{number}.html", f"<html><body>{main}<main><h1>{name}</h1>{steady}</main></body></html>")
    return {"id": name, "site": "s", "files": [f"{name}{number}.html" for number in range(len(mains))]}


BANNER = "<p>All our offices are closed on Friday.</p>"
HOUR = 3600


def groups_of(cli, *lines):
    return {(line["id"], line["version"]): line["group"] for line in
            cli("replay", "--histories", histories_of(cli, *lines), "--json").lines}  # fmt: skip


def test_one_change_on_two_pages_of_a_site_is_one_event_named_after_the_visit_that_showed_it_first(cli):
    late = site_of(cli, "late", "", BANNER) | {"times": [0, 20 * HOUR]}
    early = site_of(cli, "early", "", BANNER) | {"times": [0, 10 * HOUR]}
    own = site_of(cli, "own", "", BANNER + "<p>Here is something else again.</p>") | {"times": [0, 15 * HOUR]}
    elsewhere = site_of(cli, "elsewhere", "", BANNER) | {"times": [0, 15 * HOUR], "site": "t"}
    found = groups_of(cli, late, early, own, elsewhere)
    assert {key: name for key, name in found.items() if name} == {("late", 1): "early:1", ("early", 1): "early:1"}


def test_without_times_or_more_than_36_hours_apart_nothing_is_grouped(cli):
    one, two = site_of(cli, "one", "", BANNER), site_of(cli, "two", "", BANNER)
    assert set(groups_of(cli, one, two).values()) == {None}
    assert set(groups_of(cli, one | {"times": [0, 1]}, two).values()) == {None}
    assert set(groups_of(cli, one | {"times": [0, 1]}, two | {"times": [0, 37 * HOUR]}).values()) == {None}


def test_a_new_menu_entry_is_noise_of_every_page_and_one_event(cli):
    menu = "<nav><ul><li><a href=/>Home</a></li>{}</ul></nav>"
    entry = "<li><a href=/jobs>Careers at our company</a></li>"
    lines = [
        site_of(cli, name, menu.format(""), menu.format(entry)) | {"times": [0, number * HOUR]}
        for number, name in enumerate(("one", "two", "three"))
    ]
    result = cli("replay", "--histories", histories_of(cli, *lines), "--json")
    later = [line for line in result.lines if line["version"] == 1]
    assert [(line["kind"], line["group"]) for line in later] == [("noise", "one:1")] * 3
