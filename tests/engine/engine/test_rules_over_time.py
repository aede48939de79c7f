"""Site files that change while their pages are watched."""

from tests.engine.engine.conftest import BLOCK, FOURTEEN, THIRTY, World, html, product


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
