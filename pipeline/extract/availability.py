"""Whether a thing can be had, as a word of schema.org's ItemAvailability.

`InStock` needs positive evidence: a text that says nothing recognisable is `unreadable`, on an error page too.
"""

import re

from pipeline.extract.typed import MISSING, UNREADABLE, Typed

__all__ = ["BEST_FIRST", "availability"]

BEST_FIRST = (
    "InStock",
    "LimitedAvailability",
    "OnlineOnly",
    "InStoreOnly",
    "PreOrder",
    "PreSale",
    "MadeToOrder",
    "BackOrder",
    "Reserved",
    "OutOfStock",
    "SoldOut",
    "Discontinued",
)
"""Schema.org's words, the best for a buyer first: a thing sold in several variants can be had if one of them can."""

LONGEST = 300
"""Characters; a longer text is a description in which stock words mean anything."""

_TOKENS = {word.lower(): word for word in BEST_FIRST} | {
    "available": "InStock",
    "availablefororder": "InStock",
    "oos": "OutOfStock",
    "unavailable": "OutOfStock",
    "notavailable": "OutOfStock",
    "pending": "BackOrder",
    "onbackorder": "BackOrder",
    "backordered": "BackOrder",
    "limitedstock": "LimitedAvailability",
    "lowstock": "LimitedAvailability",
    "instorepickuponly": "InStoreOnly",
}
"""What feeds and meta elements write, without white space, dots and dashes."""

# Read from above: what denies comes before what affirms, because "not in stock" holds "in stock". An entry is a
# state, the phrases that need word boundaries, and those of scripts that have none.
_PHRASES: tuple[tuple[str | None, tuple[str, ...], str], ...] = (
    (
        "Discontinued",
        (
            r"discontinued|no longer (?:available|sold|made|produced)",
            r"nicht mehr (?:lieferbar|verfügbar|erhältlich)|descatalogado|descontinuado",
            r"(?:n'est )?plus disponible|fuori produzione|non più disponibile",
        ),
        "停产|停產|已下架|販売終了|生産終了",
    ),
    (
        "SoldOut",
        (r"sold[ -]?out|ausverkauft|uitverkocht|udsolgt|utsolgt|slutsåld|wyprzedane|vyprodáno|распродано",),
        "售罄|售完|売り切れ|完売|품절",
    ),
    (
        "OutOfStock",
        (
            r"out[ -]of[ -]stock|no stock|oos|unavailable|0 (?:in stock|available|left|items?)",
            r"(?:not|\w+n['\u2019]t|never|no) (?:currently |yet |longer )?(?:in stock|available)",
            r"(?:e-?mail|notify|alert|tell) me when",
            r"agotad[oa]s?|sin (?:stock|existencias)|no (?:est[áa] )?disponibles?|no hay (?:stock|existencias)",
            r"esgotad[oa]s?|sem (?:estoque|stock)|indispon[ií]ve(?:l|is)|não (?:est[áa] )?disponíve(?:l|is)",
            r"épuisée?s?|rupture(?: de stock)?|indisponibles?|(?:pas|plus) (?:en stock|disponibles?)|non disponibles?",
            r"esaurit[oaie]|non (?:in magazzino|in stock|disponibil[ei])",
            r"vergriffen|(?:derzeit|momentan|zurzeit) nicht|nicht (?:\w+ )?(?:auf lager|verfügbar|lieferbar|vorrätig)",
            r"nicht (?:\w+ )?erhältlich|niet (?:\w+ )?(?:op voorraad|leverbaar|beschikbaar)",
            r"(?:ikke|inte) (?:på|i) lager|niedostępny|brak w magazynie|není skladem|нет в наличии",
        ),
        "缺货|缺貨|无货|無貨|无库存|暂无库存|暫無庫存|没有库存|到货通知|在庫切れ|在庫なし|재고 없음",
    ),
    (
        "PreOrder",
        (
            r"pre-?order|vorbestell\w*|préco\w*|pré-?commande|precompra|preventa|reserva anticipada|pré-venda",
            r"encomenda antecipada|preordin\w*|förbeställ\w*|forudbestil\w*",
        ),
        "预售|預售|预订|予約",
    ),
    (
        "BackOrder",
        (
            r"back-?order(?:ed)?|nachbestellt|bajo pedido|sob encomenda|sur commande|su ordinazione",
            r"na objednávku|na zamówienie",
        ),
        "补货中|補貨中|入荷待ち",
    ),
    ("MadeToOrder", (r"made[ -]to[ -]order|hecho por encargo|feito sob medida|fait sur mesure",), "定制|訂製"),
    (
        None,  # a date, a condition or a question is no state
        (
            r"available (?:from|on|soon|again|in \d)|(?:will|when|once|if) (?:be )?(?:\w+ )?available",
            r"coming soon|check availability|verfügbar ab|disponible (?:a partir|desde|à partir|dès|el)",
            r"disponível (?:a partir|em breve)|disponibile dal",
        ),
        "查看库存|检查库存|即将上市",
    ),
    (
        "InStoreOnly",
        (
            r"in[ -]stores? only|only in stores?|nur im (?:laden|markt|geschäft)|solo en tiendas?",
            r"apenas em lojas?|uniquement en magasin|solo in negozio",
        ),
        "仅限门店",
    ),
    (
        "OnlineOnly",
        (r"(?:online|web) only|only online|nur online|s[oó]lo online|só online|uniquement en ligne",),
        "仅限网上",
    ),
    (
        "LimitedAvailability",
        (
            r"only \d+ (?:left|in stock|available|remaining)|\d+ left|low (?:in )?stock|few left|almost gone",
            r"limited (?:stock|availability|quantity)|nur noch \d+|wenige (?:verfügbar|auf lager)|nog (?:maar )?\d+",
            r"quedan \d+|últim[oa]s (?:unidades|\d+)|restam \d+|plus que \d+|stock limité|ultimi (?:pezzi|\d+)",
        ),
        r"仅剩|僅剩|库存紧张|庫存緊張|残りわずか|残り\d",
    ),
    (
        "InStock",
        (
            r"in stock|available|ready to ship|auf lager|lagernd|lieferbar|verfügbar|vorrätig|erhältlich",
            r"en stock|disponibles?|hay (?:stock|existencias)|em (?:estoque|stock)|disponíve(?:l|is)|pronta entrega",
            r"disponibil[ei]|in magazzino|[io][np] voorraad|leverbaar|på lager|i lager|dostępn[ya]|na stanie|skladem",
            r"в наличии|varastossa|raktáron",
        ),
        "有货|有貨|现货|現貨|有库存|有庫存|库存充足|在庫あり|재고 있음",
    ),
)
_RULES = tuple(
    (state, re.compile(rf"\b(?:{'|'.join(spaced)})\b|{unspaced}", re.IGNORECASE))
    for state, spaced, unspaced in _PHRASES
)


def availability(raw: str) -> Typed:
    """The state that `https://schema.org/InStock`, a token (`in_stock`) or a phrase (`Nicht auf Lager`) names."""
    text = " ".join(raw.split())
    if not text:
        return MISSING
    token = re.sub(r"[\s_.-]", "", re.split("[/#:]", text.rstrip("/"))[-1].lower())
    if token in _TOKENS:
        return Typed(text=_TOKENS[token])
    if len(text) <= LONGEST:
        for state, pattern in _RULES:
            if pattern.search(text):
                return Typed(text=state) if state else UNREADABLE
    return UNREADABLE
