"""The benchmark of the store writes what the stages write."""

from benchmarks.store.history import make_engine, unchanged_run, write_history
from tests.engine.engine.conftest import START, World, html
from tests.engine.upkeep.test_retention import world

__all__ = ["world"]


def filled(rows: list[dict]) -> set[str]:
    """Columns that hold something."""
    return {name for row in rows for name, value in row.items() if value is not None}


def test_an_unchanged_visit_fills_the_columns_that_fetch_fills(world: World, tmp_path) -> None:
    world.watch(page=html("<p>Cancel within 30 days.</p>"))
    world.step()
    engine = make_engine(tmp_path / "made", START, sites=2, pages=3)
    write_history(engine, engine.clock, 6, unchanged_run)
    engine.warehouse.publish(START, force=True)
    made = engine.warehouse.published
    for query in ("FROM visits WHERE unchanged", "FROM commits WHERE stage = 'fetch'"):
        assert filled(world.sql(query)) == filled(made.query(query).to_pylist())
    assert made.query("SELECT count(*) AS n FROM visits").to_pylist() == [{"n": 6}]
    assert made.query("SELECT count(*) AS n FROM commits WHERE stage = 'fetch'").to_pylist() == [{"n": 4}]
