"""The JSON Schemas, the bundled configuration and the examples of the guide."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pipeline.config import check_project, load_project, load_rules, settings_schema, site_schema, write_schemas
from pipeline.config.yamltext import read_yaml

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
EXAMPLES = {
    name: text for text, name in re.findall(r"^```yaml\n(# ([\w/.-]+)\n.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
}


def faults(schema, value):
    return [error.message for error in Draft202012Validator(schema).iter_errors(value)]


def every_property(schema):
    """Every (name, schema) of every mapping that the schema describes by name."""
    for part in (schema, *schema["$defs"].values()):
        for name, shape in part.get("properties", {}).items():
            yield name, {**schema["$defs"].get(shape.get("$ref", "").rpartition("/")[2], {}), **shape}


def test_the_stored_schemas_are_current(tmp_path):
    (tmp_path / "sites").mkdir()
    write_schemas(tmp_path)
    for name in ("sites/schema.json", "quietdiff.schema.json"):
        stored = (ROOT / name).read_text(encoding="utf-8")
        assert stored == (tmp_path / name).read_text(encoding="utf-8"), f"run write_schemas to renew {name}"
    assert json.loads((ROOT / "sites/schema.json").read_text()) == site_schema()


@pytest.mark.parametrize("schema", [site_schema(), settings_schema()])
def test_a_schema_is_valid_and_says_what_every_key_means(schema):
    Draft202012Validator.check_schema(schema)
    for name, shape in every_property(schema):
        assert len(shape.get("description", "")) > 10, name


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (site_schema(), {"pages": [{"name": "a", "url": "https://a.example", "evry": "6h"}]}),
        (site_schema(), {"pages": [{"name": "A", "url": "https://a.example"}]}),
        (site_schema(), {"pages": [{"name": "a", "url": "ftp://a.example"}]}),
        (site_schema(), {"pages": [{"name": "a", "url": "https://a.example", "every": 6}]}),
        (site_schema(), {"pages": [{"name": "a", "url": "https://a.example", "fields": "prodct"}]}),
        (site_schema(), {"pages": [{"name": "a", "url": "https://a.example", "alert": {"price": {"change": -1}}}]}),
        (site_schema(), {"pages": []}),
        (
            site_schema(),
            {"vantage": {"proxy": "http://a.example"}, "pages": [{"name": "a", "url": "https://a.example"}]},
        ),
        (settings_schema(), {"fetch": {"dely": "1s"}}),
    ],
)
def test_an_editor_shows_what_the_loader_would_refuse(schema, value):
    assert faults(schema, value)


def test_the_bundled_configuration_is_right(tmp_path):
    (tmp_path / "sites").mkdir()  # a copy: beside the bundled site file a user's own may lie
    for name in ("quietdiff.yaml", "sites/demo.yaml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    project = load_project(tmp_path)
    assert project.problems == ()
    assert project.settings.fetch.hosts["127.0.0.1:8600"].delay.total_seconds() == 0
    for file in (ROOT / "quietdiff.yaml", ROOT / "sites" / "demo.yaml"):
        schema = file.read_text(encoding="utf-8").partition("$schema=")[2].split()[0]
        assert (file.parent / schema).is_file()


def test_the_guide_has_an_example_of_every_kind():
    kinds = {name.partition("/")[0] for name in EXAMPLES}
    assert kinds == {"sites", "rules", "quietdiff.yaml"}
    assert GUIDE.count("```yaml") == len(EXAMPLES)


def test_the_examples_of_the_guide_load(folder):
    for name, text in EXAMPLES.items():
        file = folder.write(name, text)
        if name.startswith("rules/"):
            load_rules(file)
    assert [str(problem) for problem in check_project(folder.root, {"SHOP_PROXY": "http://proxy.example"})] == []


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("sites/")])
def test_the_examples_of_the_guide_agree_with_the_schema(name):
    value, _ = read_yaml(EXAMPLES[name])
    assert faults(site_schema(), _typed(value)) == []


@pytest.mark.parametrize("schema", [site_schema(), settings_schema()])
def test_the_guide_names_every_key(schema):
    for name, _ in every_property(schema):
        assert re.search(rf"`(\w+\.)?{name}`|\b{name}:", GUIDE), name


def _typed(value):
    """The value as an editor's YAML reader has it: numbers and truth values are not text."""
    if isinstance(value, dict):
        return {key: _typed(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_typed(member) for member in value]
    if value in ("true", "false"):
        return value == "true"
    return int(value) if isinstance(value, str) and value.isdecimal() else value
