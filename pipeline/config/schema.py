"""The JSON Schemas that editors complete and check site files and `quietdiff.yaml` with."""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from pipeline.config.models import SettingsFile, SiteFile

__all__ = ["settings_schema", "site_schema", "write_schemas"]


def site_schema() -> dict[str, Any]:
    """The schema of `sites/*.yaml`, stored in `sites/schema.json`."""
    return _schema(SiteFile, "Quietdiff site")


def settings_schema() -> dict[str, Any]:
    """The schema of `quietdiff.yaml`, stored in `quietdiff.schema.json`."""
    return _schema(SettingsFile, "Quietdiff settings")


def write_schemas(root: Path) -> None:
    """Write both schemas into a project folder that has a folder `sites`."""
    for name, schema in (("sites/schema.json", site_schema()), ("quietdiff.schema.json", settings_schema())):
        (root / name).write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


class _ForPeople(GenerateJsonSchema):
    """Says nothing of null: a key that may be left out is left out, and editors need not offer it."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])


def _schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    schema = _without_titles(model.model_json_schema(schema_generator=_ForPeople))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def _without_titles(schema: Any) -> Any:  # any JSON
    """Without the titles pydantic makes of names, which editors would show above each description."""
    match schema:
        case dict():
            kept = {key: value for key, value in schema.items() if key != "title" or not isinstance(value, str)}
            return {key: _without_titles(value) for key, value in kept.items()}
        case list():
            return [_without_titles(member) for member in schema]
        case _:
            return schema
