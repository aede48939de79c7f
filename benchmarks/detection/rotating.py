"""Pages of different lengths with the same rotating module: one noise, many distances."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pipeline.calibrate import PageNoise, fit
from pipeline.fingerprint import simhash64
from pipeline.packing import distance

__all__ = ["RATE", "LengthPage", "cold_start", "halves", "length_pages", "own_fetches", "pooled_quantile"]

RATE = 0.01
MODULE_WORDS = 60
SHORTEST, LONGEST = 200, 10_000
_VOCABULARY = 30_000
_ROTATES = 0.9


@dataclass(frozen=True, slots=True)
class LengthPage:
    """One page: its words, its distances from fetch to fetch during calibration, and those after it."""

    words: int
    calibration: tuple[int, ...]
    trials: tuple[int, ...]


def length_pages(count: int, *, fetches: int, trials: int, seed: int) -> list[LengthPage]:
    """Pages of 200 to 10,000 words, evenly on a log scale; a module of 60 words changes in 9 of 10 fetches."""
    g = random.Random(seed)  # noqa: S311
    made = []
    for n in range(count):
        words = round(SHORTEST * (LONGEST / SHORTEST) ** ((n + 0.5) / count))
        prints = list(_fetches(words, fetches + trials, g))
        bits = [distance(old, new) for old, new in pairwise(prints)]
        made.append(LengthPage(words, tuple(bits[: fetches - 1]), tuple(bits[fetches - 1 :])))
    return made


def _fetches(words: int, count: int, g: random.Random) -> Iterator[int]:
    def some(size: int) -> str:
        return " ".join(f"w{g.randrange(_VOCABULARY)}" for _ in range(size))

    head, tail = some((words - MODULE_WORDS) // 2), some((words - MODULE_WORDS + 1) // 2)
    module = some(MODULE_WORDS)
    for _ in range(count):
        if g.random() < _ROTATES:
            module = some(MODULE_WORDS)
        yield simhash64(f"{head} {module} {tail}")


def own_fetches(pages: list[LengthPage]) -> list[int]:
    """Thresholds of pages that were calibrated themselves, all of one site and type."""
    rows = fit(_noise(pages), alpha=RATE)
    return [row.noise_bits for row in rows if row.page_id is not None]


def cold_start(pages: list[LengthPage]) -> list[int]:
    """The threshold of each page before any fetch of its own, from the others."""
    found = []
    for n in range(len(pages)):
        rows = fit(_noise(pages, without=n), alpha=RATE)
        found.append(next(row.noise_bits for row in rows if row.page_id == n))
    return found


def pooled_quantile(pages: list[LengthPage]) -> list[int]:
    """One threshold for all: the 99 % quantile of all calibration distances."""
    bits = [bits for page in pages for bits in page.calibration]
    return [int(np.quantile(bits, 1 - RATE, method="higher"))] * len(pages)


def _noise(pages: list[LengthPage], without: int | None = None) -> list[PageNoise]:
    return [
        PageNoise(
            page_id=n, site="s", page_type="t", words=page.words, distances=() if n == without else page.calibration
        )
        for n, page in enumerate(pages)
    ]


def halves(pages: list[LengthPage], thresholds: list[int]) -> list[tuple[float, float]]:
    """Realised false-alert rate and mean threshold of the shorter half and of the longer one."""
    middle = len(pages) // 2
    return [
        (
            float(np.mean([np.mean(np.array(page.trials) > bits) for page, bits in half])),
            float(np.mean([bits for _, bits in half])),
        )
        for half in (
            list(zip(pages[:middle], thresholds[:middle], strict=True)),
            list(zip(pages[middle:], thresholds[middle:], strict=True)),
        )
    ]
