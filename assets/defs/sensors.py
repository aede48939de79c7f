"""What the site files tell Dagster."""

import dagster as dg

from assets.defs.resources import EngineResource
from assets.registration import register_partitions


@dg.sensor(minimum_interval_seconds=60, default_status=dg.DefaultSensorStatus.RUNNING)
def watchlist(context: dg.SensorEvaluationContext, engine: EngineResource) -> dg.SkipReason:
    """Makes each new file in `sites/` a partition, and says which files are malformed. Starts no run itself."""
    project = engine.project
    new = register_partitions(context.instance, project)
    added = f"made partitions of the new sites {', '.join(new)}" if new else "no new site file"
    said = [f"{added}; this sensor starts no run, the schedule `due` does"]
    said += [str(problem) for problem in project.problems]
    return dg.SkipReason("; ".join(said))
