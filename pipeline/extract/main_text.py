"""The main text of a page as trafilatura finds it, in a process of its own that can be killed.

A page can make the extractor slow without bound: many attributes on one tag cost quadratic time.
"""

import re

from pipeline.extract.workers import run

__all__ = ["article_text", "squeezed"]

WAIT_S = 20.0
LONGEST_MARKUP = 3_000_000
"""Characters; a longer page is not given to trafilatura at all."""

_SPACE = re.compile(r"[\s|]+")  # and what separates cells, here and there


def article_text(markup: str, *, wait_s: float = WAIT_S) -> str | None:
    """The article's text as `squeezed` writes it, to look blocks up in; None if none was found in time."""
    if len(markup) > LONGEST_MARKUP:
        return None
    lines = run("pipeline.extract.article", markup.encode(), wait_s=wait_s)
    return squeezed("".join(map(str, lines or ()))) or None


def squeezed(text: str) -> str:
    """A text without any white space and cell marks, so that line breaks and joints make no difference."""
    return _SPACE.sub("", text)
