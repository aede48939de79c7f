"""What one element says of itself: by its tag, its ARIA role, and the words of its class and id."""

import re
from functools import lru_cache

from turbohtml import Element

from pipeline.extract.parts import Hint
from pipeline.extract.regions.vocabulary import STEMS, WORDS

__all__ = ["ROLE_SELECTOR", "hints_of"]

ROLE_SELECTOR = "[role],[aria-modal],[aria-live]"
"""Elements whose attributes `hints_of` reads beside class and id."""

_TAGS = {
    "main": Hint.MAIN,
    "nav": Hint.NAVIGATION,
    "search": Hint.NAVIGATION,
    "header": Hint.HEADER,
    "footer": Hint.FOOTER,
    "aside": Hint.ASIDE,
    "dialog": Hint.DIALOG,
}
_ROLES = {
    "main": Hint.MAIN,
    **dict.fromkeys(("navigation", "menu", "menubar", "search", "toolbar", "tablist"), Hint.NAVIGATION),
    "banner": Hint.HEADER,
    "contentinfo": Hint.FOOTER_ROLE,
    "complementary": Hint.ASIDE,
    "dialog": Hint.DIALOG,
    "alertdialog": Hint.DIALOG,
    **dict.fromkeys(("status", "alert", "log", "timer", "marquee"), Hint.LIVE),
}
_OTHER_ROLE = frozenset({"group", "region", "article", "none", "presentation"})
"""Roles that say an element is nothing of the above, whatever its tag."""

_UNNAMED = frozenset({"html", "body", "main", "h1"})
"""Elements whose class and id say nothing of their text: pages put states of the whole page there."""

_NAMES = re.compile(r"[a-z0-9]+|[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")


def hints_of(element: Element, tag: str, *, has_role: bool) -> int:
    """The hints of one element; a role goes before the tag, an unknown role counts as none.

    Args:
        element: The element.
        tag: Its tag.
        has_role: Whether it matches `ROLE_SELECTOR`.
    """
    hint: int = _TAGS.get(tag, Hint.NOTHING)
    if has_role:
        hint = _role_hint(element, hint)
    if tag not in _UNNAMED:
        if named := element.attr("class"):
            hint |= _word_hints(named)
        if identified := element.attr("id"):
            hint |= _word_hints(identified)
    return hint


def _role_hint(element: Element, by_tag: int) -> int:
    hint = by_tag
    for role in (element.attr("role") or "").lower().split():
        if role in _ROLES:
            hint = _ROLES[role]
            break
        if role in _OTHER_ROLE:
            hint = Hint.NOTHING
            break
    if (element.attr("aria-modal") or "").lower() == "true":
        hint |= Hint.DIALOG
    if (element.attr("aria-live") or "").lower() in {"polite", "assertive"}:
        hint |= Hint.LIVE
    return hint


@lru_cache(maxsize=8192)
def _word_hints(names: str) -> int:
    """The hints of a class or id."""
    hint: int = Hint.NOTHING
    for name in names.split():
        hint |= _name_hints(name)
    return hint


@lru_cache(maxsize=8192)
def _name_hints(name: str) -> int:
    """The hints of one name: of each of its words, of the name without its hyphens, and of a few stems."""
    lower = name.lower()
    hint: int = WORDS.get(lower.replace("-", "").replace("_", ""), Hint.NOTHING)
    for word in _NAMES.findall(name):
        hint |= WORDS.get(word.lower(), Hint.NOTHING)
    for match in STEMS.finditer(lower):
        hint |= getattr(Hint, match.lastgroup or "")
    return hint
