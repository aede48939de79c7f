"""The project folder and quietdiff.yaml."""

from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.config import Defaults, FetchSettings, HostSettings, Retention, Settings, check_project, load_project
from pipeline.errors import ConfigError, UsageError
from pipeline.model import Vantage

SITE = "pages: [{name: anvil, url: 'https://a.example'}, {name: terms, url: 'https://a.example/terms'}]\n"


def test_an_empty_folder_is_a_project_with_the_defaults(folder):
    project = folder.load()
    assert project.settings == Settings()
    assert (dict(project.sites), project.problems) == ({}, ())
    assert project.root == folder.root
    assert project.data == folder.root / "data"


def test_the_defaults_are_polite_and_bounded():
    fetch = FetchSettings()
    assert (fetch.delay, fetch.timeout) == (timedelta(seconds=1), timedelta(seconds=30))
    assert (fetch.max_bytes, fetch.max_decoded_bytes) == (10_000_000, 20_000_000)
    assert (fetch.concurrency, fetch.max_redirects) == (8, 8)
    assert Defaults() == Defaults(every=timedelta(hours=6), confirm=True, vantage=Vantage())


def test_paths_are_absolute(folder, monkeypatch):
    monkeypatch.chdir(folder.root)
    project = load_project(Path(), data=Path("elsewhere"))
    assert (project.root, project.data) == (folder.root, folder.root / "elsewhere")


def test_a_folder_that_is_not_there_is_bad_usage(tmp_path):
    for read in (load_project, check_project):
        with pytest.raises(UsageError, match="no such folder"):
            read(tmp_path / "none")


def test_sites_come_in_order_of_name(folder):
    for name in ("c", "a", "b-1", "b"):
        folder.write(f"sites/{name}.yaml", SITE)
    assert list(folder.load().sites) == ["a", "b", "b-1", "c"]


def test_settings_are_read_whole(folder):
    folder.write(
        "quietdiff.yaml",
        """
        defaults:
          every: 1d
          confirm: false
          vantage: {language: en, cookies: {seen: "${SEEN}"}}
        fetch:
          delay: 2s
          hosts: {"127.0.0.1:8600": {delay: 0s}, Shop.Example: {delay: 1m}, "[::1]:80": {delay: 3s}}
          timeout: 1m
          max_bytes: 1000
          max_decoded_bytes: 2_000
          concurrency: 1
          max_redirects: 0
          user_agent: Watcher/1 (+https://a.example)
        retention: {evidence: 90d, audit: 7d}
        """,
    )
    settings = folder.load({"SEEN": "1"}).settings
    assert settings.defaults == Defaults(
        every=timedelta(days=1), confirm=False, vantage=Vantage(language="en", cookies=(("seen", "SEEN"),))
    )
    assert settings.fetch == FetchSettings(
        delay=timedelta(seconds=2),
        hosts={
            "127.0.0.1:8600": HostSettings(delay=timedelta(0)),
            "shop.example": HostSettings(delay=timedelta(minutes=1)),
            "[::1]:80": HostSettings(delay=timedelta(seconds=3)),
        },
        timeout=timedelta(minutes=1),
        max_bytes=1_000,
        max_decoded_bytes=2_000,
        concurrency=1,
        max_redirects=0,
        user_agent="Watcher/1 (+https://a.example)",
    )
    assert settings.retention == Retention(evidence=timedelta(days=90), audit=timedelta(days=7))


@pytest.mark.parametrize("text", ["", "defaults:\nfetch:\n", "fetch: {delay: null, hosts: ~}\n"])
def test_what_is_left_empty_is_the_default(folder, text):
    folder.write("quietdiff.yaml", text)
    assert folder.load().settings == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [\n", "quietdiff.yaml:2: not YAML"),
        ("- a\n", "quietdiff.yaml: expected a mapping"),
        ("fetch:\n  dely: 1s\n", "quietdiff.yaml:2: fetch.dely: unknown key; did you mean `delay`?"),
        (
            "channels: {}\n",
            "quietdiff.yaml:1: channels: unknown key; expected `defaults`, `false_alert_rate`, `fetch` or `retention`",
        ),
        ("retention: {evidence: 23h}\n", "quietdiff.yaml:1: retention.evidence: expected a time between 1d and 3650d"),
        ("retention: {audit: 4000d}\n", "quietdiff.yaml:1: retention.audit: expected a time between 1d and 3650d"),
        ("fetch: {delay: 2h}\n", "quietdiff.yaml:1: fetch.delay: expected a time between 0s and 1h"),
        ("fetch: {timeout: 0s}\n", "quietdiff.yaml:1: fetch.timeout: expected a time between 1s and 10m"),
        ("fetch: {concurrency: 0}\n", "quietdiff.yaml:1: fetch.concurrency: expected at least 1"),
        ("fetch: {concurrency: 1.5}\n", "quietdiff.yaml:1: fetch.concurrency: expected a whole number"),
        ("fetch: {max_bytes: 10 MB}\n", "quietdiff.yaml:1: fetch.max_bytes: expected a whole number"),
        ("fetch: {max_redirects: 21}\n", "quietdiff.yaml:1: fetch.max_redirects: expected at most 20"),
        ("fetch: {hosts: {'http://a.example/': {delay: 0s}}}\n", "hosts.http://a.example/: expected `host`"),
        ("fetch: {hosts: {a.example: {delay: 0s, dely: 0s}}}\n", "unknown key; did you mean `delay`?"),
        ("fetch: {hosts: {a.example: {}}}\n", "fetch.hosts.a.example.delay: missing; this key is required"),
        ("defaults: {every: 10s}\n", "quietdiff.yaml:1: defaults.every: expected a time between 1m and 365d"),
        ("defaults: {vantage: {proxy: '${P}'}}\n", "defaults.vantage.proxy: environment variable P is not set"),
    ],
)
def test_malformed_settings_are_an_error_with_line_and_key(folder, text, message):
    folder.write("quietdiff.yaml", text)
    with pytest.raises(ConfigError) as refused:
        folder.load()
    assert message in str(refused.value)


def test_a_settings_file_that_cannot_be_read_is_not_taken_for_a_missing_one(folder):
    (folder.root / "quietdiff.yaml").symlink_to(folder.root / "nowhere")
    with pytest.raises(ConfigError, match="cannot be read"):
        folder.load()


def test_a_check_names_every_fault_of_every_file(folder):
    folder.write("quietdiff.yaml", "fetch: {dely: 1s}\nchanels: x\n")
    folder.write("sites/a.yaml", "pages: []\n")
    folder.write("sites/b.yaml", SITE + "evry: 1h\n")
    folder.write("sites/c.yaml", SITE)
    assert [str(problem).split(": ")[:2] for problem in check_project(folder.root)] == [
        ["quietdiff.yaml:1", "fetch.dely"],
        ["quietdiff.yaml:2", "chanels"],
        ["sites/a.yaml:1", "pages"],
        ["sites/b.yaml:2", "evry"],
    ]


def test_a_check_of_a_good_project_finds_nothing(folder):
    folder.write("sites/a.yaml", "vantage: {proxy: ${P}}\n" + SITE)
    assert check_project(folder.root, {"P": "x"}) == ()


def test_sites_and_pages_are_found_by_name(folder):
    folder.write("sites/shop.yaml", SITE)
    project = folder.load()
    assert project.site("shop") is project.sites["shop"]
    assert project.page("shop", "terms").url == "https://a.example/terms"


def test_a_name_that_is_not_there_is_answered_with_the_nearest(folder):
    with pytest.raises(UsageError, match="no site `shop`: there is no site file in"):
        folder.load().site("shop")
    folder.write("sites/shop.yaml", SITE)
    project = folder.load()
    with pytest.raises(UsageError, match=r"no site `shp` in .*; did you mean `shop`\?"):
        project.page("shp", "anvil")
    with pytest.raises(UsageError, match=r"no page `anvill` in site `shop`; did you mean `anvil`\?"):
        project.page("shop", "anvill")
    with pytest.raises(UsageError, match="no page `zzz` in site `shop`; expected `anvil` or `terms`"):
        project.page("shop", "zzz")


def test_asking_for_a_malformed_site_gives_what_is_wrong_with_it(folder):
    folder.write("sites/shop.yaml", SITE + "evry: 1h\n")
    folder.write("sites/good.yaml", SITE)
    with pytest.raises(ConfigError, match=r"sites/shop.yaml:2: evry: unknown key"):
        folder.load().page("shop", "anvil")
