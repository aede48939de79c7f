"""Which addresses may be watched, and when two of them are one page."""

import re
from urllib.parse import SplitResult, urlsplit

__all__ = ["canonical_url", "check_url"]

_MAX_URL = 4_096  # characters; servers commonly refuse 8 KiB of request line
_DEFAULT_PORTS = {"http": 80, "https": 443}
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\x9f\s\\\ud800-\udfff]")


def check_url(url: str) -> str:
    """The URL as given.

    Raises:
        ValueError: It is no http or https URL with a host; its port is no number from 1 to 65535; it holds a user
            name, a space, a control character or a backslash; or it is longer than 4,096 characters. The message
            does not repeat it.
    """
    if len(url) > _MAX_URL:
        raise ValueError(f"expected a URL of at most {_MAX_URL:,} characters")
    if _FORBIDDEN.search(url):
        raise ValueError("expected a URL without spaces, control characters and backslashes; encode them as `%20`")
    if "${" in url:
        raise ValueError("variables are taken only by `proxy` and `cookies`; write the address itself")
    parts = _split(url)
    if not _port_exists(url):
        raise ValueError("there is no such port; expected a number from 1 to 65535 after the host, or none")
    if parts is None or parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise ValueError("expected a URL that begins with `http://` or `https://` and a host")
    if "@" in parts.netloc:
        raise ValueError("expected a URL without user name and password; nothing secret belongs in this file")
    return url


def canonical_url(url: str) -> str:
    """What two spellings of one address have in common (RFC 3986, sections 6.2.2.1 and 6.2.3).

    Scheme and host in lower case, no default port, no dot after the host, no fragment, `/` for an empty path.
    For identity only: the request is made for the URL as given. What is no URL with a host stays as it is.
    """
    parts = _split(url)
    if parts is None or not parts.hostname:
        return url
    host = parts.hostname.rstrip(".")
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    return SplitResult(parts.scheme, host + port, parts.path or "/", parts.query, "").geturl()


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for a port that is no number up to 65535
    except ValueError:
        return None
    return parts


def _port_exists(url: str) -> bool:
    """Whether the port of a URL with a host is one, or not given."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return True  # not split at all: that is another fault
    try:
        return not parts.hostname or parts.port != 0
    except ValueError:
        return False
