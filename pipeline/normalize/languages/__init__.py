"""What is volatile in words: one table of patterns a language. Another language is another module here."""

from pipeline.normalize.languages.base import CLOCK, DATE, YEARS, Language
from pipeline.normalize.languages.en import ENGLISH
from pipeline.normalize.languages.es import SPANISH
from pipeline.normalize.languages.pt import PORTUGUESE
from pipeline.normalize.languages.zh import CHINESE

__all__ = ["CLOCK", "DATE", "LANGUAGES", "YEARS", "Language", "primary"]

LANGUAGES: tuple[Language, ...] = (ENGLISH, SPANISH, PORTUGUESE, CHINESE)
"""All are always looked for; the page's own is tried first."""


def primary(language: str | None) -> str:
    """The code of the table for a BCP 47 tag, English for a language without one: `pt-BR` gives `pt`."""
    subtag = (language or "").replace("_", "-").partition("-")[0].lower()
    return subtag if any(table.code == subtag for table in LANGUAGES) else LANGUAGES[0].code
