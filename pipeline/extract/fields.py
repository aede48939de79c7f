"""The value of each tracked field, from the page's elements or its structured data.

A field always has a `FieldValue`: one that is not on the page is `missing`, never left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from pipeline.extract.entities import Main, classes_of, main_item
from pipeline.extract.facts import Facts
from pipeline.extract.metadata import METADATA, metadata
from pipeline.extract.offers import offered_availability, offered_price, offers
from pipeline.extract.properties import members, property_values, scalar, text_of
from pipeline.extract.rivals import visible_price, with_rival
from pipeline.extract.selected import Place, read_selected, source_of
from pipeline.extract.structured import Item, Source
from pipeline.extract.typed import AMBIGUOUS, CONFLICT, MISSING, Hints, Typed
from pipeline.extract.values import listed, quantity, typed
from pipeline.model import FieldSpec, FieldState, FieldType, FieldValue, Rules

__all__ = ["FieldReader"]

RAW_LENGTH = 500

_TEXT_LIKE = frozenset({FieldType.TEXT, FieldType.LIST})
_OFFERED = frozenset({("price", FieldType.PRICE), ("availability", FieldType.AVAILABILITY)})
_WEIGHTY = frozenset({FieldType.PRICE, FieldType.AVAILABILITY})
"""Types for which two descriptions of one thing that disagree are a conflict; for others the first one counts."""


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Everything about one page that fields are read from.

    Attributes:
        place: Where selectors look.
        sources: The structured data, in order of trust.
        title: The page's own.
        shown: Texts of the main part that a person sees, block by block.
    """

    place: Place
    sources: Sequence[Source]
    facts: Facts
    title: str | None
    shown: Sequence[str]
    hints: Hints

    def read(self, rules: Rules) -> tuple[FieldValue, ...]:
        """One value for each field of the settled rules, in their order."""
        mains = [(source, main) for source in self.sources if (main := self._main(source, rules.page_type))]
        return tuple(self._read(spec, mains) for spec in rules.fields)

    def _read(self, spec: FieldSpec, mains: Sequence[tuple[Source, Main]]) -> FieldValue:
        """The value with its rival: structured data beside a selector, the visible price beside structured data."""
        if not spec.selected:
            found = self._from_data(spec, mains)
            return with_rival(found, self._visible(found)) if spec.type is FieldType.PRICE else found
        value, raw = read_selected(spec, self.place, self.hints)
        selected = _field(spec, value, source_of(spec), raw)
        return with_rival(selected, self._from_data(spec, mains)) if (spec.name, spec.type) in _OFFERED else selected

    def _visible(self, found: FieldValue) -> FieldValue | None:
        seen = visible_price(found, self.shown, self.hints)
        return (
            None if seen is None else _field(FieldSpec(name=found.name, type=found.type), seen[0], "visible", seen[1])
        )

    def _main(self, source: Source, page_type: str) -> Main | None:
        if source.name == "json_path":
            return Main(rivals=source.items[:1], same=True, others=())
        return main_item(source, classes_of(page_type), self.facts)

    def _from_data(self, spec: FieldSpec, mains: Sequence[tuple[Source, Main]]) -> FieldValue:
        for source, main in mains:
            found = [self._of_item(spec, item, source) for item in main.rivals]
            found = [value for value in found if value.state is not FieldState.MISSING]
            if not found and main.same:
                others = (self._of_item(spec, item, source) for item in main.others)
                found = [value for value in others if value.state is not FieldState.MISSING][:1]
            if found:
                return _agreed(found, same=main.same)
        document = self.place.document
        if (
            document is not None
            and spec.name in METADATA
            and (text := metadata(document, spec.name, self.title, self.facts.base))
        ):
            return _field(spec, typed(text, spec.type, self.hints), "metadata", text)
        return _field(spec, MISSING, "json_ld", None)

    def _of_item(self, spec: FieldSpec, item: Item, source: Source) -> FieldValue:
        value, raw = self._value_of(spec, item, source)
        return _field(spec, value, source.name, raw, repaired=item.repaired)

    def _value_of(self, spec: FieldSpec, item: Item, source: Source) -> tuple[Typed, str | None]:
        hints = _for_machines(self.hints)
        if (spec.name, spec.type) in _OFFERED:
            found = offers(item.node, source, self.facts)
            return (
                offered_price(item.node, found, hints)
                if spec.name == "price"
                else offered_availability(found, hints.language)
            )
        values = property_values(item.node, spec.name, source)
        if spec.type in _TEXT_LIKE:
            texts = members(values)
            value = listed(texts) if spec.type is FieldType.LIST else typed(text_of(values), spec.type, hints)
            return value, " | ".join(filter(None, texts)) or None
        for each in values:
            told = scalar(each, want_url=spec.type is FieldType.URL)
            value = (
                quantity(told, spec.type, hints) if isinstance(told, Decimal) else typed(str(told), spec.type, hints)
            )
            if value.state is not FieldState.MISSING:
                return value, str(told)
        return MISSING, None


def _agreed(found: Sequence[FieldValue], *, same: bool) -> FieldValue:
    """One value of several descriptions that the page's evidence cannot tell apart."""
    first = found[0]
    if all(value.text == first.text and value.state is first.state for value in found):
        return first
    if same and first.type not in _WEIGHTY:
        return first
    doubt = CONFLICT if same else AMBIGUOUS
    raw = " | ".join(dict.fromkeys(value.raw for value in found if value.raw))
    spec = FieldSpec(name=first.name, type=first.type)
    return _field(spec, doubt, first.source, raw, repaired=any(value.repaired for value in found))


@lru_cache(maxsize=64)
def _for_machines(hints: Hints) -> Hints:
    return replace(hints, machine=True)


def _field(spec: FieldSpec, value: Typed, source: str, raw: str | None, *, repaired: bool = False) -> FieldValue:
    return FieldValue(
        name=spec.name,
        type=spec.type,
        state=value.state,
        source=source,
        text=value.text,
        number=value.number,
        high=value.high,
        currency=value.currency,
        moment=value.moment,
        boolean=value.boolean,
        members=value.members,
        raw=raw[:RAW_LENGTH] if raw else None,
        repaired=repaired,
    )
