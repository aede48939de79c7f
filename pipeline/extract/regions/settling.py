"""From hints to regions, with the whole page known: how much of it a part is, how much of that is links or text."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.extract.parts import Hint, Part, Piece
from pipeline.extract.regions.telling import find_consent, find_copyright, find_related
from pipeline.model import Region

__all__ = ["settle"]

PROSE_SHARE = 0.75
"""The main container is looked for downwards while one child holds this share of its parent's running text."""

MAIN_SHARE = 0.5
"""A `main` element is the main container if it holds this share of the page's running text."""

HEADING_REACH = 1.6
"""The container is widened to the `h1` above it, if that makes it at most this much longer."""

BIG_SHARE = 0.5
BIG_PROSE_SHARE = 0.4
BIG_PROSE = 400
"""A part with more than this share of the page, or of its running text in characters, is no chrome by its name."""

LANDMARK_SHARE = 0.7
"""Share of the page from which not even a `nav` or dialog is chrome."""

RELATED_SHARE = 0.85
POPUP_SHARE = 0.6
POPUP_PROSE_SHARE = 0.2
"""Shares of the page, and of its running text, from which what is named so is no list of other pages or pop-up."""

LINK_DENSE = 0.3
"""Share of characters inside links from which a part of the main content is a list of links."""

LINK = 0.8
LINK_WORDS = 25
"""A block that is a link, and no longer than this, outside the content or after its end is navigation."""

END_WORDS = 12
"""Words of the block of running text after which the content can have ended."""

SHORT_WORDS = 4
"""A block with fewer words outside the main container is a label of something there."""

LISTED = 3
"""Blocks from which a side column without a single link is a list of the page's own, not teasers."""

LITTLE = 120
LITTLE_SHARE = 0.2
"""Content shorter than both, in characters and as a share of the page, says that weak evidence was wrong."""

_LOOSE = frozenset({Region.HEADER, Region.FOOTER, Region.ASIDE})
_OWN = frozenset({Region.NAVIGATION, Region.RELATED, Region.CONSENT, Region.DIALOG})
"""Within the first, the second are still themselves; elsewhere a part is what the part around it is."""

_WHOLE = frozenset({"", "html", "body"})
_FOOTERS = Hint.FOOTER | Hint.FOOTER_ROLE
"""A main container that is the page, or holds its footer, leaves next to nothing outside of itself; there, landmarks
are what they say."""

_NAMED_ROWS = frozenset({"h1", "h2", "td", "th", "tr", "dd", "dt", "dl"})


def settle(parts: Sequence[Part], pieces: Sequence[Piece]) -> None:
    """Give every part and every piece its region.

    Args:
        parts: In order of opening, all closed; the first holds the whole page.
        pieces: In reading order.
    """
    if not parts or not pieces:
        return
    page = parts[0]
    container = _main_container(parts)
    for part in parts:
        part.inside = part is container or (part.parent is not None and part.parent.inside)
    whole = any(part.inside and part.hints & _FOOTERS and not part.in_article for part in parts)
    whole = whole or container.tag in _WHOLE
    for part in parts:
        outer = part.parent.region if part.parent else None
        part.region = outer
        if part.hints and part.start < part.end and (outer is None or outer in _LOOSE):
            own = _region_of(part, page, whole=whole)
            if outer is None or own in _OWN:
                part.region = own
    find_related(pieces, page)
    find_consent(pieces, page)
    weak = _settle_pieces(pieces)
    content = sum(len(piece.text) for piece in pieces if piece.region is Region.MAIN)
    if content < LITTLE and content < LITTLE_SHARE * page.measures.text:
        for piece in weak:
            piece.region = Region.MAIN


def _main_container(parts: Sequence[Part]) -> Part:
    """The part that holds the page's own subject."""
    page = parts[0]
    prose = page.measures.prose
    declared = [part for part in parts if part.hints & Hint.MAIN and part.measures.prose >= MAIN_SHARE * prose]
    if declared:
        return declared[-1]
    found = page
    for part in parts[1:]:
        if part.parent is found and prose and part.measures.prose >= PROSE_SHARE * found.measures.prose:
            found = part
    wider: Part | None = found
    while wider is not None and not wider.measures.headings:
        wider = wider.parent
    if wider is not None and wider.measures.text <= HEADING_REACH * found.measures.text:
        return wider
    return found


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A part beside the whole page.

    Attributes:
        share: Of the page's text, 0..1; `prose_share` of its running text.
        big: So much of the page that its name makes it no chrome.
        subject: Holds the heading or the main element.
        outside: Outside of the main container; `landmark` where landmarks are what they say.
    """

    part: Part
    share: float
    prose_share: float
    big: bool
    subject: bool
    outside: bool
    landmark: bool

    @property
    def dense(self) -> bool:
        """A list of links rather than text."""
        return self.part.link_share > LINK_DENSE

    def claims(self, by_tag: int, by_words: int, *, dense: bool) -> bool:
        """Whether it is what it says: by its tag where landmarks stand, by its names only outside the content."""
        hints = self.part.hints
        return bool((hints & by_tag and (self.landmark or dense)) or (hints & by_words and (self.outside or dense)))


def _region_of(part: Part, page: Part, *, whole: bool) -> Region | None:
    """The region that a part's own hints give it; the first rule whose conditions hold.

    Conditions and shares are those of the tables in docs/detection.md, checked on the labelled pairs and on 138 real
    pages whose main text is known.
    """
    measures = part.measures
    share = measures.text / max(1, page.measures.text)
    prose_share = measures.prose / max(1, page.measures.prose)
    outside = not (part.inside or part.in_article)
    weighed = _Weighed(
        part,
        share=share,
        prose_share=prose_share,
        big=share > BIG_SHARE or (prose_share > BIG_PROSE_SHARE and measures.prose > BIG_PROSE) or measures.mains > 0,
        subject=measures.headings > 0 or measures.mains > 0,
        outside=outside,
        landmark=outside or (whole and not part.in_article),
    )
    return _layer_or_list(weighed) or (None if weighed.big else _landmark(weighed))


def _layer_or_list(weighed: _Weighed) -> Region | None:
    """What may be much of a page and is no subject of its own: layers over it, menus, lists of other pages."""
    hints, measures, outside = weighed.part.hints, weighed.part.measures, weighed.outside
    if hints & Hint.LIVE and outside and not weighed.big:  # inside, shops announce the price of another variant so
        return Region.ASIDE
    asks = outside or measures.buttons > 0 or measures.links > 0  # a cookie policy names its parts so, too
    if hints & Hint.CONSENT_WORDS and not weighed.big and not weighed.subject and asks:
        return Region.CONSENT
    if hints & (Hint.DIALOG | Hint.NAVIGATION) and not measures.mains and weighed.share < LANDMARK_SHARE:
        return Region.DIALOG if hints & Hint.DIALOG else Region.NAVIGATION
    if weighed.subject:
        return None
    related = weighed.share < RELATED_SHARE and weighed.prose_share < BIG_PROSE_SHARE
    if hints & Hint.RELATED_WORDS and related and (weighed.dense or (measures.text < 80 and outside)):  # noqa: PLR2004
        return Region.RELATED
    popup = weighed.share < POPUP_SHARE and weighed.prose_share < POPUP_PROSE_SHARE
    if popup and (hints & Hint.POPUP_WORDS or (hints & Hint.NOTICE_WORDS and outside)):
        return Region.DIALOG
    return None


def _landmark(weighed: _Weighed) -> Region | None:
    """What stands around the subject of a page: footer, header, side columns, and what their like hold."""
    part, outside, dense = weighed.part, weighed.outside, weighed.dense
    hints, measures = part.hints, part.measures
    if hints & Hint.FOOTER_ROLE or weighed.claims(Hint.FOOTER, Hint.FOOTER_WORDS, dense=dense):
        return Region.FOOTER
    if weighed.subject:
        return None
    listed = not measures.links and part.end - part.start >= LISTED  # recipes keep their ingredients in an aside
    if not listed and weighed.claims(Hint.ASIDE, Hint.ASIDE_WORDS, dense=dense):
        return Region.ASIDE
    if weighed.claims(Hint.HEADER, Hint.HEADER_WORDS, dense=False):
        return Region.HEADER
    menu = part.link_share > 0.5 or (measures.text < 40 and outside)  # noqa: PLR2004
    shares = dense or measures.buttons or (measures.text < 200 and outside)  # noqa: PLR2004
    if (hints & Hint.NAVIGATION_WORDS and menu) or (hints & Hint.SOCIAL_WORDS and shares):
        return Region.NAVIGATION
    if hints & Hint.COUNTER_WORDS and measures.text < 120 and part.end - part.start <= 2:  # noqa: PLR2004
        return Region.ASIDE
    return None


def _settle_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces take their part's region, or one by their own shape; those whose evidence is weak are given back."""
    for piece in pieces:
        piece.region = piece.part.region or Region.MAIN
    end = _end_of_content(pieces)
    find_copyright(pieces)
    weak = []
    for index, piece in enumerate(pieces):
        if piece.region is not Region.MAIN:
            if piece.region in {Region.ASIDE, Region.HEADER}:
                weak.append(piece)
            continue
        if not piece.part.inside and piece.words < SHORT_WORDS and not _names_a_row(piece):
            piece.region = Region.ASIDE
            weak.append(piece)
        elif piece.link_share >= LINK and piece.words <= LINK_WORDS and (not piece.part.inside or index > end):
            piece.region = Region.NAVIGATION
            weak.append(piece)
    return weak


def _names_a_row(piece: Piece) -> bool:
    return piece.part.tag in _NAMED_ROWS or (piece.part.tag == "li" and piece.link_share < 0.2)  # noqa: PLR2004


def _end_of_content(pieces: Sequence[Piece]) -> int:
    """Index of the last block of running text of the content; a list of links before it belongs to it."""
    return max(
        (
            index
            for index, piece in enumerate(pieces)
            if piece.words >= END_WORDS
            and piece.link_share < LINK_DENSE
            and piece.region is Region.MAIN
            and piece.part.inside
        ),
        default=len(pieces),
    )
