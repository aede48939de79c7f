"""The fields that are tracked without being asked for, by page type.

Names are the properties of schema.org in snake case; each set holds what schema.org gives for its type
(https://schema.org/Product, /Article, /Recipe, /Event, /JobPosting, /Organization) and is stable enough to
watch: no descriptions, pictures or breadcrumbs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from pipeline.config.records import AlertRule
from pipeline.model import FieldSpec, FieldType, Rules

__all__ = [
    "AUTO",
    "BUILTIN_FIELDS",
    "STRUCTURED_FIELDS",
    "default_alert",
    "is_count",
    "is_weak",
    "merge_fields",
    "settle",
]

AUTO = "auto"
"""The page type of a page that names none: found from its structured data on the first good visit."""


def _specs(**types: FieldType) -> tuple[FieldSpec, ...]:
    return tuple(FieldSpec(name=name, type=kind) for name, kind in types.items())


_RATING = {
    "rating_value": FieldType.NUMBER,
    "rating_count": FieldType.NUMBER,
    "review_count": FieldType.NUMBER,
}
_PUBLISHED = {"date_published": FieldType.DATE, "date_modified": FieldType.DATE}

BUILTIN_FIELDS: Mapping[str, tuple[FieldSpec, ...]] = MappingProxyType(
    {
        "product": _specs(
            name=FieldType.TEXT,
            price=FieldType.PRICE,
            availability=FieldType.AVAILABILITY,
            sku=FieldType.TEXT,
            brand=FieldType.TEXT,
            **_RATING,
        ),
        "article": _specs(name=FieldType.TEXT, author=FieldType.TEXT, **_PUBLISHED),
        "recipe": _specs(
            name=FieldType.TEXT,
            author=FieldType.TEXT,
            total_time=FieldType.DURATION,
            prep_time=FieldType.DURATION,
            cook_time=FieldType.DURATION,
            recipe_yield=FieldType.TEXT,
            ingredients=FieldType.LIST,
            **_RATING,
            **_PUBLISHED,
        ),
        "event": _specs(
            name=FieldType.TEXT,
            start_date=FieldType.DATE,
            end_date=FieldType.DATE,
            event_status=FieldType.TEXT,
            location=FieldType.TEXT,
            price=FieldType.PRICE,
            availability=FieldType.AVAILABILITY,
        ),
        "job": _specs(
            name=FieldType.TEXT,
            date_posted=FieldType.DATE,
            valid_through=FieldType.DATE,
            employment_type=FieldType.TEXT,
            hiring_organization=FieldType.TEXT,
            job_location=FieldType.TEXT,
        ),
        "organization": _specs(
            name=FieldType.TEXT,
            legal_name=FieldType.TEXT,
            address=FieldType.TEXT,
            telephone=FieldType.TEXT,
            email=FieldType.TEXT,
        ),
        "terms": (),
        "text": (),
    }
)
"""By page type. `terms` and `text` are judged by their text alone."""

STRUCTURED_FIELDS: Mapping[str, FieldType] = MappingProxyType(
    {spec.name: spec.type for specs in BUILTIN_FIELDS.values() for spec in specs} | {"description": FieldType.TEXT}
)
"""Every field that can be read from structured data, without a selector. Descriptions change with every turn of phrase,
so no built-in set tracks them."""

_PLAIN = frozenset({"article", "text", "terms", "organization"})
_COUNTS = frozenset({*_RATING, "date_modified"})


def settle(rules: Rules, page_type: str) -> Rules:
    """The rules of an `auto` page once its type is found: that type and its built-in fields.

    Fields the rules name themselves win by name. Rules whose type is not `auto` come back unchanged.
    """
    if rules.page_type != AUTO:
        return rules
    fields = merge_fields(BUILTIN_FIELDS.get(page_type, ()), rules.fields)
    return replace(rules, page_type=page_type, fields=fields)


def merge_fields(*layers: Iterable[FieldSpec]) -> tuple[FieldSpec, ...]:
    """The fields of all layers, the last of each name; sorted by name, so that their order means nothing."""
    specs = {spec.name: spec for layer in layers for spec in layer}
    return tuple(specs[name] for name in sorted(specs))


def is_weak(field_name: str, page_type: str) -> bool:
    """Whether a change of the field only accompanies others: dates of articles and plain pages."""
    return page_type in _PLAIN and field_name in _PUBLISHED


def is_count(field_name: str) -> bool:
    """Whether the field moves by itself and feeds no change rate: ratings, reviews, modification dates."""
    return field_name in _COUNTS


def default_alert(field_name: str) -> AlertRule:
    """The rule of a field for which none is written: any change, but never of `is_count` fields."""
    return AlertRule(never=is_count(field_name))
