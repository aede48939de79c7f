"""Alert rules over time: what must last, what comes back, what looks like a slip."""

from datetime import timedelta
from typing import Any

from tests.engine.engine.conftest import BLOCK, World, product

STABLE = "alert: {price: {stable_for: 2}}"


def alerts(world: World) -> list[tuple[Any, ...]]:
    rows = world.sql(
        "SELECT visit_no, status, payload_json ->> 'field' AS field FROM alerts ORDER BY created_at, visit_no"
    )
    return [(row["visit_no"], row["status"], row["field"]) for row in rows]


def test_a_value_that_blinks_is_recorded_and_reaches_nobody(world: World) -> None:
    world.write(f"page {STABLE}")
    world.watch(page=product("10.00"))
    world.step(page=product("9.00"))
    assert alerts(world) == [(2, "held", "price")]
    reports = world.step(page=product("10.00"))
    assert alerts(world) == [(2, "dropped", "price")]
    assert reports["route"].counts["alerts_dropped"] == 1
    assert world.sql("SELECT count(*) n FROM field_changes") == [{"n": 2}]


def test_a_value_that_lasts_is_told_when_it_has(world: World) -> None:
    world.write(f"page {STABLE}")
    world.watch(page=product("10.00"))
    world.step(page=product("9.00"))
    world.step()
    assert alerts(world) == [(2, "pending", "price")]
    assert '"9"' in world.state()["last_alerted_json"] or "9.00" in world.state()["last_alerted_json"]
    world.step()
    assert alerts(world) == [(2, "pending", "price")]


def test_a_visit_that_is_not_good_shows_nothing(world: World) -> None:
    world.write("page alert: {price: {stable_for: 3}}")
    world.watch(page=product("10.00"))
    world.step(page=product("9.00"))
    world.step(page=BLOCK)
    world.step(page=BLOCK)
    assert alerts(world) == [(2, "held", "price")]
    world.step(page=product("9.00"))
    assert alerts(world) == [(2, "held", "price")]
    world.step(page=product("9.00"))
    assert alerts(world) == [(2, "pending", "price")]


def test_a_price_that_looks_like_a_slip_is_looked_at_again_within_minutes(world: World) -> None:
    world.write("page")
    world.watch(page=product("89.00"))
    world.step(page=product("8900.00"))
    assert alerts(world) == [(2, "held", "price")]
    state = world.state()
    assert state["next_purpose"] == "confirm"
    assert state["next_due_at"] - world.clock.now() <= timedelta(minutes=5)
    world.step(hours=0.05, page=product("89.00"))
    assert alerts(world) == [(2, "dropped", "price")]


def test_another_field_is_told_at_once(world: World) -> None:
    world.write(f"page {STABLE}")
    world.watch(page=product("10.00"))
    world.step(page=product("9.00", stock="OutOfStock"))
    assert sorted(alerts(world)) == [(2, "held", "price"), (2, "pending", "availability")]


def test_a_value_that_comes_back_says_when_it_was_there(world: World) -> None:
    world.write("page alert: {price: {repeat: false}}")
    world.watch(page=product("10.00"))
    first = world.clock.now()
    world.step(page=product("9.00"))
    world.step(page=product("10.00"))
    world.step(page=product("8.00"))
    rows = world.sql("SELECT visit_no, seen_before_at FROM field_changes ORDER BY visit_no")
    assert [row["seen_before_at"] for row in rows] == [None, first, None]
    assert [row[0] for row in alerts(world)] == [2, 4]


def test_slow_drift_is_told_when_it_adds_up(world: World) -> None:
    world.write("page alert: {price: {change: 5%}}")
    for amount in ("100.00", "102.00", "104.00", "106.00"):
        world.step(page=product(amount))
    assert [row[0] for row in alerts(world)] == [4]


def test_the_current_value_of_every_tracked_field_is_one_row(world: World) -> None:
    world.write("page")
    world.watch(page=product("10.00"))
    world.step(page=product("9.00"))
    rows = world.sql(
        "SELECT field_name, field_state, text_value, visit FROM (SELECT *, since_at AS visit FROM current_values)"
    )
    values = {row["field_name"]: row for row in rows}
    assert (values["price"]["text_value"], values["price"]["visit"]) == ("9 EUR", world.clock.now())
    assert values["sku"]["field_state"] == "missing"
    assert len(values) == len(rows)


def test_a_field_that_is_no_longer_tracked_has_no_current_value(world: World) -> None:
    world.write("page page_type: product, fields: {stock: {type: text, css: p}}")
    world.watch(page=product("10.00"))
    world.write("page page_type: product")
    world.step(page=product("9.00"))
    names = {row["field_name"] for row in world.sql("SELECT field_name FROM current_values")}
    assert "price" in names
    assert "stock" not in names
