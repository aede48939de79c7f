"""docs/glossary.md lists every reason that an outcome can have."""

import ast
import re
from pathlib import Path

from pipeline.fetch.connection import _ROOTS
from pipeline.model import KINDS_OF_BLOCK, Quality

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition("## Reasons of an outcome")[2]
LISTED = {
    word
    for row in re.findall(r"^\| (`.*?) \|", TABLE, re.MULTILINE)
    for word in re.findall(r"`(\w+)`", row)
}  # fmt: skip


def raised():
    """The words with which fetching ends an attempt, as its code has them."""
    for file in (ROOT / "pipeline" / "fetch").glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = ast.unparse(call.func)
            words = [argument.value for argument in call.keywords if argument.arg == "reason"]
            if name in {"Fault", "Fault.refused"}:
                words += call.args[:1]
            yield from (
                word.value
                for word in words
                if name in {"Fault", "Fault.refused", "Ending"} and isinstance(word, ast.Constant)
            )


def test_every_reason_is_listed_and_no_other():
    possible = {*raised(), *(word for word, _ in _ROOTS), *(set(Quality) - {Quality.GOOD}), *KINDS_OF_BLOCK}
    assert {"too_large", "timeout", "redirect_loop", "vantage"} <= possible
    assert LISTED - {"http_NNN"} == possible
    assert "http_NNN" in LISTED
