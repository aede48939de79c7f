"""Writes `pipeline/extract/locales.json` from babel: `python -m pipeline.extract.babel_locales`."""

import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

from babel import Locale, localedata
from babel.languages import get_official_languages
from babel.numbers import get_decimal_symbol, get_group_symbol, get_territory_currencies

from pipeline.extract.locales import Locales
from pipeline.extract.numerals import uniform
from pipeline.extract.text import words

__all__ = ["babel_locales", "write"]

_TODAY = date(2026, 1, 1)
"""Of which day the currencies are."""

_MONTHS_OF = words("""
    af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn
    ko ky lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu
""")
"""The languages of many pages; the names of all others would make more of these ambiguous than they would add."""

_NAMED = 2
"""Characters of a month's name, at least; three where words stand between spaces."""


def babel_locales() -> Locales:
    """The tables of the installed babel."""
    marks, orders = dict(sorted(_marks())), dict(sorted(_orders()))
    months, own = _months()
    territories = {territory: mark for territory, mark in _territories(marks) if mark}
    return Locales(
        marks=_differing(marks),
        orders=_differing(orders),
        territories=dict(sorted(territories.items())),
        currencies=dict(sorted(_currencies(territories))),
        months=months,
        own_months=own,
    )


def write(path: Path) -> None:
    """Write the tables of the installed babel."""
    path.write_text(
        json.dumps(babel_locales().as_dict(), ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8"
    )


def _locales() -> Iterator[tuple[str, Locale]]:
    """By `language` or `language-REGION`; a language's usual script stands for it."""
    seen = set()
    for identifier in sorted(localedata.locale_identifiers(), key=lambda name: (name.count("_"), name)):
        locale = Locale.parse(identifier)
        key = "-".join(filter(None, (locale.language, locale.territory)))
        if key not in seen and not locale.variant:
            seen.add(key)
            yield key, locale


def _marks() -> Iterator[tuple[str, str]]:
    for key, locale in _locales():
        decimal, group = get_decimal_symbol(locale), get_group_symbol(locale)
        if decimal in {".", ","}:
            yield key, decimal + (group if group in {".", ","} else "'" if group in {"'", "\u2019"} else " ")


def _orders() -> Iterator[tuple[str, str]]:
    for key, locale in _locales():
        letters = [char.lower() for char in str(locale.date_formats["short"].pattern) if char in "dMy"]
        yield key, "".join(dict.fromkeys(letters))


def _differing(table: dict[str, str]) -> dict[str, str]:
    """Without the regions that write as their language does."""
    return {key: value for key, value in table.items() if "-" not in key or table.get(key.split("-")[0]) != value}


def _territories(marks: dict[str, str]) -> Iterator[tuple[str, str]]:
    """By country: the marks of the official language that most people speak."""
    for territory in sorted(Locale("en").territories):
        languages = get_official_languages(territory, de_facto=True) if len(territory) == 2 else ()  # noqa: PLR2004
        for base in (language.split("_")[0] for language in languages[:1]):
            yield territory, marks.get(f"{base}-{territory}") or marks.get(base, "")


def _currencies(territories: dict[str, str]) -> Iterator[tuple[str, str]]:
    """By currency: the marks of the country that it is named after, or else those its countries agree on."""
    found: dict[str, set[str]] = defaultdict(set)
    for territory, mark in territories.items():
        for currency in map(str, get_territory_currencies(territory, _TODAY, tender=True, non_tender=False)):
            found[currency] |= {territories.get(currency[:2], mark)}
    for currency, marks in found.items():
        if len(marks) == 1:
            yield currency, marks.pop()


def _months() -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Names that mean one month in all languages, and the others by language."""
    found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for language, number, name in _month_names():
        if len(name) >= _NAMED + name.isascii() and not any(char.isdigit() or char.isspace() for char in name):
            found[name][number].add(language)
    everywhere: dict[str, int] = {}
    own: dict[str, dict[str, int]] = defaultdict(dict)
    for name, by_number in sorted(found.items()):
        if len(by_number) == 1:
            everywhere[name] = next(iter(by_number))
            continue
        for number, languages in by_number.items():
            for language in languages:
                own[language][name] = number
    return everywhere, dict(own)


def _month_names() -> Iterator[tuple[str, int, str]]:
    for _, locale in _locales():
        for context, width in product(("format", "stand-alone"), ("wide", "abbreviated")):
            names: Any = locale.months[context][width] if locale.language in _MONTHS_OF else {}
            for number, name in names.items():
                yield locale.language, number, uniform(name).lower().rstrip(".")


if __name__ == "__main__":
    write(Path("pipeline/extract/locales.json"))
