"""`sql`: the published copy in four formats."""

import json
from pathlib import Path

import pytest
from pyarrow import parquet

from pipeline.config import load_project
from pipeline.engine import build_engine
from pipeline.warehouse import Published

VALUES = """SELECT TIMESTAMPTZ '2026-03-02 10:00:00.5+01' AS at, 89.5::DECIMAL(28,8) AS price, NULL AS nothing,
['a', 'b'] AS members, TRUE AS yes, 0.1 + 0.2::DOUBLE AS sum, DATE '2026-03-02' AS day, 'é, "x"' AS text"""


@pytest.fixture
def published(cli):
    project = load_project(cli.folder)
    engine = build_engine(project, clock=cli.clock, environ={}, run_id="test", command="test")
    with engine.warehouse.session():
        pass
    engine.warehouse.publish(cli.clock.now(), force=True)
    return cli


def test_a_table_is_plain_text_with_utc_times_and_visible_nulls(published):
    head, row = published("sql", VALUES).out.splitlines()
    assert head.split() == ["at", "price", "nothing", "members", "yes", "sum", "day", "text"]
    assert row.split()[:5] == ["2026-03-02", "09:00:00", "UTC", "89.5", "NULL"]
    assert '["a", "b"]' in row
    assert row.endswith('2026-03-02  é, "x"')


def test_a_long_value_is_neither_cut_nor_wrapped(published):
    assert "x" * 5_000 in published("sql", "SELECT repeat('x', 5000) AS x, 1 AS y").out.splitlines()[1]


def test_json_is_one_array_with_a_row_a_line(published):
    out = published("sql", VALUES + " UNION ALL " + VALUES, "--format", "json").out
    assert len(out.splitlines()) == 2
    row = json.loads(out)[0]
    assert row == {
        "at": "2026-03-02T09:00:00.500000Z",
        "price": 89.5,
        "nothing": None,
        "members": ["a", "b"],
        "yes": True,
        "sum": pytest.approx(0.3),
        "day": "2026-03-02",
        "text": 'é, "x"',
    }
    assert json.loads(published("sql", "SELECT 1 AS a WHERE FALSE", "--format", "json").out) == []


def test_csv_has_a_head_line_and_empty_nulls(published):
    head, row = published("sql", VALUES, "--format", "csv").out.splitlines()
    assert head == "at,price,nothing,members,yes,sum,day,text"
    assert row.startswith('2026-03-02T09:00:00.500000Z,89.5,,"[""a"", ""b""]",true,')


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1234567890123456789.12345678::DECIMAL(28,8)", "1234567890123456789.12345678"),
        ("sum(1)", 1),
        ("'nan'::DOUBLE", None),
        ("'ab'::BLOB", "6162"),
        ("TIMESTAMP '2026-03-02 10:00:00'", "2026-03-02T10:00:00"),
        ("INTERVAL '1 month 2 days 01:02:03.5'", "1 month 2 days 01:02:03.500000"),
        ("TIMESTAMP '2026-03-02 10:00:00' - TIMESTAMP '2026-03-02 11:00:00'", "-01:00:00"),
        ("INTERVAL 0 SECOND", "00:00:00"),
        ("{'a': [1.50::DECIMAL(10,2)]}", {"a": [1.5]}),
        ("TIME '10:00:00'", "10:00:00"),
        ("18446744073709551615::UBIGINT", 18446744073709551615),
        ("170141183460469231731687303715884105727::HUGEINT", 170141183460469231731687303715884105727),
        ("MAP {'noise': 3}", {"noise": 3}),
        (
            """'{"amount": "89.00", "n": [1.50, 1e400, 9007199254740993.5], "none": null}'::JSON""",
            {"amount": "89.00", "n": [1.5, "1e400", "9007199254740993.5"], "none": None},
        ),
        ("NULL::JSON", None),
        ("'\"a\"'::JSON", "a"),
    ],
)
def test_every_type_has_a_json_value(published, expression, value):
    (row,) = json.loads(published("sql", f"SELECT {expression} AS x", "--format", "json").out)
    assert row["x"] == value
    assert published("sql", f"SELECT {expression} AS x").status == 0


@pytest.mark.parametrize("format_", ["table", "csv", "json"])
@pytest.mark.parametrize("value", ["'101'::BIT", "TIMETZ '10:00:00+01'", "1::UHUGEINT", "1::BIGNUM", "['1'::BIT]"])
def test_a_type_that_would_be_handed_over_wrong_is_refused_and_is_right_as_text(published, value, format_):
    refused = published("sql", f"SELECT {value} AS x", "--format", format_)
    assert refused.status == 2
    assert "make it text: ::VARCHAR" in refused.err
    assert published("sql", f"SELECT ({value})::VARCHAR AS x", "--format", format_).status == 0
    assert published("sql", "SELECT 'BIT'::ENUM('BIT') AS x, {'BIT': 1} AS y").status == 0


def test_columns_of_one_name_are_told_apart(published):
    (row,) = json.loads(published("sql", "SELECT 1 AS a, 2 AS a, 3 AS a_2", "--format", "json").out)
    assert list(row.values()) == [1, 2, 3]


def test_parquet_goes_to_a_file(published):
    result = published("sql", VALUES, "--format", "parquet", "--output", "out.parquet")
    assert (result.status, result.out) == (0, "")
    assert parquet.read_table(published.folder / "out.parquet").num_rows == 1
    refused = published("sql", VALUES, "--format", "parquet")
    assert refused.status == 2
    assert "--output" in refused.err


def test_parquet_has_columns_of_different_names_and_intervals_as_text(published):
    published(
        "sql",
        "SELECT 1 AS a, INTERVAL '1 day 2 hours' AS a, NULL::INTERVAL AS b",
        "--format",
        "parquet",
        "--output",
        "o",
    )
    assert parquet.read_table(published.folder / "o").to_pylist() == [{"a": 1, "a_2": "1 day 02:00:00", "b": None}]


def test_what_parquet_cannot_hold_is_refused_before_the_file_is_touched(published):
    kept = published.write("o", "what was there")
    refused = published("sql", "SELECT [INTERVAL 1 DAY] AS spans", "--format", "parquet", "--output", "o")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == "quietdiff: sql: parquet cannot hold spans; make it text: spans::VARCHAR\n"
    assert kept.read_text(encoding="utf-8") == "what was there"


def test_csv_and_json_may_go_to_a_file(published):
    assert published("sql", VALUES, "--format", "csv", "--output", "out.csv").out == ""
    assert (published.folder / "out.csv").read_text(encoding="utf-8").count("\n") == 2
    assert published("sql", VALUES, "--output", "out.txt").status == 2
    assert published("sql", VALUES, "--format", "csv", "--output", "no/out.csv").status == 1


@pytest.mark.parametrize("format_", ["csv", "json", "parquet"])
def test_a_file_that_cannot_be_written_is_named_and_left(published, format_):
    for output, reason in (("no/out", "No such file or directory"), ("/dev/full", "No space left on device")):
        result = published("sql", "SELECT range FROM range(50000)", "--format", format_, "--output", output)
        assert (result.status, result.err) == (1, f"quietdiff: {output}: {reason}\n")
    assert Path("/dev/full").is_char_device()


def test_a_table_too_wide_for_the_terminal_is_a_block_a_row(published):
    wide = "SELECT 'v6-2' AS change_id, repeat('word ', 30) AS said, NULL AS group_id"
    block = [
        "change_id  v6-2",
        "said       " + " ".join(10 * ["word"]),
        "           " + " ".join(10 * ["word"]),
        "           " + " ".join(10 * ["word"]),
        "group_id   NULL",
    ]
    rules = [f"{number} " + 58 * "─" for number in (1, 2)]
    shown = published.on_terminal(60, "sql", f"{wide} UNION ALL {wide}")
    assert shown == [rules[0], *block, rules[1], *block]
    assert len(published.on_terminal(240, "sql", wide)) == 3
    assert len(published("sql", wide, COLUMNS="60").out.splitlines()) == 2


def test_the_statement_may_come_from_standard_input(published):
    assert published("sql", "-", stdin=b"SELECT 42 AS answer").out.split() == ["answer", "42"]
    assert published("sql", "-", stdin=b"\xff").status == 2


@pytest.mark.parametrize("statement", ["SELEC 1", "SELECT * FROM nothere", "DROP VIEW changes", "", ";"])
def test_a_wrong_statement_is_status_2_and_one_line(published, statement):
    result = published("sql", statement)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("quietdiff: SQL: ")
    assert result.err.count("\n") == 1


def test_a_long_table_says_that_it_was_cut(published):
    result = published("sql", "SELECT unnest(range(1500)) AS n")
    assert len(result.out.splitlines()) == 1_001
    assert "1,000 of 1,500 rows shown" in result.err
    assert len(published("sql", "SELECT unnest(range(1500)) AS n", "--format", "csv").out.splitlines()) == 1_501


def test_nothing_published_is_status_2_and_says_what_to_do(cli):
    result = cli("sql", "SELECT 1")
    assert result.status == 2
    assert "nothing published yet" in result.err


def test_a_copy_that_is_no_database_is_status_1(cli):
    cli.write("data/published/quietdiff.duckdb", b"no database" * 1_000)
    for argv in (["sql", "SELECT 1"], ["status"]):
        result = cli(*argv)
        assert result.status == 1
        assert "cannot be read" in result.err


def test_a_copy_of_another_version_is_status_1_for_the_commands_that_need_its_views(published):
    path = Published(published.folder / "data").path
    import duckdb  # noqa: PLC0415

    path.chmod(0o644)
    with duckdb.connect(path) as connection:
        connection.execute("DROP VIEW visit_results")
    result = published("status")
    assert result.status == 1
    assert "does not fit this version" in result.err
    assert result.err.count("\n") == 1
