"""What commands read: saved files, standard input, and JSONL files line by line."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pipeline.cli.app import STDIN
from pipeline.config import load_rules
from pipeline.errors import UsageError
from pipeline.model import Rules

__all__ = ["MAX_FILE_BYTES", "Line", "RulesFinder", "json_lines", "read_saved", "read_text"]

MAX_FILE_BYTES = 100_000_000
"""Largest saved page read; a page above 20 MB is refused by fetching anyway."""

Json = Any


def read_saved(path: Path) -> bytes:
    """The bytes of a saved page.

    Raises:
        UsageError: It cannot be read, or is too large.
    """
    with _opened(path) as file:
        body = file.read(MAX_FILE_BYTES + 1)
    if len(body) > MAX_FILE_BYTES:
        raise UsageError(f"{path}: larger than {MAX_FILE_BYTES:,} bytes; name a saved page")
    return body


def read_text(path: Path) -> str:
    """The text of a file in UTF-8.

    Raises:
        UsageError: It cannot be read, is too large or is not UTF-8.
    """
    try:
        return read_saved(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8; save it in that encoding") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The file for reading; standard input is left open."""
    try:
        if path == STDIN:
            yield sys.stdin.buffer
        else:
            with path.open("rb") as file:
                yield file
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{path}: {reason}; name a file that can be read") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a JSONL file that says what to judge.

    Attributes:
        number: 1-based line number.
        value: The object; empty if the line is unreadable.
        base: The folder that its paths are relative to.
        error: Why it is unreadable, or None.
    """

    number: int
    base: Path
    value: Mapping[str, Json]
    error: str | None = None

    @property
    def id(self) -> Json:
        """The line's `id`, or None."""
        return self.value.get("id")

    def file(self, key: str) -> Path:
        """The path under a key.

        Raises:
            UsageError: It is missing or not text.
        """
        name: str = self._typed(key, self.value.get(key), str, "a file's path")
        return self.base / name

    def files(self, key: str) -> list[Path]:
        """The list of paths under a key."""
        found = self._typed(key, self.value.get(key), list, "a list of files")
        return [self.base / self._typed(f"{key}[{i}]", name, str, "a file's path") for i, name in enumerate(found)]

    def text(self, key: str) -> str | None:
        """The text under a key; None if it is missing or null."""
        found = self.value.get(key)
        return None if found is None else self._typed(key, found, str, "text")

    def count(self, key: str) -> int | None:
        """The whole number from 0 under a key; None if it is missing or null."""
        found = self.value.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or self._typed(key, found, int, "a whole number") < 0:
            raise UsageError(f"line {self.number}: `{key}`: expected a whole number from 0")
        return int(found)

    def times(self, key: str, count: int) -> list[float] | None:
        """As many epoch seconds as files under a key; None if it is missing or null."""
        found = self.value.get(key)
        if found is None:
            return None
        times: list[float] = self._typed(key, found, list, "a list of epoch seconds")
        if any(isinstance(time, bool) or not isinstance(time, int | float) for time in times):
            raise UsageError(f"line {self.number}: `{key}`: expected a list of epoch seconds")
        if len(times) != count:
            raise UsageError(f"line {self.number}: `{key}`: {len(times)} times for {count} files; give one each")
        return times

    def _typed(self, key: str, found: Json, type_: type, expected: str) -> Json:
        if not isinstance(found, type_):
            problem = "missing" if found is None else "wrong"
            raise UsageError(f"line {self.number}: `{key}`: {problem}; expected {expected}")
        return found


def json_lines(path: Path) -> Iterator[Line]:
    """The lines of a JSONL file, one at a time; blank ones are passed over.

    A line that is not a JSON object with an `id` is given with its error. Paths are relative to the file's folder,
    for standard input to the current one.

    Raises:
        UsageError: The file cannot be read.
    """
    base = Path() if path == STDIN else path.parent
    with _opened(path) as file:
        for number, raw in enumerate(file, 1):
            if raw.strip():
                yield _line(number, raw, base)


def _line(number: int, raw: bytes, base: Path) -> Line:
    try:
        value = json.loads(raw.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        return Line(number=number, base=base, value={}, error=f"line {number}: not JSON in UTF-8: {error}")
    if not isinstance(value, dict):
        return Line(number=number, base=base, value={}, error=f"line {number}: expected an object in braces")
    if not isinstance(value.get("id"), str | int | float):
        return Line(number=number, base=base, value={}, error=f"line {number}: `id`: expected text or a number")
    return Line(number=number, base=base, value=value)


class RulesFinder:
    """The rules of JSONL lines; a file that many lines name is read once.

    Args:
        default: For lines that name none; None: found from the page itself.
    """

    def __init__(self, default: Path | None) -> None:
        self._default = default
        self._known: dict[Path, Rules] = {}

    def of(self, line: Line | None = None) -> Rules:
        """The rules of a line, or those for all.

        Raises:
            ConfigError: The rules are wrong.
            UsageError: `rules` is neither a path nor a mapping.
        """
        found = None if line is None else line.value.get("rules")
        if isinstance(found, dict):
            return load_rules(found)
        path = line.file("rules") if line is not None and found is not None else self._default
        if path is None:
            return load_rules({})
        if path not in self._known:
            self._known[path] = load_rules(path)
        return self._known[path]
