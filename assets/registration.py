"""Making the sites known to Dagster."""

import dagster as dg

from assets.defs.partitions import SITE_DIMENSION
from pipeline.config import Project


def register_partitions(instance: dg.DagsterInstance, project: Project) -> list[str]:
    """Add the project's sites to the dynamic partitions of an instance.

    None is ever deleted: a site whose file is gone keeps its history and so its key.

    Returns:
        The names that were new, sorted.
    """
    known = set(instance.get_dynamic_partitions(SITE_DIMENSION))
    new = sorted(set(project.sites) - known)
    if new:
        instance.add_dynamic_partitions(SITE_DIMENSION, new)
    return new
