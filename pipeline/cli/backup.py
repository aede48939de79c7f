"""`quietdiff backup` and `quietdiff restore`."""

import sys
from pathlib import Path

from pipeline.cli.app import Context
from pipeline.cli.output import Printer, instant, print_json, told
from pipeline.upkeep.backup import back_up, restore
from pipeline.warehouse import Warehouse

__all__ = ["make_backup", "restore_backup"]


def make_backup(context: Context, folder: Path, *, as_json: bool) -> int:
    """Make a backup and say what it holds.

    Returns:
        0, or 1 if the store had lost blobs that the backup therefore does not hold.

    Raises:
        UsageError: There is no database, or the folder is in the wrong place or holds the backup of another store.
        BackupError: What was written is not what is read back.
        StoreError: The database cannot be used.
    """
    with told() as tell:
        report = back_up(
            Warehouse(context.data, command="quietdiff backup"),
            folder.absolute(),
            root=context.root,
            now=context.clock.now(),
            tell=tell,
        )
    held = report.manifest
    size = sum(entry.bytes for entry in held.files.values())
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "made_at": held.made_at,
                "commit_no": held.commit_no,
                "files": len(held.files),
                "bytes": size,
                "copied_files": report.copied_files,
                "copied_bytes": report.copied_bytes,
                "missing": list(held.missing),
            }
        )
    else:
        Printer().line(
            f"{folder}: backup of commit {held.commit_no}, {len(held.files):,} files, {size:,} bytes, verified; "
            f"copied now: {report.copied_files:,} files, {report.copied_bytes:,} bytes"
        )
    if held.missing:
        lost = f"{len(held.missing)} blobs are lost in the data folder and so not in the backup; see quietdiff doctor"
        print(f"quietdiff: {lost}", file=sys.stderr)
    return int(bool(held.missing))


def restore_backup(context: Context, folder: Path, *, force: bool, as_json: bool) -> int:
    """Restore a backup and say what was done.

    Raises:
        BackupError: The folder holds no backup, or a damaged one.
        UsageError: There is a database and no `force`.
        StoreError: The database cannot be used.
    """
    with told() as tell:
        report = restore(
            Warehouse(context.data, command="quietdiff restore"),
            folder.absolute(),
            root=context.root,
            now=context.clock.now(),
            force=force,
            tell=tell,
        )
    held = report.manifest
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "made_at": held.made_at,
                "commit_no": held.commit_no,
                "files": len(held.files),
                "replaced": str(report.replaced) if report.replaced else None,
                "written": [str(path) for path in report.written],
                "differing": [str(path) for path in report.differing],
            }
        )
        return 0
    printer = Printer()
    printer.line(f"{context.data}: restored commit {held.commit_no} of {instant(held.made_at)}; published")
    if report.replaced:
        printer.line(f"what was there is in {report.replaced}; delete it when all is well")
    for path in report.written:
        printer.line(f"wrote {path}")
    for path in report.differing:
        kept = folder / held.folder / "project" / path.relative_to(context.root)
        printer.line(f"left {path}; the one of the backup differs: {kept}")
    return 0
