"""The visible text of a page as leaf blocks in reading order.

One walk over the tree with a stack of its own: 100,000 nested tags cost no more than 100,000 in a row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from turbohtml import CData, DocumentFragment, Element, Node, Text

from pipeline.extract.parts import NOTHING, PROSE_LINK_SHARE, PROSE_WORDS, Hint, Part, Piece, Place, Totals
from pipeline.extract.regions import hints_of, settle
from pipeline.extract.text import LONG_BLOCK, count_words, fold, sentences, words
from pipeline.extract.view import BOUNDARY, Mark, is_icon, kept_though_hidden, mail_address
from pipeline.model import Block, Region

__all__ = ["INLINE", "SKIPPED", "read_pieces", "to_blocks"]

SKIPPED = words(
    "script style noscript template svg math iframe object embed canvas audio video select datalist textarea input head"
    " noembed noframes rp"
)
"""Elements whose content is not read as text of the page."""

_OF_THE_HEAD = words("title base link meta param")
"""Never shown of an HTML page, wherever they stand (HTML 15.3.1); in XML they are elements like any other."""

INLINE = words(
    "a abbr acronym b bdi bdo big br cite code data del em font i ins kbd label mark nobr q rb rt ruby s samp small"
    " span strike strong sub sup time tt u var wbr img"
)
"""Elements that continue the text around them; every other element is a boundary before and after."""

_JOINED = frozenset({"td", "th", "tr", "dt", "dd"})

PATH_DEPTH = 50
"""Tags a path holds at most, so that the paths of a deep tree stay linear together."""

PAIR_LENGTH = 160
"""Characters up to which the cells of a row, or a term and its definition, are one block."""

ROW_CELLS = 8
"""Cells up to which a row is one block."""

_JOINT = " | "


@dataclass(slots=True)
class _Row:
    """A table row being read: whether each cell so far gave at most one block and says nothing of its own."""

    simple: bool = True


_Close = tuple[Element, Part, _Row | None]
"""Stands on the stack where an element ends: the element, its part, and the row that was read before it."""

_END_LINK = ()
"""Stands on the stack where a link ends."""


def read_pieces(root: Element, marked: Mapping[Element, int], *, restricted: bool) -> list[Piece]:
    """Every visible block below `root`, with its region.

    Where nothing at all is visible the hidden parts are read instead: such a page is shown by a script.
    """
    pieces = _Walk(marked, restricted=restricted, see_hidden=False).run(root)
    if not pieces and any(mark & Mark.HIDDEN for mark in marked.values()):
        pieces = _Walk(marked, restricted=restricted, see_hidden=True).run(root)
    return pieces


def to_blocks(pieces: Sequence[Piece]) -> tuple[Block, ...]:
    """The kept pieces as blocks. Of a page that is chrome from end to end none is: all of it is `main`."""
    all_chrome = all(piece.region is not Region.MAIN for piece in pieces)
    return tuple(
        Block(piece.text, Region.MAIN if all_chrome else piece.region, piece.part.path, piece.place.unordered)
        for piece in pieces
        if piece.place.included and not piece.place.excluded
    )


class _Walk:
    def __init__(self, marked: Mapping[Element, int], *, restricted: bool, see_hidden: bool) -> None:
        self.marked = marked
        self.see_hidden = see_hidden
        self.totals: Totals = NOTHING
        self.part = Part("", None, Hint.NOTHING, 0, NOTHING, "", Place(included=not restricted))
        self.parts = [self.part]
        self.pieces: list[Piece] = []
        self.texts: list[str] = []
        self.linked = 0
        self.stack: list[Node | _Close | tuple[()]] = []
        self.depth = 0
        self.links = 0
        self.row: _Row | None = None
        self.term = -1
        self.is_html = True

    def run(self, root: Element) -> list[Piece]:
        stack, texts = self.stack, self.texts
        self.is_html = root.tag == "html"
        stack += root.children[::-1]
        while stack:
            node = stack.pop()
            if isinstance(node, Text):
                if not (data := node.data).isspace():
                    self._text(data)
                elif texts:  # between two tags mostly
                    texts.append(" ")
            elif isinstance(node, Element):
                self._open(node)
            elif isinstance(node, tuple):
                if node:
                    self._close(*node)
                else:
                    self.links -= 1
            elif isinstance(node, CData):
                self._text(node.data)
            elif isinstance(node, DocumentFragment):
                stack += node.children[::-1]
        self._flush()
        self._shut(self.part)
        settle(self.parts, self.pieces)
        return self.pieces

    def _text(self, data: str) -> None:
        self.texts.append(data)
        if self.links:
            self.linked += len(data.strip())

    def _open(self, element: Element) -> None:
        tag = element.tag
        if tag in SKIPPED and not (tag == "template" and element.attr("shadowrootmode")):
            return
        if tag in _OF_THE_HEAD and self.is_html:
            return
        mark = self.marked.get(element, Mark.NOTHING)
        if mark & Mark.HIDDEN and not self._seen(element, tag):
            return
        if mark & Mark.MAIL and (address := mail_address(element)):
            self._text(address)
        elif tag in INLINE and not mark & BOUNDARY:
            self._open_inline(element, tag)
        else:
            self._open_part(element, tag, mark)

    def _seen(self, element: Element, tag: str) -> bool:
        place = self.part.place
        return self.see_hidden or (
            not place.revealed and kept_though_hidden(element, tag, inside_content=place.inside_content)
        )

    def _open_inline(self, element: Element, tag: str) -> None:
        if tag == "br":
            self.texts.append(" ")
        elif tag == "a":
            self.links += 1
            self.stack.append(_END_LINK)
            self.stack += element.children[::-1]
        elif not (tag in {"i", "span"} and is_icon(element)):
            self.stack += element.children[::-1]

    def _open_part(self, element: Element, tag: str, mark: int) -> None:
        """A boundary: what follows is another block, until `_close` restores what held before."""
        if self.texts:
            self._flush()
        outer = self.part
        hints = hints_of(element, tag, has_role=bool(mark & Mark.ROLE))
        in_article = outer.in_article or tag == "article"
        path = outer.path
        if self.depth < PATH_DEPTH:
            path = f"{path}/{tag}" if path else tag
        place = outer.place
        if mark or hints & Hint.MAIN or tag == "article":
            place = _inside(place, mark, content=in_article or bool(hints & Hint.MAIN))
        part = Part(tag, outer, hints, len(self.pieces), self.totals, path, place, in_article)
        self.part = part
        self.parts.append(part)
        self.depth += 1
        self.stack.append((element, part, self.row))
        if tag == "tr":
            self.row = _Row()
        elif self.row and hints:
            self.row.simple = False
        if tag in {"h1", "button"} or hints & Hint.MAIN:
            self._count(tag)
        self.stack += element.children[::-1]

    def _count(self, tag: str) -> None:
        text, links, prose, headings, mains, buttons = self.totals
        if tag == "h1":
            headings += 1
        elif tag == "button":
            buttons += 1
        else:
            mains += 1
        self.totals = text, links, prose, headings, mains, buttons

    def _shut(self, part: Part) -> None:
        part.closed = self.totals
        part.end = len(self.pieces)

    def _close(self, element: Element, part: Part, row: _Row | None) -> None:
        if self.texts:
            self._flush()
        if part.tag in _JOINED:
            self._close_joined(element, part)
        self._shut(part)
        self.part = part.parent or part
        self.row = row
        self.depth -= 1

    def _close_joined(self, element: Element, part: Part) -> None:
        added = len(self.pieces) - part.start
        tag = part.tag
        if tag in {"td", "th"}:
            if self.row and added > 1:
                self.row.simple = False
        elif tag == "tr":
            if self.row and self.row.simple and added <= ROW_CELLS:
                self._join(part.start, part)
        elif tag == "dt":
            self.term = part.start if added == 1 else -1
        elif tag == "dd" and added == 1 and self.term == part.start - 1 >= 0:
            self.term = -1
            if _next_tag(element) != "dd":
                self._join(part.start - 1, part)

    def _join(self, start: int, part: Part) -> None:
        """Make one block of the last ones, a label and its value, if they are short and lie in one place."""
        pieces = self.pieces[start:]
        text = _JOINT.join(piece.text for piece in pieces)
        if len(pieces) < 2 or len(text) > PAIR_LENGTH:  # noqa: PLR2004  (one block is joined already)
            return
        first = pieces[0]
        if all(first.place.likens(piece.place) for piece in pieces):
            links = sum(piece.link_share * len(piece.text) for piece in pieces) / len(text)
            words = sum(piece.words for piece in pieces)
            self.pieces[start:] = [Piece(text, part, words, links, first.place)]

    def _flush(self) -> None:
        text = fold("".join(self.texts))
        self.texts.clear()
        linked, self.linked = self.linked, 0
        if not text:
            return
        length = len(text)
        linked = min(linked, length)
        share = linked / length
        part = self.part
        words = 0
        for sentence in sentences(text) if length > LONG_BLOCK else (text,):
            count = count_words(sentence)
            words += count
            self.pieces.append(Piece(sentence, part, count, share, part.place))
        all_text, all_links, all_prose, headings, mains, buttons = self.totals
        if words >= PROSE_WORDS and share < PROSE_LINK_SHARE:
            all_prose += length
        self.totals = all_text + length, all_links + linked, all_prose, headings, mains, buttons


def _inside(around: Place, mark: int, *, content: bool) -> Place:
    """What holds inside an element with these marks; `content` if it is the main element or in an article."""
    return Place(
        inside_content=around.inside_content or content,
        included=around.included or bool(mark & Mark.INCLUDED),
        excluded=around.excluded or bool(mark & Mark.EXCLUDED),
        unordered=around.unordered or bool(mark & Mark.UNORDERED),
        revealed=around.revealed or bool(mark & Mark.HIDDEN),
    )


def _next_tag(element: Element) -> str | None:
    sibling = element.next_sibling
    while sibling is not None and not isinstance(sibling, Element):
        sibling = sibling.next_sibling
    return sibling.tag if sibling is not None else None
