"""docs/commands.md says what the commands are."""

import re
from pathlib import Path

import pytest

from pipeline.cli import app, commands

TEXT = (Path(__file__).parents[3] / "docs" / "commands.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (?:quietdiff )?(\w+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
NAMES = [name.rstrip("_") for name in commands.__all__]
EVERYWHERE = {"--project", "--data", "--help", "--version"}


def arguments_of(name):
    arguments = app[name].assemble_argument_collection(default_parameter=app.default_parameter, parse_docstring=True)
    return [argument for argument in arguments if argument.parse]


@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_documented_with_exactly_its_options(name):
    options = {name for argument in arguments_of(name) for name in argument.names if name.startswith("--")}
    items = re.findall(r"^- (.*?):", SECTIONS[name], re.MULTILINE)
    assert {word for item in items for word in re.findall(r"--[\w-]+", item)} == options


@pytest.mark.parametrize("name", NAMES)
def test_every_argument_is_in_the_usage_line(name):
    positional = [argument for argument in arguments_of(name) if not argument.name.startswith("--")]
    words = [argument.name.upper().removesuffix("S").removesuffix("[0]") for argument in positional]
    usage = re.search(rf"`quietdiff {name}(.*?)`", SECTIONS[name])
    assert all(word in usage[1] for word in words)


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_help(name):
    assert all(argument.parameter.help for argument in arguments_of(name))


def test_the_options_of_every_command_are_documented():
    assert set(re.findall(r"--[\w-]+", SECTIONS["Everywhere"])) == EVERYWHERE
    assert set(NAMES) == {name for name in SECTIONS if name not in {"Everywhere", "demo", "up", "register", "upkeep"}}
