"""The DuckDB file: the only package that opens a database or runs SQL."""

from pipeline.warehouse.inspection import (
    Inspection,
    Schema,
    acknowledge,
    inspecting,
    inspecting_live,
    packaged_schema,
)
from pipeline.warehouse.keys import Key, Reference, packaged_keys, references
from pipeline.warehouse.published import FIELD_OF_JSON, Published
from pipeline.warehouse.session import Session, Transaction
from pipeline.warehouse.warehouse import Warehouse

__all__ = [
    "FIELD_OF_JSON",
    "Inspection",
    "Key",
    "Published",
    "Reference",
    "Schema",
    "Session",
    "Transaction",
    "Warehouse",
    "acknowledge",
    "inspecting",
    "inspecting_live",
    "packaged_keys",
    "packaged_schema",
    "references",
]
