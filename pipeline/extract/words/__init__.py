"""What shops and pages write around a value, by language: one file, `CODE.toml`, for each.

A new language is a new file. A value is phrases separated by `|`, in lower case; `#` stands for a number, `*` for any
one word or none. All languages count on all pages, because pages quote other languages; the phrases of the page's own
come first, and those of a table `TOPIC_own` count on pages in that language only.

Tables and keys:
    price: `free`; `from` before a lowest price, `onward` behind it, `upto` before a highest; `to` between two ends, or
        `joint` behind `between`; `was` before a price that no longer holds, `instead` behind it; `now` before the one
        that holds; `save` before an amount taken off, `off` behind it, `cut` on either side; `per` between a price and
        a `unit`, `base` before a price for a unit; `request` where the price is told on request; `instalment`;
        `shipping`; `plus` before what is added; `net` beside a price without tax; `sub` a hundredth; `e3` to `e9`
        powers of ten.
    stock: schema.org's words by their names; `not` denies what follows; `none` says nothing of now: a date,
        a condition, a question.
    time: `day`, `hour`, `minute`, `second`, `week` in all forms, and `and` between two of them.
    truth: `true` and `false`.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

__all__ = ["tables"]


@cache
def tables() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """All tables by language code, then topic, then key."""
    files = sorted(resources.files("pipeline.extract.words").iterdir(), key=lambda file: file.name)
    return {
        file.name.removesuffix(".toml"): tomllib.loads(file.read_text(encoding="utf-8"))
        for file in files
        if file.name.endswith(".toml")
    }
