"""Floors of what detection and fields reach on a corpus of real pages, which is not part of the project.

`QUIETDIFF_CORPUS=FOLDER pytest tests/floors`: a folder with `labels.jsonl` and `pages/manifest.jsonl`. Without one there is
nothing to measure and the tests are skipped; CONTRIBUTING says when to run them.
"""

import json
import os
from pathlib import Path

import pytest

from benchmarks.detection.__main__ import alerted, found, judge
from benchmarks.fields import pairs, samples, triples
from benchmarks.fields.corpus import Result

FOLDER = os.environ.get("QUIETDIFF_CORPUS", "")

pytestmark = pytest.mark.skipif(not FOLDER, reason="QUIETDIFF_CORPUS names no folder of saved pages")


def share(*results: Result) -> float:
    return sum(result.right for result in results) / sum(result.asked for result in results)


@pytest.fixture(scope="module")
def judged():
    labels = [json.loads(line) for line in (Path(FOLDER) / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    return list(zip(labels, judge(Path(FOLDER), labels), strict=True))


def test_content_is_found_and_noise_alerts_nobody(judged) -> None:
    content = [found(line) for label, line in judged if label["label"] == "content"]
    quiet = [alerted(line) for label, line in judged if label["label"] in {"none", "noise"}]
    assert sum(content) / len(content) >= 0.95
    assert sum(quiet) / len(quiet) <= 0.02


def test_field_changes_are_found_with_both_values_and_none_on_noise() -> None:
    results, differences = pairs.pairs(Path(FOLDER))
    assert share(results["synthetic"]) >= 0.98, differences
    assert share(results["quiet"]) == 1, differences


def test_structured_data_is_what_extruct_expects_of_its_samples() -> None:
    result, differences = samples.samples(Path(FOLDER))
    unexplained = [line for line in differences if not any(name in line for name in ("product-ref", "SearchAction"))]
    assert result.asked
    assert unexplained == []


def test_every_notation_gives_the_same_fields() -> None:
    results, differences = triples.triples(Path(FOLDER))
    unexplained = [line for line in differences if not line.split("/")[1].startswith(triples.DIFFERENT)]
    asked = sum(result.asked for result in results.values())
    assert len(unexplained) <= 0.03 * asked, unexplained


def test_recipes_have_the_fields_they_carry() -> None:
    pytest.importorskip("extruct", reason="extruct says what a page carries")
    from benchmarks.fields.recipes import recipes  # noqa: PLC0415

    results, differences = recipes(Path(FOLDER))
    assert share(*(result for name, result in results.items() if name != "ingredients")) >= 0.97, differences
