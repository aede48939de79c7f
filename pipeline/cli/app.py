"""The application, the folders every command works in, and how errors end."""

import shlex
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from inspect import BoundArguments
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, CycloptsError, Group, Parameter

from pipeline.cli.streams import STANDARD_OUTPUT, complain, drop_output, prepare_streams
from pipeline.cli.usage import usage_lines
from pipeline.clock import Clock, SystemClock
from pipeline.errors import ConfigError, QuietdiffError, UsageError

if TYPE_CHECKING:
    from pipeline.config import Project
    from pipeline.warehouse import Published

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
        program: How hints begin a command on the same folders; fit to be pasted into a shell.
    """

    root: Path
    data: Path
    environ: Mapping[str, str]
    clock: Clock = field(default_factory=SystemClock)
    program: str = "quietdiff"

    def project(self) -> "Project":
        """The project as configured.

        Raises:
            ConfigError: What is wrong with `quietdiff.yaml`.
            UsageError: There is no such folder.
        """
        from pipeline.config import load_project  # noqa: PLC0415  (0.2 s that `--help` need not spend)

        return load_project(self.root, self.data, self.environ)

    def published(self) -> "Published":
        """The published copy.

        Raises:
            UsageError: There is none yet.
        """
        from pipeline.warehouse import Published  # noqa: PLC0415  (as above)

        published = Published(self.data)
        if not published.path.exists():
            if (self.data / "quietdiff.duckdb").exists():
                why = f"the published copy is gone; make it anew: {self.program} doctor --repair"
            else:
                why = f"nothing published yet; run a visit first: {self.program} visit SITE"
            raise UsageError(f"{published.path}: {why}")
        return published


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


_INTERRUPTED_QUERY = "Query interrupted"


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
    prepare_streams()
    status = _caught(lambda: _launched(app, argv, environ, clock or SystemClock()), environ)
    return _caught(lambda: _flushed(status), environ)


def _launched(app: App, argv: Sequence[str] | None, environ: Mapping[str, str], clock: Clock) -> int:
    call = app.meta(argv, exit_on_error=False, print_error=False, result_action="return_value")
    return _perform(call, environ, clock) if isinstance(call, _Call) else DONE


def _flushed(status: int) -> int:
    """The status, once what is still buffered is written: the interpreter would end with 120 if that failed later."""
    sys.stdout.flush()
    return status


def _caught(work: Callable[[], int], environ: Mapping[str, str]) -> int:
    """What the work returns, or the exit status of the error it ended with, told on standard error."""
    try:
        return work()
    except BrokenPipeError:
        drop_output()
    except SystemExit as end:  # rich's way out when the reader of its output went away
        return end.code if isinstance(end.code, int) else FAILED
    except KeyboardInterrupt:
        complain("interrupted; what was written before stands")
        return INTERRUPTED
    except (ConfigError, UsageError, CycloptsError) as error:
        for line in usage_lines(error):
            complain(line)
        return BAD_USAGE
    except QuietdiffError as error:
        complain(str(error))
    except OSError as error:
        if error.filename == STANDARD_OUTPUT:
            drop_output()
        told = f"{error.filename or _place(error)}: {error.strerror}"
        complain(told if error.strerror else _unexpected(error, environ))
    except Exception as error:  # noqa: BLE001  (the one place where a bug becomes a line)
        return _told_of(error, environ)
    return FAILED


def _told_of(error: Exception, environ: Mapping[str, str]) -> int:
    """Tell of an error nobody foresaw, unless it is DuckDB's way to say that somebody pressed Ctrl-C."""
    if isinstance(error, RuntimeError) and _INTERRUPTED_QUERY in str(error):
        complain("interrupted; what was written before stands")
        return INTERRUPTED
    complain(_unexpected(error, environ))
    return FAILED


def _perform(call: _Call, environ: Mapping[str, str], clock: Clock) -> int:
    given = {"context": _context(call, environ, clock)} if call.wants_context else {}
    status = call.command(*call.bound.args, **call.bound.kwargs, **given)
    return status if isinstance(status, int) else DONE


def _context(call: _Call, environ: Mapping[str, str], clock: Clock) -> Context:
    root = (call.project or Path()).absolute()
    data = call.data.absolute() if call.data else root / (environ.get("QUIETDIFF_DATA") or "data")
    given = (("--project", call.project), ("--data", call.data))
    words = [word for option, folder in given if folder for word in (option, str(folder))]
    return Context(root=root, data=data, environ=environ, clock=clock, program=shlex.join(["quietdiff", *words]))


def _unexpected(error: Exception, environ: Mapping[str, str]) -> str:
    """What is our fault, on one line; when debugging, its traceback before."""
    if environ.get("QUIETDIFF_DEBUG"):
        traceback.print_exception(error)
    what = f"unexpected {type(error).__name__} at {_place(error)}: {error}"
    return f"{what}; run it again with QUIETDIFF_DEBUG=1 and report it"


def _place(error: Exception) -> str:
    """File and line of the code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
