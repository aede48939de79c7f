import pytest

LINKS = "<a href=/a>Alpha</a> <a href=/b>Beta</a>"


def regions(reading) -> dict[str, str]:
    return {block.text: block.region.value for block in reading.blocks}


@pytest.mark.parametrize(
    ("part", "region"),
    [
        ("<nav>x</nav>", "navigation"),
        ("<div role=navigation>x</div>", "navigation"),
        ("<ul role=menu><li>x</ul>", "navigation"),
        ("<ul role=menubar><li>x</ul>", "navigation"),
        ("<form role=search>x</form>", "navigation"),
        ("<search>x</search>", "navigation"),
        ("<header>x</header>", "header"),
        ("<div role=banner>x</div>", "header"),
        ("<footer>x</footer>", "footer"),
        ("<div role=contentinfo>x</div>", "footer"),
        ("<aside>x</aside>", "aside"),
        ("<div role=complementary>x</div>", "aside"),
        ("<dialog open>x</dialog>", "dialog"),
        ("<div role=alertdialog>x</div>", "dialog"),
        ("<div aria-modal=true>x</div>", "dialog"),
        ("<span role='bogus dialog'>x</span>", "dialog"),
        ("<div role=group>x</div>", "main"),
        ("<section>x</section>", "main"),
        ("<main><nav>x</nav></main>", "navigation"),
        ("<main><header>x</header></main>", "main"),
        ("<article><header>x</header></article>", "main"),
        ("<article><footer>x</footer></article>", "main"),
        ("<main><aside>x</aside></main>", "main"),
        ("<header><nav>x</nav></header>", "navigation"),
        ("<nav><header>x</header></nav>", "navigation"),
        ("<div role=dialog><footer>x</footer></div>", "dialog"),
        ("<footer><aside>x</aside></footer>", "footer"),
        ("<header><main>x</main></header>", "main"),
        ("<nav><div><main>x</main></div></nav>", "main"),
        ("<header><h1>x</h1></header>", "main"),
        ("<aside><h1>x</h1></aside>", "main"),
        ("<footer><div><p><b>x</b></p></div></footer>", "footer"),
    ],
)
def test_a_part_of_the_page_is_what_its_element_or_role_says(read, part: str, region: str) -> None:
    assert regions(read(f"<p>Content of the page</p>{part}"))["x"] == region


def test_an_aside_of_the_main_content_is_chrome_only_if_it_is_links(read) -> None:
    page = read(f"<main><p>Text</p><aside>200 g of flour</aside><aside>See {LINKS}</aside></main>")
    assert regions(page) == {"Text": "main", "200 g of flour": "main", "See Alpha Beta": "aside"}


def test_links_of_nested_parts_count_for_the_aside_around_them(read) -> None:
    page = read(f"<main><p>A text that is longer</p><aside>More <nav>{LINKS}</nav></aside></main>")
    assert regions(page) == {"A text that is longer": "main", "More": "aside", "Alpha Beta": "navigation"}


def test_a_part_that_holds_the_main_element_is_no_chrome(read) -> None:
    page = read("<header><p>Wrapped around the main part</p><main>Content</main></header><footer>Foot</footer>")
    assert regions(page) == {"Wrapped around the main part": "main", "Content": "main", "Foot": "footer"}


def test_a_page_that_would_be_chrome_from_end_to_end_is_content(read) -> None:
    page = read("<nav>Menu</nav><footer>Foot</footer>")
    assert set(regions(page).values()) == {"main"}


def test_a_page_with_next_to_no_content_has_it_in_its_header(read) -> None:
    page = read("<header>Shop</header><nav>Menu</nav><footer>Foot</footer>")
    assert regions(page) == {"Shop": "main", "Menu": "navigation", "Foot": "footer"}


def test_children_inherit_and_siblings_do_not(read) -> None:
    page = read("<nav><ul><li><p>in</p></ul></nav><p>out</p>")
    assert regions(page) == {"in": "navigation", "out": "main"}
