"""The engine: records, stages and stores; knows no Dagster."""
