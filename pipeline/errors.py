"""What can go wrong for reasons outside the code. Anything else is a bug and is not caught.

    QuietdiffError
    ├── ConfigError           a file a person wrote is wrong: exit status 2
    ├── UsageError            a command was asked for something that is not there: exit status 2
    ├── GuardError            the guard against private addresses is not in force
    ├── StoreError            the database cannot be used
    │   ├── StoreBusyError    another process holds it longer than we were willing to wait
    │   ├── StoreFullError    there is no room to write
    │   ├── StoreNewerError   a newer Quietdiff wrote it
    │   └── StoreDamagedError it holds less than was acknowledged, or a migration file was altered
    ├── BackupError           a backup is damaged or unfinished, or is none
    └── BlobError             a stored body or text is missing or is not what its name says

A page that cannot be fetched, decoded or read is expected in the crowd: that is a value (`Fetched.outcome`,
`Reading.marks`), never an exception.
"""

from datetime import datetime
from pathlib import Path

__all__ = [
    "BackupError",
    "BlobError",
    "ConfigError",
    "GuardError",
    "QuietdiffError",
    "StoreBusyError",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoreNewerError",
    "UsageError",
]


class QuietdiffError(Exception):
    """Base of every error raised on purpose. The message is one line: what, where, what to do."""


class ConfigError(QuietdiffError):
    """A configuration or rules file is wrong.

    Attributes:
        path: The file as the person named it.
        line: 1-based; None when the fault is not at one line.
        key: Dotted path of the key, such as `pages[2].url`; empty for the whole file.
        others: What else is wrong with the file.
    """

    others: "tuple[ConfigError, ...]" = ()

    def __init__(self, path: Path | str, message: str, *, line: int | None = None, key: str = "") -> None:
        where = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{where}: {key}: {message}" if key else f"{where}: {message}")
        self.path = path
        self.line = line
        self.key = key


class UsageError(QuietdiffError):
    """A command was asked for a site, page, file or option that is not there."""


class GuardError(QuietdiffError):
    """The guard against private addresses is not in force; nothing may be fetched."""


class StoreError(QuietdiffError):
    """The database cannot be used."""


class StoreBusyError(StoreError):
    """Another process held the database for longer than we were willing to wait.

    Attributes:
        holder: Who holds it, as they wrote it into the lock file; empty if unknown.
        since: When they took it; None if unknown.
        waited_s: Seconds.
    """

    def __init__(self, path: Path, *, holder: str, since: datetime | None, waited_s: float) -> None:
        by = holder or "an unknown process"
        at = f" since {since:%Y-%m-%d %H:%M:%S} UTC" if since else ""
        super().__init__(
            f"{path}: held by {by}{at}; waited {waited_s:g} s. Wait for it to end, or end it, and try again"
        )
        self.holder = holder
        self.since = since
        self.waited_s = waited_s


class StoreFullError(StoreError):
    """There is no room to write; nothing that was acknowledged is lost.

    Attributes:
        path: What could not be written.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path}: no room to write ({why}); everything acknowledged so far is safe. Make room and run again, "
            "which goes on where this stopped"
        )
        self.path = path


class StoreNewerError(StoreError):
    """The database was written by a newer Quietdiff; it is left untouched."""


class StoreDamagedError(StoreError):
    """The database holds fewer commits than were acknowledged, or a recorded migration no longer matches."""


class BlobError(QuietdiffError):
    """A stored body or text is missing, or its bytes are not those its name promises."""


class BackupError(QuietdiffError):
    """A backup is damaged or unfinished, or a folder holds none; nothing was restored from it."""
