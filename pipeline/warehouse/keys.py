"""What the schema promises and DuckDB is not asked to hold: keys and references, as the migration files write them."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from pipeline.warehouse.statements import migrations

__all__ = ["Key", "Reference", "keys_in", "packaged_keys", "references"]

_TABLE = re.compile(r"^CREATE TABLE (\w+) \((.*?)^\);", re.MULTILINE | re.DOTALL)
_KEY = re.compile(r"-- key: *(\w+|\([\w, ]+\))(?:; also (\([\w, ]+\)))?")
_UNIQUE_COLUMN = re.compile(r"^ +(\w+) .*; unique$", re.MULTILINE)
_UNIQUE_AMONG_ACTIVE = re.compile(r"-- .*?(\([\w, ]+\)) unique among active")

PARENTS = {
    "commits": ("commit_no",),
    "judgement_sets": ("set_id",),
    "pages": ("page_id",),
    "rules": ("rules_id",),
    "sites": ("site",),
    "thresholds": ("threshold_id",),
    "visits": ("page_id", "visit_no"),
}
"""Tables that others name, by the columns that name them. In the others the last column may have a word before it,
as in `reference_visit_no`; 0 is a visit before the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """Columns of a table that no two of its rows share.

    Attributes:
        active_only: Only rows that are active count.
    """

    table: str
    columns: tuple[str, ...]
    active_only: bool = False

    def __str__(self) -> str:
        return f"{self.table} ({', '.join(self.columns)}{'; active rows' if self.active_only else ''})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Columns of a table whose values, unless NULL, are the key of a row of another."""

    table: str
    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]


def packaged_keys() -> list[Key]:
    """The keys of every table that this version's migrations make."""
    return keys_in(text for _, _, text in migrations())


def keys_in(texts: Iterable[str]) -> list[Key]:
    """The keys that migration files promise in their comments; a later file's table takes an earlier one's place.

    Raises:
        ValueError: A table has no `key:` comment.
    """
    found: dict[str, list[Key]] = {}
    for text in texts:
        for table, body in _TABLE.findall(text):
            found[table] = _keys_of(table, body)
    return [key for keys in found.values() for key in keys]


def _keys_of(table: str, body: str) -> list[Key]:
    promised = _KEY.match(body.lstrip())
    if promised is None:
        raise ValueError(f"table {table} has no `key:` comment behind its name")
    keys = [Key(table=table, columns=_columns(spec)) for spec in promised.groups() if spec]
    keys += [Key(table=table, columns=(column,)) for column in _UNIQUE_COLUMN.findall(body)]
    keys += [Key(table=table, columns=_columns(spec), active_only=True) for spec in _UNIQUE_AMONG_ACTIVE.findall(body)]
    return keys


def _columns(spec: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in spec.strip("()").split(","))


def references(columns: Mapping[str, Collection[str]]) -> list[Reference]:
    """Which columns name rows of other tables.

    Args:
        columns: The columns of each table.
    """
    return [
        Reference(table=table, columns=(*key[:-1], name), parent=parent, parent_columns=key)
        for parent, key in PARENTS.items()
        if parent in columns
        for table, names in columns.items()
        if set(key[:-1]) <= set(names)
        for name in names
        if name == key[-1] or name.endswith(f"_{key[-1]}")
        if (table, name) != (parent, key[-1])
    ]
