"""SQL files by name."""

from functools import cache
from importlib.resources import files

__all__ = ["migrations", "statement"]

_SQL = files("pipeline.warehouse.sql")


@cache
def statement(name: str) -> str:
    """The text of `sql/<name>.sql`."""
    return _SQL.joinpath(f"{name}.sql").read_text(encoding="utf-8")


@cache
def migrations() -> tuple[tuple[int, str, str], ...]:
    """Every migration as (number, file name, text), in order; numbers are dense from 1."""
    found = sorted(f.name for f in _SQL.joinpath("migrations").iterdir() if f.name.endswith(".sql"))
    return tuple(
        (int(name.split("_", 1)[0]), name, _SQL.joinpath("migrations", name).read_text(encoding="utf-8"))
        for name in found
    )
