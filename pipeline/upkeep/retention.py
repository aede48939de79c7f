"""What is kept and what goes: the daily job that lets go of what nobody needs any more.

Kept for good are visits, judgements, field values and changes, and of each change the bodies and texts of both sides
with its diff. Beyond that a page keeps what its next judgement needs: body, text and packed blocks of its reference,
its baseline and a candidate that waits, and whatever a visit that is not judged yet goes through; and its last body,
good or not. Once a month the body in force is kept for good as well. All else goes, but nothing that was stored or
re-used within a day.

Which statement decides what: `sql/select_idle_readings`, `select_superseded_fingerprints`, `select_old_block_diffs`,
`select_old_ledger_states`, `select_vanished_pins`, `select_audit_bodies`, `select_unneeded_blobs`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pipeline.engine import Engine
from pipeline.engine.base import chunks
from pipeline.steps import step
from pipeline.upkeep.lease import collecting

__all__ = ["BATCH", "SPARED", "RetentionReport", "retain"]

BATCH = 2_000
"""Rows changed, or files removed, in one turn at the database: some 0.3 s of it at a million visits."""

SPARED = timedelta(hours=24)
"""What was stored or re-used as recently as this stays, whoever needs it."""

DAILY_LEDGERS = timedelta(days=8)
"""As long a page's ledger is kept as of every day; after that as of the last day of each month on which it learned."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionReport:
    """What one run of `retain` did.

    Attributes:
        readings: Readings of removed pages that were deleted.
        blocks: Fingerprints whose packed blocks went.
        block_diffs: Fingerprints whose packed block diff went.
        ledgers: States of ledgers on earlier days that went.
        released: Blobs that are no longer pinned, because the change they were pinned for had vanished.
        pinned: Bodies pinned as audit snapshots.
        blobs: Blobs that went, each a row and a file.
        orphans: Files without a row that went.
        freed: Bytes of files that went.
        collected: False when blobs were left alone because a backup reads them.
    """

    readings: int
    blocks: int
    block_diffs: int
    ledgers: int
    released: int
    pinned: int
    blobs: int
    orphans: int
    freed: int
    collected: bool


def retain(engine: Engine) -> RetentionReport:
    """Let go of what is no longer kept; run again, it finds nothing to do.

    Works in turns at the database of at most `BATCH` rows each, every one complete in itself, so that it can be
    killed anywhere and others get their turns in between. Blobs go row first: the transaction that deletes the rows
    commits, then the files are removed, still under the database's lock. Killed in between, a file without a row is
    left, which a later run removes; never a row without its file. A stage that stores the same content at that
    moment looks again under the same lock before it writes its row (`BlobStore.put_again`), so its file is there
    whichever came first. While a backup reads the files, none is removed.

    Args:
        engine: The parts of the run; its clock says how old things are.
    """
    now, kept = engine.clock.now(), engine.project.settings.retention
    turns = _Turns(engine)
    evidence = now - kept.evidence
    readings = turns.change("select_idle_readings", "delete_readings", {"before": now - SPARED})
    blocks = turns.change("select_superseded_fingerprints", "empty_fingerprints")
    block_diffs = turns.change("select_old_block_diffs", "empty_block_diffs", {"day": evidence.date()})
    days = {"day": evidence.date(), "recent": (now - DAILY_LEDGERS).date()}
    ledgers = turns.change("select_old_ledger_states", "delete_ledger_states", days)
    released = turns.change("select_vanished_pins", "pin_blobs", {"before": evidence}, pin=None)
    seconds = int(kept.audit.total_seconds())
    pinned = turns.change("select_audit_bodies", "pin_blobs", {"seconds": seconds, "now": now}, pin="audit")
    blobs, freed, collected = turns.collect()
    orphans, freed_too, collected_too = turns.sweep() if collected else (0, 0, False)
    return RetentionReport(
        readings=readings, blocks=blocks, block_diffs=block_diffs, ledgers=ledgers, released=released, pinned=pinned,
        blobs=blobs, orphans=orphans, freed=freed + freed_too, collected=collected_too,
    )  # fmt: skip


class _Turns:
    """Short turns at the database, one after the other, until there is nothing left to do."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._now = engine.clock.now()

    def change(self, find: str, change: str, known: Row | None = None, **values: Any) -> int:
        """Change rows until none is found any more; returns how many were.

        Args:
            find: Statement that finds at most `$limit` rows to change.
            change: Statement that changes those of `batch`, so that they are not found again.
            known: Further parameters of the first.
            values: Further parameters of the second.
        """
        changed = 0
        while True:
            with self._engine.warehouse.session() as session:
                rows = session.rows(find, limit=BATCH, **(known or {}))
                if not rows:
                    return changed
                with session.transaction(stage="retention", run_id=self._engine.run_id, now=self._now) as transaction:
                    transaction.execute(change, batch=rows, **values)
            changed += len(rows)

    def collect(self) -> tuple[int, int, bool]:
        """Delete blobs that nothing needs: (how many, bytes freed, whether it came to the end)."""
        collected = freed = 0
        while True:
            with collecting(self._engine.project.data) as allowed, self._engine.warehouse.session() as session:
                if not allowed:
                    return collected, freed, False
                rows = session.rows("select_unneeded_blobs", limit=BATCH, before=self._now - SPARED)
                if not rows:
                    return collected, freed, True
                with session.transaction(stage="retention", run_id=self._engine.run_id, now=self._now) as transaction:
                    transaction.execute("delete_blobs", batch=rows)
                    transaction.execute("forget_texts", batch=rows)
                freed += self._remove(row["sha256"] for row in rows)
            collected += len(rows)

    def sweep(self) -> tuple[int, int, bool]:
        """Remove old files without a row: (how many, bytes freed, whether it came to the end)."""
        swept = freed = 0
        blobs = self._engine.blobs
        for names in chunks(blobs.written_before(SPARED), BATCH):
            with collecting(self._engine.project.data) as allowed, self._engine.warehouse.session() as session:
                if not allowed:
                    return swept, freed, False
                batch = [{"sha256": name} for name in names]
                known = {row["sha256"] for row in session.rows("select_known_blobs", batch=batch)}
                orphans = [name for name in names if name not in known]
                freed += self._remove(orphans)
                swept += len(orphans)
        return swept, freed + blobs.remove_unfinished(SPARED), True

    def _remove(self, names: Iterable[str]) -> int:
        with step("remove blobs"):
            return self._engine.blobs.remove(names)
