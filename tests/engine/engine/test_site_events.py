"""One change on many pages of a site is one event, from fetch to route."""

import pytest

from pipeline.cli.visit import judged_words
from pipeline.engine import classify, fetch, route
from tests.engine.engine.conftest import STAGES, World, html, product

PAGES = ("one", "two", "three", "four")
BANNER = "<p>All our offices are closed on Friday.</p>"
OWN = "<p>Cancel within 14 days of purchase.</p>"


def page(name: str, main: str = "", menu: str = "") -> bytes:
    nav = f"<nav><ul><li><a href=/>Home</a></li>{menu}</ul></nav>".encode()
    return html(f"<h1>All about {name}</h1>{main}").replace(b"<main>", nav + b"<main>")


def answers(main: str = "", menu: str = "", *, names=PAGES) -> dict[str, bytes]:
    return {name: page(name, main, menu) for name in names}


@pytest.fixture
def site(world: World) -> World:
    """A site of four pages that were visited once."""
    world.write(*PAGES)
    world.watch(**answers())
    return world


def groups(world: World) -> dict[tuple[str, int], str | None]:
    rows = world.sql("SELECT page_name, visit_no, group_id FROM visit_results WHERE kind <> 'none' ORDER BY ALL")
    return {(row["page_name"], row["visit_no"]): row["group_id"] for row in rows}


def items(world: World) -> dict[str, tuple[str, bool, str | None]]:
    rows = world.sql(
        "SELECT review_id, cause, closed_at IS NULL AS open, group_id FROM review_items ORDER BY opened_at, 1"
    )
    return {row["review_id"]: (row["cause"], row["open"], row["group_id"]) for row in rows}


def test_a_banner_on_every_page_is_one_item_for_a_person(site: World) -> None:
    site.step(**answers(BANNER))
    waiting = site.sql("SELECT confirmation, group_id FROM visit_results WHERE visit_no = 2")
    assert waiting == [{"confirmation": "waiting", "group_id": "v1-2"}] * 4
    assert items(site) == {}
    reports = site.step(hours=0.05)
    assert groups(site) == {(name, 2): "v1-2" for name in PAGES}
    assert {key: item for key, item in items(site).items() if item[1]} == {"gv1-2": ("site_event", True, "v1-2")}
    assert reports["route"].counts["review_items"] == 1
    [event] = site.sql("SELECT * FROM site_events")
    assert (event["group_id"], event["page_count"], event["change_count"], event["noise_count"]) == ("v1-2", 4, 4, 0)
    assert len(site.sql("SELECT * FROM changes WHERE group_id = 'v1-2'")) == 4


def test_an_open_item_joins_when_the_second_page_shows_it_and_later_pages_open_none(site: World) -> None:
    site.step(one=page("one", BANNER))
    site.step(hours=0.05)
    assert items(site) == {"v1-2": ("content", True, None)}
    site.step(two=page("two", BANNER))
    assert groups(site) == {("one", 2): "v1-2", ("two", 3): "v1-2"}
    assert items(site) == {"v1-2": ("content", False, "v1-2"), "gv1-2": ("site_event", True, "v1-2")}
    [joined] = site.sql("SELECT row_version FROM review_items WHERE review_id = 'v1-2'")
    assert joined["row_version"] == 2
    site.step(hours=0.05)
    site.step(three=page("three", BANNER))
    site.step(hours=0.05)
    assert {key for key, item in items(site).items() if item[1]} == {"gv1-2"}
    assert items(site).keys() == {"v1-2", "gv1-2", "v2-3", "v3-4"}
    rows = site.sql(
        "SELECT visit_no, count(*) n, count(group_id) g FROM judgements WHERE page_id = 1 AND kind = 'content' GROUP BY ALL"
    )
    assert rows == [{"visit_no": 2, "n": 3, "g": 1}]  # it waited, was confirmed, and joined


def test_run_again_nothing_is_written(site: World) -> None:
    site.step(**answers(BANNER))
    site.step(hours=0.05)
    before = site.sql("SELECT count(*) n, max(commit_no) m FROM commits")
    for stage in STAGES:
        stage(site.engine(), site.part())
    assert site.sql("SELECT count(*) n, max(commit_no) m FROM commits") == before


def test_a_page_with_a_block_of_its_own_stays_an_own_change(site: World) -> None:
    site.step(one=page("one", BANNER), two=page("two", BANNER + OWN))
    site.step(hours=0.05)
    assert groups(site) == {("one", 2): "v1-2", ("two", 2): None}
    assert items(site)["v2-2"] == ("content", True, None)
    assert items(site)["gv1-2"][1]


def test_more_than_36_hours_apart_they_are_two_changes(site: World) -> None:
    site.step(one=page("one", BANNER))
    site.step(hours=37, two=page("two", BANNER))
    site.step(hours=0.05)
    assert set(groups(site).values()) == {None}


def test_a_change_that_vanishes_belongs_to_no_event_and_is_no_evidence_for_one(site: World) -> None:
    site.step(one=page("one", BANNER))
    site.step(hours=0.05, one=page("one"))
    site.step(two=page("two", BANNER))
    site.step(hours=0.05)
    assert set(groups(site).values()) == {None}
    site.step(three=page("three", BANNER))
    assert groups(site)["two", 3] == groups(site)["three", 4] == "v2-3"
    site.step(hours=0.05, three=page("three"))
    assert site.sql(
        "SELECT confirmation, group_id FROM visit_results WHERE page_name = 'three' AND kind = 'content'"
    ) == [{"confirmation": "vanished", "group_id": None}]
    assert groups(site)["two", 3] == "v2-3"


def test_a_new_menu_entry_is_noise_of_each_page_one_event_and_nobodys_work(site: World) -> None:
    site.step(**answers(menu="<li><a href=/jobs>Careers</a></li>"))
    assert groups(site) == {(name, 2): "v1-2" for name in PAGES}
    assert {row["kind"] for row in site.sql("SELECT kind FROM visit_results WHERE visit_no = 2")} == {"noise"}
    assert items(site) == {}
    logged = site.sql("SELECT page_name, group_id FROM calibration_log ORDER BY page_name")
    assert [row["group_id"] for row in logged] == ["v1-2"] * 4


def test_noise_of_an_earlier_run_joins_too(site: World) -> None:
    entry = "<li><a href=/jobs>Careers</a></li>"
    site.step(one=page("one", menu=entry))
    assert groups(site) == {("one", 2): None}
    site.step(two=page("two", menu=entry))
    assert groups(site) == {("one", 2): "v1-2", ("two", 3): "v1-2"}


def test_a_field_that_changed_is_told_all_the_same_and_its_text_is_part_of_the_event(world: World) -> None:
    world.write("one", "two")
    more = BANNER.encode() + b"<h1>"
    world.watch(one=product("89.00", name="Anvil"), two=product("5.00", name="Rope"))
    world.step(
        one=product("79.00", name="Anvil").replace(b"<h1>", more),
        two=product("5.00", name="Rope").replace(b"<h1>", more),
    )
    assert groups(world) == {("one", 2): "v1-2", ("two", 2): "v1-2"}
    assert len(world.sql("SELECT * FROM alerts")) == 1
    assert len(world.sql("SELECT * FROM field_changes")) == 1
    assert items(world) == {"gv1-2": ("site_event", True, "v1-2"), "v1-2": ("also_content", False, "v1-2")}


def test_a_lost_field_stays_with_a_person_whatever_the_site_did(world: World) -> None:
    world.write("one", "two")
    world.watch(one=product("89.00"), two=page("two"))
    lost = product("89.00").replace(b'"price":"89.00",', b"").replace(b"<h1>", BANNER.encode() + b"<h1>")
    world.step(one=lost, two=page("two", BANNER))
    assert groups(world) == {("one", 2): "v1-2", ("two", 2): "v1-2"}
    assert items(world) == {"v1-2": ("field_lost", True, None)}


def test_the_item_of_an_event_weighs_as_much_as_its_weightiest_page(world: World) -> None:
    world.write("one importance: 2", "two importance: 5")
    world.watch(**answers(names=("one", "two")))
    world.step(one=page("one", BANNER))
    world.step(hours=0.05)
    world.step(two=page("two", BANNER))
    assert world.sql("SELECT importance FROM review_items WHERE review_id = 'gv1-2'") == [{"importance": 2}]
    world.step(hours=0.05)
    assert world.sql("SELECT importance FROM review_items WHERE review_id = 'gv1-2'") == [{"importance": 5}]


def test_of_two_runs_the_one_that_writes_second_sees_the_first(site: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run judges and writes between the first one's reading and writing."""
    site.clock.set(site.state("one")["next_due_at"])
    site.fetcher.answers.update(answers(BANNER))
    first, second = site.engine(), site.engine()
    fetch(first, site.part(), manual=("one",))
    for stage in STAGES[:3]:
        stage(first, site.part())
    put = first.blobs.put_many

    def interrupted(bodies):
        monkeypatch.undo()
        fetch(second, site.part(), manual=("two",))
        for stage in STAGES:
            stage(second, site.part())
        return put(bodies)

    monkeypatch.setattr(type(first.blobs), "put_many", lambda _self, bodies: interrupted(bodies))
    classify(first, site.part())
    route(first, site.part())
    assert len(set(groups(site).values())) == 1
    assert set(groups(site).values()) != {None}


def test_pages_of_another_site_are_no_second_page(world: World) -> None:
    world.write("one")
    world.write("two", site="market")
    for hours in (0, 6):
        world.step(hours=hours, one=page("one", BANNER if hours else ""), two=page("two", BANNER if hours else ""))
        engine = world.engine()
        fetch(engine, world.part("market"))
        for stage in STAGES:
            stage(engine, world.part("market"))
    assert groups(world) == {("one", 2): None, ("two", 2): None}


def test_what_was_shown_is_forgotten_after_a_week_and_a_day(site: World) -> None:
    site.step(one=page("one", BANNER))
    site.step(hours=0.05)
    assert len(site.sql("SELECT * FROM sightings")) == 1
    site.step(hours=8 * 24, two=page("two", OWN))
    assert [row["page_id"] for row in site.sql("SELECT page_id FROM sightings")] == [2]


def test_people_read_of_how_many_pages_a_change_is_part(site: World) -> None:
    site.step(**answers(BANNER))
    engine = site.engine()
    engine.warehouse.publish(site.clock.now(), force=True)
    rows = engine.warehouse.published.rows("select_status")
    assert {judged_words(row | {"effective_outcome": row["outcome"]}) for row in rows} == {
        "content: text changed that nothing explains; waits for a second look; part of a change on 4 pages of the site"
    }
    run = engine.warehouse.published.rows("select_run_results", run_id=f"run-{site.runs - 1}")
    assert [row["group_pages"] for row in run] == [4] * 4


def test_on_a_large_site_each_visit_is_judged_once_and_confirmed_once(world: World) -> None:
    names = tuple(f"page{number}" for number in range(120))  # more than are judged in one transaction
    world.write(*names)
    world.watch(**answers(names=names))
    world.step(**answers(BANNER, names=names))
    world.step(hours=0.05)
    rows = world.sql("SELECT page_id, visit_no, count(*) n FROM judgements WHERE kind = 'content' GROUP BY ALL")
    assert [row["n"] for row in rows] == [2] * 120
    assert len(set(groups(world).values())) == 1
    assert {key for key, item in items(world).items() if item[1]} == {"gv1-2"}
