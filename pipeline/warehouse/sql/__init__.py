"""SQL files, one statement each, read by `pipeline.warehouse`."""
