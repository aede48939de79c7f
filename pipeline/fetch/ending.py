"""How an attempt ends: with a page, without news, or with a fault."""

from dataclasses import dataclass

from pipeline.model import Outcome, Validators

__all__ = ["Ending", "Fault"]

NO_VALIDATORS = Validators()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The part of a `Fetched` that the end decides.

    Attributes:
        detail: One line for a person, which may still hold what must be redacted.
    """

    outcome: Outcome
    reason: str | None = None
    detail: str = ""
    body: bytes | None = None
    body_sha256: str | None = None
    validators: Validators = NO_VALIDATORS


class Fault(Exception):  # noqa: N818 - expected, and never leaves this package
    """Raised to end an attempt without a page.

    Attributes:
        ending: How it ends.
        http2: The answer was to come over HTTP/2, so that HTTP/1.1 may still get it.
    """

    def __init__(self, reason: str, detail: str, *, outcome: Outcome = Outcome.FAILED, http2: bool = False) -> None:
        super().__init__(reason)
        self.ending = Ending(outcome=outcome, reason=reason, detail=detail)
        self.http2 = http2

    @classmethod
    def refused(cls, reason: str, detail: str) -> "Fault":
        """For a request that we will not send."""
        return cls(reason, detail, outcome=Outcome.REFUSED)
