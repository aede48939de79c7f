"""Rapid fetches, what they teach, and the thresholds fitted to them."""

from datetime import timedelta

import pytest

from pipeline.engine import AUTO, Fitted, calibrate, uncalibrated
from pipeline.engine.calibrating import fit_thresholds
from pipeline.model import Outcome
from tests.engine.engine.conftest import BLOCK, FOURTEEN, World, html

TEASERS = (
    "A market in Oslo opens again after the fire",
    "Why bees sleep longer in wet summers",
    "Seven bridges to cross before you are forty",
    "The baker who measures time in loaves",
    "What the lighthouse keeper wrote home",
    "How to mend a clock without its maker",
    "The tailor who never cut a sleeve",
)


def noisy(n: int, *, days: int = 30) -> bytes:
    return html(
        f"<p>Cancel within {days} days of purchase.</p><div>{TEASERS[n]}</div><p>Seen {900 + n} times so far</p>"
    )


def run(world: World, *pages: str, fetches: int = 5, by: str = "ann") -> list[Fitted]:
    steps = []
    _, fitted = calibrate(
        world.engine(), "shop", pages, fetches=fetches, by=by, progress=lambda *step: steps.append(step)
    )
    assert [done for _, done, _ in steps] == sorted(done for _, done, _ in steps)
    assert steps[-1][1] == steps[-1][2]
    return fitted


@pytest.fixture
def calibrated(world: World) -> World:
    world.watch(page=noisy(0))
    world.fetcher.answers["page"] = [noisy(n) for n in (0, 1, 2, 3, 4, 5)]
    world.clock.advance(timedelta(hours=1))
    run(world, "page")
    return world


def test_after_calibration_habitual_noise_is_explained_and_one_number_is_not(calibrated: World) -> None:
    calibrated.step(page=noisy(6))
    calibrated.step(page=noisy(2, days=14))
    assert calibrated.results()[-2:] == [
        ("ok", "noise", "explained", "not_needed"),
        ("ok", "content", "unexplained", "waiting"),
    ]


def test_calibration_visits_have_distances_no_kind_and_make_no_change(calibrated: World) -> None:
    rows = calibrated.sql("SELECT purpose, kind, kind_reason, distance FROM visit_results WHERE purpose = 'calibrate'")
    assert [(row["kind"], row["kind_reason"]) for row in rows] == [(None, "calibration")] * 5
    assert all(row["distance"] > 0 for row in rows)
    assert calibrated.sql("SELECT count(*)::INT AS n FROM changes") == [{"n": 0}]
    state = calibrated.state()
    assert (state["last_good_visit_no"], state["baseline_visit_no"], state["next_purpose"]) == (7, 1, "watch")


def test_thresholds_are_stored_with_their_evidence_for_the_page_and_for_its_site_and_type(calibrated: World) -> None:
    rows = calibrated.sql(
        "SELECT page_id IS NULL AS everyone, site, fetches, max_seen_bits, noise_bits, drift_bits, alpha, alpha_upper,"
        " method, applied_by, evidence_json FROM thresholds WHERE method <> 'default' ORDER BY everyone"
    )
    assert [row["everyone"] for row in rows] == [False, True]
    page = rows[0]
    assert (page["site"], page["fetches"], page["method"], page["applied_by"]) == ("shop", 5, "beta_binomial", "ann")
    assert page["max_seen_bits"] <= page["noise_bits"] < page["drift_bits"] <= 64
    assert page["alpha"] == 0.005
    assert page["alpha_upper"] == pytest.approx(1 / 5)
    assert '"counts"' in page["evidence_json"]
    calibrated.step(page=noisy(6))
    judged = calibrated.sql("SELECT threshold FROM visit_results ORDER BY visit_no DESC LIMIT 1")
    assert judged == [{"threshold": page["noise_bits"]}]


def test_nothing_new_makes_no_new_row(calibrated: World) -> None:
    before = calibrated.sql("SELECT count(*)::INT AS n FROM thresholds")
    fit_thresholds(calibrated.engine(), "shop", ["page"], by="ann")
    assert calibrated.sql("SELECT count(*)::INT AS n FROM thresholds") == before


def test_by_itself_calibration_only_makes_a_page_more_watched(calibrated: World) -> None:
    in_force = calibrated.sql("SELECT noise_bits FROM thresholds WHERE page_id IS NOT NULL")[0]["noise_bits"]
    louder = [html(" ".join(f"<p>{t} {n}</p>" for t in TEASERS) * 4) for n in (1, 2, 3)]
    other = [html(" ".join(f"<p>{t[::-1]} {n}</p>" for t in TEASERS) * 4) for n in (1, 2, 3)]
    calibrated.fetcher.answers["page"] = [body for pair in zip(louder, other, strict=True) for body in pair]
    calibrated.clock.advance(timedelta(days=2))
    page = next(each for each in run(calibrated, "page", fetches=6, by=AUTO) if each.page == "page")
    assert page.calibration.noise_bits > in_force
    assert not page.applied
    calibrated.step(page=noisy(1))
    judged = calibrated.sql("SELECT threshold FROM visit_results ORDER BY visit_no DESC LIMIT 1")
    assert judged == [{"threshold": in_force}]

    page = next(each for each in run(calibrated, "page", fetches=2, by="ann") if each.page == "page")
    assert page.applied


def test_a_page_is_asked_to_be_calibrated_once_it_was_seen_and_again_a_day_after_a_failure(world: World) -> None:
    world.write("page", "other")
    assert uncalibrated(world.engine()) == {}
    world.watch(page=noisy(0), other=(Outcome.FAILED, "timeout"))
    assert uncalibrated(world.engine()) == {"shop": ["page"]}
    world.fetcher.answers["page"] = (Outcome.FAILED, "timeout")
    run(world, "page", by=AUTO)
    assert uncalibrated(world.engine()) == {}
    world.step(hours=25, page=noisy(0))
    assert uncalibrated(world.engine()) == {"shop": ["page"]}
    run(world, "page", by=AUTO)
    assert uncalibrated(world.engine()) == {}


def test_no_validators_are_sent_because_the_whole_page_is_needed(world: World) -> None:
    world.fetcher.etags["page"] = '"v1"'
    world.watch(page=FOURTEEN)
    run(world, "page", fetches=2)
    assert [target.validators is None for target in world.fetcher.asked[-3:]] == [False, True, True]


def test_a_block_page_among_the_fetches_teaches_nothing(world: World) -> None:
    world.watch(page=noisy(0))
    world.fetcher.answers["page"] = [noisy(0), noisy(1), BLOCK, noisy(2), noisy(3)]
    run(world, "page", fetches=4)
    rows = world.sql("SELECT quality FROM visit_results WHERE purpose = 'calibrate' ORDER BY visit_no")
    assert [row["quality"] for row in rows] == ["good", "blocked", "good", "good"]
    world.step(page=noisy(5))
    assert world.kinds()[-1] == "noise"


def test_what_changed_since_the_last_visit_is_told_and_not_taken_for_the_reference(world: World) -> None:
    world.watch(page=noisy(0))
    world.fetcher.answers["page"] = [noisy(n, days=14) for n in (0, 1, 2, 3, 4, 5)]
    world.clock.advance(timedelta(hours=1))
    run(world, "page")
    assert world.results()[1] == ("ok", "content", "unexplained", "confirmed")
    assert world.sql("SELECT visit_no FROM changes") == [{"visit_no": 2}]


def test_what_follows_for_other_pages_follows_by_itself(world: World) -> None:
    world.write("page", "other")
    world.watch(page=noisy(0), other=noisy(0))
    world.fetcher.answers |= {"page": [noisy(n) for n in (0, 1, 2, 3)], "other": [noisy(n) for n in (0, 1, 2, 3)]}
    run(world, "page", "other", fetches=3)
    world.fetcher.answers["page"] = [noisy(n) for n in (3, 4, 5, 6)]
    by_page = {each.page: each.by for each in run(world, "page", fetches=3)}
    assert by_page == {None: AUTO, "page": "ann", "other": AUTO}
