from hypothesis import assume, given
from hypothesis import strategies as st

from pipeline.ledger import Ledger, Why, calibrate, explain, learn, stands
from tests.engine.ledger.blocks import TERMS, page, text_of

ITEM = "body/aside/ul/li"


def unexplained(ledger, old, new):
    return {change.block.text for change in explain(ledger, old, new).unexplained}


def with_list(*items):
    return page(*TERMS[:2], *((item, ITEM) for item in items), *TERMS[2:])


def news(*numbers):
    return [f"Headline of story {chr(97 + number) * 3}" for number in numbers]


ROTATING = calibrate([with_list(*news(1, 2, 3)), with_list(*news(4, 5, 6)), with_list(*news(7, 8, 9))])


def test_an_empty_ledger_explains_nothing():
    old, new = page(*TERMS), page(*TERMS[:4], "Another text.")
    explained = explain(Ledger(), old, new)
    assert explained.removed == {4: None}
    assert explained.added == {4: None}
    assert [change.index for change in explained.unexplained] == [4, 4]


def test_a_moved_block_is_no_change():
    old, new = page(*TERMS), page(*reversed(TERMS))
    assert explain(Ledger(), old, new).diff.changes == ()


def test_one_number_in_a_sentence_that_stood_still_is_unexplained_at_once():
    edited = TERMS[1].replace("30", "14")
    new = page(TERMS[0], edited, *((item, ITEM) for item in news(2, 1)), *TERMS[2:])
    assert unexplained(ROTATING, with_list(*news(1, 2, 3)), new) == {text_of(TERMS[1]), text_of(edited)}


def test_a_view_counter_is_explained_after_calibration_whatever_it_shows():
    fetches = [page(*TERMS, f"Viewed by {views} others") for views in (412, 415, 433)]
    explained = explain(calibrate(fetches), fetches[-1], page(*TERMS, "Viewed by 1,204 others"))
    assert explained.removed == {5: Why.SLOT}
    assert explained.added == {5: Why.SLOT}


def test_the_words_of_a_counter_are_no_number():
    fetches = [page(*TERMS, f"Viewed by {views} others") for views in (412, 415, 433)]
    assert unexplained(calibrate(fetches), fetches[-1], page(*TERMS, "No longer for sale")) == {
        text_of("Viewed by 433 others"),
        text_of("No longer for sale"),
    }


def test_an_item_never_seen_before_is_explained_where_items_rotate():
    explained = explain(ROTATING, with_list(*news(7, 8, 9)), with_list(*news(8, 20, 21)))
    assert explained.removed == {2: Why.SEEN, 4: Why.SEEN}
    assert explained.added == {3: Why.SLOT, 4: Why.SLOT}


def test_an_item_seen_before_is_explained_wherever_it_comes_back():
    old = with_list(*news(7, 8, 9))
    new = page((news(1)[0], "body/nav"), *TERMS[:2], *((item, ITEM) for item in news(7, 8, 9)), *TERMS[2:])
    assert explain(ROTATING, old, new).added == {0: Why.SEEN}


def test_a_paragraph_far_longer_than_what_rotates_is_unexplained():
    notice = "The following terms apply to all orders from the first of May on: " + "we no longer ship abroad " * 9
    assert unexplained(ROTATING, with_list(*news(7, 8, 9)), with_list(*news(7, 8), notice)) == {text_of(notice)}


def test_another_tag_path_between_the_same_neighbours_is_another_place():
    old = with_list(*news(7, 8, 9))
    new = page(*TERMS[:2], *((item, ITEM) for item in news(7, 8, 9)), ("A new clause.", "body/p"), *TERMS[2:])
    assert unexplained(ROTATING, old, new) == {text_of("A new clause.")}


def test_an_edit_beside_a_rotating_block_of_the_same_path_is_unexplained():
    fetches = [page(*TERMS[:2], advertisement, *TERMS[2:]) for advertisement in ("Buy shoes", "Buy hats", "Buy ties")]
    ledger = calibrate(fetches)
    edited = "We answer within one week."
    new = page(*TERMS[:2], "Buy coats", edited, *TERMS[3:])
    assert {text_of(TERMS[2]), text_of(edited)} <= unexplained(ledger, fetches[-1], new)
    assert unexplained(ledger, fetches[-1], page(*TERMS[:2], "Buy coats", *TERMS[2:])) == set()


def test_an_item_that_stayed_by_chance_may_go_from_a_rotating_list():
    stayed = "Headline that stayed"
    fetches = [
        with_list(*news(1), stayed, *news(2)),
        with_list(*news(3), stayed, *news(4)),
        with_list(*news(5), stayed),
    ]
    assert unexplained(calibrate(fetches), fetches[0], with_list(*news(6, 7, 8))) == set()


def test_a_path_most_of_whose_blocks_change_explains_a_block_in_a_new_place():
    def wall(*numbers):
        return page(
            *(text for number, term in zip(numbers, TERMS, strict=True) for text in (term, (news(number)[0], ITEM)))
        )

    ledger = calibrate([wall(*range(start, start + 5)) for start in (0, 5, 10, 15)])
    elsewhere = page(("Quite another place", ITEM), "A sentence.", *TERMS)
    assert explain(ledger, page("A sentence.", *TERMS), elsewhere).added == {0: Why.PATH}


def test_a_banner_shown_now_and_then_is_explained_when_calibration_saw_it():
    plain, shown = page(*TERMS), page("Try our app", *TERMS)
    ledger = calibrate([plain, shown, plain])
    assert unexplained(ledger, plain, shown) == unexplained(ledger, shown, plain) == set()


def test_a_known_item_that_both_sides_show_is_no_neighbour():
    old = with_list(*news(7, 8, 9))
    new = with_list(news(7)[0], "First shown today", *news(8, 9))
    assert explain(ROTATING, old, new).added == {3: Why.SLOT}


def test_a_candidate_stands_when_the_next_fetch_has_it_too():
    old, new = page(*TERMS), page(*TERMS[:4], "Another text.")
    explained = explain(Ledger(), old, new)
    assert stands(explained, old, new)
    assert not stands(explained, old, old)
    assert stands(explained, old, page(*TERMS[:4]))


TEXTS = st.lists(st.sampled_from([*TERMS, *news(*range(6)), "Read more", "Viewed by 1", "Viewed by 2"]), max_size=12)
PAGES = TEXTS.map(lambda texts: page(*texts))
LEDGERS = st.lists(PAGES, max_size=4).map(calibrate)


@given(LEDGERS, PAGES)
def test_equal_pages_have_no_changes(ledger, blocks):
    explained = explain(ledger, blocks, blocks)
    assert explained.removed == explained.added == {}
    assert explained.diff.changes == ()


@given(LEDGERS, TEXTS, st.randoms(use_true_random=False))
def test_the_order_of_blocks_makes_no_change(ledger, texts, random):
    shuffled = random.sample(texts, len(texts))
    assert explain(ledger, page(*texts), page(*shuffled)).diff.changes == ()


@given(LEDGERS, PAGES, PAGES)
def test_the_changes_are_the_multiset_difference(ledger, old, new):
    explained = explain(ledger, old, new)
    rest = [block.text for index, block in enumerate(old) if index not in explained.removed]
    kept = [block.text for index, block in enumerate(new) if index not in explained.added]
    assert sorted(rest) == sorted(kept)
    gone = {old[index].text for index in explained.removed}
    assert gone.isdisjoint(new[index].text for index in explained.added)


PLACED = st.lists(st.tuples(st.sampled_from([*TERMS, *news(0, 1, 2)]), st.sampled_from(["p", "ul/li"])), max_size=8)
ITEMS = st.lists(st.sampled_from(news(*range(6))), max_size=6, unique=True)


@given(st.lists(PLACED, max_size=4), ITEMS, ITEMS, st.integers(0, len(TERMS) - 1))
def test_learning_explains_nothing_in_a_place_it_did_not_touch(fetches, earlier, later, place):
    def shown(terms, items):
        return page(*((term, "p") for term in terms), *((item, "ul/li") for item in items))

    ledger = calibrate([page(*fetch) for fetch in fetches])
    learned = learn(ledger, explain(ledger, shown(TERMS, earlier), shown(TERMS, later)).diff)
    old, new = shown(TERMS, earlier), shown([*TERMS[:place], "A new text.", *TERMS[place + 1 :]], earlier)
    before, after = explain(ledger, old, new), explain(learned, old, new)
    assume(before.diff == after.diff)  # else what was learned comes and goes has moved the neighbours
    # One more trial may be the third, from which on the share of a path says something.
    by_path = {
        change
        for change in after.diff.changes
        if (after.removed if change.removed else after.added)[change.index] is Why.PATH
    }
    assert set(before.unexplained) <= set(after.unexplained) | by_path
