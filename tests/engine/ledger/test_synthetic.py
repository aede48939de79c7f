"""The floors of detection under controlled noise, over generated pages; `benchmarks.detection.synthetic` has real ones."""

import random
import statistics

import pytest

from benchmarks.detection.noise import EDITS
from benchmarks.detection.synthetic import Tally, load_pages, measure, report

SYLLABLES = "ba co di fe gu la me ni po ru sa te vi zo".split()
PATHS = ("body/header/nav/ul/li", "body/main/p", "body/main/p", "body/main/p", "body/main/ul/li", "body/footer/p")


def generated_page(g: random.Random) -> list[tuple[str, str]]:
    """40 to 120 blocks of 3 to 40 words, one in eight of them a number."""

    def word() -> str:
        return str(g.randrange(2, 999)) if g.random() < 0.12 else "".join(g.choices(SYLLABLES, k=g.randint(1, 4)))

    paths = sorted(g.choices(PATHS, k=g.randint(40, 120)), key=PATHS.index)
    return [(path, " ".join(word() for _ in range(g.randint(3, 40)))) for path in paths]


@pytest.fixture(scope="module")
def tally() -> Tally:
    g = random.Random(1)  # noqa: S311
    return measure([generated_page(g) for _ in range(40)], fetches=5, seed=0)


def test_few_fetches_in_which_nothing_happened_would_alert(tally: Tally) -> None:
    assert len(tally.alerts["ledger"]) == 640
    assert statistics.fmean(tally.alerts["any visible change"]) > 0.9
    assert statistics.fmean(tally.alerts["ledger"]) <= 0.035
    assert statistics.fmean(tally.alerts["ledger, confirmed"]) <= 0.015


@pytest.mark.parametrize("edit", EDITS)
def test_edits_of_every_size_are_found(tally: Tally, edit) -> None:
    found = tally.found["ledger, confirmed", edit]
    assert len(found) > 200
    assert statistics.fmean(found) >= 0.97


def test_the_ledger_is_small(tally: Tally) -> None:
    assert statistics.median(tally.ledger_bytes) < 600
    assert statistics.median(tally.page_bytes) < 4096


def test_most_words_are_watched(tally: Tally) -> None:
    assert statistics.median(tally.stable) > 0.8


def test_every_figure_is_reported(tally: Tally) -> None:
    lines = list(report(tally))
    assert [line.split("  ")[0] for line in lines[1:5]] == [
        "ledger",
        "ledger, confirmed",
        "simhash > 3",
        "any visible change",
    ]
    assert any(line.startswith("words in stable blocks") for line in lines)


def test_of_the_versions_of_a_page_one_is_read(tmp_path) -> None:
    g = random.Random(2)  # noqa: S311
    for name in ("page/3.html", "page/4.html", "other.html", "short.html"):
        blocks = generated_page(g) if name != "short.html" else [("body/p", "Too short")]
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(
            f"<body>{''.join(f'<p>{text}</p>' for _, text in blocks)}</body>", encoding="utf-8"
        )
    assert len(load_pages([tmp_path])) == 2
