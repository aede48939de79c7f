"""Judging saved files with the same stages and no database: `extract`, `compare` and `replay`.

Nothing is confirmed here: a second fetch cannot be had of a file.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pipeline.blobs import sha256_of
from pipeline.calibrate import PageNoise, fit
from pipeline.classify import Memory, Seen, advance, doubt, judge
from pipeline.codec import printed_block, printed_field_change, reasons_of
from pipeline.config import FetchSettings
from pipeline.extract import extract
from pipeline.fingerprint import fingerprint
from pipeline.model import Judgement, KindReason, Purpose, Quality, Reading, Rules, Threshold, Version
from pipeline.normalize import normalize

__all__ = ["UNCALIBRATED", "History", "compare", "printed_judgement", "read"]

NO_URL = "https://page.invalid/"
"""Stands for the URL of a page whose own is not known; `.invalid` can be nobody's (RFC 6761)."""

LARGEST = FetchSettings().max_decoded_bytes
"""Bytes of a saved body that is read; what is larger a visit would refuse by default."""

UNCALIBRATED = Threshold(threshold_id=1, noise_bits=64, drift_bits=64)
"""The default row: distance is reported and decides nothing."""


Read = tuple[Reading, Version]


def read(
    body: bytes,
    *,
    url: str | None,
    content_type: str | None,
    rules: Rules,
    visit_no: int,
    charset: str | None = None,
    earlier: Read | None = None,
) -> Read:
    """Run one body through extract, normalize and fingerprint.

    Args:
        body: Of the answer, or of the file.
        url: None if the page's own is not known.
        content_type: None if nobody said.
        rules: To read it by.
        visit_no: Of the version.
        charset: The encoding of the page's last good body, or None.
        earlier: What an earlier body of the page was read as; what recurs is taken over.
    """
    large = len(body) > LARGEST
    reading = extract(
        b"" if large else body, url=url or NO_URL, content_type=content_type, rules=rules, charset=charset
    )
    if large:
        reading = replace(reading, marks=("too_large",))
    known = earlier[1] if earlier and _is_comparable(earlier[0], reading) else None
    language, masks = reading.language, reading.rules.mask
    blocks = normalize(reading.blocks, language=language, masks=masks, earlier=known.blocks if known else ())
    version = Version(
        visit_no=visit_no,
        body_sha256=sha256_of(body),
        fields={value.name: value for value in reading.fields},
        blocks=blocks,
        fingerprint=fingerprint(blocks, known.fingerprint.blocks if known else b""),
        language=reading.language,
        charset=reading.charset,
    )
    return reading, version


def _is_comparable(earlier: Reading, reading: Reading) -> bool:
    """Whether both are normalised alike."""
    return earlier.language == reading.language and earlier.rules.mask == reading.rules.mask


POOLED = 20
"""Calibrated pages of a site whose noise a page's threshold is fitted with, beside its own."""


@dataclass(slots=True)
class NoisePool:
    """The noise of a site's pages that have been calibrated so far, to fit each other's thresholds by."""

    pages: list[PageNoise] = field(default_factory=list)

    def threshold(self, noise: PageNoise) -> Threshold:
        """The threshold of a page that was just calibrated; with the next its noise is known."""
        numbered = replace(noise, page_id=len(self.pages))
        self.pages.append(numbered)
        fitted = {row.page_id: row for row in fit(self.pages[-POOLED - 1 :])}[numbered.page_id]
        return Threshold(threshold_id=0, noise_bits=fitted.noise_bits, drift_bits=fitted.drift_bits)


@dataclass(slots=True, kw_only=True)
class History:
    """The visits of one page, fed body by body in order of time.

    Attributes:
        rules: With page_type `auto`, the first good visit settles them.
        calibrate: How many of the first visits are calibration fetches, which have no kind.
        pool: Shared by the histories of one site.
        distances: Between the calibration fetches, bits.
        last: What the last body was read as.
    """

    url: str | None = None
    rules: Rules = field(default_factory=Rules)
    calibrate: int = 0
    pool: NoisePool = field(default_factory=NoisePool)
    memory: Memory = field(default_factory=Memory)
    visits: int = 0
    distances: list[int] = field(default_factory=list)
    threshold: Threshold = UNCALIBRATED
    last: Read | None = None

    def visit(self, body: bytes, *, content_type: str | None = None, at: datetime | None = None) -> Judgement:
        """Judge the next body of the page; `at` is when it was fetched, if that is known."""
        self.visits += 1
        self.last = reading, version = read(
            body,
            url=self.url,
            content_type=content_type,
            rules=self.rules,
            visit_no=self.visits,
            charset=self.memory.reference.charset if self.memory.reference else None,
            earlier=self.last,
        )
        purpose = Purpose.CALIBRATE if self.visits <= self.calibrate else Purpose.WATCH
        if purpose is not Purpose.CALIBRATE and self.distances and self.threshold is UNCALIBRATED:
            self.threshold = self.pool.threshold(self._noise(reading.rules.page_type))
        seen = Seen(purpose=purpose, marks=reading.marks, version=version, at=at, read_as=reading.read_as)
        judgement = judge(seen, self.memory, reading.rules, self.threshold)
        if purpose is Purpose.CALIBRATE and judgement.distance is not None:
            self.distances.append(judgement.distance)
        self.memory = advance(doubt(self.memory, seen, judgement), version, judgement)
        if self.memory.reference is not None and self.rules.page_type == "auto":
            self.rules = reading.rules
        return judgement

    def _noise(self, page_type: str) -> PageNoise:
        words = self.memory.usual_words[-1] if self.memory.usual_words else 1
        return PageNoise(page_id=0, site="", page_type=page_type, words=max(1, words), distances=tuple(self.distances))


def compare(old: bytes, new: bytes, history: History | None = None) -> tuple[Judgement, Judgement]:
    """Judge two saved bodies of one page with no history.

    When the old body is not the page at all there is nothing to compare with: `not_good`, with its quality.

    Args:
        old: The earlier body.
        new: The later body.
        history: An empty one that knows the URL and the rules; by default neither is known.

    Returns:
        What is said of the old body alone, and of the new one compared with it.
    """
    history = history or History()
    first, second = history.visit(old), history.visit(new)
    if first.quality is not Quality.GOOD and second.quality is Quality.GOOD:
        second = replace(second, quality=first.quality, kind_reason=KindReason.NOT_GOOD)
    return first, second


def printed_judgement(judgement: Judgement, *, id_: str, version: int | None = None) -> dict[str, Any]:
    """A judgement as the line that commands print; the keys are stable.

    Args:
        judgement: What was judged.
        id_: The line's `id`.
        version: Index of the version within its history, from 0; left out for a pair.
    """
    head: dict[str, Any] = {"id": id_} | ({} if version is None else {"version": version})
    return head | {
        "kind": judgement.kind,
        "kind_reason": judgement.kind_reason,
        "also_content": judgement.also_content,
        "quality": judgement.quality,
        "distance": judgement.distance,
        "distance_baseline": judgement.distance_baseline,
        "threshold": judgement.threshold.noise_bits if judgement.threshold else None,
        "reasons": reasons_of(judgement),
        "fields": [printed_field_change(change) for change in judgement.field_changes],
        "changed_blocks": [printed_block(change) for change in judgement.block_changes],
        "group": None,
    }
