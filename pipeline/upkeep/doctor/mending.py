"""What `--repair` does: only what loses nothing, and each thing is said."""

import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.durable import sync
from pipeline.errors import QuietdiffError
from pipeline.steps import step
from pipeline.upkeep.doctor.database import unnamed_still
from pipeline.upkeep.doctor.findings import Ailment, Finding
from pipeline.upkeep.doctor.folder import readable_by_others, writable_by_others
from pipeline.upkeep.doctor.store import SPARED, Store
from pipeline.upkeep.lease import collecting, discard
from pipeline.warehouse import acknowledge, inspecting_live

__all__ = ["mend"]


def mend(store: Store, findings: Sequence[Finding]) -> list[Finding]:
    """The same findings, each saying what was done about it.

    The order is that of the findings, database first, so that what is published is what was mended.
    """
    return [_mended(store, finding) for finding in findings]


def _mended(store: Store, finding: Finding) -> Finding:
    mender = _MENDERS.get(finding.ailment)
    if mender is None:
        return finding
    try:
        return replace(finding, mended=mender(store, finding))
    except (QuietdiffError, OSError) as error:
        return replace(finding, what=f"{finding.what}; it could not be mended: {error}")


def _rewrite_high_water(store: Store, _: Finding) -> str:
    path = store.warehouse.path
    with inspecting_live(path, wait_s=store.wait_s, command="quietdiff doctor --repair") as inspection:
        commit_no = inspection.commits()[0]
        with step("mended high-water mark"):
            acknowledge(path, commit_no)
    return f"wrote {commit_no}, the newest commit"


def _upgrade(store: Store, _: Finding) -> str:
    with store.warehouse.session():
        return "upgraded the database"


def _publish(store: Store, _: Finding) -> str:
    store.warehouse.publish(store.now, force=True)
    return "published the database anew"


def _remove_orphan(store: Store, finding: Finding) -> str:
    """Remove a file that still nobody names; not while a backup copies, nor if a run has begun to use it again."""
    path = store.data / finding.where
    with collecting(store.data) as may:
        if not may or not unnamed_still(store, {path.parent.name + path.stem}):
            return ""
        with step("removed orphan"):
            return "removed the file" if discard(path, stored_before=store.now - SPARED) else ""


def _remove_temporary(store: Store, finding: Finding) -> str:
    (store.data / finding.where).unlink()
    return "removed the file"


def _put_aside(store: Store, finding: Finding) -> str:
    """Move a corrupt blob away: a name that exists is never written again, so the content could not come back."""
    path = store.data / finding.where
    target = store.data / "damaged" / "blobs" / (path.parent.name + path.name)
    target.parent.mkdir(parents=True, exist_ok=True)
    with step("moved corrupt blob"):
        path.replace(target)
        sync(target.parent)
        sync(path.parent)
    return f"moved it to {store.short(target)}"


def _close_to_writing(store: Store, _: Finding) -> str:
    return _narrow(writable_by_others(store), bits=stat.S_IWOTH)


def _close_to_reading(store: Store, _: Finding) -> str:
    """Close what lies directly in the data folder; others then get no further, to what is written later neither."""
    tops = {store.data / path.relative_to(store.data).parts[0] for path in readable_by_others(store)}
    return _narrow(sorted(tops), bits=stat.S_IRWXO)


def _narrow(paths: Sequence[Path], *, bits: int) -> str:
    for path in paths:
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~bits)
    return f"took the permission from {len(paths)} files and folders"


_MENDERS: Mapping[Ailment, Callable[[Store, Finding], str]] = {
    Ailment.HIGH_WATER_MISSING: _rewrite_high_water,
    Ailment.HIGH_WATER_UNREADABLE: _rewrite_high_water,
    Ailment.HIGH_WATER_BEHIND: _rewrite_high_water,
    Ailment.MIGRATION_PENDING: _upgrade,
    Ailment.BLOB_CORRUPT: _put_aside,
    Ailment.BLOB_ORPHANED: _remove_orphan,
    Ailment.TEMPORARY_LEFT: _remove_temporary,
    Ailment.COPY_MISSING: _publish,
    Ailment.COPY_UNREADABLE: _publish,
    Ailment.COPY_BEHIND: _publish,
    Ailment.WRITABLE_BY_OTHERS: _close_to_writing,
    Ailment.READABLE_BY_OTHERS: _close_to_reading,
}
