import time

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pipeline.errors import UsageError
from pipeline.model import Block, Region
from pipeline.normalize import normalize

REGIONS = st.sampled_from(Region)
LANGUAGES = st.sampled_from(["en", "es", "pt", "zh", None])

FRAGMENTS = st.sampled_from(
    [
        "3 minutes ago",
        "an hour ago",
        "5d ago",
        "yesterday",
        "just now",
        "hace 3 minutos",
        "hace más de 30 días",
        "ayer",
        "há uma hora",
        "ontem",
        "3分钟前",
        "刚刚",
        "昨天",
        "2026-03-03",
        "2026-03-03T10:00:00Z",
        "3 March 2026",
        "March 20",
        "3 de março de 2026",
        "2026年3月3日",
        "3/3/2026",
        "10:15",
        "10h15",
        "上午10:15",
        "Monday",
        "today",
        "updated",
        "Last updated:",
        "actualizado",
        "atualizado em",
        "更新",
        "发布于",
        "effective",
        "until",
        "closes",
        "生效",
        "more than",
        "up to",
        "hasta",
        "最多",
        "1,204 views",
        "Views: 7",
        "12 comments",
        "4 shares",
        "412 people viewed this",
        "浏览 1204 次",
        "23人正在浏览",
        "©",
        "Copyright",
        "(c)",
        "2026",
        "2019-2026",
        "9f8a7b6c5d4e3f2a1b",
        "k3J9xQ2mP8vL5nR7tB4w",
        "550e8400-e29b-41d4-a716-446655440000",
        "commit a1b2c3d4",
        ";jsessionid=A1B2",
        "word",
        "the",
        "on",
        "by",
        "于",
        "价格",
        "价",
        "é",
        "30 days",
        "14",
        "€ 19.90",
        "⟦time⟧",
        "⟦id⟧",
        "⟦",
        "⟧",
        ".",
        "(",
        ")",
        "Ab1/Cd2+Ef3_Gh4-Ij5/Kl6+Mn7",
    ]
)
JOINTS = st.sampled_from(["", " ", " ", " ", "-", "/", ":", ", ", " · ", ".", "+", "_"])
MIXED = st.lists(st.tuples(FRAGMENTS, JOINTS), max_size=10).map(lambda parts: "".join(a + b for a, b in parts))


def blocks_of(*texts, region=Region.MAIN):
    return [Block(text=text, region=region, path="body/p") for text in texts]


def normals(*texts, region=Region.MAIN, language="en", masks=()):
    return [block.normal for block in normalize(blocks_of(*texts, region=region), language=language, masks=masks)]


def test_a_block_keeps_its_text_region_path_and_order():
    blocks = [
        Block(text="“3 minutes  ago”", region=Region.ASIDE, path="body/aside/p", unordered=True),
        Block(text="30 days", region=Region.MAIN, path="body/main/p"),
    ]
    first, second = normalize(blocks, language="en")
    assert (first.text, first.folded, first.normal) == ("“3 minutes  ago”", '"3 minutes ago"', '"⟦time⟧"')
    assert (first.region, first.path, first.unordered) == (Region.ASIDE, "body/aside/p", True)
    assert (second.text, second.folded, second.normal, second.unordered) == ("30 days", "30 days", "30 days", False)


def test_a_block_of_nothing_visible_is_left_out():
    assert normals("a", "\u200b\u00ad", "b") == ["a", "b"]
    assert normalize([], language=None) == ()


def test_each_block_is_masked_by_its_own_words():
    texts = ["updated", "2026-03-03", "3 minutes", "ago", "updated 2026-03-03", "x", "3 minutes ago"]
    assert normals(*texts) == [*texts[:4], "updated ⟦date⟧", "x", "⟦time⟧"]


def test_a_user_mask_masks_what_it_matches_and_nothing_else():
    masks = [r"\d+ people are looking", r"(?i)ref: [a-z]{4}", "a*"]
    assert normals("Now 31 people are looking at 5 rooms", "REF: QXZP.", masks=masks) == [
        "Now ⟦user⟧ ⟦user⟧t 5 rooms",
        "⟦user⟧.",
    ]


def test_a_user_mask_sees_folded_text_and_anchors_at_its_block():
    assert normals("x", "“Ad”: shoes", "My “Ad”: shoes", masks=['^"Ad": .*$']) == ["x", "⟦user⟧", 'My "Ad": shoes']


def test_a_user_mask_never_cuts_into_a_mask():
    once = normals("31 seats", masks=[r"\d+", "[u-z]+"])
    assert once == ["⟦user⟧ seats"]
    assert normals(*once, masks=[r"\d+", "[u-z]+", "⟦"]) == once


def test_a_bad_user_mask_says_so():
    with pytest.raises(UsageError, match=r"\(\?<=x\)"):
        normals("x", masks=["(?<=x)y"])


@given(MIXED | st.text(), REGIONS, LANGUAGES)
@example("Actualizado hace más de 30 días 12 comments", Region.MAIN, "es")
@example("昨天10:15 更新", Region.MAIN, "zh")
def test_normalising_the_normal_changes_nothing(text, region, language):
    once = normals(text, region=region, language=language)
    assert normals(*once, region=region, language=language) == once


@given(MIXED, REGIONS)
def test_normalising_with_a_user_mask_twice_changes_nothing(text, region):
    masks = [r"\d+ people", "views: [0-9]+"]
    once = normals(text, region=region, masks=masks)
    assert normals(*once, region=region, masks=masks) == once


@given(st.lists(MIXED, max_size=8), REGIONS)
def test_a_block_is_normalised_alike_alone_and_among_others(texts, region):
    alone = [normal for text in texts for normal in normals(text, region=region)]
    assert normals(*texts, region=region) == alone


@given(st.lists(st.tuples(MIXED, REGIONS), max_size=8), st.lists(st.tuples(MIXED, REGIONS), max_size=8), LANGUAGES)
def test_a_page_is_normalised_alike_beside_an_earlier_text(now, before, language):
    blocks = [Block(text=text, region=region, path="body/p") for text, region in now]
    earlier = [Block(text=text, region=region, path="p", unordered=True) for text, region in [*before, *now[1:]]]
    known = normalize(earlier, language=language)
    assert normalize(blocks, language=language, earlier=known) == normalize(blocks, language=language)


def test_what_recurs_in_another_region_is_masked_for_that():
    line = "Version 2.3.1 build 4412"
    known = normalize(blocks_of(line, region=Region.FOOTER), language="en")
    [block] = normalize(blocks_of(line), language="en", earlier=known)
    assert known[0].normal != block.normal == line


def test_blocks_that_recur_stay_apart():
    """Which of two equal blocks moved is told by their identity."""
    known = normalize(blocks_of("Read more"), language="en")
    one, other = normalize(blocks_of("Read more", "Read more"), language="en", earlier=known)
    assert one == other == known[0]
    assert len({id(block) for block in (one, other, *known)}) == 3


@given(MIXED, REGIONS)
def test_a_page_that_declares_another_language_is_masked_alike(text, region):
    assert len({tuple(normals(text, region=region, language=code)) for code in ("en", "es", "pt", "zh")}) == 1


TRIGGERS = (
    *(
        "ago",
        "now",
        "yesterday",
        "last",
        "moment",
        "hace",
        "hora",
        "ayer",
        "atr",
        "pasad",
        "há",
        "ontem",
        "today",
        "day",
    ),
    *("hoy", "hoje", "lunes", "mart", "jueves", "viernes", "bado", "domingo", "feira"),
)


@given(st.text(st.characters(exclude_categories=["N", "Lo"]), max_size=80), REGIONS, LANGUAGES)
def test_a_block_without_digits_and_trigger_words_is_never_masked(text, region, language):
    assume(not any(word in text.casefold() for word in TRIGGERS))
    for block in normalize(blocks_of(text, region=region), language=language):
        assert block.normal == block.folded


WORDS = st.sampled_from(
    [
        "refund",
        "delivery",
        "customer",
        "must",
        "return",
        "goods",
        "and",
        "the",
        "of",
        "shall",
        "within",
        "notice",
        "term",
        "offer",
        "price",
    ]
)
RUNNING = st.tuples(st.lists(WORDS, min_size=8, max_size=30), st.lists(WORDS, min_size=8, max_size=30))


@given(
    RUNNING,
    st.integers(0, 99_999),
    st.integers(0, 99_999),
    st.sampled_from(
        ["{} days", "€ {}", "{} views", "{} days ago", "2026-03-{}", "updated {}", "{}:15", "© {}", "{}分钟前"]
    ),
    REGIONS,
)
def test_a_changed_number_in_running_text_always_survives(words, old, new, phrase, region):
    assume(old != new)
    before, after = (" ".join(part) for part in words)
    one, other = (f"{before} {phrase.format(number)} {after}" for number in (old, new))
    assert normals(one, region=region) != normals(other, region=region)


@pytest.mark.parametrize(
    "text", ["{} days", "Return it within {} days", "In {} days", "退货期限为{}天", "Plazo: {} días", "Prazo: {} dias"]
)
def test_thirty_days_and_fourteen_days_differ(text):
    assert normals(text.format(30)) != normals(text.format(14))


@pytest.mark.parametrize(
    "text",
    [
        "1." * 500_000,
        "3 minutes ago " * 70_000,
        "2026-03-03 " * 90_000,
        "updated " * 120_000,
        "５" * 300_000,
        "-" * 1_000_000,
    ],
)
@pytest.mark.parametrize("region", [Region.MAIN, Region.FOOTER])
def test_a_megabyte_of_anything_takes_seconds_at_most(text, region):
    started = time.process_time()
    normals(text, region=region)
    assert time.process_time() - started < 10
