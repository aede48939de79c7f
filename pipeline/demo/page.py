"""What a scripted page is: declarations of how it behaves, and the one way in which they become an answer.

A page says what it will do (`fields`, `phrase`, `blocked_on` ...) and nothing else; the served bytes, the
index page and the expected results (`pipeline.demo.expected`) are all derived from these declarations.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from hashlib import sha256
from html import escape
from http import HTTPStatus
from importlib.resources import files
from string import Template
from types import MappingProxyType
from typing import Generic, TypeVar

from pipeline.demo.noise import noise

__all__ = [
    "SLIP_WINDOW",
    "DemoPage",
    "FieldJson",
    "Load",
    "Response",
    "Steps",
    "as_price",
    "fill",
    "html_response",
    "status_page",
    "whole",
]

FieldJson = str | list[str] | dict[str, str]
"""A field's value as a judged line prints it: a price is `{"amount", "currency"}`, a list an array."""

SLIP_WINDOW = (0.37, 0.376)
"""Fractions of the day between which a slip is on show: in a day of 24 hours from 08:52:48 to 09:01:26, so
that a visit at 09:00 meets it and one two minutes later does not."""

NOTHING: Mapping[str, "Steps[FieldJson]"] = MappingProxyType({})

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Steps(Generic[T]):
    """A value by day of the script.

    Attributes:
        by_day: From which day on which value holds; day 1 is always there.
    """

    by_day: Mapping[int, T]

    def on(self, day: int) -> T:
        """The value that holds on a day, counted from 1."""
        return self.by_day[max(start for start in self.by_day if start <= day)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """One request for a page.

    Attributes:
        day: Day of the script, 1..5.
        fraction: How much of that day is over, 0 <= fraction < 1.
        headers: Request headers with lower-case names.
    """

    day: int
    fraction: float
    now: datetime
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One answer: status, headers with lower-case names, and the body's bytes (UTF-8; empty with 304)."""

    status: int = HTTPStatus.OK
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPage:
    """One page and all it does in the five days of the script.

    Attributes:
        name: Its path without the slash, and its name in `sites/demo.yaml`.
        about: One sentence on what the page is there to show.
        language: BCP 47 tag of its text.
        fields: Values of the tracked fields that the page shows, by field name.
        phrase: A few words in the middle of running text.
        slips: Day on which the phrase reads otherwise for a moment (`SLIP_WINDOW`), and how.
        noisy: Age, clock, token, advertisements and the order of a list differ with the instant of the load.
        echoes: Shows the request's Accept-Language and User-Agent.
        etag: Has an ETag and answers 304 to a request that names it.
        blocked_on: Days on which a block page is served in its place, with status 200.
        failing_on: Days on which the answer is 500.
    """

    name: str
    title: str
    about: str
    language: str = "en"
    fields: Mapping[str, Steps[FieldJson]] = field(default_factory=lambda: NOTHING)
    phrase: Steps[str] | None = None
    slips: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    noisy: bool = False
    echoes: bool = False
    etag: bool = False
    blocked_on: frozenset[int] = frozenset()
    failing_on: frozenset[int] = frozenset()

    def respond(self, load: Load) -> Response:
        """The answer to one load; depends on nothing but the page and the load."""
        if load.day in self.failing_on:
            return status_page(HTTPStatus.INTERNAL_SERVER_ERROR, "This page is broken today, on purpose.")
        if load.day in self.blocked_on:
            return html_response(read("block.html").encode())
        text = fill(f"{self.name}.html", self._values(load))
        body = whole(title=self.title, language=self.language, body=text)
        return conditional(body, load) if self.etag else html_response(body)

    def is_good_on(self, day: int) -> bool:
        """Whether the page itself is to be had on a day of the script."""
        return day not in self.failing_on and day not in self.blocked_on

    def _values(self, load: Load) -> dict[str, str]:
        """The text, safe in HTML, for each `$name` in the page's file."""
        values: dict[str, str] = {}
        for name, steps in self.fields.items():
            values |= placeholders(name, steps.on(load.day))
        if self.phrase:
            slip = self.slips.get(load.day) if SLIP_WINDOW[0] <= load.fraction < SLIP_WINDOW[1] else None
            values["phrase"] = escape(slip or self.phrase.on(load.day))
        if self.noisy:
            values |= noise(self.name, self.language, load.now)
        if self.echoes:
            for header in ("accept-language", "user-agent"):
                values[header.replace("-", "_")] = escape(load.headers.get(header, "(none)"))
        return values


def as_price(amount: str, currency: str) -> FieldJson:
    """A price as a judged line prints it; the amount keeps its decimals."""
    return {"amount": amount, "currency": currency}


def placeholders(name: str, value: FieldJson) -> dict[str, str]:
    """What a page's file may say of one field.

    A price gives `$price_amount` and `$price_currency`, a list `$name` with one `<li>` a member, anything
    else `$name` and `$name_words` ("InStock" as "In stock").
    """
    match value:
        case dict():
            return {f"{name}_{part}": escape(text) for part, text in value.items()}
        case list():
            return {name: "\n".join(f"<li>{escape(member)}</li>" for member in value)}
        case _:
            words = re.sub(r"(?<=[a-z])[A-Z]", lambda capital: f" {capital[0].lower()}", value)
            return {name: escape(value), f"{name}_words": escape(words)}


def conditional(body: bytes, load: Load) -> Response:
    """The body with its ETag, or 304 when the request names that tag (RFC 9110, section 13.1.2)."""
    etag = f'"{sha256(body).hexdigest()[:16]}"'
    headers = {"etag": etag, "cache-control": "no-cache"}
    asked = [tag.strip().removeprefix("W/") for tag in load.headers.get("if-none-match", "").split(",")]
    if etag in asked or "*" in asked:
        return Response(status=HTTPStatus.NOT_MODIFIED, headers=headers, body=b"")
    return html_response(body, headers)


def status_page(status: HTTPStatus, detail: str) -> Response:
    """A bare page for a status that is no success; `detail` is one plain sentence."""
    text = fill("error.html", {"status": str(status.value), "reason": status.phrase, "detail": escape(detail)})
    return html_response(text.encode(), status=status)


def whole(*, title: str, language: str, body: str) -> bytes:
    """A whole page in the demo's look, UTF-8, from the HTML inside its body."""
    return fill("layout.html", {"title": escape(title), "language": language, "body": body.strip()}).encode()


def html_response(
    body: bytes, headers: Mapping[str, str] = MappingProxyType({}), status: int = HTTPStatus.OK
) -> Response:
    """An HTML answer."""
    return Response(status=status, headers={"content-type": "text/html; charset=utf-8", **headers}, body=body)


def fill(name: str, values: Mapping[str, str]) -> str:
    """A file of `html/` with each `$name` replaced; a name without a value is a bug and raises KeyError."""
    return Template(read(name)).substitute(values)


@cache
def read(name: str) -> str:
    """A file of `html/`."""
    return files("pipeline.demo").joinpath("html", name).read_text(encoding="utf-8")
