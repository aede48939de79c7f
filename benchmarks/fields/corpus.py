"""The saved pages with expected values, and what Quietdiff reads from them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.config.fieldsets import STRUCTURED_FIELDS
from pipeline.extract import extract
from pipeline.model import FieldSpec, FieldState, FieldValue, Rules

__all__ = ["Page", "Result", "of_source", "pages", "read_fields"]


@dataclass(frozen=True, slots=True)
class Page:
    """One saved page.

    Attributes:
        file: Relative to the corpus.
        url: Empty if unknown.
        expected: By whoever collected it; shape by source.
    """

    file: str
    url: str
    body: bytes
    expected: Any


@dataclass(slots=True)
class Result:
    """Right answers of one comparison, and a line for each wrong one."""

    right: int = 0
    asked: int = 0

    def count(self, *, right: bool) -> None:
        """One more answer."""
        self.asked += 1
        self.right += right

    @property
    def share(self) -> str:
        """For people."""
        return f"{self.right} of {self.asked}, {self.right / self.asked:.1%}" if self.asked else "none"


def pages(corpus: Path) -> Iterator[Page]:
    """The pages of `pages/manifest.jsonl` whose files are there, in its order."""
    base = corpus / "pages"
    for line in (base / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        path = base / row["file"]
        if path.is_file():
            yield Page(row["file"], row["url"], path.read_bytes(), row["expected"])


def of_source(corpus: Path, source: str) -> list[Page]:
    """The pages of one source."""
    return [page for page in pages(corpus) if page.file.startswith(f"{source}/")]


def read_fields(body: bytes, url: str, names: Sequence[str] | None = None) -> Mapping[str, FieldValue]:
    """The fields that have a value: the built-in ones of the page's own type, or those named."""
    fields = tuple(FieldSpec(name=name, type=STRUCTURED_FIELDS[name]) for name in sorted(names or ()))
    reading = extract(body, url=url, content_type="text/html", rules=Rules(fields=fields))
    return {value.name: value for value in reading.fields if value.state is not FieldState.MISSING}
