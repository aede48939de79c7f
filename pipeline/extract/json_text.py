"""JSON as text: one block a leaf, by its path; the order of keys and the way numbers are written mean nothing."""

from collections.abc import Iterator, Sequence

from pipeline.extract.structured import Value
from pipeline.extract.text import fold
from pipeline.model import Block, Region

__all__ = ["DEPTH", "LEAVES", "json_blocks", "leaves"]

LEAVES = 20_000
DEPTH = 50
"""Leaves of a value that are read, and how deep they lie: what is cut off is the same every time."""

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$@:")


def json_blocks(values: Sequence[Value]) -> tuple[Block, ...]:
    """A block a leaf, `a.b[2]: value`; of several values (JSON lines) each begins with its place, `[0].a: value`."""
    blocks: list[Block] = []
    for number, value in enumerate(values):
        for path, leaf in leaves(value, f"[{number}]" if len(values) > 1 else ""):
            text = fold(f"{path}: {leaf}" if path else leaf)
            if text:
                blocks.append(Block(text=text, region=Region.MAIN, path=path or "json"))
    return tuple(blocks)


def leaves(value: Value, start: str = "") -> Iterator[tuple[str, str]]:
    """Each leaf with its path, keys in order; an empty object or list is a leaf."""
    stack: list[tuple[str, Value, int]] = [(start, value, 0)]
    count = 0
    while stack and count < LEAVES:
        path, node, depth = stack.pop()
        children = _children(path, node)
        if children:
            stack += [(child, inner, depth + 1) for child, inner in reversed(children)] if depth < DEPTH else []
            continue
        count += 1
        yield path, _leaf_text(node)


def _children(path: str, node: Value) -> list[tuple[str, Value]]:
    if isinstance(node, dict):
        return [(_joined(path, key), node[key]) for key in sorted(node)]
    return [(f"{path}[{index}]", inner) for index, inner in enumerate(node)] if isinstance(node, list) else []


def _joined(path: str, key: str) -> str:
    if not key or not _PLAIN.issuperset(key):
        return f'{path}["{key}"]'
    return f"{path}.{key}" if path else key


def _leaf_text(value: Value) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return "{}" if isinstance(value, dict) else "[]"
    return str(value)
