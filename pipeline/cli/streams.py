"""Standard output and standard error: UTF-8 whatever the locale, and errors that say which stream it was."""

import io
import os
import sys
from contextlib import suppress
from typing import Any

__all__ = ["STANDARD_OUTPUT", "complain", "drop_output", "prepare_streams"]

STANDARD_OUTPUT = "standard output"
"""The `filename` of an OSError that came of writing there."""

_CLOSED = -1


class _Output(io.RawIOBase):
    """Standard output as a file whose errors name it; those of a plain one name nothing.

    Args:
        descriptor: Where to write; -1 for an output that is closed, so that each write fails.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._dropped = False

    def drop(self) -> None:
        """Take everything from now on, and write it nowhere."""
        self._dropped = True

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return self._descriptor != _CLOSED and os.isatty(self._descriptor)

    def write(self, data: Any, /) -> int:
        if self._dropped:
            return len(data)
        try:
            return os.write(self._descriptor, data)
        except OSError as error:
            error.filename = STANDARD_OUTPUT
            raise


def prepare_streams() -> None:
    """Write UTF-8; what cannot be written at all is escaped, not raised. Another stream in place of ours is left."""
    if sys.stdout is sys.__stdout__:
        raw = _Output(_CLOSED if sys.stdout is None else sys.stdout.fileno())
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), line_buffering=raw.isatty())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def complain(message: str) -> None:
    """Write one line on standard error, if there is one."""
    if sys.stderr is not None:  # it is None when closed, and `print` would then write to standard output
        with suppress(OSError):
            print(f"quietdiff: {' '.join(message.split())}", file=sys.stderr, flush=True)


def drop_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush does not complain."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, _Output):
        raw.drop()
