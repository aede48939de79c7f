"""The copy that analysts and the review page read: whole transactions only, and it blocks nobody."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from pipeline.durable import replace_durably
from pipeline.errors import StoreError, UsageError
from pipeline.warehouse.statements import statement

if TYPE_CHECKING:
    import pandas as pd  # 0.3 s to import, and only who asks for a frame needs it

__all__ = ["FIELD_OF_JSON", "Published"]

SHORTEST_INTERVAL = timedelta(minutes=1)
DURATION_FACTOR = 20
"""A copy is made at most every 20 times its own duration, so that copying costs at most 5 % of the time."""

FIELD_OF_JSON = {b"duckdb_type": b"JSON"}

_LOST = re.compile(r"\b(BIT|BIGNUM|UHUGEINT|TIME WITH TIME ZONE)\b")
"""Types that DuckDB gives to Arrow as something else: bytes of its own, the wrong number, a time without its zone."""

_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")


class Published:
    """The published copy of one deployment's database.

    It is replaced by rename, so an open connection keeps reading the copy it opened.
    """

    def __init__(self, data: Path) -> None:
        self.path = data / "published" / "quietdiff.duckdb"
        self._note = self.path.with_suffix(".json")

    def due(self, now: datetime) -> bool:
        """Whether the interval since the last copy is over; a clock that went back does not stop copying."""
        if not self.path.exists():
            return True
        note = self._read_note()
        if note is None:
            return True
        last, duration = note
        interval = max(SHORTEST_INTERVAL, DURATION_FACTOR * duration)
        return not last <= now < last + interval

    def behind(self, acknowledged: int) -> bool:
        """Whether commits were acknowledged that the copy does not hold; unknown counts as behind."""
        try:
            return int(json.loads(self._note.read_text(encoding="utf-8"))["commit_no"]) < acknowledged
        except (OSError, ValueError, KeyError, TypeError):
            return True

    def published_at(self) -> datetime | None:
        """When the copy was made, by the clock of the run that made it; None if there is none or nobody noted it."""
        note = self._read_note()
        return note[0] if note and self.path.exists() else None

    def _read_note(self) -> tuple[datetime, timedelta] | None:
        """When the last copy was made and how long it took."""
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
            return datetime.fromisoformat(note["published_at"]), timedelta(seconds=note["duration_s"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def replace(self, database: Path) -> None:
        """Put a copy of a closed and checkpointed database in the place of the one before.

        Nobody may write it: a tool that opened it for writing would lock other readers out, and DuckDB would replay the
        log that it leaves beside the copy into every copy after it. A log of a user whom modes do not stop goes too.
        """

        def copy(target: Path) -> None:
            target.unlink(missing_ok=True)  # what a killed process of our number left could not be written
            shutil.copyfile(database, target)
            target.chmod(target.stat().st_mode & ~0o222)
            self.path.with_name(f"{self.path.name}.wal").unlink(missing_ok=True)

        replace_durably({self.path: copy})

    def note(self, now: datetime, duration_s: float, commit_no: int) -> None:
        """Write down when the copy was made, how long it took, and the last commit it holds."""
        packed = {"published_at": now.isoformat(), "duration_s": round(duration_s, 3), "commit_no": commit_no}
        replace_durably({self._note: lambda temporary: temporary.write_text(json.dumps(packed), encoding="utf-8")})

    def query(self, sql: str) -> pa.Table:
        """Run one SQL statement on the copy, read-only.

        Returns:
            Times in UTC, decimals exact; a HUGEINT, such as `sum` of whole numbers, is a decimal without places. The
            metadata of a field of JSON text says so: `FIELD_OF_JSON`.

        Raises:
            UsageError: there is no copy yet, the statement is wrong, or Arrow has no equal of a column's type.
            StoreError: the copy cannot be read.
        """
        with self._opened() as connection:
            try:
                result = connection.execute(sql)
                if result is None:  # so it is for an empty statement, whatever the stubs say
                    raise UsageError("SQL: an empty statement; write one, such as SELECT * FROM changes")
                return _table(result)
            except duckdb.Error as error:
                raise UsageError(f"SQL: {' '.join(str(error).split())}") from error

    def rows(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run `sql/<name>.sql` on the copy; one dictionary a row.

        Raises:
            UsageError: there is no copy yet.
            StoreError: the copy cannot be read, or an older version wrote it.
        """
        with self._opened() as connection:
            try:
                rows: list[dict[str, Any]] = (
                    connection.execute(statement(name), parameters).to_arrow_table().to_pylist()
                )
            except duckdb.Error as error:
                why = f"does not fit this version: {' '.join(str(error).split())}; a visit writes it anew"
                raise StoreError(f"{self.path}: {why}") from error
        return rows

    @contextmanager
    def _opened(self) -> Iterator[duckdb.DuckDBPyConnection]:
        if not self.path.exists():
            raise UsageError(f"{self.path}: nothing published yet; run a visit first: quietdiff visit SITE")
        try:
            connection = duckdb.connect(self.path, read_only=True)
        except duckdb.Error as error:
            why = f"cannot be read: {' '.join(str(error).split())}; a visit writes it anew"
            raise StoreError(f"{self.path}: {why}") from error
        with connection:
            connection.execute("SET TimeZone = 'UTC'")
            yield connection

    def frame(self, sql: str) -> "pd.DataFrame":
        """The same as a pandas frame."""
        frame: pd.DataFrame = self.query(sql).to_pandas()
        return frame


def _table(result: duckdb.DuckDBPyConnection) -> pa.Table:
    types = [str(described[1]) for described in result.description or ()]
    for number, type_ in enumerate(types):
        if _LOST.search(_QUOTED.sub("", type_)):
            name = result.description[number][0]
            raise UsageError(f"SQL: {name} is a {type_}, which cannot be handed over as it is; make it text: ::VARCHAR")
    table = result.to_arrow_table()
    fields = [
        field.with_metadata(FIELD_OF_JSON) if type_ == "JSON" else field
        for field, type_ in zip(table.schema, types, strict=True)
    ]
    return pa.Table.from_arrays(table.columns, schema=pa.schema(fields))
