"""The text of a PDF, read by pypdf in a process of its own that can be killed."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.extract.plain import unwrapped
from pipeline.extract.text import fold, sentences
from pipeline.extract.workers import run
from pipeline.model import Block, Region

__all__ = ["Pdf", "read_pdf"]

WAIT_S = 30.0

RUNNING = 3
"""Pages on which a first or last line has to stand, numbers apart, to be a running head or foot."""

RUNNING_SHARE = 0.5
"""Share of the pages on which it has to."""

_DIGITS = re.compile(r"\d+")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n(?=[^\W\d_])")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdf:
    """What was read of a PDF.

    Attributes:
        blocks: In the order of its pages; empty if it holds pictures of text, None if it could not be read in time.
    """

    blocks: tuple[Block, ...] | None
    title: str | None = None
    language: str | None = None


def read_pdf(body: bytes, *, wait_s: float = WAIT_S) -> Pdf:
    """The sentences and lines of a PDF, running heads and feet as such."""
    read = run("pipeline.extract.pdf_pages", body, wait_s=wait_s)
    if not read or not isinstance(read[0], dict):
        return Pdf(blocks=None)
    facts, pages = read[0], [[str(line) for line in page if fold(str(line))] for page in read[1:]]
    running = _running(pages)
    blocks: list[Block] = []
    for page in pages:
        blocks += _page_blocks(page, running)
    language = str(facts.get("language") or "")
    return Pdf(
        blocks=tuple(blocks),
        title=fold(str(facts.get("title") or "")) or None,
        language=language if _LANGUAGE.fullmatch(language) else None,
    )


def _page_blocks(page: Sequence[str], running: frozenset[str]) -> list[Block]:
    edges = {index for index in (0, len(page) - 1) if page and _shape(page[index]) in running}
    blocks = []
    for index in sorted(edges):
        region = Region.HEADER if index == 0 else Region.FOOTER
        blocks.append(Block(text=fold(page[index]), region=region, path="pdf/edge"))
    lines = [line for index, line in enumerate(page) if index not in edges]
    text = _BROKEN_WORD.sub("", "\n".join(map(str.strip, lines)))
    for part in unwrapped(text.split("\n")):
        blocks += [Block(text=text, region=Region.MAIN, path="pdf/p") for text in sentences(fold(part)) if text]
    return blocks


def _running(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    edges = Counter(shape for page in pages if page for shape in {_shape(page[0]), _shape(page[-1])})
    least = max(RUNNING, RUNNING_SHARE * len(pages))
    return frozenset(shape for shape, count in edges.items() if count >= least)


def _shape(line: str) -> str:
    return _DIGITS.sub("#", fold(line))
