"""Microdata (https://html.spec.whatwg.org/multipage/microdata.html), values read lazily.

Own reading, because `content` counts on any element here, not only on `meta`. From each property the page is climbed to
the thing that has it, so that the cost is that of the marked up part, not of the page.
"""

from turbohtml import Document, Element

from pipeline.extract.facts import Facts, address
from pipeline.extract.structured.nodes import Node, Source, Value, add, make_source, things

__all__ = ["microdata"]


def microdata(document: Document, facts: Facts) -> Source:
    """The things of the page with their properties, those of `itemref` included.

    A thing inside a link to another page belongs to that page: cards of related things often lie inside the scope of
    the main one and would give it their ratings.
    """
    scopes = {element: _scope(element) for element in document.select("[itemscope]")}
    if not scopes:
        return make_source("microdata", [])
    tree = _Tree(document, scopes, facts)
    tops: list[Value] = []
    for element in document.select("[itemscope],[itemprop]"):
        scope = scopes.get(element)
        names = (element.attr("itemprop") or "").split()
        owners, elsewhere = tree.owners(element) if names else ((), False)
        if scope is not None and not owners:
            tops.append(scope)
        elif scope is None or not elsewhere:
            for owner in owners:
                for name in names:
                    add(owner, name, element if scope is None else scope)
    return make_source("microdata", list(things(tops)))


def _scope(element: Element) -> Node:
    node: Node = {"@type": list((element.attr("itemtype") or "").split())}
    if identity := element.attr("itemid"):
        node["@id"] = identity
    return node


_Above = tuple[tuple[Node, ...], bool]
"""The things that own what stands at a place, and whether a link to another page lies between."""


class _Tree:
    """Who owns a property, remembered for every element on the way up, so that all ways together are linear."""

    def __init__(self, document: Document, scopes: dict[Element, Node], facts: Facts) -> None:
        self._scopes = scopes
        self._facts = facts
        self._above: dict[Element, _Above] = {}
        self._referring: dict[Element, tuple[Node, ...]] = {}
        self._refer(document)

    def _refer(self, document: Document) -> None:
        wanted = [(scope, name) for element, scope in self._scopes.items() for name in _ids(element)]
        if not wanted:
            return
        by_id: dict[str, Element] = {}
        for element in document.select("[id]"):
            by_id.setdefault(element.attr("id") or "", element)
        for scope, name in wanted:
            if name in by_id:
                self._referring[by_id[name]] = (*self._referring.get(by_id[name], ()), scope)

    def owners(self, element: Element) -> _Above:
        """What owns the property that an element stands for."""
        owners, elsewhere = self._over(element)
        return (*self._referring.get(element, ()), *owners), elsewhere

    def _over(self, element: Element) -> _Above:
        way: list[Element] = []
        above: _Above = ((), False)
        parent = element.parent
        while isinstance(parent, Element):
            if parent in self._scopes:
                above = ((self._scopes[parent],), False)
                break
            if parent in self._above:
                above = self._above[parent]
                break
            way.append(parent)
            parent = parent.parent
        for passed in reversed(way):
            owners = (*self._referring.get(passed, ()), *above[0]) if self._referring else above[0]
            above = (owners, above[1] or _leads_elsewhere(passed, self._facts))
            self._above[passed] = above
        return above


def _ids(element: Element) -> list[str]:
    return list(dict.fromkeys((element.attr("itemref") or "").split()))


def _leads_elsewhere(element: Element, facts: Facts) -> bool:
    href = (element.attr("href") or "") if element.tag == "a" else ""
    if not facts.addresses or not href or href.startswith("#"):
        return False
    target = address(href, facts.base)
    return target != "" and not target.startswith(tuple(facts.addresses))
