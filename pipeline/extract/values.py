"""A raw text under a field's type: the one place where text becomes a value."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from urllib.parse import urljoin

from pipeline.extract.availability import availability
from pipeline.extract.dates import date
from pipeline.extract.durations import duration
from pipeline.extract.locales import parts
from pipeline.extract.numerals import Style, decimal_mark, grouping_mark, read_numeral, uniform
from pipeline.extract.phrases import Phrase, Token, phrases_of, tokens
from pipeline.extract.prices import amount, price
from pipeline.extract.text import fold
from pipeline.extract.typed import MISSING, UNREADABLE, Hints, Typed, bounded, decimal_text
from pipeline.extract.words import tables
from pipeline.model import FieldState, FieldType

__all__ = ["listed", "quantity", "typed"]

_POWERS = {f"e{power}": Decimal(10) ** power for power in (3, 4, 5, 6, 7, 8, 9)}
_LETTER_POWERS = {"k": Decimal(10) ** 3, "K": Decimal(10) ** 3, "M": Decimal(10) ** 6, "B": Decimal(10) ** 9}
"""Of letters that touch the number; a small m is metres."""

_TRUTH = {"https://schema.org/true": True, "http://schema.org/true": True, **dict.fromkeys("✓✔☑✅", True)}
_TRUTH |= {"https://schema.org/false": False, "http://schema.org/false": False, **dict.fromkeys("✗✘✖❌", False)}


def typed(raw: str, field_type: FieldType, hints: Hints) -> Typed:
    """The value of a folded text; an empty text is `missing` whatever the type."""
    return _READERS[field_type](raw, hints) if raw else MISSING


def quantity(value: Decimal, field_type: FieldType, hints: Hints) -> Typed:
    """The value of what structured data gives as a number, so that its decimal mark is certain."""
    if field_type is FieldType.PRICE:
        return amount(value, hints.currency)
    kept = bounded(value)
    if kept is None:
        return UNREADABLE
    text = decimal_text(kept)
    return Typed(text=text, number=kept) if field_type is FieldType.NUMBER else typed(text, field_type, hints)


def number(raw: str, hints: Hints) -> Typed:
    """The first number of a text: `4,9` is 4.9, `4.5 out of 5` is 4.5, `(1.2k)` is 1200, `3 Mio.` 3000000."""
    text = uniform(raw)
    row = tokens(text)
    language = hints.locale or hints.language
    phrases = {phrase.start: phrase for phrase in _powers(row, parts(language)[0])}
    for position, token in enumerate(row):
        if not token.number:
            continue
        power = Decimal(1)
        follows = row[position + 1] if position + 1 < len(row) else None
        if follows:
            label = phrases[position + 1].label if position + 1 in phrases else ""
            touches = follows.start == token.end and follows.text.isalnum() and follows.text < "\u0e00"
            letter = _LETTER_POWERS.get(text[follows.start : follows.end]) if touches else None
            if letter is None and label not in _POWERS and touches:
                continue  # half of a word: 5g
            power = letter or _POWERS.get(label, power)
        value = read_numeral(token.text, _style(hints.machine, language))
        if isinstance(value, FieldState):
            return Typed(state=value)
        head = text[: token.start].rstrip(" ")
        minus = head.endswith("-") and not head[:-1].rstrip(" ")[-1:].isdigit()
        return quantity(value * power * (-1 if minus else 1), FieldType.NUMBER, hints)
    return UNREADABLE


def _powers(row: Sequence[Token], language: str) -> Iterator[Phrase]:
    """Words for powers of ten; a text of numbers alone has none."""
    if all(token.number for token in row):
        return iter(())
    return phrases_of("price", language).find(tuple(token.key for token in row))


def _style(machine: bool, language: str | None) -> Style:
    if machine:
        return Style(groups=",", decimal=".")
    return Style(groups=grouping_mark(language) or "", decimal=decimal_mark(language))


def url(raw: str, hints: Hints) -> Typed:
    """An absolute address; a relative one is resolved against the page's own if that is known."""
    try:
        return Typed(text=urljoin(hints.base, raw))
    except ValueError:  # such as an unclosed bracket of an IPv6 address
        return UNREADABLE


def boolean(raw: str, hints: Hints) -> Typed:
    """Schema.org's True and False, yes and no in the languages of the tables, and marks such as a tick."""
    word = uniform(raw).lower().strip(" .!")
    truth = _truths(parts(hints.locale or hints.language)[0]).get(word, _TRUTH.get(word))
    return UNREADABLE if truth is None else Typed(text=str(truth).lower(), boolean=truth)


@cache
def _truths(language: str) -> Mapping[str, bool]:
    """What each word means: what the page's language says, or else what all languages that have it say."""
    meanings: dict[str, set[bool]] = {}
    for code in (*tables(), language):
        table = tables().get(code, {}).get("truth", {})
        for key, truth in (("true", True), ("false", False)):
            for word in map(uniform, table.get(key, "").lower().split("|")):
                said = meanings.setdefault(word, set())
                if code == language:
                    said.clear()
                said.add(truth)
    return {word: said.pop() for word, said in meanings.items() if len(said) == 1}


def listed(members: Sequence[str]) -> Typed:
    """A multiset: order means nothing, an empty member is none."""
    kept = tuple(sorted(filter(None, map(fold, members))))
    return Typed(text="\n".join(kept), members=kept) if kept else MISSING


_READERS: Mapping[FieldType, Callable[[str, Hints], Typed]] = {
    FieldType.PRICE: price,
    FieldType.NUMBER: number,
    FieldType.AVAILABILITY: lambda raw, hints: availability(raw, hints.locale or hints.language),
    FieldType.TEXT: lambda raw, _: Typed(text=raw),
    FieldType.DATE: date,
    FieldType.URL: url,
    FieldType.LIST: lambda raw, _: listed([raw]),
    FieldType.BOOL: boolean,
    FieldType.DURATION: lambda raw, hints: duration(raw, hints.locale or hints.language),
}
