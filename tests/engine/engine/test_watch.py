"""Whole runs of the six stages, over pages that answer what a test says: what each kind of change gives."""

from tests.engine.engine.conftest import START, THIRTY, World, product


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


def test_every_stage_reports_what_it_did(world: World) -> None:
    world.watch(page=product("89.00"))
    reports = world.step(page=product("79.00"))
    assert {name: report.stage for name, report in reports.items()} == {name: name for name in reports}
    assert reports["fetch"].counts == {"ok": 1}
    assert reports["extract"].counts == {"read": 1}
    assert reports["normalize"].counts == {"normalized": 1}
    assert reports["fingerprint"].counts == {"fingerprinted": 1, "text_changed": 1}
    assert reports["classify"].counts == {"field": 1}
    assert reports["route"].counts == {"field_changes": 1, "alerts": 1, "review_items": 0}
    [row] = reports["route"].table
    assert (row["page_name"], row["kind"]) == ("page", "field")
    assert "79" in row["what"]
