import pytest

from pipeline.extract.availability import availability
from pipeline.model import FieldState

STATES = {
    "InStock": """https://schema.org/InStock|http://schema.org/InStock/|schema:InStock|InStock|in_stock|IN STOCK|In-Stock
        |available|Available now|250 in stock|Auf Lager|sofort lieferbar|En stock|Disponible|Hay existencias|Em estoque
        |Disponível|有货|现货|库存充足|Disponibile|Disponible en stock|Op voorraad|På lager|В наличии|在庫あり""",
    "OutOfStock": """https://schema.org/OutOfStock|oos|out of stock|Out-of-stock|Currently unavailable|Not available
        |isn't available|isn’t available|not currently in stock|0 in stock|Temporarily out of stock
        |Notify me when available|Nicht auf Lager|derzeit nicht verfügbar|Rupture de stock|Indisponible|Épuisé
        |pas disponible|Agotado|No disponible|No hay existencias|sin stock|Esgotado|sem estoque|não disponível
        |Indisponível|缺货|无货|暂无库存|Esaurito|non disponibile|Niet op voorraad|在庫切れ""",
    "SoldOut": "https://schema.org/SoldOut|Sold out|Ausverkauft|售罄|売り切れ",
    "Discontinued": "https://schema.org/Discontinued|no longer available|nicht mehr lieferbar|停产",
    "PreOrder": "https://schema.org/PreOrder|Pre-order now|Jetzt vorbestellen|Précommande|Preventa|Pré-venda|预售",
    "PreSale": "https://schema.org/PreSale",
    "BackOrder": "https://schema.org/BackOrder|on backorder|Bajo pedido|Sob encomenda",
    "LimitedAvailability": """https://schema.org/LimitedAvailability|Only 3 left in stock|low stock|Nur noch 2 auf Lager
        |Plus que 2 en stock|Quedan 2|仅剩 2 件""",
    "InStoreOnly": "https://schema.org/InStoreOnly|In store only|nur im Laden",
    "OnlineOnly": "https://schema.org/OnlineOnly|Online only",
    "MadeToOrder": "https://schema.org/MadeToOrder|made to order",
    "Reserved": "https://schema.org/Reserved",
}
CASES = [(phrase.strip(), state) for state, phrases in STATES.items() for phrase in phrases.split("|")]


@pytest.mark.parametrize(("raw", "state"), CASES)
def test_a_state_is_named_by_url_token_or_phrase(raw: str, state: str) -> None:
    value = availability(raw)
    assert (value.state, value.text) == (FieldState.VALUE, state)


@pytest.mark.parametrize(
    "raw",
    [
        "Robot check",
        "Add to cart",
        "Usually ships in 2 days",
        "Available from 3 May",
        "verfügbar ab 3. Mai",
        "Coming soon",
        "Check availability",
        "https://schema.org/",
        "in stock " * 50,
        "5",
    ],
)
def test_in_stock_needs_positive_evidence(raw: str) -> None:
    assert availability(raw).state is FieldState.UNREADABLE


def test_no_text_is_no_state() -> None:
    assert availability("  ").state is FieldState.MISSING
