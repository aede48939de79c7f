"""`calibrate`, and what `status` says of one page afterwards."""

from datetime import timedelta

import pytest

from pipeline.config import load_project
from pipeline.engine import build_engine

KEYS = {
    "site", "page", "page_type", "threshold", "words", "watched", "volatile", "around", "volatile_places", "statement",
    "distances", "applied",
}  # fmt: skip


def test_pages_are_fetched_learned_from_and_their_promise_printed(demo):
    demo.visit_day(1, "noisy-en")
    done = demo.cli("calibrate", "demo", "noisy-en", "--fetches", "4", USER="ann")
    assert (done.status, done.err) == (0, "")
    first, *said = done.out.splitlines()
    assert first.startswith("noisy-en  distances between fetches: ")
    assert first.count(",") == 2
    assert "From 4 fetches: up to" in said[0]
    assert "Any edit of one word or more is seen in the" in said[1]

    status = demo.cli("status", "demo/noisy-en").out
    assert "demo/noisy-en  calibration, not judged" in status
    assert said[1].strip() in status


def test_as_json_each_page_is_a_line_with_its_threshold_and_shares(demo):
    demo.visit_day(1, "fixed", "noisy-en")
    lines = demo.cli("calibrate", "demo", "fixed", "noisy-en", "--json", USER="ann").lines
    assert [line["page"] for line in lines] == ["fixed", "noisy-en"]
    for line in lines:
        assert line.keys() == KEYS
        assert line["threshold"]["applied_by"] == "ann"
        assert line["threshold"]["noise_bits"] >= max(line["distances"])
        assert line["watched"] + line["volatile"] + line["around"] == pytest.approx(1)
    assert lines[0]["distances"] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("calibrate", "dmo"), "did you mean `demo`?"),
        (("calibrate", "demo", "anvl"), "did you mean `anvil`?"),
        (("calibrate", "demo", "--fetches", "1"), "--fetches 1: expected 2 to 50"),
        (("status", "dmo/anvil"), "did you mean `demo`?"),
        (("status", "demo/anvl"), "did you mean `anvil`?"),
    ],
)
def test_what_is_unknown_or_out_of_bounds_is_status_2_with_a_hint(demo, argv, message):
    wrong = demo.cli(*argv)
    assert (wrong.status, wrong.out) == (2, "")
    assert message in wrong.err


def test_a_page_that_never_answers_is_said_and_status_1(demo):
    demo.cli.write("sites/gone.yaml", "pages:\n  - {name: gone, url: 'http://127.0.0.1:9/gone'}\n")
    done = demo.cli("calibrate", "gone", "--fetches", "2")
    assert done.status == 1
    assert "no fetch answered" in done.err


def test_pages_that_another_run_holds_are_said(demo):
    demo.visit_day(1, "fixed")
    project = load_project(demo.cli.folder, None, {})
    engine = build_engine(project, clock=demo.cli.clock, environ={}, run_id="other", command="a test")
    with (
        engine.warehouse.session() as session,
        session.transaction(stage="fetch", run_id="other", now=demo.cli.clock.now()) as transaction,
    ):
        page = session.rows("select_pages", batch=[{"site": "demo"}])[0]
        until = demo.cli.clock.now() + timedelta(minutes=5)
        transaction.execute("claim_pages", batch=[{"page_id": page["page_id"]}], until=until, run_id="other")
    done = demo.cli("calibrate", "demo", page["page_name"], "--fetches", "2")
    assert done.status == 1
    assert "0 of 2 fetches were made; another run holds the pages" in done.err


def test_status_of_a_page_nobody_visited_says_so(demo):
    assert "demo/anvil  no visits yet" in demo.cli("status", "demo/anvil").out
    (line,) = demo.cli("status", "demo/anvil", "--json").lines
    assert (line["site"], line["page"]) == ("demo", "anvil")
