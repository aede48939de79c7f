"""What is wrong with a store, what that means and what to do; nothing is changed unless that is asked for.

findings      the words: what may be found, how grave it is, advice
store         what is looked at
database      the database, in its turn and without changing a byte
blobs         files of content against rows
surroundings  the published copy and the configuration
folder        permissions, leftovers, space
mending       what `--repair` does
"""

from pipeline.upkeep.doctor.blobs import examine_blobs
from pipeline.upkeep.doctor.database import examine_database
from pipeline.upkeep.doctor.findings import ADVICE, Advice, Ailment, Finding, Severity
from pipeline.upkeep.doctor.folder import examine_folder
from pipeline.upkeep.doctor.mending import mend
from pipeline.upkeep.doctor.store import Store
from pipeline.upkeep.doctor.surroundings import examine_configuration, examine_copy

__all__ = ["ADVICE", "Advice", "Ailment", "Finding", "Severity", "Store", "examine", "mend"]


def examine(store: Store) -> list[Finding]:
    """Everything wrong with a store; no file of it is changed, but for the lock and the note of who has it."""
    findings, held = examine_database(store)
    if held is not None:
        findings += examine_blobs(store, held)
        findings += examine_copy(store, held)
    findings += examine_folder(store)
    findings += examine_configuration(store)
    return findings
