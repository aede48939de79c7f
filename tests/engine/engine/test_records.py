"""What runs leave in the tables, column by column, and what they leave alone."""

from datetime import timedelta
from typing import Any

import pytest

from pipeline.blobs import BlobStore
from pipeline.engine import classify, extract, fetch, fingerprint, normalize, route
from pipeline.packing import unpack_diff
from tests.engine.engine.conftest import STAGES, World, html
from tests.engine.engine.test_watch import product

THIRTY, FOURTEEN = html("<p>Cancel within 30 days of purchase.</p>"), html("<p>Cancel within 14 days of purchase.</p>")


class Interrupting(BlobStore):
    """Lets another run do all its work the first time this one touches a blob."""

    def __init__(self, world: World, stages: tuple[Any, ...]) -> None:
        super().__init__(world.root / "data")
        self.world, self.stages = world, stages

    def _interrupt(self) -> None:
        stages, self.stages = self.stages, ()
        for stage in stages:
            stage(self.world.engine(), self.world.part())

    def put_many(self, contents: Any) -> Any:
        self._interrupt()
        return super().put_many(contents)

    def get(self, sha256: str) -> bytes:
        self._interrupt()
        return super().get(sha256)


def interrupted(world: World, stage: Any, others: tuple[Any, ...]) -> None:
    engine = world.engine()
    object.__setattr__(engine, "blobs", Interrupting(world, others))
    stage(engine, world.part())


def changed(world: World) -> None:
    """A page with a price change that was fetched and not looked at yet."""
    world.watch(page=product("89.00"))
    world.clock.advance(timedelta(hours=6))
    world.fetcher.answers["page"] = product("79.00")
    fetch(world.engine(), world.part())


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)
def test_what_another_run_did_meanwhile_is_not_done_twice(world: World, stage: Any) -> None:
    changed(world)
    place = STAGES.index(stage)
    for earlier in STAGES[:place]:
        earlier(world.engine(), world.part())
    interrupted(world, stage, STAGES[place:])
    for later in STAGES:
        later(world.engine(), world.part())
    assert world.kinds() == [None, "field"]
    counts = "SELECT count(*) AS n FROM "
    assert [world.sql(counts + table) for table in ("field_changes", "alerts", "readings")] == [
        [{"n": 1}],
        [{"n": 1}],
        [{"n": 0}],
    ]
    assert world.sql("SELECT count(*) AS n FROM judgements WHERE visit_no = 2") == [{"n": 1}]
    assert world.sql("SELECT count(*) AS n FROM fingerprints") == [{"n": 2}]


def test_visits_fetched_before_a_run_died_are_recorded(world: World) -> None:
    world.write("page", "other")
    world.fetcher.answers["page"] = THIRTY  # `other` has no answer: the fetcher itself breaks down there
    with pytest.raises(KeyError):
        fetch(world.engine(), world.part())
    assert world.sql("SELECT page_name FROM visits JOIN pages USING (page_id)") == [{"page_name": "page"}]


def test_a_lease_that_ran_out_is_not_written_over(world: World) -> None:
    world.fetcher.answers["page"] = THIRTY
    slow, quick = world.engine(), world.engine()

    class Slow:
        def fetch_all(self, targets: Any, done: Any) -> None:
            world.clock.advance(timedelta(minutes=16))
            fetch(quick, world.part())
            world.fetcher.fetch_all(targets, done)

    object.__setattr__(slow, "fetcher", Slow())
    fetch(slow, world.part())
    assert world.sql("SELECT count(*) AS n FROM visits") == [{"n": 1}]


def test_unchanged_answers_are_counted_until_a_full_one(world: World) -> None:
    world.fetcher.etags["page"] = '"v1"'
    world.watch(page=THIRTY)
    for expected in (1, 2):
        world.step()
        assert world.state()["visits_since_full"] == expected
    world.fetcher.etags["page"] = '"v2"'
    world.step(page=FOURTEEN)
    assert world.state()["visits_since_full"] == 0


def test_a_fingerprint_has_a_row_only_when_the_text_differs_and_says_what_differs(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=THIRTY.replace(b"<main>", b"<main data-n=1>"))
    world.step(page=FOURTEEN)
    rows = world.sql("SELECT visit_no, block_diff FROM fingerprints ORDER BY visit_no")
    assert [row["visit_no"] for row in rows] == [1, 3]
    assert rows[0]["block_diff"] is None
    assert [change.op for change in unpack_diff(rows[1]["block_diff"]).changes] == ["removed", "added"]


def test_a_field_has_a_row_only_when_its_value_differs(world: World) -> None:
    world.watch(page=product("89.00"))
    world.step(page=product("89.00").replace(b"<main>", b"<main data-n=1>"))
    world.step(page=product("79.00"))
    rows = world.sql("SELECT visit_no FROM field_values WHERE field_name = 'price' ORDER BY visit_no")
    assert [row["visit_no"] for row in rows] == [1, 3]


def test_both_sides_of_a_change_are_pinned_and_the_rest_is_not(world: World) -> None:
    world.watch(page=product("89.00"))
    world.step(page=product("79.00"))
    world.step(page=product("79.00").replace(b"<main>", b"<main data-n=1>"))
    bodies = world.sql("SELECT v.visit_no, b.pin FROM visits v JOIN blobs b ON b.sha256 = v.body_sha256 ORDER BY 1")
    assert bodies == [{"visit_no": 1, "pin": "change"}, {"visit_no": 2, "pin": "change"}, {"visit_no": 3, "pin": None}]
    assert world.sql("SELECT count(*) AS n FROM blobs WHERE role = 'diff' AND pin = 'change'") == [{"n": 1}]
    assert world.sql("SELECT count(*) AS n FROM blobs WHERE role = 'text' AND pin = 'change'") == [{"n": 2}]


def test_the_baseline_keeps_its_text_while_noise_moves_the_reference(world: World) -> None:
    world.watch(page=THIRTY)
    first = world.state()
    assert first["baseline_text_sha256"] == first["text_sha256"] is not None
    world.step(page=THIRTY.replace(b"<main>", b"<nav><a href='/'>Home</a></nav><main>"))
    state = world.state()
    assert (state["last_good_visit_no"], state["baseline_visit_no"]) == (2, 1)
    assert state["baseline_text_sha256"] == first["text_sha256"] != state["text_sha256"]


def test_the_most_specific_threshold_is_in_force(world: World) -> None:
    world.write("page page_type: terms, confirm: false")
    world.watch(page=THIRTY)
    now = world.clock.now()
    base = {"drift_bits": 64, "method": "manual", "fetches": 0, "evidence_json": "{}", "proposed_at": now}
    with (
        world.engine().warehouse.session() as session,
        session.transaction(stage="calibrate", run_id="r", now=now) as transaction,
    ):
        rows = [
            {
                "threshold_id": 2,
                "site": "shop",
                "page_type": "terms",
                "page_id": 1,
                "noise_bits": 11,
                "applied_at": now,
            },
            {"threshold_id": 3, "site": "shop", "page_type": "terms", "noise_bits": 12, "applied_at": now},
            {"threshold_id": 4, "site": "shop", "noise_bits": 13, "applied_at": now},
            {"threshold_id": 5, "page_id": 1, "noise_bits": 0, "applied_at": None},
        ]
        transaction.insert("thresholds", [base | row for row in rows])
    world.step(page=FOURTEEN)
    assert world.sql("SELECT threshold FROM visit_results WHERE visit_no = 2") == [{"threshold": 11}]


def test_a_content_change_is_routed_once_although_it_has_no_field_change(world: World) -> None:
    world.write("page confirm: false")
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    again = route(world.engine(), world.part())
    assert again.counts.total() == 0
    assert world.sql("SELECT count(*) AS n FROM review_items") == [{"n": 1}]


def test_every_key_of_the_schema_is_unique_after_runs_that_overlapped(world: World) -> None:
    world.write("page", "other confirm: false")
    for price in ("89.00", "79.00", "89.00"):
        world.clock.advance(timedelta(hours=6))
        world.fetcher.answers |= {"page": product(price), "other": FOURTEEN if price == "79.00" else THIRTY}
        one, two, part = world.engine(), world.engine(), world.part()
        fetch(one, part)
        for stage in (extract, normalize, fingerprint, classify, route):
            stage(two, part)
            stage(one, part)
    keys = {
        "visits": "page_id, visit_no",
        "blobs": "sha256",
        "fingerprints": "page_id, visit_no, rules_id",
        "judgements": "set_id, page_id, visit_no, commit_no",
        "field_values": "page_id, visit_no, field_name, rules_id",
        "field_changes": "set_id, page_id, visit_no, field_name",
        "review_items": "review_id",
        "alerts": "alert_id",
        "commits": "commit_no",
        "page_state": "page_id",
        "pages": "page_id",
        "rules": "rules_id",
        "sites": "site",
    }
    for table, key in keys.items():
        assert world.sql(f"SELECT {key} FROM {table} GROUP BY ALL HAVING count(*) > 1") == [], table
        assert world.sql(f"SELECT count(*) > 0 AS some FROM {table}") == [{"some": True}], table


def test_rules_that_go_and_come_back_change_no_field(world: World) -> None:
    body = html("<p id=x>Model 4</p><p id=y>Blue</p><p id=p>75 EUR</p><p id=q>89 EUR</p>")
    both = (
        "{m: {type: text, css: '#x'}, price: {type: price, css: '#p'}}",
        "{m: {type: text, css: '#y'}, price: {type: price, css: '#q'}}",
    )
    for number, fields in enumerate((both[0], both[1], both[0], both[1], both[0])):
        world.write(f"page fields: {fields}")
        world.step(page=body)
        world.step(page=body.replace(b"<main>", f"<main data-n='{number}'>".encode()))
    assert world.kinds() == [None] + 9 * ["noise"]
    assert world.sql("SELECT count(*) AS n FROM field_changes") == [{"n": 0}]
    key = "page_id, visit_no, field_name, rules_id"
    assert world.sql(f"SELECT {key} FROM field_values GROUP BY ALL HAVING count(*) > 1") == []
    assert world.sql("SELECT from_at FROM price_history GROUP BY ALL HAVING count(*) > 1") == []
    [now] = world.sql("SELECT price::DOUBLE AS price FROM price_history WHERE until_at IS NULL")
    assert now["price"] == 75.0
