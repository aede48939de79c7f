"""JSON-LD: blocks of JSON in script elements, as standardised and as sites get it wrong."""

import json
import re
from decimal import Decimal

from turbohtml import Document

from pipeline.extract.mending import mend
from pipeline.extract.structured.nodes import Item, Source, Value, make_source, things

__all__ = ["json_ld", "load_json"]

_GAP = re.compile(r"\s*")


def load_json(text: str) -> list[Value]:
    """Every JSON value in a text, numbers as exact decimals.

    Raises:
        ValueError: It is no JSON, or is nested too deeply to be read.
    """
    decoder = json.JSONDecoder(parse_float=Decimal, parse_int=Decimal, parse_constant=lambda _: None, strict=False)
    values: list[Value] = []
    at = 0
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            values.append(value)
            at = _GAP.match(text, at).end()  # type: ignore[union-attr]  # it matches everywhere
    except (RecursionError, ArithmeticError) as error:
        raise ValueError(str(error)) from error
    return values


def json_ld(document: Document) -> Source:
    """The things of every block that can be read; a block that had to be mended marks its things as repaired."""
    items: list[Item] = []
    for script in document.select('script[type*="ld+json" i]'):
        text = script.text.strip()
        repaired = False
        try:
            blocks = load_json(text)
        except ValueError:
            try:
                blocks, repaired = load_json(mend(text)), True
            except ValueError:
                continue
        items += things(blocks, repaired=repaired)
    return make_source("json_ld", items)
