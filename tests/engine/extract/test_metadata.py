import pytest

from pipeline.model import FieldSpec, FieldState, FieldType

TYPES = {
    "name": FieldType.TEXT,
    "author": FieldType.TEXT,
    "date_published": FieldType.DATE,
}


def one(read, markup: str, name: str):
    (value,) = read(markup, page_type="article", fields=(FieldSpec(name=name, type=TYPES[name]),)).fields
    return value


@pytest.mark.parametrize(
    ("markup", "name", "text"),
    [
        ("<title>Anvils | The Shop</title><h1>Anvils</h1>", "name", "Anvils"),
        ("<title>Anvils | The Shop</title><h1>The Shop</h1><h1>Anvils</h1><h1>More</h1>", "name", "The Shop"),
        ("<title>Anvils and tongs | Shop</title><h1>Shop</h1><h1>Anvils and tongs</h1>", "name", "Anvils and tongs"),
        ("<title>Anvils</title><h1>An essay</h1>", "name", "An essay"),
        ("<title>Anvils</title><h1>One</h1><h1>Two</h1>", "name", "Anvils"),
        ("<meta name=author content='Ann Smith'>", "author", "Ann Smith"),
        (
            "<meta name=author content='https://a.example/ann'><a rel=author href=/ann>Ann Smith</a>",
            "author",
            "Ann Smith",
        ),
        ("<meta name=DC.creator content='A B'><meta name=DC.creator content='C D'>", "author", "A B, C D"),
        ("<span class=byline>Ann Smith</span>", "author", "Ann Smith"),
        ("<meta name=date content=2024-05-01T10:00:00Z>", "date_published", "2024-05-01T10:00:00Z"),
        ("<time datetime=2024-05-01>1 May</time>", "date_published", "2024-05-01"),
        ("<meta name=date content=1651626439><time datetime=2024-05-01>", "date_published", "2024-05-01"),
        ("<link rel=canonical href=https://a.example/2024/5/1/anvils>", "date_published", "2024-05-01"),
    ],
)
def test_what_no_structured_data_gives_is_read_from_the_page(read, markup: str, name: str, text: str) -> None:
    value = one(read, markup, name)
    assert value.text == text
    assert value.source in {"metadata", "opengraph"}


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<p>text</p>", "name"),
        ("<meta name=author content='@ann'>", "author"),
        ("<a rel=author>Ann</a><a rel=author>Bob</a>", "author"),
        (f"<span class=author>{'Ann ' * 40}</span>", "author"),
        ("<p>Published on 1 May 2024</p>", "date_published"),
    ],
)
def test_what_is_doubtful_is_missing(read, markup: str, name: str) -> None:
    assert one(read, markup, name).state is FieldState.MISSING


def test_structured_data_comes_first(read) -> None:
    markup = '<h1>Heading</h1><script type="application/ld+json">{"@type": "Article", "headline": "Data"}</script>'
    value = one(read, markup, "name")
    assert (value.text, value.source) == ("Data", "json_ld")
