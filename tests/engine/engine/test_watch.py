"""Whole runs of the six stages, over pages that answer what a test says."""

from datetime import timedelta

import pytest

from pipeline.engine import classify, extract, fetch, fingerprint, normalize, reading, route
from pipeline.model import Fetched, Outcome, SiteDay
from tests.engine.engine.conftest import STAGES, START, World, html

THIRTY, FOURTEEN = html("<p>Cancel within 30 days of purchase.</p>"), html("<p>Cancel within 14 days of purchase.</p>")
BLOCK = b"<html><head><title>Just a moment...</title></head><body><p>Verify you are human</p></body></html>"


def product(price: str, stock: str = "InStock", name: str = "Anvil") -> bytes:
    ld = (
        f'<script type="application/ld+json">{{"@context":"https://schema.org","@type":"Product","name":"{name}","offers":'
        f'{{"@type":"Offer","price":"{price}","priceCurrency":"EUR","availability":"https://schema.org/{stock}"}}}}</script>'
    )
    return html(f"<h1>{name}</h1><p>{price} EUR</p>", head=ld)


# ── kinds ────────────────────────────────────────────────────────────────────


def test_first_then_equal_bytes_then_equal_text(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=THIRTY)
    world.step(page=THIRTY.replace(b"<main>", b"<main data-nonce='1'>"))
    assert world.results() == [
        ("ok", None, "first", "not_needed"),
        ("ok", "none", "bytes_equal", None),
        ("ok", "noise", "text_equal", "not_needed"),
    ]


def test_an_unchanged_visit_writes_one_row_and_nothing_else(world: World) -> None:
    world.watch(page=THIRTY)
    before = world.sql("SELECT (SELECT count(*) FROM judgements) j, (SELECT count(*) FROM fingerprints) f")
    world.step(page=THIRTY)
    assert world.sql("SELECT (SELECT count(*) FROM judgements) j, (SELECT count(*) FROM fingerprints) f") == before
    [row] = world.sql("SELECT * FROM visits WHERE visit_no = 2")
    assert row["unchanged"]
    assert (row["body_sha256"], row["duration_ms"], row["wire_bytes"], row["headers_json"]) == (None, None, None, None)


def test_a_304_is_none_without_a_body(world: World) -> None:
    world.fetcher.etags["page"] = '"v1"'
    world.watch(page=THIRTY)
    world.step(page=THIRTY)
    assert world.results()[1] == ("not_modified", "none", "bytes_equal", None)


def test_a_price_change_is_a_field_change_with_exact_values(world: World) -> None:
    world.watch(page=product("89.00"))
    world.step(page=product("79.00"))
    assert world.results()[1] == ("ok", "field", "fields", "not_needed")
    [row] = world.sql(
        "SELECT field_name, old_number::VARCHAR o, new_number::VARCHAR n, currency, not_before_at FROM field_changes"
    )
    assert (row["field_name"], row["o"][:5], row["n"][:5], row["currency"]) == ("price", "89.00", "79.00", "EUR")
    assert row["not_before_at"] == START
    [alert] = world.sql("SELECT channel, status FROM alerts")
    assert alert == {"channel": "log", "status": "pending"}
    prices = world.sql("SELECT price::DOUBLE p, until_at IS NULL AS now FROM price_history ORDER BY from_at")
    assert prices == [{"p": 89.0, "now": False}, {"p": 79.0, "now": True}]


def test_going_back_and_forth_is_a_change_each_time(world: World) -> None:
    for price in ("89.00", "79.00", "89.00", "79.00", "89.00"):
        world.step(page=product(price))
    assert world.kinds() == [None, "field", "field", "field", "field"]
    assert world.sql("SELECT count(*) n FROM field_changes") == [{"n": 4}]
    assert world.sql("SELECT count(DISTINCT alert_id) n FROM alerts") == [{"n": 4}]


def test_a_lost_price_goes_to_review_and_alerts_nobody(world: World) -> None:
    world.write("page page_type: product")
    world.watch(page=product("89.00"))
    gone = product("89.00").replace(b'"price":"89.00","priceCurrency":"EUR",', b"")
    world.step(page=gone)
    assert world.kinds() == [None, "field"]
    assert world.sql("SELECT cause FROM review_items") == [{"cause": "field_lost"}]
    assert world.sql("SELECT count(*) n FROM alerts") == [{"n": 0}]


# ── confirmation ─────────────────────────────────────────────────────────────


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


# ── failures ─────────────────────────────────────────────────────────────────


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
    picture = Fetched(started_at=START, outcome=Outcome.OK, body=b"\x89PNG\r\n\x1a\n" * 50, content_type="image/png")
    world.watch(page=picture, other=THIRTY, third=(Outcome.REFUSED, "scheme"))
    assert world.results("other") == [("ok", None, "first", "not_needed")]
    assert world.results("third")[0][0] == "refused"
    assert world.results("page")[0][:3] == ("failed", None, "not_good")


# ── idempotence, leases, days ────────────────────────────────────────────────


def test_running_again_changes_nothing(world: World) -> None:
    world.watch(page=product("89.00"))
    world.step(page=product("79.00"))
    tables = (
        "visits",
        "readings",
        "fingerprints",
        "judgements",
        "field_values",
        "field_changes",
        "alerts",
        "review_items",
    )
    counts = [world.sql(f"SELECT count(*) n FROM {table}") for table in tables]
    commits = world.sql("SELECT max(commit_no) n FROM commits")
    world.watch()
    assert [world.sql(f"SELECT count(*) n FROM {table}") for table in tables] == counts
    assert world.sql("SELECT max(commit_no) n FROM commits") == commits


@pytest.mark.parametrize("stop_after", range(6))
def test_a_run_that_died_after_any_stage_is_completed_by_the_next(world: World, stop_after: int) -> None:
    world.watch(page=product("89.00"))
    world.clock.advance(timedelta(hours=6))
    world.fetcher.answers["page"] = product("79.00")
    engine = world.engine()
    for stage in (fetch, extract, normalize, fingerprint, classify, route)[: stop_after + 1]:
        stage(engine, world.part())
    world.step(page=product("79.00"))
    assert world.kinds()[1] == "field"
    assert world.kinds()[2] in {"none", "noise"}
    assert world.sql("SELECT count(*) n FROM field_changes") == [{"n": 1}]
    assert world.sql("SELECT count(*) n FROM alerts") == [{"n": 1}]
    assert world.sql("SELECT count(*) n FROM readings") == [{"n": 0}]


def test_two_visits_left_over_are_judged_in_order(world: World) -> None:
    world.watch(page=product("89.00"))
    for price in ("79.00", "69.00"):
        world.clock.advance(timedelta(hours=6))
        world.fetcher.answers["page"] = product(price)
        fetch(world.engine(), world.part())
    world.watch()
    assert world.kinds() == [None, "field", "field"]
    rows = world.sql("SELECT old_number::INT o, new_number::INT n FROM field_changes ORDER BY visit_no")
    assert rows == [{"o": 89, "n": 79}, {"o": 79, "n": 69}]


def test_a_left_over_change_and_its_confirmation_are_settled_in_one_run(world: World) -> None:
    world.watch(page=THIRTY)
    for no in (1, 2):
        world.clock.advance(timedelta(hours=6))
        world.fetcher.answers["page"] = FOURTEEN.replace(b"<main>", f"<main data-n={no}>".encode())
        fetch(world.engine(), world.part())
    world.watch()
    assert [row[3] for row in world.results()] == ["not_needed", "confirmed", "not_needed"]


def test_yesterdays_left_over_is_completed_by_todays_run_before_todays_visit(world: World) -> None:
    world.watch(page=product("89.00"))
    world.clock.advance(timedelta(hours=6))
    world.fetcher.answers["page"] = product("79.00")
    fetch(world.engine(), world.part())
    world.step(hours=24, page=product("69.00"))
    assert world.kinds() == [None, "field", "field"]


def test_a_page_is_fetched_by_one_run_only(world: World) -> None:
    world.fetcher.answers["page"] = THIRTY
    other = world.engine()

    class Slow:
        """While this run fetches, another one looks for work."""

        def fetch_all(self, targets, done) -> None:
            fetch(other, world.part())
            world.fetcher.fetch_all(targets, done)

    engine = world.engine()
    object.__setattr__(engine, "fetcher", Slow())
    fetch(engine, world.part())
    assert [target.page_name for target in world.fetcher.asked] == ["page"]
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 1}]


def test_a_dead_runs_lease_ends_by_itself(world: World) -> None:
    world.fetcher.answers["page"] = THIRTY

    class Dies:
        def fetch_all(self, targets, done) -> None:
            raise KeyboardInterrupt

    engine = world.engine()
    object.__setattr__(engine, "fetcher", Dies())
    with pytest.raises(KeyboardInterrupt):
        fetch(engine, world.part())
    world.watch()
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 0}]
    world.step(hours=0.3)
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 1}]


def test_a_past_or_future_day_fetches_nothing(world: World) -> None:
    world.fetcher.answers["page"] = THIRTY
    for days in (-1, -30, 1):
        part = SiteDay(site="shop", day=(START + timedelta(days=days)).date())
        assert fetch(world.engine(), [part]).counts.total() == 0
    assert world.fetcher.asked == []


def test_a_run_made_for_a_day_may_cross_midnight_and_keeps_its_day(world: World) -> None:
    world.fetcher.answers["page"] = THIRTY
    part = SiteDay(site="shop", day=START.date())
    world.clock.set(START.replace(hour=0, minute=5) + timedelta(days=1))
    fetch(world.engine(), [part], backfill=True)
    assert world.fetcher.asked == []
    fetch(world.engine(), [part])
    [row] = world.sql("SELECT day, visited_at FROM visits")
    assert row["day"] == START.date()
    assert row["visited_at"].date() > START.date()


def test_a_clock_that_goes_back_keeps_visits_in_order(world: World) -> None:
    world.watch(page=THIRTY)
    world.clock.advance(timedelta(minutes=-30))
    world.fetcher.answers["page"] = FOURTEEN
    fetch(world.engine(), world.part(), manual=())
    rows = world.sql("SELECT visited_at FROM visits ORDER BY visit_no")
    assert rows[0]["visited_at"] < rows[1]["visited_at"]


def test_after_downtime_one_visit_is_due_not_the_missed_ones(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(hours=71)
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 2}]
    world.watch()
    assert world.sql("SELECT count(*) n FROM visits") == [{"n": 2}]


# ── configuration over time ──────────────────────────────────────────────────


def test_a_type_found_on_the_first_good_visit_stays(world: World) -> None:
    world.watch(page=BLOCK)
    assert world.sql("SELECT page_type FROM pages") == [{"page_type": "auto"}]
    world.step(page=product("89.00"))
    world.step(page=product("89.00"))
    assert world.sql("SELECT page_type FROM pages") == [{"page_type": "product"}]
    assert world.results()[2][:3] == ("ok", "none", "bytes_equal")
    world.step(page=THIRTY)
    assert world.sql("SELECT page_type FROM pages") == [{"page_type": "product"}]


def test_new_rules_read_the_reference_again_and_the_next_visit_is_judged_normally(world: World) -> None:
    page = html("<p>Cancel within 30 days of purchase.</p><p id=x>Model 4</p>")
    world.fetcher.etags["page"] = '"v1"'
    world.watch(page=page)
    world.write("page fields: {model: {type: text, css: '#x'}}")
    world.fetcher.etags["page"] = '"v2"'
    world.step(page=page.replace(b"Model 4", b"Model 5"))
    assert world.results()[1] == ("ok", "field", "fields", "not_needed")
    [row] = world.sql("SELECT old_text, new_text FROM field_changes")
    assert row == {"old_text": "Model 4", "new_text": "Model 5"}


def test_a_304_is_not_trusted_across_a_change_of_rules(world: World) -> None:
    page = html("<p id=x>Model 4</p>")
    world.fetcher.etags["page"] = '"v1"'
    world.watch(page=page)
    world.write("page fields: {model: {type: text, css: '#x'}}")
    world.step(page=page)
    assert world.fetcher.asked[-1].validators is None
    assert world.results()[1] == ("ok", "none", "bytes_equal", "not_needed")
    assert world.sql("SELECT text_value FROM field_values WHERE field_name = 'model'") == [{"text_value": "Model 4"}]


def test_rules_that_changed_while_a_candidate_waited_do_not_lose_it(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=FOURTEEN)
    world.write("page mask: ['never seen']")
    world.step(hours=0.05)
    assert world.results()[1] == ("ok", "content", "unexplained", "confirmed")
    assert world.results()[2][:2] == ("ok", "none")


def test_a_reference_whose_snapshot_is_gone_is_rebaselined_without_an_alert(world: World) -> None:
    world.watch(page=THIRTY)
    for blob in (world.root / "data" / "blobs").rglob("*.zst"):
        blob.unlink()
    world.write("page mask: ['never seen']")
    world.step(page=FOURTEEN)
    assert world.results()[1] == ("ok", None, "rebaselined", "not_needed")
    world.step(page=THIRTY)
    assert world.kinds()[2] == "content"


def test_editing_what_is_no_rule_rebaselines_nothing(world: World) -> None:
    world.watch(page=THIRTY)
    [before] = world.sql("SELECT rules_id FROM pages")
    world.write("page importance: 3, every: 2h, confirm: false")
    world.step(page=THIRTY)
    [after] = world.sql("SELECT rules_id, importance FROM pages")
    assert after == before | {"importance": 3.0}
    assert world.kinds() == [None, "none"]


def test_another_url_under_the_same_name_is_a_new_generation(world: World) -> None:
    world.watch(page=THIRTY)
    (world.root / "sites" / "shop.yaml").write_text("pages:\n  - {name: page, url: 'https://shop.example/moved'}\n")
    world.step(page=FOURTEEN)
    rows = world.sql("SELECT page_id, generation, previous_page_id, active FROM pages ORDER BY page_id")
    assert rows == [
        {"page_id": 1, "generation": 1, "previous_page_id": None, "active": False},
        {"page_id": 2, "generation": 2, "previous_page_id": 1, "active": True},
    ]
    assert [row[2] for row in world.results()] == ["first", "first"]


def test_a_renamed_page_keeps_its_history(world: World) -> None:
    world.watch(page=THIRTY)
    (world.root / "sites" / "shop.yaml").write_text(
        "pages:\n  - {name: terms, url: 'https://shop.example/page', was: page}\n"
    )
    world.step(terms=THIRTY)
    assert world.sql("SELECT page_id, page_name FROM pages") == [{"page_id": 1, "page_name": "terms"}]
    assert world.kinds("terms") == [None, "none"]


def test_a_page_that_left_the_file_is_kept_and_not_visited_and_may_come_back(world: World) -> None:
    world.write("page", "other")
    world.watch(page=THIRTY, other=THIRTY)
    world.write("page")
    world.step()
    assert world.kinds("other") == [None]
    world.write("page", "other")
    world.step()
    assert world.kinds("other") == [None, "none"]


def test_a_site_whose_file_is_gone_is_inactive_and_one_that_is_broken_keeps_what_was_in_force(world: World) -> None:
    world.write("page", site="second")
    world.watch(page=THIRTY)
    (world.root / "sites" / "shop.yaml").write_text("pages: [")
    (world.root / "sites" / "second.yaml").unlink()
    world.step()
    rows = world.sql("SELECT site, active FROM sites ORDER BY site")
    assert rows == [{"site": "second", "active": False}, {"site": "shop", "active": True}]


def test_every_stage_reports_what_it_did(world: World) -> None:
    world.watch(page=product("89.00"))
    reports = world.step(page=product("79.00"))
    assert reports["fetch"].counts == {"ok": 1}
    assert reports["classify"].counts == {"field": 1}
    assert reports["route"].counts == {"field_changes": 1, "alerts": 1, "review_items": 0}
    [row] = reports["route"].table
    assert (row["page_name"], row["kind"]) == ("page", "field")
    assert "79" in row["what"]
    assert len(STAGES) == 5
