"""What Quietdiff should say of the demo site, derived from the pages' own declarations.

Each page is visited once a day at 09:00 and, when a content change waits for confirmation, once more three
minutes later.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.demo.page import DemoPage, FieldJson
from pipeline.demo.pages import PAGES
from pipeline.demo.script import CYCLE_DAYS, DemoScript
from pipeline.model import Confirmation, Kind, KindReason, Outcome, Purpose

__all__ = ["WATCH_AT", "Expectation", "expectations", "watch_moment"]

WATCH_AT = 0.375
"""Fraction of the day at which pages are visited: 09:00 in a day of 24 hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What one visit should give, once all visits of its day are judged.

    Attributes:
        day: Counted from 1; also beyond the cycle.
        outcome: The effective outcome, as in the view `visit_results`.
        kind: None for a first visit and for one that is not good.
        confirmation: `confirmed` or `vanished` for a content change; None where no confirmation is asked for
            (`not_needed`, or no judgement at all as nothing was compared).
        fields: Old and new value of each changed field, as a judged line prints them.
        text: Words that the changed text has lost and gained; None unless the kind is `content`.
    """

    page: str
    day: int
    purpose: Purpose = Purpose.WATCH
    outcome: Outcome = Outcome.OK
    outcome_reason: str | None = None
    kind: Kind | None
    kind_reason: KindReason
    confirmation: Confirmation | None = None
    also_content: bool = False
    fields: Mapping[str, tuple[FieldJson, FieldJson]] = field(default_factory=dict)
    text: tuple[str, str] | None = None

    @property
    def counts(self) -> bool:
        """Whether the visit shows in the view `changes`."""
        return self.kind in {Kind.CONTENT, Kind.FIELD} and self.confirmation != Confirmation.VANISHED


def watch_moment(script: DemoScript, day: int) -> datetime:
    """When the pages are visited on a day, counted from 1."""
    return script.moment(day, WATCH_AT)


def expectations(days: int = CYCLE_DAYS, pages: Iterable[DemoPage] = PAGES) -> tuple[Expectation, ...]:
    """All visits of the first `days` days, by page, then day, a confirm visit after the visit it confirms."""
    return tuple(expectation for page in pages for day in range(1, days + 1) for expectation in _day(page, day))


def _day(page: DemoPage, day: int) -> Iterator[Expectation]:
    """The visits of one page on one day."""
    visit = _visit(page, day)
    yield visit
    if visit.confirmation:
        yield _unchanged(page, day, Purpose.CONFIRM)


def _visit(page: DemoPage, day: int) -> Expectation:
    """The day's watch visit, in the order in which kinds are decided."""
    failure = _failure(page, day)
    if failure:
        return failure
    before = next((past for past in range(day - 1, 0, -1) if page.is_good_on(_scripted(past))), None)
    if before is None:
        return Expectation(page=page.name, day=day, kind=None, kind_reason=KindReason.FIRST)
    fields = _changed_fields(page, before, day)
    text = _changed_text(page, before, day)
    if fields:
        return Expectation(
            page=page.name,
            day=day,
            kind=Kind.FIELD,
            kind_reason=KindReason.FIELDS,
            also_content=text is not None,
            fields=fields,
        )
    if text:
        slipped = _scripted(day) in page.slips
        return Expectation(
            page=page.name,
            day=day,
            kind=Kind.CONTENT,
            kind_reason=KindReason.UNEXPLAINED,
            confirmation=Confirmation.VANISHED if slipped else Confirmation.CONFIRMED,
            text=text,
        )
    if page.noisy:
        # Masks make age, clock and token equal; the moved list items and the ads in the <aside> are left.
        return Expectation(page=page.name, day=day, kind=Kind.NOISE, kind_reason=KindReason.EXPLAINED)
    return _unchanged(page, day, Purpose.WATCH)


def _failure(page: DemoPage, day: int) -> Expectation | None:
    """What a day on which the page is not to be had gives; None on any other."""
    if page.is_good_on(_scripted(day)):
        return None
    failing = _scripted(day) in page.failing_on
    return Expectation(
        page=page.name,
        day=day,
        outcome=Outcome.FAILED if failing else Outcome.BLOCKED,
        outcome_reason="http_500" if failing else "captcha",
        kind=None,
        kind_reason=KindReason.NOT_GOOD,
    )


def _unchanged(page: DemoPage, day: int, purpose: Purpose) -> Expectation:
    """A visit that finds the bytes of the last good one; a page with an ETag says so with 304."""
    return Expectation(
        page=page.name,
        day=day,
        purpose=purpose,
        outcome=Outcome.NOT_MODIFIED if page.etag else Outcome.OK,
        kind=Kind.NONE,
        kind_reason=KindReason.BYTES_EQUAL,
    )


def _changed_fields(page: DemoPage, before: int, day: int) -> dict[str, tuple[FieldJson, FieldJson]]:
    """Old and new value by field, for the fields that differ between two days."""
    pairs = {name: (steps.on(_scripted(before)), steps.on(_scripted(day))) for name, steps in page.fields.items()}
    return {name: (old, new) for name, (old, new) in pairs.items() if old != new}


def _changed_text(page: DemoPage, before: int, day: int) -> tuple[str, str] | None:
    """The phrase as it was and as a visit at `WATCH_AT` sees it, if they differ."""
    if page.phrase is None:
        return None
    old = page.phrase.on(_scripted(before))
    new = page.slips.get(_scripted(day)) or page.phrase.on(_scripted(day))
    return (old, new) if old != new else None


def _scripted(day: int) -> int:
    """Day of the script, 1..5, of a day counted without end."""
    return (day - 1) % CYCLE_DAYS + 1
