"""`visit`, `status` and `diff` over the served demo site."""

import json
from datetime import timedelta

from pipeline.clock import DEMO_MARK
from pipeline.config import load_project
from pipeline.engine import build_engine, register_sites

VISIT_KEYS = {
    "site", "page", "visit_no", "visited_at", "outcome", "outcome_reason", "http_status", "kind", "kind_reason",
    "confirmation", "also_content", "quality", "distance", "distance_baseline", "threshold", "fields",
    "changed_blocks", "group", "change_id", "next_visit_at",
}  # fmt: skip


def test_pages_are_visited_through_the_whole_pipeline_and_printed(demo):
    first = demo.visit_day(1)
    assert (first.status, first.err) == (0, "")
    assert "anvil  first visit, nothing to compare with yet" in first.out
    second = demo.visit_day(2)
    assert "fixed  none: the same bytes" in second.out
    assert "noisy-en  noise: " in second.out
    assert "anvil  field: a tracked field changed  v6-2\n  price  89.00 EUR → 79.00 EUR\n" in second.out
    assert "blocked: a captcha (captcha)" in demo.visit_day(3, "wall").out


def test_only_the_named_pages_are_visited(demo):
    result = demo.visit_day(1, "terms", "anvil", "--json")
    assert [line["page"] for line in result.lines] == ["anvil", "terms"]
    assert all(line.keys() == VISIT_KEYS for line in result.lines)


def test_a_visit_prints_its_change_as_data(demo):
    demo.visit_day(1, "anvil")
    (line,) = demo.visit_day(2, "anvil", "--json").lines
    assert (line["outcome"], line["kind"], line["change_id"]) == ("ok", "field", "v6-2")
    (field,) = line["fields"]
    assert (field["old"]["amount"], field["new"]["amount"]) == ("89.00", "79.00")


def test_a_text_change_waits_for_a_second_look_and_is_then_confirmed(demo):
    demo.visit_day(1, "terms")
    for day in range(2, 6):
        seen = demo.visit_day(day, "terms").out
        if "content" in seen:
            break
    assert "waits for a second look" in seen
    assert "[-30-]{+14+}" in seen
    assert f"candidate v8-{day}: confirmed if the next good visit still finds it" in seen
    again = demo.visit_day(day, "terms", after=timedelta(minutes=4)).out
    assert f"terms (visit {day})  content: text changed that nothing explains; confirmed by a second look" in again
    assert "terms  none: the same bytes" in again


def test_an_unknown_site_or_page_is_status_2_with_the_nearest_name(demo):
    wrong = demo.cli("visit", "dmo")
    assert (wrong.status, wrong.out) == (2, "")
    assert "did you mean `demo`?" in wrong.err
    wrong = demo.cli("visit", "demo", "anvl")
    assert wrong.status == 2
    assert "did you mean `anvil`?" in wrong.err
    assert not (demo.cli.folder / "data").exists()


def test_a_malformed_site_file_does_not_stop_a_visit_of_another_site(demo):
    demo.cli.write("sites/bad.yaml", "pages: 5\n")
    result = demo.visit_day(1, "fixed")
    assert result.status == 0
    assert "fixed  first visit" in result.out
    assert result.err.startswith("quietdiff: sites/bad.yaml:1: pages: ")
    wrong = demo.cli("visit", "bad")
    assert wrong.status == 2
    assert "sites/bad.yaml:1: pages: " in wrong.err


def test_a_page_that_another_run_holds_is_named_and_status_1(demo):
    project = load_project(demo.cli.folder)
    engine = build_engine(project, clock=demo.cli.clock, environ={}, run_id="other", command="test")
    with engine.warehouse.session() as session:
        register_sites(engine, session)
        with session.transaction(stage="fetch", run_id="other", now=demo.cli.clock.now()) as transaction:
            until = demo.cli.clock.now() + timedelta(days=1)
            transaction.execute("claim_pages", batch=[{"page_id": 1}], until=until, run_id="other")
    result = demo.visit_day(1, "fixed", "terms")
    assert result.status == 1
    assert "not visited: fixed; another run holds them" in result.err
    assert result.out.startswith("terms  ")


def test_status_before_the_first_visit_says_so(demo):
    result = demo.cli("status")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("no visits yet")
    assert "anvil" in result.out


def test_status_shows_last_and_next_visits_failures_and_what_is_overdue(demo):
    demo.visit_day(1)
    demo.visit_day(3)
    out = demo.cli("status").out
    assert "2026-03-04 09:36:00 UTC" in out
    assert "failed: http_500" in out
    assert "overdue\n" not in out
    status = json.loads(demo.cli("status", "--json").out)
    assert status.keys() == {"published_at", "sites", "pages", "problems", "storage"}
    (site,) = status["sites"]
    assert (site["site"], site["pages"], site["visited"], site["failing"], site["overdue"]) == ("demo", 13, 13, 2, 0)
    demo.cli.clock.advance(timedelta(hours=1))
    late = json.loads(demo.cli("status", "--json").out)
    assert late["sites"][0]["overdue"] == 13
    assert "overdue" in demo.cli("status").out
    assert "published copy of 2026-03-04 09:36:00 UTC, 60 minutes ago" in demo.cli("status").out


def test_status_fits_a_terminal_of_eighty_columns(demo):
    demo.visit_day(1)
    demo.visit_day(3)
    shown = demo.cli.on_terminal(80, "status")
    assert max(map(len, shown)) <= 80
    assert shown[0].split() == ["site", "page", "last", "(UTC)", "found", "next", "(UTC)", "failures"]
    (flaky,) = [line for line in shown if " flaky " in line]
    assert flaky.split() == "demo flaky 04 Mar 09:36 failed: http_500 04 Mar 09:51 1".split()
    demo.cli.clock.advance(timedelta(hours=1))
    assert sum(" overdue " in line for line in demo.cli.on_terminal(80, "status")) == 14


def test_status_of_a_demo_is_by_its_own_clock(demo):
    demo.visit_day(1)
    demo.cli.write(f"data/{DEMO_MARK}", "")
    demo.cli.clock.advance(timedelta(days=1))
    out = demo.cli("status").out
    assert out.endswith(
        "a demo, as of 2026-03-02 09:36:00 UTC by its own clock, which stands: no further visit comes\n"
    )
    status = json.loads(demo.cli("status", "--json").out)
    assert status["sites"][0]["overdue"] == 0


def test_status_tells_how_much_room_everything_takes(demo):
    demo.visit_day(1, "fixed")
    storage = json.loads(demo.cli("status", "--json").out)["storage"]
    assert storage["database"] > 0
    assert storage["published"] > 0
    assert storage["blob_count"] == 3  # body, blocks, normalised blocks
    assert "\nstorage: " in demo.cli("status").out


def test_status_shows_problems_of_site_files_and_pages_not_visited_yet(demo):
    demo.visit_day(1, "fixed")
    demo.cli.write("sites/bad.yaml", "pages: 5\n")
    demo.cli.write("sites/new.yaml", 'pages: [{name: a, url: "https://new.example/"}]\n')
    result = demo.cli("status")
    assert result.status == 0
    assert "problem: sites/bad.yaml:1: pages: " in result.out
    status = json.loads(demo.cli("status", "--json").out)
    assert [problem["file"] for problem in status["problems"]] == ["sites/bad.yaml"]
    assert {"site": "new", "page": "a"}.items() <= status["pages"][-1].items()


def test_a_change_is_shown_with_its_fields_and_its_text(demo):
    demo.visit_day(1, "anvil", "supplier")
    demo.visit_day(2, "anvil", "supplier")
    demo.visit_day(3, "supplier")
    out = demo.cli("diff", "v6-2").out
    assert out.startswith("demo / anvil  http://")
    assert "price  89.00 EUR  79.00 EUR" in out
    assert "compared with the visit of 2026-03-02 09:36:00 UTC" in out
    assert "ISO 14001 Environmental management (removed)" in demo.cli("diff", "v7-3").out
    printed = json.loads(demo.cli("diff", "v6-2", "--json").out)
    assert printed["change_id"] == "v6-2"
    assert printed["fields"][0]["name"] == "price"


def test_a_change_that_still_waits_is_shown_as_such(demo):
    demo.visit_day(1, "terms")
    for day in range(2, 6):
        demo.visit_day(day, "terms")
        out = demo.cli("diff", f"v8-{day}").out
        if out:
            break
    assert "waits for a second look" in out
    assert "not among the recorded changes" in out
    assert "[-30-]{+14+}" in out


def test_a_change_that_is_not_there_is_status_2_and_says_how_to_find_one(demo):
    assert "nothing published yet" in demo.cli("diff", "v6-2").err
    demo.visit_day(1, "anvil")
    for name in ("v6-1", "v6-9", "anvil", "v99999999999-1"):
        result = demo.cli("diff", name)
        assert (result.status, result.out) == (2, "")
        assert "SELECT change_id" in result.err
