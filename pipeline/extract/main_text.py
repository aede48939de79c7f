"""The main text of a page as trafilatura finds it, in a process of its own that can be killed.

A page can make the extractor slow without bound (many attributes on one tag cost quadratic time), so the child limits
its own CPU time and memory and this side stops waiting.
"""

import json
import logging
import re
import subprocess
import sys

__all__ = ["article_text", "squeezed"]

WAIT_S = 20.0
LONGEST_MARKUP = 3_000_000
"""Characters; a longer page is not given to trafilatura at all."""

_SPACE = re.compile(r"[\s|]+")  # and what separates cells, here and there
_log = logging.getLogger(__name__)


def article_text(markup: str, *, wait_s: float = WAIT_S) -> str | None:
    """The article's text as `squeezed` writes it, to look blocks up in; None if none was found in time."""
    if len(markup) > LONGEST_MARKUP:
        return None
    try:
        child = subprocess.run(
            [sys.executable, "-m", "pipeline.extract.article"],
            input=markup.encode(),
            capture_output=True,
            timeout=wait_s,
            check=True,
        )
        lines = [json.loads(line) for line in child.stdout.splitlines()]
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        _log.warning("no article text: %s", error)
        return None
    return squeezed("".join(map(str, lines))) or None


def squeezed(text: str) -> str:
    """A text without any white space and cell marks, so that line breaks and joints make no difference."""
    return _SPACE.sub("", text)
