# ruff: noqa: RUF001 - signs and abbreviations in many scripts
"""Signs, abbreviations and codes of currencies, and what a shared sign means on a page."""

import re

from pipeline.extract.text import words
from pipeline.extract.typed import Hints

__all__ = ["THREE_DECIMALS", "WHOLE", "find_currency", "grouping_of", "iso_code"]

CODES = words("""
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
    CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
    IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK
    MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR
    SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES
    VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL
""")
"""Currencies of ISO 4217 that a page may charge in."""

WHOLE = words("BIF CLP COP DJF GNF HUF IDR IRR ISK JPY KMF KRW LAK PYG RWF UGX UZS VND VUV XAF XOF XPF")
"""Currencies without decimals in ISO 4217 or in practice: three digits after a mark are thousands."""

THREE_DECIMALS = words("BHD IQD JOD KWD LYD OMR TND")

_COMMA_GROUPS = words("USD GBP CAD AUD NZD JPY CNY INR KRW HKD SGD TWD MXN ILS THB PHP MYR PKR")
_DOT_GROUPS = words("BRL TRY IDR VND COP CLP ARS DKK RON UYU PYG ISK")

_SIGNS = """
    EUR € eur Eur euro Euro euros Euros EURO
    GBP £ ₤
    USD US$ U$S usd
    CAD CA$ C$ CAD$
    AUD AU$ A$ AUD$
    NZD NZ$
    HKD HK$
    TWD NT$
    SGD S$
    BRL R$
    MXN MX$ MXN$
    COP COL$
    PEN S/. S/
    CHF SFr. SFr sFr. Fr.
    PLN zł zl
    CZK Kč kč
    HUF Ft ft
    RON lei Lei LEI
    BGN лв. лв
    RUB ₽ руб. руб р.
    UAH ₴ грн. грн
    KZT ₸
    TRY ₺ TL
    INR ₹
    KRW ₩ 원
    JPY 円 日元
    CNY 元 人民币 RMB
    VND ₫ đ Đ
    THB ฿ บาท
    PHP ₱
    IDR Rp. Rp
    MYR RM
    ILS ₪ NIS
    NGN ₦
    GHS ₵
    CRC ₡
    PYG ₲
"""
_TOKENS = {code: code for code in CODES} | {
    sign: line.split()[0] for line in _SIGNS.strip().splitlines() for sign in line.split()[1:]
}

_SHARED = {"$": "USD", "¥": "JPY", "kr": None, "rs": "INR"}
"""Signs of several currencies, without case and final dot, and what each means with nothing to decide."""

_SHARED_FORMS = ("$", "¥", "kr.", "kr", "Kr.", "Kr", "KR", "Rs.", "Rs")

_BY_COUNTRY = {
    "$": {
        "CA": "CAD",
        "AU": "AUD",
        "NZ": "NZD",
        "MX": "MXN",
        "AR": "ARS",
        "CL": "CLP",
        "CO": "COP",
        "HK": "HKD",
        "SG": "SGD",
        "TW": "TWD",
        "UY": "UYU",
    },
    "¥": {"CN": "CNY", "JP": "JPY"},
    "kr": {"SE": "SEK", "NO": "NOK", "DK": "DKK", "IS": "ISK"},
    "rs": {"PK": "PKR", "LK": "LKR", "NP": "NPR", "MU": "MUR"},
}
_COUNTRY_OF_LANGUAGE = {"zh": "CN", "ja": "JP", "sv": "SE", "nb": "NO", "nn": "NO", "no": "NO", "da": "DK", "is": "IS"}
_WORLDWIDE_DOMAINS = words("CO IO AI ME TV LA IS")
"""Country domains that shops anywhere use, so that they say nothing of a country."""


def _pattern() -> re.Pattern[str]:
    letter = r"[^\W\d_]"
    return re.compile(
        "|".join(
            (rf"(?<!{letter})" if token[0].isalpha() else "")
            + re.escape(token)
            + (rf"(?!{letter})" if token[-1].isalpha() else "")
            for token in sorted([*_TOKENS, *_SHARED_FORMS], key=len, reverse=True)
        )
    )


_ANY = _pattern()


def find_currency(text: str, hints: Hints, placeholder: str) -> tuple[str, str | None, bool]:
    """Take the currency out of a uniform text.

    Returns:
        The text with a placeholder where each token stood, the ISO code or None, and whether tokens disagree.
    """
    tokens = _ANY.findall(text)
    rest = _ANY.sub(f" {placeholder} ", text)
    definite = {_TOKENS[token] for token in tokens if token in _TOKENS}
    shared = {_bare(token) for token in tokens if token not in _TOKENS}
    if len(definite) > 1 or any(not definite <= _meanings(sign) for sign in shared):
        return rest, None, True
    if definite:
        return rest, definite.pop(), False
    if hints.currency or not tokens:
        return rest, hints.currency, False
    return rest, _shared(tokens[0], hints), False


def iso_code(text: str | None) -> str | None:
    """The code that a `priceCurrency` names, which may be a sign; None if it names none."""
    code = (text or "").strip()
    return code.upper() if code.upper() in CODES else _TOKENS.get(code) or _SHARED.get(_bare(code))


def grouping_of(currency: str | None) -> str | None:
    """The mark by which the currency's countries group thousands; None where they disagree, as those of the euro do."""
    if currency in _COMMA_GROUPS:
        return ","
    return "." if currency in _DOT_GROUPS else None


def _shared(token: str, hints: Hints) -> str | None:
    by_country = _BY_COUNTRY[_bare(token)]
    return next((by_country[country] for country in _countries(hints) if country in by_country), _SHARED[_bare(token)])


def _meanings(sign: str) -> set[str | None]:
    return {_SHARED[sign], *_BY_COUNTRY[sign].values()}


def _bare(token: str) -> str:
    return token.lower().rstrip(".")


def _countries(hints: Hints) -> list[str]:
    """Where the page may be at home, best guess first: by its domain, its language's region, its language."""
    domain = hints.host.rpartition(".")[2].upper()
    base, *rest = (hints.language or "").replace("_", "-").split("-")
    regions = [part.upper() for part in rest if len(part) == 2]  # noqa: PLR2004 - ISO 3166
    own = [] if domain in _WORLDWIDE_DOMAINS else [domain]
    return [*own, *regions, _COUNTRY_OF_LANGUAGE.get(base.lower(), "")]
