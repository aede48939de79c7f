"""What is watched, and what the network said of it.

Every instant is an aware UTC `datetime`, every *day* the UTC date of the partition a run was made for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from pipeline.model.words import FieldType, Outcome

__all__ = ["Fetched", "FieldSpec", "Rules", "SiteDay", "Target", "Validators", "Vantage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteDay:
    """The unit of work and one Dagster partition: a site on one UTC day."""

    site: str
    day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Vantage:
    """From where and as whom a page is fetched. Fixed per page; another vantage is another generation.

    Attributes:
        country: ISO 3166 alpha-2 in lower case, or None; says where the proxy stands, it does not choose one.
        language: The Accept-Language header, verbatim.
        user_agent: The User-Agent header, verbatim.
        proxy: Label of the proxy: the name of the environment variable that holds its URL, never the URL.
        cookies: Names of environment variables by cookie name, never values.
    """

    country: str | None = None
    language: str | None = None
    user_agent: str | None = None
    proxy: str | None = None
    cookies: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """One field to track.

    Attributes:
        name: snake_case schema.org property, or the user's own name.
        css: Selector whose matches hold the value.
        xpath: XPath 1.0 whose matches do, in its place.
        attribute: Attribute of the matched element to read instead of its text.
        json_path: RFC 9535, into a JSON body or the text of the matches.
        regex: RE2; its group, or all that it matches, is the value in the text that was found.
        currency: ISO 4217, of a price that names none or a sign that several countries share.
    """

    name: str
    type: FieldType
    css: str | None = None
    xpath: str | None = None
    attribute: str | None = None
    json_path: str | None = None
    regex: str | None = None
    currency: str | None = None

    @property
    def selected(self) -> bool:
        """Whether the rules say where the value stands; otherwise the page's structured data is read."""
        return self.css is not None or self.xpath is not None or self.json_path is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything that shapes a judgement and nothing else; editing anything else rebaselines no page.

    Attributes:
        page_type: A built-in type, a type of the site file, or `auto`: found from the page's structured data.
        fields: The fields to track; empty with page_type `auto` until the type is known.
        include: `main`, `article`, CSS or XPath: only blocks inside count. Empty: the whole page.
        exclude: CSS or XPath: blocks inside do not count.
        unordered: CSS or XPath of lists whose order means nothing.
        mask: RE2 patterns; a matched span counts as volatile.
        language: BCP 47 tag of the page's text; None: the page's own `lang`.
    """

    page_type: str = "auto"
    fields: tuple[FieldSpec, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()
    mask: tuple[str, ...] = ()
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What the server gave to ask again cheaply (RFC 9110, section 8.8), verbatim."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What the fetcher needs to know of a page.

    Attributes:
        allow_downgrade: A redirect from https to http may be followed.
        ignore_robots: It is fetched whatever robots.txt says.
    """

    page_id: int
    page_name: str
    url: str
    vantage: Vantage
    validators: Validators | None = None
    allow_downgrade: bool = False
    ignore_robots: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """One attempt to fetch a page. Expected failures are values, not exceptions.

    Attributes:
        reason: Short word for anything but `ok` and `not_modified`, such as `timeout`, `too_large`, `http_500`.
        http_status: Of the last hop; None if there was no answer.
        duration_ms: Request start to last byte.
        wire_bytes: Bytes of body received before content decoding.
        body: Decoded body of an `ok` answer; None otherwise.
        body_sha256: Of the body, 64 hex digits; None if there is none or nobody has computed it.
        not_before: The host is not to be asked again before this instant; None if it says nothing.
        content_type: The Content-Type header, verbatim, or None.
        final_url: Where redirects ended; None when equal to the requested URL.
        moved_to: Where the redirects led that say they are for good (301, 308), if the first hop was one: the last URL
            before any other redirect; None without such.
        headers: Chosen response headers, lower-case names; never cookies.
        detail: One line for a person; holds no secret.
    """

    started_at: datetime
    outcome: Outcome
    reason: str | None = None
    http_status: int | None = None
    duration_ms: int | None = None
    wire_bytes: int | None = None
    body: bytes | None = None
    body_sha256: str | None = None
    not_before: datetime | None = None
    content_type: str | None = None
    final_url: str | None = None
    moved_to: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    validators: Validators = Validators()
    detail: str | None = None
