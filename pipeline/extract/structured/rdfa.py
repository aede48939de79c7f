"""RDFa Lite (https://www.w3.org/TR/rdfa-lite/) in the vocabulary of schema.org, and `about` and `content` of RDFa 1.1.

Properties of other vocabularies (OpenGraph, Dublin Core, GoodRelations) are passed over.
"""

from collections.abc import Iterator, Mapping

from turbohtml import Document, Element

from pipeline.extract.structured.nodes import Node, Source, Value, add, make_source, things

__all__ = ["rdfa"]

_VOCABULARY = "schema.org"


def rdfa(document: Document) -> Source:
    """The things of the page with their properties; none unless an element says its type."""
    if document.select_one("[typeof]") is None:
        return make_source("rdfa", [])
    reader = _Reader(document)
    tops: list[Value] = []
    for element in document.select("[typeof],[property]"):
        names = list(reader.terms(element, "property"))
        owner = reader.owner(element) if names else None
        node = reader.subjects.get(element)
        if owner is not None:
            for name in names:
                add(owner, name, _value(element) if node is None else node)
        elif node is not None and "@type" in node and not any(node is top for top in tops[-1:]):
            tops.append(node)
    return make_source("rdfa", list(things(tops)))


def _value(element: Element) -> Value:
    resource = element.attr("resource")
    return element if resource is None or element.attr("content") is not None else {"@id": resource}


class _Reader:
    """The subjects that a page's elements set, and whose property each element is.

    Attributes:
        subjects: Nodes by the element that begins them.
    """

    def __init__(self, document: Document) -> None:
        self._prefixes = dict(_prefixes(document))
        vocabularies = [element.attr("vocab") or "" for element in document.select("[vocab]")]
        self._bare = not vocabularies or any(_VOCABULARY in name for name in vocabularies)
        self._by_id: dict[str, Node] = {}
        self._above: dict[Element, Node | None] = {}
        self.subjects: dict[Element, Node] = {}
        for element in document.select("[typeof],[about],[resource]"):
            if (node := self._subject(element)) is not None:
                self.subjects[element] = node

    def terms(self, element: Element, attribute: str) -> Iterator[str]:
        """The names of the vocabulary among those of an attribute, without prefix."""
        for word in (element.attr(attribute) or "").split():
            prefix, colon, name = word.rpartition(":")
            if not colon:
                if self._bare:
                    yield word
            elif name.startswith("//"):
                if _VOCABULARY in name:
                    yield name.rpartition("/")[2]
            elif _VOCABULARY in self._prefixes.get(prefix.lower(), ""):
                yield name

    def owner(self, element: Element) -> Node | None:
        """The node that a property's element describes."""
        about = element.attr("about")
        return self._named(about) if about is not None else self._over(element)

    def _subject(self, element: Element) -> Node | None:
        typed, has_property = element.attr("typeof") is not None, element.attr("property") is not None
        name = element.attr("resource")
        if name is None and not has_property:
            name = element.attr("about")
        if not typed:
            return self._named(name) if name is not None and not has_property else None
        node = self._named(name) if name is not None else {}
        for kind in self.terms(element, "typeof"):
            add(node, "@type", kind)
        return node

    def _named(self, name: str) -> Node:
        return self._by_id.setdefault(name, {"@id": name})

    def _over(self, element: Element) -> Node | None:
        """The nearest subject above, remembered for every element on the way, so that all ways together are linear."""
        way: list[Element] = []
        found: Node | None = None
        parent = element.parent
        while isinstance(parent, Element):
            if parent in self.subjects:
                found = self.subjects[parent]
                break
            if parent in self._above:
                found = self._above[parent]
                break
            way.append(parent)
            parent = parent.parent
        self._above.update(dict.fromkeys(way, found))
        return found


def _prefixes(document: Document) -> Iterator[tuple[str, str]]:
    """What the page's prefixes stand for; `schema` is known without (RDFa Core Initial Context)."""
    yield "schema", f"http://{_VOCABULARY}/"
    for element in document.select("[prefix]"):
        words = (element.attr("prefix") or "").split()
        yield from ((name.rstrip(":").lower(), address) for name, address in zip(words[::2], words[1::2], strict=False))
    attributes: Mapping[str, object] = document.root.attrs if document.root is not None else {}
    yield from ((key[6:], str(value)) for key, value in attributes.items() if key.startswith("xmlns:"))
