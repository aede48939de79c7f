"""The records that flow through the pipeline, in the order they are made.

Every instant is an aware UTC `datetime`, every *day* the UTC date of the partition a run was made for.
The words are those of `docs/glossary.md`; the members of each `StrEnum` are exactly the words the database
columns of the same name may hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

__all__ = [
    "Block",
    "BlockChange",
    "BlockOp",
    "ChangeType",
    "Confirmation",
    "Fetched",
    "FieldChange",
    "FieldSpec",
    "FieldState",
    "FieldType",
    "FieldValue",
    "Fingerprint",
    "Judgement",
    "Kind",
    "KindReason",
    "NormalBlock",
    "Outcome",
    "PageRole",
    "Purpose",
    "Quality",
    "Reading",
    "Region",
    "ReviewCause",
    "Rules",
    "SiteDay",
    "Target",
    "Threshold",
    "Validators",
    "Vantage",
    "Version",
]


class Purpose(StrEnum):
    """Why a visit is made. `calibrate` and `confirm` visits do not feed change rates."""

    WATCH = "watch"
    CONFIRM = "confirm"
    AUDIT = "audit"
    PROBE = "probe"
    CALIBRATE = "calibrate"
    MANUAL = "manual"
    CANARY = "canary"


class PageRole(StrEnum):
    """What a page is for. Only `watched` pages count in health and rates."""

    WATCHED = "watched"
    CANARY = "canary"
    ECHO = "echo"


class Outcome(StrEnum):
    """How one attempt to fetch a page ended, as the transport saw it."""

    OK = "ok"
    NOT_MODIFIED = "not_modified"
    BLOCKED = "blocked"
    GONE = "gone"
    FAILED = "failed"
    REFUSED = "refused"


class Quality(StrEnum):
    """Whether the text of an `ok` visit is the page at all. Only `good` text is compared."""

    GOOD = "good"
    BLOCKED = "blocked"
    CONSENT = "consent"
    LOGIN = "login"
    SOFT_404 = "soft_404"
    GEO = "geo"
    SHELL = "shell"
    COLLAPSE = "collapse"
    EXTRACTION_FAILED = "extraction_failed"

    @property
    def outcome(self) -> Outcome:
        """The effective outcome of a visit of this quality, as the view `visit_results` derives it."""
        match self:
            case Quality.GOOD:
                return Outcome.OK
            case Quality.SOFT_404:
                return Outcome.GONE
            case Quality.SHELL | Quality.COLLAPSE | Quality.EXTRACTION_FAILED:
                return Outcome.FAILED
            case _:
                return Outcome.BLOCKED


class Kind(StrEnum):
    """What a good visit showed, compared with the reference. A failure has no kind."""

    NONE = "none"
    NOISE = "noise"
    CONTENT = "content"
    FIELD = "field"


class KindReason(StrEnum):
    """The step of the decision order that settled the kind, or why there is none."""

    FIRST = "first"
    REBASELINED = "rebaselined"
    CALIBRATION = "calibration"
    NOT_GOOD = "not_good"
    BYTES_EQUAL = "bytes_equal"
    TEXT_EQUAL = "text_equal"
    FIELDS = "fields"
    EXPLAINED = "explained"
    UNEXPLAINED = "unexplained"
    BEYOND_THRESHOLD = "beyond_threshold"
    DRIFT = "drift"


class Confirmation(StrEnum):
    """Where a judgement stands: `waiting` opens no review item and raises no alert."""

    NOT_NEEDED = "not_needed"
    WAITING = "waiting"
    CONFIRMED = "confirmed"
    VANISHED = "vanished"


class Region(StrEnum):
    """The part of the page a block lies in. Everything that is not chrome is `main`."""

    MAIN = "main"
    NAVIGATION = "navigation"
    HEADER = "header"
    FOOTER = "footer"
    ASIDE = "aside"
    DIALOG = "dialog"
    CONSENT = "consent"
    RELATED = "related"


class BlockOp(StrEnum):
    """What happened to a block between the reference and a visit."""

    ADDED = "added"
    REMOVED = "removed"
    REPLACED = "replaced"


class FieldType(StrEnum):
    """How a field's value is read and compared."""

    PRICE = "price"
    NUMBER = "number"
    AVAILABILITY = "availability"
    TEXT = "text"
    DATE = "date"
    URL = "url"
    LIST = "list"
    BOOL = "bool"
    DURATION = "duration"


class FieldState(StrEnum):
    """Whether a field has a value. Zero, missing, ambiguous, unreadable and conflict are never each other."""

    VALUE = "value"
    MISSING = "missing"
    AMBIGUOUS = "ambiguous"
    UNREADABLE = "unreadable"
    CONFLICT = "conflict"


class ChangeType(StrEnum):
    """How a field changed: value to value, to or from `missing`, or between other states."""

    VALUE = "value"
    APPEARED = "appeared"
    VANISHED = "vanished"
    STATE = "state"


class ReviewCause(StrEnum):
    """Why something waits for a reviewer."""

    CONTENT = "content"
    ALSO_CONTENT = "also_content"
    FIELD_LOST = "field_lost"
    FIELD_CONFLICT = "field_conflict"
    RECALIBRATED = "recalibrated"
    SITE_EVENT = "site_event"
    MISSED_SAMPLE = "missed_sample"
    ALWAYS_CHANGING = "always_changing"


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteDay:
    """The unit of work and one Dagster partition: a site on one UTC day."""

    site: str
    day: date


# ── what is watched ──────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Vantage:
    """From where and as whom a page is fetched. Fixed per page; another vantage is another generation.

    Attributes:
        country: ISO 3166 alpha-2 in lower case, or None; says where the proxy stands, it does not choose one.
        language: The Accept-Language header, verbatim.
        user_agent: The User-Agent header, verbatim.
        proxy: Label of the proxy: the name of the environment variable that holds its URL, never the URL.
        cookies: Names of environment variables by cookie name, never values.
    """

    country: str | None = None
    language: str | None = None
    user_agent: str | None = None
    proxy: str | None = None
    cookies: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """One field to track.

    Attributes:
        name: snake_case schema.org property, or the user's own name.
        css: Selector whose matches hold the value; None reads the page's structured data.
        attribute: Attribute of the matched element to read instead of its text.
    """

    name: str
    type: FieldType
    css: str | None = None
    attribute: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything that shapes a judgement and nothing else; editing anything else rebaselines no page.

    Attributes:
        page_type: A built-in type, a type of the site file, or `auto`: found from the page's structured data.
        fields: The fields to track; empty with page_type `auto` until the type is known.
        include: `main`, `article` or CSS selectors: only blocks inside count. Empty: the whole page.
        exclude: CSS selectors: blocks inside do not count.
        unordered: CSS selectors of lists whose order means nothing.
        mask: RE2 patterns; a matched span counts as volatile.
        language: BCP 47 tag of the page's text; None: the page's own `lang`.
    """

    page_type: str = "auto"
    fields: tuple[FieldSpec, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()
    mask: tuple[str, ...] = ()
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What the server gave to ask again cheaply (RFC 9110, section 8.8), verbatim."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What the fetcher needs to know of a page."""

    page_id: int
    page_name: str
    url: str
    vantage: Vantage
    validators: Validators | None = None


# ── what the network said ────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """One attempt to fetch a page. Expected failures are values, not exceptions.

    Attributes:
        reason: Short word for anything but `ok` and `not_modified`, such as `timeout`, `too_large`, `http_500`.
        http_status: Of the last hop; None if there was no answer.
        duration_ms: Request start to last byte.
        wire_bytes: Bytes of body received before content decoding.
        body: Decoded body of an `ok` answer; None otherwise.
        content_type: The Content-Type header, verbatim, or None.
        final_url: Where redirects ended; None when equal to the requested URL.
        headers: Chosen response headers, lower-case names; never cookies.
        detail: One line for a person; holds no secret.
    """

    started_at: datetime
    outcome: Outcome
    reason: str | None = None
    http_status: int | None = None
    duration_ms: int | None = None
    wire_bytes: int | None = None
    body: bytes | None = None
    content_type: str | None = None
    final_url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    validators: Validators = Validators()
    detail: str | None = None


# ── what was read ────────────────────────────────────────────────────────────


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
        source: json_ld|microdata|rdfa|opengraph|css|xpath|regex|json_path|metadata.
        repaired: The block it came from had to be mended to parse.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A leaf text element of the page in reading order, as a person sees it.

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
        marks: What suggests that this is not the page: `block`, `captcha`, `consent`, `login`, `not_found`, `shell`.
        blocks: After region rules; in reading order.
    """

    page_type: str
    rules: Rules
    title: str | None
    language: str | None
    words: int
    marks: tuple[str, ...]
    fields: tuple[FieldValue, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalBlock:
    """A block with the text it is compared by.

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
    """

    visit_no: int
    body_sha256: str
    fields: Mapping[str, FieldValue]
    blocks: tuple[NormalBlock, ...]
    fingerprint: Fingerprint


# ── what was judged ──────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """The largest distances still noise, 0..64 bits. 64 decides nothing."""

    threshold_id: int
    noise_bits: int
    drift_bits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field whose typed value or state differs from the reference.

    Attributes:
        decides: Whether it makes the visit kind `field`; dates of articles and plain pages only accompany.
        members_added: For lists; sorted.
    """

    name: str
    type: FieldType
    change_type: ChangeType
    old: FieldValue
    new: FieldValue
    decides: bool
    members_added: tuple[str, ...] = ()
    members_removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockChange:
    """One block that was added, removed or replaced.

    Attributes:
        explained_by: None, or `chrome:REGION`, `masked`, `moved`, `typographic`, `field`, `ledger`.
    """

    op: BlockOp
    old: str | None
    new: str | None
    region: Region
    explained_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the machine says of one visit, with its evidence.

    Attributes:
        kind: None when there is nothing to compare; `kind_reason` then says why.
        distance: Bits in which the simhash differs from the reference's, 0..64; None without a reference.
        distance_baseline: The same to the baseline.
        block_changes: Explained ones included, so that a person sees what the decision saw.
    """

    visit_no: int
    quality: Quality
    kind: Kind | None
    kind_reason: KindReason
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
