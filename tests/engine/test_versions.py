"""What a stage makes of the saved pages may change only together with the stage's version.

Otherwise stored readings of the old kind would be compared with new ones. Where a digest differs and that is meant:
raise the version, then write both here.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from pipeline.codec import field_to_json
from pipeline.extract import EXTRACTOR_VERSION, extract
from pipeline.fingerprint import FINGERPRINT_VERSION, fingerprint
from pipeline.model import Block, NormalBlock, Region, Rules
from pipeline.normalize import NORMALIZER_VERSION, normalize
from pipeline.packing import encode_blocks, encode_normal_blocks

PAIRS = (
    "content-event-date", "content-zh-one-number", "noise-en-relative-time-and-token", "noise-es-relative-time",
    "noise-navigation-and-advertisement", "noise-pt-relative-time", "noise-typography", "noise-zh-relative-time",
    "price-and-text", "price-german-format", "stock-in-structured-data-only", "terms-30-to-14-days",
)  # fmt: skip
PAGES = [Path(__file__).parents[1] / "pages" / pair / side for pair in PAIRS for side in ("old.html", "new.html")]


def digest(pieces: Iterator[bytes]) -> str:
    return hashlib.sha256(b"\n".join(pieces)).hexdigest()[:16]


def blocks_of(page: Path) -> list[Block]:
    """The texts of a page cut out without the extractor, so that its changes do not show here."""
    texts = re.findall(r">\s*([^<>]*[^<>\s])\s*<", page.read_text(encoding="utf-8"))
    regions = list(Region)
    return [Block(text=text, region=regions[n % len(regions)], path="body/p") for n, text in enumerate(texts)]


def normal_of(block: Block) -> NormalBlock:
    """The block as it is, with nothing masked."""
    texts = {"text": block.text, "folded": block.text, "normal": block.text}
    return NormalBlock(**texts, region=block.region, path=block.path)


def language_of(page: Path) -> str:
    found = re.search(r"lang=\"?([a-z]+)", page.read_text(encoding="utf-8"))
    return found[1] if found else "en"


def test_what_is_read_of_a_page_belongs_to_the_extractors_version() -> None:
    def read() -> Iterator[bytes]:
        for page in PAGES:
            reading = extract(page.read_bytes(), url="https://shop.example/", content_type=None, rules=Rules())
            fields = [field_to_json(value) for value in reading.fields]
            yield json.dumps([reading.page_type, reading.language, reading.marks, fields], sort_keys=True).encode()
            yield encode_blocks(reading.blocks)

    assert (EXTRACTOR_VERSION, digest(read())) == (5, "410d8d890fc0a413")


def test_what_is_masked_belongs_to_the_normalisers_version() -> None:
    normals = (
        encode_normal_blocks(normalize(blocks_of(page), language=language_of(page)), language_of(page))
        for page in PAGES
    )
    assert (NORMALIZER_VERSION, digest(normals)) == (2, "b8d75a91efd260d8")


def test_the_fingerprint_belongs_to_its_version() -> None:
    def fingerprints() -> Iterator[bytes]:
        for page in PAGES:
            found = fingerprint([normal_of(block) for block in blocks_of(page)])
            numbers = (found.simhash, found.text_hash, found.word_count, found.block_count)
            yield repr(numbers).encode() + found.blocks

    assert (FINGERPRINT_VERSION, digest(fingerprints())) == (2, "53d969c531877a69")
