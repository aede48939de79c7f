"""The closed vocabularies: the members of each are exactly the words that columns of the same name may hold."""

from enum import StrEnum

__all__ = [
    "AVAILABILITIES",
    "BlockOp",
    "ChangeType",
    "Confirmation",
    "FieldState",
    "FieldType",
    "Kind",
    "KindReason",
    "Media",
    "Outcome",
    "PageRole",
    "Purpose",
    "Quality",
    "Region",
    "ReviewCause",
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
    GEO = "geo"
    SOFT_404 = "soft_404"
    ERROR_PAGE = "error_page"
    ELSEWHERE = "elsewhere"
    SHELL = "shell"
    HALF_RENDERED = "half_rendered"
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
            case Quality.BLOCKED | Quality.CONSENT | Quality.LOGIN | Quality.GEO:
                return Outcome.BLOCKED
            case _:
                return Outcome.FAILED

    @property
    def doubtful(self) -> bool:
        """Whether only what the page was before speaks against it, so that it is believed if it stays (0013)."""
        return self in {Quality.COLLAPSE, Quality.GEO, Quality.HALF_RENDERED, Quality.EXTRACTION_FAILED}


class Media(StrEnum):
    """What kind of thing a body is, as it was read. `bytes` are compared by their hash alone."""

    HTML = "html"
    XML = "xml"
    FEED = "feed"
    JSON = "json"
    TEXT = "text"
    TABLE = "table"
    PDF = "pdf"
    BYTES = "bytes"


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
    BYTES_DIFFER = "bytes_differ"
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


AVAILABILITIES = (
    "InStock",
    "LimitedAvailability",
    "OnlineOnly",
    "InStoreOnly",
    "PreOrder",
    "PreSale",
    "MadeToOrder",
    "BackOrder",
    "Reserved",
    "OutOfStock",
    "SoldOut",
    "Discontinued",
)
"""The members of schema.org's ItemAvailability, the best for a buyer first."""


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
