"""What differs between two loads of a noisy page though nothing has happened."""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from html import escape
from importlib.resources import files

__all__ = ["noise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The noise of one language, from `html/noise.json`.

    Attributes:
        ages: Singular and plural pattern of a past time by unit (`minute`, `hour`).
        items: Members of the shuffled list.
        ads: Seven texts. The first ad shown moves on by one each second, and neither a day nor half an hour
            is a multiple of seven seconds, so that daily visits never see the same one twice running.
    """

    ages: Mapping[str, tuple[str, str]]
    items: tuple[str, ...]
    ads: tuple[str, ...]


def noise(page: str, language: str, now: datetime) -> dict[str, str]:
    """The volatile parts of a page at an instant, safe in HTML; equal instants give equal parts.

    Returns:
        `age` ("3 minutes ago"), `clock` ("2026-03-02 09:00:00 UTC"), `token` (32 hex digits), `ads` (two
        `<p>`) and `items` (a shuffled list's `<li>`).
    """
    words = load_words()[language]
    dice = random.Random(f"{page} {now.isoformat()}")  # noqa: S311 - repeatable noise, no secret
    unit, most = dice.choice((("minute", 59), ("hour", 9)))
    count = dice.randint(1, most)
    first = words.ads[int(now.timestamp()) % len(words.ads)]
    second = dice.choice([ad for ad in words.ads if ad != first])
    items = dice.sample(words.items, len(words.items))
    return {
        "age": words.ages[unit][count != 1].format(count),
        "clock": f"{now:%Y-%m-%d %H:%M:%S} UTC",
        "token": f"{dice.getrandbits(128):032x}",
        "ads": "\n".join(f"<p>{escape(ad)}</p>" for ad in (first, second)),
        "items": "\n".join(f"<li>{escape(item)}</li>" for item in items),
    }


@cache
def load_words() -> Mapping[str, Words]:
    """The words of each language."""
    text = files("pipeline.demo").joinpath("html", "noise.json").read_text(encoding="utf-8")
    return {
        language: Words(
            ages={unit: (one, many) for unit, (one, many) in words["ages"].items()},
            items=tuple(words["items"]),
            ads=tuple(words["ads"]),
        )
        for language, words in json.loads(text).items()
    }
