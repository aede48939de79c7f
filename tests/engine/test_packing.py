import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import BlobError
from pipeline.model import Block, BlockOp, NormalBlock, Region
from pipeline.packing import (
    MAX_DIFF_BYTES,
    count_words,
    decode_blocks,
    decode_earlier,
    decode_normal_blocks,
    distance,
    encode_blocks,
    encode_normal_blocks,
    pack_blocks,
    pack_diff,
    slot_text,
    text_hash64,
    unpack_blocks,
    unpack_diff,
)

ANY_TEXT = st.text(st.characters(exclude_categories=[]))
PATHS = st.sampled_from(["body/p", "body/main/ul/li", "body/footer/p", "body"])
BLOCKS = st.lists(
    st.builds(Block, text=ANY_TEXT, region=st.sampled_from(Region), path=PATHS, unordered=st.booleans()), max_size=12
)
NORMAL_BLOCKS = st.lists(
    st.tuples(ANY_TEXT, ANY_TEXT | st.none(), ANY_TEXT | st.none(), st.sampled_from(Region), PATHS, st.booleans()).map(
        lambda row: NormalBlock(
            text=row[0],
            folded=row[0] if row[1] is None else row[1],
            normal=row[0] if row[2] is None else row[2],
            region=row[3],
            path=row[4],
            unordered=row[5],
        )
    ),
    max_size=12,
)


def normal_block(text, path="body/p"):
    return NormalBlock(text=text, folded=text, normal=text, region=Region.MAIN, path=path)


def packed(*texts):
    return pack_blocks([normal_block(text) for text in texts])


def anchor(text):
    return text_hash64(text) & 0xFFFF


# ── hashes ───────────────────────────────────────────────────────────────────


def test_hashes_are_the_same_in_every_process_and_on_every_machine():
    assert text_hash64("") == 0x2D06800538D394C2  # the test vector of XXH3's own suite
    assert text_hash64("30 days") == 0x6C9FBC5189982B3C
    assert packed("30 days", "14天").hex() == "3c2b98896ec5692a02359fc3b4d5fd692a02"


def test_a_hash_of_a_lone_surrogate_is_a_hash():
    assert text_hash64("\ud800") != text_hash64("\ufffd")


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_distance_counts_differing_bits(a, b):
    assert distance(a, b) == distance(b, a) == f"{a ^ b:b}".count("1")
    assert distance(a, a) == 0
    assert distance(a, a ^ (2**64 - 1)) == 64


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one", 1),
        ("one two  three", 3),
        ("tres años", 2),
        ("你好世界", 2),
        ("Preis 你好世", 3),
        ("สวัสดี", 3),
        ("한국어 문장", 2),
    ],
)
def test_a_character_of_a_script_without_spaces_counts_half_a_word(text, words):
    assert count_words(text) == words


# ── packed blocks ────────────────────────────────────────────────────────────


def test_a_block_takes_nine_bytes_and_comes_back_with_its_hashes():
    block = normal_block("Price 30 €", path="body/main/p")
    (row,) = unpack_blocks(pack_blocks([block]))
    assert len(pack_blocks([block] * 3)) == 27
    assert row.text == text_hash64("Price 30 €") & 0xFFFFFFFF
    assert row.masked == anchor("Price # €")
    assert row.path == anchor("body/main/p")
    assert row.words == 3


@given(NORMAL_BLOCKS, NORMAL_BLOCKS)
def test_packing_beside_an_earlier_text_is_packing(blocks, others):
    assert pack_blocks(blocks, pack_blocks([*others, *blocks[1:]])) == pack_blocks(blocks)


def test_the_hash_is_of_the_normal_text():
    block = NormalBlock(
        text="3 minutes ago", folded="3 minutes ago", normal="⟦time⟧", region=Region.MAIN, path="body/p"
    )
    assert unpack_blocks(pack_blocks([block]))[0].text == text_hash64("⟦time⟧") & 0xFFFFFFFF


def test_words_stop_at_255():
    assert unpack_blocks(packed("word " * 300))[0].words == 255


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("30 days", "14 days"),
        ("Price 1,204.50 €", "Price 99 €"),
        ("3 March 2026", "28 April 2025"),
        ("Updated Mar 3, 2026", "Updated Dec 24, 2025"),
        ("3 de março de 2026", "4 de abril de 2026"),
        ("2026年3月3日", "2025年12月31日"),
        ("build a1b2c3d", "build 9f8e7d6"),
        ("３天", "１４天"),
        ("٣ مارس ٢٠٢٦", "١٤ أبريل ٢٠٢٥"),
        ("३ दिन", "१४ दिन"),
        ("3 марта 2026 г.", "14 апреля 2025 г."),
        ("3. März 2026", "14. Dez. 2025"),
        ("3 ב-מרץ", "14 ב-מרץ"),
        ("3 במרץ 2026", "14 באפריל 2025"),
        ("3 มีนาคม 2569", "14 เมษายน 2568"),
    ],
)
def test_two_fillings_of_a_place_share_their_slot(one, other):
    assert slot_text(one) == slot_text(other)
    first, second = unpack_blocks(packed(one, other))
    assert first.text != second.text
    assert first.masked == second.masked


@pytest.mark.parametrize(
    ("one", "other"), [("30 days", "30 weeks"), ("no refund", "a refund"), ("in March", "in April")]
)
def test_other_words_are_another_slot(one, other):
    assert slot_text(one) != slot_text(other)


def test_slot_text_is_linear_in_long_words():
    assert slot_text("a" * 1_000_000) == "a" * 1_000_000
    assert slot_text("a" * 1_000_000 + "1") == "#"
    assert slot_text("5 " + "é" * 1_000_000) == "# " + "é" * 1_000_000


def test_cut_off_packed_blocks_are_refused():
    with pytest.raises(BlobError, match="10 bytes"):
        unpack_blocks(b"\x00" * 10)


# ── packed diffs ─────────────────────────────────────────────────────────────


def test_a_replaced_block_is_removed_and_added_between_its_neighbours():
    diff = unpack_diff(pack_diff(packed("a", "30 days", "c"), packed("a", "14 days", "c")))
    assert (diff.old_count, diff.new_count) == (3, 3)
    removed, added = diff.changes
    assert (removed.op, removed.before, removed.after) == (BlockOp.REMOVED, anchor("a"), anchor("c"))
    assert (added.op, added.before, added.after) == (BlockOp.ADDED, anchor("a"), anchor("c"))
    assert removed.block == unpack_blocks(packed("30 days"))[0]
    assert added.block == unpack_blocks(packed("14 days"))[0]


def test_a_run_of_changed_blocks_shares_the_nearest_stable_neighbours():
    diff = unpack_diff(pack_diff(packed("a", "z"), packed("x", "a", "p", "q", "z", "y")))
    assert [(change.before, change.after) for change in diff.changes] == [
        (0, anchor("a")),
        (anchor("a"), anchor("z")),
        (anchor("a"), anchor("z")),
        (anchor("z"), 0),
    ]


def test_a_moved_block_is_no_change():
    assert unpack_diff(pack_diff(packed("a", "b", "c"), packed("c", "a", "b"))).changes == ()


def test_one_copy_fewer_is_a_change():
    (change,) = unpack_diff(pack_diff(packed("a", "b", "a"), packed("a", "b"))).changes
    assert (change.op, change.before, change.after) == (BlockOp.REMOVED, anchor("b"), 0)


def test_equal_pages_give_a_header_only():
    assert pack_diff(packed("a"), packed("a")) == bytes.fromhex("01 01000000 01000000")
    assert pack_diff(b"", b"") == bytes.fromhex("01 00000000 00000000")


def test_a_diff_longer_than_the_column_allows_is_none():
    assert len(pack_diff(b"", packed(*map(str, range(291))))) <= MAX_DIFF_BYTES
    assert pack_diff(b"", packed(*map(str, range(292)))) is None


@pytest.mark.parametrize("data", [b"", b"\x01", b"\x02" + bytes(8), b"\x01" + bytes(9)])
def test_a_damaged_diff_is_refused(data):
    with pytest.raises(BlobError):
        unpack_diff(data)


@given(st.lists(st.sampled_from("abcdef"), max_size=20), st.lists(st.sampled_from("abcdef"), max_size=20))
def test_a_diff_holds_the_multiset_difference(old, new):
    diff = unpack_diff(pack_diff(packed(*old), packed(*new)))
    changed = {op: sorted(c.block.text for c in diff.changes if c.op is op) for op in (BlockOp.REMOVED, BlockOp.ADDED)}

    def beyond(some, others):
        rest = list(others)
        left = [text for text in some if text not in rest or rest.remove(text)]
        return sorted(text_hash64(text) & 0xFFFFFFFF for text in left)

    assert changed == {BlockOp.REMOVED: beyond(old, new), BlockOp.ADDED: beyond(new, old)}
    assert (diff.old_count, diff.new_count) == (len(old), len(new))


# ── blobs ────────────────────────────────────────────────────────────────────


@given(BLOCKS)
def test_blocks_come_back_as_they_were(blocks):
    data = encode_blocks(blocks)
    assert decode_blocks(data) == tuple(blocks)
    assert encode_blocks(decode_blocks(data)) == data


@given(NORMAL_BLOCKS, st.sampled_from(["en", "pt-BR", None]))
def test_normal_blocks_come_back_as_they_were(blocks, language):
    data = encode_normal_blocks(blocks, language)
    assert decode_normal_blocks(data) == tuple(blocks)
    assert encode_normal_blocks(decode_normal_blocks(data), language) == data


def test_earlier_blocks_are_those_of_the_same_language():
    blocks = (normal_block("ontem"),)
    told, untold = encode_normal_blocks(blocks, "pt"), encode_normal_blocks(blocks, None)
    of_before = untold.replace(b',"language":null', b"")
    assert decode_earlier(told, "pt") == decode_earlier(untold, None) == decode_normal_blocks(of_before) == blocks
    assert decode_earlier(told, "en") == decode_earlier(told, None) == decode_earlier(untold, "pt") == ()
    assert decode_earlier(of_before, None) == decode_earlier(of_before, "pt") == ()


def test_a_text_that_repeats_the_one_before_it_is_stored_once():
    blocks = [
        normal_block("plain"),
        NormalBlock(text="“a 3m ago”", folded='"a 3m ago"', normal='"a ⟦time⟧"', region=Region.MAIN, path="body/p"),
    ]
    columns = json.loads(encode_normal_blocks(blocks, "en"))
    assert columns["folded"] == [[1], ['"a 3m ago"']]
    assert columns["normal"] == [[1], ['"a ⟦time⟧"']]
    assert columns["paths"] == ["body/p"]


def test_the_bytes_are_utf8_without_blanks():
    data = encode_blocks([Block(text="30 días", region=Region.MAIN, path="body/p")])
    assert data.decode() == (
        '{"v":1,"kind":"blocks","texts":["30 días"],"region":[0],"regions":["main"],"path":[0],"paths":["body/p"],"unordered":[]}'
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"v":2,"kind":"blocks"}',
        b'{"v":1,"kind":"blocks"}',
        b'{"v":1,"kind":"blocks","texts":["a"],"region":[1],"regions":["main"],"path":[0],"paths":["p"],"unordered":[]}',
        b'{"v":1,"kind":"blocks","texts":["a"],"region":[0],"regions":["moon"],"path":[0],"paths":["p"],"unordered":[]}',
        b'{"v":1,"kind":"blocks","texts":["a"],"region":[],"regions":["main"],"path":[0],"paths":["p"],"unordered":[]}',
    ],
)
def test_a_damaged_blob_is_refused(data):
    with pytest.raises(BlobError):
        decode_blocks(data)


def test_one_kind_of_blob_is_not_taken_for_the_other():
    with pytest.raises(BlobError):
        decode_normal_blocks(encode_blocks([]))
    with pytest.raises(BlobError):
        decode_blocks(encode_normal_blocks([], None))
    with pytest.raises(BlobError):
        decode_normal_blocks(b'{"v":1,"kind":"normal_blocks"}')
