from collections.abc import Callable

import pytest

from pipeline.extract import extract
from pipeline.model import Reading, Rules

Read = Callable[..., Reading]


@pytest.fixture
def read() -> Read:
    """Extract from a page given as text, rules as keywords."""

    def read(
        markup: str | bytes, *, url: str = "", content_type: str | None = "text/html; charset=utf-8", **rules: object
    ) -> Reading:
        body = markup.encode() if isinstance(markup, str) else markup
        return extract(body, url=url, content_type=content_type, rules=Rules(**rules))  # type: ignore[arg-type]

    return read
