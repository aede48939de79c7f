"""What is watched and how: `quietdiff.yaml`, `sites/*.yaml` and rules files, read, checked and resolved.

    words      how errors speak: nearest names, dotted keys
    yamltext   YAML text -> plain values that remember their lines
    files      files on disk, bounded
    records    what the rest of the engine works with: Project, Site, Page, Settings
    fieldsets  the built-in fields by page type
    urls       which addresses may be watched
    values     the values people type: times, names, rates, `${NAME}`
    selectors  what points at a part of a page: CSS, XPath, JSONPath, RE2
    models     what may stand in each file; also what the JSON Schemas are made of
    problems   from what a validator found to errors with file, line and key
    rules      from the rules keys to `Rules`
    sites      one site file -> `Site`
    loading    a folder -> `Project`
    schema     the JSON Schemas

`fields` is the name of a built-in set, a mapping of name to `{type, css, ...}`, or a list of both, such
as `[product, {certificates: {type: list, css: "ul.certs li"}}]`, in which the last of one name wins. The
`fields` of a page type stand for the built-in ones of that name; the `fields` of a page add to its type's and
win by name. `alert` adds up the same way; a page's `region`, `unordered`, `mask` and `language` replace its
type's.
"""

from pipeline.config.fieldsets import AUTO, BUILTIN_FIELDS, default_alert, is_count, is_weak, settle
from pipeline.config.loading import check_project, load_project
from pipeline.config.records import (
    AlertRule,
    Defaults,
    FetchSettings,
    HostSettings,
    Page,
    Project,
    Retention,
    Settings,
    Site,
)
from pipeline.config.rules import load_rules, rules_from_json, rules_json
from pipeline.config.schema import settings_schema, site_schema, write_schemas
from pipeline.config.selectors import compiled_json_path, is_xpath
from pipeline.config.urls import canonical_url, check_url

__all__ = [
    "AUTO",
    "BUILTIN_FIELDS",
    "AlertRule",
    "Defaults",
    "FetchSettings",
    "HostSettings",
    "Page",
    "Project",
    "Retention",
    "Settings",
    "Site",
    "canonical_url",
    "check_project",
    "check_url",
    "compiled_json_path",
    "default_alert",
    "is_count",
    "is_weak",
    "is_xpath",
    "load_project",
    "load_rules",
    "rules_from_json",
    "rules_json",
    "settings_schema",
    "settle",
    "site_schema",
    "write_schemas",
]
