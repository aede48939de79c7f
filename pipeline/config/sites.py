"""One site file -> a `Site`, or everything wrong with it.

What depends on a broken part of the file is not looked at: it would only repeat that fault in other words.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

from pipeline.config.alerts import alert_problems, alert_rules
from pipeline.config.fieldsets import AUTO, BUILTIN_FIELDS, STRUCTURED_FIELDS
from pipeline.config.files import parse_bytes
from pipeline.config.models import PageEntry, PageTypeEntry, SiteHead, VantageEntry
from pipeline.config.problems import validate
from pipeline.config.records import Defaults, Page, Site
from pipeline.config.rules import field_problems, make_rules
from pipeline.config.urls import canonical_url
from pipeline.config.words import KeyPath, did_you_mean
from pipeline.config.yamltext import Problem, Value, line_of
from pipeline.model import FieldType, PageRole, Rules, Vantage

__all__ = ["overlay", "read_site", "variable_problems"]


FieldTypes = dict[str, FieldType]
Entries = list[tuple[int, PageEntry]]


def read_site(
    file: Path, body: bytes, defaults: Defaults, environ: Mapping[str, str]
) -> tuple[Site | None, Value, list[Problem]]:
    """The site of a file's bytes, or None; the value they hold, for its lines; everything wrong with it."""
    value, problems = parse_bytes(body)
    if problems:
        return None, value, problems
    head, problems = validate(SiteHead, value)
    entries, page_problems = _read_pages(value)
    problems += page_problems
    problems += _name_problems(entries, value)
    if head is None:
        return None, value, problems
    reader = _SiteReader(value, head, defaults, environ)
    problems += reader.head_problems()
    pages = tuple(reader.page(place, entry) for place, entry in entries)
    problems += [*reader.problems, *reader.type_alert_problems()]
    if problems:
        return None, value, problems
    site = Site(
        name=file.stem,
        path=file,
        sha256=sha256(body).hexdigest(),
        time_zone=head.time_zone or "UTC",
        pages=pages,
    )
    return site, value, []


def _read_pages(value: Value) -> tuple[Entries, list[Problem]]:
    entries: Entries = []
    problems: list[Problem] = []
    pages = value.get("pages") if isinstance(value, dict) else None
    for place, raw in enumerate(pages if isinstance(pages, list) else []):
        entry, found = validate(PageEntry, raw, ("pages", place))
        problems += found
        if entry is not None:
            entries.append((place, entry))
    return entries, problems


def _name_problems(entries: Entries, value: Value) -> Iterator[Problem]:
    """Names that are given twice, and former names that are no longer free."""
    named: dict[str, int] = {}
    for place, entry in entries:
        first = named.setdefault(entry.name, place)
        if first != place:
            line = line_of(value, ("pages", first, "name"))
            yield Problem(("pages", place, "name"), f"`{entry.name}` is already the page at line {line}; rename one")
    renamed: dict[str, int] = {}
    for place, entry in entries:
        if entry.was is None:
            continue
        path: KeyPath = ("pages", place, "was")
        first = renamed.setdefault(entry.was, place)
        if entry.was in named:
            line = line_of(value, ("pages", named[entry.was], "name"))
            yield Problem(path, f"`{entry.was}` is still a page, at line {line}; expected a name no longer used")
        elif first != place:
            line = line_of(value, ("pages", first, "was"))
            yield Problem(path, f"line {line} already takes the history of `{entry.was}`; remove one")


def overlay(base: Vantage, entry: VantageEntry | None) -> Vantage:
    """The vantage with the keys that the entry gives in place of its own; null gives "none"."""
    if entry is None:
        return base
    given = {key: getattr(entry, key) for key in entry.model_fields_set}
    if "cookies" in given:
        given["cookies"] = tuple(sorted((given["cookies"] or {}).items()))
    return replace(base, **given)


def variable_problems(entry: VantageEntry | None, at: KeyPath, environ: Mapping[str, str]) -> Iterator[Problem]:
    """Environment variables that a vantage names and that are not set or empty."""
    if entry is None:
        return
    named: list[tuple[KeyPath, str]] = [((*at, "proxy"), entry.proxy)] if entry.proxy is not None else []
    named += [((*at, "cookies", cookie), variable) for cookie, variable in (entry.cookies or {}).items()]
    for path, variable in named:
        if not environ.get(variable):
            state = "empty" if variable in environ else "not set"
            yield Problem(path, f"environment variable {variable} is {state}; set it before you start")


@dataclass(slots=True)
class _SiteReader:
    """Resolves the pages of one site and gathers what is wrong between its parts."""

    value: Value
    head: SiteHead
    defaults: Defaults
    environ: Mapping[str, str]
    problems: list[Problem] = field(default_factory=list)
    seen: dict[tuple[str, Vantage], int] = field(default_factory=dict)
    tracked: dict[str, FieldTypes] = field(default_factory=dict)  # by page type

    @property
    def types(self) -> Mapping[str, PageTypeEntry]:
        return self.head.page_types or {}

    def head_problems(self) -> Iterator[Problem]:
        yield from variable_problems(self.head.vantage, ("vantage",), self.environ)
        yield from _bound_problems(self.head.min, self.head.max, ("max",))
        for name, entry in self.types.items():
            at: KeyPath = ("page_types", name)
            if name == AUTO:
                yield Problem(at, f"`{AUTO}` stands for a type still to be found; expected another name")
            yield from field_problems(entry, at)
            self.tracked[name] = _field_types(make_rules(name, entry, None))

    def page(self, place: int, entry: PageEntry) -> Page:
        """The page; what is wrong with it is added to `problems`."""
        at: KeyPath = ("pages", place)
        page_type = entry.page_type or AUTO
        shared = self.types.get(page_type)
        rules = make_rules(page_type, shared, entry)
        vantage = overlay(overlay(self.defaults.vantage, self.head.vantage), entry.vantage)
        least, most = entry.min or self.head.min, entry.max or self.head.max
        self._check(place, entry, rules, vantage)
        if entry.min or entry.max:
            self.problems += _bound_problems(least, most, (*at, "max" if entry.max else "min"))
        return Page(
            name=entry.name,
            url=entry.url,
            page_type=page_type,
            role=entry.role or PageRole.WATCHED,
            importance=entry.importance or 1.0,
            vantage=vantage,
            every=_within(entry.every or self.head.every or self.defaults.every, least, most),
            fixed=_first(entry.fixed, self.head.fixed),
            min=least,
            max=most,
            confirm=_first(entry.confirm, self.head.confirm, self.defaults.confirm),
            rules=rules,
            alerts=alert_rules(shared.alert if shared else None, entry.alert),
            was=entry.was,
        )

    def _check(self, place: int, entry: PageEntry, rules: Rules, vantage: Vantage) -> None:
        at: KeyPath = ("pages", place)
        known = [*self.types, AUTO, *(name for name in BUILTIN_FIELDS if name not in self.types)]
        if rules.page_type not in known:
            message = f"no page type of this site; {did_you_mean(rules.page_type, known)}"
            self.problems.append(Problem((*at, "page_type"), message))
        self.problems += field_problems(entry, at)
        self.problems += variable_problems(entry.vantage, (*at, "vantage"), self.environ)
        types = _field_types(rules)
        self.tracked.setdefault(rules.page_type, {}).update(types)
        possible = {**STRUCTURED_FIELDS, **types} if rules.page_type == AUTO else types
        self.problems += alert_problems(entry.alert, possible, (*at, "alert"))
        first = self.seen.setdefault((canonical_url(entry.url), vantage), place)
        if first != place:
            line = line_of(self.value, ("pages", first, "url"))
            message = f"already watched from the same vantage, at line {line}; remove one"
            self.problems.append(Problem((*at, "url"), message))

    def type_alert_problems(self) -> Iterator[Problem]:
        """Alerts of page types for fields that no page of the type tracks; after all pages have been read."""
        for name, entry in self.types.items():
            yield from alert_problems(entry.alert, self.tracked[name], ("page_types", name, "alert"))


def _field_types(rules: Rules) -> FieldTypes:
    return {spec.name: spec.type for spec in rules.fields}


def _bound_problems(least: timedelta | None, most: timedelta | None, at: KeyPath) -> Iterator[Problem]:
    if least is not None and most is not None and least > most:
        yield Problem(at, "`min` is longer than `max`; expected at most as long")


def _within(value: timedelta, least: timedelta | None, most: timedelta | None) -> timedelta:
    value = max(value, least) if least is not None else value
    return min(value, most) if most is not None else value


def _first(*values: bool | None) -> bool:
    """The first that is given; False if none is."""
    return next((value for value in values if value is not None), False)
