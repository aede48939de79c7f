"""The visible text of a page as leaf blocks in reading order.

One walk over the tree with a stack of its own: 100,000 nested tags cost no more than 100,000 in a row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from turbohtml import CData, DocumentFragment, Element, Node, Text

from pipeline.extract.regions import LANDMARKS, Zone, claim, settle_zones
from pipeline.extract.text import fold, sentences, words
from pipeline.extract.view import BOUNDARY, Mark, is_icon, kept_though_hidden, mail_address
from pipeline.model import Block, Region

__all__ = ["INLINE", "SKIPPED", "Piece", "read_pieces", "to_blocks"]

SKIPPED = words(
    "script style noscript template svg math iframe object embed canvas audio video select datalist textarea input head"
)
"""Elements whose content is not read as text of the page."""

INLINE = words(
    "a abbr acronym b bdi bdo big br cite code data del em font i ins kbd label mark nobr q rb rp rt ruby s samp small"
    " span strike strong sub sup time tt u var wbr img"
)
"""Elements that continue the text around them; every other element is a boundary before and after."""

PATH_DEPTH = 50
"""Tags a path holds at most, so that the paths of a deep tree stay linear together."""

PAIR_LENGTH = 160
"""Characters up to which the cells of a row, or a term and its definition, are one block."""

ROW_CELLS = 8
"""Cells up to which a row is one block."""

_JOINT = " | "
_NOTEWORTHY = frozenset(LANDMARKS) | {"article", "h1"}


@dataclass(slots=True)
class Piece:
    """A block before its region is settled.

    Attributes:
        included: Lies inside what the rules include.
        excluded: Lies inside what they exclude, which outweighs the other.
    """

    text: str
    zone: Zone
    path: str
    included: bool
    excluded: bool
    unordered: bool

    def likens(self, other: "Piece") -> bool:
        """Whether everything but the text and its path is the same."""
        mine = (self.zone, self.included, self.excluded, self.unordered)
        return mine == (other.zone, other.included, other.excluded, other.unordered)


@dataclass(frozen=True, slots=True)
class _Place:
    """What the few noteworthy elements hand down to everything inside them."""

    zone: Zone
    inside_content: bool = False
    included: bool = True
    excluded: bool = False
    unordered: bool = False
    revealed: bool = False


@dataclass(slots=True)
class _Row:
    """A table row being read: where it starts, and whether each cell so far gave at most one block."""

    start: int
    simple: bool = True


@dataclass(slots=True)
class _Close:
    """Stands on the stack where an element ends, with what held before it."""

    element: Element
    tag: str
    start: int
    path: str
    place: _Place
    row: _Row | None


class _EndLink:
    """Stands on the stack where a link ends."""


_END_LINK = _EndLink()


def read_pieces(root: Element, marked: Mapping[Element, Mark], *, restricted: bool) -> list[Piece]:
    """Every visible block below `root`, with settled zones.

    Where nothing at all is visible the hidden parts are read instead: such a page is shown by a script.
    """
    pieces = _Walk(marked, restricted=restricted, see_hidden=False).run(root)
    if not pieces and any(mark & Mark.HIDDEN for mark in marked.values()):
        pieces = _Walk(marked, restricted=restricted, see_hidden=True).run(root)
    return pieces


def to_blocks(pieces: Sequence[Piece]) -> tuple[Block, ...]:
    """The kept pieces as blocks. Of a page that is chrome from end to end none is: all of it is `main`."""
    all_chrome = all(piece.zone.region is not Region.MAIN for piece in pieces)
    return tuple(
        Block(
            text=piece.text,
            region=Region.MAIN if all_chrome else piece.zone.region,
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
        self.pieces: list[Piece] = []
        self.parts: list[str] = []
        self.stack: list[Node | _Close | _EndLink] = []
        self.zones = [Zone(Region.MAIN, None, inside_content=False)]
        self.place = _Place(self.zones[0], included=not restricted)
        self.path = ""
        self.depth = 0
        self.links = 0
        self.row: _Row | None = None
        self.term = -1

    def run(self, root: Element) -> list[Piece]:
        stack = self.stack
        self._push(root)
        while stack:
            node = stack.pop()
            if isinstance(node, Text | CData):
                self._text(node.data)
            elif isinstance(node, Element):
                self._open(node)
            elif isinstance(node, _Close):
                self._close(node)
            elif isinstance(node, _EndLink):
                self.links -= 1
            elif isinstance(node, DocumentFragment):
                self._push(node)
        self._flush()
        settle_zones(self.zones)
        return self.pieces

    def _push(self, node: Node) -> None:
        self.stack.extend(node.children[::-1])

    def _text(self, data: str) -> None:
        self.parts.append(data)
        length = len(data.strip())
        self.place.zone.text += length
        if self.links:
            self.place.zone.links += length

    def _open(self, element: Element) -> None:
        tag = element.tag
        if tag in SKIPPED and not (tag == "template" and element.attr("shadowrootmode")):
            return
        mark = self.marked.get(element)
        if mark is None:
            if tag in INLINE:
                self._open_inline(element, tag)
            else:
                self._open_boundary(element, tag)
                if tag in _NOTEWORTHY:
                    self._enter(element, tag, Mark(0))
        elif not mark & Mark.HIDDEN or self._seen(element, tag):
            if mark & Mark.MAIL and (address := mail_address(element)):
                self._text(address)
            elif tag in INLINE and not mark & BOUNDARY:
                self._open_inline(element, tag)
            else:
                self._open_boundary(element, tag)
                self._enter(element, tag, mark)

    def _seen(self, element: Element, tag: str) -> bool:
        place = self.place
        return self.see_hidden or (
            not place.revealed and kept_though_hidden(element, tag, inside_content=place.inside_content)
        )

    def _open_inline(self, element: Element, tag: str) -> None:
        if tag == "br":
            self.parts.append(" ")
        elif tag == "a":
            self.links += 1
            self.stack.append(_END_LINK)
            self._push(element)
        elif not (tag in {"i", "span"} and is_icon(element)):
            self._push(element)

    def _open_boundary(self, element: Element, tag: str) -> None:
        self._flush()
        self.stack.append(_Close(element, tag, len(self.pieces), self.path, self.place, self.row))
        if self.depth < PATH_DEPTH:
            self.path = f"{self.path}/{tag}" if self.path else tag
        self.depth += 1
        if tag == "tr":
            self.row = _Row(len(self.pieces))
        self._push(element)

    def _enter(self, element: Element, tag: str, mark: Mark) -> None:
        """Change what holds from here on; `_close` restores it."""
        place = self.place
        zone = place.zone
        claimed = claim(element, tag, has_role=bool(mark & Mark.ROLE))
        if claimed is not None:
            zone = Zone(claimed, zone, inside_content=place.inside_content)
            self.zones.append(zone)
        elif tag == "h1":
            zone.holds_h1()
        self.place = _Place(
            zone,
            inside_content=place.inside_content or claimed is Region.MAIN or tag == "article",
            included=place.included or bool(mark & Mark.INCLUDED),
            excluded=place.excluded or bool(mark & Mark.EXCLUDED),
            unordered=place.unordered or bool(mark & Mark.UNORDERED),
            revealed=place.revealed or bool(mark & Mark.HIDDEN),
        )

    def _close(self, close: _Close) -> None:
        self._flush()
        added = len(self.pieces) - close.start
        if close.tag in {"td", "th"}:
            if self.row and added > 1:
                self.row.simple = False
        elif close.tag == "tr":
            if self.row and self.row.simple and added <= ROW_CELLS:
                self._join(close.start)
        elif close.tag == "dt":
            self.term = close.start if added == 1 else -1
        elif close.tag == "dd" and added == 1 and self.term == close.start - 1 >= 0:
            self.term = -1
            if _next_tag(close.element) != "dd":
                self._join(close.start - 1)
        if self.place is not close.place and (inner := self.place.zone) is not (outer := close.place.zone):
            outer.text += inner.text
            outer.links += inner.links
        self.path, self.place, self.row = close.path, close.place, close.row
        self.depth -= 1

    def _join(self, start: int) -> None:
        """Make one block of the last ones, a label and its value, if they are short and lie in one place."""
        pieces = self.pieces[start:]
        first = pieces[0] if pieces else None
        text = _JOINT.join(piece.text for piece in pieces)
        if first is None or len(pieces) == 1 or len(text) > PAIR_LENGTH:
            return
        if all(map(first.likens, pieces)):
            self.pieces[start:] = [replace(first, text=text, path=self.path)]

    def _flush(self) -> None:
        if not self.parts:
            return
        text = fold("".join(self.parts))
        self.parts.clear()
        if text:
            place = self.place
            for sentence in sentences(text):
                piece = Piece(sentence, place.zone, self.path, place.included, place.excluded, place.unordered)
                self.pieces.append(piece)


def _next_tag(element: Element) -> str | None:
    sibling = element.next_sibling
    while sibling is not None and not isinstance(sibling, Element):
        sibling = sibling.next_sibling
    return sibling.tag if sibling is not None else None
