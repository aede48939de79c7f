"""What was read from one body: fields, blocks, and what is kept to compare them by."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from pipeline.model.watched import Rules
from pipeline.model.words import FieldState, FieldType, Media, Region

__all__ = ["Block", "FieldValue", "Fingerprint", "NormalBlock", "Reading", "Version"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldValue:
    """The value of one field on one visit.

    Which attribute carries the value depends on `type`: price and number use `number` (price also `high` and
    `currency`), duration `number` in minutes, date `moment`, bool `boolean`, list `members`; `text` is the
    canonical text of any type, and what two values are compared by.

    Attributes:
        text: Canonical text of the value: availability `InStock`, date ISO 8601, number without trailing zeros.
        number: Exact amount.
        high: Upper end of a range.
        currency: ISO 4217.
        members: Sorted multiset of a list.
        raw: As on the page, at most 500 characters.
        source: json_ld|microdata|rdfa|opengraph|css|xpath|regex|json_path|metadata, and visible of a rival.
        repaired: The block it came from had to be mended to parse.
        rival: What the page says of the same thing at another place, where that is another value: structured data
            against a selector or the visible price. Only of prices and availability; its own `rival` is None.
    """

    name: str
    type: FieldType
    state: FieldState
    source: str
    text: str | None = None
    number: Decimal | None = None
    high: Decimal | None = None
    currency: str | None = None
    moment: datetime | None = None
    boolean: bool | None = None
    members: tuple[str, ...] | None = None
    raw: str | None = None
    repaired: bool = False
    rival: "FieldValue | None" = None


class Block(NamedTuple):
    """A leaf text element of the page in reading order, as a person sees it.

    A named tuple, as a page has hundreds and they are made in a quarter of the time of a frozen dataclass.

    Attributes:
        text: Visible text, runs of white space folded to one space; never empty.
        region: The part of the page it lies in.
        path: Tag names from the body down, joined by `/`; what the packed tag-path hash is made of.
        unordered: Lies in a list that the rules call unordered.
    """

    text: str
    region: Region
    path: str
    unordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What extract made of one body under one set of rules.

    Attributes:
        page_type: The rules' type, or with `auto` the type found.
        rules: The rules with page type and fields settled.
        language: BCP 47 tag from the rules or the page; None if neither says.
        words: Words of the visible text; a character of a script without spaces counts half.
        marks: What suggests that this is not the page, as `extract.MARKS` explains them.
        blocks: After region rules; in reading order.
        media: What the body was read as.
        said: What its Content-Type header says it is; None if it says nothing.
        charset: WHATWG name of the encoding its text is in; None for what is no text.
    """

    page_type: str
    rules: Rules
    title: str | None
    language: str | None
    words: int
    marks: tuple[str, ...]
    fields: tuple[FieldValue, ...]
    blocks: tuple[Block, ...]
    media: Media = Media.HTML
    said: Media | None = None
    charset: str | None = None

    @property
    def read_as(self) -> Media | None:
        """What the body was read as, if it was called something else."""
        return self.media if self.said not in {None, self.media} else None


class NormalBlock(NamedTuple):
    """A block with the text it is compared by; a named tuple as `Block` is.

    Attributes:
        text: As a person sees it.
        folded: Unicode, quotes, dashes and white space made uniform; case kept.
        normal: `folded` with volatile spans replaced by a mask such as `⟦time⟧`.
    """

    text: str
    folded: str
    normal: str
    region: Region
    path: str
    unordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What is kept of a text to compare it by.

    Attributes:
        text_hash: xxh3-64 of the normalised text, unsigned.
        simhash: 64-bit simhash of the normalised text, unsigned.
        blocks: Packed block hashes, 9 bytes a block in reading order (`pipeline.packing`).
    """

    text_hash: int
    simhash: int
    word_count: int
    block_count: int
    blocks: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """Everything needed to compare a visit's text with another's.

    Attributes:
        visit_no: 1-based within the page.
        body_sha256: 64 hex digits.
        fields: By name.
        language: BCP 47 tag of its text; None if it is not known.
        charset: WHATWG name of the encoding it was in; None if it is not known.
    """

    visit_no: int
    body_sha256: str
    fields: Mapping[str, FieldValue]
    blocks: tuple[NormalBlock, ...]
    fingerprint: Fingerprint
    language: str | None = None
    charset: str | None = None
