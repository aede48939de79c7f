"""The cookies of one attempt: what a hop sets, the next hop is told; then they are forgotten."""

import httpx

__all__ = ["Jar"]

MAX_COOKIES = 50
MAX_BYTES = 8 * 1024
"""What browsers take of one host at least (RFC 6265, section 6.1); whatever comes after is a flood."""


class Jar:
    """A fresh jar. Which cookie goes to which host is decided by the standard library's policy."""

    def __init__(self) -> None:
        self._cookies = httpx.Cookies()
        self._taken = 0
        self._bytes = 0

    def take(self, url: httpx.URL, headers: httpx.Headers) -> None:
        """Keep what an answer sets, up to the caps; the first ones win."""
        lines = []
        for line in headers.get_list("set-cookie"):
            if self._taken >= MAX_COOKIES or self._bytes + len(line) > MAX_BYTES:
                break
            self._taken += 1
            self._bytes += len(line)
            lines.append(("set-cookie", line.encode("latin-1").decode("ascii", "replace")))
        if lines:
            self._cookies.extract_cookies(httpx.Response(200, headers=lines, request=httpx.Request("GET", url)))

    def header(self, url: httpx.URL) -> bytes:
        """The Cookie header for a URL; empty if there is none."""
        if not self._taken:
            return b""
        request = httpx.Request("GET", url)
        self._cookies.set_cookie_header(request)
        cookies: str = request.headers.get("cookie", "")
        return cookies.encode("ascii", "replace")
