"""What the database weighs, by table."""

from collections.abc import Mapping

from pipeline.engine import Engine

__all__ = ["file_bytes", "show_growth", "table_bytes", "used_bytes"]

_TABLES = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY table_name"
_BLOCKS = "SELECT count(DISTINCT block_id) FROM pragma_storage_info('{table}') WHERE block_id >= 0"
_USED = (
    "SELECT used_blocks * block_size, block_size FROM pragma_database_size() WHERE database_name = current_database()"
)


def file_bytes(engine: Engine) -> int:
    """Bytes of the file after a checkpoint, free blocks included."""
    with engine.warehouse.session() as session:
        session.connection.execute("CHECKPOINT")
    return engine.warehouse.path.stat().st_size


def used_bytes(engine: Engine) -> int:
    """Bytes of the file's blocks that hold something, after a checkpoint."""
    with engine.warehouse.session() as session:
        session.connection.execute("CHECKPOINT")
        return int(session.connection.execute(_USED).fetchone()[0])


def table_bytes(engine: Engine) -> dict[str, int]:
    """Bytes of the blocks that hold each table's columns; small tables share blocks, which count for each of them."""
    with engine.warehouse.session() as session:
        session.connection.execute("CHECKPOINT")
        block = session.connection.execute(_USED).fetchone()[1]
        names = [name for (name,) in session.connection.execute(_TABLES).fetchall()]
        counts = {name: session.connection.execute(_BLOCKS.format(table=name)).fetchone()[0] for name in names}
    return {name: count * block for name, count in counts.items()}


def show_growth(before: Mapping[str, int], after: Mapping[str, int], visits: int) -> None:
    """Bytes a visit by table, the largest first."""
    growth = {name: (after[name] - before[name]) / visits for name in after}
    for name, size in sorted(growth.items(), key=lambda item: -item[1]):
        if size > 0:
            print(f"    {name:<12} {size:7.1f}")
