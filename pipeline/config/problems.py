"""From what a validator found to errors that a person can act on: file, line, key, what is expected."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from pipeline.config.words import KeyPath, choices, did_you_mean, dotted
from pipeline.config.yamltext import Problem, line_of
from pipeline.errors import ConfigError

__all__ = ["config_errors", "validate"]

Model = TypeVar("Model", bound=BaseModel)

_EXPECTED = {
    "string_type": "expected text",
    "bool_parsing": "expected `true` or `false`",
    "bool_type": "expected `true` or `false`",
    "float_parsing": "expected a number",
    "float_type": "expected a number",
    "finite_number": "expected a number",
    "int_parsing": "expected a whole number",
    "int_type": "expected a whole number",
    "int_from_float": "expected a whole number",
    "int_parsing_size": "expected a smaller number",
    "greater_than": "expected more than {gt:g}",
    "greater_than_equal": "expected at least {ge:g}",
    "less_than_equal": "expected at most {le:g}",
    "list_type": "expected a list: lines that begin with `- `",
    "dict_type": "expected a mapping: lines of `key: value`",
    "model_type": "expected a mapping: lines of `key: value`",
    "too_short": "expected at least {min_length} in the list",
    "missing": "missing; this key is required",
}


def validate(model: type[Model], value: object, at: KeyPath = ()) -> tuple[Model | None, list[Problem]]:
    """The value as the model, or None and everything wrong with it; `at` is where in its file it stands."""
    try:
        return model.model_validate(value), []
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        return None, [_problem(model, value, at, detail) for detail in found]


def config_errors(file: Path | str, root: object, problems: Iterable[Problem]) -> tuple[ConfigError, ...]:
    """The problems as errors, in order of line, which is looked up in the file's value `root`."""
    errors = [
        ConfigError(file, found.message, line=found.line or line_of(root, found.path), key=dotted(found.path))
        for found in problems
    ]
    return tuple(sorted(errors, key=lambda error: (error.line or 0, error.key)))


def _problem(model: type[BaseModel], value: object, at: KeyPath, detail: Mapping[str, Any]) -> Problem:
    kind, context = detail["type"], detail.get("ctx", {})
    path = _real_path(value, detail["loc"], missing=kind == "missing")
    if kind == "extra_forbidden":
        message = f"unknown key; {did_you_mean(str(path[-1]), _known_keys(model, path[:-1]))}"
    elif kind == "value_error":
        message = str(context["error"])
    elif kind in {"enum", "literal_error"}:
        message = f"expected {choices(_enum_words(context['expected']))}"
    else:
        message = _EXPECTED[kind].format_map(context) if kind in _EXPECTED else detail["msg"]
    return Problem((*at, *path), message)


def _real_path(value: object, location: tuple[str | int, ...], *, missing: bool) -> KeyPath:
    """The steps of pydantic's location that are keys of the value; the others name branches of unions."""
    path: list[str | int] = []
    for step in location:
        if (isinstance(value, dict) and step in value) or (
            isinstance(value, list) and isinstance(step, int) and step < len(value)
        ):
            path.append(step)
            value = value[step]  # type: ignore[index]  # a dict or list, as just seen
    return (*path, location[-1]) if missing else tuple(path)


def _known_keys(model: type[BaseModel], path: KeyPath) -> list[str]:
    """The keys that the mapping at the path may have; places in lists and free keys lead nowhere else."""
    models = [model]
    for step in path:
        models = [
            inner
            for outer in models
            for inner in (_models_in(outer.model_fields[step].annotation) if step in outer.model_fields else [outer])
        ]
    return sorted({name for found in models for name in found.model_fields})


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for argument in get_args(annotation) for found in _models_in(argument)]


def _enum_words(expected: str) -> list[str]:
    return [word.strip(" '") for part in expected.split(",") for word in part.split(" or ")]
