import pytest


def texts(reading) -> list[str]:
    return [block.text for block in reading.blocks]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>One</p><p>Two</p>", ["One", "Two"]),
        ("<p>One <b>bold</b> and <a href=/>link</a></p>", ["One bold and link"]),
        ("<p>Line<br>break</p>", ["Line break"]),
        ("<ul><li>A<li>B</ul>", ["A", "B"]),
        ("<div>before<p>inside</p>after</div>", ["before", "inside", "after"]),
        ("Save <button>Buy</button> <button>Wish</button>", ["Save", "Buy", "Wish"]),
        ("<p>caf<b>é</b>s</p>", ["cafés"]),
        ("<ruby>漢<rt>かん</rt></ruby>字", ["漢かん字"]),
        ("<p> \n </p><p>&nbsp;</p><p>x</p>", ["x"]),
        ("<p>wa<wbr>ter</p>", ["water"]),
        ("<details><summary>More</summary>Inside</details>", ["More", "Inside"]),
    ],
)
def test_blocks_are_the_leaf_texts_in_reading_order(read, markup: str, expected: list[str]) -> None:
    assert texts(read(markup)) == expected


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>var x = 'no'</script>",
        "<style>no {}</style>",
        "<noscript>no</noscript>",
        "<template><p>no</p></template>",
        "<svg><title>no</title><text>no</text></svg>",
        "<math><mi>no</mi></math>",
        "<iframe>no</iframe>",
        "<object>no</object>",
        "<canvas>no</canvas>",
        "<audio>no</audio>",
        "<video>no</video>",
        "<select><option>no</select>",
        "<datalist><option>no</datalist>",
        "<textarea>no</textarea>",
        "<input value=no>",
        "<img alt=no>",
        "<!-- no -->",
        "<p hidden>no</p>",
        "<p aria-hidden=true>no</p>",
        "<p style='color: red; DISPLAY: none'>no</p>",
        "<p style='visibility:hidden'>no</p>",
        "<p>yes <span hidden>no</span></p>",
        "<i class='material-icons'>shopping_cart</i>",
        "<span class='icon icon-cart'>cart</span>",
    ],
)
def test_what_a_person_does_not_see_is_no_text(read, hidden: str) -> None:
    assert "no" not in " ".join(texts(read(f"<p>yes</p>{hidden}"))).split()
    assert not {"shopping_cart", "cart"} & set(texts(read(f"<p>yes</p>{hidden}")))


TERMS = "The terms of this page, which go on for so long that nobody could take them for an ornament of it."


def test_what_an_open_dialog_silences_for_screen_readers_is_still_seen(read) -> None:
    dialog = '<div><div role="dialog" aria-modal="true"><p>Allow cookies?</p></div></div>'
    behind = f'<div><div aria-hidden="true"><p>{TERMS}</p></div></div><i aria-hidden="true">star</i>'
    assert texts(read(f"<body>{behind}{dialog}</body>")) == [TERMS, "Allow cookies?"]


def test_a_closed_dialog_silences_nothing_but_itself(read) -> None:
    dialog = f'<div role="dialog" aria-hidden="true"><p>{TERMS}</p></div>'
    assert texts(read(f'<body>{dialog}<p>Text.</p><div aria-hidden="true"><p>{TERMS}</p></div></body>')) == ["Text."]


def test_an_attribute_that_only_looks_like_hiding_hides_nothing(read) -> None:
    shown = "<p aria-hidden=false>a</p><p style='--display:none-x'>b</p><p hidden=until-found>c</p><p style='display:nonesuch'>d</p>"
    assert texts(read(shown)) == ["a", "b", "c", "d"]


def test_a_panel_behind_a_tab_is_text(read) -> None:
    assert texts(read("<p>Tabs</p><div role=tabpanel hidden><p>Behind the tab</p></div>")) == ["Tabs", "Behind the tab"]


def test_a_long_collapsed_text_of_the_main_content_is_text_and_a_menu_is_not(read) -> None:
    prose = "We keep your data for thirty days and then delete it. " * 5
    links = "<a href=/x>Another page of ours</a> " * 20
    page = f"<main><p>Policy</p><div hidden>{prose}</div><div hidden>{links}</div></main><div hidden>{prose}</div>"
    assert texts(read(page)) == ["Policy", *[prose.split(". ", maxsplit=1)[0] + "."] * 5]


def test_a_page_that_only_a_script_reveals_is_read_all_the_same(read) -> None:
    assert texts(read("<body><div style='visibility:hidden'><p>All of it</p></div>")) == ["All of it"]
    assert texts(read("<div style='display:none'><main><p>All of it</p></main></div><p>Loading</p>")) == [
        "All of it",
        "Loading",
    ]


def test_a_declarative_shadow_root_is_visible(read) -> None:
    assert texts(read("<x-card><template shadowrootmode=open><p>In the shadow</p></template></x-card>")) == [
        "In the shadow"
    ]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<table><tr><th>Weight</th><td>2 kg</td></tr></table>", ["Weight | 2 kg"]),
        ("<table><tr><td>a<td>b<td>c</table>", ["a | b | c"]),
        ("<table><tr><td></td><td>only</td></tr></table>", ["only"]),
        ("<table><tr><td><p>one</p><p>two</p></td><td>x</td></tr></table>", ["one", "two", "x"]),
        (f"<table><tr><td>label</td><td>{'long ' * 40}</td></tr></table>", ["label", ("long " * 40).strip()]),
        ("<table>" + "<tr>" + "<td>x</td>" * 9 + "</tr></table>", ["x"] * 9),
        ("<table><tr><td><table><tr><td>a<td>b</table></td><td>c</td></tr></table>", ["a | b | c"]),
        ("<dl><dt>Weight</dt><dd>2 kg</dd><dt>Colour</dt><dd>red</dd></dl>", ["Weight | 2 kg", "Colour | red"]),
        ("<dl><div><dt>Weight</dt><dd>2 kg</dd></div></dl>", ["Weight | 2 kg"]),
        ("<dl><dt>Sizes</dt>\n<dd>S</dd> <!-- --> <dd>M</dd></dl>", ["Sizes", "S", "M"]),
        ("<dl><dt>Empty</dt><dd></dd></dl>", ["Empty"]),
        ("<dl><dd>no term</dd></dl>", ["no term"]),
    ],
)
def test_a_label_and_its_value_are_one_block_when_short(read, markup: str, expected: list[str]) -> None:
    assert texts(read(markup)) == expected


def test_a_cell_in_another_region_stays_a_block_of_its_own(read) -> None:
    page = read("<p>x</p><table><tr><td>Label</td><td><nav>Menu</nav></td></tr></table>")
    assert texts(page) == ["x", "Label", "Menu"]


def test_the_path_is_the_block_elements_from_the_body_down(read) -> None:
    page = read("<main><section><p>a <b>b</b></p></section></main><table><tr><th>k<td>v</table>")
    assert [block.path for block in page.blocks] == ["body/main/section/p", "body/table/tbody/tr"]


def test_a_protected_address_is_decoded_in_place(read) -> None:
    # key 0x4b, then a@b.de
    encoded = bytes([0x4B, *(byte ^ 0x4B for byte in b"a@b.de")]).hex()
    page = read(
        f"<p>Write to <a data-cfemail={encoded}>[email&#160;protected]</a> now</p><p data-cfemail=zz>kept</p><a data-cfemail="
        ">too</a>"
    )
    assert texts(page) == ["Write to a@b.de now", "kept", "too"]


def test_words_are_those_of_the_whole_page_whatever_the_rules_keep(read) -> None:
    page = read("<p>one two</p><div class=x>three four five</div>", include=(".x",))
    assert texts(page) == ["three four five"]
    assert page.words == 5


HOSTILE = {
    "nested divs": ("<div>" * 100_000 + "deep", 1),
    "nested inline": ("<b>" * 100_000 + "deep", 1),
    "nested blocks of text": ("<div>x" * 100_000, 100_000),
    "nested landmarks": ("<nav>x" * 50_000, 50_000),
    "nested asides with headings": ("<aside><h1>x</h1>" * 20_000, 20_000),
    "nested tables": ("<table><tr><td>x" * 10_000, 10_000),
    "nested hidden parts": ("<p>x</p>" + "<div hidden>y" * 50_000, 1),
    "attributes": ("<p " + " ".join(f"a{i}=1" for i in range(50_000)) + ">one", 1),
    "unclosed tags": ("<p>x<table><tr><td>x<ul><li>x" * 3_000, None),
    "unclosed comments": ("<p>x</p>" + "<!--" * 100_000, 1),
    "links": ("<a href=/>x" * 50_000, 1),
    "definitions": ("<dl><dt>a" + "<dd>b<!-- -->" * 20_000, 20_001),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markup_is_read_once_through(read, name: str) -> None:
    markup, blocks = HOSTILE[name]
    page = read(markup)
    assert len(page.blocks) == blocks if blocks is not None else page.blocks
    assert max(len(block.path) for block in page.blocks) < 1000


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a\x00b\x01c", ["abc"]),
        ("<b><i>x</b>y</i>", ["xy"]),
        ("</div></p>x", ["x"]),
        ("<frameset><frame></frameset>", []),
        ("just text", ["just text"]),
        ("<p>&#xD800;&#0;&bogus;</p>", ["\ufffd\ufffd&bogus;"]),
    ],
)
def test_broken_markup_gives_the_same_text_every_time(read, markup: str, expected: list[str]) -> None:
    assert texts(read(markup)) == expected == texts(read(markup))
