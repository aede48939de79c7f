"""What the machine says of one visit, with its evidence."""

from dataclasses import dataclass

from pipeline.model.read import FieldValue
from pipeline.model.words import BlockOp, ChangeType, FieldType, Kind, KindReason, Media, Quality, Region

__all__ = ["KINDS_OF_BLOCK", "BlockChange", "FieldChange", "Judgement", "Threshold"]


SIMHASH_BITS = 64

SUSPICIOUS_FACTOR = 10

KINDS_OF_BLOCK = frozenset({"captcha", "challenge", "waiting_room"})
"""Signs of a visit that is `blocked` that are reasons of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """The largest distances still noise, 0..64 bits. No distance exceeds 64: so it is before calibration."""

    threshold_id: int
    noise_bits: int
    drift_bits: int

    @property
    def calibrated(self) -> bool:
        """Whether the distance to the reference can decide anything."""
        return self.noise_bits < SIMHASH_BITS


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field whose typed value or state differs from the reference.

    Attributes:
        decides: Whether it makes the visit kind `field`; dates of articles and plain pages only accompany.
        disputed: The page gives two values where it gave one, or the second of two moved: a person decides.
        members_added: For lists; sorted.
    """

    name: str
    type: FieldType
    change_type: ChangeType
    old: FieldValue
    new: FieldValue
    decides: bool
    disputed: bool = False
    members_added: tuple[str, ...] = ()
    members_removed: tuple[str, ...] = ()

    @property
    def suspicious(self) -> bool:
        """Whether a price is another currency's or more than ten times what it was: a slip more often than a price."""
        if self.change_type is not ChangeType.VALUE or self.type is not FieldType.PRICE:
            return False
        if len({self.old.currency, self.new.currency} - {None}) > 1:
            return True
        old, new = self.old.number or 0, self.new.number or 0
        return min(old, new) > 0 and max(old, new) > SUSPICIOUS_FACTOR * min(old, new)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockChange:
    """One block that was added, removed or replaced.

    Attributes:
        explained_by: None, or `chrome:REGION`, `masked`, `moved`, `typographic`, `field`, `ledger`.
        habitual: The page's ledger knows it too, whatever explains it first; not kept once the judgement is written.
    """

    op: BlockOp
    old: str | None
    new: str | None
    region: Region
    explained_by: str | None
    habitual: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the machine says of one visit, with its evidence.

    Attributes:
        sign: What gave away that it is not the page: a mark of the reading, or what speaks against it beside what the
            page was before (`words`, `language`, `currency`, `fields`, `shared_text`); None for a good one.
        read_as: What the body was read as, where its Content-Type says otherwise.
        kind: None when there is nothing to compare; `kind_reason` then says why.
        distance: Bits in which the simhash differs from the reference's, 0..64; None without a reference.
        distance_baseline: The same to the baseline.
        block_changes: Explained ones included, so that a person sees what the decision saw.
    """

    visit_no: int
    quality: Quality
    kind: Kind | None
    kind_reason: KindReason
    sign: str | None = None
    read_as: Media | None = None
    also_content: bool = False
    reference_visit_no: int | None = None
    baseline_visit_no: int | None = None
    text_equal: bool = False
    distance: int | None = None
    distance_baseline: int | None = None
    threshold: Threshold | None = None
    field_changes: tuple[FieldChange, ...] = ()
    block_changes: tuple[BlockChange, ...] = ()

    @property
    def outcome_reason(self) -> str | None:
        """Why the visit is not good: its quality, or what kind of block it is; as the view `visit_results` says."""
        if self.quality is Quality.GOOD:
            return None
        return self.sign if self.sign in KINDS_OF_BLOCK else self.quality.value

    @property
    def fields_changed(self) -> int:
        """How many changed fields decide."""
        return sum(change.decides for change in self.field_changes)

    @property
    def unexplained_blocks(self) -> int:
        """How many changed blocks nothing explains."""
        return sum(change.explained_by is None for change in self.block_changes)

    @property
    def explained_blocks(self) -> int:
        """How many changed blocks are explained."""
        return len(self.block_changes) - self.unexplained_blocks
