"""What is volatile in words: one table of patterns a language. Another language is another file here."""

from functools import cache

from pipeline.normalize.languages.base import Language, load

__all__ = ["Language", "languages", "primary"]

_ALIASES = {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "ms": "id"}


@cache
def languages() -> tuple[Language, ...]:
    """All tables. All are always looked for; on a page of its own language a table may hold more words."""
    return load()


def primary(language: str | None) -> str:
    """The code of the table for a BCP 47 tag, empty without one: `pt-BR` gives `pt`."""
    subtag = (language or "").replace("_", "-").partition("-")[0].lower()
    code = _ALIASES.get(subtag, subtag)
    return code if any(table.code == code for table in languages()) else ""
