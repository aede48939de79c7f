"""A process that was forked while a database was open must not touch it.

DuckDB keeps one instance for each file and process. A forked child has its parent's in memory: opening the file again
gives the child that instance, which knows nothing of what its parent has written since, and closing it would write over
the parent's file. So what was open at the fork is never closed by the child, and the child may not open anything.
"""

import ctypes
import os
from pathlib import Path

import duckdb

from pipeline.errors import StoreError

__all__ = ["check_process", "closed", "opened"]

_open: set[duckdb.DuckDBPyConnection] = set()
_inherited: list[duckdb.DuckDBPyConnection] = []


def opened(connection: duckdb.DuckDBPyConnection) -> None:
    """Note that this process has a connection open."""
    _open.add(connection)


def closed(connection: duckdb.DuckDBPyConnection) -> bool:
    """Note that this process is about to close a connection; False if it is its parent's, to be left alone."""
    if connection in _inherited:
        return False
    _open.discard(connection)
    return True


def check_process(path: Path) -> None:
    """Refuse to go on in a process that was forked while a database was open.

    Raises:
        StoreError: It was.
    """
    if _inherited:
        raise StoreError(
            f"{path}: this process ({os.getpid()}) was forked while its parent had the database open, and would write "
            "over what the parent does; start child processes with multiprocessing's 'spawn', or before a session"
        )


def _in_child() -> None:
    for connection in _open:
        _inherited.append(connection)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))  # so that not even the child's end closes it
    _open.clear()


os.register_at_fork(after_in_child=_in_child)
