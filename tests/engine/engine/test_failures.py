"""What is not the page moves nothing."""

import pytest

from pipeline.engine import reading
from pipeline.model import Fetched, Outcome
from tests.engine.engine.conftest import BLOCK, FOURTEEN, START, THIRTY, World, product


def test_a_failure_between_two_equal_pages_is_no_change(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=(Outcome.FAILED, "http_503"))
    world.step(page=THIRTY)
    assert world.results() == [
        ("ok", None, "first", "not_needed"),
        ("failed", None, "not_good", None),
        ("ok", "none", "bytes_equal", None),
    ]


def test_a_block_page_served_with_200_stays_blocked_while_its_bytes_stay(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=BLOCK)
    world.step(page=BLOCK)
    world.step(page=THIRTY)
    assert [row[:3] for row in world.results()] == [
        ("ok", None, "first"),
        ("blocked", None, "not_good"),
        ("blocked", None, "not_good"),
        ("ok", "none", "bytes_equal"),
    ]
    state = world.state()
    assert (state["last_good_visit_no"], state["baseline_visit_no"], state["failure_streak"]) == (1, 1, 0)


def test_a_failure_moves_no_good_state(world: World) -> None:
    world.watch(page=product("89.00"))
    kept = ("last_good_visit_no", "baseline_visit_no", "body_sha256", "text_sha256", "last_alerted_json", "rate_a")
    before = {key: world.state()[key] for key in kept}
    for answer in ((Outcome.FAILED, "timeout"), BLOCK, (Outcome.GONE, "http_404"), (Outcome.BLOCKED, "http_403")):
        world.step(page=answer)
    assert {key: world.state()[key] for key in kept} == before
    assert world.state()["failure_streak"] == 4
    assert world.sql("SELECT count(*) n FROM field_values WHERE visit_no > 1") == [{"n": 0}]


def test_one_page_that_cannot_be_read_does_not_stop_the_others(world: World) -> None:
    world.write("page", "other", "third")
    picture = Fetched(started_at=START, outcome=Outcome.OK, body=b"\x89PNG\r\n\x1a\n" * 50, content_type="text/html")
    world.watch(page=picture, other=THIRTY, third=(Outcome.REFUSED, "scheme"))
    assert world.results("other") == [("ok", None, "first", "not_needed")]
    assert world.results("third")[0][0] == "refused"
    assert world.results("page")[0][:3] == ("failed", None, "not_good")


def test_a_page_that_breaks_the_reader_is_that_pages_fault_alone(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(body: bytes, **given: object) -> object:
        if b"within 30 days" in body:
            raise RecursionError("too deep")
        return read(body, **given)

    read = reading.extract_body
    monkeypatch.setattr(reading, "extract_body", break_down)
    world.write("page", "other")
    world.watch(page=THIRTY, other=FOURTEEN)
    assert world.results("page")[0][:3] == ("failed", None, "not_good")
    assert world.results("other")[0][:3] == ("ok", None, "first")
    assert "could not be read" in caplog.text
