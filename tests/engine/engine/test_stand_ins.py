"""What stands in for a page, as a run of the stages sees it."""

from datetime import timedelta

from pipeline.model import Fetched, Outcome
from tests.engine.engine.conftest import FILLER, THIRTY, World, html, product

STUB = b"<html lang=en><body><main><h1>Terms</h1><p>The terms have moved into your contract.</p></main></body></html>"
GERMAN = html("", lang="de").replace(b"says something that never changes", b"sagt nun etwas ganz anderes dazu")


def qualities(world: World, page: str = "page") -> list[str | None]:
    rows = world.sql(f"SELECT quality FROM visit_results WHERE page_name = '{page}' ORDER BY visit_no")
    return [row["quality"] for row in rows]


def sign(world: World) -> str:
    [row] = world.sql("SELECT reasons->>'$[0].explained_by' AS sign FROM visit_results ORDER BY visit_no DESC LIMIT 1")
    return str(row["sign"])


def test_a_page_that_is_cut_down_is_told_after_a_day_and_not_before(world: World) -> None:
    world.watch(page=THIRTY)
    for _ in range(5):
        world.step(hours=6, page=STUB)
    assert qualities(world) == ["good", *["collapse"] * 4, "good"]
    assert world.results()[-1] == ("ok", "content", "unexplained", "waiting")
    world.step(hours=0.1)
    assert world.results()[-2:] == [
        ("ok", "content", "unexplained", "confirmed"),
        ("ok", "none", "bytes_equal", None),
    ]
    assert world.state()["last_good_visit_no"] >= 6
    world.step(hours=6)
    assert world.results()[-1][:3] == ("ok", "none", "bytes_equal")


def test_an_outage_of_an_hour_is_never_believed_however_often_it_is_seen(world: World) -> None:
    world.write("page", every="5m")
    world.watch(page=THIRTY)
    for _ in range(12):
        world.step(hours=1 / 12, page=STUB)
    world.step(hours=1 / 12, page=THIRTY)
    assert qualities(world) == ["good", *["collapse"] * 12, None]
    assert world.kinds()[-1] == "none"


def test_another_language_than_before_is_a_geo_switch_also_in_a_later_run(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=GERMAN)
    assert world.results()[-1][:3] == ("blocked", None, "not_good")
    assert qualities(world)[-1] == "geo"
    assert sign(world) == "language"
    assert world.state()["language"] == "en"
    world.step(page=THIRTY)
    assert world.kinds()[-1] == "none"


def test_dollars_where_the_vantage_stands_in_the_euro_zone_are_a_geo_switch(world: World) -> None:
    world.write("page vantage: {country: de}")
    world.watch(page=product("89.00"))
    world.step(page=product("95.00").replace(b"EUR", b"USD"))
    assert qualities(world)[-1] == "geo"
    world.step(page=product("90.00"))
    assert world.kinds()[-1] == "field"


def test_a_page_that_shows_what_another_page_shows_is_elsewhere(world: World) -> None:
    home = html("<h1>Welcome</h1>").replace(b"says something that never changes", b"welcomes you to the shop")
    world.write("page", "home")
    world.watch(page=THIRTY, home=home)
    world.step(page=home)
    assert world.results()[-1][:3] == ("failed", None, "not_good")
    assert (qualities(world)[-1], sign(world)) == ("elsewhere", "shared_text")
    world.step(page=THIRTY)
    assert world.kinds()[-1] == "none"


def test_a_redirect_to_the_start_page_is_elsewhere_and_moves_nothing(world: World) -> None:
    def redirected(body: bytes, to: str) -> Fetched:
        return Fetched(
            started_at=world.clock.now(), outcome=Outcome.OK, http_status=200, body=body,
            content_type="text/html", final_url=to,
        )  # fmt: skip

    start = f"<html lang=en><main><h1>Shop</h1>{FILLER.replace('never', 'always')}</main>".encode()
    world.watch(page=redirected(start, "https://shop.example/"))
    assert qualities(world) == ["elsewhere"]
    assert world.state()["last_good_visit_no"] is None
    world.step(page=THIRTY)
    world.step(page=redirected(start + b" ", "https://shop.example/"))
    assert qualities(world)[1:] == ["good", "elsewhere"]
    world.step(page=redirected(THIRTY + b" ", "https://shop.example/terms"))
    assert world.kinds()[-1] == "noise"


def test_what_kind_of_block_it_is_is_the_reason_of_the_outcome_also_while_its_bytes_stay(world: World) -> None:
    challenge = b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Enable JavaScript</p>"
    world.watch(page=THIRTY)
    world.step(page=challenge)
    world.step(page=challenge)
    rows = world.sql("SELECT quality, effective_outcome, outcome_reason FROM visit_results ORDER BY visit_no")
    assert [tuple(row.values()) for row in rows[1:]] == [
        ("blocked", "blocked", "challenge"),
        (None, "blocked", "challenge"),
    ]


MISSING, GONE = (Outcome.GONE, "http_404"), (Outcome.GONE, "http_410")


def outcomes(world: World) -> list[str]:
    return [row[0] for row in world.results()]


def test_a_page_that_is_not_found_is_gone_at_the_third_look(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=MISSING)
    assert world.state()["next_purpose"] == "probe"
    world.step(hours=0.1)
    world.step(hours=0.3)
    assert outcomes(world) == ["ok", "failed", "failed", "gone"]
    assert world.state()["next_due_at"] > world.clock.now() + timedelta(hours=5)
    world.step()
    assert outcomes(world)[-1] == "gone"
    world.step(page=THIRTY)
    assert world.results()[-1][:2] == ("ok", "none")
    world.step(page=MISSING)
    assert outcomes(world)[-1] == "failed"


def test_three_looks_in_a_minute_confirm_nothing(world: World) -> None:
    world.write("page", every="1m")
    world.watch(page=MISSING)
    for _ in range(3):
        world.step(hours=0.02)
    assert outcomes(world) == ["failed"] * 4
    world.step(hours=0.3)
    assert outcomes(world)[-1] == "gone"


def test_another_failure_between_begins_the_confirmation_anew(world: World) -> None:
    world.watch(page=MISSING)
    world.step(hours=0.1)
    world.step(page=(Outcome.FAILED, "timeout"))
    world.step(page=MISSING)
    assert outcomes(world) == ["failed"] * 4


def test_410_is_gone_at_once(world: World) -> None:
    world.watch(page=GONE)
    assert outcomes(world) == ["gone"]


def test_a_change_that_waits_is_still_confirmed_after_a_404(world: World) -> None:
    world.watch(page=THIRTY)
    world.step(page=THIRTY.replace(b"30 days", b"14 days"))
    world.step(hours=0.1, page=MISSING)
    assert world.state()["next_purpose"] == "confirm"


def test_a_page_that_redirects_for_good_is_reported_once_and_watched_on(world: World) -> None:
    def answer(moved_to: str | None, body: bytes = THIRTY) -> Fetched:
        return Fetched(
            started_at=world.clock.now(), outcome=Outcome.OK, http_status=200, body=body, content_type="text/html",
            final_url=moved_to, moved_to=moved_to,
        )  # fmt: skip

    there = "https://shop.example/terms-of-sale"
    reported = [world.watch(page=answer(None))["fetch"].counts["moved"]]
    reported += [world.step(page=answer(there))["fetch"].counts["moved"] for _ in range(2)]
    reported.append(world.step(page=(Outcome.FAILED, "timeout"))["fetch"].counts["moved"])
    reported.append(world.step(page=answer(there))["fetch"].counts["moved"])
    reported.append(world.step(page=(Outcome.FAILED, "timeout"))["fetch"].counts["moved"])
    reported.append(world.step(page=answer(there))["fetch"].counts["moved"])
    assert reported == [0, 0, 0, 0, 1, 0, 0]
    assert (world.state()["moved_to"], world.state()["moved_visits"]) == (there, 4)
    world.step(page=answer(there, THIRTY.replace(b"30 days", b"14 days")))
    assert world.kinds()[-1] == "content"
    world.step(page=answer(None))
    assert world.state()["moved_to"] is None
