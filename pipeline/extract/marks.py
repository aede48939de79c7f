"""What suggests that an answer is not the page: a challenge, a login, a soft 404, a consent wall, an empty shell.

Each mark needs a short page and a plain sign, because a mark on the real page hides its changes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from turbohtml import Document

from pipeline.extract.text import count_words, fold

__all__ = ["Signs", "page_marks"]

CHALLENGE_WORDS = 150
LOGIN_WORDS = 150
NOT_FOUND_WORDS = 300
CONSENT_WORDS = 25
SHELL_WORDS = 20
"""Words of visible text below which (for a consent wall: from which) a sign counts."""

CONSENT_SHARE = 0.8
"""Share of a page's words that speak of consent if it is little else."""


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_ROBOT_TITLE = _any(
    r"^(?:just a moment|robot check|human verification|security check(?:point)?|checking your browser)\b",
    r"^(?:one moment,? please|captcha|bot verification|client challenge|are you (?:a )?(?:human|robot))\b",
    r"^verify(?:ing)? (?:that )?you(?:'re| are) (?:a )?human\b",
)
_BLOCK_TITLE = _any(
    r"^(?:attention required|access (?:to this page (?:has been|is) )?denied)\b",
    r"^(?:(?:error )?403(?: forbidden)?|forbidden)\b",
    r"^(?:request rejected|pardon our interruption|(?:sorry, )?you have been blocked|blocked)\b",
    r"^(?:zugriff verweigert|accès refusé|acceso denegado|acesso negado|accesso negato|访问被拒绝)\b",
    r"^error: the request could not be satisfied\b",
)
_ROBOT_TEXT = _any(
    r"(?:verify|confirm|prove|make sure|ensure)(?: that)? you(?:['\u2019]re| are) (?:a )?(?:human|not a (?:ro)?bot)",
    r"are you a robot|you(?:['\u2019]re| are) not a robot|unusual (?:traffic|activity) from",
    r"checking (?:your browser|if the site connection is secure)|needs to review the security of your connection",
    r"complete the (?:captcha|security check)|solve (?:this|the) captcha",
    r"automated (?:access|queries|requests) (?:to|from)",
    r"bist kein roboter|n['\u2019]êtes pas un robot|no eres un robot|não é um robô|non sei un robot|人机验证|安全验证",
)
_BLOCK_TEXT = _any(
    r"you have been blocked|access denied|access to this page has been denied",
    r"you don['\u2019]t have permission to access",
    r"your (?:ip|request) (?:address )?(?:has been|was) blocked|request unsuccessful\. incapsula|\bray id:",
)
_WIDGETS = (
    ".g-recaptcha,.h-captcha,.cf-turnstile,#px-captcha,#challenge-form,#cf-challenge-running,iframe[src*=recaptcha],"
    'iframe[src*=hcaptcha],iframe[src*="captcha-delivery"],script[src*="captcha-delivery"],iframe[src*="_Incapsula_"]'
)
_NOT_FOUND = _any(
    r"^(?:error |http |status )?404\b(?! area)|\b(?:error|http) 404\b|[|\u2013-] ?404$",
    r"\b404(?: error)?:? ?(?:not found|error|page)|^(?:page |file )?not found$",
    r"\b(?:page|file|document|resource|content|article|product|url) (?:was |is |could |can ?)?not (?:be )?found\b",
    r"\b(?:page|content|product)\b.{0,20}\b(?:does not|doesn['\u2019]t|no longer) exists?\b",
    r"\bthis page isn['\u2019]t available",
    r"nicht gefunden$|page (?:introuvable|non trouvée)|p[áa]gina no (?:encontrada|existe)",
    r"página não (?:encontrada|existe)|pagina non trovata|pagina niet gevonden",
    r"sidan (?:kunde inte hittas|hittades inte)|sivua ei löy[td]",
    r"siden (?:finnes ikke|ble ikke funnet|blev ikke fundet)|nie (?:znaleziono strony|została znaleziona)",
    r"stránka (?:nebyla )?nenalezena|страница не найдена|сторінку не знайдено|sayfa bulunamad\u0131",
    r"(?:页面|網頁|网页|頁面)(?:不存在|未找到|找不到)|找不到(?:页面|网页|頁面|網頁)",
    r"ページが見つかりません|페이지를 찾을 수 없",
)
_CONSENT = _any(
    r"cookie|consent|kakor|sušenk|çerez|evästee|ciasteczk|informasjonskaps|traceurs|кук|クッキー|쿠키|隐私",
    r"privacy|datenschutz|privacidad|privacidade|confidentialité",
)
_VERB = _any(
    r"\b(?:accept|agree|allow|reject|decline|akzeptier|zustimm|ablehn|refuser|aceptar|rechazar|aceitar|rejeitar|accett)",
    r"\b(?:rifiut|weiger|godta|godkänn|tillad|akceptuj|zgad|přijmout|hyväksy|kabul)|同意|接受|принять",
)
_UNSEEN = '[hidden],[aria-hidden="true"],dialog,[role=dialog],[style*="none"]'
_MOUNTS = "#root,#app,#__next,#__nuxt,#___gatsby,#svelte,app-root,[data-reactroot]"
_WAITING = re.compile(
    r"^(?:loading|redirecting|please wait|wird geladen|weiterleitung|chargement|redirection|cargando|redirigiendo)\b"
    r"|^(?:carregando|redirecionando|caricamento|加载中|正在加载|読み込み中)",
    re.IGNORECASE | re.MULTILINE,
)
_NO_SCRIPT = re.compile(r"javascript", re.IGNORECASE)
_DATA_SCRIPTS = 'script:not([type*="json" i]):not([type*="template" i])'


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What the marks are made from.

    Attributes:
        title: Empty if there is none.
        headings: The first `h1` texts.
        text: Visible text, a line per block, of the whole page whatever the rules include.
        words: Of that text.
        password: A visible password field.
        widget: A captcha.
        scripts: A script that runs, data blocks apart.
        empty_mount: An element that an application would fill holds no text.
        wants_script: A `noscript` asks for JavaScript.
    """

    title: str
    headings: tuple[str, ...]
    text: str
    words: int
    password: bool = False
    widget: bool = False
    scripts: bool = False
    empty_mount: bool = False
    wants_script: bool = False

    @classmethod
    def of(cls, document: Document, title: str | None, texts: Sequence[str], words: int) -> "Signs":
        """Read them from a parsed page. A long page shows none of the costlier ones, so they are not looked for."""
        if words >= NOT_FOUND_WORDS:
            return cls(title=title or "", headings=(), text="", words=words)
        fields = document.select("input[type=password i]")
        mounts = document.select(_MOUNTS)
        return cls(
            title=title or "",
            headings=tuple(fold(heading.text) for heading in document.select("h1")[:3]),
            text="\n".join(texts),
            words=words,
            password=any(field.closest(_UNSEEN) is None for field in fields[:10]),
            widget=document.select_one(_WIDGETS) is not None and document.select_one("textarea") is None,
            scripts=document.select_one(_DATA_SCRIPTS) is not None,
            empty_mount=bool(mounts) and not any(mount.text.strip() for mount in mounts[:10]),
            wants_script=any(_NO_SCRIPT.search(node.text) for node in document.select("noscript")[:10]),
        )


def page_marks(signs: Signs) -> tuple[str, ...]:
    """The marks of a page, sorted; none for a page that seems to be one."""
    found = {
        "captcha": _is_captcha(signs),
        "block": _is_block(signs),
        "login": signs.password and signs.words < LOGIN_WORDS,
        "not_found": signs.words < NOT_FOUND_WORDS and any(map(_NOT_FOUND.search, (signs.title, *signs.headings))),
        "consent": _is_consent(signs),
        "shell": _is_shell(signs),
        "unreadable": signs.words == 0 and not signs.scripts,
    }
    return tuple(sorted(name for name, holds in found.items() if holds))


def _is_captcha(signs: Signs) -> bool:
    if _ROBOT_TITLE.search(signs.title) and signs.words < NOT_FOUND_WORDS:
        return True
    return signs.words < CHALLENGE_WORDS and bool(
        _ROBOT_TEXT.search(signs.text) or (signs.widget and not signs.headings)
    )


def _is_block(signs: Signs) -> bool:
    if _BLOCK_TITLE.search(signs.title) and signs.words < NOT_FOUND_WORDS:
        return True
    return signs.words < CHALLENGE_WORDS and bool(_BLOCK_TEXT.search(signs.text))


def _is_shell(signs: Signs) -> bool:
    """Whether a script has yet to fill the page; a few words beside a script alone are a short page."""
    if signs.words >= SHELL_WORDS or not signs.scripts:
        return False
    return signs.words == 0 or signs.empty_mount or signs.wants_script or bool(_WAITING.search(signs.text))


def _is_consent(signs: Signs) -> bool:
    """Whether nearly all of a short page is blocks that name cookies or privacy, or ask to accept them."""
    if not CONSENT_WORDS <= signs.words < CHALLENGE_WORDS or not _CONSENT.search(signs.text):
        return False
    speaking = [line for line in signs.text.split("\n") if _CONSENT.search(line) or _VERB.search(line)]
    return any(map(_VERB.search, speaking)) and sum(map(count_words, speaking)) >= CONSENT_SHARE * signs.words
