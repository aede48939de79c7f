"""The database: does it open, can all of it be read, and does it hold what the schema promises."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from pipeline.errors import StoreBusyError, StoreDamagedError, StoreError
from pipeline.upkeep.doctor.findings import Ailment, Finding
from pipeline.upkeep.doctor.store import Held, Store
from pipeline.warehouse import Inspection, inspecting_live, packaged_keys, packaged_schema, references
from pipeline.warehouse.statements import migrations

__all__ = ["examine_database", "unnamed_still"]


def examine_database(store: Store) -> tuple[list[Finding], Held | None]:
    """Everything wrong inside the database, and what it holds; None if that is not known."""
    path = store.warehouse.path
    if not path.exists():
        return [_none(path)], None
    findings: list[Finding] = []
    try:
        with inspecting_live(path, wait_s=store.wait_s, command="quietdiff doctor") as inspection:
            findings += _migrations(inspection)
            findings += _tables(store, inspection)
            if any(finding.ailment in _HOPELESS for finding in findings):
                return findings, None
            findings += _commits(store, inspection)
            findings += _rows(store, inspection)
            blobs = {str(name): (int(size), str(role)) for name, size, role in inspection.rows("select_blobs")}
            return findings, Held(blobs=blobs, commit_no=inspection.commits()[0])
    except StoreBusyError as error:
        return [*findings, Finding(ailment=Ailment.DATABASE_HELD, where=path.name, what=str(error))], None
    except StoreDamagedError as error:
        return [*findings, Finding(ailment=Ailment.DATABASE_UNREADABLE, where=path.name, what=str(error))], None
    except StoreError as error:  # the lock cannot be taken
        return [*findings, Finding(ailment=Ailment.NOT_WRITABLE, where=path.name, what=str(error))], None


def _none(path: Path) -> Finding:
    """No database: lost, if commits were acknowledged."""
    file = path.with_suffix(".hwm")
    if file.exists():
        what = f"there is no database, but {file.name} beside it says that there was"
        return Finding(ailment=Ailment.COMMITS_LOST, where=path.name, what=what)
    return Finding(ailment=Ailment.NO_DATABASE, where=str(path), what="there is no database")


_HOPELESS = {Ailment.DATABASE_UNREADABLE, Ailment.SCHEMA_DIFFERS, Ailment.MIGRATION_UNKNOWN}
"""After these, questions about rows have no answer."""


def unnamed_still(store: Store, names: set[str]) -> set[str]:
    """Those of these blobs that the database does not name now; the lock is taken for the look."""
    with inspecting_live(store.warehouse.path, wait_s=store.wait_s, command="quietdiff doctor") as inspection:
        return names - {name for name, *_ in inspection.rows("select_blobs")}


def _migrations(inspection: Inspection) -> Iterator[Finding]:
    known = {no: (name, hashlib.sha256(text.encode()).hexdigest()) for no, name, text in migrations()}
    run = {no: (name, sha256) for no, name, sha256, _ in inspection.migrations()}
    for no, (name, sha256) in run.items():
        if no not in known:
            yield Finding(ailment=Ailment.MIGRATION_UNKNOWN, where=name, what=f"migration {no} is not known here")
        elif known[no][1] != sha256:
            what = f"recorded with SHA-256 {sha256[:12]}..., here it is {known[no][1][:12]}..."
            yield Finding(ailment=Ailment.MIGRATION_ALTERED, where=name, what=what)
    for no, (name, _) in known.items():
        if no not in run:
            yield Finding(ailment=Ailment.MIGRATION_PENDING, where=name, what=f"migration {no} was not run yet")


def _tables(store: Store, inspection: Inspection) -> Iterator[Finding]:
    held, wanted = inspection.schema(), packaged_schema()
    if len(inspection.migrations()) == len(migrations()):
        for table, columns in wanted.items():
            if table not in held:
                yield Finding(ailment=Ailment.SCHEMA_DIFFERS, where=f"table {table}", what="the table is not there")
                continue
            for column, kind in columns.items():
                found = held[table].get(column, "not there")
                if found != kind:
                    where, what = f"column {table}.{column}", f"is {found}, should be {kind}"
                    yield Finding(ailment=Ailment.SCHEMA_DIFFERS, where=where, what=what)
    for done, table in enumerate(held):
        store.tell("reading tables", done, len(held))
        try:
            inspection.read_whole(table)
        except StoreDamagedError as error:
            yield Finding(ailment=Ailment.DATABASE_UNREADABLE, where=f"table {table}", what=str(error))


def _commits(store: Store, inspection: Inspection) -> Iterator[Finding]:
    highest, count = inspection.commits()
    if count != highest:
        what = f"the newest commit is {highest}, but there are {count} from 1 on"
        yield Finding(ailment=Ailment.COMMITS_NOT_DENSE, where="table commits", what=what)
    file = store.warehouse.path.with_suffix(".hwm")
    if not file.exists():
        if highest:
            yield Finding(ailment=Ailment.HIGH_WATER_MISSING, where=file.name, what=f"not there; {highest} commits are")
        return
    text = file.read_bytes()[:40].decode("ascii", errors="replace").strip()
    if not text.isdecimal():
        what = f"holds {text!r}, no number" if text else "is empty"
        yield Finding(ailment=Ailment.HIGH_WATER_UNREADABLE, where=file.name, what=what)
    elif int(text) > highest:
        what = f"{text} commits were acknowledged, {highest} are held"
        yield Finding(ailment=Ailment.COMMITS_LOST, where=store.warehouse.path.name, what=what)
    elif int(text) < highest:
        what = f"says {text}, the newest commit is {highest}"
        yield Finding(ailment=Ailment.HIGH_WATER_BEHIND, where=file.name, what=what)


def _rows(store: Store, inspection: Inspection) -> Iterator[Finding]:
    held = inspection.schema()
    keys = [key for key in packaged_keys() if set(key.columns) <= set(held.get(key.table, ()))]
    named = references(held)
    for done, key in enumerate(keys):
        store.tell("comparing keys", done, len(keys) + len(named))
        count, examples = inspection.shared(key)
        if count:
            what = f"{count} shared by several rows, such as {_shown(examples)}"
            watched = key.active_only and key.table == "pages"  # by two site files: no row is wrong
            yield Finding(
                ailment=Ailment.WATCHED_TWICE if watched else Ailment.KEY_TWICE, where=f"key {key}", what=what
            )
    for done, reference in enumerate(named, len(keys)):
        store.tell("following references", done, len(keys) + len(named))
        count, examples = inspection.unresolved(reference)
        if count:
            where = f"{reference.table} ({', '.join(reference.columns)})"
            what = f"{count} name no row of {reference.parent}, such as {_shown(examples)}"
            yield Finding(ailment=Ailment.REFERENCE_UNRESOLVED, where=where, what=what)
    for sha256, by in inspection.rows("select_unrecorded_blobs"):
        yield Finding(ailment=Ailment.BLOB_UNRECORDED, where=str(by), what=f"names the blob {sha256}")


def _shown(examples: list[tuple[object, ...]]) -> str:
    return ", ".join("/".join(str(value) for value in values) for values in examples)
