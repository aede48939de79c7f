"""What commands write on standard output: JSON lines, tables and plain text.

Colours and boxes only on a terminal, fitted to its width; anywhere else plain text of full width, one row a line.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.progress import Progress
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

__all__ = ["Printer", "clean", "instant", "json_text", "print_json", "progress", "told"]

WIDE = 100_000
"""Columns of an output that is no terminal: nothing is cut or wrapped."""

HANG = 2
"""Columns by which the further lines of a wrapped paragraph stand in from its first."""

GAP = 3
"""Columns between two cells of a row on a terminal."""

NARROWEST = 20
"""Columns a cell needs to be read folded; with less, each row is a block of its own."""

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of what follows: a page must not steer the terminal."""

_LINE_ENDS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Ends of line in Unicode that JSON allows inside text; escaped, so that one line stays one for every reader."""


def clean(text: str) -> str:
    """Text from a page, fit for a terminal."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def instant(moment: datetime | None, missing: str = "-") -> str:
    """An instant to the second, as people read it; UTC."""
    return missing if moment is None else f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def json_text(value: Any) -> str:
    """JSON on one line, not limited to ASCII; what UTF-8 cannot hold (half surrogates) is escaped."""
    text = json.dumps(value, ensure_ascii=False, default=_as_json)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, default=_as_json)
    for char, escape in _LINE_ENDS.items():
        text = text.replace(char, escape)
    return text


def print_json(value: Any) -> None:
    """Write one line of JSON, and let it go at once to whoever reads it."""
    print(json_text(value), flush=True)


def progress(*, alone: bool = False) -> Progress:
    """A bar on standard error, where that is a terminal.

    Args:
        alone: Nothing is printed while it shows. Otherwise it shows only when the results go elsewhere, or it would
            stand between their lines.
    """
    console = Console(stderr=True)
    wanted = console.is_terminal and (alone or not sys.stdout.isatty())
    return Progress(console=console, transient=True, disable=not wanted, redirect_stdout=False, redirect_stderr=False)


@contextmanager
def told() -> Iterator[Callable[[str, int, int], None]]:
    """A bar for work that says by itself what it does, how much is done and how much there is, and prints nothing."""
    with progress(alone=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)


def _as_json(value: Any) -> Any:
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else str(value)


class Printer:
    """Text and tables on standard output."""

    def __init__(self) -> None:
        terminal = sys.stdout.isatty()
        self._console = Console(
            file=sys.stdout, highlight=False, markup=False, emoji=False, width=None if terminal else WIDE
        )
        self._box = box.SIMPLE_HEAD if terminal else None

    def line(self, *parts: str | tuple[str, str] | Text, indent: int = 0) -> None:
        """Write one paragraph; a part may come with its style. On a terminal its further lines hang."""
        cleaned = [part if isinstance(part, Text) else _styled(part) for part in parts]
        text = Text.assemble(*cleaned)
        if not self._console.is_terminal:
            self._console.print(Text.assemble(" " * indent, text), soft_wrap=True)
            return
        lines = text.wrap(self._console, max(NARROWEST, self._console.width - indent - HANG)) or [Text()]
        for number, line in enumerate(lines):
            line.rstrip()
            self._console.print(Text.assemble(" " * (indent + HANG * (number > 0)), line), soft_wrap=True)

    def command(self, text: str, remark: str = "", *, indent: int = 0) -> None:
        """Write a command to paste: never broken by us."""
        self._console.print(Text.assemble(" " * indent, clean(text), (remark, "dim")), soft_wrap=True)

    def table(
        self,
        head: Sequence[str],
        rows: Iterable[Sequence[str | Text]],
        *,
        right: Iterable[str] = (),
        fold: Iterable[str] = (),
    ) -> None:
        """Write rows in columns; where they do not fit the terminal, each row as a block of `column  value`.

        Args:
            head: Names of the columns.
            rows: Cells as text.
            right: Names of the columns that are aligned to the right.
            fold: Names of the columns whose cells may take several lines.
        """
        cells = [[cell if isinstance(cell, Text) else Text(_one_line(cell)) for cell in row] for row in rows]
        folded = set(fold)
        table = Table(box=self._box, pad_edge=False, show_edge=False, header_style="bold")
        for name in head:
            justify: JustifyMethod = "right" if name in set(right) else "left"
            table.add_column(Text(clean(name)), justify=justify, overflow="fold", no_wrap=name not in folded)
        for row in cells:
            table.add_row(*row)
        if not self._console.is_terminal:
            with self._console.capture() as captured:
                self._console.print(table)
            for line in captured.get().splitlines():
                print(line.rstrip())
        elif self.fits(head, cells, fold=folded):
            self._console.print(table)
        else:
            self._blocks(head, cells)

    def fits(self, head: Sequence[str], rows: Iterable[Sequence[str | Text]], *, fold: Iterable[str] = ()) -> bool:
        """Whether a table fits the width, its columns in `fold` at their narrowest; always where nobody wraps."""
        folded = set(fold)
        widths = [cell_len(name) for name in head]
        for row in rows:
            widths = [max(width, cell_len(str(cell))) for width, cell in zip(widths, row, strict=True)]
        least = [min(width, NARROWEST) if name in folded else width for name, width in zip(head, widths, strict=True)]
        return sum(least) + GAP * (len(least) - 1) <= self._console.width

    def _blocks(self, head: Sequence[str], rows: Sequence[Sequence[Text]]) -> None:
        """Each row as lines of `column  value`, under a line with its number."""
        for number, row in enumerate(rows, 1):
            self._console.print(Rule(f"{number}", align="left", style="dim"))
            block = Table.grid(padding=(0, 2), pad_edge=False)
            block.add_column(style="bold", overflow="fold")
            block.add_column(overflow="fold", ratio=1)
            for name, cell in zip(head, row, strict=True):
                block.add_row(Text(clean(name)), cell)
            self._console.print(block)


def _styled(part: str | tuple[str, str]) -> Text:
    return Text(clean(part)) if isinstance(part, str) else Text(clean(part[0]), style=part[1])


def _one_line(cell: str) -> str:
    return clean(cell).replace("\n", " ").replace("\t", " ")
