"""What is promised of each page, from the published copy."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.blobs import BlobStore
from pipeline.classify import DETECTOR_VERSION, Watched, watched
from pipeline.errors import BlobError
from pipeline.ledger import Ledger, unpack
from pipeline.packing import decode_normal_blocks
from pipeline.warehouse import Published

__all__ = ["Promise", "promises"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What is promised of a page.

    Attributes:
        page: Its name.
        row: The threshold in force, by the columns of `thresholds`.
        watched: How much of its text is watched; None before its first good visit or when its text is gone.
    """

    page: str
    row: Mapping[str, Any]
    watched: Watched | None

    @property
    def threshold_words(self) -> str:
        """The threshold in words."""
        row = self.row
        if row["method"] == "default":
            return "Not calibrated yet: the distance of its text is reported and decides nothing."
        whose = "" if row["threshold_page_id"] else " of other pages of its type here"
        return (
            f"From {row['fetches']} fetches{whose}: up to {row['noise_bits']} of 64 bits from the last good visit are "
            f"noise, up to {row['drift_bits']} from the baseline; {self._bound_words}."
        )

    @property
    def _bound_words(self) -> str:
        bound = json.loads(self.row["evidence_json"]).get("bound", {})
        share = 100 * (self.row["alpha_upper"] or 1)
        rate = f"{share:.0f} %" if share >= 10 else f"{share:.2g} %"  # noqa: PLR2004
        if bound.get("by") == "clopper_pearson":
            return f"at most {rate} of visits without a change are beyond that, by {bound['trials']} later visits"
        return (
            f"so few fetches alone cannot promise that under {rate} of quiet visits go beyond; later visits narrow it"
        )


def promises(published: Published, blobs: BlobStore, site: str, page: str | None = None) -> list[Promise]:
    """The promises of a site's pages in order of their names, or of one of them.

    Raises:
        StoreError: The published copy cannot be read.
    """
    rows = published.rows("select_page_text", site=site, page=page, detector_version=DETECTOR_VERSION)
    return [Promise(page=row["page_name"], row=row, watched=_watched(row, blobs)) for row in rows]


def _watched(row: Mapping[str, Any], blobs: BlobStore) -> Watched | None:
    if row["text_sha256"] is None:
        return None
    try:
        blocks = decode_normal_blocks(blobs.get(row["text_sha256"]))
    except BlobError:
        return None
    return watched(Ledger() if row["ledger"] is None else unpack(row["ledger"]), blocks)
