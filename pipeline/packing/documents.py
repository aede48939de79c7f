"""Block lists as bytes for the blob store: compact JSON by column, the same bytes for the same blocks.

    {"v": 1, "kind": "blocks", "texts": [...], "regions": ["main", ...], "region": [0, ...],
     "paths": ["body/p", ...], "path": [0, ...], "unordered": [indexes of the unordered blocks]}

A list of normal blocks is of kind `normal_blocks` and has also the `language` they were normalised in, and `folded` and
`normal`, each a pair of columns (indexes, texts) for the blocks whose folded text is not their text, or whose normal
text is not their folded text.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from pipeline.errors import BlobError
from pipeline.model import Block, NormalBlock, Region

__all__ = ["decode_blocks", "decode_earlier", "decode_normal_blocks", "encode_blocks", "encode_normal_blocks"]

_VERSION = 1
_BLOCKS = "blocks"
_NORMAL_BLOCKS = "normal_blocks"
_UNTOLD = ""
"""Language of a list that does not tell it, as those before version 1.1; no page's."""


def encode_blocks(blocks: Sequence[Block]) -> bytes:
    """Blocks as UTF-8 JSON. A lone surrogate becomes its own three bytes, so that every text comes back."""
    return _dump(_columns(_BLOCKS, blocks))


def decode_blocks(data: bytes) -> tuple[Block, ...]:
    """The inverse of `encode_blocks`.

    Raises:
        BlobError: The bytes are something else.
    """
    columns = _load(data, _BLOCKS)
    try:
        return tuple(
            Block(text=text, region=region, path=path, unordered=unordered)
            for text, region, path, unordered in _rows(columns)
        )
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise _damaged(_BLOCKS) from error


def encode_normal_blocks(blocks: Sequence[NormalBlock], language: str | None) -> bytes:
    """Normal blocks as UTF-8 JSON; a folded or normal text that repeats the one before it is left out.

    Args:
        blocks: In reading order.
        language: BCP 47 tag they were normalised in, None if the page has none.
    """
    columns = _columns(_NORMAL_BLOCKS, blocks)
    columns["language"] = language
    columns["folded"] = _others((block.folded, block.text) for block in blocks)
    columns["normal"] = _others((block.normal, block.folded) for block in blocks)
    return _dump(columns)


def decode_normal_blocks(data: bytes) -> tuple[NormalBlock, ...]:
    """The inverse of `encode_normal_blocks`.

    Raises:
        BlobError: The bytes are something else.
    """
    return _normal_blocks(_load(data, _NORMAL_BLOCKS))


def decode_earlier(data: bytes, language: str | None) -> tuple[NormalBlock, ...]:
    """The normal blocks of an earlier text of a page if they were normalised in this language, otherwise none.

    Raises:
        BlobError: The bytes are something else.
    """
    columns = _load(data, _NORMAL_BLOCKS)
    return _normal_blocks(columns) if columns.get("language", _UNTOLD) == language else ()


def _normal_blocks(columns: dict[str, Any]) -> tuple[NormalBlock, ...]:
    try:
        folded: dict[int, str] = dict(zip(*columns["folded"], strict=True))
        normal: dict[int, str] = dict(zip(*columns["normal"], strict=True))
        blocks = []
        for index, (text, region, path, unordered) in enumerate(_rows(columns)):
            as_folded = folded.get(index, text)
            blocks.append(
                NormalBlock(
                    text=text,
                    folded=as_folded,
                    normal=normal.get(index, as_folded),
                    region=region,
                    path=path,
                    unordered=unordered,
                )
            )
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise _damaged(_NORMAL_BLOCKS) from error
    return tuple(blocks)


def _columns(kind: str, blocks: Sequence[Block | NormalBlock]) -> dict[str, Any]:
    regions: dict[str, int] = {}
    paths: dict[str, int] = {}
    return {
        "v": _VERSION,
        "kind": kind,
        "texts": [block.text for block in blocks],
        "region": [regions.setdefault(block.region, len(regions)) for block in blocks],
        "regions": list(regions),
        "path": [paths.setdefault(block.path, len(paths)) for block in blocks],
        "paths": list(paths),
        "unordered": [index for index, block in enumerate(blocks) if block.unordered],
    }


def _rows(columns: dict[str, Any]) -> Iterable[tuple[str, Region, str, bool]]:
    texts = columns["texts"]
    regions = [Region(name) for name in columns["regions"]]
    paths = columns["paths"]
    unordered = [False] * len(texts)
    for index in columns["unordered"]:
        unordered[index] = True
    return zip(
        texts,
        [regions[index] for index in columns["region"]],
        [paths[index] for index in columns["path"]],
        unordered,
        strict=True,
    )


def _others(pairs: Iterable[tuple[str, str]]) -> list[list[Any]]:
    """Index and first text of each pair whose texts differ, as two columns."""
    indexes, texts = [], []
    for index, (text, usual) in enumerate(pairs):
        if text != usual:
            indexes.append(index)
            texts.append(text)
    return [indexes, texts]


def _dump(columns: dict[str, Any]) -> bytes:
    return json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _load(data: bytes, kind: str) -> dict[str, Any]:
    try:
        columns = json.loads(data.decode("utf-8", "surrogatepass"))
    except ValueError as error:  # both UnicodeDecodeError and JSONDecodeError
        raise _damaged(kind) from error
    if not isinstance(columns, dict) or columns.get("v") != _VERSION or columns.get("kind") != kind:
        raise _damaged(kind)
    return columns


def _damaged(kind: str) -> BlobError:
    return BlobError(f"blob is no list of {kind} of version {_VERSION}; it is damaged or of another Quietdiff")
