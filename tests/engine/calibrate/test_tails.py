"""Against values that can be had another way: closed forms, exact fractions, published tables."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.calibrate import rate_lower, rate_upper
from pipeline.calibrate.tails import beta_binomial_survival, binomial_survival


def exact_beta_binomial(a, b):
    """P(D > t) in whole fractions, for whole a and b."""

    def beta(x, y):
        return Fraction(math.factorial(x - 1) * math.factorial(y - 1), math.factorial(x + y - 1))

    mass = [math.comb(64, k) * beta(k + a, 64 - k + b) / beta(a, b) for k in range(65)]
    return [float(sum(mass[t + 1 :])) for t in range(65)]


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 30), (2, 900), (40, 7)])
def test_the_beta_binomial_tail_equals_the_sum_of_exact_fractions(a, b):
    assert beta_binomial_survival(a, b) == pytest.approx(exact_beta_binomial(a, b), rel=1e-9, abs=1e-12)


def test_a_flat_beta_makes_every_distance_as_likely():
    assert beta_binomial_survival(1, 1) == pytest.approx([(64 - t) / 65 for t in range(65)])


@given(st.floats(0.001, 50), st.floats(0.5, 5000))
def test_the_tail_falls_from_below_1_to_0_and_adds_up_to_the_mean(a, b):
    tail = beta_binomial_survival(a, b)
    assert np.all(np.diff(tail) <= 1e-12)
    assert tail[-1] == 0
    assert tail.sum() == pytest.approx(64 * a / (a + b), rel=1e-6)


def test_the_binomial_tail_equals_the_sum_of_exact_fractions():
    p = Fraction(1, 20)
    mass = [math.comb(64, k) * p**k * (1 - p) ** (64 - k) for k in range(65)]
    expected = [float(sum(mass[t + 1 :])) for t in range(65)]
    assert binomial_survival(np.array([0.05]))[0] == pytest.approx(expected, abs=1e-12)


def test_a_bit_that_never_or_always_differs_is_certain():
    tails = binomial_survival(np.array([0.0, 1.0]))
    assert tails[0] == pytest.approx([0.0] * 65)
    assert tails[1] == pytest.approx([1.0] * 64 + [0.0])


@pytest.mark.parametrize("trials", [1, 4, 59, 1000, 100_000])
def test_no_event_in_n_trials_bounds_the_rate_at_the_nth_root(trials):
    assert rate_upper(0, trials) == pytest.approx(1 - 0.05 ** (1 / trials), abs=1e-9)


@pytest.mark.parametrize("trials", [1, 4, 59, 1000])
def test_all_but_one_event_bounds_the_rate_at_the_nth_root(trials):
    assert rate_upper(trials - 1, trials) == pytest.approx(0.95 ** (1 / trials), abs=1e-9)


@pytest.mark.parametrize(
    ("events", "trials", "confidence", "lower", "upper"),
    [(10, 100, 0.975, 0.0490, 0.1762), (1, 10, 0.975, 0.0025, 0.4450), (5, 10, 0.975, 0.1871, 0.8129)],
)
def test_the_bounds_are_those_of_published_tables(events, trials, confidence, lower, upper):
    assert rate_lower(events, trials, confidence) == pytest.approx(lower, abs=5e-5)
    assert rate_upper(events, trials, confidence) == pytest.approx(upper, abs=5e-5)


def test_without_trials_every_rate_is_possible():
    assert (rate_lower(0, 0), rate_upper(0, 0)) == (0.0, 1.0)


@given(st.integers(0, 40), st.integers(1, 40))
def test_the_observed_rate_lies_between_the_bounds(events, more):
    trials = events + more
    assert rate_lower(events, trials) <= events / trials <= rate_upper(events, trials)
