"""`quietdiff extract`: the fields and the visible text of one saved page."""

from pathlib import Path
from typing import Any

from pipeline.classify import assess
from pipeline.cli.inputs import RulesFinder, read_saved
from pipeline.cli.output import Printer, print_json
from pipeline.cli.shown import value_words
from pipeline.codec import printed_value
from pipeline.engine import read
from pipeline.model import Quality, Reading

__all__ = ["extract_file"]


def extract_file(file: Path, *, url: str | None, rules: Path | None, as_json: bool) -> int:
    """Read one saved page and print what was found.

    Raises:
        UsageError: It cannot be read.
    """
    body = read_saved(file)
    reading, version = read(body, url=url, content_type=None, rules=RulesFinder(rules).of(), visit_no=1)
    quality = assess(reading.marks, version, None)
    if as_json:
        print_json(_as_json(reading, quality))
    else:
        _show(reading, quality)
    return 0


def _as_json(reading: Reading, quality: Quality) -> dict[str, Any]:
    return {
        "page_type": reading.page_type,
        "quality": quality,
        "fields": {
            value.name: {
                "type": value.type,
                "state": value.state,
                "value": printed_value(value),
                "raw": value.raw,
                "source": value.source,
            }
            for value in reading.fields
        },
        "blocks": [{"text": block.text, "region": block.region} for block in reading.blocks],
    }


def _show(reading: Reading, quality: Quality) -> None:
    printer = Printer()
    printer.line(("page type ", "dim"), reading.page_type, ("  quality ", "dim"), quality)
    if reading.fields:
        rows = [(value.name, value.type, value_words(value), value.source) for value in reading.fields]
        printer.line("")
        printer.table(("field", "type", "value", "source"), rows, fold=["value", "source"])
    printer.line("")
    printer.table(("region", "text"), [(block.region, block.text) for block in reading.blocks], fold=["text"])
