import math
import random
import re
import statistics

import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from pipeline.fingerprint import _token_hashes, fingerprint, simhash64
from pipeline.model import NormalBlock, Region
from pipeline.packing import UNSPACED, distance, pack_blocks, text_hash64

WORDS = st.lists(st.sampled_from(["30", "14", "days", "refund", "the", "of", "价", "格", "é"]), max_size=12)


def blocks_of(*texts):
    return [NormalBlock(text=text, folded=text, normal=text, region=Region.MAIN, path="body/p") for text in texts]


def random_words(dice, count):
    return [f"word{dice.randrange(50_000)}" for _ in range(count)]


def dice(seed):
    return random.Random(seed)  # noqa: S311  a fixed seed, no secret


def test_a_fingerprint_is_of_the_normal_texts_joined_by_line_feeds():
    block = NormalBlock(
        text="3 minutes ago", folded="3 minutes ago", normal="⟦time⟧", region=Region.MAIN, path="body/p"
    )
    blocks = [*blocks_of("Refunds within 30 days"), block]
    found = fingerprint(blocks)
    text = "Refunds within 30 days\n⟦time⟧"
    assert found.text_hash == text_hash64(text)
    assert found.simhash == simhash64(text)
    assert (found.word_count, found.block_count) == (5, 2)
    assert found.blocks == pack_blocks(blocks)


def test_the_simhash_is_the_same_in_every_process_and_on_every_machine():
    assert simhash64("") == 0
    assert simhash64("one") == 0xB07AA2AF7AC0BAF
    assert simhash64("Refunds within 30 days of delivery") == 0x8480C867543DA4A0
    assert simhash64("收到商品后三十天内可退款") == 0x38292812867B7020


def plain_simhash(words):
    """The same definition in plain integers."""
    hashes = [text_hash64(word) for word in words]
    hashes += [0] * (3 - len(hashes))
    grams = set()
    for a, b, c in zip(hashes, hashes[1:], hashes[2:], strict=False):
        gram = (a * 0x9E3779B97F4A7C15 + b * 0xBF58476D1CE4E5B9 + c * 0x94D049BB133111EB) % 2**64
        gram = (gram ^ gram >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        gram = (gram ^ gram >> 27) * 0x94D049BB133111EB % 2**64
        grams.add(gram ^ gram >> 31)
    return sum(1 << bit for bit in range(64) if 2 * sum(gram >> bit & 1 for gram in grams) > len(grams))


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=300))
def test_the_simhash_is_that_of_its_definition(words):
    assert simhash64(" ".join(words)) == plain_simhash(words)


def test_no_blocks_are_an_empty_text():
    found = fingerprint([])
    assert (found.text_hash, found.simhash, found.word_count, found.block_count, found.blocks) == (
        text_hash64(""),
        0,
        0,
        0,
        b"",
    )


@given(WORDS, WORDS)
def test_equal_text_means_equal_hash_and_the_other_way_round(one, other):
    first, second = fingerprint(blocks_of(" ".join(one))), fingerprint(blocks_of(" ".join(other)))
    assert (first.text_hash == second.text_hash) == (one == other)
    if one == other:
        assert first == second


@given(st.text())
def test_a_simhash_is_64_unsigned_bits(text):
    assert 0 <= simhash64(text) < 2**64
    assert simhash64(text) == simhash64(text)


def test_short_texts_have_different_simhashes():
    hashes = [simhash64(text) for text in ["30", "14", "30 days", "14 days", "days 30", "30 30", "价", "价格"]]
    assert len(set(hashes)) == len(hashes)
    assert 0 not in hashes


def test_the_order_of_words_counts():
    words = random_words(dice(1), 100)
    assert simhash64(" ".join(words)) != simhash64(" ".join(reversed(words)))


def test_repeating_a_text_adds_only_the_seam():
    text = " ".join(random_words(dice(2), 400))
    assert distance(simhash64(text), simhash64(f"{text} {text}")) <= 4


@pytest.mark.parametrize(
    "text",
    ["退款期限为三十天收到商品后", "เงื่อนไขการคืนเงิน", "ご返金は三十日以内です", "ເງື່ອນໄຂ", "ការសងប្រាក់", "ပြန်အမ်းငွေ"],
)
def test_each_character_of_a_script_without_spaces_is_a_token(text):
    assert simhash64(text) == simhash64(" ".join(text))


@given(
    st.text(
        st.sampled_from(
            "ab\n\t\u00a0\u3000\x1c\u2028价格ไ。アｱ\U00020000\U0003ffff\U00040000\U000f0000\ud800é’—देव한\uffff\x00"
        )
    )
)
def test_a_text_of_mixed_scripts_has_the_hashes_of_its_tokens(text):
    text = "价" + text
    tokens = re.findall(f"[{UNSPACED}]|[^\\s{UNSPACED}]+", text)
    expected = [xxhash.xxh3_64_intdigest(token.encode("utf-8", "surrogatepass")) for token in tokens]
    assert _token_hashes(text).tolist() == expected


@pytest.mark.parametrize("first", UNSPACED[::3])
def test_the_first_and_last_character_of_every_range_without_spaces_is_a_token(first):
    last = UNSPACED[UNSPACED.index(first) + 2]
    assert simhash64(f"a{first}b{last}c") == simhash64(f"a {first} b {last} c")


def test_a_script_with_spaces_is_cut_at_them():
    assert simhash64("환불 기간은 삼십 일입니다") != simhash64("환불기간은 삼십일 입니다")


def test_unrelated_texts_differ_in_half_of_the_bits():
    seeds = range(200)
    distances = [
        distance(
            simhash64(" ".join(random_words(dice(seed), 300))), simhash64(" ".join(random_words(dice(-seed - 1), 300)))
        )
        for seed in seeds
    ]
    # Binomial(64, 1/2): mean 32, standard deviation 4.
    assert abs(statistics.mean(distances) - 32) < 4 * 4 / math.sqrt(len(distances))
    assert 3.2 < statistics.stdev(distances) < 4.8


@pytest.mark.parametrize("changed", [1, 10, 30, 100])
@pytest.mark.parametrize("count", [300, 2000])
def test_a_changed_run_of_words_moves_as_many_bits_as_the_angle_between_the_texts_says(count, changed):
    """Of U 3-grams a run of m words changes m + 2: cos = 1 - (m + 2) / U, p = acos(cos) / pi, distance ~ Bin(64, p)."""
    trials = 200
    distances = []
    for seed in range(trials):
        chance = dice(seed)
        words = random_words(chance, count)
        at = chance.randrange(count - changed)
        edited = [*words[:at], *random_words(chance, changed), *words[at + changed :]]
        distances.append(distance(simhash64(" ".join(words)), simhash64(" ".join(edited))))
    p = math.acos(1 - (changed + 2) / (count - 2)) / math.pi
    standard_error = math.sqrt(64 * p * (1 - p) / trials)
    # The short form is 5-20 % high at a large m.
    assert 64 * p * 0.8 - 4 * standard_error < statistics.mean(distances) < 64 * p + 4 * standard_error


def test_one_changed_word_of_300_moves_a_few_bits():
    """3 of 298 3-grams: 2.9 bits on average, by the formula above."""
    distances = []
    for seed in range(200):
        words = random_words(dice(seed), 300)
        edited = [*words[:150], "changed", *words[151:]]
        distances.append(distance(simhash64(" ".join(words)), simhash64(" ".join(edited))))
    assert 2.4 < statistics.mean(distances) < 3.6


def test_a_bit_in_exactly_half_of_the_grams_is_zero():
    one, other = simhash64("a b c"), simhash64("b c d")
    assert simhash64("a b c d") == one & other


def test_a_text_longer_than_a_chunk_is_counted_wholly():
    words = random_words(dice(3), 70_000)
    assert simhash64(" ".join(words)) != simhash64(" ".join(words[:65_000]))
    assert distance(simhash64(" ".join(words)), simhash64(" ".join(words[:69_900]))) <= 4
