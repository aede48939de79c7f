"""Reading in one turn at the database what the judging of some pages needs."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pipeline.classify import DETECTOR_VERSION, USUAL, Doubt
from pipeline.engine.base import Engine
from pipeline.engine.pagework import Event, PageWork
from pipeline.engine.recall import Recall
from pipeline.ledger import Ledger, unpack
from pipeline.model import Purpose, Quality, Rules, Threshold
from pipeline.warehouse import Session

__all__ = ["Loaded"]

Row = dict[str, Any]


class Loaded:
    """Everything the judging of some pages needs, read in one turn at the database."""

    def __init__(self, engine: Engine, session: Session, pages: list[Row]) -> None:
        self.engine = engine
        self.pages = pages
        self.states = {row["page_id"]: row for row in session.rows("select_states", batch=pages)}
        self.readings: dict[int, list[Row]] = defaultdict(list)
        for row in session.rows("select_to_classify", batch=pages):
            self.readings[row["page_id"]].append(row)
        self.thresholds = {row["page_id"]: row for row in session.rows("select_thresholds", batch=pages)}
        ledgers = session.rows("select_ledgers", batch=pages, detector_version=DETECTOR_VERSION)
        self.ledgers = {row["page_id"]: unpack(row["state"]) for row in ledgers}
        self.usual_words: dict[int, tuple[int, ...]] = defaultdict(tuple)
        for row in session.rows("select_usual_words", batch=pages, most=USUAL):
            self.usual_words[row["page_id"]] += (row["word_count"],)
        self.doubts: dict[int, tuple[Doubt, ...]] = defaultdict(tuple)
        for row in session.rows("select_doubts", batch=pages, qualities=[q for q in Quality if q.doubtful]):
            self.doubts[row["page_id"]] += (Doubt(row["visited_at"], row["simhash"], row["word_count"]),)
        waiting = session.rows("select_waiting", batch=pages)
        self.waiting = {row["page_id"]: row for row in waiting}
        self.unchanged = {row["page_id"]: row for row in session.rows("select_unchanged_after", batch=_keys(waiting))}
        self.visits = {
            (row["page_id"], row["visit_no"]): row for row in session.rows("select_visits", batch=_keys(waiting))
        }
        self.recall = self._recall(session)

    def _recall(self, session: Session) -> Recall:
        wanted = [self._at(row, "visit_no", row["rules_id"]) for rows in self.readings.values() for row in rows]
        wanted += [self._at(row, "visit_no", row["rules_id"]) for row in self.waiting.values()]
        for state in self.states.values():
            if state["last_good_visit_no"] is not None:
                wanted.append(self._at(state, "last_good_visit_no", state["read_rules_id"]))
                wanted.append(self._at(state, "baseline_visit_no", state["read_rules_id"]))
        fingerprints = {
            (row["page_id"], row["visit_no"], row["rules_id"]): row
            for row in session.rows("select_fingerprints_as_of", batch=wanted)
        }
        moments = wanted + [self._at(state, "last_visit_no", state["rules_id"]) for state in self.states.values()]
        fields: dict[tuple[int, int, int], list[Row]] = defaultdict(list)
        for row in session.rows("select_field_values_as_of", batch=moments):
            fields[row["page_id"], row["as_of_visit_no"], row["as_of_rules_id"]].append(row)
        shared = {
            (row["page_id"], row["visit_no"]): row["pages"]
            for row in session.rows("select_shared_texts", batch=self.pages)
        }
        return Recall(self.engine.blobs, fingerprints, fields, shared)

    @staticmethod
    def _at(row: Row, column: str, rules_id: int) -> Row:
        return {"page_id": row["page_id"], "visit_no": row[column], "rules_id": rules_id}

    def work(self, page_id: int) -> tuple[PageWork, list[Event]]:
        """The page's memory and its pending events."""
        state, threshold = self.states[page_id], self.thresholds[page_id]
        page = self.engine.page(state["site"], state["page_name"])
        settings = page or self.engine.project.settings.defaults
        row = self.waiting.get(page_id)
        work = PageWork(
            page_id=page_id,
            threshold=Threshold(
                threshold_id=threshold["threshold_id"],
                noise_bits=threshold["noise_bits"],
                drift_bits=threshold["drift_bits"],
            ),
            confirm=settings.confirm,
            every=settings.every,
            now=self.engine.clock.now(),
            failure_streak=state["failure_streak"],
            last_good_visit_no=state["last_good_visit_no"],
            memory=replace(
                self.recall.memory(state),
                ledger=self.ledgers.get(page_id, Ledger()),
                usual_words=self.usual_words[page_id],
                doubts=self.doubts[page_id],
            ),
            memory_rules_id=state["read_rules_id"],
            candidate=self.recall.candidate(row, self.visits[page_id, row["visit_no"]]["body_sha256"]) if row else None,
        )
        events = [self.recall.event(reading) for reading in self.readings[page_id]]
        if page_id in self.unchanged and row:
            visit = self.unchanged[page_id]
            events.append(
                Event(
                    visit_no=visit["visit_no"],
                    day=row["day"],
                    visited_at=visit["visited_at"],
                    purpose=Purpose(visit["purpose"]),
                    body_sha256=visit["body_sha256"],
                    rules_id=row["rules_id"],
                    rules=Rules(),
                )
            )
        return work, events

    def untouched(self, session: Session) -> set[int]:
        """Pages that no other run has judged since they were read."""
        states = {row["page_id"]: row for row in session.rows("select_states", batch=self.pages)}
        readings: dict[int, set[tuple[int, int]]] = defaultdict(set)
        for row in session.rows("select_reading_keys", batch=self.pages):
            readings[row["page_id"]].add((row["visit_no"], row["rules_id"]))
        columns = ("last_good_visit_no", "baseline_visit_no", "read_rules_id")
        return {
            page_id
            for page_id, state in self.states.items()
            if all(states[page_id][column] == state[column] for column in columns)
            and {(row["visit_no"], row["rules_id"]) for row in self.readings[page_id]} <= readings[page_id]
        }


def _keys(rows: Iterable[Row]) -> list[Row]:
    return [{"page_id": row["page_id"], "visit_no": row["visit_no"]} for row in rows]
