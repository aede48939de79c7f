"""How often noise exceeds its threshold, on real histories and on pages of different lengths.

Usage: python -m benchmarks.detection.threshold HISTORIES

HISTORIES is a folder with `manifest.jsonl`: one line a saved fetch with `page`, `version`, `file`, `label`. The first K
fetches labelled noise calibrate a page, the others are trials. The part of a page's name before the first `_` is its
site. Rates are means over pages; beside each is the mean threshold in bits.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.detection.rotating import cold_start, halves, length_pages, own_fetches, pooled_quantile
from pipeline.calibrate import ALPHA, Moments, PageNoise, drift_bits, fit, fit_prior
from pipeline.engine.offline import read
from pipeline.model import Rules
from pipeline.packing import distance

FETCHES = (3, 5, 10)
RATES = (0.01, ALPHA)
SIMHASH_BITS = 3
NOISE = "noise"


@dataclass(frozen=True, slots=True)
class History:
    """One page over time: the label and the simhash of each fetch."""

    name: str
    words: int
    labels: tuple[str, ...]
    simhashes: tuple[int, ...]

    @property
    def site(self) -> str:
        """What it shares with other pages."""
        return self.name.partition("_")[0]

    @property
    def distances(self) -> tuple[int, ...]:
        """Of the fetches labelled noise to the one before, in bits."""
        pairs = zip(self.simhashes, self.simhashes[1:], self.labels[1:], strict=False)
        return tuple(distance(old, new) for old, new, label in pairs if label == NOISE)


Rule = Callable[[Sequence[History], int], list[int]]
"""Thresholds in bits of each history after so many fetches."""


def read_histories(folder: Path) -> list[History]:
    """Every page of the manifest, read as the engine reads it."""
    rows = defaultdict(list)
    for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows[row["page"]].append(row)
    return [_read_history(folder, name, sorted(some, key=lambda row: row["version"])) for name, some in rows.items()]


def _read_history(folder: Path, name: str, rows: list[dict[str, str]]) -> History:
    rules = Rules()
    prints = []
    for number, row in enumerate(rows, 1):
        body = (folder / row["file"]).read_bytes()
        reading, version = read(body, url=None, content_type=None, rules=rules, visit_no=number)
        if rules.page_type == "auto":
            rules = reading.rules
        prints.append(version.fingerprint)
    words = int(np.median([fingerprint.word_count for fingerprint in prints]))
    return History(
        name, max(words, 1), tuple(row["label"] for row in rows), tuple(fingerprint.simhash for fingerprint in prints)
    )


def max_seen(histories: Sequence[History], fetches: int) -> list[int]:
    """The largest calibration distance."""
    return [max(history.distances[: fetches - 1]) for history in histories]


def three_deviations(histories: Sequence[History], fetches: int) -> list[int]:
    """Mean and three standard deviations of the calibration distances, rounded down."""
    return [
        int(np.mean(bits) + 3 * np.std(bits, ddof=1))
        for bits in (history.distances[: fetches - 1] for history in histories)
    ]


def fixed(histories: Sequence[History], _: int) -> list[int]:
    """The 3 bits of Manku, Jain, Das Sarma 2007."""
    return [SIMHASH_BITS] * len(histories)


def ours(alpha: float, *, without_site: bool = False, cold: bool = False) -> Rule:
    """`pipeline.calibrate.fit`, with a prior that has not seen the page.

    Args:
        alpha: Asked for.
        without_site: Nor any other page of its site.
        cold: The page has no fetches of its own.
    """

    def rule(histories: Sequence[History], fetches: int) -> list[int]:
        return [_one(histories, index, fetches) for index in range(len(histories))]

    def _one(histories: Sequence[History], index: int, fetches: int) -> int:
        mine = histories[index]
        others = [one for one in histories if (one.site != mine.site if without_site else one is not mine)]
        prior = prior_of(others)
        pages = [
            PageNoise(
                page_id=number,
                site=one.site,
                page_type="terms",
                words=one.words,
                distances=() if cold and number == index else one.distances[: fetches - 1],
            )
            for number, one in enumerate(histories)
        ]
        return next(row.noise_bits for row in fit(pages, alpha=alpha, prior=prior) if row.page_id == index)

    return rule


def prior_of(histories: Iterable[History]) -> Moments:
    """The prior that some pages make."""
    sites: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for history in histories:
        sites[history.site].append(history.distances)
    return fit_prior(list(sites.values()))


def realised(histories: Sequence[History], rule: Rule, fetches: int) -> tuple[float, float]:
    """Mean over pages of the share of trials above the threshold, and the mean threshold."""
    thresholds = rule(histories, fetches)
    rates = [
        np.mean(np.array(history.distances[fetches - 1 :]) > bits)
        for history, bits in zip(histories, thresholds, strict=True)
    ]
    return float(np.mean(rates)), float(np.mean(thresholds))


def drift_alarms(history: History, allowed: int) -> tuple[int, int]:
    """Alarms of the distance to the baseline at noise, and baselines; an alarm or a true change makes a new one."""
    baseline, alarms, baselines = history.simhashes[0], 0, 1
    for label, simhash in zip(history.labels[1:], history.simhashes[1:], strict=True):
        alarm = label == NOISE and distance(simhash, baseline) > allowed
        if alarm or label != NOISE:
            baseline, alarms, baselines = simhash, alarms + alarm, baselines + 1
    return alarms, baselines


def rates_table(histories: Sequence[History]) -> Table:
    """Realised false-alert rates by rule and number of fetches."""
    rules: dict[str, Rule] = {"max seen": max_seen, "mean + 3 sd": three_deviations, "k = 3": fixed}
    for alpha in RATES:
        rules |= {
            f"ours, {alpha:.1%}": ours(alpha),
            f"ours, {alpha:.1%}, no other page of the site in the prior": ours(alpha, without_site=True),
            f"ours, {alpha:.1%}, page without fetches": ours(alpha, cold=True),
        }
    table = Table("rule", *(f"K = {fetches}" for fetches in FETCHES), title="Noise above its threshold", min_width=100)
    for name, rule in rules.items():
        cells = (realised(histories, rule, fetches) for fetches in FETCHES)
        table.add_row(name, *(f"{rate:.2%}  ({bits:.1f})" for rate, bits in cells))
    return table


def drift_table(histories: Sequence[History]) -> Table:
    """Alarms of the distance to the baseline, with K = 5."""
    table = Table("drift_bits", "alarms", "of baselines", title="Drift alarms at noise, K = 5")
    bits = ours(ALPHA)(histories, 5)
    for name, factor in {"noise_bits": lambda b: b, "ours": drift_bits}.items():
        counts = np.sum([drift_alarms(one, factor(b)) for one, b in zip(histories, bits, strict=True)], axis=0)
        table.add_row(name, *map(str, counts))
    return table


def length_table() -> Table:
    """Realised false-alert rates of short and long pages with the same noise."""
    table = Table("rule", "shorter half", "longer half", title="The same module on 200 to 10,000 words, 1 %")
    for fetches in FETCHES:
        pages = length_pages(100, fetches=fetches, trials=30, seed=fetches)
        for name, rule in {
            "pooled quantile": pooled_quantile,
            "ours, page without fetches": cold_start,
            "ours": own_fetches,
        }.items():
            cells = halves(pages, rule(pages))
            table.add_row(f"{name}, K = {fetches}", *(f"{rate:.2%}  ({bits:.1f})" for rate, bits in cells))
    return table


def printed(prior: Moments) -> str:
    """A prior in bits."""
    deviations = f"{64 * prior.within**0.5:.2f} within, {64 * prior.between**0.5:.2f} between"
    return f"prior of all: mean {64 * prior.mean:.3f} bits, standard deviations {deviations}"


def main() -> None:
    """Print the tables."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    histories = read_histories(Path(sys.argv[1]))
    console = Console(width=120)
    trials = sum(len(history.distances) for history in histories)
    console.print(f"{len(histories)} pages, {trials} distances; {printed(prior_of(histories))}")
    for table in (rates_table(histories), drift_table(histories), length_table()):
        console.print(table)


if __name__ == "__main__":
    main()
