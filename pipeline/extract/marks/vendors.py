"""How the interstitials of known vendors are built: the scripts, frames, forms and ids that only they have.

What the same vendors put on full pages (a measuring script, a widget, a header) is not among them, and a sign counts
on short pages only. Written from the public markup of the vendors' pages; one that changes shows as a shell or by its
words.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from turbohtml import Document

__all__ = ["built_by", "carries_guard"]

ELEMENTS = 40
"""Scripts, frames, forms and refreshes looked at, and `SCRIPT_LENGTH` characters of each."""

SCRIPT_LENGTH = 4000

_MACHINERY = "script,iframe[src],form[action],meta[http-equiv=refresh i],img[src]"


class _Vendor(NamedTuple):
    """One interstitial.

    Attributes:
        mark: What it is.
        ids: Selector of elements only it has.
        machinery: Pattern of its addresses and inline scripts.
    """

    name: str
    mark: str
    ids: str | None = None
    machinery: str | None = None


_VENDORS = (
    _Vendor("cloudflare", "waiting_room", None, r"__cfwaitingroom|cf-waitingroom"),
    _Vendor(
        "cloudflare",
        "challenge",
        "#challenge-form,#cf-challenge-running,#challenge-running,#challenge-error-text,#trk_jschal_js",
        r"_cf_chl_opt|/cdn-cgi/challenge-platform/[^\s\"']*orchestrate",
    ),
    _Vendor("cloudflare", "block", "#cf-error-details"),
    _Vendor("akamai", "challenge", "#sec-if-cpt-container,#sec-bc-text-container", r"/_sec/cp_challenge/|bm-verify="),
    _Vendor("imperva", "block", None, r"_Incapsula_Resource\?[^\s\"']*(?:incident_id|CWUDNSAI)"),
    _Vendor("imperva", "challenge", None, r"reeseSkipExpirationCheck|onProtectionInitialized"),
    _Vendor("datadome", "captcha", None, r"\b(?:geo|ct)\.captcha-delivery\.com|\bdd\s*=\s*\{\s*['\"]rt['\"]"),
    _Vendor(
        "perimeterx", "captcha", "#px-captcha,#px-captcha-wrapper", r"_pxBlockScript|captcha\.px-c(?:dn|loud)\.net"
    ),
    _Vendor("aws", "challenge", None, r"\bgokuProps\b"),
    _Vendor("sucuri", "challenge", None, r"sucuri_cloudproxy_js"),
    _Vendor(
        "ddos-guard", "challenge", None, r"/\.well-known/ddos-guard/js-challenge|\bcheck\.ddos-guard\.net/check\.js"
    ),
    _Vendor("kasada", "challenge", None, r"/[0-9a-f-]{36}/[0-9a-f-]{36}/ips\.js|KPSDK\.now"),
    _Vendor("f5", "challenge", None, r"\bbobcmn\b"),
    _Vendor("google", "captcha", 'form#captcha-form[action="index"]', r"\baction=/sorry/|google\.com/sorry/"),
    _Vendor("amazon", "captcha", None, r"/errors/validateCaptcha|opfcaptcha"),
    _Vendor("yandex", "captcha", None, r"/checkcaptcha\b|/showcaptcha\b"),
    _Vendor("baidu", "captcha", None, r"wappass\.baidu\.com/static/(?:touch/js/)?mkd"),
    _Vendor("aliyun", "challenge", None, r"acw_sc__v[23]|aliyun_waf_|_waf_is_mobile"),
    _Vendor("anubis", "challenge", "#anubis_challenge,#anubis_version", None),
    _Vendor("qrator", "challenge", None, r"/__qrator/"),
    _Vendor("reblaze", "challenge", None, r"\bwindow\.rbzns\b|rbzreqid"),
    _Vendor("radware", "captcha", None, r"\bsrc=https://captcha\.perfdrive\.com"),
    _Vendor("siteground", "captcha", None, r"/\.well-known/sgcaptcha/"),
    _Vendor(
        "queue-it",
        "waiting_room",
        "#MainPart_lbWhichIsIn,#MainPart_divProgressbar,#MainPart_lbUsersInLineAheadOfYou,#lbHeaderP"
        ",body[data-pageid=queue]",
        r"\bqueueViewModel\b|static\.queue-it\.net/(?:content|spa)/",
    ),
)


_GUARDS = re.compile(
    r"_Incapsula_Resource|/TSPD/|token\.awswaf\.com|AwsWafIntegration|_pxAppId|js\.datadome\.co|KPSDK"
    r"|/cdn-cgi/challenge-platform/|/akam/\d|/\.well-known/ddos-guard/|challenges\.cloudflare\.com"
)
"""What vendors put on full pages too: it counts only where there is hardly anything else."""


def carries_guard(document: Document) -> bool:
    """Whether a vendor's script is on the page, as it is on its interstitials and on full pages alike."""
    return _GUARDS.search(_machinery(document)) is not None


def built_by(document: Document) -> Iterator[str]:
    """The marks of vendors whose interstitial this is, in no order of weight; a mark may come twice."""
    machinery = _machinery(document)
    for vendor in _VENDORS:
        by_id = vendor.ids is not None and document.select_one(vendor.ids) is not None
        if by_id or (vendor.machinery is not None and re.search(vendor.machinery, machinery)):
            yield vendor.mark


def _machinery(document: Document) -> str:
    """Addresses and inline scripts of a page, a line each."""
    lines: list[str] = []
    for element in document.select(_MACHINERY)[:ELEMENTS]:
        for name in ("src", "action", "content"):
            value = element.attr(name)
            if value:
                lines.append(f"{name}={value}")
        lines.append(element.text[:SCRIPT_LENGTH])
    return "\n".join(lines)
