"""The one check that every URL passes before a request is sent to it, on each hop."""

import httpx

from pipeline.fetch.ending import Fault

__all__ = ["check_url", "next_hop", "origin"]

MAX_URL_CHARS = 4096
_DEFAULT_PORTS = {"http": 80, "https": 443}


def check_url(text: str) -> httpx.URL:
    """The URL as it will be requested, without its fragment.

    Raises:
        Fault: `refused: scheme` for anything but http and https; `refused: url` for what cannot be read as a
            URL, and for what two parsers could read as two different hosts.
    """
    if len(text) > MAX_URL_CHARS:
        raise Fault.refused("url", f"the URL has {len(text)} characters; at most {MAX_URL_CHARS} are asked for")
    _refuse_backslash(text)
    try:
        url = httpx.URL(text)
        host = url.host  # decodes IDNA, which may fail although the URL itself was read
    except (httpx.InvalidURL, ValueError) as error:  # IDNA errors are ValueErrors
        raise Fault.refused("url", f"{text!r}: {error}") from error
    if url.scheme not in _DEFAULT_PORTS:
        raise Fault.refused("scheme", f"{text!r} is neither http nor https")
    if url.userinfo:
        raise Fault.refused("url", "the URL holds a user name or password")
    if not host or "%" in host:
        raise Fault.refused("url", f"no usable host in {text!r}")
    if not 0 < origin(url)[2] < 1 << 16:
        raise Fault.refused("url", f"port {url.port} does not exist")
    return url.copy_with(fragment=None)


def origin(url: httpx.URL) -> tuple[str, str, int]:
    """Scheme, host and port; two URLs may share credentials only if these are equal."""
    port = _DEFAULT_PORTS[url.scheme] if url.port is None else url.port
    return url.scheme, url.host, port


def next_hop(url: httpx.URL, location: bytes) -> httpx.URL:
    """Where a redirect leads.

    Args:
        url: The URL that answered.
        location: The Location header as sent. RFC 9110 allows ASCII only; raw UTF-8 is common all the same.

    Raises:
        Fault: As `check_url` does.
    """
    try:
        text = location.decode()
    except UnicodeDecodeError:
        text = location.decode("latin-1")
    _refuse_backslash(text)  # joining would hide it behind an escape
    try:
        joined = url.join(text)
    except (httpx.InvalidURL, ValueError) as error:
        raise Fault.refused("url", f"redirect to {text!r}: {error}") from error
    return check_url(str(joined))


def _refuse_backslash(text: str) -> None:
    """Some parsers read it as a slash, others as part of a user name: two different hosts."""
    if "\\" in text:
        raise Fault.refused("url", f"backslash in {text!r}")
