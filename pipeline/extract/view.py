"""Which elements of one page need a second look while it is walked, found beforehand by selectors.

Nearly every element of a page is ordinary. The few that are not (hidden, with a role, named by the rules, holding an
encoded e-mail address) are collected into one table, so that the walk reads no attributes of the others.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final

from turbohtml import Element, Node, Text

from pipeline.config import is_xpath
from pipeline.extract.regions import ROLE_SELECTOR
from pipeline.extract.text import fold
from pipeline.model import Rules

__all__ = ["BOUNDARY", "Mark", "is_icon", "kept_though_hidden", "mail_address", "marks", "select"]

ARTICLE = "article"
MAIN = "main"
MAIN_SELECTOR = "main,[role=main]"

_DIALOG = 'dialog[open],[aria-modal="true" i],[role="dialog" i],[role="alertdialog" i]'

_DIALOGS = 20
"""Dialogs of one page that are looked at: each costs a walk up the tree."""

SILENCED_LENGTH = 80
"""Characters from which a part that is silenced while a dialog is open is the page behind it, and no ornament."""

PANEL_LENGTH = 200
"""Characters from which a hidden part of the main content counts as a panel that a click opens."""

PANEL_LINK_SHARE = 0.2
"""Largest share of characters inside links of such a panel; above it is a menu."""

_PANEL_ROLES = frozenset({"tabpanel", "region"})
_UNSEEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_LIGATURE = re.compile(r"\s*[a-z_-]+\s*")
_ICON_CLASS = re.compile(r"(?:^|[\s_-])(?:icons?|fa[srlbd]?|glyphicon|material)(?:$|[\s_-])", re.IGNORECASE)


class Mark:
    """Why an element is not ordinary. Plain integers to be or-ed, as those of `Hint` are."""

    NOTHING: Final = 0
    HIDDEN: Final = 1
    ROLE: Final = 2
    INCLUDED: Final = 4
    EXCLUDED: Final = 8
    UNORDERED: Final = 16
    MAIL: Final = 32


BOUNDARY = Mark.ROLE | Mark.INCLUDED | Mark.EXCLUDED | Mark.UNORDERED
"""Marks that make an element a boundary even if its tag is inline."""


def select(root: Node, selector: str) -> list[Element]:
    """Matches of CSS, or of an XPath that begins with `/` or `(`, in document order.

    A selector that does not parse matches nothing: `check` refuses it beforehand.
    """
    try:
        if not is_xpath(selector):
            return root.select(selector)
        found = root.xpath(selector)
    except (ValueError, TypeError):
        return []
    return [node for node in found if isinstance(node, Element)] if isinstance(found, list) else []


def marks(root: Node, rules: Rules) -> tuple[Mapping[Element, int], bool]:
    """The elements to look at, and whether the rules leave out what lies in none of the included ones."""
    found: dict[Element, int] = {}

    def mark(elements: Iterable[Element], why: int) -> bool:
        any_found = False
        for element in elements:
            any_found = True
            found[element] = found.get(element, Mark.NOTHING) | why
        return any_found

    mark(root.select('[hidden]:not([hidden="until-found" i])'), Mark.HIDDEN)
    styled = root.select('[style*="none" i],[style*="hidden" i]')
    mark((element for element in styled if _UNSEEN.search(element.attr("style") or "")), Mark.HIDDEN)
    silent = root.select('[aria-hidden="true" i]')
    open_dialog = bool(silent) and _has_open_dialog(root, {*silent, *found})
    mark((part for part in silent if not (open_dialog and _is_silenced_page(part))), Mark.HIDDEN)
    mark(root.select(ROLE_SELECTOR), Mark.ROLE)
    mark(root.select("[data-cfemail]"), Mark.MAIL)
    for selector in rules.exclude:
        mark(select(root, selector), Mark.EXCLUDED)
    for selector in rules.unordered:
        mark(select(root, selector), Mark.UNORDERED)

    wanted = [selector for selector in rules.include if selector != ARTICLE]
    restricted = bool(wanted)
    for selector in wanted:
        inside = mark(select(root, MAIN_SELECTOR if selector == MAIN else selector), Mark.INCLUDED)
        if selector == MAIN and not inside:
            restricted = False
    return found, restricted


def _has_open_dialog(root: Node, hidden: Collection[Node]) -> bool:
    return any(
        dialog not in hidden and not any(element in hidden for element in dialog.ancestors)
        for dialog in root.select(_DIALOG)[:_DIALOGS]
    )


def _is_silenced_page(part: Element) -> bool:
    """Whether a part hidden from screen readers, while a dialog is open, is the page behind that dialog.

    An open dialog makes a page silence the rest of itself (WAI-ARIA Authoring Practices, dialog pattern). That is
    for screen readers: the page is still there to see. Icons and other ornaments are short.
    """
    return len(fold(part.text)) >= SILENCED_LENGTH


def kept_though_hidden(element: Element, tag: str, *, inside_content: bool) -> bool:
    """Whether a hidden element is part of what a person reads all the same.

    That is a panel that a click opens (a tab, a long collapsed text of the main content), and what is hidden only
    until a script has run: the main element or something around it.
    """
    if tag == MAIN or (element.attr("role") or "").lower() in _PANEL_ROLES:
        return True
    if inside_content and element.attr("aria-modal") is None:
        length = len(fold(element.text))
        linked = sum(len(fold(link.text)) for link in element.select("a"))
        return length >= PANEL_LENGTH and linked <= PANEL_LINK_SHARE * length
    return element.select_one(MAIN_SELECTOR) is not None


def mail_address(element: Element) -> str | None:
    """The address in `data-cfemail`: hexadecimal, the first byte is the key the others are XORed with."""
    try:
        key, *rest = bytes.fromhex(element.attr("data-cfemail") or "")
        return bytes(byte ^ key for byte in rest).decode() or None
    except ValueError:
        return None


def is_icon(element: Element) -> bool:
    """Whether an `i` or `span` shows a picture through a ligature font, so that its text is no text."""
    named = element.attr("class")
    if not named or not _names_icon(named):
        return False
    match element.children:
        case (Text(data),):
            return _LIGATURE.fullmatch(data) is not None
    return False


@lru_cache(maxsize=4096)
def _names_icon(names: str) -> bool:
    return _ICON_CLASS.search(names) is not None
