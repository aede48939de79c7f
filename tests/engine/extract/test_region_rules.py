import pytest

from pipeline.extract import reading as module
from pipeline.model import FieldSpec, FieldType

PAGE = """<body><p>before</p><main><h1>Title</h1><p class=ad>advert</p><ul class=sizes><li>S<li>M</ul>
<p>line with <span class=views>412 views</span> inside</p></main><div id=extra>extra</div><p>after</p>"""


def texts(reading) -> list[str]:
    return [block.text for block in reading.blocks]


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ((), (), ["before", "Title", "advert", "S", "M", "line with 412 views inside", "extra", "after"]),
        (("main",), (), ["Title", "advert", "S", "M", "line with 412 views inside"]),
        (("main",), (".ad", "ul"), ["Title", "line with 412 views inside"]),
        (("#extra", "h1"), (), ["Title", "extra"]),
        (("main", "#extra"), ("li",), ["Title", "advert", "line with 412 views inside", "extra"]),
        ((), ("main", "#extra"), ["before", "after"]),
        (("main p",), (".views",), ["advert", "line with", "inside"]),
        ((".nowhere",), (), []),
        (
            (),
            ("[[not a selector",),
            ["before", "Title", "advert", "S", "M", "line with 412 views inside", "extra", "after"],
        ),
    ],
)
def test_only_blocks_inside_the_included_and_outside_the_excluded_count(read, include, exclude, expected) -> None:
    assert texts(read(PAGE, include=include, exclude=exclude)) == expected


def test_main_on_a_page_without_a_main_element_is_the_whole_page(read) -> None:
    assert texts(read("<p>a</p><div>b</div>", include=("main",))) == ["a", "b"]
    assert texts(read("<p>a</p><div role=main>b</div>", include=("main",))) == ["b"]


def test_blocks_of_an_unordered_list_say_so(read) -> None:
    page = read(PAGE, unordered=("ul.sizes",))
    assert [block.text for block in page.blocks if block.unordered] == ["S", "M"]


def test_article_keeps_what_trafilatura_found(read, monkeypatch) -> None:
    monkeypatch.setattr(module, "article_text", lambda markup: "Titlelinewith412viewsinside")
    assert texts(read(PAGE, include=("article",))) == ["Title", "line with 412 views inside"]
    assert texts(read(PAGE, include=("article", "#extra"))) == ["Title", "line with 412 views inside", "extra"]
    assert texts(read(PAGE, include=("article",), exclude=("h1",))) == ["line with 412 views inside"]


def test_article_falls_back_to_main_when_there_is_none(read, monkeypatch) -> None:
    monkeypatch.setattr(module, "article_text", lambda markup: None)
    assert texts(read(PAGE, include=("article",))) == texts(read(PAGE, include=("main",)))


def test_fields_are_read_outside_the_region_too(read) -> None:
    specs = (FieldSpec(name="note", type=FieldType.TEXT, css="#extra"),)
    assert read(PAGE, include=("main",), fields=specs, page_type="text").fields[0].text == "extra"
