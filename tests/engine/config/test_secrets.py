"""`${NAME}`: looked up in the environment, never stored, never shown."""

import pytest

ONE = "pages: [{name: a, url: 'https://a.example'}]\n"


@pytest.mark.parametrize("environ", [{}, {"P": ""}])
def test_a_variable_that_is_missing_or_empty_is_named(folder, environ):
    text = (
        "vantage: {proxy: ${P}}\npages:\n  - name: a\n    url: https://a.example\n    vantage: {cookies: {sid: ${Q}}}\n"
    )
    state = "empty" if environ else "not set"
    assert folder.problems(text, environ) == [
        f"1: vantage.proxy: environment variable P is {state}; set it before you start",
        "5: pages[0].vantage.cookies.sid: environment variable Q is not set; set it before you start",
    ]


@pytest.mark.parametrize(
    "keys",
    [
        "vantage: {proxy: 'http://user:hunter2@proxy.example'}",
        "vantage: {proxy: 'hunter2'}",
        "vantage: {proxy: '${P}hunter2'}",
        "vantage: {proxy: '${hunter2!}'}",
        "vantage: {cookies: {sid: hunter2}}",
    ],
)
def test_a_secret_in_the_file_is_refused_and_not_repeated(folder, keys):
    problem = folder.page_problem(keys)
    assert "expected only the name of an environment variable, such as `${SHOP_PROXY}`" in problem
    assert "hunter2" not in problem


def test_a_secret_in_an_address_is_refused_and_not_repeated(folder):
    (problem,) = folder.problems("pages: [{name: a, url: 'https://user:hunter2@a.example'}]")
    assert "without user name and password" in problem
    assert "hunter2" not in problem


def test_a_missing_variable_of_one_site_stops_no_other(folder):
    folder.write("sites/a.yaml", "vantage: {proxy: ${P}}\n" + ONE)
    folder.write("sites/b.yaml", ONE)
    assert list(folder.load().sites) == ["b"]


def test_a_value_from_the_environment_is_kept_nowhere(folder):
    site = folder.site(
        "vantage: {proxy: ${SHOP_PROXY}}\n" + ONE, {"SHOP_PROXY": "http://user:secret@proxy.example:3128"}
    )
    assert "secret" not in repr(site)
