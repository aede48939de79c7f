"""Packed blocks to test the ledger with."""

from pipeline.model import NormalBlock, Region
from pipeline.packing import PackedBlock, pack_blocks, unpack_blocks


def packed(*texts: str | tuple[str, str]) -> bytes:
    """Each text on `body/p`, or on the tag path it comes with."""
    pairs = [(text, "body/p") if isinstance(text, str) else text for text in texts]
    return pack_blocks(
        [NormalBlock(text=text, folded=text, normal=text, region=Region.MAIN, path=path) for text, path in pairs]
    )


def page(*texts: str | tuple[str, str]) -> list[PackedBlock]:
    return unpack_blocks(packed(*texts))


def text_of(text: str) -> int:
    return page(text)[0].text


TERMS = (
    "We keep your data for as long as you use the service.",
    "You can end the contract within 30 days of the order.",
    "We answer within one working day.",
    "The place of jurisdiction is our seat.",
    "Notices are sent to the address you gave us.",
)
"""Paragraphs that stand still."""
