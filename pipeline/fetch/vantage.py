"""What a page's vantage means for one request, and keeping the values of its secrets from being stored."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

import httpx

from pipeline.fetch.decoding import accepted_encodings
from pipeline.fetch.ending import Fault
from pipeline.model import Target, Validators, Vantage

__all__ = ["Headers", "Identity", "identify"]

Headers = tuple[tuple[bytes, bytes], ...]

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
HIDDEN = "[secret]"
# A shorter value is a switch such as `1` or `EUR`, not a secret, and would be found in every other header.
MIN_SECRET_CHARS = 4
_NOT_IN_A_HEADER = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]|^[ \t]|[ \t]$")  # RFC 9110, section 5.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """As whom a page is asked for.

    Attributes:
        headers: For every hop.
        cookies: The Cookie header, empty if there is none: for the page's own origin only.
        validators: The conditional headers: likewise.
        proxy: With its credentials.
        secrets: What must never be stored, longest first.
    """

    headers: Headers
    cookies: bytes = b""
    validators: Headers = ()
    proxy: httpx.Proxy | None = None
    secrets: tuple[str, ...] = ()

    @property
    def conditional(self) -> bool:
        """Whether there is a validator to send."""
        return bool(self.validators)

    def headers_for(self, *, own: bool, conditional: bool, cookies: bytes) -> Headers:
        """The headers of one request.

        Args:
            own: It goes to the page's own origin.
            conditional: Send the validators.
            cookies: What hops before have set.
        """
        sent = b"; ".join(filter(None, [self.cookies if own else b"", cookies]))
        private = self.validators if own and conditional else ()
        return (*self.headers, *([(b"Cookie", sent)] if sent else []), *private)

    def redact(self, text: str) -> str:
        """The text with the value of each secret replaced."""
        for secret in self.secrets:
            text = text.replace(secret, HIDDEN)
        return text


def identify(target: Target, user_agent: str, environ: Mapping[str, str]) -> Identity:
    """Resolve the vantage of a page.

    Raises:
        Fault: `refused: vantage` if a variable it names is not set or cannot be sent; a page is never fetched
            from another vantage than its own.
    """
    vantage = target.vantage
    proxy_url = _variable(vantage.proxy, environ) if vantage.proxy else None
    cookies = {cookie: _variable(variable, environ) for cookie, variable in vantage.cookies}
    return Identity(
        headers=tuple(_public(vantage, user_agent)),
        cookies=_cookie_header(cookies),
        validators=tuple(_conditional(target.validators or Validators())),
        proxy=_proxy(vantage.proxy, proxy_url),
        secrets=_secrets(cookies.values(), proxy_url),
    )


def _public(vantage: Vantage, user_agent: str) -> Iterator[tuple[bytes, bytes]]:
    yield b"User-Agent", _header_value("user_agent", vantage.user_agent or user_agent)
    yield b"Accept", ACCEPT.encode()
    if vantage.language:
        yield b"Accept-Language", _header_value("language", vantage.language)
    yield b"Accept-Encoding", accepted_encodings().encode()


def _cookie_header(cookies: Mapping[str, str]) -> bytes:
    for name, value in cookies.items():
        if ";" in name + value:
            raise Fault.refused("vantage", f"cookie {name} holds a semicolon")
    return _header_value("cookies", "; ".join(f"{name}={value}" for name, value in cookies.items()))


def _conditional(validators: Validators) -> Iterator[tuple[bytes, bytes]]:
    """One that cannot be sent is left out: the page is then simply fetched whole."""
    if etag := _latin_1(validators.etag or ""):
        yield b"If-None-Match", etag
    if last_modified := _latin_1(validators.last_modified or ""):
        yield b"If-Modified-Since", last_modified


def _header_value(what: str, text: str) -> bytes:
    value = _latin_1(text)
    if value is None:
        raise Fault.refused("vantage", f"{what} cannot be sent as a header")
    return value


def _latin_1(text: str) -> bytes | None:
    """The bytes of a header, encoded as answers are decoded, so that a validator goes back byte for byte."""
    if _NOT_IN_A_HEADER.search(text):
        return None
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return None


def _variable(name: str, environ: Mapping[str, str]) -> str:
    value = environ.get(name, "")
    if not value:
        raise Fault.refused("vantage", f"the environment variable {name} is not set")
    return value


def _proxy(name: str | None, url: str | None) -> httpx.Proxy | None:
    if url is None:
        return None
    try:
        proxy = httpx.Proxy(url)
        usable = proxy.url.scheme in ("http", "https") and bool(proxy.url.host)
    except (httpx.InvalidURL, ValueError):  # the message holds the URL
        usable = False
    if not usable:
        raise Fault.refused("vantage", f"the environment variable {name} holds no http or https proxy URL")
    return proxy


def _secrets(cookies: Iterable[str], proxy_url: str | None) -> tuple[str, ...]:
    """The values to hide, also as a server may repeat them in a URL."""
    values = set(cookies)
    if proxy_url is not None:
        url = httpx.URL(proxy_url)
        values |= {
            proxy_url,
            url.netloc.decode(),
            url.host,
            url.userinfo.decode(),
            url.username,
            url.password,
        }
    values |= {quote(value, safe="") for value in values}
    return tuple(sorted((v for v in values if len(v) >= MIN_SECRET_CHARS), key=len, reverse=True))
