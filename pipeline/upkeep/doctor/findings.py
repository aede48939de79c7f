"""What the doctor may find: each thing's name, how grave it is, what it means and what to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["ADVICE", "Advice", "Ailment", "Finding", "Severity"]


class Severity(StrEnum):
    """How grave a finding is."""

    ERROR = "error"  # something is lost or cannot be used
    WARNING = "warning"  # nothing is lost yet
    NOTE = "note"  # good to know; the exit status stays 0


class Ailment(StrEnum):
    """What is found."""

    NO_DATABASE = "no_database"
    DATABASE_HELD = "database_held"
    DATABASE_UNREADABLE = "database_unreadable"
    SCHEMA_DIFFERS = "schema_differs"
    MIGRATION_PENDING = "migration_pending"
    MIGRATION_UNKNOWN = "migration_unknown"
    MIGRATION_ALTERED = "migration_altered"
    COMMITS_LOST = "commits_lost"
    COMMITS_NOT_DENSE = "commits_not_dense"
    HIGH_WATER_MISSING = "high_water_missing"
    HIGH_WATER_UNREADABLE = "high_water_unreadable"
    HIGH_WATER_BEHIND = "high_water_behind"
    KEY_TWICE = "key_twice"
    WATCHED_TWICE = "watched_twice"
    REFERENCE_UNRESOLVED = "reference_unresolved"
    BLOB_UNRECORDED = "blob_unrecorded"
    BLOB_MISSING = "blob_missing"
    BLOB_CORRUPT = "blob_corrupt"
    BLOB_ORPHANED = "blob_orphaned"
    BLOB_YOUNG = "blob_young"
    TEMPORARY_LEFT = "temporary_left"
    COPY_MISSING = "copy_missing"
    COPY_UNREADABLE = "copy_unreadable"
    COPY_AHEAD = "copy_ahead"
    COPY_BEHIND = "copy_behind"
    CONFIGURATION_WRONG = "configuration_wrong"
    VARIABLE_UNSET = "variable_unset"
    NOT_WRITABLE = "not_writable"
    WRITABLE_BY_OTHERS = "writable_by_others"
    READABLE_BY_OTHERS = "readable_by_others"
    DISK_LOW = "disk_low"
    SET_ASIDE = "set_aside"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to know of an ailment.

    Attributes:
        mends: What `--repair` does about it; empty if nothing.
    """

    severity: Severity
    means: str
    do: str
    mends: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing found.

    Attributes:
        where: File, folder, table or key; files as paths from the data or the project folder.
        what: What is there, in one line.
        mended: What `--repair` did about it; empty if it did nothing.
    """

    ailment: Ailment
    where: str
    what: str
    mended: str = ""

    @property
    def advice(self) -> Advice:
        """How grave it is, what it means, what to do."""
        return ADVICE[self.ailment]

    @property
    def severity(self) -> Severity:
        """How grave it is; what was mended is good to know, but the content of a corrupt blob stays lost."""
        healed = self.mended and self.ailment is not Ailment.BLOB_CORRUPT
        return Severity.NOTE if healed else self.advice.severity


_RESTORE = "Stop the runs, keep a copy of the data folder, and restore the newest backup: `quietdiff restore DIR`."


def _error(means: str, do: str, mends: str = "") -> Advice:
    return Advice(severity=Severity.ERROR, means=means, do=do, mends=mends)


def _warning(means: str, do: str, mends: str = "") -> Advice:
    return Advice(severity=Severity.WARNING, means=means, do=do, mends=mends)


def _note(means: str, do: str, mends: str = "") -> Advice:
    return Advice(severity=Severity.NOTE, means=means, do=do, mends=mends)


ADVICE: Mapping[Ailment, Advice] = {
    Ailment.NO_DATABASE: _note(
        "Nothing was ever visited with this data folder, or the database was removed.",
        "Make a first visit (`quietdiff visit SITE`), name the right folder with `--data`, or restore a backup.",
    ),
    Ailment.DATABASE_HELD: _error(
        "Another process has the database, so it could not be looked at; everything else was.",
        "Wait for that process to end, then run the doctor again.",
    ),
    Ailment.DATABASE_UNREADABLE: _error(
        "The file, its write-ahead log or a part of a table is damaged, most often by the disk.",
        _RESTORE,
    ),
    Ailment.SCHEMA_DIFFERS: _error(
        "A table or column is not as the migrations make it; somebody changed the schema by hand.",
        _RESTORE,
    ),
    Ailment.MIGRATION_PENDING: _note(
        "An older Quietdiff wrote the database; the next run upgrades it.",
        "Make a backup first if you may want to go back to the older version.",
        "upgrades it",
    ),
    Ailment.MIGRATION_UNKNOWN: _error(
        "A newer Quietdiff wrote the database; this one refuses to open it.",
        "Upgrade Quietdiff.",
    ),
    Ailment.MIGRATION_ALTERED: _error(
        "A migration that made this database is not the file this Quietdiff has, so the schemas may differ.",
        "Install the Quietdiff that made the database, unaltered. If the row of schema_migrations was edited, "
        "restore a backup.",
    ),
    Ailment.COMMITS_LOST: _error(
        "The database holds fewer commits than were acknowledged: rows are lost, and runs refuse to use it.",
        _RESTORE,
    ),
    Ailment.COMMITS_NOT_DENSE: _error(
        "A commit between the first and the newest is not there; its rows may be lost or were deleted by hand.",
        "Compare with a backup; restore it if rows are missing.",
    ),
    Ailment.HIGH_WATER_MISSING: _warning(
        "Without this file a database that lost its newest commits would be used as if whole.",
        "If the newest visits are in `quietdiff status`, let `--repair` write it anew.",
        "writes it from the commits",
    ),
    Ailment.HIGH_WATER_UNREADABLE: _warning(
        "The file should hold one number; how many commits were acknowledged is not known any more.",
        "If the newest visits are in `quietdiff status`, let `--repair` write it anew.",
        "writes it from the commits",
    ),
    Ailment.HIGH_WATER_BEHIND: _warning(
        "A process died between a commit and the note of it; the loss of the newest commit would go unnoticed.",
        "Nothing, if a run follows soon: its first commit mends this. Else `--repair`.",
        "writes it from the commits",
    ),
    Ailment.KEY_TWICE: _error(
        "Several rows have a key that only one may have: queries count it twice, and runs may take either.",
        "Keep a copy of the data folder and report it. If the rows were written by hand, restore a backup.",
    ),
    Ailment.WATCHED_TWICE: _note(
        "Two pages of different site files are the same URL from the same vantage: it is fetched and told of twice.",
        "Take it out of one of the site files, if that is not meant.",
    ),
    Ailment.REFERENCE_UNRESOLVED: _error(
        "Rows name a row of another table that is not there; queries that join the two leave them out.",
        "Keep a copy of the data folder and report it. If rows were deleted by hand, restore a backup.",
    ),
    Ailment.BLOB_UNRECORDED: _error(
        "A row names content that the table blobs does not know, so it is neither kept nor backed up.",
        "Restore a backup that holds it, or accept that this page is read anew at its next change.",
    ),
    Ailment.BLOB_MISSING: _error(
        "A body, text or diff is gone from the disk: `quietdiff diff` cannot show the changes that need it.",
        "Copy the file of the same name from the folder `blobs` of a backup.",
    ),
    Ailment.BLOB_CORRUPT: _error(
        "A body, text or diff is not what its name promises; reading it is refused.",
        "Copy the file of the same name from the folder `blobs` of a backup.",
        "moves it to `damaged/blobs`, so that the same content can be stored anew",
    ),
    Ailment.BLOB_ORPHANED: _warning(
        "A file of more than a day that no row names: a run died before its commit. It only takes space.",
        "Let `--repair` remove it.",
        "removes it",
    ),
    Ailment.BLOB_YOUNG: _note(
        "Files of less than a day that no row names yet: a run is at work, or died before its commit.",
        "Nothing.",
    ),
    Ailment.TEMPORARY_LEFT: _warning(
        "A process died while it wrote this file, more than a day ago. It only takes space.",
        "Let `--repair` remove it.",
        "removes it",
    ),
    Ailment.COPY_MISSING: _warning(
        "There is nothing for `quietdiff sql` and `status` to read.",
        "The end of the next run publishes; `--repair` does so now.",
        "publishes",
    ),
    Ailment.COPY_UNREADABLE: _error(
        "`quietdiff sql` and `status` cannot read the published copy. The database itself is not concerned.",
        "The end of the next run publishes; `--repair` does so now.",
        "publishes",
    ),
    Ailment.COPY_AHEAD: _error(
        "The published copy holds commits that the database does not: rows were lost, or an older database put back.",
        "Stop the runs and keep the copy before one publishes over it: it may hold the only rows. Then restore it or "
        "a backup. If an older database was put back on purpose, the next publication makes the two agree.",
    ),
    Ailment.COPY_BEHIND: _warning(
        "Analysts see less than the database holds, and a new copy is due.",
        "If runs are going on, look why they do not publish (disk space, permissions). `--repair` publishes now.",
        "publishes",
    ),
    Ailment.CONFIGURATION_WRONG: _error(
        "This site is not visited, or for quietdiff.yaml, nothing is, until the file is right.",
        "Mend the line; `quietdiff check` says when it is right.",
    ),
    Ailment.VARIABLE_UNSET: _warning(
        "A file names an environment variable that this process does not have; a run without it skips the site.",
        "Set it where the runs are started. If it is set there, and only missing here, all is well.",
    ),
    Ailment.NOT_WRITABLE: _error(
        "Runs as this user cannot write here, so they fail at their first commit.",
        "Give the files to the user who runs Quietdiff (`chown -R`), or run it as their owner.",
    ),
    Ailment.WRITABLE_BY_OTHERS: _warning(
        "Any user of this machine can alter or delete what was recorded.",
        "`chmod -R o-w` the data folder.",
        "takes the permission away",
    ),
    Ailment.READABLE_BY_OTHERS: _note(
        "Any user of this machine can read the watched pages. The published copy is meant to be read and not counted.",
        "Nothing, on a machine of one person. Else let `--repair` close it, or start Quietdiff with `umask 027`.",
        "takes the permission away",
    ),
    Ailment.DISK_LOW: _warning(
        "Publishing writes a whole copy of the database, and a checkpoint may need as much again.",
        "Free some space, or move the data folder to a larger disk.",
    ),
    Ailment.SET_ASIDE: _warning(
        "A database, or blobs, were found damaged and put out of the way. Nothing uses them any more.",
        "Look whether a backup or the new database has all you need, then delete the folder.",
    ),
    Ailment.REPLACED: _note(
        "A restore with `--force` put what was there before into this folder. Nothing uses it any more.",
        "Delete the folder when you are sure of the restored data.",
    ),
}
