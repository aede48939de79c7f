"""Calibration: fetch pages a few times in a row, learn what is noise, and fit thresholds to how much it moves.

Rapid fetches show a page when nothing has happened to it. Between them its ledger learns which places are volatile,
and their distances are the page's noise floor, from which `pipeline.calibrate` fits the largest distance still noise.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pipeline.calibrate import Calibration, PageNoise, fit
from pipeline.engine.base import Engine, StageReport
from pipeline.engine.fetching import fetch
from pipeline.engine.judging import classify
from pipeline.engine.reading import extract, fingerprint, normalize
from pipeline.engine.routing import route
from pipeline.model import Purpose, SiteDay, Threshold
from pipeline.warehouse import Session

__all__ = ["AUTO", "FETCHES", "FEWEST", "MOST", "Fitted", "calibrate", "fit_thresholds", "uncalibrated"]

FETCHES = 5
"""Fetches of a calibration. With three, 3.3 % of controlled noise still alerts without a second look; with five 1.9 %;
with eight 1.3 %."""

AUTO = "auto"
"""Who applies a threshold that no person asked for; such a one may only make a page more watched."""

AGAIN_AFTER = timedelta(days=1)
"""After this a calibration that no fetch answered is tried again by itself."""

FEWEST, MOST = 2, 50
"""Fetches that may be asked for: two show a difference, and a host is not to be fetched from without end."""

LOOKED_AT = 200
"""Distances of a page that are looked at, of either origin."""

Row = dict[str, Any]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A threshold that was fitted for a page, or for all pages of a site and type.

    Attributes:
        page: Name of the page; None for all without their own.
        distances: Of the page's calibration fetches, each to the one before; bits.
        before: In force until now.
        applied: In force from now on; a proposal otherwise.
        by: Who asked for it.
    """

    page: str | None
    calibration: Calibration
    distances: tuple[int, ...]
    before: Threshold | None
    applied: bool
    by: str


def calibrate(
    engine: Engine, site: str, pages: Collection[str], *, fetches: int, by: str, progress: Progress
) -> tuple[list[StageReport], list[Fitted]]:
    """Fetch pages of a site in rapid succession, at the pace its host allows, then learn and fit.

    One visit that is judged like any other goes before the calibration fetches, so that what changed since the last
    visit is told, and not taken into the reference with them.

    A run that dies in between loses nothing: what was fetched is read and learned from by the next run of the site.

    Args:
        engine: The parts of the run.
        site: The site.
        pages: Names of its pages.
        fetches: How often each is fetched, `FEWEST` to `MOST`.
        by: Who applies the thresholds: a person, or `AUTO`.
        progress: Told what is done, how far it is, and of how much.

    Returns:
        A report of each round of fetches, and the thresholds.
    """
    parts = [SiteDay(site=site, day=engine.clock.now().date())]
    steps = fetches + 7
    progress("visit", 0, steps)
    fetch(engine, parts, manual=pages)
    reports = []
    for number in range(fetches):
        progress(f"fetch {number + 1} of {fetches}", number + 1, steps)
        reports.append(fetch(engine, parts, manual=pages, purpose=Purpose.CALIBRATE))
    for number, stage in enumerate((extract, normalize, fingerprint, classify, route), start=fetches + 1):
        progress(stage.__name__, number, steps)
        stage(engine, parts)
    progress("fit", fetches + 6, steps)
    fitted = fit_thresholds(engine, site, pages, by=by)
    engine.warehouse.publish(engine.clock.now(), force=True)
    progress("done", steps, steps)
    return reports, fitted


def uncalibrated(engine: Engine) -> dict[str, list[str]]:
    """Names of the pages that were never calibrated and could be, by site; one whose attempt failed is left a day."""
    found: dict[str, list[str]] = defaultdict(list)
    with engine.warehouse.session() as session:
        for row in session.rows("select_uncalibrated", since=engine.clock.now() - AGAIN_AFTER):
            if engine.page(row["site"], row["page_name"]):
                found[row["site"]].append(row["page_name"])
    return found


def fit_thresholds(engine: Engine, site: str, pages: Collection[str], *, by: str) -> list[Fitted]:
    """Fit the thresholds of a site from every distance known, and apply or propose what is new.

    The noise of all sites is pooled, because five fetches alone cannot promise less than one false alert in five. One
    that would make a page less watched than it is takes effect only if a person asked for it.

    Args:
        engine: The parts of the run.
        site: The site.
        pages: Names of the pages that were asked for; what follows for others follows by itself.
        by: Who asked.
    """
    with engine.warehouse.session() as session:
        lengths = session.rows("select_page_lengths")
        noise = _noise(session, lengths)
    names = {row["page_id"]: row["page_name"] for row in lengths}
    distances = {page.page_id: page.distances for page in noise}
    calibrations = fit(noise, alpha=engine.project.settings.false_alert_rate)
    mine = [row for row in calibrations if row.site == site and row.fetches]
    now = engine.clock.now()
    with engine.warehouse.session() as session:
        known = _Known(session.rows("select_calibrated"))
        fitted = []
        for row in mine:
            page = names[row.page_id] if row.page_id is not None else None
            asked = by if page in pages else AUTO
            fitted.append(
                Fitted(
                    page=page,
                    calibration=row,
                    distances=distances.get(row.page_id or 0, ()),
                    before=known.in_force(row),
                    applied=known.may_apply(row, asked),
                    by=asked,
                )
            )
        new = [each for each in fitted if not known.says(each.calibration, applied=each.applied)]
        if new:
            first = session.one("select_next_threshold")["threshold_id"]
            rows = [_row(each, first + n) | _stamp(each, now) for n, each in enumerate(new)]
            with session.transaction(stage="calibrate", run_id=engine.run_id, now=now, site=site) as transaction:
                transaction.insert("thresholds", rows)
    return fitted


def _noise(session: Session, lengths: Iterable[Row]) -> list[PageNoise]:
    bits: dict[tuple[int, str], list[int]] = defaultdict(list)
    for row in session.rows("select_noise_distances", most=LOOKED_AT):
        bits[row["page_id"], row["origin"]].append(row["bits"])
    return [
        PageNoise(
            page_id=row["page_id"],
            site=row["site"],
            page_type=row["page_type"],
            words=max(1, row["words"]),
            distances=tuple(bits[row["page_id"], "calibrate"]),
            later=tuple(bits[row["page_id"], "later"]),
        )
        for row in lengths
    ]


class _Known:
    """The newest thresholds, applied and proposed."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = {(_key(row), row["applied_at"] is not None): row for row in rows}

    def in_force(self, row: Calibration) -> Threshold | None:
        found = self._rows.get(((row.site, row.page_type, row.page_id), True))
        if found is None:
            return None
        return Threshold(threshold_id=0, noise_bits=found["noise_bits"], drift_bits=found["drift_bits"])

    def may_apply(self, row: Calibration, by: str) -> bool:
        before = self.in_force(row)
        if by != AUTO or before is None:
            return True
        return row.noise_bits <= before.noise_bits and row.drift_bits <= before.drift_bits

    def says(self, row: Calibration, *, applied: bool) -> bool:
        """Whether the newest row says the same on the same evidence."""
        found = self._rows.get(((row.site, row.page_type, row.page_id), applied))
        return found is not None and (found["noise_bits"], found["drift_bits"], json.loads(found["evidence_json"])) == (
            row.noise_bits,
            row.drift_bits,
            row.evidence_json(),
        )


def _key(row: Row) -> tuple[str | None, str | None, int | None]:
    return row["site"], row["page_type"], row["page_id"]


def _row(fitted: Fitted, threshold_id: int) -> Row:
    row = fitted.calibration
    return {
        "threshold_id": threshold_id,
        "site": row.site,
        "page_type": row.page_type,
        "page_id": row.page_id,
        "noise_bits": row.noise_bits,
        "drift_bits": row.drift_bits,
        "method": row.method,
        "fetches": row.fetches,
        "max_seen_bits": row.max_seen_bits,
        "alpha": row.alpha,
        "alpha_upper": row.alpha_upper,
        "evidence_json": json.dumps(row.evidence_json()),
    }


def _stamp(fitted: Fitted, now: datetime) -> Row:
    return {
        "proposed_at": now,
        "applied_at": now if fitted.applied else None,
        "applied_by": fitted.by if fitted.applied else None,
    }
