"""The words and records that everything else is made of; `docs/glossary.md` says what each means.

words    the closed vocabularies
watched  what is watched, and what the network said of it
read     what was read from one body
judged   what the machine says of one visit
"""

from pipeline.model.judged import KINDS_OF_BLOCK, BlockChange, FieldChange, Judgement, Threshold
from pipeline.model.read import Block, FieldValue, Fingerprint, NormalBlock, Reading, Version
from pipeline.model.watched import Fetched, FieldSpec, Rules, SiteDay, Target, Validators, Vantage
from pipeline.model.words import (
    AVAILABILITIES,
    BlockOp,
    ChangeType,
    Confirmation,
    FieldState,
    FieldType,
    Kind,
    KindReason,
    Media,
    Outcome,
    PageRole,
    Purpose,
    Quality,
    Region,
    ReviewCause,
)

__all__ = [
    "AVAILABILITIES",
    "KINDS_OF_BLOCK",
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
    "Media",
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
