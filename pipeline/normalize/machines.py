"""What a server tells of itself or of the visitor's connection: build and host names, cache busters, IP addresses.

And mail addresses that are written so that machines do not read them: those are made the address they stand for, so
that the hidden and the plain form are equal while a changed address is a change.
"""

import re

import re2

from pipeline.model import Region
from pipeline.normalize.tokens import ID_MASK

__all__ = ["MACHINE_WORDS", "SHOWN_HINT", "mask_machine_line", "mask_shown"]

_OPEN, _CLOSE = r" ?[\[({<] ?", r" ?[\])}>] ?"
_AT = rf"{_OPEN}(?:at|arroba|chez|@){_CLOSE}"
_DOT = rf"(?:{_OPEN}(?:dot|punkt|punto|point|ponto|kropka|tečka|\.){_CLOSE}|\.)"
_MAIL = rf"(?i)([0-9a-z][0-9a-z._+-]*){_AT}([0-9a-z-]+(?:{_DOT}[0-9a-z-]+)*{_DOT}[a-z]{{2,}})\b"

# A parameter that is there to be different each time; `v` alone may be a video or a version of an interface, so it
# counts only behind the name of a file that belongs to a page.
_BUSTER = (
    r"(?i)([?&](?:_|_t|cb|cachebuster|nocache|ts|timestamp|rnd|rand|random)=|"
    r"\.(?:m?js|css|png|jpe?g|gif|webp|avif|svg|ico|woff2?|json)\?(?:[^\s#]*&)?(?:v|ver|version|rev|hash|h)=)"
    r"[0-9a-z._-]*[0-9][0-9a-z._-]*"
)
_VISITOR = (
    r"(?i)((?:your|ihre|deine|votre|tu|su|tuo|seu|uw|je|din|twój|ваш|您的|你的|あなたの)(?: adresse| address| dirección"
    r"| indirizzo| endereço| adres)? ?ip[^0-9\n⟦⟧]{0,16}?)"
    r"(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7})"
)

SHOWN_HINT = f"{_MAIL}|{_BUSTER}|{_VISITOR}".replace("(?i)", "")
"""Finds without regard to case where `mask_shown` may find something."""

_MAILS, _BUSTERS, _VISITORS = (re2.compile(pattern) for pattern in (_MAIL, _BUSTER, _VISITOR))
_DOTS = re2.compile(f"(?i){_DOT}")

MACHINE_WORDS = (
    r"\b(?:(?:served by|server|host(?:name)?|node|pod|instance|container|backend|worker|build|release|revision|rev|"
    r"version|ver|deploy(?:ed|ment)?|commit|session|generated|rendered|request|trace|ip)\b|v[0-9])"
)
"""Announce a line about the machine; in English everywhere, since operators write them."""

_ANNOUNCED = re2.compile(f"(?i){MACHINE_WORDS}")
_TOKEN = re.compile(r"[^\s,;|()⟦⟧]*\d(?:[^\s,;|()⟦⟧]*[^\s,;|()⟦⟧.:])?")
_PRICED = re.compile("[%$\u00a2-\u00a5\u20a0-\u20cf]")
_MAX_WORDS = 12


def mask_shown(text: str) -> str:
    """The text with cache busters and the visitor's IP address masked, and hidden mail addresses written plainly."""
    text = _MAILS.sub(lambda match: f"{match[1]}@{_DOTS.sub('.', match[2])}", text)
    text = _BUSTERS.sub(lambda match: match[1] + ID_MASK, text)
    return str(_VISITORS.sub(lambda match: match[1] + ID_MASK, text))


def mask_machine_line(text: str, region: Region) -> str:
    """A short line outside main that a machine word announces, with every token after it that holds a digit masked.

    "Served by web-7f9c-x2k4", "v2.3.1 build 4412". In main such a word may be about the product, and beside a price or
    a share it is not about a machine.
    """
    if region is Region.MAIN or text.count(" ") >= _MAX_WORDS or _PRICED.search(text):
        return text
    announced = _ANNOUNCED.search(text)
    if announced is None:
        return text
    start = announced.start()
    return text[:start] + _TOKEN.sub(ID_MASK, text[start:])
