"""The demo, run once through the real job, held to what the script of the demo site promises, cell by cell."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.demo import empty_folder, run_demo
from assets.demo_report import print_report
from assets.home import open_instance
from pipeline.blobs import BlobStore
from pipeline.clock import DEMO_MARK
from pipeline.codec import decode_diff, printed_value
from pipeline.demo import CYCLE_DAYS, PAGES, Expectation, expectations
from pipeline.errors import UsageError
from pipeline.model import Confirmation, Kind
from pipeline.warehouse import Published
from tests.orchestration.conftest import Demo

EXPECTED = expectations()


@pytest.mark.parametrize("page", [page.name for page in PAGES])
@pytest.mark.parametrize("day", range(1, CYCLE_DAYS + 1))
def test_every_visit_is_judged_as_the_script_promises(demo: Demo, page: str, day: int) -> None:
    expected = [visit for visit in EXPECTED if (visit.page, visit.day) == (page, day)]
    visits = demo.visits(page, day)

    assert [str(row["purpose"]) for row in visits] == [visit.purpose for visit in expected]
    for row, visit in zip(visits, expected, strict=True):
        assert _outcome(row) == (visit.outcome, visit.outcome_reason)
        assert (row["kind"], row["kind_reason"]) == (visit.kind, visit.kind_reason)
        assert _confirmation(row) == visit.confirmation
        assert bool(row["also_content"]) is visit.also_content
        _hold_to_values(demo, row, visit)


def _outcome(row: dict[str, Any]) -> tuple[str, str | None]:
    return row["effective_outcome"], row["outcome_reason"]


def _confirmation(row: dict[str, Any]) -> str | None:
    """`not_needed`, and no judgement at all, are None."""
    return None if row["confirmation"] == Confirmation.NOT_NEEDED else row["confirmation"]


def _hold_to_values(demo: Demo, row: dict[str, Any], visit: Expectation) -> None:
    """Fields that changed with old and new value, and the words that the text lost and gained."""
    if row["diff_sha256"] is None:
        assert not visit.fields
        assert visit.text is None
        return
    fields, blocks = decode_diff(BlobStore(demo.folder.data).get(row["diff_sha256"]))
    changed = {change.name: (printed_value(change.old), printed_value(change.new)) for change in fields}
    assert changed == dict(visit.fields)
    unexplained = [(block.old or "", block.new or "") for block in blocks if block.explained_by is None]
    if visit.text is None:
        assert unexplained == []
    else:
        [(old, new)] = unexplained
        assert visit.text[0] in old
        assert visit.text[1] in new


def test_all_four_kinds_and_failures_occur(demo: Demo) -> None:
    rows = Published(demo.folder.data).rows("select_all_results")
    assert {row["kind"] for row in rows} == {*Kind, None}
    assert {"blocked", "failed"} <= {row["effective_outcome"] for row in rows}


def test_the_view_changes_holds_just_the_changes(demo: Demo) -> None:
    rows = Published(demo.folder.data).query("SELECT page_name, day FROM changes ORDER BY ALL").to_pylist()
    expected = [(visit.page, demo.first_day + timedelta(days=visit.day - 1)) for visit in EXPECTED if visit.counts]
    assert [(row["page_name"], row["day"]) for row in rows] == sorted(expected)


def test_each_changed_field_gives_one_pending_alert_on_the_channel_log(demo: Demo) -> None:
    alerts = Published(demo.folder.data).rows("select_pending_alerts")
    payloads = [json.loads(alert["payload_json"]) for alert in alerts]

    assert {alert["channel"] for alert in alerts} == {"log"}
    expected = {(visit.page, name): values for visit in EXPECTED for name, values in visit.fields.items()}
    assert {(item["page"], item["field"]): (item["old"], item["new"]) for item in payloads} == expected


def test_what_was_lost_and_changed_waits_for_a_reviewer(demo: Demo) -> None:
    rows = Published(demo.folder.data).query(
        "SELECT page_name, cause FROM review_items JOIN pages USING (page_id) ORDER BY ALL"
    )
    assert [(row["page_name"], row["cause"]) for row in rows.to_pylist()] == [
        ("cached", "content"),
        ("terms", "content"),
    ]


def test_each_run_was_one_of_the_real_job_and_succeeded(demo: Demo) -> None:
    with open_instance(demo.folder.home) as instance:
        runs = instance.get_runs()
        assets = instance.get_materialized_partitions(dg.AssetKey("route"))
    confirmations = len({visit.day for visit in EXPECTED if visit.confirmation})

    assert {run.job_name for run in runs} == {"watch"}
    assert {run.status for run in runs} == {dg.DagsterRunStatus.SUCCESS}
    assert len(runs) == CYCLE_DAYS + confirmations
    assert len(assets) == CYCLE_DAYS


def test_it_says_what_it_is_doing(demo: Demo) -> None:
    assert demo.told[0] == "loading the job"
    assert demo.told[1] == f"day 1 of 5: {demo.first_day} 09:00 UTC"


def test_the_report_tells_every_page_once(demo: Demo, capsys: pytest.CaptureFixture[str]) -> None:
    print_report(demo.folder.data, demo.folder.root)
    report = capsys.readouterr().out

    changed, _, rest = report.partition("What was only noise")
    noise, _, rest = rest.partition("What could not be had")
    failures, _, rest = rest.partition("What stood still")
    still, _, rest = rest.partition("Alerts that wait")
    alerts, _, after = rest.partition("Where to look next")
    for name in ("anvil", "supplier", "terms", "cached"):
        assert f"\n  {name}\n" in changed
    for name in ("noisy-en", "noisy-es", "noisy-pt", "noisy-zh", "blink"):
        assert f"\n  {name}  " in noise
    (noisy,) = [line for line in noise.splitlines() if line.startswith("  noisy-en  ")]
    assert re.fullmatch(
        r"  noisy-en  4 visits, noise: every changed block is explained: (\d+ (moved|masked|chrome:aside)(, |$)){3}",
        noisy,
    )
    assert "wall" in failures
    assert "http_500" in failures
    assert "echo, fixed" in still
    assert "were of the kind none" in still
    assert "[-30-]{+14+} days" in changed
    assert "89.00 EUR → 79.00 EUR" in changed
    assert "ISO 14001 Environmental management" in alerts
    assert 'sql "select change_id, seen_at, page_name, kind from changes"' in after


def test_a_second_demo_begins_with_an_empty_folder(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    empty_folder(folder)
    (folder / "dagster").mkdir()
    (folder / "quietdiff.duckdb").touch()
    empty_folder(folder)

    assert [path.name for path in folder.iterdir()] == [DEMO_MARK]


def test_a_folder_that_no_demo_made_is_left_as_it_is(tmp_path: Path) -> None:
    precious = tmp_path / "demo" / "thesis.txt"
    precious.parent.mkdir()
    precious.write_text("years of work", encoding="utf-8")

    with pytest.raises(UsageError, match="not a demo's folder"):
        run_demo(tmp_path, lambda _line: None)
    assert precious.read_text(encoding="utf-8") == "years of work"
    assert not (precious.parent / DEMO_MARK).exists()
