"""YAML text -> plain values that remember their lines.

Every scalar is text (null apart): what `NO`, `1:30` or `017` means is for the model to say, not for YAML.
Taken are mappings with text keys, lists, scalars and aliases; refused are tags, duplicate keys, several
documents and more than `MAX_VALUES` values, aliases counted as often as they are used.

`${NAME}` is text everywhere, also inside `{...}`, where plain YAML would take its brace for the start of a
mapping.
"""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

from pipeline.config.words import KeyPath

__all__ = ["MAX_VALUES", "Problem", "Value", "YamlList", "YamlMap", "line_of", "read_yaml"]

MAX_VALUES = 2_000_000
"""Values in one file: 100,000 pages of 20 values each."""

_MAX_DEPTH = 30  # the deepest legal place is pages[0].fields[0].price.css: 6
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_CORE = "tag:yaml.org,2002:"
_CORE_TAGS = frozenset({None, "!", *(_CORE + name for name in ("str", "int", "float", "bool", "null", "map", "seq"))})

# Noncharacters, which no text may use: they stand for the braces of `${NAME}` while YAML reads.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_HIDDEN = re.compile(rf"\${_OPEN}([A-Za-z_][A-Za-z0-9_]*){_CLOSE}")


class YamlMap(dict[str, "Value"]):
    """A mapping; `lines` holds the 1-based line of each key."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}


class YamlList(list["Value"]):
    """A list; `lines` holds the 1-based line of each member."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []


Value: TypeAlias = str | YamlMap | YamlList | None


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file.

    Attributes:
        path: Of the offending key; empty for the whole file.
        line: 1-based; None: look it up from the path.
    """

    path: KeyPath
    message: str
    line: int | None = None


def read_yaml(text: str) -> tuple[Value, list[Problem]]:
    """The value of a YAML document, None if it is empty or broken, and everything wrong with it as YAML."""
    builder = _Builder()
    try:
        for event in YAML(typ="safe", pure=True).parse(_VARIABLE.sub(rf"${_OPEN}\1{_CLOSE}", text)):
            builder.take(event)
    except _TooMuchError as stop:
        return None, [*builder.problems, stop.problem]
    except YAMLError as error:
        return None, [*builder.problems, _syntax_problem(error, text)]
    return builder.root, builder.problems


def line_of(root: object, path: KeyPath) -> int | None:
    """The line of the deepest part of the path that is in the file; None for values from no file."""
    line, value = None, root
    for step in path:
        if isinstance(value, YamlMap) and step in value:
            line, value = value.lines[str(step)], value[str(step)]
        elif isinstance(value, YamlList) and isinstance(step, int) and step < len(value):
            line, value = value.lines[step], value[step]
        else:
            break
    return line if line is not None or not isinstance(root, YamlMap) else 1


class _TooMuchError(Exception):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem


@dataclass(slots=True)
class _Frame:
    """A mapping or list that has been begun and not ended."""

    holder: YamlMap | YamlList
    line: int
    anchor: str | None
    count_before: int
    key: str | None = None


@dataclass(slots=True)
class _Builder:
    """Makes values from parser events without recursion."""

    root: Value = None
    problems: list[Problem] = field(default_factory=list)
    frames: list[_Frame] = field(default_factory=list)
    anchors: dict[str, tuple[Value, int]] = field(default_factory=dict)
    count: int = 0
    documents: int = 0

    def take(self, event: Event) -> None:
        line = event.start_mark.line + 1
        match event:
            case ScalarEvent():
                self._check_tag(event, line)
                plain_null = event.implicit[0] and event.value in _NULLS
                self._put(None if plain_null else _HIDDEN.sub(r"${\1}", event.value), line, event.anchor)
            case MappingStartEvent() | SequenceStartEvent():
                self._check_tag(event, line)
                self._begin(YamlMap() if isinstance(event, MappingStartEvent) else YamlList(), line, event.anchor)
            case MappingEndEvent() | SequenceEndEvent():
                frame = self.frames.pop()
                self._put(frame.holder, frame.line, frame.anchor, size=self.count - frame.count_before + 1)
            case AliasEvent():
                value, size = self.anchors.get(event.anchor, (None, 0))
                if not size:
                    self._problem(f"alias `*{event.anchor}` names nothing that ends above it", line)
                self._put(value, line, None, size=max(size, 1), more=size)
            case DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    raise _TooMuchError(Problem((), "expected one document; remove the second `---`", line))

    def _check_tag(self, event: ScalarEvent | MappingStartEvent | SequenceStartEvent, line: int) -> None:
        if event.tag not in _CORE_TAGS:
            self._problem("tags (`!...`) are not taken; remove it", line)

    def _begin(self, holder: YamlMap | YamlList, line: int, anchor: str | None) -> None:
        if len(self.frames) >= _MAX_DEPTH:
            raise _TooMuchError(Problem((), f"nested more than {_MAX_DEPTH} deep", line))
        self.frames.append(_Frame(holder, line, anchor, self.count))

    def _put(self, value: Value, line: int, anchor: str | None, *, size: int = 1, more: int = 1) -> None:
        """Put a finished value where it belongs; `more` is what it adds to the count."""
        self.count += more
        if self.count > MAX_VALUES:
            raise _TooMuchError(Problem((), f"more than {MAX_VALUES:,} values, aliases counted at each use", line))
        if anchor is not None:
            self.anchors[anchor] = (value, size)
        if not self.frames:
            self.root = value
            return
        frame = self.frames[-1]
        if isinstance(frame.holder, YamlList):
            frame.holder.append(value)
            frame.holder.lines.append(line)
        elif frame.key is None:
            frame.key = self._key(frame.holder, value, line)
        else:
            frame.holder[frame.key] = value
            frame.key = None

    def _key(self, holder: YamlMap, value: Value, line: int) -> str:
        key = value if isinstance(value, str) else "null"
        if isinstance(value, YamlMap | YamlList):
            self._problem("expected text as key, not a mapping or list; quote text that begins with `{` or `[`", line)
        elif key in holder:
            self._problem(f"given twice, first at line {holder.lines[key]}; remove one", line, key)
        holder.lines.setdefault(key, line)
        return key

    def _problem(self, message: str, line: int, *key: str) -> None:
        steps = [frame.key if isinstance(frame.holder, YamlMap) else len(frame.holder) for frame in self.frames]
        path = (*(step for step in steps if step is not None), *key)
        self.problems.append(Problem(path, message, line))


def _syntax_problem(error: YAMLError, text: str) -> Problem:
    if isinstance(error, ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return Problem((), "not YAML: a control character stands here; remove it", line)
    if not isinstance(error, MarkedYAMLError):
        return Problem((), "not YAML")
    what = " ".join(str(error.problem or error.context or "cannot be read").split())
    mark = error.problem_mark or error.context_mark
    if "'\\t'" in what:
        what = "a tab stands where only spaces may; indent with spaces"
    elif what == "mapping values are not allowed here":
        what = "a second `: ` in one line, or wrong indentation; quote text that holds `: `"
    return Problem((), f"not YAML: {what}", mark.line + 1 if mark else None)
