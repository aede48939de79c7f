# ruff: noqa: RUF001 - full stops of other scripts
"""Plain text as blocks: paragraphs cut into sentences, and lines that stand for themselves."""

import re

from pipeline.extract.text import fold, sentences
from pipeline.model import Block, Region

__all__ = ["line_blocks", "paragraph_blocks", "unwrapped"]

WRAPPED = 45
"""Characters from which a line was filled before it was broken, so that the next may continue it."""

WRAPPED_WORDS = 5
"""Words it has then: addresses, tables and logs are long too."""

_GAP = re.compile(r"\n[^\S\n]*\n")
_STOPS = frozenset(".!?:;…。！？|")


def line_blocks(text: str, path: str = "line") -> tuple[Block, ...]:
    """A block a line, such as of a table."""
    return _blocks(text.splitlines(), path)


def paragraph_blocks(text: str, path: str = "p") -> tuple[Block, ...]:
    """A block a sentence of running text, and a block a line of anything else."""
    parts = [line for part in _GAP.split(text.replace("\r\n", "\n")) for line in unwrapped(part.split("\n"))]
    return _blocks([sentence for part in parts for sentence in sentences(fold(part))], path)


def unwrapped(lines: list[str]) -> list[str]:
    """Lines with those joined that only the width of the text had broken: wrapped otherwise it is the same.

    A line goes on with the next one if that begins with a small letter, or if it is long running text without an end.
    """
    joined: list[str] = []
    before = ""
    for line in map(str.strip, lines):
        if joined and line and before and _continues(before, line):
            joined[-1] += f" {line}"
        elif line:
            joined.append(line)
        before = line
    return joined


def _continues(before: str, line: str) -> bool:
    if before[-1] in _STOPS or before[-1].isdigit():
        return False
    if line[0].islower():
        return "," not in before or " " in before.strip()
    return len(before) >= WRAPPED and len(before.split()) >= WRAPPED_WORDS


def _blocks(texts: list[str], path: str) -> tuple[Block, ...]:
    return tuple(Block(text=kept, region=Region.MAIN, path=path) for text in texts if (kept := fold(text)))
