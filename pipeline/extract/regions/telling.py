"""What no element says and the text itself tells: a list under "Read also", a consent layer, a copyright line."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import Any

from pipeline.extract.parts import Part, Piece
from pipeline.extract.regions.phrases import CONSENT_TOPIC, CONSENT_VERB, COPYRIGHT_SIGN, RELATED_HEADING
from pipeline.model import Region

__all__ = ["find_consent", "find_copyright", "find_related"]

HEADING_WORDS = 12
"""Words a heading over related pages has at most; `LONE_WORDS` when only its place says that it is one."""
LONE_WORDS = 8

LONG_PAGE = 1500
"""Characters of a page from which a part may hold only a smaller share of it."""

LAYER_LENGTH = 4000
"""Characters of a consent layer at most; a list of related pages may be six times its heading longer."""

LABEL_WORDS = 5
LABELS = 40
"""Words of a button's label at most, and labels of a consent layer among which a word of agreement is looked for."""

COPYRIGHT_WORDS = 15
"""Words of a copyright line at most."""

_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\b\d+(?:\.\d+){1,3}\b")
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6", "dt", "legend"})


def find_related(pieces: Sequence[Piece], page: Part) -> None:
    """Mark the parts that start with a heading such as "Read also" and hold mostly links."""
    heads = [index for index, piece in enumerate(pieces) if piece.part.region is None and _may_head(piece)]
    for found in _lines_with(RELATED_HEADING, [pieces[index].text for index in heads]):
        index = heads[found]
        piece = pieces[index]
        if piece.part.region is None:
            best = _widest(index, piece, page)
            if best is not None and _is_list_of_links(best, page):
                _mark(best, pieces, Region.RELATED)


def _lines_with(pattern: Any, texts: Sequence[str]) -> Iterator[int]:
    """Indexes of the texts in which a pattern matches: one search of all, as folded texts hold no line feed."""
    ends = list(accumulate(len(text) + 1 for text in texts))
    at = -1
    for match in pattern.finditer("\n".join(texts)):
        index = bisect_right(ends, match.start())
        if index != at:
            at = index
            yield index


def _may_head(piece: Piece) -> bool:
    if piece.words > HEADING_WORDS or piece.part.tag == "h1":
        return False
    alone = piece.part.end - piece.part.start <= 1
    return piece.part.tag in _HEADINGS or (piece.words <= LONE_WORDS and alone)


def _widest(index: int, piece: Piece, page: Part) -> Part | None:
    """The widest part around a heading that still starts with it."""
    share = 0.35 if page.measures.text > LONG_PAGE else 0.7
    best = None
    for part in _around(piece.part.parent):
        long = part.measures.text > LAYER_LENGTH + 6 * len(piece.text)
        if part.start < index - 1 or (part.start < index and long) or part.measures.text > share * page.measures.text:
            break
        if part.measures.headings or part.measures.mains or part.tag in {"body", "main"}:
            break
        if part.end - part.start > 1:
            best = part
    return best


def _is_list_of_links(part: Part, page: Part) -> bool:
    count = part.end - part.start
    share = part.link_share
    short = count >= 4 and part.measures.text < 160 * count  # noqa: PLR2004
    return share > 0.35 or (share > 0.08 and short and part.measures.text < 0.15 * page.measures.text)  # noqa: PLR2004


def find_consent(pieces: Sequence[Piece], page: Part) -> None:
    """Mark the smallest parts that speak of cookies and hold a button to agree; without one it is a cookie policy."""
    share = 0.45 if page.measures.text > LONG_PAGE else 1.0
    longest = min(LAYER_LENGTH, share * page.measures.text)
    free = [piece for piece in pieces if piece.part.region is None]
    for found in _lines_with(CONSENT_TOPIC, [piece.text for piece in free]):
        piece = free[found]
        if piece.part.region is None:
            for part in _around(piece.part):
                measures = part.measures
                if part is page or measures.text > longest or measures.headings or measures.mains:
                    break
                if measures.buttons and _has_verb(part, pieces):
                    _mark(part, pieces, Region.CONSENT)
                    break


def _has_verb(part: Part, pieces: Sequence[Piece]) -> bool:
    labels = (piece.text for piece in pieces[part.start : part.end] if piece.words <= LABEL_WORDS)
    return CONSENT_VERB.search("\n".join(islice(labels, LABELS))) is not None


def _around(part: Part | None) -> Iterator[Part]:
    while part is not None:
        yield part
        part = part.parent


def _mark(part: Part, pieces: Sequence[Piece], region: Region) -> None:
    """Give a part and all that no other region holds in it this region."""
    for piece in pieces[part.start : part.end]:
        for inner in _around(piece.part):
            if inner.region is region:  # so is all around it, up to the part
                break
            if inner.region is None:
                inner.region = region
            if inner is part:
                break


def find_copyright(pieces: Sequence[Piece]) -> None:
    """Mark the short lines with a copyright sign or word and a year or version that no region holds."""
    free = [piece for piece in pieces if piece.region is Region.MAIN and piece.words <= COPYRIGHT_WORDS]
    for found in _lines_with(COPYRIGHT_SIGN, [piece.text for piece in free]):
        if _YEAR.search(free[found].text):
            free[found].region = Region.FOOTER
