"""RSS and Atom as text: an item is its title with its date, then what it says, sentence by sentence.

What every load or every new item changes of itself is left out: the dates of the feed, the dates on which items were
merely touched, addresses, identifiers, numbers of comments.
"""

from collections.abc import Iterator

from turbohtml import CData, Document, Element, Text

from pipeline.extract.text import fold, plain, sentences
from pipeline.model import Block, Region

__all__ = ["ITEMS", "feed_blocks"]

ITEMS = 2000
"""Items of a feed that are read."""

_ROOTS = frozenset({"rss", "feed", "rdf"})
_ITEMS = frozenset({"item", "entry"})
_TITLE = frozenset({"title"})
_DATE = frozenset({"pubdate", "published", "date", "issued"})
_TEXT = ("encoded", "content", "description", "summary")
"""What an item says, the fullest first."""

_OF_THE_FEED = frozenset({"title", "description", "subtitle"})


def feed_blocks(document: Document) -> tuple[Block, ...] | None:
    """The blocks of a feed, in the order of its items; None if it is none."""
    root = document.root
    if root is None or _name(root) not in _ROOTS:
        return None
    channel = next((child for child in _elements(root) if _name(child) == "channel"), root)
    blocks: list[Block] = []
    for child in _elements(channel):
        if _name(child) in _OF_THE_FEED:
            blocks += _sentences(_text(child), f"feed/{_name(child)}")
    items = [child for place in {id(channel): channel, id(root): root}.values() for child in _elements(place)]
    for item in [child for child in items if _name(child) in _ITEMS][:ITEMS]:
        blocks += _item_blocks(item)
    return tuple(blocks)


def _item_blocks(item: Element) -> Iterator[Block]:
    texts: dict[str, str] = {}
    for child in _elements(item):
        text = plain(_text(child))
        if text:
            texts.setdefault(_name(child), text)
    head = [next((texts[name] for name in texts if name in names), "") for names in (_TITLE, _DATE)]
    title = " | ".join(filter(None, head))
    if title:
        yield Block(text=title, region=Region.MAIN, path="item")
    said = next((texts[name] for name in _TEXT if name in texts), "")
    if said and said != head[0]:
        yield from _sentences(said, "item/text")


def _sentences(text: str, path: str) -> Iterator[Block]:
    for sentence in sentences(plain(text)):
        if sentence := fold(sentence):
            yield Block(text=sentence, region=Region.MAIN, path=path)


def _text(element: Element) -> str:
    """All text inside, also what is quoted as CDATA."""
    return "".join(node.data for node in element.descendants if isinstance(node, Text | CData))


def _elements(parent: Element) -> Iterator[Element]:
    return (child for child in parent.children if isinstance(child, Element))


def _name(element: Element) -> str:
    """The local name in lower case."""
    return element.tag.rpartition(":")[2].lower()
