"""Runs that die between stages, overlap, or find other rules than the run before: kinds still follow the visits."""

from datetime import timedelta
from typing import Any

from pipeline.engine import classify, extract, fetch, fingerprint, normalize, route
from tests.engine.engine.conftest import STAGES, World, html

THIRTY, FOURTEEN, SEVEN = (html(f"<p>Cancel within {days} days of purchase.</p>") for days in (30, 14, 7))


def with_nonce(body: bytes, nonce: int) -> bytes:
    """Other bytes, the same text."""
    return body.replace(b"<main>", f"<main data-nonce='{nonce}'>".encode())


def only_fetch(world: World, hours: float, **answers: Any) -> None:
    """A run that dies right after it fetched."""
    world.clock.advance(timedelta(hours=hours))
    world.fetcher.answers.update(answers)
    fetch(world.engine(), world.part())


def test_bytes_of_a_reference_that_an_unjudged_visit_is_about_to_replace_are_not_unchanged(world: World) -> None:
    world.watch(page=THIRTY)
    only_fetch(world, 6, page=FOURTEEN)
    only_fetch(world, 6, page=with_nonce(FOURTEEN, 1))
    only_fetch(world, 6, page=with_nonce(THIRTY, 1))
    only_fetch(world, 6, page=THIRTY)
    for stage in STAGES:
        stage(world.engine(), world.part())
    assert [row[1::2] for row in world.results()] == [
        (None, "not_needed"),
        ("content", "confirmed"),
        ("noise", "not_needed"),
        ("content", "confirmed"),
        ("noise", "not_needed"),
    ]


def test_a_visit_read_under_rules_that_changed_before_it_was_judged_is_read_again(world: World) -> None:
    world.watch(page=THIRTY)
    world.write("page mask: ['never seen 1']")
    world.clock.advance(timedelta(hours=6))
    world.fetcher.answers["page"] = FOURTEEN
    engine = world.engine()
    fetch(engine, world.part())
    extract(engine, world.part())
    world.write("page")
    world.step(page=SEVEN)
    assert [row[1:] for row in world.results()] == [
        (None, "first", "not_needed"),
        ("content", "unexplained", "confirmed"),
        ("content", "unexplained", "waiting"),
    ]


def test_of_two_runs_at_once_neither_judges_before_the_reference_is_read_under_the_new_rules(world: World) -> None:
    world.write("page confirm: false")
    world.watch(page=THIRTY)
    world.write("page confirm: false, mask: ['never seen']")
    part = world.part()
    one, two = world.engine(), world.engine()
    fetch(two, part, manual=())
    extract(two, part)
    fetch(one, part, manual=())
    normalize(two, part)
    world.fetcher.answers["page"] = FOURTEEN
    fetch(one, part, manual=())
    extract(one, part)
    for stage in (fingerprint, classify):
        stage(two, part)
    for engine in (one, two):
        for stage in (normalize, fingerprint, classify, route):
            stage(engine, part)
    assert [row[2] for row in world.results()] == ["first", "bytes_equal", "bytes_equal", "unexplained"]


def test_a_body_that_is_gone_before_it_was_read_is_said_once_and_holds_nothing_up(world: World) -> None:
    world.watch(page=THIRTY)
    kept = set((world.root / "data" / "blobs").rglob("*.zst"))
    only_fetch(world, 6, page=FOURTEEN)
    for path in set((world.root / "data" / "blobs").rglob("*.zst")) - kept:
        path.unlink()
    world.step(page=THIRTY)
    world.step(page=SEVEN)
    assert [row[:2] for row in world.results()] == [("ok", None), ("failed", None), ("ok", "none"), ("ok", "content")]
