"""The price grammar: an exact amount or range and its ISO currency out of what a shop writes.

Where a text could mean two amounts the answer is `ambiguous`, never a guess: a wrong price raises an alert.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from pipeline.extract.currencies import THREE_DECIMALS, TOMAN, WHOLE, home, meanings, settle, take_signs
from pipeline.extract.locales import locales, parts
from pipeline.extract.numerals import NUMERAL, Style, agreed_grouping, read_numeral, uniform
from pipeline.extract.price_roles import ALSO_TO, DROPPED, assign_roles
from pipeline.extract.price_terms import SIGN, Term, terms
from pipeline.extract.typed import AMBIGUOUS, MISSING, UNREADABLE, Hints, Typed, bounded, decimal_text
from pipeline.model import FieldState

__all__ = ["amount", "price"]

LONGEST = 300
"""Characters; a longer text is no price."""

HIGHEST = Decimal(10) ** 12
"""From here on it is no price but an identifier."""

_PLAIN = re.compile(rf"(?:{SIGN} ?)?(?P<numeral>{NUMERAL})(?: ?{SIGN})?")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_EXPONENT = re.compile(r"(?<![^\W\d_])\d[eE][+-]?\d")
_NO_CENTS = re.compile(r"(?<=\d)[.,:] ?-+(?! ?\d)")  # 19.- and 19,-- and 99:-
_NO_WHOLE = re.compile(r"(?<![\w.,])-+,(?=\d\d(?!\d))")  # -,79
_LOOSE_MARK = re.compile(rf"(?<=\d)(?: ([.,]) ?|([.,]) )(?=\d\d ?(?:{SIGN}|$))")  # 19 ,99 and 19. 99
_SIGN_INSIDE = re.compile(rf"(?<=\d){SIGN}(?P<cents>\d\d)(?![\d.,])")  # 19€99
_SIGN_BETWEEN = re.compile(rf"(?P<whole>\d[\d ]*)(?: {SIGN} |{SIGN} ?)(?P<cents>\d\d)")  # 19 € 99, and nothing else
_NOT_FREE = frozenset({"word", "count", "request", "%"})
"""Beside these a word for free means something else than the price: `free returns`."""

_REACH = 16
"""Characters in which the other marks of a numeral are looked for."""


def price(raw: str, hints: Hints) -> Typed:
    """Read a price as it stands on a page or in structured data.

    Returns:
        `number` and `high` for a range, with `currency` where it is known; 0 for "free". A text such as `5+ EUR` says
        that it is the lowest of several prices. Negative amounts, texts without an amount and prices on request are
        `unreadable`; several amounts none of which is marked as the one that holds, an undecided decimal mark and a
        highest price alone are `ambiguous`.
    """
    text = uniform(raw)
    if not text:
        return MISSING
    if len(text) > LONGEST or _EXPONENT.search(text):
        return UNREADABLE
    rest, signs = take_signs(text, SIGN)
    if plain := _PLAIN.fullmatch(rest):
        currency, disagree = settle(signs, hints)
        number = read_numeral(plain["numeral"], _style(signs, hints, currency))
        if disagree:
            return AMBIGUOUS
        return Typed(state=number) if isinstance(number, FieldState) else amount(number, currency)
    if "(" in text or "[" in text:
        outside = _BRACKETS.sub(" ", text)
        if any(char.isdigit() for char in outside):
            rest, outer = take_signs(outside, SIGN)
            signs = outer or signs
    return _read(_tidy(rest), signs, hints)


def amount(number: Decimal, currency: str | None, high: Decimal | None = None, *, open_ended: bool = False) -> Typed:
    """The typed value of an amount that is known exactly; `unreadable` if it is negative or out of all range."""
    low = bounded(number)
    top = bounded(high) if high is not None else None
    if low is None or low < 0 or low >= HIGHEST:
        return UNREADABLE
    if top is not None and (top < low or top >= HIGHEST):
        return AMBIGUOUS
    if top == low:
        top = None
    text = decimal_text(low) if top is None else f"{decimal_text(low)}-{decimal_text(top)}"
    if open_ended and top is None:
        text += "+"
    return Typed(text=f"{text} {currency}" if currency else text, number=low, high=top, currency=currency)


def _tidy(text: str) -> str:
    """One way to write cents."""
    text = _NO_CENTS.sub(lambda match: f"{_decimal_behind(match)}00", text)
    text = _LOOSE_MARK.sub(r"\1\2", _NO_WHOLE.sub("0,", text))
    if alone := _SIGN_BETWEEN.fullmatch(text):
        return f"{alone['whole'].rstrip()}.{alone['cents']}{SIGN}"
    return _SIGN_INSIDE.sub(_cents_behind, text)


def _cents_behind(match: re.Match[str]) -> str:
    head = match.string[max(0, match.start() - _REACH) : match.start()].rstrip("0123456789.,'")
    if head.rstrip().endswith(SIGN):
        return match[0]  # $30$25 are two prices
    return f"{_decimal_behind(match)}{match['cents']}{SIGN}"


def _decimal_behind(match: re.Match[str]) -> str:
    """The mark that can only be decimal behind the numeral that ends here."""
    head = match.string[max(0, match.start() - _REACH) : match.start()].rpartition(" ")[2]
    return "," if "." in head else "."


def _style(signs: Sequence[str], hints: Hints, currency: str | None) -> Style:
    if currency in WHOLE or not TOMAN.isdisjoint(signs):
        return Style(groups=".,")
    if hints.machine:
        return Style(groups=",", decimal=".")
    if currency in THREE_DECIMALS:
        return Style(decimal=".")
    known = locales()
    if hints.locale:
        return Style(groups=agreed_grouping(known.of_language(hints.locale)))
    country = next((known.territories[country] for country in home(hints)[:1] if country in known.territories), "")
    own = [known.currencies.get(code, "") for code in ([currency] if currency else meanings(signs))]
    return Style(groups=agreed_grouping(known.of_language(hints.language), country, *own))


def _read(text: str, signs: Sequence[str], hints: Hints) -> Typed:
    row = terms(text, parts(hints.locale or hints.language)[0])
    assign_roles(row)
    if any(term.kind == "free" for term in row) and not any(term.kind in _NOT_FREE for term in row):
        if any(term.role not in DROPPED for term in row if term.kind == "amount"):
            return AMBIGUOUS
        return amount(Decimal(0), settle(signs, hints)[0])
    candidates = _candidates(row, signs, hints)
    span = _range(row, candidates)
    used = span or candidates
    state = _state_by_roles(used)
    if state:
        return state
    if span and any(term.role != "was" and term not in span for term in candidates):
        return AMBIGUOUS
    if any(one.kind == other.kind == "amount" and (one in used or other in used) for one, other in pairwise(row)):
        return AMBIGUOUS  # $19 99
    return _typed(used, bool(span), signs, hints)


def _state_by_roles(used: Sequence[Term]) -> Typed | None:
    roles = {term.role for term in used}
    if not used or roles & {"negative", "save"} or (roles == {"cut"} and len(used) == 1):
        return UNREADABLE
    return AMBIGUOUS if roles & {"upto", "cut"} else None


def _typed(used: Sequence[Term], is_range: bool, signs: Sequence[str], hints: Hints) -> Typed:
    currency, disagree = settle(_signs_of(used, signs) or signs, hints)
    style = _style(signs, hints, currency)
    values = [_value(term, style) for term in used]
    if disagree or any(value is FieldState.AMBIGUOUS for value in values):
        return AMBIGUOUS
    numbers = [value for value in values if isinstance(value, Decimal)]
    if len(numbers) < len(values):
        return UNREADABLE
    if is_range:
        low, high = _ends(used, numbers)
        return amount(low, currency, high)
    if len(set(numbers)) > 1:
        return AMBIGUOUS
    return amount(numbers[0], currency, open_ended=all(term.open_ended for term in used))


def _candidates(row: Sequence[Term], signs: Sequence[str], hints: Hints) -> list[Term]:
    """The amounts that may be the price, best evidence first: with a sign, not set aside by a word, said to hold."""
    amounts = [term for term in row if term.kind == "amount"]
    signed = [term for term in amounts if term.signs or any(power < 1 for _, power in term.numerals)]
    if not signed and any(term.kind in {"request", "free"} for term in row):
        return []
    if hints.currency and settle(signs, Hints())[1]:
        signed = [
            term for term in signed if settle(_signs_of([term], signs), hints) == (hints.currency, False)
        ] or signed
    kept = [term for term in signed if term.role not in DROPPED]
    if not kept and all(term.role == "was" for term in signed):
        kept = [term for term in amounts if term.role not in DROPPED]  # 79 statt 99 €
    if not kept:
        kept = signed or amounts
        roles = {term.role for term in kept}
        if len(roles) > 1:
            kept = [term for term in kept if term.role not in {"save", "negative"}]
    return [term for term in kept if term.role == "now"] or kept


def _range(row: Sequence[Term], candidates: Sequence[Term]) -> list[Term]:
    """The two ends of a range that one of the candidates is an end of; empty if there is none."""
    amounts = [position for position, term in enumerate(row) if term.kind == "amount"]
    for low, high in pairwise(amounts):
        between = [term for term in row[low + 1 : high] if term.kind != "sign"]
        if len(between) != 1 or not _joins(between[0], row[:low]):
            continue
        if not any(term is row[low] or term is row[high] for term in candidates):
            continue
        if row[low].role == "was":
            return [row[high]] if row[high].role != "was" else []  # reduced from 99 to 79
        return [row[low], row[high]]
    return []


def _joins(term: Term, before: Sequence[Term]) -> bool:
    """Whether a term between two amounts makes them a range."""
    if term.kind in {"-", "~", "to"} or term.text in ALSO_TO:
        return True
    return term.kind == "joint" and any(each.kind == "between" for each in before)


def _ends(span: Sequence[Term], numbers: Sequence[Decimal]) -> tuple[Decimal, Decimal | None]:
    if len(numbers) == 1:
        return numbers[0], None
    low, high = numbers
    power = span[1].numerals[-1][1]
    shared = power > 1 and span[0].numerals[-1][1] == 1 and low <= high / power
    return (low * power if shared else low), high  # 1-2 million


def _signs_of(row: Sequence[Term], signs: Sequence[str]) -> list[str]:
    return [signs[index] for term in row for index in term.signs]


def _value(term: Term, style: Style) -> Decimal | FieldState:
    total = Decimal(0)
    for numeral, power in term.numerals:
        value = read_numeral(numeral, style)
        if isinstance(value, FieldState):
            return value
        total += value * power
    return total
