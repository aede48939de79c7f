"""What the words of a row of terms say of its amounts: which one holds, which are former, saved, per unit, added."""

from collections.abc import Sequence

from pipeline.extract.price_terms import Term

__all__ = ["ALSO_TO", "DROPPED", "assign_roles"]

DROPPED = frozenset({"was", "save", "cut", "unit", "instalment", "shipping", "plus", "net", "negative", "upto"})
"""Roles of amounts that are not the price while another one is there."""

_BEFORE = {
    "was": 6,
    "now": 4,
    "save": 6,
    "cut": 4,
    "shipping": 6,
    "plus": 2,
    "net": 3,
    "from": 3,
    "upto": 3,
    "base": 6,
    "instalment": 4,
}
"""Roles that words give to the amount behind them, and over how many terms."""

_STRICT = frozenset({"from", "upto", "plus"})
"""Of those, the ones between which and the amount no other word may stand: `from Italy 5 €` is no `from`."""

_EITHER = frozenset({"cut", "net", "instalment"})
"""Roles that words give to the amount before them too."""

ALSO_TO = frozenset({"a", "al", "à"})
"""Words before a unit that also stand between the ends of a range."""

_BEHIND = {"off": "save", "instead": "was"}


def assign_roles(row: Sequence[Term]) -> None:
    """Give each amount its role, first by what stands behind it, then by what stands before it."""
    opens_with_amount = next((term.kind for term in row if term.kind not in {"sign", "-"}), "") == "amount"
    taken = set()
    for position, term in enumerate(row):
        if term.kind == "amount":
            term.role, behind = _behind(row, position, opens_with_amount=opens_with_amount)
            taken.add(behind)
            if _is_negative(row, position):
                term.role = "negative"
    pending: tuple[str, int] | None = None
    for position, term in enumerate(row):
        if term.kind == "amount":
            if pending and position - pending[1] <= _BEFORE[pending[0]]:
                _give(term, pending[0])
            pending = None
        elif term.kind == "now" and pending and pending[0] in {"was", "save", "from"}:
            continue  # save only 20, from only 5
        elif position not in taken:
            pending = _announced(row, position, pending)


def _announced(row: Sequence[Term], position: int, pending: tuple[str, int] | None) -> tuple[str, int] | None:
    """The role for the next amount, and where it was told."""
    term = row[position]
    if term.kind in _BEFORE:
        return term.kind, position
    if term.kind == "times":
        return "instalment", position
    if term.kind == "unit" and _prices_a_unit(row, position):
        return "base", position
    if term.kind == "per" and term.text not in ALSO_TO and _number_follows(row, position, "amount"):
        return "now", position  # de 99 por 79
    loose = pending is not None and pending[0] not in _STRICT
    return pending if term.kind in {"sign", "-"} or (loose and term.kind != "count") else None


def _give(term: Term, role: str) -> None:
    if role == "from":
        term.open_ended = True
    elif not term.role:
        term.role = "unit" if role == "base" else role


def _behind(row: Sequence[Term], position: int, *, opens_with_amount: bool) -> tuple[str, int]:
    """The role that what stands behind an amount gives to it, and where it stands; ("", -1) for none."""
    term = row[position]
    position = _skip(row, position + 1)
    if position == len(row):
        return "", -1
    follows = row[position]
    if follows.kind in {"per", "/"} and _is_unit(row, position + 1):
        return "unit", position
    if follows.kind in {"onward", "~"} and not _number_follows(row, position, "amount"):
        term.open_ended = True
    if follows.kind in _BEHIND:
        return _BEHIND[follows.kind], position
    if follows.kind in _EITHER:
        between = _number_follows(row, position, "amount")
        if follows.kind == "cut":  # 20 € discount 79 €: either may be the discount
            return ("cut", -1) if between else ("save", position)
        if not _number_follows(row, position, "amount", "count") or (opens_with_amount and between):
            return follows.kind, position
    return "", -1


def _skip(row: Sequence[Term], position: int) -> int:
    while position < len(row) and row[position].kind == "sign":
        position += 1
    return position


def _number_follows(row: Sequence[Term], position: int, *kinds: str) -> bool:
    position = _skip(row, position + 1)
    return position < len(row) and row[position].kind in kinds


def _is_unit(row: Sequence[Term], position: int) -> bool:
    """Whether a unit stands at a position, or a quantity of it."""
    if position < len(row) and row[position].kind == "count":
        position += 1
    return position < len(row) and row[position].kind == "unit"


def _prices_a_unit(row: Sequence[Term], position: int) -> bool:
    """`100 g =`, or `per kg` with no amount before it."""
    if position + 1 < len(row) and row[position + 1].kind == "=":
        return True
    before = position - 1 - (row[position - 1].kind == "count" if position else 0)
    return before == 0 and row[0].kind == "per"


def _is_negative(row: Sequence[Term], position: int) -> bool:
    """Whether a minus stands before an amount or its sign, and not between two amounts or behind a word."""
    before = position - 1
    dash = before >= 0 and row[before].kind == "-"
    while before >= 0 and row[before].kind == "sign":
        before -= 1
        dash = before >= 0 and row[before].kind == "-"
    if not dash:
        return False
    while before >= 0 and row[before].kind in {"sign", "-"}:
        before -= 1
    if before < 0:
        return True
    if row[before].kind in {"amount", "count"}:
        return False
    minus = next(term for term in row[before + 1 : position] if term.kind == "-")
    follows = row[row.index(minus) + 1]
    return follows.start == minus.end and row[before].end < minus.start
