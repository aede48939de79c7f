"""A text around prices as a row of terms: amounts with their signs, and what the words beside them say of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from pipeline.extract.phrases import Token, phrases_of, tokens

__all__ = ["SIGN", "Term", "terms"]

SIGN = "¤"
"""In the text, in the stead of each sign of a currency."""

_POWERS = {f"e{power}": Decimal(10) ** power for power in (3, 4, 5, 6, 7, 8, 9)} | {"sub": Decimal("0.01")}
_LETTER_POWERS = {"k": Decimal(10) ** 3, "m": Decimal(10) ** 6, "b": Decimal(10) ** 9}
"""Of single letters that touch the number, `m` and `b` only where a sign stands beside it: `$1.2m`."""

_FUSED_ONLY = frozenset({"c", "p"})
"""Hundredths that are words of their own otherwise."""

_TIMES = frozenset({"x", "×", "✕", "х"})  # noqa: RUF001 - the Cyrillic letter too
_PLUS = frozenset({"+"})


@dataclass(slots=True)
class Term:
    """One term of the row.

    Attributes:
        kind: `amount`, `count` (a number that is no amount: a quantity, a percentage), `sign`, `word`, a mark, or a
            key of the tables of words.
        start: Of the text's characters, the first.
        end: One behind its last.
        numerals: Of an amount: what is written, and the power of ten it is multiplied by, in sum: 3万5000.
        signs: Of an amount: the indices of the signs beside it.
        role: Of an amount: what the words beside it say, as a key of the tables; "" if nothing.
        open_ended: Of an amount: whether it is the lowest one.
    """

    kind: str
    start: int
    end: int
    text: str = ""
    numerals: list[tuple[str, Decimal]] = field(default_factory=list)
    signs: list[int] = field(default_factory=list)
    role: str = ""
    open_ended: bool = False


def terms(text: str, language: str) -> list[Term]:
    """The terms of a uniform text whose signs are placeholders; the language is a primary subtag or ""."""
    row = list(_labelled(tokens(text), language))
    row = _numbers(row)
    _bind_signs(row)
    return row


def _labelled(row: Sequence[Token], language: str) -> Iterator[Term]:
    position = 0
    for phrase in phrases_of("price", language).find(tuple(token.key for token in row)):
        yield from map(_term, row[position : phrase.start])
        first, last = row[phrase.start], row[phrase.end - 1]
        text = first.text if phrase.end == phrase.start + 1 else ""
        yield Term(phrase.label, first.start, last.end, text)
        position = phrase.end
    yield from map(_term, row[position:])


def _term(token: Token) -> Term:
    if token.number:
        return Term("number", token.start, token.end, token.text)
    if token.text == SIGN:
        return Term("sign", token.start, token.end, token.text)
    if token.text in _TIMES:
        return Term("times", token.start, token.end, token.text)
    if token.text in _PLUS:
        return Term("plus", token.start, token.end, token.text)
    return Term("word" if token.text[0].isalnum() else token.text, token.start, token.end, token.text)


def _numbers(row: Sequence[Term]) -> list[Term]:
    """The row with each number as an amount or a count, the power behind it taken in."""
    done: list[Term] = []
    position = 0
    while position < len(row):
        term = row[position]
        position += 1
        if term.kind != "number":
            done.append(term)
            continue
        while True:
            power, taken = _power(row, position, signed=bool(done) and done[-1].kind == "sign")
            term.numerals.append((term.text, power))
            if taken:
                term.end = row[position].end
                position += 1
            follows = row[position] if position < len(row) else None
            if not (taken and power > 1 and follows and follows.kind == "number" and follows.start == term.end):
                break
            term.text, term.end = follows.text, follows.end  # 3万5000
            position += 1
        term.kind = "count" if _is_count(row, position, term, signed=_is_signed(done)) else "amount"
        if term.numerals[-1][1] < 1 and term.kind == "amount" and _joins(done):
            whole = next(each for each in reversed(done) if each.kind == "amount")
            whole.numerals += term.numerals  # 19 € 99 ct
            whole.end = term.end
            continue
        done.append(term)
    return done


def _power(row: Sequence[Term], position: int, *, signed: bool) -> tuple[Decimal, bool]:
    """What the term at a position multiplies the number before it by, and whether it does."""
    if position == len(row):
        return Decimal(1), False
    term, fused = row[position], row[position - 1].end == row[position].start
    signed = signed or (position + 1 < len(row) and row[position + 1].kind == "sign")
    if fused and term.text in _LETTER_POWERS and (signed or term.text == "k"):
        return _LETTER_POWERS[term.text], True
    if term.kind in _POWERS and (fused or term.text not in _FUSED_ONLY):
        return _POWERS[term.kind], True
    return Decimal(1), False


def _joins(done: Sequence[Term]) -> bool:
    """Whether an amount with its sign came just before."""
    return len(done) > 1 and done[-1].kind == "sign" and done[-2].kind == "amount"


def _is_count(row: Sequence[Term], position: int, term: Term, *, signed: bool) -> bool:
    """Whether what follows a number makes it a quantity, a share or a part of a name; less so behind its own sign."""
    if position == len(row):
        return False
    follows = row[position]
    if follows.kind in {"%", "times"}:
        return True
    if follows.kind in {"unit", "instalment"}:
        return not signed
    return follows.kind == "word" and follows.start == term.end and follows.text.isalpha() and follows.text < "\u0e00"


def _is_signed(done: Sequence[Term]) -> bool:
    """Whether a sign stands before what comes next, and not behind an amount."""
    return bool(done) and done[-1].kind == "sign" and not (len(done) > 1 and done[-2].kind == "amount")


def _bind_signs(row: Sequence[Term]) -> None:
    """Each sign belongs to one amount: the one it touches, or the one on the side where signs stand in this text."""
    marked = [position for position, term in enumerate(row) if term.kind in {"sign", "amount"}]
    first_is_sign = bool(marked) and row[marked[0]].kind == "sign"
    index = 0
    for position, term in enumerate(row):
        if term.kind != "sign":
            continue
        before = _amount_beside(row, position, -1)
        after = _amount_beside(row, position, 1)
        chosen = before or after
        if before and after:
            touches = before.end == term.start, after.start == term.end
            chosen = before if touches == (True, False) else after
            if touches == (True, True):
                before.signs.append(index)  # 1250€600 could be either's
            elif touches == (False, False):
                chosen = after if first_is_sign else before
        if chosen:
            chosen.signs.append(index)
        index += 1


def _amount_beside(row: Sequence[Term], position: int, step: int) -> Term | None:
    """The amount next to a sign; another sign or a dash may stand between, as in `$ CAD 20` and `$-5`."""
    position += step
    while 0 <= position < len(row) and row[position].kind in {"sign", "-"}:
        position += step
    return row[position] if 0 <= position < len(row) and row[position].kind == "amount" else None
