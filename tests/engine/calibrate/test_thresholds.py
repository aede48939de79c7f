import json
import math
import random
from dataclasses import replace

import pytest

from pipeline.calibrate import PRIOR, PageNoise, drift_bits, fit, fit_prior, rate_upper

QUIET = (0, 0, 0, 0)


def page(page_id=1, *, site="shop", page_type="product", words=2000, distances=QUIET, later=()):
    return PageNoise(page_id=page_id, site=site, page_type=page_type, words=words, distances=distances, later=later)


def rows(pages, **options):
    return {row.page_id: row for row in fit(pages, **options)}


def test_no_pages_give_no_thresholds():
    assert fit([]) == ()


def test_every_site_and_type_has_a_row_before_those_of_its_pages():
    made = fit([page(2), page(1), page(3, site="news", page_type="article")])
    keys = [(row.site, row.page_type, row.page_id) for row in made]
    news = [("news", "article", None), ("news", "article", 3)]
    assert keys == [*news, ("shop", "product", None), ("shop", "product", 1), ("shop", "product", 2)]


def test_a_noisy_page_gets_more_room_than_a_quiet_one():
    made = rows([page(1), page(2, distances=(9, 7, 8, 9))])
    assert made[1].noise_bits < made[2].noise_bits


def test_what_a_page_was_seen_to_do_is_noise_even_where_the_curve_says_otherwise():
    quiet = [page(n, distances=(0,) * 40) for n in range(2, 30)]
    made = rows([page(1, distances=(0,) * 39 + (20,)), *quiet], alpha=0.05)
    assert made[1].evidence.survival[3] < 0.05
    assert made[1].noise_bits == made[1].max_seen_bits == 20


def test_rare_noise_of_a_site_and_type_is_expected_of_its_quiet_pages_too():
    among_quiet = rows([page(1), *(page(n) for n in range(2, 12))])
    among_noisy = rows([page(1), *(page(n, distances=(0, 0, 9, 0)) for n in range(2, 12))])
    assert among_noisy[1].noise_bits > among_quiet[1].noise_bits


def test_what_other_sites_do_few_fetches_cannot_rule_out():
    quiet = [page(n) for n in range(1, 12)]
    strangers = [page(n, site="other", distances=(0, 9, 0)) for n in range(12, 22)]
    assert rows([*quiet, *strangers])[1].noise_bits > rows(quiet)[1].noise_bits


def test_the_more_fetches_a_quiet_page_has_the_lower_its_threshold():
    bits = [rows([page(distances=(0,) * count)])[1].noise_bits for count in (2, 20, 200)]
    assert bits == sorted(bits, reverse=True)
    assert bits[0] > bits[2]


def test_a_stricter_rate_never_gives_a_lower_threshold():
    bits = [rows([page(distances=(0, 2, 1, 0))], alpha=alpha)[1].noise_bits for alpha in (0.05, 0.01, 0.005, 0.001)]
    assert bits == sorted(bits)


def test_a_page_without_fetches_gets_the_noise_of_the_others_at_its_own_length():
    others = [page(n, words=2000, distances=(12, 14, 10, 12)) for n in range(10, 40)]
    made = rows([page(1, words=300, distances=()), page(2, words=9000, distances=()), *others], alpha=0.01)
    assert made[1].noise_bits > made[10].noise_bits > made[2].noise_bits
    assert (made[1].fetches, made[1].max_seen_bits, made[1].evidence.words) == (0, None, 300)


def test_a_page_of_which_not_even_the_length_is_known_may_be_as_short_as_the_shortest():
    others = [page(n, words=300 * n, distances=(6, 7, 5, 6)) for n in range(1, 30)]
    made = rows([*others, page(99, words=300, distances=())])
    assert made[None].noise_bits == made[99].noise_bits
    assert made[None].evidence.words == 300


def test_the_first_page_of_a_deployment_leans_on_the_prior():
    made = rows([page(distances=())], alpha=0.01)
    assert 4 <= made[1].noise_bits <= 15
    assert made[1].evidence.mean_bits == pytest.approx(64 * PRIOR.mean)


def test_without_later_trials_the_promise_is_that_of_the_largest_of_n():
    made = rows([page(1), page(2, distances=())])
    assert made[1].alpha_upper == pytest.approx(1 / 5)
    assert made[1].evidence.bound.by == "max_of_n"
    assert made[2].alpha_upper == 1
    assert made[2].evidence.bound.by == "nothing"


def test_later_trials_of_the_site_and_type_make_the_promise_a_better_one():
    made = rows([page(1, later=(0,) * 700), page(2, distances=())])
    for row in made.values():
        assert row.alpha_upper == pytest.approx(rate_upper(0, 700))
        assert row.evidence.bound.by == "clopper_pearson"


def test_trials_that_show_too_many_alerts_lower_the_asked_rate():
    noisy = (0,) * 90 + (24,) * 10
    before, after = rows([page()])[1], rows([page(later=noisy)])[1]
    assert after.evidence.alpha_used < before.evidence.alpha_used == before.alpha
    assert after.alpha == before.alpha
    assert after.noise_bits > before.noise_bits


def test_trials_without_an_alert_never_raise_it():
    before, after = rows([page()])[1], rows([page(later=(0,) * 5000)])[1]
    assert (after.evidence.alpha_used, after.noise_bits) == (before.evidence.alpha_used, before.noise_bits)


def test_few_trials_that_prove_nothing_change_nothing():
    assert rows([page(later=(0, 0, 30))])[1].noise_bits >= rows([page()])[1].noise_bits
    assert rows([page(later=(0,) * 20)])[1].evidence.alpha_used == 0.005


def test_trials_of_one_site_leave_the_others_alone():
    other = page(2, site="other")
    alone = rows([page(1), other])[2]
    assert rows([page(1, later=(14,) * 100), other])[2] == alone


def test_the_evidence_is_what_json_can_write_and_read():
    made = rows([page(1, distances=(0, 3, 0, 1), later=(0, 2)), page(2, distances=())])
    for row in made.values():
        evidence = row.evidence_json()
        assert json.loads(json.dumps(evidence, allow_nan=False)) == evidence
    assert made[1].evidence_json()["counts"] == [2, 1, 0, 1]


def test_the_order_of_the_pages_does_not_matter():
    pages = [page(n, site=f"site{n % 3}", distances=(n % 5, 0, 1)) for n in range(12)]
    assert fit(pages) == fit(pages[::-1])


def test_the_survival_shown_is_what_the_threshold_was_read_off():
    row = rows([page(distances=(1, 0, 2, 1))], alpha=0.01)[1]
    tail = row.evidence.survival
    assert tail[row.noise_bits] <= 0.01 < tail[row.noise_bits - 1]
    assert tail[-1] < 1e-4


@pytest.mark.parametrize("bits", range(65))
def test_drift_has_more_room_than_noise_but_not_twice_as_much(bits):
    assert bits <= drift_bits(bits) <= min(64, max(2 * bits, math.ceil(1.5 * bits)))


def test_drift_bits_are_about_the_square_root_of_two_times_noise_bits():
    assert [drift_bits(bits) for bits in (0, 1, 3, 6, 11, 64)] == [0, 2, 5, 9, 16, 64]


def test_a_prior_is_wider_the_fewer_pages_it_is_known_from():
    g = random.Random(3)  # noqa: S311
    history = [[g.choice((0, 0, 0, 4)) for _ in range(40)] for _ in range(40)]
    few, many = fit_prior([history[:2], history[2:4]]), fit_prior([history[:20], history[20:]])
    assert few.mean > many.mean


def test_thresholds_are_higher_the_fewer_sites_the_prior_is_known_from():
    site = [[0, 0, 0, 1, 0, 0, 0, 2] * 4] * 3
    bits = [
        rows([page()], prior=replace(fit_prior([site] * sites), mean=0.005))[1].noise_bits for sites in (2, 3, 5, 50)
    ]
    assert bits == sorted(bits, reverse=True)
    assert bits[0] > bits[1] > bits[-1]


def test_the_better_a_group_is_known_the_less_its_level_is_in_doubt():
    def doubt(pages):
        """Bits that a prior of five sites adds to one of very many."""
        five, many = (rows(pages, prior=replace(PRIOR, freedom=freedom))[1].noise_bits for freedom in (4, 400))
        return five - many

    known = [page(n, distances=(2, 1, 0, 2, 1, 1, 0, 2) * 4) for n in range(40)]
    assert 0 < doubt(known) < doubt([page()])


def test_a_prior_of_pages_that_are_all_alike_still_lets_a_page_differ():
    prior = fit_prior([[[0, 1, 0, 1, 0, 1]]] * 3)
    assert prior.between > 0
    assert rows([page()], prior=prior)[1].noise_bits < 64


def test_every_page_of_a_group_may_have_a_single_distance():
    made = rows([page(1, distances=(2,)), page(2, distances=(0,))])
    assert all(2 <= row.noise_bits < 30 for row in made.values())


def test_an_absurd_page_does_not_break_the_arithmetic():
    made = rows([page(1, distances=(64, 64)), page(2, words=1, distances=()), replace(page(3), distances=(32,) * 9)])
    assert all(0 <= row.noise_bits <= row.drift_bits <= 64 for row in made.values())
