import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.ledger import Ledger, calibrate, explain, learn, missed, stable_share
from tests.engine.ledger.blocks import TERMS, page

ITEM = "body/aside/ul/li"


def fetch(views, *items):
    return page(*TERMS[:2], *((item, ITEM) for item in items), *TERMS[2:], (f"Viewed by {views} others", "body/footer"))


FETCHES = [
    fetch(412, "Buy shoes", "Buy hats"),
    fetch(415, "Buy ties", "Buy hats"),
    fetch(433, "Buy coats", "Buy shoes"),
]


def test_the_rotating_list_and_the_counter_are_volatile_and_the_rest_is_stable():
    share = stable_share(calibrate(FETCHES), FETCHES[-1])
    assert share.volatile == (2, 3, 7)
    assert share.words == sum(len(text.split()) for text in TERMS) + 4 + 4
    assert share.stable_words == share.words - 8
    assert share.share == pytest.approx(share.stable_words / share.words)


def test_a_block_that_came_once_is_stable_when_its_place_has_been_forgotten():
    plain, shown = page(*TERMS), page(*TERMS[:2], "We ask for a deposit now", *TERMS[2:])
    ledger = learn(Ledger(), explain(Ledger(), plain, shown).diff)
    assert stable_share(ledger, shown).volatile == (2,)
    for _ in range(121):
        ledger = learn(ledger, explain(ledger, shown, shown).diff)
    assert stable_share(ledger, shown).volatile == ()


def test_a_page_of_which_nothing_is_known_is_stable():
    assert stable_share(Ledger(), FETCHES[0]).share == 1
    assert stable_share(Ledger(), []).share == 1


def test_a_pinned_block_is_stable():
    ledger = calibrate(FETCHES)
    ledger = missed(ledger, explain(ledger, FETCHES[-1], fetch(500, "Buy coats", "Buy shoes")).diff)
    assert stable_share(ledger, FETCHES[-1]).volatile == (2, 3)


TEXTS = st.sampled_from([*TERMS, "Viewed by 1", "Viewed by 2", "Buy shoes", "Buy hats", "Buy ties"])
PAGES = st.lists(TEXTS, min_size=1, max_size=10)
WITHOUT_COPIES = st.lists(TEXTS, min_size=1, max_size=10, unique=True)
"""Of two blocks of one text it cannot be told which was edited."""


@given(st.lists(PAGES, max_size=4), WITHOUT_COPIES, st.data())
def test_an_edit_of_a_block_called_stable_is_seen(fetches, texts, data):
    ledger = calibrate([page(*fetch) for fetch in fetches])
    blocks = page(*texts)
    stable = sorted(set(range(len(blocks))) - set(stable_share(ledger, blocks).volatile))
    for index in data.draw(st.permutations(stable)) if stable else []:
        edited = page(*texts[:index], texts[index] + " indeed", *texts[index + 1 :])
        assert any(change.index == index for change in explain(ledger, blocks, edited).unexplained)
