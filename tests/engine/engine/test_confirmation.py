"""A content change waits for a second fetch."""

from datetime import timedelta

import pytest

from pipeline.engine import fetch
from pipeline.model import Outcome
from tests.engine.engine.conftest import BLOCK, FOURTEEN, STAGES, THIRTY, World, html, product


def test_a_content_change_waits_then_a_second_fetch_confirms_it(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    assert world.results()[1] == ("ok", "content", "unexplained", "waiting")
    assert world.sql("SELECT count(*) n FROM review_items") == [{"n": 0}]
    assert world.sql("SELECT * FROM changes") == []
    state = world.state()
    assert (state["next_purpose"], state["last_good_visit_no"]) == ("confirm", 1)
    assert timedelta(minutes=2) <= state["next_due_at"] - world.clock.now() <= timedelta(minutes=5)
    world.step(hours=0.05)
    assert world.results()[1:] == [
        ("ok", "content", "unexplained", "confirmed"),
        ("ok", "none", "bytes_equal", None),
    ]
    assert world.sql("SELECT review_id, cause FROM review_items") == [{"review_id": "v1-2", "cause": "content"}]
    state = world.state()
    assert (state["last_good_visit_no"], state["baseline_visit_no"], state["next_purpose"]) == (2, 2, "watch")


def test_a_change_that_is_gone_at_the_second_fetch_vanishes_and_reaches_nobody(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    world.step(hours=0.05, page=THIRTY)
    assert world.results()[1:] == [("ok", "content", "unexplained", "vanished"), ("ok", "none", "bytes_equal", None)]
    assert world.sql("SELECT * FROM changes") == []
    assert world.sql("SELECT count(*) n FROM review_items") == [{"n": 0}]
    rates = world.sql("SELECT sum(noise_count)::INT AS noise, sum(content_count)::INT AS changed FROM kind_rates")
    assert rates == [{"noise": 1, "changed": 0}]
    world.step(page=THIRTY)
    assert world.state()["last_good_visit_no"] == 1


def test_a_confirm_visit_with_other_noise_still_confirms(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    world.step(hours=0.05, page=FOURTEEN.replace(b"<main>", b"<main data-n=2>"))
    assert world.results()[1:] == [
        ("ok", "content", "unexplained", "confirmed"),
        ("ok", "noise", "text_equal", "not_needed"),
    ]


def test_a_304_confirms_because_it_speaks_of_the_candidate(world: World) -> None:
    world.fetcher.etags["page"] = '"v1"'
    world.watch(page=THIRTY)
    world.fetcher.etags["page"] = '"v2"'
    world.step(page=FOURTEEN)
    world.step(hours=0.05)
    assert world.results()[1:] == [
        ("ok", "content", "unexplained", "confirmed"),
        ("not_modified", "none", "bytes_equal", None),
    ]


def test_failed_confirm_visits_are_repeated_and_the_candidate_waits_on(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    down = (Outcome.FAILED, "http_500")
    waits = []
    for _ in range(4):
        world.clock.set(world.state()["next_due_at"])
        world.watch(page=down)
        waits.append(world.state()["next_due_at"] - world.clock.now())
    assert waits == [timedelta(minutes=5), timedelta(minutes=15), timedelta(minutes=60), timedelta(hours=6)]
    world.step(page=FOURTEEN)
    assert world.results()[1] == ("ok", "content", "unexplained", "confirmed")


def test_a_block_page_at_the_confirm_visit_neither_confirms_nor_kills_the_candidate(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    world.step(hours=0.05, page=BLOCK)
    assert world.results()[1][3] == "waiting"
    assert world.state()["next_purpose"] == "confirm"
    world.step(hours=0.1, page=FOURTEEN)
    assert world.results()[1][3] == "confirmed"


@pytest.mark.parametrize("answer", [(Outcome.FAILED, "http_500"), BLOCK], ids=["500", "block page"])
def test_a_failed_visit_by_hand_does_not_put_a_confirm_visit_off(world: World, answer: object) -> None:
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    world.fetcher.answers["page"] = answer
    fetch(world.engine(), world.part(), manual=())
    for stage in STAGES:
        stage(world.engine(), world.part())
    state = world.state()
    assert (state["next_purpose"], state["next_due_at"]) == ("confirm", world.clock.now() + timedelta(minutes=5))


def test_a_page_that_differs_at_every_load_is_not_fetched_every_three_minutes(world: World) -> None:
    world.watch(page=html("<p>alpha one</p>"))
    world.step(page=html("<p>beta two</p>"))
    world.step(hours=0.05, page=html("<p>gamma three</p>"))
    assert [row[3] for row in world.results()] == ["not_needed", "confirmed", "waiting"]
    state = world.state()
    assert (state["next_purpose"], state["next_due_at"]) == ("watch", world.clock.now() + timedelta(hours=6))


def test_confirmation_can_be_switched_off(world: World) -> None:
    world.write("page confirm: false")
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    assert world.results()[1] == ("ok", "content", "unexplained", "not_needed")


def test_a_field_change_while_a_candidate_waits_closes_it_first(world: World) -> None:
    world.watch(page=product("89.00"))
    world.step(page=product("89.00").replace(b"Paragraph 3 says", b"Paragraph 3 denies"))
    world.step(hours=0.05, page=product("79.00").replace(b"Paragraph 3 says", b"Paragraph 3 denies"))
    assert world.results()[1:] == [
        ("ok", "content", "unexplained", "confirmed"),
        ("ok", "field", "fields", "not_needed"),
    ]
    [also] = world.sql("SELECT also_content FROM visit_results WHERE visit_no = 3")
    assert not also["also_content"]


def test_what_vanished_is_known_to_the_page_from_then_on_and_kept_by_day(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    world.step(hours=0.05, page=THIRTY)
    world.step(page=FOURTEEN.replace(b"<main>", b"<main data-n=2>"))
    assert world.results()[-1] == ("ok", "noise", "explained", "not_needed")
    world.step(hours=24, page=FOURTEEN.replace(b"<main>", b"<main data-n=3>"))
    rows = world.sql("SELECT set_id, visit_no, day::VARCHAR AS day FROM ledger_states ORDER BY day")
    assert rows == [
        {"set_id": 0, "visit_no": 4, "day": "2026-03-02"},
        {"set_id": 0, "visit_no": 5, "day": "2026-03-03"},
    ]
