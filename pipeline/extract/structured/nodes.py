"""Structured data of every notation in one shape.

A node is a mapping from property to values as in JSON-LD, with `@type` and `@id`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from decimal import Decimal

    from turbohtml import Element

__all__ = ["NODES", "Item", "Node", "Source", "Value", "add", "as_list", "make_source", "things", "types_of"]

DEPTH = 50
NODES = 10_000
"""Nodes of one notation looked at; a page with more is read in part."""

VALUES = 2000
"""Values kept of one property that stands on elements."""

Node: TypeAlias = dict[str, "Value"]
Value: TypeAlias = "Node | list[Value] | str | Decimal | bool | Element | None"
"""An `Element` stands for its text or address, read only when a field asks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A node that may be what the page is about.

    Attributes:
        types: As `types_of` gives them.
        depth: 0 at the top or in `@graph`, one more for each `mainEntity` above it.
        repaired: The block it came from had to be mended to parse.
    """

    node: Node
    types: frozenset[str] = frozenset()
    depth: int = 0
    repaired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What one notation says.

    Attributes:
        name: As in `FieldValue.source`.
        by_id: Nodes by `@id`, for references between them.
    """

    name: str
    items: tuple[Item, ...]
    by_id: dict[str, Node]

    def resolve(self, value: Value) -> Value:
        """The node a mere reference (`{"@id": ...}`) points to; anything else as it is."""
        if isinstance(value, dict) and value.keys() <= {"@id", "@type"} and isinstance(value.get("@id"), str):
            return self.by_id.get(str(value["@id"]), value)
        return value


def as_list(value: Value) -> "list[Value]":
    """The values of a property that may hold none, one or several."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def types_of(node: Node) -> frozenset[str]:
    """Type names in lower case without their vocabulary: `https://schema.org/Product` is `product`."""
    names = [name for name in as_list(node.get("@type")) if isinstance(name, str)]
    return frozenset(name.rstrip("/").replace("#", "/").replace(":", "/").rpartition("/")[2].lower() for name in names)


def add(owner: Node, name: str, value: Value) -> None:
    """Give a node one more value of a property."""
    values = owner.setdefault(name, [])
    if isinstance(values, list) and len(values) < VALUES:
        values.append(value)


def things(blocks: Sequence[Value], *, repaired: bool = False) -> Iterator[Item]:
    """The typed nodes at the top, in `@graph` and under `mainEntity`, in order; never those of lists."""
    stack: list[tuple[Value, int, int]] = [(block, 0, 0) for block in reversed(blocks)]
    seen = 0
    while stack and seen < NODES:
        value, depth, nesting = stack.pop()
        seen += 1
        if nesting > DEPTH:
            continue
        if isinstance(value, list):
            stack += [(member, depth, nesting + 1) for member in reversed(value)]
        elif isinstance(value, dict):
            if "@type" in value:
                yield Item(node=value, types=types_of(value), depth=depth, repaired=repaired)
            if "mainEntity" in value:
                stack.append((value["mainEntity"], depth + 1, nesting + 1))
            if "@graph" in value:
                stack.append((value["@graph"], depth, nesting + 1))


def make_source(name: str, items: Sequence[Item]) -> Source:
    """A source of at most `NODES` items; of nodes with one `@id` the one that says most can be referred to."""
    by_id: dict[str, Node] = {}
    for item in items[:NODES]:
        node_id = item.node.get("@id")
        if isinstance(node_id, str) and len(item.node) > len(by_id.get(node_id, ())):
            by_id[node_id] = item.node
    return Source(name=name, items=tuple(items[:NODES]), by_id=by_id)
