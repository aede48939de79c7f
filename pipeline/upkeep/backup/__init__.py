"""Copying a store away, whole and while runs write, and back.

DIR/manifest.json            what the backup holds: sizes, SHA-256, versions, times; renamed into place last
DIR/<UTC stamp>/             database, high-water mark and project files of this backup
DIR/blobs/<2>/<62>.zst       contents, shared by one backup and the next

manifest   the list
making     `back_up`
restoring  `restore`
"""

from pipeline.upkeep.backup.making import BackupReport, back_up
from pipeline.upkeep.backup.restoring import RestoreReport, restore

__all__ = ["BackupReport", "RestoreReport", "back_up", "restore"]
