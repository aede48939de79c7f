"""A small world: a project folder, a stepped clock, and pages that answer what a test says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pipeline.clock import Clock, SteppedClock
from pipeline.config import load_project
from pipeline.engine import (
    Engine,
    StageReport,
    build_engine,
    classify,
    extract,
    fetch,
    fingerprint,
    normalize,
    route,
)
from pipeline.model import Fetched, Outcome, SiteDay, Target, Validators

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
STAGES = (extract, normalize, fingerprint, classify, route)

FILLER = "<p>" + "</p><p>".join(f"Paragraph {n} says something that never changes." for n in range(30)) + "</p>"


def html(main: str, *, head: str = "", lang: str = "en") -> bytes:
    """A page with a long steady part, so that an edit is an edit and not another page."""
    page = f"<html lang={lang}><head><title>Page</title>{head}</head><body><main>{main}{FILLER}</main></body></html>"
    return page.encode()


THIRTY, FOURTEEN = html("<p>Cancel within 30 days of purchase.</p>"), html("<p>Cancel within 14 days of purchase.</p>")
BLOCK = b"<html><head><title>Just a moment...</title></head><body><p>Verify you are human</p></body></html>"


def product(price: str, stock: str = "InStock", name: str = "Anvil") -> bytes:
    ld = (
        f'<script type="application/ld+json">{{"@context":"https://schema.org","@type":"Product","name":"{name}","offers":'
        f'{{"@type":"Offer","price":"{price}","priceCurrency":"EUR","availability":"https://schema.org/{stock}"}}}}</script>'
    )
    return html(f"<h1>{name}</h1><p>{price} EUR</p>", head=ld)


@dataclass
class FakeFetcher:
    """Answers from `answers` by page name: bytes, an `Outcome` with reason, or a `Fetched`; a list is told in order."""

    clock: Clock
    answers: dict[str, Any] = field(default_factory=dict)
    etags: dict[str, str] = field(default_factory=dict)
    asked: list[Target] = field(default_factory=list)

    def fetch_all(self, targets: Sequence[Target], done: Callable[[Target, Fetched], None]) -> None:
        for target in targets:
            self.asked.append(target)
            done(target, self._answer(target))

    def _answer(self, target: Target) -> Fetched:
        answer, etag = self.answers[target.page_name], self.etags.get(target.page_name)
        now = self.clock.now()
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, Fetched):
            return answer
        if isinstance(answer, tuple):
            return Fetched(started_at=now, outcome=answer[0], reason=answer[1], http_status=500)
        if etag and target.validators and target.validators.etag == etag:
            return Fetched(started_at=now, outcome=Outcome.NOT_MODIFIED, http_status=304)
        return Fetched(
            started_at=now, outcome=Outcome.OK, http_status=200, body=answer, content_type="text/html; charset=utf-8",
            duration_ms=12, wire_bytes=len(answer), validators=Validators(etag=etag),
        )  # fmt: skip


@dataclass
class World:
    """One project with one site, `shop`, and the means to let time pass."""

    root: Path
    clock: SteppedClock
    fetcher: FakeFetcher
    runs: int = 0

    def write(self, *pages: str, every: str = "6h", site: str = "shop") -> None:
        text = f"every: {every}\npages:\n" + "".join(
            f"  - {{name: {page.partition(' ')[0]}, url: 'https://shop.example/{page.partition(' ')[0]}'"
            + (f", {page.partition(' ')[2]}" if " " in page else "")
            + "}\n"
            for page in pages
        )
        (self.root / "sites").mkdir(exist_ok=True)
        (self.root / "sites" / f"{site}.yaml").write_text(text)

    def engine(self) -> Engine:
        self.runs += 1
        project = load_project(self.root, None, {})
        return build_engine(
            project, clock=self.clock, environ={}, run_id=f"run-{self.runs}", command="a test", fetcher=self.fetcher
        )

    def part(self, site: str = "shop") -> list[SiteDay]:
        return [SiteDay(site=site, day=self.clock.now().date())]

    def watch(self, **answers: Any) -> dict[str, StageReport]:
        """One run of the six stages over today's partition, with these answers from now on."""
        self.fetcher.answers.update(answers)
        engine = self.engine()
        reports = {"fetch": fetch(engine, self.part())}
        reports |= {stage.__name__: stage(engine, self.part()) for stage in STAGES}
        return reports

    def step(self, hours: float = 6, **answers: Any) -> dict[str, StageReport]:
        """Let time pass, then run."""
        self.clock.advance(timedelta(hours=hours))
        return self.watch(**answers)

    def sql(self, query: str) -> list[Mapping[str, Any]]:
        engine = self.engine()
        engine.warehouse.publish(self.clock.now(), force=True)
        return engine.warehouse.published.query(query).to_pylist()

    def results(self, page: str = "page") -> list[tuple[Any, ...]]:
        """(effective_outcome, kind, kind_reason, confirmation) of each visit of a page."""
        rows = self.sql(f"SELECT * FROM visit_results WHERE page_name = '{page}' ORDER BY visit_no")
        return [(r["effective_outcome"], r["kind"], r["kind_reason"], r["confirmation"]) for r in rows]

    def kinds(self, page: str = "page") -> list[str | None]:
        return [row[1] for row in self.results(page)]

    def state(self, page: str = "page") -> Mapping[str, Any]:
        [row] = self.sql(
            f"SELECT s.* FROM page_state s JOIN pages p USING (page_id) WHERE p.page_name = '{page}' AND p.active"
        )
        return row


@pytest.fixture
def world(tmp_path: Path) -> World:
    clock = SteppedClock(START)
    made = World(root=tmp_path, clock=clock, fetcher=FakeFetcher(clock))
    made.write("page")
    return made
