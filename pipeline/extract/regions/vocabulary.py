# ruff: noqa: E501 - tables of words
"""The words that web developers name parts of a page by.

They are names in markup, not words of the text, and mostly English everywhere; those of other languages are the
commonest of their national content systems.
"""

import re
from collections.abc import Mapping

from pipeline.extract.parts import Hint
from pipeline.extract.text import words

__all__ = ["STEMS", "WORDS"]

_TABLE = {
    Hint.NAVIGATION_WORDS: words(
        "account breadcrumb breadcrumbs categories crumb crumbs drawer dropdown hamburger lang langs language languages locale login"
        " mainmenu megamenu menu menubar menue menus nav navbar navegacao navegacion navi navigatie navigation navs offcanvas pager"
        " pagination paging quicklinks search searchbox searchform sidenav sitemap skip skiplink skiplinks submenu subnav suche"
        " switcher tabbar taglist tags taxonomy toolbar topmenu topnav"
    ),
    Hint.HEADER_WORDS: words("cabecera entete head header kopf masthead pagehead siteheader topbar topline"),
    Hint.FOOTER_WORDS: words(
        "bottombar colophon copyright copyrights foot footer footernav fuss fusszeile imprintbar legalbar pagefooter pie pied"
        " prefooter rodape sitefooter siteinfo stopka subfooter voettekst"
    ),
    Hint.ASIDE_WORDS: words(
        "aside barra colright complementary leftrail rail rightrail seitenleiste sidebar sidebars sidecol sidecolumn widget widgets"
    ),
    Hint.CONSENT_WORDS: words(
        "axeptio borlabs ccpa cmp cmpbox cmplz complianz consent cookie cookiebanner cookiebar cookiebot cookieconsent cookielaw"
        " cookienotice cookies didomi gdpr iubenda klaro onetrust optanon osano privacywall quantcast sourcepoint tarteaucitron"
        " termly trustarc truste usercentrics"
    ),
    Hint.RELATED_WORDS: words(
        "aehnlich alsolike carousel correlati crosssell latest moreon morestories mostpopular mostread outbrain plista popular"
        " readmore readnext recent recents recirc recirculation recommandations recommend recommendation recommendations"
        " recommended relacionadas relacionado relacionados relaciones related relatedarticles relatedposts relateds relations"
        " similaires similar slider suggested suggestion suggestions taboola teasers topstories trending upnext upsell verwandt"
    ),
    Hint.POPUP_WORDS: words(
        "ad ads adsense adslot adunit adv advert advertentie advertisement advertising adverts anzeige captcha countdown dfp"
        " gpt hcaptcha interstitial lightbox marquee modal newsletter overlay paywall popin popup publicidad publicidade publicite"
        " recaptcha reklam reklama snackbar sponsor sponsored sponsors toast werbung"
    ),
    Hint.NOTICE_WORDS: words(
        "alert annonce announce announcement announcementbar announcements banner flashsale notification notifications promo"
        " promobar promos promotion promotions signup subscribe subscription ticker"
    ),
    Hint.SOCIAL_WORDS: words(
        "addthis addtoany compartilhar compartir follow followus likebox likes partager share shareaholic sharebar sharedaddy"
        " sharelinks sharing social socialmedia socials teilen"
    ),
    Hint.COUNTER_WORDS: words(
        "ago counter counters hits readingtime readtime reltime timeago viewcount viewcounter viewers views"
    ),
    Hint.LIVE: words("announcer srannouncer routeannouncer"),
}


def _by_word(table: Mapping[int, frozenset[str]]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for hint, names in table.items():
        for name in names:
            found[name] = found.get(name, Hint.NOTHING) | hint
    return found


WORDS = _by_word(_TABLE)
"""Hints by word: a name of class or id, cut at hyphens, underscores and capitals, or without its hyphens."""

STEMS = re.compile(
    r"(?P<CONSENT_WORDS>cookie[-_]?(?:bar|banner|notice|consent|law|layer|hint|popup|modal|info)|consent|onetrust|gdpr"
    r"|tc-privacy|privacy[-_](?:banner|bar|wall)|qc-cmp|sp_message|cybotcookie)"
    r"|(?P<RELATED_WORDS>(?<![a-z])related|recommend|recommand|suggested|carousel|outbrain|taboola|trending|most-?read"
    r"|also-?like)"
    r"|(?P<NAVIGATION_WORDS>breadcrumb|navigation|navbar|pagination|mega-?menu|dropdown|offcanvas)"
    r"|(?P<ASIDE_WORDS>sidebar)|(?P<HEADER_WORDS>masthead|topbar)"
    r"|(?P<POPUP_WORDS>advert|sponsor|newsletter)|(?P<NOTICE_WORDS>promo(?![a-z]*t(?:e|ing)))"
    r"|(?P<FOOTER_WORDS>(?<![a-z])footer|pagefooter|sitefooter)"
    r"|(?P<SOCIAL_WORDS>social|sharing)"
)
"""Parts of words that say the same inside of a longer name; each group is named by its hint."""
