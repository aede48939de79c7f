"""When a change of a field is worth an alert: what people write, and what of it fits which type of field."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, PlainValidator, Tag, WithJsonSchema

from pipeline.config.records import AlertRule
from pipeline.config.words import KeyPath, choices, did_you_mean
from pipeline.config.yamltext import Problem
from pipeline.model import AVAILABILITIES, FieldType

__all__ = ["Alert", "AlertEntry", "alert_problems", "alert_rules"]

FieldTypes: TypeAlias = Mapping[str, FieldType]

_MEASURED = frozenset({FieldType.PRICE, FieldType.NUMBER, FieldType.DURATION})
_SIZE = r"^([0-9]{1,12}(\.[0-9]{1,12})?)( ?%)?$"
_AMOUNT = r"^-?[0-9]{1,12}(\.[0-9]{1,8})?$"
MOST_VISITS = 100


def _read_size(value: object) -> AlertRule:
    usable = isinstance(value, str | int | float) and not isinstance(value, bool)
    found = re.fullmatch(_SIZE.removesuffix("$"), str(value)) if usable else None
    if found is None or not (amount := Decimal(found[1])):
        raise ValueError("expected a size of change above 0, such as `1%` (relative) or `5` (absolute)")
    return AlertRule(change=amount / 100) if found[3] else AlertRule(absolute=amount)


def _read_amount(value: object) -> Decimal:
    usable = isinstance(value, str | int | float) and not isinstance(value, bool)
    if not usable or re.fullmatch(_AMOUNT.removesuffix("$"), str(value)) is None:
        raise ValueError("expected an amount such as `50` or `49.90`")
    return Decimal(str(value))


def _number_or(pattern: str, **bounds: int) -> WithJsonSchema:
    return WithJsonSchema({"oneOf": [{"type": "number"} | bounds, {"type": "string", "pattern": pattern}]})


Size = Annotated[AlertRule, PlainValidator(_read_size), _number_or(_SIZE, exclusiveMinimum=0)]
Amount = Annotated[Decimal, PlainValidator(_read_amount), _number_or(_AMOUNT)]


class AlertEntry(BaseModel):
    """Conditions that must all hold."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    change: Size | None = None
    """Smallest change worth an alert, against the value last alerted: `1%` or an amount."""
    direction: Literal["up", "down"] | None = None
    """Only rises, or only falls."""
    below: Amount | None = None
    """Only when it falls below this."""
    above: Amount | None = None
    """Only when it rises above this."""
    members: Literal["added", "removed"] | None = None
    """Of a list: only when members came, or only when members went."""
    to: list[str] | None = Field(default=None, min_length=1)
    """Only these values, such as `InStock`."""
    stable_for: int | None = Field(default=None, ge=1, le=MOST_VISITS)
    """Good visits in a row that must show the value before it is told. Default 1."""
    repeat: bool | None = None
    """Tell also of a value that the field had before. Default true."""


def _shape(value: object) -> str:
    return "text" if isinstance(value, str) else "mapping" if isinstance(value, dict) else "other"


_EXPECTED = "expected `any`, `never` or a mapping such as `{change: 1%}`"


def _read_word(value: str) -> str:
    if value not in {"any", "never"}:
        raise ValueError(_EXPECTED)
    return value


_Word = Annotated[str, AfterValidator(_read_word), WithJsonSchema({"type": "string", "enum": ["any", "never"]})]
Alert = Annotated[
    Annotated[_Word, Tag("text")] | Annotated[AlertEntry, Tag("mapping")],
    Discriminator(_shape, custom_error_type="shape", custom_error_message=_EXPECTED),
]


def alert_rules(*layers: Mapping[str, AlertEntry | str] | None) -> dict[str, AlertRule]:
    """The rule of each field that any layer names; the last layer that names it wins."""
    return {name: _rule(entry) for layer in layers for name, entry in (layer or {}).items()}


def _rule(entry: AlertEntry | str) -> AlertRule:
    if isinstance(entry, str):
        return AlertRule(never=entry == "never")
    return replace(
        entry.change or AlertRule(),
        direction=entry.direction,
        below=entry.below,
        above=entry.above,
        members=entry.members,
        to=tuple(entry.to or ()),
        stable_for=entry.stable_for or 1,
        repeat=entry.repeat is not False,
    )


def alert_problems(alerts: Mapping[str, AlertEntry | str] | None, types: FieldTypes, at: KeyPath) -> Iterator[Problem]:
    """Alerts of fields that are not tracked, and conditions that their types cannot meet."""
    for name, entry in (alerts or {}).items():
        if name not in types:
            yield Problem((*at, name), f"no such field is tracked here; {did_you_mean(name, types)}")
        elif isinstance(entry, AlertEntry):
            yield from (Problem((*at, name, *key), message) for key, message in _misfits(entry, types[name]))


def _misfits(entry: AlertEntry, field_type: FieldType) -> Iterator[tuple[KeyPath, str]]:
    if field_type not in _MEASURED:
        for key in ("change", "direction", "below", "above"):
            if getattr(entry, key) is not None:
                yield (key,), f"a {field_type} has no size; this is for {choices(sorted(_MEASURED))}"
    if entry.members is not None and field_type is not FieldType.LIST:
        yield ("members",), f"a {field_type} has no members; this is for `list`"
    if entry.to is not None and field_type in {*_MEASURED, FieldType.LIST}:
        yield ("to",), f"a {field_type} is compared by size or members, not by its text"
    if entry.to is not None and field_type is FieldType.AVAILABILITY:
        for place, word in enumerate(entry.to):
            if word not in AVAILABILITIES:
                yield ("to", place), f"no availability of schema.org; {did_you_mean(word, AVAILABILITIES)}"
