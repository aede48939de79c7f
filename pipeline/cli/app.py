"""The application, the folders every command works in, and how errors end."""

import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from inspect import BoundArguments
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, CycloptsError, Group, Parameter

from pipeline.clock import Clock, SystemClock
from pipeline.errors import ConfigError, QuietdiffError, UsageError

if TYPE_CHECKING:
    from pipeline.config import Project

__all__ = ["STDIN", "Context", "ContextParameter", "app", "run"]

STDIN = Path("/dev/stdin")
"""What `-` on the command line stands for."""

DONE, FAILED, BAD_USAGE = 0, 1, 2
INTERRUPTED = 130
"""What a shell reports of a command that SIGINT (2) ended: 128 more."""

app = App(
    name="quietdiff",
    help="Watches web pages and says what really changed. Start with `quietdiff check`, then `quietdiff visit SITE`.",
    version=lambda: f"quietdiff {version('quietdiff')}",
    default_parameter=Parameter(negative=()),
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a command is given beside its own options.

    Attributes:
        root: The project folder; absolute.
        data: Where everything that runs writes; absolute.
        environ: Where settings and secrets are looked up.
    """

    root: Path
    data: Path
    environ: Mapping[str, str]
    clock: Clock = field(default_factory=SystemClock)

    def project(self) -> "Project":
        """The project as configured.

        Raises:
            ConfigError: The first thing wrong with `quietdiff.yaml`.
            UsageError: There is no such folder.
        """
        from pipeline.config import load_project  # noqa: PLC0415  (0.2 s that `--help` need not spend)

        return load_project(self.root, self.data, self.environ)


ContextParameter = Annotated[Context, Parameter(parse=False)]
"""The type of a command's parameter `context`, which `run` fills."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """A command line, understood."""

    command: Callable[..., Any]
    bound: BoundArguments
    wants_context: bool
    project: Path | None
    data: Path | None


@app.meta.default
def _launch(
    *tokens: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    project: Annotated[Path | None, Parameter(group=Group("Everywhere", sort_key=9))] = None,
    data: Annotated[Path | None, Parameter(group=Group("Everywhere", sort_key=9))] = None,
) -> _Call:
    """Take the options that every command has off the command line, wherever they stand.

    Args:
        tokens: The rest.
        project: The project folder, which holds `sites/`; default: the current folder.
        data: The data folder; a relative one counts from the current folder. Default: `QUIETDIFF_DATA`, else
            `data`; relative ones count from the project folder.
    """
    named = [str(STDIN) if token == "-" else token for token in tokens]  # noqa: S105  (no password)
    command, bound, ignored = app.parse_args(named, exit_on_error=False, print_error=False)
    return _Call(command=command, bound=bound, wants_context="context" in ignored, project=project, data=data)


def run(app: App, argv: Sequence[str] | None, environ: Mapping[str, str], *, clock: Clock | None = None) -> int:
    """Run one command line; errors become one line on standard error.

    Args:
        app: The application with its commands.
        argv: The arguments; None: those of this process.
        environ: Where settings and secrets are looked up.
        clock: Another one than the machine's, for tests.

    Returns:
        The exit status: 0 the command did its work, 2 bad usage or configuration, 130 interrupted, 1 anything
        else; quietly when the reader of its output went away.
    """
    _speak_utf8()
    try:
        call = app.meta(argv, exit_on_error=False, print_error=False, result_action="return_value")
        status = _perform(call, environ, clock or SystemClock()) if isinstance(call, _Call) else DONE
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return FAILED
    except SystemExit as end:  # rich's way out when the reader of its output went away
        return end.code if isinstance(end.code, int) else FAILED
    except KeyboardInterrupt:
        _complain("interrupted; what was written before stands")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  (the one place where a bug becomes a line)
        if environ.get("QUIETDIFF_DEBUG"):
            traceback.print_exception(error)
        _complain(_message(error))
        return BAD_USAGE if isinstance(error, ConfigError | UsageError | CycloptsError) else FAILED
    return status


def _perform(call: _Call, environ: Mapping[str, str], clock: Clock) -> int:
    given = {"context": _context(call, environ, clock)} if call.wants_context else {}
    status = call.command(*call.bound.args, **call.bound.kwargs, **given)
    return status if isinstance(status, int) else DONE


def _context(call: _Call, environ: Mapping[str, str], clock: Clock) -> Context:
    root = (call.project or Path()).absolute()
    data = call.data.absolute() if call.data else root / (environ.get("QUIETDIFF_DATA") or "data")
    return Context(root=root, data=data, environ=environ, clock=clock)


def _message(error: Exception) -> str:
    """One line: what, where, what to do."""
    match error:
        case CycloptsError():
            return f"{str(error).rstrip('.')}; see {' '.join(('quietdiff', *(error.command_chain or ())))} --help"
        case QuietdiffError():
            return str(error)
        case OSError(strerror=str(reason)):
            return f"{error.filename or 'standard output'}: {reason}"
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
    return f"unexpected {type(error).__name__} at {where}: {error}; run it again with QUIETDIFF_DEBUG=1 and report it"


def _complain(message: str) -> None:
    with suppress(OSError):
        print(f"quietdiff: {' '.join(message.split())}", file=sys.stderr, flush=True)


def _speak_utf8() -> None:
    """Write UTF-8 whatever the locale; what cannot be written at all is escaped, not raised."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush does not complain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
