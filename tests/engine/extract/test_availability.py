import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.extract.availability import availability
from pipeline.extract.words import tables
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
        "In den Warenkorb",
        "In stock?",
        "Lieferbar ab Mai",
        "Ist der Artikel auf Lager?",
        "if available",
        "Only 3 days left to order?",
        "not sold out",
        "nicht ausverkauft",
        "never out of stock",
        "Verfügbarkeit prüfen",
        "coming soon",
        "Get ready",
        "All rights reserved",
        "Available payment methods",
        "var och en",
        "bald verfügbar",
        "Auf Lager?",
        "Back in stock soon",
        "Disponible le 3 mai",
        "有货吗？",
        "в наличии?",
        "unknown",
        "not unavailable",
    ],
)
def test_in_stock_needs_positive_evidence(raw: str) -> None:
    assert availability(raw).state is FieldState.UNREADABLE


def test_no_text_is_no_state() -> None:
    assert availability("  ").state is FieldState.MISSING


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        ("250 in stock", "InStock"),
        ("Stock: 5", "InStock"),
        ("In stock (12)", "InStock"),
        ("Lagernd", "InStock"),
        ("Skladem", "InStock"),
        ("Na skladě", "InStock"),
        ("På lager", "InStock"),
        ("I lager", "InStock"),
        ("Varastossa", "InStock"),
        ("Dostępny", "InStock"),
        ("Raktáron", "InStock"),
        ("În stoc", "InStock"),
        ("Stokta var", "InStock"),
        ("В наличии", "InStock"),
        ("В наявності", "InStock"),
        ("Διαθέσιμο", "InStock"),
        ("متوفر", "InStock"),
        ("موجود", "InStock"),
        ("במלאי", "InStock"),
        ("उपलब्ध", "InStock"),
        ("Tersedia", "InStock"),
        ("Còn hàng", "InStock"),
        ("มีสินค้า", "InStock"),
        ("在庫あり", "InStock"),
        ("재고 있음", "InStock"),
        ("有货", "InStock"),
        ("Skladom", "InStock"),
        ("In Stock!", "InStock"),
        ("✓ Auf Lager", "InStock"),
        ("Available", "InStock"),
        ("Op voorraad", "InStock"),
        ("Tilgængelig", "InStock"),
        ("12 ks skladem", "InStock"),
        ("Nicht auf Lager", "OutOfStock"),
        ("nicht vorrätig", "OutOfStock"),
        ("Not in stock", "OutOfStock"),
        ("no está en stock", "OutOfStock"),
        ("Ej i lager", "OutOfStock"),
        ("Ikke på lager", "OutOfStock"),
        ("Ei varastossa", "OutOfStock"),
        ("Niedostępny", "OutOfStock"),
        ("Není skladem", "OutOfStock"),
        ("Nie je skladom", "OutOfStock"),
        ("Nincs raktáron", "OutOfStock"),
        ("Stoc epuizat", "OutOfStock"),
        ("Nu este în stoc", "OutOfStock"),
        ("Stokta yok", "OutOfStock"),
        ("Нет в наличии", "OutOfStock"),
        ("Немає в наявності", "OutOfStock"),
        ("Εκτός αποθέματος", "OutOfStock"),
        ("Μη διαθέσιμο", "OutOfStock"),
        ("غير متوفر", "OutOfStock"),
        ("ناموجود", "OutOfStock"),
        ("אזל מהמלאי", "OutOfStock"),
        ("לא במלאי", "OutOfStock"),
        ("उपलब्ध नहीं", "OutOfStock"),
        ("Stok habis", "OutOfStock"),
        ("Tidak tersedia", "OutOfStock"),
        ("Hết hàng", "OutOfStock"),
        ("สินค้าหมด", "OutOfStock"),
        ("在庫切れ", "OutOfStock"),
        ("품절", "OutOfStock"),
        ("缺货", "OutOfStock"),
        ("无货", "OutOfStock"),
        ("Niet op voorraad", "OutOfStock"),
        ("Non disponibile", "OutOfStock"),
        ("Rupture de stock", "OutOfStock"),
        ("0 in stock", "OutOfStock"),
        ("Momentan nicht lieferbar", "OutOfStock"),
        ("This item is currently unavailable. We don't know when or if this item will be back in stock.", "OutOfStock"),
        ("Stock: 0", "OutOfStock"),
        ("Esgotado", "OutOfStock"),
        ("Not available", "OutOfStock"),
        ("SOLD OUT", "SoldOut"),
        ("Ausverkauft", "SoldOut"),
        ("Udsolgt", "SoldOut"),
        ("Utsolgt", "SoldOut"),
        ("Slutsåld", "SoldOut"),
        ("Wyprzedane", "SoldOut"),
        ("Vyprodáno", "SoldOut"),
        ("Распродано", "SoldOut"),
        ("Tükendi", "SoldOut"),
        ("売り切れ", "SoldOut"),
        ("매진", "SoldOut"),
        ("售罄", "SoldOut"),
        ("Uitverkocht", "SoldOut"),
        ("Loppuunmyyty", "SoldOut"),
        ("Only 3 left", "LimitedAvailability"),
        ("Only 3 left in stock - order soon", "LimitedAvailability"),
        ("Nur noch 2 verfügbar", "LimitedAvailability"),
        ("仅剩3件", "LimitedAvailability"),
        ("残り2点", "LimitedAvailability"),
        ("Plus que 2 en stock", "LimitedAvailability"),
        ("Ostatnie sztuki", "LimitedAvailability"),
        ("Осталось 3 шт", "LimitedAvailability"),
        ("Last one!", "LimitedAvailability"),
        ("3 left", "LimitedAvailability"),
        ("Pre-order", "PreOrder"),
        ("Vorbestellung", "PreOrder"),
        ("Předobjednávka", "PreOrder"),
        ("Предзаказ", "PreOrder"),
        ("Ön sipariş", "PreOrder"),
        ("予約受付中", "PreOrder"),
        ("预售", "PreOrder"),
        ("Pre order now", "PreOrder"),
        ("Nicht mehr lieferbar", "Discontinued"),
        ("Снято с производства", "Discontinued"),
        ("단종", "Discontinued"),
        ("No longer available", "Discontinued"),
        ("Utgått", "Discontinued"),
    ],
)
def test_shops_of_many_languages_are_understood(raw: str, state: str) -> None:
    value = availability(raw)
    assert (value.state, value.text) == (FieldState.VALUE, state)


def test_there_and_gone_in_one_text_is_ambiguous() -> None:
    assert availability("In stock. Size M: out of stock").state is FieldState.AMBIGUOUS


LANGUAGES = sorted(tables())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_there_from_gone(language: str) -> None:
    for state in ("InStock", "OutOfStock", "SoldOut", "Discontinued", "PreOrder", "LimitedAvailability"):
        own = tables()[language].get("stock_own", {}).get(state, "").split("|")
        for phrase in filter(None, [*tables()[language]["stock"][state].split("|"), *own]):
            value = availability(phrase.replace("#", "3").replace("*", ""), language)
            assert value.text == state, phrase
    for phrase in tables()[language]["stock"]["none"].split("|"):
        assert availability(phrase.replace("#", "3").replace("*", ""), language).state is not FieldState.VALUE, phrase


@given(st.text(max_size=60))
def test_any_text_gives_a_state_and_never_an_error(raw: str) -> None:
    value = availability(raw)
    assert (value.state is FieldState.VALUE) == (value.text is not None)


@pytest.mark.parametrize("raw", ["not ", "in stock ", "nicht auf ", "在", "0 ", "only 3 "])
def test_any_text_is_read_in_time_that_grows_with_its_length(raw: str) -> None:
    started = time.process_time()
    for length in (300, 100_000):
        availability((raw * length)[:length])
    assert time.process_time() - started < 1
