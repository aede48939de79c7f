"""The visible text of a page as leaf blocks in reading order.

One walk over the tree with a stack of its own: 100,000 nested tags cost no more than 100,000 in a row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from turbohtml import CData, DocumentFragment, Element, Node, Text

from pipeline.extract.parts import NOTHING, PROSE_LINK_SHARE, PROSE_WORDS, Hint, Part, Piece
from pipeline.extract.regions import hints_of, settle
from pipeline.extract.text import count_words, fold, sentences, words
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


@dataclass(frozen=True, slots=True)
class _Place:
    """What the few noteworthy elements hand down to everything inside them."""

    inside_content: bool = False
    included: bool = True
    excluded: bool = False
    unordered: bool = False
    revealed: bool = False


@dataclass(slots=True)
class _Row:
    """A table row being read: whether each cell so far gave at most one block and says nothing of its own."""

    simple: bool = True


_Close = tuple[Element, Part, str, _Place, _Row | None]
"""Stands on the stack where an element ends: the element, its part, and what held before it."""

_END_LINK = ()
"""Stands on the stack where a link ends."""

_TEXTS = (Text, CData)


def read_pieces(root: Element, marked: Mapping[Element, Mark], *, restricted: bool) -> list[Piece]:
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
        Block(
            text=piece.text,
            region=Region.MAIN if all_chrome else piece.region,
            path=piece.path,
            unordered=piece.unordered,
        )
        for piece in pieces
        if piece.included and not piece.excluded
    )


class _Walk:
    def __init__(self, marked: Mapping[Element, Mark], *, restricted: bool, see_hidden: bool) -> None:
        self.marked = marked
        self.see_hidden = see_hidden
        self.text = self.linked_text = self.prose = self.headings = self.mains = self.buttons = 0
        self.parts = [Part("", None, Hint.NOTHING, 0, NOTHING)]
        self.part = self.parts[0]
        self.pieces: list[Piece] = []
        self.texts: list[str] = []
        self.linked = 0
        self.stack: list[Node | _Close | tuple[()]] = []
        self.place = _Place(included=not restricted)
        self.path = ""
        self.depth = 0
        self.links = 0
        self.row: _Row | None = None
        self.term = -1
        self.is_html = True

    def run(self, root: Element) -> list[Piece]:
        stack = self.stack
        self.is_html = root.tag == "html"
        self._push(root)
        while stack:
            node = stack.pop()
            if isinstance(node, _TEXTS):
                self._text(node.data)
            elif isinstance(node, Element):
                self._open(node)
            elif isinstance(node, tuple):
                if node:
                    self._close(*node)
                else:
                    self.links -= 1
            elif isinstance(node, DocumentFragment):
                self._push(node)
        self._flush()
        self._shut(self.part)
        settle(self.parts, self.pieces)
        return self.pieces

    def _push(self, node: Node) -> None:
        self.stack.extend(node.children[::-1])

    def _text(self, data: str) -> None:
        if data.isspace():  # between two tags mostly
            if self.texts:
                self.texts.append(" ")
            return
        self.texts.append(data)
        if self.links:
            self.linked += len(data.strip())

    def _open(self, element: Element) -> None:
        tag = element.tag
        if tag in SKIPPED and not (tag == "template" and element.attr("shadowrootmode")):
            return
        if tag in _OF_THE_HEAD and self.is_html:
            return
        mark = self.marked.get(element)
        if mark is None:
            if tag in INLINE:
                self._open_inline(element, tag)
            else:
                self._open_part(element, tag, None)
        elif not mark & Mark.HIDDEN or self._seen(element, tag):
            if mark & Mark.MAIL and (address := mail_address(element)):
                self._text(address)
            elif tag in INLINE and not mark & BOUNDARY:
                self._open_inline(element, tag)
            else:
                self._open_part(element, tag, mark)

    def _seen(self, element: Element, tag: str) -> bool:
        place = self.place
        return self.see_hidden or (
            not place.revealed and kept_though_hidden(element, tag, inside_content=place.inside_content)
        )

    def _open_inline(self, element: Element, tag: str) -> None:
        if tag == "br":
            self.texts.append(" ")
        elif tag == "a":
            self.links += 1
            self.stack.append(_END_LINK)
            self._push(element)
        elif not (tag in {"i", "span"} and is_icon(element)):
            self._push(element)

    def _open_part(self, element: Element, tag: str, mark: Mark | None) -> None:
        """A boundary: what follows is another block, until `_close` restores what held before."""
        if self.texts:
            self._flush()
        hints = hints_of(element, tag, has_role=mark is not None and bool(mark & Mark.ROLE))
        totals = (self.text, self.linked_text, self.prose, self.headings, self.mains, self.buttons)
        part = Part(tag, self.part, hints, len(self.pieces), totals, self.part.in_article or tag == "article")
        self.parts.append(part)
        self.stack.append((element, part, self.path, self.place, self.row))
        self.part = part
        if tag == "h1":
            self.headings += 1
        elif tag == "button":
            self.buttons += 1
        elif hints & Hint.MAIN:
            self.mains += 1
        if self.depth < PATH_DEPTH:
            self.path = f"{self.path}/{tag}" if self.path else tag
        self.depth += 1
        if tag == "tr":
            self.row = _Row()
        elif self.row and hints:
            self.row.simple = False
        if mark or hints & Hint.MAIN or tag == "article":
            self._enter(mark or Mark(0), part)
        self._push(element)

    def _enter(self, mark: Mark, part: Part) -> None:
        place = self.place
        self.place = _Place(
            inside_content=place.inside_content or part.in_article or bool(part.hints & Hint.MAIN),
            included=place.included or bool(mark & Mark.INCLUDED),
            excluded=place.excluded or bool(mark & Mark.EXCLUDED),
            unordered=place.unordered or bool(mark & Mark.UNORDERED),
            revealed=place.revealed or bool(mark & Mark.HIDDEN),
        )

    def _shut(self, part: Part) -> None:
        part.closed = (self.text, self.linked_text, self.prose, self.headings, self.mains, self.buttons)
        part.end = len(self.pieces)

    def _close(self, element: Element, part: Part, path: str, place: _Place, row: _Row | None) -> None:
        if self.texts:
            self._flush()
        added = len(self.pieces) - part.start
        tag = part.tag
        if tag not in _JOINED:
            pass
        elif tag in {"td", "th"}:
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
        self._shut(part)
        self.part = part.parent or self.part
        self.path, self.place, self.row = path, place, row
        self.depth -= 1

    def _join(self, start: int, part: Part) -> None:
        """Make one block of the last ones, a label and its value, if they are short and lie in one place."""
        pieces = self.pieces[start:]
        text = _JOINT.join(piece.text for piece in pieces)
        if len(pieces) < 2 or len(text) > PAIR_LENGTH:  # noqa: PLR2004  (one block is joined already)
            return
        first = pieces[0]
        if all(map(first.likens, pieces)):
            links = sum(piece.link_share * len(piece.text) for piece in pieces) / len(text)
            words = sum(piece.words for piece in pieces)
            self.pieces[start:] = [replace(first, text=text, part=part, path=self.path, words=words, link_share=links)]

    def _flush(self) -> None:
        text = fold("".join(self.texts))
        self.texts.clear()
        linked, self.linked = self.linked, 0
        if not text:
            return
        place = self.place
        share = min(1.0, linked / len(text))
        part, path, included = self.part, self.path, place.included
        words = 0
        for sentence in sentences(text):
            count = count_words(sentence)
            words += count
            self.pieces.append(Piece(sentence, part, path, count, share, included, place.excluded, place.unordered))
        self.text += len(text)
        self.linked_text += min(linked, len(text))
        if words >= PROSE_WORDS and share < PROSE_LINK_SHARE:
            self.prose += len(text)


def _next_tag(element: Element) -> str | None:
    sibling = element.next_sibling
    while sibling is not None and not isinstance(sibling, Element):
        sibling = sibling.next_sibling
    return sibling.tag if sibling is not None else None
