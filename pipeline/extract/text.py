# ruff: noqa: RUF001 - quotes and full stops of many scripts
"""Text as a person sees it: white space folded, unprintable characters gone, long blocks cut into sentences."""

import html
import re
from collections.abc import Iterator

__all__ = ["count_words", "fold", "plain", "sentences", "words"]

LONG_BLOCK = 60
"""Characters above which a block is split into sentences, so that an edit is shown with its sentence."""

SHORT_PIECE = 12
"""A piece shorter than this with fewer than three letters stays with the next one: `4.1.`, `No.`."""

_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_INVISIBLE = " \u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")

_STOP = re.compile(
    r"""(?<![.!?…])[.!?…]++["'”’»)\]]*\s+(?=\S)"""  # needs white space after it
    r"""|(?<![。！？])[。！？]++["'”’」』）】]*(?=\S)"""  # needs none
    r"""|(?<![؟।])[؟।]++["'”’»)\]]*\s*(?=\S)"""
)
_UNSPACED_STOPS = "。！？؟।"

# What a full stop after it does not end. Missing one only splits a sentence the same way on every visit.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[/])(?:no|nos|nr|num|núm|art|arts|abs|st|dr|mr|mrs|ms|prof|vs|etc|ca|cf|al|vol|pp?|fig|sec|ch|ed"
    r"|approx|inc|ltd|co|corp|bzw|z\. ?b|u\. ?a|d\. ?h|e\. ?g|i\. ?e|sr|sra|dra|tel|max|min"
    r"|[^\W\d_]|\d{1,2}(?:\.\d{1,3})*)\.$",
    re.IGNORECASE,
)
_ABBREVIATION_REACH = 16

_UNSPACED_SCRIPT = re.compile(
    "[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)


def fold(text: str) -> str:
    """Runs of white space as one space, none at the ends; control characters and lone surrogates removed.

    A text that holds only invisible characters (zero-width marks, soft hyphens) folds to the empty string.
    """
    folded = " ".join(text.split())
    if not folded.isprintable():
        folded = " ".join(_UNPRINTABLE.sub("", folded).split())
    return folded if folded.strip(_INVISIBLE) else ""


def plain(markup: str) -> str:
    """A value of structured data as text: entities decoded, tags stripped, white space folded."""
    text = markup
    for _ in range(2):  # some sites escape their markup twice
        if "&" in text:
            text = html.unescape(text)
        if "<" in text:
            text = _TAG.sub(" ", text)
    return fold(text)


def words(table: str) -> frozenset[str]:
    """The words of a table, separated by white space."""
    return frozenset(table.split())


def count_words(text: str) -> int:
    """Words between white space; each character of a script that writes without spaces counts half."""
    if text.isascii():
        return len(text.split())
    halves = len(_UNSPACED_SCRIPT.findall(text))
    if not halves:
        return len(text.split())
    return len(_UNSPACED_SCRIPT.sub(" ", text).split()) + (halves + 1) // 2


def sentences(text: str) -> Iterator[str]:
    """The sentences of a folded block in order; a block of at most `LONG_BLOCK` characters is one piece."""
    if len(text) <= LONG_BLOCK:
        yield text
        return
    start = 0
    for stop in _STOP.finditer(text):
        end = stop.end()
        piece = text[start:end].strip()
        if _ends_sentence(text, stop) and not _too_short(piece):
            yield piece
            start = end
    yield text[start:]


def _ends_sentence(text: str, stop: re.Match[str]) -> bool:
    if stop[0][0] in _UNSPACED_STOPS:
        return True
    if text[stop.end()].islower():
        return False
    head = text[max(0, stop.start() - _ABBREVIATION_REACH) : stop.start() + 1]
    return not (stop[0][0] == "." and _ABBREVIATION.search(head))


def _too_short(piece: str) -> bool:
    return len(piece) < SHORT_PIECE and sum(map(str.isalpha, piece)) < 3  # noqa: PLR2004  (see SHORT_PIECE)
