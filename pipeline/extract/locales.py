"""How languages, countries and currencies write numbers and months, from Unicode's CLDR, as `locales.json` keeps it.

After a new babel the file is written again by `python -m pipeline.extract.babel_locales`; a test says when.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources

__all__ = ["Locales", "locales", "parts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Locales:
    """Marks are two characters: the decimal one and the one that groups thousands (`.`, `,`, `'` or a space).

    Attributes:
        marks: By `language`, and by `language-REGION` where a region differs from its language.
        territories: By country whose official languages agree.
        currencies: By currency whose countries agree.
        orders: Of day, month and year in digits (`dmy`, `mdy`, `ymd`), with the keys of `marks`.
        months: The number of a month by its name in lower case, wide and abbreviated, inflected and standing alone,
            where it means one month in all languages.
        own_months: The other names, by language: `listopad` is October or November.
    """

    marks: Mapping[str, str]
    territories: Mapping[str, str]
    currencies: Mapping[str, str]
    orders: Mapping[str, str]
    months: Mapping[str, int]
    own_months: Mapping[str, Mapping[str, int]]

    def of_language(self, language: str | None) -> str:
        """The marks of a BCP 47 tag; empty for an unknown language."""
        base, region = parts(language)
        return self.marks.get(f"{base}-{region}") or self.marks.get(base, "")

    def order(self, language: str | None) -> str:
        """The order of a date's parts; empty where it is unknown, as for English of no region."""
        base, region = parts(language)
        if base == "en" and not region:
            return ""
        return self.orders.get(f"{base}-{region}") or self.orders.get(base, "")

    def as_dict(self) -> Mapping[str, Mapping[str, object]]:
        """For JSON."""
        return asdict(self)


@cache
def locales() -> Locales:
    """The tables of all locales that babel has."""
    return Locales(**json.loads(resources.files("pipeline.extract").joinpath("locales.json").read_text("utf-8")))


def parts(language: str | None) -> tuple[str, str]:
    """The language of a BCP 47 tag in lower case and its region in upper case; either may be empty."""
    base, *rest = (language or "").replace("_", "-").split("-")
    return base.lower(), next((part.upper() for part in rest if len(part) == 2), "")  # noqa: PLR2004 - ISO 3166
