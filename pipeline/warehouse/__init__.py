"""The DuckDB file: the only package that opens a database or runs SQL."""

from pipeline.warehouse.published import Published
from pipeline.warehouse.session import Session, Transaction
from pipeline.warehouse.warehouse import Warehouse

__all__ = ["Published", "Session", "Transaction", "Warehouse"]
