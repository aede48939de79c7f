"""`check`: what is watched, or what is wrong with the files."""

SITE = """every: 1h
pages:
  - {name: anvil, url: "https://shop.example/anvil", page_type: product, every: 90s}
  - {name: terms, url: "https://shop.example/terms"}
"""


def test_a_right_project_shows_its_pages(cli):
    cli.write("sites/shop.yaml", SITE)
    result = cli("check")
    assert (result.status, result.err) == (0, "")
    assert result.out.splitlines() == [
        "site  page   type     every  url",
        "shop  anvil  product    90s  https://shop.example/anvil",
        "shop  terms  auto        1h  https://shop.example/terms",
        "sites: 1, pages: 2; all files are right",
    ]


def test_every_problem_is_a_line_with_file_line_and_key(cli):
    cli.write("sites/shop.yaml", SITE)
    cli.write("sites/bad.yaml", "pages:\n  - name: a\n    url: ftp://x/\n    importance: -1\n")
    cli.write("quietdiff.yaml", "fetch:\n  dleay: 1s\n")
    result = cli("check")
    assert (result.status, result.out) == (2, "")
    files = [line.split(": ")[:2] for line in result.err.splitlines()]
    assert files == [
        ["quietdiff.yaml:2", "fetch.dleay"],
        ["sites/bad.yaml:3", "pages[0].url"],
        ["sites/bad.yaml:4", "pages[0].importance"],
    ]


def test_a_visit_names_every_problem_of_the_settings_as_check_does(cli):
    cli.write("sites/shop.yaml", SITE)
    cli.write("quietdiff.yaml", "fetch:\n  dleay: 1s\n  timeout: soon\n")
    checked = cli("check").err.splitlines()
    assert len(checked) == 2
    result = cli("visit", "shop")
    assert (result.status, result.out) == (2, "")
    assert result.err.splitlines() == [f"quietdiff: {line}" for line in checked]


def test_a_project_without_sites_is_status_2_and_says_where_they_go(cli):
    result = cli("check")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"quietdiff: {cli.folder / 'sites'}: no site file; write one")
    assert result.err.count("\n") == 1
