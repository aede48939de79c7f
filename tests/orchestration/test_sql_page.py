"""docs/sql.md, followed word by word over the demo's data."""

import csv
import json
import re
import shlex
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pipeline.cli import app, run
from pipeline.demo import expectations
from pipeline.warehouse import Published
from tests.orchestration.conftest import Demo

TEXT = (Path(__file__).parents[2] / "docs" / "sql.md").read_text(encoding="utf-8")
SHOWN_FROM = date(2026, 11, 26)
"""Day 1 of the demo whose answers the page shows."""


@dataclass(frozen=True)
class Question:
    """One query of the page, the answer beside it and the columns it explains."""

    title: str
    sql: str
    answer: str | None
    columns: list[str]


def read_questions() -> list[Question]:
    """Every block of SQL, with what stands between it and the next."""
    questions = []
    for section in TEXT.split("\n## ")[1:]:
        title = section.splitlines()[0]
        for sql, rest in re.findall(r"^```sql\n(.*?)^```\n(.*?)(?=^```sql|\Z)", section, re.MULTILINE | re.DOTALL):
            answer = re.search(r"^```text\n(.*?)^```", rest, re.MULTILINE | re.DOTALL)
            heads = re.findall(r"^\| (`.*?) \|", rest, re.MULTILINE)
            columns = [name for head in heads for name in re.findall(r"`(\w+)`", head)]
            questions.append(Question(title, sql, answer and answer[1], columns))
    return questions


QUESTIONS = read_questions()
EXPECTED = expectations()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def rows_of(demo: Demo, title: str, number: int = 0) -> list[dict[str, Any]]:
    """What the demo answers to the queries of a section."""
    question = [question for question in QUESTIONS if question.title == title][number]
    rows: list[dict[str, Any]] = Published(demo.folder.data).query(question.sql).to_pylist()
    return rows


def quietdiff(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    """What a command prints that does its work."""
    assert run(app, [str(part) for part in argv], {}) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.fixture
def beside_the_demo(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder is one whose data folder is the demo's, which also goes by the name `data/demo`."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "demo").symlink_to(demo.folder.data)
    (tmp_path / "data" / "published").symlink_to(demo.folder.data / "published")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_query_of_the_page_is_held_to() -> None:
    assert len(QUESTIONS) == len(blocks("sql")) == TEXT.count("```sql")
    assert len(QUESTIONS) > 12


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.title)
def test_a_query_has_the_columns_that_the_page_explains_and_rows(demo: Demo, question: Question) -> None:
    answer = Published(demo.folder.data).query(question.sql)
    assert answer.column_names == question.columns
    assert answer.num_rows > 0


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.title)
def test_a_query_gives_the_answer_that_the_page_shows(
    demo: Demo, question: Question, capsys: pytest.CaptureFixture[str]
) -> None:
    told = quietdiff(capsys, "--data", demo.folder.data, "sql", question.sql)
    later = demo.first_day - SHOWN_FROM
    shown = re.sub(r"\d{4}-\d\d-\d\d", lambda day: f"{date.fromisoformat(day[0]) + later}", question.answer or "")
    assert [line.rstrip() for line in told.splitlines()] == shown.splitlines()


def test_the_changes_of_the_week_are_those_of_the_script(demo: Demo) -> None:
    rows = rows_of(demo, "What changed this week?")
    expected = {(visit.page, visit.day, visit.kind) for visit in EXPECTED if visit.counts}
    assert {(row["page_name"], demo.day_of(row["seen_at"]), row["kind"]) for row in rows} == expected
    fields = rows_of(demo, "What changed this week?", 1)
    expected_fields = {(visit.page, visit.day, name) for visit in EXPECTED for name in visit.fields}
    assert {(row["page_name"], demo.day_of(row["seen_at"]), row["field_name"]) for row in fields} == expected_fields


def test_the_kinds_of_each_day_are_those_of_the_script(demo: Demo) -> None:
    for row in rows_of(demo, "How many visits are of each kind?"):
        day = (row["day"] - demo.first_day).days + 1
        visits = [visit for visit in EXPECTED if visit.day == day and visit.purpose == "watch"]
        vanished = [visit for visit in visits if visit.confirmation == "vanished"]
        assert row["visit_count"] == len(visits)
        assert row["noise_count"] == sum(visit.kind == "noise" for visit in visits) + len(vanished)
        assert row["content_count"] == sum(visit.kind == "content" for visit in visits) - len(vanished)
        assert row["none_count"] == sum(visit.kind == "none" for visit in visits)
        assert row["field_count"] == sum(visit.kind == "field" for visit in visits)
        assert row["unjudged_count"] == sum(visit.kind is None for visit in visits)


def test_pages_that_never_change_are_those_without_a_change_in_the_script(demo: Demo) -> None:
    changed = {visit.page for visit in EXPECTED if visit.counts}
    seldom = {visit.page for visit in EXPECTED if visit.outcome in {"blocked", "failed"}}
    names = {row["page_name"] for row in rows_of(demo, "Which pages never change?")}
    assert names == {visit.page for visit in EXPECTED} - changed - seldom


def test_the_delay_is_bounded_by_the_time_since_the_last_good_visit(demo: Demo) -> None:
    for row in rows_of(demo, "How long does a change go unseen?"):
        assert (row["median_at_most_h"], row["median_about_h"], row["longest_h"]) == (24, 12, 24)
    stored = Published(demo.folder.data).query(
        """WITH good AS (SELECT page_id, visit_no, lag(visited_at) OVER (PARTITION BY page_id ORDER BY visit_no) AS before
                         FROM visit_results WHERE effective_outcome IN ('ok', 'not_modified'))
           SELECT f.not_before_at, g.before FROM field_changes f JOIN good g USING (page_id, visit_no)"""
    )
    assert stored["not_before_at"].to_pylist() == stored["before"].to_pylist()


def test_failures_and_costs_are_those_of_the_script(demo: Demo) -> None:
    failures = {row["outcome_reason"]: row["visits"] for row in rows_of(demo, "Why do visits fail?")}
    reasons = [visit.outcome_reason for visit in EXPECTED if visit.outcome_reason]
    assert failures == {reason: reasons.count(reason) for reason in reasons}
    (cost,) = rows_of(demo, "How many visits does a change cost?")
    changes = sum(visit.counts for visit in EXPECTED)
    assert (cost["visits"], cost["changes"]) == (len(EXPECTED), changes)
    assert cost["visits_per_change"] == round(len(EXPECTED) / changes, 1)


def test_the_python_of_the_page_runs_block_after_block(beside_the_demo: Path) -> None:
    names: dict[str, Any] = {}
    said = StringIO()
    with redirect_stdout(said):
        for block in blocks("python"):
            exec(block, names)  # noqa: S102  (our own page)
    assert str(names["lowest"]["anvil"]) == "79.00000000"
    assert str(names["prices"]["from_at"].dtype) == "datetime64[us, UTC]"
    shares = dict(names["noise"].iter_rows())
    assert isinstance(names["noise"], pl.DataFrame)
    assert (shares["noisy-zh"], shares["fixed"]) == (1.0, 0.0)
    assert "noise_share" in said.getvalue()


def test_the_commands_of_the_page_run_and_leave_their_files(
    beside_the_demo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in "".join(blocks("sh")).splitlines():
        program, *argv = shlex.split(line)
        assert program == "quietdiff"
        quietdiff(capsys, *argv)
    written = {path.name: path.stat().st_size for path in beside_the_demo.iterdir() if path.is_file()}
    assert written.keys() == {"prices.parquet", "changes.csv", "alerts.json"}
    assert pl.read_parquet("prices.parquet")["price"].to_list()[0] == 89
    assert pl.read_csv("changes.csv").height == 5


def take(capsys: pytest.CaptureFixture[str], table: str, format_: str) -> Path:
    """Every row of one of the demo's tables or views, in a file."""
    path = Path(f"{table}.{format_}")
    statement = f"SELECT * FROM {table} ORDER BY ALL"
    quietdiff(capsys, "--data", "data/demo", "sql", "--format", format_, "--output", path, statement)
    return path


@pytest.mark.parametrize(
    "table", ["changes", "field_changes", "field_values", "alerts", "visits", "rules", "fingerprints"]
)
def test_parquet_brings_every_row_and_type_to_pandas_and_polars(
    beside_the_demo: Path, capsys: pytest.CaptureFixture[str], table: str
) -> None:
    path = take(capsys, table, "parquet")
    with duckdb.connect("data/published/quietdiff.duckdb", read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        expected = connection.execute(f"SELECT * FROM {table} ORDER BY ALL").to_arrow_table()
    assert expected.num_rows > 0

    assert pl.read_parquet(path).to_dicts() == expected.to_pylist()
    frame = pd.read_parquet(path, dtype_backend="pyarrow")
    assert pa.Table.from_pandas(frame, preserve_index=False).to_pylist() == expected.to_pylist()
    for name, type_ in zip(expected.column_names, expected.schema.types, strict=True):
        if pa.types.is_timestamp(type_):
            assert str(pd.read_parquet(path)[name].dtype) == "datetime64[us, UTC]"
            assert pl.read_parquet_schema(path)[name] == pl.Datetime("us", "UTC")
        if pa.types.is_decimal(type_):
            assert pl.read_parquet_schema(path)[name] == pl.Decimal(28, 8)
            assert {type(value) for value in pd.read_parquet(path)[name].dropna()} <= {Decimal}


def test_csv_and_json_say_of_the_demo_what_is_in_it(
    demo: Demo, beside_the_demo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with take(capsys, "field_changes", "csv").open(encoding="utf-8", newline="") as file:
        cells = {row["field_name"]: row for row in csv.DictReader(file)}
    values = {row["field_name"]: row for row in json.loads(take(capsys, "field_changes", "json").read_bytes())}
    seen = f"{demo.first_day + timedelta(days=1)}T09:00:00Z"
    assert cells["price"]["seen_at"] == values["price"]["seen_at"] == seen
    assert (cells["price"]["old_number"], cells["price"]["difference"]) == ("89", "-10")
    assert (values["price"]["old_number"], values["price"]["difference"]) == (89, -10)
    assert (cells["price"]["members_removed"], values["price"]["members_removed"]) == ("", None)
    lost = ["ISO 14001 Environmental management"]
    assert json.loads(cells["certificates"]["members_removed"]) == values["certificates"]["members_removed"] == lost
    assert (cells["price"]["alertable"], values["price"]["alertable"]) == ("true", True)

    payloads = [row["payload_json"] for row in json.loads(take(capsys, "alerts", "json").read_bytes())]
    prices = [payload["new"] for payload in payloads if payload["field"] == "price"]
    assert prices == [{"amount": "79.00", "currency": "EUR"}]
    with take(capsys, "alerts", "csv").open(encoding="utf-8", newline="") as file:
        assert sorted(str(json.loads(row["payload_json"])) for row in csv.DictReader(file)) == sorted(
            map(str, payloads)
        )


def test_a_day_of_the_page_is_a_day_of_the_demo() -> None:
    assert {date.fromisoformat(day) - SHOWN_FROM for day in re.findall(r"\d{4}-\d\d-\d\d", TEXT)} <= {
        timedelta(days=day) for day in range(5)
    }
