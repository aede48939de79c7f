"""Writes `pipeline/cldr.json` from babel: `python -m pipeline.normalize.babel_words`."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from babel import localedata
from babel.localedata import LocaleDataDict

from pipeline.cldr import CldrWords
from pipeline.normalize.folding import fold

__all__ = ["babel_words", "write"]

_UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute", "second")
_WIDTHS = ("", "-short", "-narrow")
_NOW = frozenset(("year", "month", "week", "day", "second"))
"""Units whose present has a name that pages use: `this hour` is none."""

# UTS 35, Dates, section 8: a quoted literal, a run of one pattern letter, or other literal text.
_FIELD = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+")
_JOINED = re.compile(r"\{n\}(?:[.:]\{n\})+")
_DAYS, _HOURS, _SKIPPED = "dyMLEc", "HhKkmsabB", "zvOVXx"
_NAMED = 3
"""Pattern letters from which a month is a name."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def babel_words() -> CldrWords:
    """The words of all locales of the installed babel."""
    found: dict[str, set[str]] = {name: set() for name in CldrWords.__slots__}
    for locale in localedata.locale_identifiers():
        raw: Any = localedata.load(locale)
        for name, text in _texts(LocaleDataDict(raw)):
            found[name].add(fold(text).lower())
    return CldrWords(**{name: tuple(sorted(texts - {""})) for name, texts in found.items()})


def write(path: Path) -> None:
    """Write the words of the installed babel, a word a line."""
    path.write_text(json.dumps(asdict(babel_words()), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def _texts(data: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    yield from _relative(data["date_fields"])
    for name, key in (("months", "months"), ("weekdays", "days")):
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                yield from ((name, word) for word in data[key][context][width].values() if _is_word(word, 3))
    for width in ("wide", "abbreviated"):
        periods = data["day_periods"].get("format", {}).get(width, {})
        yield from (("halves", periods[half]) for half in ("am", "pm") if half in periods)
    for pattern in (
        *data["date_formats"].values(),
        *data["time_formats"].values(),
        *data["datetime_skeletons"].values(),
    ):
        yield from _form(str(getattr(pattern, "pattern", pattern)))


def _relative(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Past forms and relative words; a form that is a sign and a number, such as `-5 h`, could be anything."""
    for unit in _UNITS:
        for width in _WIDTHS:
            forms = fields.get(unit + width, {})
            for form in forms.get("past", {}).values():
                if not fold(form).startswith(("-", "+")):
                    yield "past", form.replace("{0}", "{n}")
            for offset, word in forms.get("relative", {}).items():
                if (offset < 0 or (offset == 0 and unit in _NOW)) and _is_word(word, 4):
                    yield "gone" if offset < 0 else "present", word


def _is_word(text: str, letters: int) -> bool:
    """Whether it is a name of at least so many letters, half as many where words are not spaced, and no number."""
    if any(map(str.isdigit, text)):
        return False
    return sum(map(str.isalpha, text)) >= (2 if _UNSPACED.search(text) else letters)


def _form(pattern: str) -> Iterator[tuple[str, str]]:
    """The pattern of a date such as `d MMM y` as `{n} {m} {n}`, or of a time of day; none that is all digits."""
    fields = {match[2] for match in _FIELD.finditer(pattern) if match[2]}
    if not fields <= {*_DAYS, *_HOURS, *_SKIPPED} or (fields & {*_DAYS} and fields & {*_HOURS}):
        return
    text = "".join(map(_piece, _FIELD.finditer(pattern))).replace("()", "").replace("[]", "").strip(" ,;")
    is_clock = bool(fields & {*_HOURS})
    text = _JOINED.sub("{c}" if is_clock else "{n}", text)
    own = re.sub(r"\{.\}", "", text)
    has_letters = any(map(str.isalpha, own)) or re.search(r"\{[mwa]\}", text) is not None
    if has_letters and (text.count("{") > 1 or (is_clock and "{c}" in text)):
        yield "clocks" if is_clock else "dates", text


def _piece(field: re.Match[str]) -> str:
    letter = field[2]
    if letter is None:
        return (field[1] or "'").replace("''", "'") if field[0].startswith("'") else field[0]
    if letter in "ML" and len(field[0]) >= _NAMED:
        return "{m}"
    if letter in _SKIPPED:
        return ""
    return "{w}" if letter in "Ec" else "{a}" if letter in "abB" else "{n}"


if __name__ == "__main__":
    write(Path(__file__).parents[1] / "cldr.json")
