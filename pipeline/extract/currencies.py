# ruff: noqa: RUF001 - signs and abbreviations in many scripts
"""Signs, abbreviations and codes of currencies, and what a shared sign means on a page."""

import re
from collections.abc import Iterable

from pipeline.extract.locales import parts
from pipeline.extract.text import words
from pipeline.extract.typed import Hints

__all__ = ["THREE_DECIMALS", "TOMAN", "WHOLE", "home", "iso_code", "meanings", "settle", "take_signs"]

CODES = words("""
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
    CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
    IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK
    MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR
    SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES
    VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL
""")
"""Currencies of ISO 4217 that a page may charge in."""

TOMAN = words("تومان تومن")
"""Ten rials; no currency of its own, and without decimals."""

WHOLE = words("BIF CLP COP DJF GNF HUF IDR IRR ISK JPY KMF KRW LAK PYG RWF UGX UZS VND VUV XAF XOF XPF")
"""Currencies without decimals in ISO 4217 or in practice: three digits after a mark are thousands."""

THREE_DECIMALS = words("BHD IQD JOD KWD LYD OMR TND")

_SIGNS = """
    EUR € eur Eur euro Euro euros Euros EURO EUROS евро ευρώ ευρω יורו يورو ユーロ 欧元 歐元 유로 eura eurot euroa
    GBP gbp £ ₤ GB£ UK£
    USD $US US$ U$S U$D usd Usd USD$ US-Dollar U.S.$ 美元 美金 米ドル דולר
    CAD $CA cad CND CA$ C$ CAD$ CDN$ Can$
    AUD $AU aud AU$ A$ AUD$
    NZD $NZ NZ$ NZD$
    HKD HK$ HKD$ 港币 港幣 港元
    TWD NT$ NTD$ NTD 新台币 新臺幣 新台幣 台币 台幣
    SGD S$ SG$ SGD$
    BRL BR$ R$ reais
    MXN $MX MX$ MXN$ Mex$
    COP COL$ COP$
    CLP CLP$ CL$
    ARS AR$ ARS$
    UYU $U UYU$
    TOP T$
    GYD G$ GY$
    DOP RD$
    JMD J$
    TTD TT$
    XCD EC$
    BBD Bds$
    NAD N$
    FJD FJ$
    PEN S/. S/
    CHF chf Chf SFr. SFr sFr. Fr.
    PLN pln zł zl ZŁ Zł złotych złote złoty
    CZK czk Kč kč KČ korun
    HUF Ft FT forint
    RON lei Lei LEI
    BGN лв. лв лева
    RSD дин. дин din. din
    MKD ден. ден
    RUB ₽ Р руб. руб р. Руб РУБ рублей рубля рубль
    UAH ₴ грн. грн ГРН гривень гривні
    KZT ₸ тенге тг
    GEL ₾
    AMD ֏
    AZN ₼
    MNT ₮
    KGS сом
    UZS сум so'm
    TRY ₺ TL lira
    INR ₹ ₹. inr
    BDT ৳
    LKR රු
    KRW ₩ 원 KRW₩ ウォン 韩元
    JPY 円 日元 JP¥ 日圓
    CNY 人民币 人民幣 RMB CN¥ CNY¥ 块 塊 yuan
    VND ₫ đ Đ VNĐ vnđ đồng
    LAK ₭
    KHR ៛
    THB ฿ บาท
    PHP ₱ Php
    IQD د.ع. د.ع
    LYD د.ل. د.ل
    YER ر.ي. ر.ي
    BAM KM
    MMK Ks
    IRR ریال
    IDR Rp. Rp rp RP
    MYR RM
    ILS ₪ NIS ש"ח ש״ח ש'ח שח שקל
    EGP جن ج.م. ج.م E£ LE جنيه
    AED د.إ. د.إ Dhs AED.
    SAR ر.س. ر.س SR
    QAR ر.ق. ر.ق QR
    KWD د.ك. د.ك KD
    BHD د.ب. د.ب BD
    OMR ر.ع. ر.ع
    JOD د.أ. د.أ JD
    MAD د.م. د.م
    DZD د.ج. د.ج
    TND د.ت. د.ت
    LBP ل.ل. ل.ل
    NGN ₦
    GHS ₵ GH₵ GH¢
    KES KShs KSh Ksh KSH KES.
    TZS TSh Tsh TSH
    UGX USh Ush USH
    CRC ₡
    PYG ₲ Gs. Gs
"""
_TOKENS = {code: code for code in CODES} | {
    sign: line.split()[0] for line in _SIGNS.strip().splitlines() for sign in line.split()[1:]
}

_DOLLARS = {"US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "HK": "HKD", "MX": "MXN"}
_TOKENS |= {f"$ {country}": code for country, code in _DOLLARS.items()}
_TOKENS |= {f"{country} $": code for country, code in _DOLLARS.items()}

_SHARED_SIGNS = """
    $ USD | $ dollars dollar Dollar | CA CAD AU AUD NZ NZD MX MXN AR ARS CL CLP CO COP HK HKD SG SGD TW TWD UY UYU
      BS BSD
      BB BBD BZ BZD JM JMD TT TTD GY GYD LR LRD NA NAD FJ FJD SB SBD SR SRD BN BND KY KYD DO DOP CU CUP BM BMD
      AG XCD
      DM XCD GD XCD KN XCD LC XCD VC XCD
    ¥ JPY | ¥ yen | CN CNY JP JPY
    元 CNY | 元 圓 圆 | TW TWD HK HKD MO MOP CN CNY
    kr - | kr. kr Kr. Kr KR kr- kroner kronor krónur | SE SEK NO NOK DK DKK IS ISK FO DKK
    rs INR | Rs. Rs RS RS. rs. rs रु. रु र रुपये rupees rupee | IN INR PK PKR LK LKR NP NPR MU MUR SC SCR
    dh - | DH Dh dh DHS dirhams dirham درهم | AE AED MA MAD
    peso - | pesos Pesos | MX MXN AR ARS CL CLP CO COP UY UYU PH PHP DO DOP CU CUP
    rial - | ريال | SA SAR OM OMR QA QAR YE YER
    toman - | تومان تومن |
    cfa - | FCFA F.CFA CFA | SN XOF CI XOF BJ XOF BF XOF ML XOF NE XOF TG XOF GW XOF
      CM XAF GA XAF CG XAF TD XAF CF XAF GQ XAF
    bs - | Bs. Bs | BO BOB VE VES
    r - | R | ZA ZAR
"""
"""Of each shared sign: its name, what it means with nothing to decide, its forms, and its meaning by country."""


def _shared_signs() -> tuple[dict[str, str], dict[str, str | None], dict[str, dict[str, str]]]:
    names: dict[str, str] = {}
    usual: dict[str, str | None] = {}
    by_country: dict[str, dict[str, str]] = {}
    for line in _SHARED_SIGNS.replace("\n      ", " ").strip().splitlines():
        head, forms, countries = line.split("|")
        name, meaning = head.split()
        usual[name] = None if meaning == "-" else meaning
        names |= dict.fromkeys(forms.split(), name)
        pairs = countries.split()
        by_country[name] = dict(zip(pairs[::2], pairs[1::2], strict=True))
    return names, usual, by_country


_NAMES, _USUAL, _BY_COUNTRY = _shared_signs()
_COUNTRY_OF_LANGUAGE = {
    "zh": "CN", "ja": "JP", "sv": "SE", "nb": "NO", "nn": "NO", "no": "NO", "da": "DK", "is": "IS", "hi": "IN",
    "ne": "NP", "ur": "PK", "si": "LK", "fa": "IR", "fo": "FO",
}  # fmt: skip
_WORLDWIDE_DOMAINS = words("CO IO AI ME TV LA IS")
"""Country domains that shops anywhere use, so that they say nothing of a country."""


_TOUCHING = re.compile("[^\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\\W\\d_]")
"""A letter of a script whose signs do not touch other letters, as those of `1980円税込` do."""


def _pattern() -> re.Pattern[str]:
    """Words are tried at the beginning of words only, and both kinds only where the first character fits."""
    letter = r"[^\W\d_]"
    signs = sorted({*_TOKENS, *_NAMES} - CODES - {"R"}, key=len, reverse=True)
    spelled = [sign for sign in signs if _TOUCHING.match(sign[0])]
    marks = [
        re.escape(sign) + (rf"(?!{letter})" if _TOUCHING.match(sign[-1]) else "")
        for sign in signs
        if sign not in spelled
    ]
    closed = "|".join(re.escape(sign) for sign in spelled if not _TOUCHING.match(sign[-1]))
    open_ = "|".join(re.escape(sign) for sign in spelled if _TOUCHING.match(sign[-1]))
    first = "".join({sign[0] for sign in spelled})
    others = "".join({re.escape(sign[0]) for sign in signs if sign not in spelled})
    return re.compile(
        rf"(?=[A-Z{first}])(?<!{letter})(?:{closed}|[A-Z]{{3}}(?!{letter}|\$)|R(?= ?\d)|(?:{open_})(?!{letter}))"
        rf"|(?=[{others}])(?:{'|'.join(marks)})"
    )


_ANY = _pattern()


def take_signs(text: str, placeholder: str) -> tuple[str, list[str]]:
    """A uniform text with a placeholder in each sign's stead, and the signs from left to right."""
    signs: list[str] = []

    def take(match: re.Match[str]) -> str:
        sign = match[0]
        if sign not in _TOKENS and sign not in _NAMES:
            return sign  # three capitals that are no code
        signs.append(sign)
        return placeholder

    return _ANY.sub(take, text), signs


def settle(signs: Iterable[str], hints: Hints) -> tuple[str | None, bool]:
    """The ISO code that signs and hints mean together, or None, and whether the signs disagree."""
    definite, shared = set(), []
    for sign in signs:
        if sign in _TOKENS:
            definite.add(_TOKENS[sign])
        elif _NAMES[sign] not in shared:
            shared.append(_NAMES[sign])
    possible = [frozenset({_USUAL[name], *_BY_COUNTRY[name].values()}) for name in shared]
    common = frozenset.intersection(*possible, *([definite] if definite else ())) if possible else definite
    if len(definite) > 1 or (not common and (definite or len(shared) > 1)):
        return None, True
    if definite:
        return definite.pop(), False
    if hints.currency or not shared:
        return hints.currency, False
    return _shared(shared[0], hints), False


def meanings(signs: Iterable[str]) -> set[str]:
    """The codes that signs shared by several countries may mean."""
    return {code for sign in signs if sign in _NAMES for code in _BY_COUNTRY[_NAMES[sign]].values()}


def iso_code(text: str | None) -> str | None:
    """The code that a `priceCurrency` names, which may be a sign; None if it names none."""
    code = (text or "").strip()
    if code.upper() in CODES:
        return code.upper()
    return _TOKENS.get(code) or _USUAL.get(_NAMES.get(code, ""))


def home(hints: Hints) -> list[str]:
    """The countries where the page may be at home: by its domain, its language's region, its language; "" if unknown.

    The domain says nothing if shops anywhere use it.
    """
    domain = hints.host.rpartition(".")[2].upper()
    base, region = parts(hints.language)
    own = "" if domain in _WORLDWIDE_DOMAINS else {"UK": "GB"}.get(domain, domain)
    return [own, region, _COUNTRY_OF_LANGUAGE.get(base, "")]


def _shared(name: str, hints: Hints) -> str | None:
    by_country = _BY_COUNTRY[name]
    return next((by_country[country] for country in home(hints) if country in by_country), _USUAL[name])
