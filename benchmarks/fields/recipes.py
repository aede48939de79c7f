"""Recipe pages against what recipe-scrapers expects of them, where the page's structured data carries the field."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import extruct

from benchmarks.fields.corpus import Result, of_source, read_fields
from pipeline.model import FieldValue

__all__ = ["recipes"]

_ASKED: Mapping[str, tuple[str, str]] = {
    "name": ("title", "name"),
    "author": ("author", "author"),
    "total_time": ("total_time", "totalTime"),
    "prep_time": ("prep_time", "prepTime"),
    "cook_time": ("cook_time", "cookTime"),
    "recipe_yield": ("yields", "recipeYield"),
    "rating_value": ("ratings", "aggregateRating"),
    "rating_count": ("ratings_count", "aggregateRating"),
    "ingredients": ("ingredients", "recipeIngredient"),
}
"""Our field: the name of recipe-scrapers, and the property that must stand in the page for the field to be asked."""

_OR = {"rating_count": "review_count"}
"""Theirs counts either; ours are two fields, as in schema.org."""


def recipes(corpus: Path) -> tuple[dict[str, Result], list[str]]:
    """Right answers by field, and a line for each difference."""
    results: dict[str, Result] = {}
    differences: list[str] = []
    for page in of_source(corpus, "recipe-scrapers"):
        carried = _carried(page.body.decode("utf-8", "replace"))
        mine = read_fields(page.body, page.url, [*_ASKED, *_OR.values()])
        for name, (theirs, key) in _ASKED.items():
            wanted = page.expected.get(theirs)
            if wanted in (None, "", []) or not carried.get(key):
                continue
            value = mine.get(name) or mine.get(_OR.get(name, ""))
            right = value is not None and _SAME.get(name, _same_text)(value, wanted)
            results.setdefault(name, Result()).count(right=right)
            if not right:
                said = "-" if value is None else f"{value.state} {(value.text or value.raw or '')[:70]!r}"
                differences.append(f"{page.file} {name}: {said} | {str(wanted)[:70]!r} | {str(carried[key])[:70]!r}")
    return results, differences


def _carried(markup: str) -> dict[str, Any]:
    """Every property of every recipe in the page, as extruct sees them: an oracle that is not our own reading."""
    found = extruct.extract(markup, syntaxes=["json-ld", "microdata"], uniform=True, errors="ignore")
    properties: dict[str, Any] = {}
    stack: list[Any] = [found]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            types = node.get("@type", "")
            if "Recipe" in (types if isinstance(types, list) else [str(types).rpartition("/")[2]]):
                properties |= {key: value for key, value in node.items() if value not in (None, "", [], {})}
            stack += node.values()
        elif isinstance(node, list):
            stack += node
    return {key: value for key, value in properties.items() if _says(value)}


def _says(value: Any) -> bool:
    """Whether any text stands in a value, types aside."""
    if isinstance(value, dict):
        return any(_says(inner) for key, inner in value.items() if not key.startswith("@"))
    return any(map(_says, value)) if isinstance(value, list) else bool(str(value).strip())


def _same_text(value: FieldValue, wanted: Any) -> bool:
    return _bare(value.text or "") == _bare(str(wanted))


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _same_number(value: FieldValue, wanted: Any) -> bool:
    return value.number is not None and abs(value.number - Decimal(str(wanted))) < Decimal("0.01")


def _same_yield(value: FieldValue, wanted: Any) -> bool:
    """Theirs is `4 servings` whatever the page writes; the number is what the page says."""
    return re.findall(r"\d+", value.text or "")[:1] == re.findall(r"\d+", str(wanted))[:1]


def _same_members(value: FieldValue, wanted: Any) -> bool:
    return sorted(map(_bare, value.members or ())) == sorted(map(_bare, wanted))


_SAME: Mapping[str, Callable[[FieldValue, Any], bool]] = {
    "total_time": _same_number,
    "prep_time": _same_number,
    "cook_time": _same_number,
    "rating_value": _same_number,
    "rating_count": _same_number,
    "recipe_yield": _same_yield,
    "ingredients": _same_members,
}
