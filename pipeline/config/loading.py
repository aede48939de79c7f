"""A project folder -> a `Project`: `quietdiff.yaml` and every file of `sites/`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.config.files import read_bytes, read_file, site_files
from pipeline.config.models import DefaultsEntry, Entry, FetchEntry, SettingsFile
from pipeline.config.problems import config_errors, validate
from pipeline.config.records import Defaults, FetchSettings, HostSettings, Project, Retention, Settings, Site
from pipeline.config.sites import overlay, read_site, variable_problems
from pipeline.config.values import NAME_PATTERN
from pipeline.config.yamltext import Problem
from pipeline.errors import ConfigError, UsageError
from pipeline.model import Vantage

__all__ = ["SETTINGS_FILE", "check_project", "load_project"]

SETTINGS_FILE = "quietdiff.yaml"


def load_project(root: Path, data: Path | None = None, environ: Mapping[str, str] = {}) -> Project:
    """The project in a folder; a malformed site file hides no other.

    Args:
        root: The folder that holds `sites/` and perhaps `quietdiff.yaml`.
        data: Where everything that runs writes; default `data` in the root.
        environ: Where `${NAME}` is looked up. Values are neither kept nor shown, only found to be there.

    Raises:
        ConfigError: The first thing wrong with `quietdiff.yaml`, and with it the others.
        UsageError: There is no such folder.
    """
    root = root.absolute()
    if not root.is_dir():
        raise UsageError(f"{root}: no such folder; name the one that holds `sites/`")
    settings, wrong = _read_settings(root, environ)
    if wrong:
        wrong[0].others = wrong[1:]
        raise wrong[0]
    sites, problems = _read_sites(root, settings.defaults, environ)
    return Project(
        root=root,
        data=(data if data is not None else root / "data").absolute(),
        settings=settings,
        sites=sites,
        problems=problems,
    )


def check_project(root: Path, environ: Mapping[str, str] = {}) -> tuple[ConfigError, ...]:
    """Everything wrong with a project's files; unlike `load_project`, all of `quietdiff.yaml` too.

    Raises:
        UsageError: There is no such folder.
    """
    root = root.absolute()
    if not root.is_dir():
        raise UsageError(f"{root}: no such folder; name the one that holds `sites/`")
    settings, wrong = _read_settings(root, environ)
    return (*wrong, *_read_sites(root, settings.defaults, environ)[1])


def _read_sites(
    root: Path, defaults: Defaults, environ: Mapping[str, str]
) -> tuple[dict[str, Site], tuple[ConfigError, ...]]:
    sites: dict[str, Site] = {}
    errors: list[ConfigError] = []
    for file in site_files(root):
        site, value = None, None
        body, problems = read_bytes(file)
        problems += _file_name_problems(file)
        if not problems:
            site, value, problems = read_site(file, body, defaults, environ)
        if site is not None:
            sites[site.name] = site
        errors += config_errors(file.relative_to(root), value, problems)
    return sites, tuple(errors)


def _file_name_problems(file: Path) -> list[Problem]:
    if file.suffix != ".yaml":
        return [Problem((), f"site files end in `.yaml`; rename it to `{file.stem}.yaml`")]
    if re.fullmatch(NAME_PATTERN, file.stem) is None:
        expected = "at most 64 of a-z, 0-9, `-` and `_`, in lower case, a letter or digit first"
        return [Problem((), f"the file's name is the site's; expected {expected}")]
    return []


def _read_settings(root: Path, environ: Mapping[str, str]) -> tuple[Settings, tuple[ConfigError, ...]]:
    """The settings, defaults if the file is missing or wrong, and everything wrong with it."""
    file = root / SETTINGS_FILE
    if not file.exists() and not file.is_symlink():
        return Settings(), ()
    value, problems = read_file(file)
    if not problems:
        entry, problems = validate(SettingsFile, {} if value is None else value)
        if entry is not None:
            vantage = entry.defaults.vantage if entry.defaults else None
            problems += variable_problems(vantage, ("defaults", "vantage"), environ)
            if not problems:
                return _settings(entry), ()
    return Settings(), config_errors(SETTINGS_FILE, value, problems)


def _settings(entry: SettingsFile) -> Settings:
    rate = {} if entry.false_alert_rate is None else {"false_alert_rate": entry.false_alert_rate}
    return Settings(
        defaults=_defaults(entry.defaults),
        fetch=_fetch(entry.fetch),
        retention=Retention(**_given(entry.retention)) if entry.retention else Retention(),
        **rate,
    )


def _defaults(entry: DefaultsEntry | None) -> Defaults:
    if entry is None:
        return Defaults()
    return Defaults(**{**_given(entry), "vantage": overlay(Vantage(), entry.vantage)})


def _fetch(entry: FetchEntry | None) -> FetchSettings:
    if entry is None:
        return FetchSettings()
    hosts = {host: HostSettings(delay=found.delay) for host, found in (entry.hosts or {}).items()}
    allowed = tuple(entry.allow_private or ())
    return FetchSettings(**{**_given(entry), "hosts": hosts, "allow_private": allowed})


def _given(entry: Entry) -> dict[str, Any]:
    """The keys that are given and not null."""
    return {key: value for key in entry.model_fields_set if (value := getattr(entry, key)) is not None}
