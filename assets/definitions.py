"""The code location: everything under `defs/`."""

import gc
from pathlib import Path

import dagster as dg

# Loading makes objects by the hundred thousand that live as long as the process. At Python's default of 700 new objects
# the collector walks them all again and again: 0.4 of 2.6 s of CPU in a run over 50 small pages (benchmarks/watch_run).
gc.set_threshold(50_000, 20, 100)


@dg.definitions
def defs() -> dg.Definitions:
    """Load every definition under `assets/defs/`."""
    return dg.load_from_defs_folder(path_within_project=Path(__file__).parent)
