"""Making the database file small again."""

from dataclasses import dataclass

from pipeline.engine import Engine

__all__ = ["LEAST_FREE", "LEAST_PART", "VacuumReport", "vacuum"]

LEAST_FREE = 64_000_000
"""Bytes that must be free in the file before it is written anew: what a busy day's replaced rows leave free anyway."""

LEAST_PART = 0.25
"""The part of the file that must be free as well, so that large files are not written anew for little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VacuumReport:
    """What a vacuum did.

    Attributes:
        before: Bytes of the database file.
        after: The same once it was written anew.
        seconds: How long the database was held.
    """

    before: int
    after: int
    seconds: float


def vacuum(engine: Engine, *, least_free: int = LEAST_FREE, least_part: float = LEAST_PART) -> VacuumReport | None:
    """Write the database anew if enough of the file is free; None if it is not.

    Holds the database meanwhile, some 0.8 s for a million visits, 50 s a GB; see `Warehouse.vacuum`.

    Args:
        engine: The parts of the run.
        least_free: Bytes that must be free.
        least_part: The part of the file that must be free, 0..1.
    """
    done = engine.warehouse.vacuum(lambda size, free: free > least_free and free > least_part * size)
    return None if done is None else VacuumReport(before=done[0], after=done[1], seconds=done[2])
