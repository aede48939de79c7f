"""`quietdiff sql`: one statement on the published copy."""

import csv
import errno
import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
from rich.text import Text

from pipeline.cli.app import STDIN, Context
from pipeline.cli.inputs import read_text
from pipeline.cli.output import Printer, clean, instant, json_text
from pipeline.cli.streams import complain
from pipeline.codec import plain_decimal
from pipeline.errors import UsageError
from pipeline.warehouse import FIELD_OF_JSON

__all__ = ["query"]

MOST_ROWS = 1_000
"""Rows of a table for people; the other formats have no limit."""

CHUNK = 10_000
"""Rows turned into Python values at a time."""


def query(context: Context, statement: str, *, format_: str, output: Path | None) -> int:
    """Run a statement and write its rows.

    Raises:
        UsageError: The statement is wrong, nothing is published, or `--output` does not fit the format.
    """
    if format_ == "parquet" and output is None:
        raise UsageError("sql: parquet is no text; name a file with --output FILE.parquet")
    if format_ == "table" and output is not None:
        raise UsageError("sql: --output needs --format csv, json or parquet; redirect a table with >")
    text = read_text(STDIN) if statement == str(STDIN) else statement
    table = context.published().query(text)
    if format_ == "table":
        _show(table)
    elif output is None:
        _write_text(table, format_, sys.stdout)
    else:
        with _named(output):
            _write_file(table, format_, output)
    return 0


@contextmanager
def _named(output: Path) -> Iterator[None]:
    """Give an error the name of the file; one that comes of writing has none by itself."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno or errno.EIO, reason, str(output)) from error


def _write_file(table: pa.Table, format_: str, output: Path) -> None:
    if format_ == "parquet":
        from pyarrow import parquet  # noqa: PLC0415  (40 ms for the one format that needs it)

        table = _for_parquet(table)
        with output.open("wb") as file:  # given a path, it would delete what is there when it fails
            parquet.write_table(table, file)
        return
    with output.open("w", encoding="utf-8", newline="") as text:
        _write_text(table, format_, text)


def _for_parquet(table: pa.Table) -> pa.Table:
    """Columns of different names that Parquet can hold; an interval is text.

    Raises:
        UsageError: A column is of a type that Parquet does not have.
    """
    from pyarrow import parquet  # noqa: PLC0415

    columns = [_spans(column) if pa.types.is_interval(column.type) else column for column in table.columns]
    table = pa.table(columns, names=_names(table))
    for field in table.schema:
        try:
            parquet.ParquetWriter(pa.BufferOutputStream(), pa.schema([field])).close()
        except pa.ArrowNotImplementedError as error:
            raise UsageError(f"sql: parquet cannot hold {field.name}; make it text: {field.name}::VARCHAR") from error
    return table


def _spans(column: pa.ChunkedArray) -> pa.ChunkedArray:
    chunks = [[None if span is None else _span(span) for span in chunk.to_pylist()] for chunk in column.chunks]
    return pa.chunked_array(chunks, pa.string())


def _write_text(table: pa.Table, format_: str, file: IO[str]) -> None:
    (_write_csv if format_ == "csv" else _write_json)(table, file)


def _rows(table: pa.Table, most: int | None = None) -> Iterator[tuple[Any, ...]]:
    """Rows as Python values; by place, since columns may share a name."""
    part = table if most is None else table.slice(0, most)
    for batch in part.to_batches(max_chunksize=CHUNK):
        yield from zip(*(column.to_pylist(maps_as_pydicts="strict") for column in batch.columns), strict=True)


def _names(table: pa.Table) -> list[str]:
    """Names of the columns, made different: the second `a` is `a_2`."""
    names: list[str] = []
    for name in table.column_names:
        number, free = 2, name
        while free in names:
            number, free = number + 1, f"{name}_{number}"
        names.append(free)
    return names


def _write_json(table: pa.Table, file: IO[str]) -> None:
    """One JSON array, one row a line; a column of JSON is nested, as it is."""
    names = _names(table)
    readers = [_nested if field.metadata == FIELD_OF_JSON else _plain for field in table.schema]
    before = "["
    for row in _rows(table):
        values = (read(value) for read, value in zip(readers, row, strict=True))
        file.write(before + json_text(dict(zip(names, values, strict=True))))
        before = ",\n "
    file.write("[]\n" if before == "[" else "]\n")


def _write_csv(table: pa.Table, file: IO[str]) -> None:
    """RFC 4180 with a head line; NULL is empty, lists and structures are JSON."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_names(table))
    for row in _rows(table):
        plain = [_plain(value) for value in row]
        writer.writerow([json_text(v) if isinstance(v, bool | list | dict) else v for v in plain])


def _nested(text: str | None) -> Any:
    """The value of JSON text; a number that a float would round stays text."""
    return None if text is None else json.loads(text, parse_float=_exact)


def _exact(number: str) -> float | str:
    return float(number) if Decimal(repr(float(number))) == Decimal(number) else number


def _plain(value: Any) -> Any:
    """A value as JSON's types: instants ISO 8601 in UTC, bytes in hex."""
    match value:
        case None | bool() | int() | str():
            return value
        case Decimal() | float():
            return _number(value)
        case date():  # datetime is one too
            return value.isoformat().replace("+00:00", "Z")
        case bytes():
            return value.hex()
        case pa.MonthDayNano():  # a tuple too
            return _span(value)
        case list() | tuple():
            return [_plain(item) for item in value]
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
    return str(value)


def _number(value: Decimal | float) -> int | float | str | None:
    """As a JSON number; an exact decimal that a float would round as text, infinite as None."""
    if not math.isfinite(value):
        return None
    if isinstance(value, float):
        return value
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else plain_decimal(value)


def _span(span: pa.MonthDayNano) -> str:
    """An interval as DuckDB writes it: `2 months 1 day 06:30:00`."""
    seconds, nanoseconds = divmod(abs(span.nanoseconds), 1_000_000_000)
    fraction = f".{nanoseconds // 1_000:06d}" if nanoseconds else ""
    clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{fraction}"
    parts = [
        f"{count} {unit}{'' if abs(count) == 1 else 's'}"
        for count, unit in ((span.months, "month"), (span.days, "day"))
        if count
    ]
    if span.nanoseconds or not parts:
        parts.append(f"-{clock}" if span.nanoseconds < 0 else clock)
    return " ".join(parts)


def _show(table: pa.Table) -> None:
    printer = Printer()
    names = _names(table)
    numeric = {
        name
        for name, field in zip(names, table.schema, strict=True)
        if pa.types.is_integer(field.type) or pa.types.is_floating(field.type) or pa.types.is_decimal(field.type)
    }
    printer.table(names, (_cells(row) for row in _rows(table, MOST_ROWS)), right=numeric)
    if table.num_rows > MOST_ROWS:
        complain(f"{MOST_ROWS:,} of {table.num_rows:,} rows shown; --format csv writes all, or add LIMIT")


def _cells(row: Sequence[Any]) -> list[str | Text]:
    return [Text("NULL", style="dim") if value is None else _cell(value) for value in row]


def _cell(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case datetime():
            return instant(value) if value.tzinfo else f"{value:%Y-%m-%d %H:%M:%S}"
        case Decimal():
            return plain_decimal(value)
        case float():
            return f"{value:.15g}"
        case list() | dict():
            return json_text(_plain(value))
    return clean(str(_plain(value)))
