"""Judging the pending visits of one page in order, with confirmation; values in, rows out, no database."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from pipeline.classify import Memory, Seen, advance, doubt, judge, still_there, vanish
from pipeline.ledger import Ledger
from pipeline.model import (
    BlockChange,
    Confirmation,
    Judgement,
    Kind,
    KindReason,
    Purpose,
    Quality,
    Rules,
    Threshold,
    Version,
)
from pipeline.revisit import after_failure, to_confirm

__all__ = ["Candidate", "Event", "PageWork", "Verdict"]

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One visit of a page that classify looks at.

    Attributes:
        seen: What the earlier stages made of it; None for an unchanged visit, which can only close a candidate.
        again: It was judged before and is read again because the page's rules changed.
        text_sha256: Blob of its normalised blocks; None while unchanged.
    """

    visit_no: int
    day: date
    visited_at: datetime
    purpose: Purpose
    body_sha256: str | None
    rules_id: int
    rules: Rules
    seen: Seen | None = None
    again: bool = False
    text_sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A content change that waits for the next good visit.

    Attributes:
        row: Its judgement row, or None if it was made in this very run.
    """

    row: Row | None
    version: Version
    changes: tuple[BlockChange, ...]
    text_sha256: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A judgement to write, or a waiting one to close."""

    event: Event | None
    judgement: Judgement | None
    confirmation: Confirmation
    closes: Row | None = None


@dataclass(slots=True, kw_only=True)
class PageWork:
    """The state of one page while its pending visits are judged.

    Attributes:
        memory: Reference and baseline; `memory_rules_id` are the rules they were read under.
        texts: Blob of the normalised blocks by visit number, as far as known.
        plan: Next visit and purpose if classify decides it; None leaves what fetch planned.
        ledgers: By day, the last visit of it that taught the ledger something, and the ledger after it.
    """

    page_id: int
    threshold: Threshold
    confirm: bool
    every: timedelta
    now: datetime
    failure_streak: int
    last_good_visit_no: int | None
    memory: Memory
    memory_rules_id: int | None
    candidate: Candidate | None = None
    texts: dict[int, str] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    plan: tuple[datetime, Purpose] | None = None
    ledgers: dict[date, tuple[int, Ledger]] = field(default_factory=dict)

    def run(self, events: Sequence[Event]) -> None:
        """Judge events in visit order; those read again come first and only renew the memory."""
        for event in sorted(events, key=lambda event: (not event.again, event.visit_no)):
            if event.text_sha256:
                self.texts[event.visit_no] = event.text_sha256
            before = self.memory.ledger
            if event.again:
                self._renew(event)
            elif event.seen is None:
                self._close_unchanged(event)
            else:
                self._judge(event, event.seen)
            if self.memory.ledger is not before:
                self.ledgers[event.day] = (event.visit_no, self.memory.ledger)

    def _renew(self, event: Event) -> None:
        """Take the reference, baseline or candidate as the page's new rules read it."""
        assert event.seen is not None  # noqa: S101  (an event that is read again has a reading)
        version = event.seen.version
        if self.memory_rules_id != event.rules_id:
            memory = self.memory
            self.memory = Memory(baseline_visit_no=memory.baseline_visit_no, rebaseline=True, ledger=memory.ledger)
            self.memory_rules_id = event.rules_id
        if version.visit_no == self.memory.baseline_visit_no:
            self.memory = replace(self.memory, baseline_simhash=version.fingerprint.simhash)
        if version.visit_no == self.last_good_visit_no:
            self.memory = replace(self.memory, reference=version, rebaseline=False)
        if self.candidate is not None and version.visit_no == self.candidate.version.visit_no:
            self.candidate = replace(self.candidate, version=version, text_sha256=event.text_sha256)

    def _judge(self, event: Event, seen: Seen) -> None:
        if self.memory_rules_id is not None and self.memory_rules_id != event.rules_id:
            # Its snapshot could not be read under the new rules: there is nothing left to compare with.
            self.memory = Memory(rebaseline=True, ledger=self.memory.ledger)
        judgement = judge(seen, self.memory, event.rules, self.threshold)
        if judgement.quality is not Quality.GOOD:
            self._not_good(event, seen, judgement)
            return
        if self.candidate is not None:
            self._close(self._stands(seen.version))
            judgement = judge(seen, self.memory, event.rules, self.threshold)
        self.failure_streak = 0
        self.memory_rules_id = event.rules_id
        if judgement.kind is Kind.CONTENT and self.confirm:
            self._wait(event, seen.version, judgement)
            return
        self.memory = advance(self.memory, seen.version, judgement)
        doubtful = self.confirm and any(change.suspicious for change in judgement.field_changes)
        self.plan = to_confirm(self.now, self.every, event.purpose) if doubtful else None
        self.verdicts.append(Verdict(event=event, judgement=judgement, confirmation=Confirmation.NOT_NEEDED))

    def _not_good(self, event: Event, seen: Seen, judgement: Judgement) -> None:
        self.memory = doubt(self.memory, seen, judgement)
        self.failure_streak += 1
        purpose = Purpose.CONFIRM if self.candidate is not None else event.purpose
        self.plan = after_failure(self.now, self.every, purpose, self.failure_streak)
        self.verdicts.append(Verdict(event=event, judgement=judgement, confirmation=Confirmation.NOT_NEEDED))

    def _wait(self, event: Event, version: Version, judgement: Judgement) -> None:
        """Hold a content change back until a second fetch shows it too; the memory stays where it was."""
        verdict = Verdict(event=event, judgement=judgement, confirmation=Confirmation.WAITING)
        self.verdicts.append(verdict)
        self.candidate = Candidate(
            row=None, version=version, changes=judgement.block_changes, text_sha256=event.text_sha256
        )
        self.plan = to_confirm(self.now, self.every, event.purpose)

    def _stands(self, version: Version) -> bool:
        candidate, reference = self.candidate, self.memory.reference
        if candidate is None or reference is None:
            return False
        if version.body_sha256 in {candidate.version.body_sha256, reference.body_sha256}:
            return version.body_sha256 == candidate.version.body_sha256
        return still_there(
            candidate.changes, before=reference.blocks, after=candidate.version.blocks, now=version.blocks
        )

    def _close_unchanged(self, event: Event) -> None:
        """An unchanged visit shows again either the candidate or the reference; its body says which."""
        if self.candidate is not None and event.visit_no > self.candidate.version.visit_no:
            self._close(event.body_sha256 == self.candidate.version.body_sha256)
            self.plan = None

    def _close(self, stands: bool) -> None:
        """Close the waiting candidate: recorded as a change, or learnt to be noise."""
        candidate = self.candidate
        assert candidate is not None  # noqa: S101  (callers checked)
        self.candidate = None
        confirmation = Confirmation.CONFIRMED if stands else Confirmation.VANISHED
        if candidate.row is None:
            self.verdicts = [
                replace(verdict, confirmation=confirmation) if verdict.confirmation is Confirmation.WAITING else verdict
                for verdict in self.verdicts
            ]
        else:
            self.verdicts.append(Verdict(event=None, judgement=None, confirmation=confirmation, closes=candidate.row))
        if stands:
            change = Judgement(
                visit_no=candidate.version.visit_no,
                quality=Quality.GOOD,
                kind=Kind.CONTENT,
                kind_reason=KindReason.UNEXPLAINED,
            )
            self.memory = advance(self.memory, candidate.version, change)
            if candidate.text_sha256:
                self.texts[candidate.version.visit_no] = candidate.text_sha256
        else:
            self.memory = vanish(self.memory, candidate.version)
