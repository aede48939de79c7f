"""What the configuration says, checked and resolved: the records the rest of the engine works with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from pipeline.config.words import did_you_mean
from pipeline.errors import ConfigError, UsageError
from pipeline.model import PageRole, Rules, Vantage

__all__ = [
    "AlertRule",
    "Defaults",
    "FetchSettings",
    "HostSettings",
    "Page",
    "Project",
    "Retention",
    "Settings",
    "Site",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRule:
    """When a change of a field is worth an alert: when all that is given here holds.

    Attributes:
        change: Smallest relative change, a fraction of the value last alerted: 1 % is 0.01.
        absolute: Smallest change in the field's own unit: the price's currency, minutes of a duration.
        direction: `up` or `down`, from the value last alerted.
        below: The value falls below it, and without `change` or `absolute` was not below it before.
        above: The same upwards.
        members: `added` or `removed`: members of a list that came or went since the list last alerted.
        to: Values that are worth an alert, in their canonical text such as `InStock`; empty: any.
        stable_for: Good visits in a row that must show the value, the first one included.
        repeat: A value that the field had before is worth one too.
        never: No change is.
    """

    change: Decimal | None = None
    absolute: Decimal | None = None
    direction: str | None = None
    below: Decimal | None = None
    above: Decimal | None = None
    members: str | None = None
    to: tuple[str, ...] = ()
    stable_for: int = 1
    repeat: bool = True
    never: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings:
    """How one host is treated.

    Attributes:
        delay: Between the end of one request and the start of the next.
    """

    delay: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Limits and manners of fetching.

    Attributes:
        delay: Between requests to one host.
        hosts: Exceptions, by lower-case `host` or `host:port` as they stand in URLs.
        timeout: For one attempt as a whole, redirects included.
        max_bytes: Bytes of body as sent, before content decoding.
        max_decoded_bytes: Bytes of body after it.
        concurrency: Requests under way at once, over all hosts.
        max_redirects: Redirects followed in one attempt.
        min_rate: Bytes per second that a body must come at, once `grace` is over.
        grace: Time that a body may take whatever its rate.
        allow_private: Hosts that may have private and loopback addresses: lower-case `host:port` as they stand in URLs.
        user_agent: The header of pages whose vantage names none.
    """

    delay: timedelta = timedelta(seconds=1)
    hosts: Mapping[str, HostSettings] = field(default_factory=dict)
    timeout: timedelta = timedelta(seconds=30)
    max_bytes: int = 10_000_000
    max_decoded_bytes: int = 20_000_000
    concurrency: int = 8
    max_redirects: int = 8
    min_rate: int = 200
    grace: timedelta = timedelta(seconds=10)
    allow_private: tuple[str, ...] = ()
    user_agent: str = "quietdiff/0.1 (web page change monitor)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long is kept what is not kept for good.

    Attributes:
        evidence: Age up to which the packed block diffs of visits are kept, and what vanished changes had shown.
        audit: A body of each page is kept for good at this interval, counted from 1970.
    """

    evidence: timedelta = timedelta(days=365)
    audit: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What holds for pages whose site file says nothing else."""

    every: timedelta = timedelta(hours=6)
    confirm: bool = True
    vantage: Vantage = field(default_factory=Vantage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The content of `quietdiff.yaml`.

    Attributes:
        false_alert_rate: Share of visits without a change that calibrated thresholds may alert on, above 0.
    """

    defaults: Defaults = field(default_factory=Defaults)
    fetch: FetchSettings = field(default_factory=FetchSettings)
    retention: Retention = field(default_factory=Retention)
    false_alert_rate: float = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of a site, with everything inherited from its page type, its site and the defaults.

    Attributes:
        name: Unique in its site.
        importance: Weight, above 0; 1 is usual.
        every: Interval between visits, within `min` and `max`.
        fixed: The interval stays; no plan changes it.
        min: Shortest interval a plan may choose; None: its own bound.
        max: Longest interval a plan may choose; None: its own bound.
        confirm: A content change is confirmed by a second visit before it counts.
        alerts: The rules written for it, by field name; `default_alert` holds for the others.
        was: The name it had before; its history goes on under the new one.
    """

    name: str
    url: str
    page_type: str
    role: PageRole
    importance: float
    vantage: Vantage
    every: timedelta
    fixed: bool
    min: timedelta | None
    max: timedelta | None
    confirm: bool
    rules: Rules
    alerts: Mapping[str, AlertRule]
    was: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One file of `sites/`.

    Attributes:
        name: The file's stem and the partition key.
        sha256: Of the file's bytes, 64 hex digits.
        time_zone: IANA name.
        pages: In the order of the file.
    """

    name: str
    path: Path
    sha256: str
    time_zone: str
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project folder as configured.

    Attributes:
        root: Absolute.
        data: Where everything that runs writes; absolute.
        sites: The valid ones, by name, in order of name.
        problems: Everything wrong with the others, by file and line.
    """

    root: Path
    data: Path
    settings: Settings
    sites: Mapping[str, Site]
    problems: tuple[ConfigError, ...] = ()

    @property
    def malformed(self) -> frozenset[str]:
        """Stems of the site files that have problems: not loaded, but not gone either."""
        return frozenset(Path(problem.path).stem for problem in self.problems)

    def site(self, name: str) -> Site:
        """The site of that name.

        Raises:
            ConfigError: Its file is malformed.
            UsageError: There is no such site.
        """
        if name in self.sites:
            return self.sites[name]
        for problem in self.problems:
            if Path(problem.path).stem == name:
                raise problem
        if not self.sites:
            raise UsageError(f"no site `{name}`: there is no site file in {self.root / 'sites'}")
        raise UsageError(f"no site `{name}` in {self.root / 'sites'}; {did_you_mean(name, self.sites)}")

    def page(self, site: str, name: str) -> Page:
        """The page of that name in that site.

        Raises:
            ConfigError: The site's file is malformed.
            UsageError: There is no such site or page.
        """
        pages = {page.name: page for page in self.site(site).pages}
        if name not in pages:
            raise UsageError(f"no page `{name}` in site `{site}`; {did_you_mean(name, pages)}")
        return pages[name]
