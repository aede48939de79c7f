"""Looking after what is stored: what is kept, how large it is, whether it is whole."""

from pipeline.upkeep.retention import RetentionReport, retain
from pipeline.upkeep.sizes import Sizes, human_bytes, sizes
from pipeline.upkeep.vacuuming import VacuumReport, vacuum

__all__ = ["RetentionReport", "Sizes", "VacuumReport", "human_bytes", "retain", "sizes", "vacuum"]
