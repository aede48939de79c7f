# ruff: noqa: RUF001 - quotes and full stops of many scripts
"""Text as a person sees it: white space folded, unprintable characters gone, long blocks cut into sentences."""

import html
import re
from collections.abc import Iterable, Iterator

__all__ = ["LONG_BLOCK", "count_words", "fold", "plain", "sentences", "words"]

LONG_BLOCK = 60
"""Characters above which a block is split into sentences, so that an edit is shown with its sentence."""

SHORT_PIECE = 12
"""A piece shorter than this with fewer than three letters stays with the next one: `4.1.`, `No.`."""

_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_INVISIBLE = " \u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")

_CLOSED = r"""["'”’»)\]]*"""
_OTHER_STOPS = "؟۔।॥။។៕։።፧༎།᠃᱾"
"""Arabic, Urdu, Devanagari, Burmese, Khmer, Armenian, Ethiopic, Tibetan, Mongolian, Santali: they end nothing else."""

_STOP = re.compile(
    rf"(?<![.!?…])[.!?…]++{_CLOSED}\s+(?=\S)"  # needs white space after it
    r"""|(?<![。！？｡])[。！？｡]++["'”’」』）】]*(?=\S)"""  # needs none
    rf"|(?<![{_OTHER_STOPS}])[{_OTHER_STOPS}]++{_CLOSED}\s*(?=\S)"
    r"|(?<=[\u0370-\u03ff\u1f00-\u1fff]);\s+(?=\S)"  # the Greek question mark
    # Thai and Lao put a space between sentences and clauses and have no full stop; not behind an abbreviation.
    r"|(?<=[\u0e01-\u0e2e\u0e30-\u0e45\u0e47-\u0e4e\u0e81-\u0ecd])\s+(?=[\u0e01-\u0e2e\u0e40-\u0e44\u0e81-\u0ec4])"
)
_WESTERN_STOP = re.compile(rf"[.!?…]++({_CLOSED}\s+(?=\S))?")
"""The first of these alone, without a look behind, so that the search is a scan for a few characters; a run that ends
nothing is consumed, and its group is empty."""

_BEYOND_WESTERN = re.compile("[\u0370-\u1fff\u2e80-\U0010ffff]")
"""What the other stops are, or stand behind."""

_ENDINGS = frozenset("。！？｡" + _OTHER_STOPS)


def words(table: str) -> frozenset[str]:
    """The words of a table, separated by white space."""
    return frozenset(table.split())


# What a full stop after it does not end. Missing one only splits a sentence the same way on every visit.
_ABBREVIATIONS = words(
    "abs al alin approx art arts av avda bd bijv bl bzw ca cad cf ch co corp dhr dna dott dr dra ecc ed eks env es etc"
    " evtl ex fig ggf godz hlm inc inkl jl kb kl kr ltd max mevr min mio mme mmes mr mrd mrs ms např no nos np nr num"
    " núm pág pag pkt pl p pp prof sec sig sr sra st stb str tel tzn tzv ud uds ul usw vb vgl vol vs zzgl"
    " гл гр див др им кв млн млрд обл пп рис см ст стр тел тыс ул вул αρ σελ τηλ डॉ प्रो नं श्री"
)
_INITIAL_OR_NUMBER = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]|\d{1,2}(?:\.\d{1,3})*|[ก-ฮ]{1,3}")
_BEFORE_WORD = " ([/"
_ABBREVIATION_REACH = 16

_UNSPACED_SCRIPT = re.compile(
    "[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)


def fold(text: str) -> str:
    """Runs of white space as one space, none at the ends; control characters and lone surrogates removed.

    A text that holds only invisible characters (zero-width marks, soft hyphens) folds to the empty string.
    """
    folded = " ".join(text.split())
    if folded.isascii() and folded.isprintable():  # as most are: half the time
        return folded
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
    for stop in _stops(text):
        end = stop.end()
        if _ends_sentence(text, stop):
            piece = text[start:end].strip()
            if not _too_short(piece):
                yield piece
                start = end
    yield text[start:]


def _stops(text: str) -> Iterable[re.Match[str]]:
    if text.isascii() or not _BEYOND_WESTERN.search(text):
        return (stop for stop in _WESTERN_STOP.finditer(text) if stop[1])
    return _STOP.finditer(text)


def _ends_sentence(text: str, stop: re.Match[str]) -> bool:
    first = text[stop.start()]
    if first in _ENDINGS or first == " ":
        return True
    after = text[stop.end()]
    if after.islower() or (after.isdecimal() and text[stop.start() - 1 : stop.start()].isdecimal()):
        return False
    return first != "." or not _abbreviates(text, stop.start())


def _abbreviates(text: str, stop: int) -> bool:
    """Whether the word before a full stop is an abbreviation, an initial or an outline number."""
    head = text[max(0, stop - _ABBREVIATION_REACH) : stop]
    begin = max(map(head.rfind, _BEFORE_WORD))
    if begin < 0 and stop > _ABBREVIATION_REACH:
        return False
    word = head[begin + 1 :]
    return word.lower() in _ABBREVIATIONS or _INITIAL_OR_NUMBER.fullmatch(word) is not None


def _too_short(piece: str) -> bool:
    return len(piece) < SHORT_PIECE and sum(map(str.isalpha, piece)) < 3  # noqa: PLR2004  (see SHORT_PIECE)
