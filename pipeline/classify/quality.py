"""Is this the page at all? Only good text is compared."""

from collections.abc import Collection, Mapping

from pipeline.model import FieldState, FieldValue, Quality, Version

__all__ = ["assess"]

COLLAPSE_SHARE = 0.5
"""A page with under this share of the fewest words it lately had is a stub, a shell or a broken load, not an edit.

Measured on 977 real site-days (successive fetches of terms pages): all nine documents it flagged were stubs or shells
but one, which had been split. The fewest and not the median, because some pages come and go between two forms, and both
are theirs.
"""

COLLAPSE_WORDS = 100
"""Pages shorter than this are not judged by their length."""

_MARKS: Mapping[str, Quality] = {
    "unreadable": Quality.EXTRACTION_FAILED,
    "not_text": Quality.EXTRACTION_FAILED,
    "too_large": Quality.EXTRACTION_FAILED,
    "captcha": Quality.BLOCKED,
    "block": Quality.BLOCKED,
    "login": Quality.LOGIN,
    "consent": Quality.CONSENT,
    "not_found": Quality.SOFT_404,
    "shell": Quality.SHELL,
}


def assess(
    marks: Collection[str], version: Version, reference: Version | None, usual_words: Collection[int] = ()
) -> Quality:
    """The quality of a reading, by its own marks first and then by what the page used to be.

    Args:
        marks: As in `Reading.marks`.
        version: The visit.
        reference: The page's last good visit, or None.
        usual_words: Words of earlier good visits; without any, the reference's.
    """
    for mark, quality in _MARKS.items():
        if mark in marks:
            return quality
    if not version.blocks and not any(value.state is FieldState.VALUE for value in version.fields.values()):
        return Quality.SHELL
    if reference is None:
        return Quality.GOOD
    words, had = version.fingerprint.word_count, min(usual_words, default=reference.fingerprint.word_count)
    if had >= COLLAPSE_WORDS and words < COLLAPSE_SHARE * had:
        return Quality.COLLAPSE
    if _lost_most(reference.fields, version.fields):
        return Quality.EXTRACTION_FAILED
    return Quality.GOOD


def _lost_most(reference: Mapping[str, FieldValue], fields: Mapping[str, FieldValue]) -> bool:
    """Whether most fields that had a value are missing at once: a new template or a block, not many removals."""
    had = {name for name, value in reference.items() if value.state is FieldState.VALUE}
    lost = [name for name in had if name in fields and fields[name].state is FieldState.MISSING]
    return len(lost) >= 2 and 2 * len(lost) > len(had)  # noqa: PLR2004  (one field lost is a change, not a failure)
