"""Is this the page at all? Only good text is compared."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from pipeline.model import FieldState, FieldType, FieldValue, Quality, Version
from pipeline.packing import distance

__all__ = ["Assessment", "Doubt", "Past", "assess"]

COLLAPSE_SHARE = 0.5
"""A page with under this share of the fewest words it lately had is a stub, a shell or a broken load, not an edit.

Measured on 977 real site-days (successive fetches of terms pages): all nine documents it flagged were stubs or shells
but one, which had been split. The fewest and not the median, because some pages come and go between two forms, and both
are theirs.
"""

COLLAPSE_WORDS = 100
"""Pages shorter than this are not judged by their length."""

UNFILLED_SHARE = 0.85
"""The same for a page that shows empty parts which wait to be filled."""

OTHER_SHARE = 0.5
"""A page of whose reference less than this share of the text is left is another text, not an edit of it."""

SHARED_BY = 3
"""Other pages of the site that show the very text of a page never seen before, from which it is nobody's."""

SHARED_WORDS = 150
"""Words from which a text that pages share at their first visits is an article under several addresses."""

SETTLED_VISITS = 3
SETTLED_AFTER = timedelta(hours=24)
SETTLED_BITS = 10
"""A doubtful text is believed once this many visits over at least this time showed it, at most so many bits apart."""

RESTLESS_VISITS = 5
RESTLESS_AFTER = timedelta(days=7)
"""The same for one that is never twice alike, but always about as long."""

_MARKS: Mapping[str, Quality] = {
    "too_large": Quality.EXTRACTION_FAILED,
    "garbled": Quality.EXTRACTION_FAILED,
    "captcha": Quality.BLOCKED,
    "challenge": Quality.BLOCKED,
    "block": Quality.BLOCKED,
    "waiting_room": Quality.BLOCKED,
    "login": Quality.LOGIN,
    "consent": Quality.CONSENT,
    "geo": Quality.GEO,
    "not_found": Quality.SOFT_404,
    "error_page": Quality.ERROR_PAGE,
    "parked": Quality.ELSEWHERE,
    "shell": Quality.SHELL,
    "half_rendered": Quality.HALF_RENDERED,
}
"""Marks that settle it, in the order in which they do."""

_WITHOUT_TEXT: Mapping[str, Quality] = {
    "unreadable": Quality.EXTRACTION_FAILED,
    "not_text": Quality.EXTRACTION_FAILED,
}
"""Marks that settle it unless a field could be read all the same."""


class Assessment(NamedTuple):
    """What a reading is worth, and what gave that away if it is not good."""

    quality: Quality
    sign: str | None = None


class Doubt(NamedTuple):
    """An earlier visit, since the last good one, against which only the page's past spoke.

    Attributes:
        at: When it began; None where times are not known.
    """

    at: datetime | None
    simhash: int
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What is known of a page and its surroundings when a visit is assessed.

    Attributes:
        reference: The page's last good visit, or None.
        usual_words: Words of earlier good visits; without any, the reference's.
        doubts: The doubtful visits since then, in order.
        shared_by: Pages of the site with other URLs whose last text is the very same.
        country: ISO 3166 alpha-2 that the vantage stands in, or None.
    """

    reference: Version | None = None
    usual_words: Collection[int] = ()
    doubts: Sequence[Doubt] = ()
    shared_by: int = 0
    country: str | None = None


def assess(
    marks: Collection[str], version: Version, past: Past | None = None, at: datetime | None = None
) -> Assessment:
    """The quality of a reading, by its own marks first and then by what the page used to be.

    Args:
        marks: As in `Reading.marks`.
        version: The visit.
        past: What came before; None: nothing is known.
        at: When the visit began; None where times are not known.
    """
    past = past or Past()
    for mark, quality in _MARKS.items():
        if mark in marks:
            return Assessment(quality, mark)
    if "bytes" in marks:
        return _assess_bytes(version, past, at)
    if not any(value.state is FieldState.VALUE for value in version.fields.values()):
        for mark, quality in _WITHOUT_TEXT.items():
            if mark in marks:
                return Assessment(quality, mark)
        if not version.blocks:
            return Assessment(Quality.SHELL, "shell")
    if past.reference is None:
        return _assess_first(marks, version, past)
    found = _assess_beside(marks, version, past.reference, past)
    if found.quality.doubtful and _is_settled(past.doubts, version, at):
        return Assessment(Quality.GOOD)
    return found


def _assess_bytes(version: Version, past: Past, at: datetime | None) -> Assessment:
    """A body without text is the page if the page is one; where there used to be text, it is once it has stayed."""
    had_text = past.reference is not None and bool(past.reference.blocks)
    if not had_text or _is_settled(past.doubts, version, at):
        return Assessment(Quality.GOOD)
    return Assessment(Quality.EXTRACTION_FAILED, "bytes")


def _assess_first(marks: Collection[str], version: Version, past: Past) -> Assessment:
    if "to_root" in marks:
        return Assessment(Quality.ELSEWHERE, "to_root")
    if past.shared_by >= SHARED_BY and version.fingerprint.word_count < SHARED_WORDS:
        return Assessment(Quality.ELSEWHERE, "shared_text")
    return Assessment(Quality.GOOD)


def _assess_beside(marks: Collection[str], version: Version, reference: Version, past: Past) -> Assessment:
    """The quality of a reading that looks like a page, beside what this page used to be."""
    words, had = version.fingerprint.word_count, min(past.usual_words, default=reference.fingerprint.word_count)
    long = had >= COLLAPSE_WORDS
    collapsed = long and words < COLLAPSE_SHARE * had
    if version.fingerprint.text_hash != reference.fingerprint.text_hash and _kept(reference, version) < OTHER_SHARE:
        if "to_root" in marks:
            return Assessment(Quality.ELSEWHERE, "to_root")
        if past.shared_by:
            return Assessment(Quality.ELSEWHERE, "shared_text")
        if collapsed and "password" in marks:
            return Assessment(Quality.LOGIN, "password")
        if _language(reference) != _language(version) and reference.language and version.language:
            return Assessment(Quality.GEO, "language")
    if _is_abroad(reference, version, past.country):
        return Assessment(Quality.GEO, "currency")
    if "unfilled" in marks and long and words < UNFILLED_SHARE * had:
        return Assessment(Quality.HALF_RENDERED, "unfilled")
    if collapsed:
        return Assessment(Quality.COLLAPSE, "words")
    if _lost_most(reference.fields, version.fields):
        return Assessment(Quality.EXTRACTION_FAILED, "fields")
    return Assessment(Quality.GOOD)


def _is_settled(doubts: Sequence[Doubt], version: Version, at: datetime | None) -> bool:
    """Whether a doubtful text has stayed long enough to be what the page is now (0013)."""
    made_of = version.fingerprint
    alike = [doubt for doubt in doubts if distance(doubt.simhash, made_of.simhash) <= SETTLED_BITS]
    as_long = [doubt for doubt in doubts if made_of.word_count <= 2 * doubt.words <= 4 * made_of.word_count]
    return _stayed(alike, SETTLED_VISITS, SETTLED_AFTER, at) or _stayed(as_long, RESTLESS_VISITS, RESTLESS_AFTER, at)


def _stayed(doubts: Sequence[Doubt], visits: int, span: timedelta, at: datetime | None) -> bool:
    if len(doubts) + 1 < visits:
        return False
    first = doubts[0].at
    return at is None or first is None or at - first >= span


def _kept(reference: Version, version: Version) -> float:
    """Share of the reference's text that is still there, block by block, 0..1."""
    now = {block.normal for block in version.blocks}
    total = sum(len(block.normal) for block in reference.blocks)
    return sum(len(block.normal) for block in reference.blocks if block.normal in now) / total if total else 1.0


def _language(version: Version) -> str:
    return (version.language or "").partition("-")[0].lower()


def _is_abroad(reference: Version, version: Version, country: str | None) -> bool:
    """Whether every price is in another currency, and something else says so too.

    The page's language or country is another one, or the vantage stands where the old currency is in use and the new
    one is not.
    """
    pairs = [
        (value.currency, version.fields[name].currency)
        for name, value in reference.fields.items()
        if value.type is FieldType.PRICE and value.currency and name in version.fields and version.fields[name].currency
    ]
    if not pairs or any(old == new for old, new in pairs):
        return False
    if reference.language and version.language and reference.language.lower() != version.language.lower():
        return True
    if not country:
        return False
    from babel.numbers import get_territory_currencies  # noqa: PLC0415 - 40 ms that hardly any run needs

    used = get_territory_currencies(country.upper())
    return all(old in used and new not in used for old, new in pairs)


def _lost_most(reference: Mapping[str, FieldValue], fields: Mapping[str, FieldValue]) -> bool:
    """Whether most fields that had a value are missing at once: a new template or a block, not many removals."""
    had = {name for name, value in reference.items() if value.state is FieldState.VALUE}
    lost = [name for name in had if name in fields and fields[name].state is FieldState.MISSING]
    return len(lost) >= 2 and 2 * len(lost) > len(had)  # noqa: PLR2004  (one field lost is a change, not a failure)
