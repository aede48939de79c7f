"""From the rules keys of a file to `Rules`, and `Rules` to the text they are stored and identified by."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from pipeline.config.fieldsets import AUTO, BUILTIN_FIELDS, STRUCTURED_FIELDS, merge_fields
from pipeline.config.files import read_file
from pipeline.config.models import FieldEntry, FieldsEntry, PageTypeEntry, RegionEntry, RulesFile, RulesKeys
from pipeline.config.problems import config_errors, validate
from pipeline.config.words import KeyPath, choices, nearest
from pipeline.config.yamltext import Problem
from pipeline.model import FieldSpec, FieldType, Rules

__all__ = ["field_problems", "load_rules", "make_rules", "rules_from_json", "rules_json"]


def load_rules(source: Path | Mapping[str, object]) -> Rules:
    """The rules of a rules file, or of a mapping with the same keys.

    `page_type` may also be a type of a site file; the fields are then those of the rules alone.

    Raises:
        ConfigError: The first thing wrong with it; a mapping is named `rules`.
    """
    value: object
    if isinstance(source, Path):
        value, problems = read_file(source)
    else:
        value, problems = dict(source), []
    if not problems:
        entry, problems = validate(RulesFile, {} if value is None else value)
        if entry is not None:
            problems = [*_page_type_problems(entry), *field_problems(entry, ())]
            if not problems:
                return make_rules(entry.page_type or AUTO, None, entry)
    raise config_errors(source if isinstance(source, Path) else "rules", value, problems)[0]


def make_rules(page_type: str, shared: PageTypeEntry | None, own: RulesKeys | None) -> Rules:
    """The rules of a page: its type's, with its own fields added and its other keys in place of its type's.

    `shared` is what the site file says of the type; its `fields`, if given, stand for the built-in ones.
    """
    layers = [layer for layer in (shared, own) if layer is not None]
    base = BUILTIN_FIELDS.get(page_type, ()) if shared is None or shared.fields is None else ()
    written = [spec for layer in layers for spec in _specs(layer.fields)]
    region = next((layer.region for layer in reversed(layers) if layer.region is not None), None)
    include, exclude = _region(region)
    return Rules(
        page_type=page_type,
        fields=merge_fields(base, written),
        include=include,
        exclude=exclude,
        unordered=_last(layer.unordered for layer in layers),
        mask=_last(layer.mask for layer in layers),
        language=next((layer.language for layer in reversed(layers) if layer.language), None),
    )


def field_problems(entry: RulesKeys, at: KeyPath) -> Iterator[Problem]:
    """Fields without a selector that structured data cannot give."""
    for path, name, found in _entries(entry.fields, (*at, "fields")):
        selected = found.css is not None or found.xpath is not None or found.json_path is not None
        if not selected and name not in STRUCTURED_FIELDS:
            near = nearest(name, STRUCTURED_FIELDS)
            hint = f"; or did you mean `{near}`?" if near else ""
            yield Problem(path, f"needs `css`, `xpath` or `json_path`: structured data has no field of this name{hint}")


def _page_type_problems(entry: RulesFile) -> Iterator[Problem]:
    name = entry.page_type
    if name is None or name == AUTO or name in BUILTIN_FIELDS:
        return
    if (near := nearest(name, [AUTO, *BUILTIN_FIELDS])) is not None:
        yield Problem(("page_type",), f"no page type; did you mean `{near}`?")
    elif entry.fields is None:
        yield Problem(("page_type",), f"no built-in page type: name its `fields`, or use {choices(BUILTIN_FIELDS)}")


def _entries(fields: FieldsEntry | None, at: KeyPath) -> Iterator[tuple[KeyPath, str, FieldEntry]]:
    """Every field that is written out, with its path and name."""
    match fields:
        case dict():
            yield from (((*at, name), name, found) for name, found in fields.items())
        case list():
            for place, part in enumerate(fields):
                yield from _entries(part, (*at, place))


def _specs(fields: FieldsEntry | None) -> Iterator[FieldSpec]:
    match fields:
        case str():
            yield from BUILTIN_FIELDS[fields]
        case dict():
            for name, found in fields.items():
                yield FieldSpec(name=name, **dict(found))
        case list():
            for part in fields:
                yield from _specs(part)


def _region(region: RegionEntry | str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    match region:
        case None:
            return (), ()
        case str():
            return (region,), ()
        case _:
            return tuple(region.include or ()), tuple(region.exclude or ())


def _last(layers: Iterable[list[str] | None]) -> tuple[str, ...]:
    given = [layer for layer in layers if layer is not None]
    return tuple(dict.fromkeys(given[-1])) if given else ()


def rules_json(rules: Rules) -> str:
    """The rules as canonical JSON: sorted keys, no blanks, nothing that is empty, fields by name.

    Equal for rules that judge alike, so that its hash identifies them. What is empty is left out so that a
    key added later changes no hash.
    """
    fields = {
        spec.name: _present(**{key: value for key, value in asdict(spec).items() if key != "name"})
        for spec in rules.fields
    }
    whole = _present(
        page_type=rules.page_type,
        fields=fields,
        include=rules.include,
        exclude=rules.exclude,
        unordered=rules.unordered,
        mask=rules.mask,
        language=rules.language,
    )
    return json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def rules_from_json(text: str) -> Rules:
    """The rules that `rules_json` wrote, fields sorted by name."""
    whole = json.loads(text)
    fields = whole.pop("fields", {})
    specs = [FieldSpec(name=name, **{**spec, "type": FieldType(spec["type"])}) for name, spec in fields.items()]
    language, page_type = whole.pop("language", None), whole.pop("page_type")
    lists = {key: tuple(members) for key, members in whole.items()}
    return Rules(page_type=page_type, fields=merge_fields(specs), language=language, **lists)


def _present(**values: object) -> dict[str, object]:
    return {key: value for key, value in values.items() if value}
