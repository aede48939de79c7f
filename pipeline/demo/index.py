"""The front page of the demo site, for people: every page with what it does today."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from html import escape

from pipeline.demo.page import DemoPage, FieldJson, Load, Response, fill, html_response, whole

__all__ = ["index_page", "show_change"]


def index_page(pages: Iterable[DemoPage], load: Load, *, days: int, left: timedelta) -> Response:
    """All pages with what each does on the day of the load.

    `days` is the length of the script, `left` the time until its next day.
    """
    rows = (
        f'<tr><th scope="row"><a href="/{page.name}">{page.name}</a></th>'
        f"<td>{escape(page.about)}</td><td>{escape(today(page, load.day))}</td></tr>"
        for page in pages
    )
    values = {
        "day": str(load.day),
        "days": str(days),
        "left": str(timedelta(seconds=round(left.total_seconds()))),
        "rows": "\n".join(rows),
    }
    return html_response(whole(title="Quietdiff demo site", language="en", body=fill("index.html", values)))


def today(page: DemoPage, day: int) -> str:
    """What a page does on a day of the script, in a few words."""
    if day in page.failing_on:
        return "answers 500"
    if day in page.blocked_on:
        return "shows a block page"
    events = "; ".join(_events(page, day))
    return events or ("noise only" if page.noisy else "unchanged")


def _events(page: DemoPage, day: int) -> Iterator[str]:
    """What is different from the day before, first days apart."""
    for name, steps in page.fields.items():
        if day > 1 and day in steps.by_day:
            yield f"{name} {show_change(steps.on(day - 1), steps.on(day))}"
    if page.phrase and day > 1 and day in page.phrase.by_day:
        yield show_change(page.phrase.on(day - 1), page.phrase.on(day))
    if page.phrase and day in page.slips:
        yield f"for a moment {show_change(page.phrase.on(day), page.slips[day])}"


def show_change(old: FieldJson, new: FieldJson) -> str:
    """A change for people: `89.00 EUR → 79.00 EUR`, and of a list the members that went and came."""
    if isinstance(old, list) and isinstance(new, list):
        gone = [f"lost {member}" for member in old if member not in new]
        come = [f"gained {member}" for member in new if member not in old]
        return ", ".join(gone + come)
    return f"{_show(old)} → {_show(new)}"


def _show(value: FieldJson) -> str:
    return " ".join(value.values()) if isinstance(value, dict) else str(value)
