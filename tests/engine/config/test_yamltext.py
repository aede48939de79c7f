"""YAML text to plain values with lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.config import yamltext
from pipeline.config.yamltext import line_of, read_yaml


def read(text):
    value, problems = read_yaml(text)
    assert problems == []
    return value


def faults(text):
    return [(found.path, found.line, found.message) for found in read_yaml(text)[1]]


@pytest.mark.parametrize("plain", ["NO", "yes", "1:30", "017", "0x1F", "2024-01-01", "1e3", "1_000", ".inf"])
def test_a_plain_scalar_is_the_text_that_stands_there(plain):
    assert read(f"a: {plain}") == {"a": plain}


def test_only_a_plain_null_is_null():
    assert read("{a: null, b: ~, c: , d: 'null', e: \"\"}") == {"a": None, "b": None, "c": None, "d": "null", "e": ""}


def test_a_version_directive_changes_nothing():
    assert read("%YAML 1.1\n---\na: NO\n") == {"a": "NO"}


def test_a_variable_is_text_inside_braces_and_outside_with_and_without_quotes():
    text = "a: {b: ${NAME}, c: '${NAME}'}\nd: ${NAME}\ne: x${NAME}y\nf: [${A}, ${B}]\n"
    assert read(text) == {
        "a": {"b": "${NAME}", "c": "${NAME}"},
        "d": "${NAME}",
        "e": "x${NAME}y",
        "f": ["${A}", "${B}"],
    }


def test_an_empty_document_is_nothing():
    assert read("") is None
    assert read("# only a comment\n") is None


def test_lines_are_found_for_every_depth():
    value = read("a:\n  - b: 1\n    c:\n      - x\n      - y\nd: {e: 1,\n  f: 2}\n")
    paths = [("a",), ("a", 0), ("a", 0, "c"), ("a", 0, "c", 1), ("d", "f")]
    assert [line_of(value, path) for path in paths] == [1, 2, 3, 5, 7]


def test_the_line_of_a_missing_key_is_that_of_its_mapping():
    value = read("\na:\n  - b: 1\n")
    assert line_of(value, ("a", 0, "missing", "deeper")) == 3
    assert line_of(value, ("missing",)) == 1


def test_values_from_no_file_have_no_lines():
    assert line_of({"a": [1]}, ("a", 0)) is None


def test_every_duplicate_key_is_named_with_both_lines():
    assert faults("a: 1\nb:\n  - c: 1\n    'c': 2\na: 3\n") == [
        (("b", 0, "c"), 4, "given twice, first at line 3; remove one"),
        (("a",), 5, "given twice, first at line 1; remove one"),
    ]


@pytest.mark.parametrize("tag", ["!!python/object:os.system", "!include", "!!binary", "!!set", "!<tag:x>"])
def test_a_tag_is_refused_and_not_acted_upon(tag):
    assert faults(f"x: 1\na: {tag} {{}}\n") == [(("a",), 2, "tags (`!...`) are not taken; remove it")]


def test_a_tag_of_plain_yaml_changes_nothing():
    assert read("a: !!str 5\nb: !!int 5\n") == {"a": "5", "b": "5"}


def test_a_mapping_as_key_is_refused():
    ((path, line, message),) = faults("a:\n  ? {b: 1}\n  : c\n")
    assert (path, line) == (("a",), 2)
    assert "expected text as key" in message


def test_an_alias_stands_for_what_its_anchor_holds():
    assert read("a: &x {b: [1]}\nc: *x\nd: &y 2\ne: *y\n") == {"a": {"b": ["1"]}, "c": {"b": ["1"]}, "d": "2", "e": "2"}


def test_an_alias_of_something_empty_is_no_alias_of_nothing():
    assert read("a: &x {}\nb: *x\nc: &y\nd: *y\n") == {"a": {}, "b": {}, "c": None, "d": None}


def test_an_alias_of_nothing_and_of_itself_is_refused():
    assert faults("a: *x\n") == [(("a",), 1, "alias `*x` names nothing that ends above it")]
    assert faults("a: &x [*x]\n") == [(("a", 0), 1, "alias `*x` names nothing that ends above it")]


def test_aliases_that_multiply_are_stopped():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    ((_, line, message),) = faults("\n".join(lines))
    assert line == 7
    assert message == "more than 2,000,000 values, aliases counted at each use"


def test_more_values_than_the_limit_are_refused(monkeypatch):
    monkeypatch.setattr(yamltext, "MAX_VALUES", 10)
    assert read("[1, 2, 3, 4, 5, 6, 7, 8, 9]")
    assert "more than 10 values" in faults("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]")[0][2]


@pytest.mark.parametrize("text", ["[" * 5_000, "{a: " * 5_000, "- " * 5_000])
def test_deep_nesting_is_stopped(text):
    assert [message for _, _, message in faults(text)] == ["nested more than 30 deep"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\n\tb: 2\n", 2, "a tab stands where only spaces may"),
        ("a: 1\nb: [1,\nc: 2\n", 4, "not YAML"),
        ("a: 1\nb: c: d\n", 2, "quote text that holds `: `"),
        ("a: 'open\n", 2, "unexpected end of stream"),
        ("a: 1\nb: x\x07y\n", 2, "a control character"),
        ("a: @x\n", 1, "'@' that cannot start any token"),
        ("a: 1\n---\nb: 2\n", 2, "expected one document"),
        ("%YAML 3.0\n---\na: 1\n", 1, "incompatible YAML document"),
        ("a: !x!y z\n", 1, "undefined tag handle"),
    ],
)
def test_what_is_not_yaml_is_named_with_its_line(text, line, words):
    ((path, found, message),) = faults(text)
    assert (path, found) == ((), line)
    assert words in message


_PIECES = [*"a: \n\t[]{},!%|>'\"#?~\\@\r\u2028\x85\ufeff\ud800", "- ", "&a", "*a", "!!x", "${A}", "---", "...", "<<"]
_PIECES += ["%YAML 1.1\n", "%TAG ! x\n"]


@given(st.lists(st.sampled_from(_PIECES), max_size=20).map("".join))
def test_no_text_raises(text):
    read_yaml(text)
