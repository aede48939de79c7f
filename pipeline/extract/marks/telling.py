"""The marks of a page, from its signs.

Each mark needs a short page and a plain sign, because a mark on the real page hides its changes.
"""

import re
from collections.abc import Mapping

from pipeline.extract.marks.phrases import (
    BLOCK_TEXT,
    BLOCK_TITLE,
    CHALLENGE_TEXT,
    CHALLENGE_TITLE,
    CONSENT,
    CONSENT_VERB,
    ERROR_TITLE,
    NOT_FOUND,
    PARKED,
    QUEUE,
    ROBOT_TEXT,
    ROBOT_TITLE,
    WAITING,
)
from pipeline.extract.marks.signs import SHORT, Signs
from pipeline.extract.text import count_words

__all__ = ["MARKS", "page_marks"]

CHALLENGE_WORDS = 150
LOGIN_WORDS = 150
ERROR_WORDS = 150
WALL_WORDS = 60
CONSENT_WORDS = 25
SHELL_WORDS = 20
"""Words of visible text below which (for a consent wall: from which) a sign counts. A soft 404 is `SHORT` in its own
subject alone, because the menus around it are those of every page."""

LOADING_WORDS = 50
"""Words of its own from which a page is no longer a mere frame that waits to be filled."""

CONSENT_SHARE = 0.8
"""Share of a page's words that speak of consent if it is little else."""

UNFILLED = 3
"""Blocks that are nothing but placeholders from which a template was not filled: one or two may be quoted."""

WAITING_ROOM_REFRESH_S = 300
"""A waiting room looks for its turn more often than this; a page of news does not."""

MARKS: Mapping[str, str] = {
    "captcha": "a person has to prove to be one",
    "challenge": "a script has to prove that the browser is one",
    "block": "the request was refused",
    "waiting_room": "the visitor has to wait for a turn",
    "login": "somebody has to sign in first",
    "consent": "nothing is shown before consent",
    "not_found": "it says that the page is not there",
    "error_page": "it says that the server fails or is being worked on",
    "parked": "a parked domain, or a server without a site",
    "shell": "no text; scripts would fill it in",
    "half_rendered": "a frame or a template that was not filled",
    "geo": "the version of another country or language",
    "garbled": "more than a hundredth of its characters could not be decoded",
    "unreadable": "no text at all",
    "not_text": "called text or nothing, but no text",
    "bytes": "no text by its nature: compared by its bytes; counts only where the page used to have text",
    "too_large": "more bytes than are read",
    "password": "somebody could sign in; counts only where the page was more before",
    "unfilled": "parts of it wait to be filled; likewise",
    "to_root": "it was redirected to the start page; counts where the start page is another page",
}
"""Every mark there is, with what it means."""


def page_marks(signs: Signs) -> tuple[str, ...]:
    """The marks of a page, sorted; none for a page that seems to be one."""
    found = {
        "captcha": _is_captcha(signs),
        "challenge": _is_challenge(signs),
        "block": _is_block(signs),
        "waiting_room": _is_waiting_room(signs),
        "login": signs.password and signs.words < LOGIN_WORDS,
        "not_found": signs.own < SHORT and (signs.said_404 or _named(signs, NOT_FOUND)),
        "error_page": signs.words < ERROR_WORDS and _named(signs, ERROR_TITLE),
        "parked": signs.words < SHORT and _named(signs, PARKED),
        "consent": _is_consent(signs),
        "shell": _is_shell(signs),
        "half_rendered": _is_half_rendered(signs),
        "unreadable": signs.words == 0 and not signs.scripts,
        "password": signs.password,
        "unfilled": signs.busy,
    }
    return tuple(sorted(name for name, holds in found.items() if holds))


def _named(signs: Signs, phrases: re.Pattern[str]) -> bool:
    return any(map(phrases.search, (signs.title, *signs.headings)))


def _is_captcha(signs: Signs) -> bool:
    if signs.words < SHORT and ROBOT_TITLE.search(signs.title):
        return True
    if signs.words >= CHALLENGE_WORDS:
        return False
    wall = signs.widget and (not signs.headings or (signs.asks_nothing and signs.words < WALL_WORDS))
    return wall or "captcha" in signs.vendors or bool(ROBOT_TEXT.search(signs.text))


def _is_challenge(signs: Signs) -> bool:
    if signs.words < SHORT and CHALLENGE_TITLE.search(signs.title):
        return True
    if signs.words < CHALLENGE_WORDS and ("challenge" in signs.vendors or CHALLENGE_TEXT.search(signs.text)):
        return True
    return (
        signs.guarded
        and not signs.vendors
        and signs.words < SHELL_WORDS
        and not signs.empty_mount
        and not signs.headings
    )


def _is_block(signs: Signs) -> bool:
    if signs.words < SHORT and BLOCK_TITLE.search(signs.title):
        return True
    return signs.words < CHALLENGE_WORDS and ("block" in signs.vendors or bool(BLOCK_TEXT.search(signs.text)))


def _is_waiting_room(signs: Signs) -> bool:
    """Whether it speaks of a queue and looks again by itself, or shows how far it has come."""
    if signs.words >= SHORT:
        return False
    looks_again = signs.progress or (signs.refresh is not None and signs.refresh < WAITING_ROOM_REFRESH_S)
    return "waiting_room" in signs.vendors or (looks_again and bool(QUEUE.search(f"{signs.title}\n{signs.text}")))


def _is_shell(signs: Signs) -> bool:
    """Whether a script has yet to fill the page; a few words beside a script alone are a short page."""
    if signs.words >= SHELL_WORDS or not signs.scripts:
        return False
    return signs.words == 0 or signs.empty_mount or signs.wants_script or bool(WAITING.search(signs.text))


def _is_half_rendered(signs: Signs) -> bool:
    """Whether there is a frame of menus around nothing, or a template's placeholders are shown."""
    if signs.placeholders >= UNFILLED:
        return True
    if signs.words < SHELL_WORDS or not signs.scripts:
        return False
    return (signs.own < SHELL_WORDS and signs.empty_main) or (signs.own < LOADING_WORDS and signs.busy)


def _is_consent(signs: Signs) -> bool:
    """Whether nearly all of a page is a consent layer, or a short one speaks of little else and asks to accept."""
    if signs.words < CONSENT_WORDS:
        return False
    if signs.beside_consent is not None and signs.beside_consent < SHELL_WORDS:
        return True
    if signs.words >= CHALLENGE_WORDS or not CONSENT.search(signs.text):
        return False
    speaking = [line for line in signs.text.split("\n") if CONSENT.search(line) or CONSENT_VERB.search(line)]
    share = sum(map(count_words, speaking)) / signs.words
    return any(map(CONSENT_VERB.search, speaking)) and share >= CONSENT_SHARE
