"""What lies around the database: the published copy and the configuration."""

from collections.abc import Iterator, Mapping

from pipeline.config import check_project
from pipeline.errors import ConfigError, StoreBusyError, StoreError
from pipeline.upkeep.doctor.findings import Ailment, Finding
from pipeline.upkeep.doctor.store import Held, Store
from pipeline.warehouse import inspecting

__all__ = ["examine_configuration", "examine_copy"]


def examine_copy(store: Store, held: Held) -> Iterator[Finding]:
    """Whether the published copy can be read, and holds what it should by now."""
    published = store.warehouse.published
    where = store.short(published.path)
    if not published.path.exists():
        if held.commit_no:
            yield Finding(ailment=Ailment.COPY_MISSING, where=where, what=f"not there; {held.commit_no} commits are")
        return
    try:
        with inspecting(published.path) as copy:
            for table in copy.schema():
                copy.read_whole(table)
            copied = copy.commits()[0]
    except StoreBusyError:
        return  # somebody writes into the copy; they cannot harm the database, and the next copy replaces it
    except StoreError as error:
        yield Finding(ailment=Ailment.COPY_UNREADABLE, where=where, what=str(error))
        return
    what = f"holds {copied} commits, the database {held.commit_no}"
    if copied > held.commit_no:
        yield Finding(ailment=Ailment.COPY_AHEAD, where=where, what=what)
    elif copied < held.commit_no and published.due(store.now):
        yield Finding(ailment=Ailment.COPY_BEHIND, where=where, what=what)


def examine_configuration(store: Store) -> Iterator[Finding]:
    """What `quietdiff check` says, told apart from variables that are only missing in this environment."""
    wrong = {str(problem) for problem in check_project(store.root, _Everything())}
    for problem in check_project(store.root, store.environ):
        ailment = Ailment.CONFIGURATION_WRONG if str(problem) in wrong else Ailment.VARIABLE_UNSET
        where = f"{problem.path}:{problem.line}" if problem.line is not None else str(problem.path)
        yield Finding(ailment=ailment, where=where, what=_without_place(problem, where))


def _without_place(problem: ConfigError, where: str) -> str:
    return str(problem).removeprefix(f"{where}: ")


class _Everything(Mapping[str, str]):
    """An environment in which every variable is set."""

    def __getitem__(self, key: str) -> str:
        return "set"

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0
