"""Exact-match rates of fields by source and field, each mismatch, and what fields cost.

Usage: python -m benchmarks.fields CORPUS [--misses]

CORPUS is a folder with `pages/manifest.jsonl` and `labels.jsonl`. Needs extruct, as an oracle and a rival.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.fields.corpus import Result
from benchmarks.fields.metadata import metadata
from benchmarks.fields.pairs import pairs
from benchmarks.fields.recipes import recipes
from benchmarks.fields.samples import samples
from benchmarks.fields.speed import speed
from benchmarks.fields.triples import triples


def _print(title: str, results: dict[str, Result], differences: Iterable[str]) -> None:
    print(title)
    for name, result in results.items():
        print(f"  {name:28} {result.share}")
    if "--misses" in sys.argv:
        for line in differences:
            print(f"    {line}")


def main() -> None:
    """Print every comparison."""
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(arguments) != 1:
        sys.exit(__doc__)
    corpus = Path(arguments[0])
    sample, differences = samples(corpus)
    _print("Structured data, extruct's own samples", {"equal": sample}, differences)
    _print("Recipes, fields that the page carries", *recipes(corpus))
    _print("schema.org's examples, against JSON-LD of the same thing", *triples(corpus))
    _print("Articles", metadata(corpus), ())
    _print("Labelled pairs, field changes with old and new value", *pairs(corpus))
    for line in speed(corpus):
        print(line)


if __name__ == "__main__":
    main()
