"""The value of each tracked field, from the page's elements or its structured data.

A field always has a `FieldValue`: one that is not on the page is `missing`, never left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from turbohtml import Document, Element

from pipeline.extract.currencies import iso_code
from pipeline.extract.elements import STRUCK, inner_text, link_of, machine_value
from pipeline.extract.entities import Main, classes_of, main_item
from pipeline.extract.facts import Facts
from pipeline.extract.offers import offered_availability, offered_price, offers
from pipeline.extract.properties import members, property_values, scalar, text_of
from pipeline.extract.structured import Item, Source
from pipeline.extract.text import fold
from pipeline.extract.typed import AMBIGUOUS, CONFLICT, MISSING, Hints, Typed
from pipeline.extract.values import listed, quantity, typed
from pipeline.extract.view import Mark, select
from pipeline.model import FieldSpec, FieldState, FieldType, FieldValue, Rules

__all__ = ["FieldReader"]

RAW_LENGTH = 500

MATCHES = 50
MATCHES_JOINED = 1000
"""Elements of one selector looked at, for a single value and for what joins the texts of all."""

_TEXT_LIKE = frozenset({FieldType.TEXT, FieldType.LIST})
_OFFERED = frozenset({("price", FieldType.PRICE), ("availability", FieldType.AVAILABILITY)})
_WEIGHTY = frozenset({FieldType.PRICE, FieldType.AVAILABILITY})
"""Types for which two descriptions of one thing that disagree are a conflict; for others the first one counts."""


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Everything about one page that fields are read from.

    Attributes:
        document: None for a body that is no markup.
        marked: Elements that are hidden, among others.
    """

    document: Document | None
    sources: Sequence[Source]
    facts: Facts
    marked: Mapping[Element, Mark]
    hints: Hints

    def read(self, rules: Rules) -> tuple[FieldValue, ...]:
        """One value for each field of the settled rules, in their order."""
        mains = [(source, main) for source in self.sources if (main := self._main(source, rules.page_type))]
        return tuple(
            self._from_page(spec) if spec.css is not None else self._from_data(spec, mains) for spec in rules.fields
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
        return _field(spec, MISSING, "json_ld", None)

    def _of_item(self, spec: FieldSpec, item: Item, source: Source) -> FieldValue:
        value, raw = self._value_of(spec, item, source)
        return replace(_field(spec, value, source.name, raw), repaired=item.repaired)

    def _value_of(self, spec: FieldSpec, item: Item, source: Source) -> tuple[Typed, str | None]:
        hints = replace(self.hints, machine=True)
        if (spec.name, spec.type) in _OFFERED:
            found = offers(item.node, source, self.facts)
            return offered_price(item.node, found, hints) if spec.name == "price" else offered_availability(found)
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

    def _from_page(self, spec: FieldSpec) -> FieldValue:
        elements = select(self.document, spec.css) if self.document is not None and spec.css else []
        if spec.type is FieldType.LIST and len(elements) == 1 and elements[0].tag in {"ul", "ol"}:
            elements = [child for child in elements[0].children if isinstance(child, Element)]
        most = MATCHES_JOINED if spec.type in _TEXT_LIKE else MATCHES
        found = [(element, text) for element in elements[:most] if (text := self._raw(element, spec))]
        texts = [text for _, text in found]
        match spec.type:
            case FieldType.LIST:
                value = listed(texts)
            case FieldType.TEXT:
                value = typed(" ".join(texts), spec.type, self.hints)
            case _:
                value = _single([typed(text, spec.type, self._told(element, spec)) for element, text in found])
        return _field(spec, value, "css", " | ".join(texts))

    def _raw(self, element: Element, spec: FieldSpec) -> str:
        if spec.attribute is not None:
            return fold(element.attr(spec.attribute) or "")
        if spec.type in {FieldType.URL, FieldType.AVAILABILITY} and (link := link_of(element)):
            text = inner_text(element, self.marked) if spec.type is FieldType.AVAILABILITY else ""
            return text or fold(link)
        if element.tag in {"meta", "data", "meter"} or (element.tag == "time" and element.attr("datetime")):
            return machine_value(element)
        text = inner_text(element, self.marked, skip=STRUCK if spec.type is FieldType.PRICE else ())
        return text or fold(element.attr("content") or element.attr("value") or "")

    def _told(self, element: Element, spec: FieldSpec) -> Hints:
        """The page's hints, and for a price the currency that stands beside it for machines."""
        machine = element.tag in {"meta", "data"} or spec.attribute == "content"
        if spec.type is not FieldType.PRICE or self.document is None:
            return replace(self.hints, machine=machine)
        scope = element.closest("[itemscope]")
        around = scope if scope is not None else element.parent
        beside = around.select_one("[itemprop~=priceCurrency]") if around is not None else None
        if beside is None:
            beside = self.document.select_one('meta[property="product:price:currency"],meta[itemprop=priceCurrency]')
        currency = iso_code(machine_value(beside)) if beside is not None else None
        return replace(self.hints, machine=machine, currency=currency)


def _single(values: Sequence[Typed]) -> Typed:
    """The one value of what a selector matched; matches with different values are in conflict."""
    known = {value.text: value for value in values if value.state is FieldState.VALUE}
    if len(known) > 1:
        return CONFLICT
    return next(iter(known.values()), values[0] if values else MISSING)


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
    return replace(_field(spec, doubt, first.source, raw), repaired=any(value.repaired for value in found))


def _field(spec: FieldSpec, value: Typed, source: str, raw: str | None) -> FieldValue:
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
    )
