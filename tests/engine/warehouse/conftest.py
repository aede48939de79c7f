"""A warehouse in a folder of its own, and rows to put into it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pipeline.warehouse import Warehouse

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def site(name: str) -> dict[str, Any]:
    return {"site": name, "active": True, "time_zone": "UTC", "config_sha256": "0", "first_seen_at": NOW}


def write(warehouse: Warehouse, *names: str, run_id: str = "r") -> int:
    """One transaction with a row for each name; its number."""
    with warehouse.session() as session, session.transaction(stage="config", run_id=run_id, now=NOW) as transaction:
        transaction.insert("sites", [site(name) for name in names])
        return transaction.commit_no


def names(warehouse: Warehouse) -> set[str]:
    with warehouse.session() as session:
        return {row["site"] for row in session.rows("select_sites")}


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path, wait_s=5, command="a test")
