"""Which blocks changed and what explains them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.classify.align import align
from pipeline.classify.fields import compare_fields
from pipeline.classify.text import compare_blocks, same_text
from pipeline.model import BlockOp, NormalBlock, Region
from tests.engine.classify.conftest import Make


def explained(changes) -> list[tuple[str | None, str | None, str | None]]:
    return [(c.old, c.new, c.explained_by) for c in changes]


def test_a_number_edited_in_a_sentence_is_unexplained(make: Make) -> None:
    old = make.blocks("Intro.", "Cancel within 30 days.", "End.")
    new = make.blocks("Intro.", "Cancel within 14 days.", "End.")
    [change] = compare_blocks(old, new)
    assert change.op is BlockOp.REPLACED
    assert (change.old, change.new) == ("Cancel within 30 days.", "Cancel within 14 days.")
    assert change.explained_by is None


def test_a_masked_time_is_shown_as_masked(make: Make) -> None:
    old = make.blocks(("Updated 3 minutes ago", "Updated ⟦time⟧"))
    new = make.blocks(("Updated 9 minutes ago", "Updated ⟦time⟧"))
    assert same_text(old, new)
    assert explained(compare_blocks(old, new)) == [("Updated 3 minutes ago", "Updated 9 minutes ago", "masked")]


def test_another_kind_of_apostrophe_is_typographic(make: Make) -> None:
    changes = compare_blocks(make.blocks("Don’t"), make.blocks("Don't"))
    assert explained(changes) == [("Don’t", "Don't", "typographic")]


def test_a_shuffled_list_is_moved_and_only_what_moved_is_named(make: Make) -> None:
    old, new = make.blocks("a", "b", "c", "d"), make.blocks("d", "a", "b", "c")
    assert not same_text(old, new)
    assert explained(compare_blocks(old, new)) == [("d", "d", "moved")]


def test_order_means_nothing_in_an_unordered_list(make: Make) -> None:
    old = [make.block("Sizes"), *(make.block(t, unordered=True) for t in "SML")]
    new = [make.block("Sizes"), *(make.block(t, unordered=True) for t in "LSM")]
    assert same_text(old, new)
    assert compare_blocks(old, new) == ()


def test_chrome_is_explained_by_its_region(make: Make) -> None:
    old = make.blocks("nav:Home", "Text.", "aside:Ad: shoes")
    new = make.blocks("nav:Start", "Text.", "aside:Ad: hats")
    assert [c.explained_by for c in compare_blocks(old, new)] == ["chrome:navigation", "chrome:aside"]


def test_text_that_moves_from_main_into_the_footer_is_no_change(make: Make) -> None:
    changes = compare_blocks(make.blocks("Imprint", "Text."), make.blocks("Text.", "footer:Imprint"))
    assert [c.explained_by for c in changes] == ["moved"]


def test_the_same_text_cut_into_other_blocks_is_moved(make: Make) -> None:
    changes = compare_blocks(make.blocks("One two.", "Three."), make.blocks("One", "two. Three."))
    assert {c.explained_by for c in changes} == {"moved"}


def test_a_dropped_duplicate_is_a_removal(make: Make) -> None:
    [change] = compare_blocks(make.blocks("x", "x", "y"), make.blocks("x", "y"))
    assert (change.op, change.old, change.explained_by) == (BlockOp.REMOVED, "x", None)


def test_an_edit_that_shows_only_the_changed_price_is_explained_by_the_field(make: Make) -> None:
    old, new = make.price("1299.00"), make.price("1199.00")
    changes = compare_fields({"price": old}, {"price": new}, make.rules(old))
    before = make.blocks("Only 1.299,00 € today", "Ships in 3 days")
    shown = compare_blocks(before, make.blocks("Only 1.199,00 € today", "Ships in 3 days"), changes)
    also = compare_blocks(before, make.blocks("Only 1.199,00 € today", "Ships in 9 days"), changes)
    assert [c.explained_by for c in shown] == ["field"]
    assert [c.explained_by for c in also] == ["field", None]


@pytest.mark.parametrize(
    ("before", "after", "by"),
    [
        ("89 €", "79 €", "field"),
        ("Only €89.00 now", "Only €79.00 now", "field"),
        ("89,00EUR", "79,00EUR", "field"),
        ("Item 1892", "Item 1792", None),
        ("1.89 kg", "1.79 kg", None),
        ("89.50 €", "79.50 €", None),
        ("89 € in blue", "79 € in red", None),
    ],
)
def test_only_the_price_itself_explains_a_block(make: Make, before: str, after: str, by: str | None) -> None:
    old, new = make.price("89.00"), make.price("79.00")
    changes = compare_fields({"price": old}, {"price": new}, make.rules(old))
    [change] = compare_blocks(make.blocks(before), make.blocks(after), changes)
    assert change.explained_by == by


def test_a_lost_certificate_explains_its_own_list_item(make: Make) -> None:
    old, new = make.members("certificates", "ISO 9001", "ISO 14001"), make.members("certificates", "ISO 9001")
    changes = compare_fields({"certificates": old}, {"certificates": new}, make.rules(old))
    [change] = compare_blocks(make.blocks("ISO 9001", "ISO 14001"), make.blocks("ISO 9001"), changes)
    assert (change.op, change.old, change.explained_by) == (BlockOp.REMOVED, "ISO 14001", "field")


def test_what_replaced_what_is_paired_by_likeness(make: Make) -> None:
    old = make.blocks("Start", "Fees are due on the first of the month", "Refunds take ten days", "End")
    new = make.blocks("Start", "A new paragraph about cookies", "Refunds take twenty days", "End")
    changes = compare_blocks(old, new)
    assert ("Refunds take ten days", "Refunds take twenty days", None) in explained(changes)
    assert (None, "A new paragraph about cookies", None) in explained(changes)


def blocks_of(texts: list[str]) -> list[NormalBlock]:
    return [NormalBlock(text=t, folded=t, normal=t, region=Region.MAIN, path="p") for t in texts]


words = st.lists(st.sampled_from(["a", "b", "c", "d e", "f g h"]), max_size=12)


@given(words)
def test_a_text_compared_with_itself_has_no_change(texts: list[str]) -> None:
    assert compare_blocks(blocks_of(texts), blocks_of(texts)) == ()


@given(words, words)
def test_alignment_accounts_for_every_block_once(old: list[str], new: list[str]) -> None:
    alignment = align(blocks_of(old), blocks_of(new))
    pairs = [pair for gap in alignment.gaps for pair in gap]
    left = [a.text for a, _ in alignment.kept] + [a.text for a, _ in pairs if a]
    right = [b.text for _, b in alignment.kept] + [b.text for _, b in pairs if b]
    assert sorted(left) == sorted(old)
    assert sorted(right) == sorted(new)


@given(words, words)
def test_a_change_of_words_is_never_fully_explained(old: list[str], new: list[str]) -> None:
    """Nothing may vanish from or appear in main without a block change that says so."""
    if "".join(old).replace(" ", "") == "".join(new).replace(" ", ""):
        return
    changes = compare_blocks(blocks_of(old), blocks_of(new))
    if sorted(old) != sorted(new):
        assert any(c.explained_by is None or c.explained_by == "moved" for c in changes)
        assert any(c.op is not BlockOp.REPLACED or c.old != c.new for c in changes)


def test_a_copy_of_a_text_more_or_less_is_no_change_but_a_short_value_is_one(make: Make) -> None:
    sentence = "Delivery takes three days."
    changes = compare_blocks(make.blocks(sentence, "End"), make.blocks(sentence, "End", sentence))
    assert [change.explained_by for change in changes] == ["moved"]
    changes = compare_blocks(make.blocks("Yes", "No", "End"), make.blocks("No", "No", "End"))
    assert [change.explained_by for change in changes if "Yes" in (change.old, change.new)] == [None]


def test_a_number_written_otherwise_is_typographic_and_another_number_is_not(make: Make) -> None:
    same = compare_blocks(make.blocks("Price: 1.307,00 €"), make.blocks("Price: EUR 1307,00"))
    other = compare_blocks(make.blocks("Price: 1.307,00 €"), make.blocks("Price: EUR 1370,00"))
    assert [change.explained_by for change in (*same, *other)] == ["typographic", None]


def test_a_teaser_exchanged_in_the_chrome_is_noise_and_a_sentence_edited_there_is_not(make: Make) -> None:
    old = "aside:The office in Riga is open on weekdays from nine to five o'clock"
    edited = "aside:The office in Riga is open on weekdays from ten to five o'clock"
    longer = f"{old} and closed on the first Monday of the month of May each year for stocktaking"
    other = "aside:A market in Oslo has opened again after a fire in the spring"
    for new, by in ((edited, None), (longer, None), (other, "chrome:aside")):
        changes = compare_blocks(make.blocks("Text.", old), make.blocks("Text.", new))
        assert {change.explained_by for change in changes} == {by}


def test_an_advertisement_edited_in_place_stays_noise(make: Make) -> None:
    old = "nav:Only today you get twenty percent off all shoes in our shop"
    new = "nav:Only today you get thirty percent off all shoes in our shop"
    assert [change.explained_by for change in compare_blocks(make.blocks(old), make.blocks(new))] == [
        "chrome:navigation"
    ]


def test_a_text_that_is_the_beginning_of_its_own_longer_edit_is_not_lost(make: Make) -> None:
    changes = compare_blocks(
        make.blocks("Refunds within ten days"), make.blocks("Refunds within ten days are excluded")
    )
    assert None in {change.explained_by for change in changes}


def test_a_sentence_that_now_stands_inside_a_longer_block_is_moved(make: Make) -> None:
    old = make.blocks("We ship to Norway.", "Call us.", "Terms apply.")
    new = make.blocks("We ship to Norway. Call us.", "New: we ship to Iceland.", "Terms apply.")
    assert [(c.new, c.explained_by) for c in compare_blocks(old, new) if c.explained_by is None] == [
        ("New: we ship to Iceland.", None)
    ]
