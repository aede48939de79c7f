"""What a page says of itself outside its structured data, to know its main thing by."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, urljoin, urlsplit

from turbohtml import Document

from pipeline.extract.text import fold

__all__ = ["Facts", "address"]

HEADINGS = 3
"""`h1` elements looked at."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The page's addresses and headings.

    Attributes:
        addresses: Of the page and its canonical link, as `address` gives them.
        headings: The `h1` texts and the title, case folded.
        base: The page's URL; may be empty.
        own: The URL's address alone: it may name a variant where the canonical link does not; may be empty.
        keys: What in the URL may be a number of the thing or its variant: query values, fragment, last step of the
            path; case folded.
    """

    addresses: frozenset[str]
    headings: tuple[str, ...]
    base: str
    own: str = ""
    keys: frozenset[str] = frozenset()

    @classmethod
    def of(cls, document: Document, url: str, title: str | None) -> "Facts":
        """Read them from a parsed page; `url` may be empty."""
        canonical = document.select_one('link[rel~="canonical" i][href]')
        links = [url, canonical.attr("href") or "" if canonical is not None else ""]
        headings = [fold(heading.text).casefold() for heading in document.select("h1")[:HEADINGS]]
        return cls(
            addresses=frozenset(filter(None, (address(link, url) for link in links))),
            headings=tuple(filter(None, [*headings, (title or "").casefold()])),
            base=url,
            own=address(url, url),
            keys=frozenset(_keys(url)),
        )


def _keys(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
        values = [value for _, value in parse_qsl(parts.query, max_num_fields=100)]
    except ValueError:
        return
    step = parts.path.rstrip("/").rpartition("/")[2]
    yield from filter(None, (key.casefold() for key in (*values, parts.fragment, step, step.partition(".")[0])))


@lru_cache(maxsize=1024)
def address(link: str, base: str) -> str:
    """A URL to compare by: no scheme, `www.`, fragment or final slash; empty for what is no address."""
    try:
        parts = urlsplit(urljoin(base, link.strip()))
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https", ""} or not (parts.netloc or parts.path):
        return ""
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.netloc.lower().removeprefix('www.')}{parts.path.rstrip('/')}{query}"
