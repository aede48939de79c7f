"""What is looked at to tell whether an answer is the page, read from the parsed page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from turbohtml import Document, Element

from pipeline.extract.marks.phrases import NO_SCRIPT
from pipeline.extract.marks.vendors import built_by, carries_guard
from pipeline.extract.parts import PROSE_LINK_SHARE, Piece
from pipeline.extract.text import fold
from pipeline.model import Region

__all__ = ["SHORT", "Signs"]

SHORT = 300
"""Words of the page's own subject from which nothing is a stand-in, so that the costlier signs are not looked for."""

_WIDGETS = (
    ".g-recaptcha,.h-captcha,.cf-turnstile,.frc-captcha,.smart-captcha,iframe[src*=recaptcha],iframe[src*=hcaptcha]"
    ',iframe[src*="challenges.cloudflare"],script[src*="hcaptcha.com/1/api"]'
)
_ASKED = (
    "input:not([type=hidden i]):not([type=submit i]):not([type=button i]):not([type=image i]):not([type=checkbox i])"
    ",select"
)
_UNSEEN = '[hidden],[aria-hidden="true"],dialog,[role=dialog],[style*="none"]'
_MOUNTS = "#root,#app,#__next,#__nuxt,#___gatsby,#svelte,app-root,[data-reactroot]"
_MAIN = "main,[role=main]"
_CONSENT_LAYERS = (
    "#onetrust-consent-sdk,#CybotCookiebotDialog,#didomi-host,#usercentrics-root,#qc-cmp2-container,.fc-consent-root,#cmpbox"
    ",[id^=sp_message_container],#truste-consent-track,#iubenda-cs-banner,#axeptio_overlay,#tarteaucitronRoot,.klaro"
    ",#cookiescript_injected,#cmplz-cookiebanner-container,#BorlabsCookieBox,#cookiefirst-root,#uc-main-dialog"
)
"""The layers of the usual consent managers."""

_DATA_SCRIPTS = 'script:not([type*="json" i]):not([type*="template" i])'
_BUSY = (
    '[aria-busy="true" i],[class*=skeleton i],[class*=shimmer i],[class*=placeholder-glow i],[class*=content-loader i]'
)
_SAID_404 = (
    "body.error404,body.error-404,body.page-404,body.page-not-found,body.http-404"
    ',meta[name="prerender-status-code" i][content="404"],meta[http-equiv=status i][content^="404"]'
)
_REFRESH = re.compile(r"\s*(\d{1,5})")
_PLACEHOLDER = re.compile(r"\{\{[^{}]{1,80}\}\}|\$\{[^{}]{1,80}\}|<%=[^%]{1,80}%>|\[\[[^\[\]]{1,80}\]\]")

BUSY = 3
"""Empty elements that wait to be filled from which a page is still loading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What the marks are made from.

    Attributes:
        title: Empty if there is none.
        headings: The first `h1` texts.
        text: Visible text, a line per block, of the whole page whatever the rules include.
        words: Of that text.
        own: Those of them in the page's own subject, outside of menus, footers and layers, and not in links.
        beside_consent: Words outside of the consent layer of a vendor, or None if there is no such layer.
        password: A visible password field.
        widget: A captcha where nothing is to be written.
        asks_nothing: Its form asks for nothing else.
        scripts: A script that runs, data blocks apart.
        guarded: Scripts of a vendor that are on its interstitials as on full pages.
        vendors: Marks of the vendors whose interstitial this is.
        refresh: Seconds after which the page loads again by itself, or None.
        progress: A progress bar.
        said_404: The markup says that the page was not found.
        empty_mount: An element that an application would fill holds no text.
        empty_main: The main element holds no text.
        busy: Empty elements that wait to be filled, at least `BUSY`, or the main element says so.
        placeholders: Blocks that are nothing but a template's placeholder.
        wants_script: A `noscript` asks for JavaScript.
    """

    title: str
    headings: tuple[str, ...] = ()
    text: str = ""
    words: int
    own: int
    beside_consent: int | None = None
    password: bool = False
    widget: bool = False
    asks_nothing: bool = False
    scripts: bool = False
    guarded: bool = False
    vendors: frozenset[str] = frozenset()
    refresh: int | None = None
    progress: bool = False
    said_404: bool = False
    empty_mount: bool = False
    empty_main: bool = False
    busy: bool = False
    placeholders: int = 0
    wants_script: bool = False

    @classmethod
    def of(cls, document: Document, title: str | None, pieces: Sequence[Piece]) -> "Signs":
        """Read them from a parsed page. A long page shows none of the costlier ones, so they are not looked for."""
        words = sum(piece.words for piece in pieces)
        own = sum(piece.words for piece in pieces if piece.region is Region.MAIN and not _is_linked(piece))
        beside = _beside_consent(document, pieces)
        if own >= SHORT:
            return cls(title=title or "", words=words, own=own, beside_consent=beside)
        widget = document.select_one(_WIDGETS)
        if widget is not None and document.select_one("textarea") is not None:
            widget = None
        short = words < SHORT
        return cls(
            title=title or "",
            headings=tuple(fold(heading.text) for heading in document.select("h1")[:3]),
            text="\n".join(piece.text for piece in pieces),
            words=words,
            own=own,
            beside_consent=beside,
            password=any(field.closest(_UNSEEN) is None for field in document.select("input[type=password i]")[:10]),
            widget=widget is not None,
            asks_nothing=widget is not None and _asks_nothing(widget),
            scripts=document.select_one(_DATA_SCRIPTS) is not None,
            guarded=short and carries_guard(document),
            vendors=frozenset(built_by(document)) if short else frozenset(),
            refresh=_refresh(document),
            progress=document.select_one("progress,[role=progressbar],[id*=progress i]") is not None,
            said_404=document.select_one(_SAID_404) is not None,
            empty_mount=_all_empty(document.select(_MOUNTS)),
            empty_main=_all_empty(document.select(_MAIN)),
            busy=_is_busy(document),
            placeholders=sum(_PLACEHOLDER.fullmatch(piece.text) is not None for piece in pieces),
            wants_script=any(NO_SCRIPT.search(node.text) for node in document.select("noscript")[:10]),
        )


def _is_linked(piece: Piece) -> bool:
    return piece.link_share > PROSE_LINK_SHARE


def _beside_consent(document: Document, pieces: Sequence[Piece]) -> int | None:
    layers = document.select(_CONSENT_LAYERS)
    if not layers:
        return None
    said = "\n".join(fold(layer.text) for layer in layers[:5])
    return sum(piece.words for piece in pieces if piece.text not in said)


def _asks_nothing(widget: Element) -> bool:
    form = widget.closest("form")
    return form is not None and form.select_one(_ASKED) is None


def _all_empty(elements: Sequence[Element]) -> bool:
    return bool(elements) and not any(element.text.strip() for element in elements[:10])


def _is_busy(document: Document) -> bool:
    waiting = [element for element in document.select(_BUSY)[:200] if not element.text.strip()]
    return len(waiting) >= BUSY or any(element.tag in {"main", "body"} for element in waiting)


def _refresh(document: Document) -> int | None:
    for element in document.select("meta[http-equiv=refresh i]")[:3]:
        found = _REFRESH.match(element.attr("content") or "")
        if found:
            return int(found[1])
    return None
