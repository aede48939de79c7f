"""The Dagster side: definitions over the engine in `pipeline`, and the commands that need Dagster."""
