"""The promise, on generated noise; `benchmarks.detection.threshold` has real histories."""

import random
from itertools import pairwise

import numpy as np
import pytest

from benchmarks.detection.rotating import RATE, cold_start, halves, length_pages, own_fetches, pooled_quantile
from benchmarks.detection.threshold import History, drift_alarms, max_seen, ours, realised
from pipeline.calibrate import drift_bits
from pipeline.fingerprint import simhash64
from pipeline.packing import distance


def rare_noise(site, seed, *, fetches=60):
    """A page that one fetch in twenty shows with 5 to 150 of its 1,500 words replaced until the next such fetch."""
    g = random.Random(seed)  # noqa: S311
    words = [f"w{g.randrange(30_000)}" for _ in range(1500)]
    prints = []
    for _ in range(fetches):
        if g.random() < 0.05:
            start, size = g.randrange(1300), g.choice((5, 20, 60, 150))
            shown = [*words[:start], *(f"n{g.randrange(30_000)}" for _ in range(size)), *words[start + size :]]
        else:
            shown = words
        prints.append(simhash64(" ".join(shown)))
    return History(f"{site}_{seed}", 1500, ("first", *["noise"] * (fetches - 1)), tuple(prints))


@pytest.fixture(scope="module")
def histories():
    return [rare_noise(f"site{seed % 5}", seed) for seed in range(20)]


@pytest.mark.parametrize("fetches", [3, 5, 10])
def test_rare_noise_exceeds_a_threshold_asked_for_one_percent_in_no_more(histories, fetches):
    rate, bits = realised(histories, ours(RATE), fetches)
    assert rate <= RATE
    assert bits < 18
    assert realised(histories, max_seen, fetches)[0] > 3 * RATE


def test_a_page_without_fetches_keeps_the_promise_too(histories):
    assert realised(histories, ours(RATE, cold=True), 5)[0] <= RATE


@pytest.mark.parametrize(("rule", "fetches"), [(cold_start, 3), (cold_start, 5), (own_fetches, 5)])
def test_the_same_module_keeps_the_promise_on_short_pages_and_on_long_ones(rule, fetches):
    draws = [length_pages(40, fetches=fetches, trials=15, seed=seed) for seed in range(4)]
    (short, short_bits), (long, long_bits) = np.mean([halves(pages, rule(pages)) for pages in draws], axis=0)
    assert max(short, long) <= RATE
    assert short_bits > long_bits + 3


def test_one_threshold_for_all_lengths_would_be_blind_on_long_pages():
    pages = length_pages(40, fetches=5, trials=15, seed=1)
    _, (_, blind) = halves(pages, pooled_quantile(pages))
    _, (_, sharp) = halves(pages, cold_start(pages))
    assert sharp < 0.7 * blind


def test_habitual_noise_does_not_alarm_at_the_baseline(histories):
    alarms = [
        drift_alarms(one, drift_bits(bits))[0] for one, bits in zip(histories, ours(RATE)(histories, 5), strict=True)
    ]
    assert sum(alarms) <= RATE * sum(len(one.simhashes) for one in histories) / 2


def small_edits(seed):
    """Simhashes of a text in which, one after another, 5 of 1,500 words are replaced in another place."""
    g = random.Random(seed)  # noqa: S311
    words = [f"w{g.randrange(30_000)}" for _ in range(1500)]
    yield simhash64(" ".join(words))
    for start in g.sample(range(0, 1500, 8), 150):
        words[start : start + 5] = (f"e{g.randrange(30_000)}" for _ in range(5))
        yield simhash64(" ".join(words))


@pytest.mark.parametrize("noise_bits", [3, 6, 8])
def test_many_small_edits_are_drift_about_when_their_squares_add_up(noise_bits):
    needed = []
    for seed in range(12):
        prints = list(small_edits(seed))
        first = next(n for n, simhash in enumerate(prints) if distance(simhash, prints[0]) > drift_bits(noise_bits))
        steps = [distance(old, new) for old, new in pairwise(prints[: first + 1])]
        needed.append(first / (2 * noise_bits**2 / (sum(bits**2 for bits in steps) / first)))
    assert 0.5 < sorted(needed)[6] < 2.5
