"""What the URL says at which redirects ended: the start page, a login, a consent page, a queue, another country."""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from turbohtml import Document

from pipeline.extract.facts import address
from pipeline.extract.text import words

__all__ = ["Arrival", "arrival_marks"]

ALTERNATES = 300
"""Links to other versions of the page looked at."""

_LOGIN = words(
    "login log-in signin sign-in logon sso auth oauth oauth2 authorize saml saml2 authenticate idp anmelden"
    " anmeldung einloggen connexion se-connecter acceder iniciar-sesion entrar accedi inloggen logga-in kirjaudu"
    " zaloguj"
)
_CONSENT = words("consent cookiewall cookie-wall privacy-gate privacygate gdpr-consent collectconsent cmp-consent")
_NOT_FOUND = words(
    "404 not-found notfound page-not-found pagenotfound 404error error404 error-404 errorpage pagina-no-encontrada"
)
_QUEUE = words("queue waiting-room waitingroom warteraum queue-it")
_TRIVIAL = re.compile(
    r"(?:index|default|home|start|main|accueil|inicio|startseite)(?:\.\w{2,5})?|[a-z]{2}(?:[-_][a-z]{2,4})?",
    re.IGNORECASE,
)
_LOCALE = re.compile(r"[a-z]{2}[-_]([a-z]{2})|([a-z]{2})[-_][a-z]{2}", re.IGNORECASE)
_ENDING = re.compile(r"\.(?:html?|php|aspx?|jsp|do|action)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """Where a request went.

    Attributes:
        asked: The page's URL.
        final: Where redirects ended.
        country: ISO 3166 alpha-2 in lower case that the vantage stands in, or None.
    """

    asked: str
    final: str
    country: str | None = None


def arrival_marks(arrival: Arrival, document: Document | None) -> set[str]:
    """The marks of where a request ended; none if it ended where it was meant to."""
    try:
        asked, final = urlsplit(arrival.asked), urlsplit(arrival.final)
        return (
            _marks(arrival, asked, final, document)
            if address(arrival.asked, "") != address(arrival.final, "")
            else set()
        )
    except ValueError:
        return set()


def _marks(arrival: Arrival, asked: SplitResult, final: SplitResult, document: Document | None) -> set[str]:
    new = set(_names(final)) - set(_names(asked))
    labels = set((final.hostname or "").split(".")[:-2]) - set((asked.hostname or "").split("."))
    back = _leads_back(asked, final)
    found = {
        "waiting_room": bool(new & _QUEUE) or (final.hostname or "").endswith(".queue-it.net"),
        "consent": bool((new | labels) & _CONSENT),
        "login": bool((new | labels) & _LOGIN) and (back or _asks_to_sign_in(document)),
        "not_found": bool(new & _NOT_FOUND),
        "geo": _is_other_version(arrival, document) or _is_abroad(arrival.country, asked, final),
        "to_root": not _is_root(asked) and _is_root(final),
    }
    return {name for name, holds in found.items() if holds}


def _names(url: SplitResult) -> list[str]:
    return [_ENDING.sub("", unquote(part).lower()) for part in url.path.split("/") if part]


def _is_root(url: SplitResult) -> bool:
    """Whether a path names no page but the start page, perhaps of one language."""
    return all(_TRIVIAL.fullmatch(part) for part in _names(url)) and not url.query


def _leads_back(asked: SplitResult, final: SplitResult) -> bool:
    """Whether a value of the final URL's query is the way back to the page: its path, perhaps with its host."""
    path = asked.path.rstrip("/")
    values = (unquote(value) for _, value in parse_qsl(final.query))
    return bool(path) and any(path in value for value in values)


def _asks_to_sign_in(document: Document | None) -> bool:
    fields = "input[type=password i],input[autocomplete*=username i],input[autocomplete*=webauthn i]"
    return document is not None and document.select_one(fields) is not None


def _is_other_version(arrival: Arrival, document: Document | None) -> bool:
    """Whether the page lists the one asked for as its version in another language."""
    if document is None:
        return False
    languages: dict[str, set[str]] = {}
    for link in document.select('link[rel~="alternate" i][hreflang][href]')[:ALTERNATES]:
        language = (link.attr("hreflang") or "").lower()
        if language != "x-default":
            languages.setdefault(address(link.attr("href") or "", arrival.final), set()).add(language)
    asked = languages.get(address(arrival.asked, ""), set())
    final = languages.get(address(arrival.final, ""), set())
    return bool(asked and final) and not asked & final


def _is_abroad(country: str | None, asked: SplitResult, final: SplitResult) -> bool:
    """Whether redirects added a locale such as `en-us` to the path that is of another country than the vantage."""
    if country is None:
        return False
    new = [name for name in _names(final)[:2] if name not in _names(asked)]
    found = {
        part
        for name in new
        for match in (_LOCALE.fullmatch(name),)
        if match
        for part in name.replace("_", "-").split("-")
    }
    return bool(found) and country.lower() not in found
