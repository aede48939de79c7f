"""Single values of real pages against what a person read in them: `python -m benchmarks.fields.snippets CORPUS [FILE]`.

Each snippet is the markup of one value. It is read as a field whose selector matches it, with no language, host or
currency told. Where the library price-parser is installed (by hand; nothing here needs it), it reads the same texts.
FILE is `tests/test_price_parsing.py` of that library's source distribution: its examples are read too.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from benchmarks.fields.corpus import Result
from pipeline.extract import extract
from pipeline.extract.currencies import iso_code
from pipeline.extract.numerals import uniform
from pipeline.extract.prices import price
from pipeline.extract.typed import Hints
from pipeline.model import FieldSpec, FieldState, FieldType, FieldValue, Rules

__all__ = ["Snippet", "examples", "is_open", "load", "snippets"]

_TYPES: Mapping[str, FieldType] = {
    "price": FieldType.PRICE,
    "rating": FieldType.NUMBER,
    "review": FieldType.NUMBER,
    "count": FieldType.NUMBER,
    "availab": FieldType.AVAILABILITY,
    "stock": FieldType.AVAILABILITY,
    "date": FieldType.DATE,
}
"""By a part of the file's name; other files are not asked."""

_EXPECTED = ("value", "ratingValue", "reviewCount", "price", "availability", "date")
_NUMERAL = re.compile(r"\d[\d.,']*")
_THREE_BEHIND_ONE_MARK = re.compile(r"(?!0)\d{1,3}[.,]\d{3}")


@dataclass(frozen=True, slots=True)
class Snippet:
    """The markup of one value.

    Attributes:
        kind: Of the file it stands in.
        expected: Text or number; None where a person saw no value.
    """

    kind: str
    type: FieldType
    markup: str
    expected: Any


def load(corpus: Path) -> Iterator[Snippet]:
    """The snippets whose kind of value is read."""
    for path in sorted((corpus / "pages" / "zyte-parsers").glob("*.json")):
        field_type = next((found for part, found in _TYPES.items() if part in path.stem), None)
        for row in json.loads(path.read_text(encoding="utf-8")) if field_type else ():
            key = next((key for key in _EXPECTED if key in row), None)
            if key and field_type:
                yield Snippet(path.stem, field_type, row["html"], row[key])


def snippets(corpus: Path) -> tuple[dict[str, Result], list[str]]:
    """Right answers by kind and reader, and a line for each difference of ours."""
    results: dict[str, Result] = {}
    differences: list[str] = []
    library = _library()
    for snippet in load(corpus):
        value = _read(snippet)
        right = _is(value, snippet)
        results.setdefault(snippet.kind, Result()).count(right=right)
        if snippet.type is FieldType.PRICE:
            decided = not is_open(value.raw or "")
            if decided:
                results.setdefault(f"{snippet.kind}, one answer", Result()).count(right=right)
            if library and decided:
                theirs = library(value.raw or "")
                same = theirs == _number(snippet.expected)
                results.setdefault(f"{snippet.kind}, one answer, price-parser", Result()).count(right=same)
        if not right:
            differences.append(f"{snippet.kind}: {value.raw!r}: {value.state} {value.text!r} | {snippet.expected!r}")
    return results, differences


def is_open(text: str) -> bool:
    """Whether a text holds two different amounts, or one whose only mark could group or be decimal."""
    numerals = {numeral.rstrip(".,'") for numeral in _NUMERAL.findall(uniform(text))}
    return len(numerals) > 1 or any(map(_THREE_BEHIND_ONE_MARK.fullmatch, numerals))


def examples(file: Path) -> tuple[dict[str, Result], list[str]]:
    """The library's own examples by what they are about; wrong is only another amount, no amount is counted apart."""
    spec = spec_from_file_location("price_examples", file)
    if spec is None or spec.loader is None:
        raise ValueError(file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    results: dict[str, Result] = {}
    differences: list[str] = []
    for name in dir(module):
        if not name.startswith("PRICE_PARSING"):
            continue
        kind = "examples it fails itself" if "XFAIL" in name else "examples"
        for example in getattr(module, name):
            mine = price(example.price_raw or "", Hints(currency=iso_code(example.currency_raw)))
            results.setdefault(f"{kind}: same answer", Result()).count(right=mine.number == example.amount)
            other = mine.number is not None and mine.number != example.amount
            results.setdefault(f"{kind}: no other answer", Result()).count(right=not other)
            if mine.number != example.amount:
                differences.append(f"{kind}: {example.price_raw!r}: {mine.state} {mine.text!r} | {example.amount}")
    return results, differences


def _read(snippet: Snippet) -> FieldValue:
    body = f'<!doctype html><meta charset="utf-8"><div id="snippet">{snippet.markup}</div>'.encode()
    rules = Rules(fields=(FieldSpec(name="value", type=snippet.type, css="#snippet > *"),))
    return extract(body, url="", content_type="text/html", rules=rules).fields[0]


def _is(value: FieldValue, snippet: Snippet) -> bool:
    if snippet.expected is None:
        return value.state is not FieldState.VALUE
    if snippet.type in {FieldType.PRICE, FieldType.NUMBER}:
        return value.number is not None and value.number == _number(snippet.expected)
    return value.text is not None and value.text.casefold() == str(snippet.expected).rpartition("/")[2].casefold()


def _number(expected: Any) -> Decimal | None:
    """The amount of an expected value, which may be a text such as `$ 19.99` or a mapping with an amount."""
    if isinstance(expected, dict):
        expected = next((expected[key] for key in ("amount", "price", "value") if key in expected), None)
    try:
        return Decimal(re.sub(r"[^\d.]", "", str(expected)))
    except InvalidOperation:
        return None


def _library() -> Callable[[str], Decimal | None] | None:
    try:
        module = import_module("price_parser")
    except ImportError:
        return None

    def amount(text: str) -> Decimal | None:
        found: Decimal | None = module.Price.fromstring(text).amount
        return found

    return amount


def _main() -> None:
    results, differences = snippets(Path(sys.argv[1]))
    for file in map(Path, sys.argv[2:]):
        more, further = examples(file)
        results |= more
        differences += further
    for line in differences:
        print(line)
    for name, result in sorted(results.items()):
        print(f"{name:45} {result.share}")


if __name__ == "__main__":
    _main()
