"""Regions by names, links, headings and place: what is chrome on a page of ordinary length."""

import pytest

TEXT = "<h1>Terms of use</h1>" + "".join(
    f"<p>Clause {n}. The customer shall notify the seller of any defect in writing without undue delay.</p>"
    for n in range(12)
)
LINKS = "".join(f"<li><a href=/{n}>Another story number {n}</a></li>" for n in range(6))


def region_of(read, markup: str, text: str) -> str:
    return next(block.region.value for block in read(markup).blocks if text in block.text)


@pytest.mark.parametrize(
    ("part", "region"),
    [
        ("<div class='main-menu'><a href=/>mark</a></div>", "navigation"),
        ("<div id=breadcrumbs>mark</div>", "navigation"),
        ("<div class='siteFooter'>About us. mark</div>", "footer"),
        ("<div class='sidebar-left'>A few words about mark</div>", "aside"),
        ("<div class=masthead>mark</div>", "header"),
        ("<div class='share-buttons'>mark</div>", "navigation"),
        ("<div class='related-posts'><a href=/x>mark</a></div>", "related"),
        ("<div class='cookie-banner'>We use cookies, mark</div>", "consent"),
        ("<div id=onetrust-consent-sdk><p>mark</p><button>Accept</button></div>", "consent"),
        ("<div class='newsletter-signup'>Get our letters, mark</div>", "dialog"),
        ("<div class='ad-slot'>mark</div>", "dialog"),
        ("<div aria-live=polite>mark</div>", "aside"),
        ("<div class='view-count'>mark</div>", "aside"),
        ("<p>© 2024 mark Ltd.</p>", "footer"),
        ("<div>mark</div>", "aside"),  # a label outside of the main container
    ],
)
@pytest.mark.parametrize("main", ["<main>{}</main>", "<div class=page>{}</div>"])
def test_a_part_beside_the_content_is_what_its_names_and_shape_say(read, part: str, region: str, main: str) -> None:
    page = f"<body>{main.format(TEXT)}{part}</body>"
    if region == "aside" and part == "<div>mark</div>" and "main" not in main:
        page = page.replace("<body>", "<body><p>Some shop</p>")  # so that the container is not the whole page
    assert region_of(read, page, "mark") == region


@pytest.mark.parametrize(
    "part",
    [
        "<div class='footer-note'>The clauses of mark apply to every order of a customer.</div>",
        "<div class='alert'>Important: the office of mark closes on 3 March.</div>",
        "<div class='widget'>The delivery of mark takes three days at most.</div>",
        "<header>Part one of the terms of mark</header>",
        "<section class='cookies'><p>We keep cookies for 30 days, says mark.</p></section>",
        "<ul class='categories-of-data'><li>Name and address of mark in plain text</li></ul>",
        "<p>Your account with mark ends with the contract.</p>",
        "<div class='promo-price'>mark 79.00 EUR</div>",
        "<div class='subscription-plan'>mark: 10 euros a month</div>",
        "<div class='share-price'>mark 189.20</div>",
        "<div role=status id=price-1>mark 89.00</div>",
    ],
)
def test_names_alone_make_no_chrome_of_running_text_inside_the_content(read, part: str) -> None:
    assert region_of(read, f"<main>{TEXT}{part}{TEXT}</main>", "mark") == "main"


@pytest.mark.parametrize(
    "heading",
    [
        "Related articles", "You may also like", "Das könnte Sie auch interessieren", "À lire aussi",
        "Noticias relacionadas", "Leia também", "Leggi anche", "Lees ook", "Läs också", "Czytaj także",
        "Читайте также", "関連記事", "相关阅读", "관련 기사", "مقالات ذات صلة", "บทความที่เกี่ยวข้อง", "Baca juga",
    ],
)  # fmt: skip
def test_a_list_of_links_under_such_a_heading_is_related_in_any_language(read, heading: str) -> None:
    page = f"<main>{TEXT}<div><h3>{heading}</h3><ul>{LINKS}</ul></div>{TEXT}</main>"
    assert region_of(read, page, "number 3") == "related"
    assert region_of(read, page, heading) == "related"


def test_a_list_of_links_under_another_heading_before_the_end_of_the_content_is_content(read) -> None:
    page = f"<main>{TEXT}<div><h3>Annexes</h3><ul>{LINKS}</ul></div>{TEXT}</main>"
    assert region_of(read, page, "number 3") == "main"


def test_links_after_the_end_of_the_content_are_navigation(read) -> None:
    assert region_of(read, f"<main>{TEXT}<ul>{LINKS}</ul></main>", "number 3") == "navigation"


def test_a_consent_layer_is_known_by_its_words_and_its_button_and_a_policy_is_not(read) -> None:
    layer = "<div><p>We use cookies to improve this site.</p><div><button>Accept all</button></div></div>"
    policy = "<div><p>We use cookies to keep you signed in.</p><p>They expire after a day.</p></div>"
    page = f"<body><div>{TEXT}{policy}</div>{layer}</body>"
    assert region_of(read, page, "improve") == "consent"
    assert region_of(read, page, "signed in") == "main"


def test_a_consent_layer_reaches_no_further_than_its_button(read) -> None:
    layer = "<div><p>We use cookies.</p><button>OK</button></div>"
    page = f"<body><div>{TEXT}</div><div>{layer}<p>The price of the anvil is 89 euros today.</p></div></body>"
    assert region_of(read, page, "anvil") == "main"


def test_an_aside_between_header_and_footer_of_one_wrapper_is_chrome(read) -> None:
    page = f"<div><aside>Flash sale until the 8th of October, save 70</aside><section>{TEXT}</section><footer>x</footer></div>"
    assert region_of(read, page, "Flash") == "aside"


def test_a_side_column_that_is_a_list_without_links_is_content(read) -> None:
    steps = "<p>Stir the flour into the milk and leave it for an hour before you bake it.</p>" * 6
    page = f"<body><aside><ul><li>200 g flour<li>3 eggs<li>1 l milk</ul></aside><main><h1>Pancakes</h1>{steps}</main></body>"
    assert region_of(read, page, "eggs") == "main"


def test_a_title_element_in_the_body_is_never_shown(read) -> None:
    page = read(f"<body><main>{TEXT}</main><title>Terms of use | Shop</title></body>")
    assert not any("Shop" in block.text for block in page.blocks)


def test_ten_thousand_headings_inside_each_other_take_time_in_proportion(read) -> None:
    page = read("<div class=related><h3>Related <a href=/>x</a>" * 10_000)
    assert page.blocks
