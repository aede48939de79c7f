"""Folding and masking of a page's blocks."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

import re2

from pipeline.errors import UsageError
from pipeline.model import Block, NormalBlock, Region
from pipeline.normalize.folding import fold
from pipeline.normalize.languages import primary
from pipeline.normalize.machines import SHOWN_HINT, mask_machine_line, mask_shown
from pipeline.normalize.masks import MAX_CHARACTERS, mask_short
from pipeline.normalize.patterns import compiled
from pipeline.normalize.signs import MASK, SPAN
from pipeline.normalize.tokens import TOKEN_HINT, mask_tokens

__all__ = ["normalize"]

_USER_MASK = "⟦user⟧"
_HINT = re2.compile(f"{TOKEN_HINT}|(?i:{SHOWN_HINT})".encode())
_DIGIT = re.compile(r"\d")
_MASK = re.compile(MASK)


def normalize(
    blocks: Sequence[Block], *, language: str | None, masks: Sequence[str] = (), earlier: Sequence[NormalBlock] = ()
) -> tuple[NormalBlock, ...]:
    """Blocks with the text they are compared by, in their order.

    The masks, in the order they are put: `⟦user⟧` for what matches one of `masks`, `⟦id⟧` for machine-made
    identifiers, both anywhere; and in short blocks with few other words `⟦time⟧` for how long ago, `⟦date⟧` and
    `⟦clock⟧` for the date of the page, `⟦count⟧` for counters, `⟦year⟧` and `⟦version⟧` in copyright lines, and outside
    main `⟦id⟧` for what a server tells of itself. A hidden mail address is written plainly. A number or date in running
    text always stays. Normalising the normal texts again changes nothing.

    Args:
        blocks: As read from the page.
        language: BCP 47 tag of the page. The words of all languages are masked; those that mean something else in
            another language only where this is theirs.
        masks: RE2 patterns of the rules, matched on folded text with case.
        earlier: What this made of an earlier text of the page under the same language and masks. A block that was
            there already is taken over: most of a changed page was.

    Returns:
        A block for each block; one of nothing but invisible characters is left out.

    Raises:
        UsageError: A pattern of `masks` is not RE2.
    """
    known = {block.text: block for block in earlier}
    normal = [_recurring(known, block) for block in blocks]
    fresh = [index for index, found in enumerate(normal) if found is None]
    for index, made in zip(fresh, _normalized([blocks[index] for index in fresh], language, masks), strict=True):
        normal[index] = made
    return tuple(filter(None, normal))


def _recurring(known: Mapping[str, NormalBlock], block: Block) -> NormalBlock | None:
    text, region, path, unordered = block
    before = known.get(text)
    if before is None or before.region is not region:
        return None
    return NormalBlock(text, before.folded, before.normal, region, path, unordered)


def _normalized(blocks: Sequence[Block], language: str | None, masks: Sequence[str]) -> Iterator[NormalBlock | None]:
    """A normal block for each block; None for one of nothing but invisible characters."""
    folded = [fold(block.text) for block in blocks]
    normals = folded.copy()
    if masks:
        pattern = _user_pattern(tuple(masks))
        normals = [_mask_user(normal, pattern) for normal in normals]
    for index in _found((_HINT,), normals):
        normals[index] = mask_tokens(mask_shown(normals[index]))
    _mask_short_blocks(normals, [block.region for block in blocks], primary(language))
    for block, plain, normal in zip(blocks, folded, normals, strict=True):
        yield NormalBlock(block.text, plain, normal, block.region, block.path, block.unordered) if plain else None


def _mask_short_blocks(normals: list[str], regions: list[Region], language: str) -> None:
    patterns = compiled(language)
    short = [index for index, normal in enumerate(normals) if len(normal) <= MAX_CHARACTERS]
    hinted = {short[found] for found in _found(patterns.hints, [normals[index] for index in short])}
    hinted.update(index for index in short if regions[index] is Region.FOOTER and _DIGIT.search(normals[index]))
    for index in hinted:
        text = mask_short(normals[index], regions[index], patterns)
        masked = mask_machine_line(text, regions[index])
        normals[index] = text if masked != text and patterns.binding.search(text) else masked


def _found(patterns: Sequence[Any], texts: Sequence[str]) -> set[int]:
    """Indexes of the texts in which any of the patterns, over bytes, matches.

    A search over all texts joined by line feeds, which folded text does not hold, costs 2 ns a character; a call for
    each text would cost 2 us a text.
    """
    encoded = [text.encode() for text in texts]
    joined = b"\n".join(encoded)
    ends = list(accumulate(len(text) + 1 for text in encoded))
    found = set()
    for pattern in patterns:
        match = pattern.search(joined)
        while match is not None:
            index = bisect_right(ends, match.start())
            found.add(index)
            match = pattern.search(joined, ends[index]) if ends[index] < len(joined) else None
    return found


def _mask_user(text: str, pattern: Any) -> str:
    """Each match made `⟦user⟧`, but for empty ones and those that touch a mask."""
    seen = _MASK.sub(lambda mask: SPAN * len(mask.group()), text)
    pieces: list[str] = []
    end = 0
    for match in pattern.finditer(seen):
        matched = match.group()
        if matched and SPAN not in matched:
            pieces += (text[end : match.start()], _USER_MASK)
            end = match.end()
    return "".join([*pieces, text[end:]])


@lru_cache(maxsize=256)
def _user_pattern(masks: tuple[str, ...]) -> Any:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile("|".join(f"(?:{mask})" for mask in masks), options)
    except re2.error as error:
        raise UsageError(f"mask {' | '.join(masks)}: not an RE2 pattern: {error}; see the RE2 syntax page") from error
