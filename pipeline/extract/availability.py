"""Whether a thing can be had, as a word of schema.org's ItemAvailability.

`InStock` needs positive evidence: a text that says nothing recognisable is `unreadable`, on an error page too.
"""

import re

from pipeline.extract.numerals import uniform
from pipeline.extract.phrases import Phrase, phrases_of, tokens
from pipeline.extract.typed import AMBIGUOUS, MISSING, UNREADABLE, Typed
from pipeline.model import AVAILABILITIES

__all__ = ["availability"]

LONGEST = 300
"""Characters; a longer text is a description in which stock words mean anything."""

NEGATION_REACH = 3
"""Words after which a negation no longer denies: `not currently in stock`, `niet direct op voorraad`."""

_TOKENS = {word.lower(): word for word in AVAILABILITIES} | {
    "available": "InStock",
    "availablefororder": "InStock",
    "instoreandonline": "InStock",
    "oos": "OutOfStock",
    "unavailable": "OutOfStock",
    "notavailable": "OutOfStock",
    "notinstock": "OutOfStock",
    "outstock": "OutOfStock",
    "pending": "BackOrder",
    "onbackorder": "BackOrder",
    "backordered": "BackOrder",
    "limitedstock": "LimitedAvailability",
    "lowstock": "LimitedAvailability",
    "instorepickuponly": "InStoreOnly",
    "preorderavailable": "PreOrder",
}
"""What feeds and meta elements write, without white space, dots and dashes."""

_STRONGEST_FIRST = (
    "Discontinued",
    "SoldOut",
    "OutOfStock",
    "PreOrder",
    "PreSale",
    "BackOrder",
    "MadeToOrder",
    "none",
    "InStoreOnly",
    "OnlineOnly",
    "LimitedAvailability",
    "Reserved",
    "InStock",
)
"""Of several phrases the first one counts: what denies before what affirms."""

_GONE = frozenset({"Discontinued", "SoldOut", "OutOfStock"})
_QUESTION = frozenset({"?", "؟"})


def availability(raw: str, language: str | None = None) -> Typed:
    """The state that `https://schema.org/InStock`, a token (`in_stock`) or a phrase (`Nicht auf Lager`) names.

    A date, a condition or a question (`available from May`, `if available`, `in stock?`) names none; a text that says
    both that the thing is there and that it is gone is `ambiguous`. The language is the page's BCP 47 tag: its phrases
    come first, and those of all other languages count too.
    """
    text = " ".join(raw.split())
    if not text:
        return MISSING
    token = re.sub(r"[\s_.-]", "", re.split("[/#:]", text.rstrip("/"))[-1].lower())
    if token in _TOKENS and not _is_denied_token(text, token):
        return Typed(text=_TOKENS[token])
    if len(text) > LONGEST:
        return UNREADABLE
    states = _states(uniform(text.replace("_", " ")), (language or "").partition("-")[0].lower())
    if "InStock" in states and states & _GONE and "none" not in states:
        return AMBIGUOUS
    state = next((each for each in _STRONGEST_FIRST if each in states), "none")
    return UNREADABLE if state == "none" else Typed(text=state)


def _is_denied_token(text: str, token: str) -> bool:
    """Whether words stand before the last part of `Not currently: available`, which then says nothing by itself."""
    return ":" in text and "/" not in text and len(text) > len(token) + len("schema:")


def _states(text: str, language: str) -> set[str]:
    row = [token for token in tokens(text) if token.text != "-"]
    keys = tuple(token.key for token in row)
    found = list(phrases_of("stock", language).find(keys))
    asked = not _QUESTION.isdisjoint(keys)
    states = set()
    denied_until = -1
    for phrase in found:
        if phrase.label == "not":
            # A second negation takes the first one back: neither says anything then
            denied_until = -1 if phrase.start < denied_until else phrase.end + NEGATION_REACH
            continue
        stops = any(mark in text[row[max(phrase.start - 1, 0)].end - 1 : row[phrase.start].start] for mark in ".,;!")
        denied = phrase.start < denied_until and not stops
        states.add(_stated(phrase, denied=denied, asked=asked))
        denied_until = phrase.end + 1 if phrase.label == "OutOfStock" else -1  # momentan nicht | lieferbar
    return states


def _stated(phrase: Phrase, *, denied: bool, asked: bool) -> str:
    """The state of one phrase: what is denied is gone if it is being there, and says nothing otherwise."""
    if denied:
        return "OutOfStock" if phrase.label == "InStock" else "none"
    return "none" if asked and phrase.label not in _GONE else phrase.label
