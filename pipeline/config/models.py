"""What may stand in a site file, in `quietdiff.yaml` and in a rules file: one class a mapping.

The JSON Schemas that editors complete from are made of these classes, descriptions included. A key that is
absent is None; what is inherited then is said where the records are made, in `sites` and `loading`.
"""

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from pipeline.config.alerts import Alert
from pipeline.config.fieldsets import AUTO, BUILTIN_FIELDS
from pipeline.config.selectors import JsonPath, Mask, PartSelector, Regex, Selector, XPath
from pipeline.config.values import (
    Age,
    Attribute,
    CookieName,
    Country,
    Currency,
    Delay,
    FieldName,
    HostPort,
    Interval,
    Language,
    LanguageTag,
    Name,
    PrivateHost,
    Rate,
    SetName,
    Timeout,
    TimeZone,
    Url,
    UserAgent,
    Variable,
)
from pipeline.model import FieldType, PageRole

__all__ = [
    "Entry",
    "FieldEntry",
    "FieldsEntry",
    "PageEntry",
    "PageTypeEntry",
    "RegionEntry",
    "RetentionEntry",
    "RulesFile",
    "RulesKeys",
    "SettingsFile",
    "SiteFile",
    "SiteHead",
    "VantageEntry",
]


class Entry(BaseModel):
    """A mapping in which every unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


def _shape(value: object) -> str:
    for kind, shape in ((str, "text"), (dict, "mapping"), (list, "list")):
        if isinstance(value, kind):
            return shape
    return "other"


def _by_shape(expected: str) -> Discriminator:
    return Discriminator(_shape, custom_error_type="shape", custom_error_message=f"expected {expected}")


# ── rules ────────────────────────────────────────────────────────────────────


class FieldEntry(Entry):
    """One field to track."""

    type: FieldType
    """How the value is read and compared."""
    css: Selector | None = None
    """CSS selector of the elements that hold it; default: structured data."""
    xpath: XPath | None = None
    """XPath 1.0 of the elements, attributes or text that hold it, in place of `css`."""
    attribute: Attribute | None = None
    """Attribute to read instead of the elements' text."""
    json_path: JsonPath | None = None
    """JSONPath into a body that is JSON, or into the text of the elements."""
    regex: Regex | None = None
    """RE2 pattern; the value is what its group matches, or all of it, in the text found."""
    currency: Currency | None = None
    """ISO 4217 code of a price that names none or a shared sign such as `$`."""

    @model_validator(mode="after")
    def _keys_that_need_others(self) -> "FieldEntry":
        if self.css is not None and self.xpath is not None:
            raise ValueError("`css` or `xpath`, not both")
        if self.attribute is not None and self.css is None and self.xpath is None:
            raise ValueError("`attribute` needs `css` or `xpath`, which says of which element")
        if self.attribute is not None and self.json_path is not None:
            raise ValueError("`attribute` or `json_path`, not both")
        if self.regex is not None and self.css is None and self.xpath is None and self.json_path is None:
            raise ValueError("`regex` needs `css`, `xpath` or `json_path`, which says in which text")
        if self.currency is not None and self.type is not FieldType.PRICE:
            raise ValueError("`currency` needs `type: price`")
        return self


FieldMapping: TypeAlias = dict[FieldName, FieldEntry]
_SetOrMapping: TypeAlias = Annotated[
    Annotated[SetName, Tag("text")] | Annotated[FieldMapping, Tag("mapping")],
    _by_shape("the name of a built-in set or a mapping of fields"),
]
FieldsEntry: TypeAlias = Annotated[
    Annotated[SetName, Tag("text")]
    | Annotated[FieldMapping, Tag("mapping")]
    | Annotated[list[_SetOrMapping], Tag("list")],
    _by_shape("the name of a built-in set, a mapping of fields, or a list of both"),
]


class RegionEntry(Entry):
    """The parts of the page that count."""

    include: list[PartSelector] | None = None
    """`main`, `article`, CSS selectors or XPaths that begin with `/`; only text inside counts.

    Default: the whole page.
    """
    exclude: list[PartSelector] | None = None
    """CSS selectors or XPaths that begin with `/`; text inside does not count."""


_SelectorOrRegion: TypeAlias = Annotated[
    Annotated[PartSelector, Tag("text")] | Annotated[RegionEntry, Tag("mapping")],
    _by_shape("`main`, `article`, a CSS selector, an XPath, or a mapping with `include` and `exclude`"),
]


class RulesKeys(Entry):
    """What shapes a judgement; the same keys on a page, a page type and in a rules file."""

    fields: FieldsEntry | None = None
    """Fields to track: a built-in set, a mapping by name, or a list of both.

    In a list the last of one name wins. On a page they add to those of its type and win by name.
    """
    region: _SelectorOrRegion | None = None
    """The parts of the page that count: one selector to include, or a mapping."""
    unordered: list[PartSelector] | None = None
    """CSS selectors or XPaths of lists whose order means nothing."""
    mask: list[Mask] | None = None
    """RE2 patterns; the text they match is volatile and never a change."""
    language: LanguageTag | None = None
    """Language of the page's text, such as `de`. Default: what the page says."""


class RulesFile(RulesKeys):
    """Rules for `compare`, `replay` and `extract`."""

    page_type: Name | None = None
    """Default `auto`: found from the page's structured data, with that type's fields."""


# ── site files ───────────────────────────────────────────────────────────────


def _or_null(schema: dict[str, Any]) -> None:
    for name, shape in schema["properties"].items():
        description = shape.pop("description", "")
        schema["properties"][name] = {"description": description, "anyOf": [shape, {"type": "null"}]}


class VantageEntry(Entry):
    """From where and as whom pages are fetched; a key replaces the inherited one, null removes it."""

    model_config = ConfigDict(json_schema_extra=_or_null)

    country: Country | None = None
    """Where the proxy stands, two letters of ISO 3166."""
    language: Language | None = None
    """The Accept-Language header."""
    user_agent: UserAgent | None = None
    """The User-Agent header."""
    proxy: Variable | None = None
    """`${NAME}`: the environment variable that holds the proxy's URL."""
    cookies: dict[CookieName, Variable] | None = None
    """By cookie name, `${NAME}`: the environment variable that holds the value."""


class _Watching(Entry):
    """How pages are visited; the same keys on a site and on a page, which wins."""

    vantage: VantageEntry | None = None
    """From where and as whom pages are fetched."""
    every: Interval | None = None
    """Interval between visits, 1m to 365d."""
    fixed: bool | None = None
    """Keep the interval as it is. Default false: it may be learned."""
    min: Interval | None = None
    """Shortest interval that may be learned."""
    max: Interval | None = None
    """Longest interval that may be learned."""
    confirm: bool | None = None
    """Confirm a content change by a second visit before it counts. Default true."""


class PageTypeEntry(RulesKeys):
    """What pages of one type share. Under a built-in name it changes that type for this site."""

    alert: dict[FieldName, Alert] | None = None
    """When a change is worth an alert, by field: `any`, `never`, or conditions such as `{change: 1%}`.

    Default `any`, and `never` for ratings, review counts and modification dates.
    """


class PageEntry(PageTypeEntry, _Watching):
    """One page to watch."""

    name: Name
    """Unique in the site; the page's history hangs on it."""
    url: Url
    """Address, http or https."""
    page_type: Name | None = Field(default=None, examples=[AUTO, *BUILTIN_FIELDS])
    """A built-in type, one of `page_types`, or `auto`. Default `auto`: found on the first visit."""
    importance: float | None = Field(default=None, gt=0, le=1_000)
    """Weight, above 0. Default 1."""
    role: PageRole | None = None
    """Default `watched`; `canary` and `echo` pages check the watcher and count nowhere."""
    was: Name | None = None
    """The name it had before; its history goes on under the new one."""


class SiteHead(_Watching):
    """A site whose pages are still to be read one by one, so that a wrong one does not hide the others."""

    time_zone: TimeZone | None = None
    """IANA time zone of the site. Default `UTC`."""
    page_types: dict[Name, PageTypeEntry] | None = None
    """What pages of one type share, by type."""
    pages: list[Any] = Field(min_length=1)
    """The pages to watch."""


class SiteFile(SiteHead):
    """A watch group: `sites/<name>.yaml`, whose name is the site's."""

    pages: list[PageEntry] = Field(min_length=1)
    """The pages to watch."""


# ── quietdiff.yaml ───────────────────────────────────────────────────────────


class DefaultsEntry(Entry):
    """What holds for pages whose site file says nothing else."""

    every: Interval | None = None
    """Interval between visits. Default 6h."""
    confirm: bool | None = None
    """Confirm content changes by a second visit. Default true."""
    vantage: VantageEntry | None = None
    """From where and as whom pages are fetched."""


class HostEntry(Entry):
    """How one host is treated."""

    delay: Delay
    """Pause between requests to this host, 0s to 1h."""


class FetchEntry(Entry):
    """Limits and manners of fetching."""

    delay: Delay | None = None
    """Pause between requests to one host. Default 1s."""
    hosts: dict[HostPort, HostEntry] | None = None
    """Exceptions, by `host` or `host:port` as it stands in URLs."""
    timeout: Timeout | None = None
    """For one attempt as a whole. Default 30s."""
    max_bytes: int | None = Field(default=None, ge=1_000, le=1_000_000_000)
    """Largest body as sent, in bytes. Default 10000000."""
    max_decoded_bytes: int | None = Field(default=None, ge=1_000, le=1_000_000_000)
    """Largest body once decompressed, in bytes. Default 20000000."""
    concurrency: int | None = Field(default=None, ge=1, le=1_000)
    """Requests at once over all hosts. Default 8."""
    max_redirects: int | None = Field(default=None, ge=0, le=20)
    """Redirects followed. Default 8."""
    min_rate: int | None = Field(default=None, ge=0, le=1_000_000)
    """Slowest body that is waited for after 10 seconds, in bytes per second. Default 200."""
    allow_private: list[PrivateHost] | None = None
    """Hosts that may have private or loopback addresses, `host:port` as it stands in URLs. Default none."""
    user_agent: UserAgent | None = None
    """The User-Agent header where no vantage names one."""


class RetentionEntry(Entry):
    """How long is kept what is not kept for good: visits, judgements, values, and changes with both sides are."""

    evidence: Age | None = None
    """What explains a judgement: packed block diffs, and what changes that vanished had shown. Default 365d."""
    audit: Age | None = None
    """Interval at which a body of each page is kept for good, changed or not. Default 30d."""


class SettingsFile(Entry):
    """What is not a site's: `quietdiff.yaml`."""

    defaults: DefaultsEntry | None = None
    """What holds where a site file says nothing else."""
    fetch: FetchEntry | None = None
    """Limits and manners of fetching."""
    retention: RetentionEntry | None = None
    """How long is kept what is not kept for good."""
    false_alert_rate: Rate | None = None
    """Share of visits without a change that calibrated thresholds may alert on. Default `0.5%`."""
