"""What is kept of the head of an answer."""

from collections.abc import Callable

import httpx

from pipeline.model import Validators

__all__ = ["kept_headers", "one_line", "same_etag", "validators"]

KEPT_HEADERS = (
    "content-type",
    "content-language",
    "content-encoding",
    "date",
    "last-modified",
    "etag",
    "server",
    "cache-control",
    "retry-after",
    "x-robots-tag",
)
MAX_CHARS = 1000  # useful headers have about a tenth; a whole header section may have 100 KiB


def kept_headers(headers: httpx.Headers, redact: Callable[[str], str]) -> dict[str, str]:
    """The headers worth keeping, by lower-case name; a header sent twice is one, joined by a comma."""
    return {name: redact(headers[name])[:MAX_CHARS] for name in KEPT_HEADERS if name in headers}


def validators(headers: httpx.Headers, redact: Callable[[str], str]) -> Validators:
    """Verbatim; one that is huge or repeats a secret is left out, which only costs a conditional request."""

    def usable(name: str) -> str | None:
        value = headers.get(name, "")
        return value if 0 < len(value) <= MAX_CHARS and redact(value) == value else None

    return Validators(etag=usable("etag"), last_modified=usable("last-modified"))


def same_etag(asked: str | None, answered: str | None) -> bool:
    """Whether a 304 can be about what was asked, by weak comparison (RFC 9110, section 8.8.3.2)."""
    if not asked or not answered:
        return True
    return asked.strip().removeprefix("W/") == answered.strip().removeprefix("W/")


def one_line(text: str) -> str | None:
    """A detail for a person; None if there is nothing to say."""
    return " ".join(text.split())[:MAX_CHARS] or None
