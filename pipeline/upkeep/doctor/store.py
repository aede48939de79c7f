"""What the doctor is told to look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.upkeep.telling import Tell, nobody
from pipeline.warehouse import Warehouse

__all__ = ["SPARED", "Held", "Store"]

SPARED = timedelta(hours=24)
"""Files younger than this may belong to a run that has not committed yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """One deployment, to be looked at.

    Attributes:
        root: The project folder.
        environ: Where the variables that configuration names are looked up.
        now: The clock of the machine; files are as old as it says.
        deep: Read every blob and compare it with its name, not only its size.
        wait_s: Seconds to wait for the database.
    """

    root: Path
    data: Path
    environ: Mapping[str, str]
    now: datetime
    deep: bool = False
    wait_s: float = 60.0
    tell: Tell = nobody
    warehouse: Warehouse = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "warehouse", Warehouse(self.data, wait_s=self.wait_s, command="quietdiff doctor"))

    def short(self, path: Path) -> str:
        """A path as messages show it: from the data folder."""
        return str(path.relative_to(self.data)) if path.is_relative_to(self.data) else str(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What the database was found to hold.

    Attributes:
        blobs: (bytes of the file, role) of each blob by name, as the rows say.
        commit_no: The newest commit.
    """

    blobs: Mapping[str, tuple[int, str]]
    commit_no: int
