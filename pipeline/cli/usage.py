"""What is wrong with a command line, in our words and by the names that the help shows."""

from difflib import get_close_matches

from cyclopts import CoercionError, CycloptsError, MissingArgumentError, RepeatArgumentError, UnknownCommandError
from cyclopts.exceptions import UnusedCliTokensError

from pipeline.errors import ConfigError, UsageError

__all__ = ["usage_lines"]

_EXPECTED = {int: "a whole number", float: "a number"}


def usage_lines(error: ConfigError | UsageError | CycloptsError) -> list[str]:
    """The lines to print: one for each thing that is wrong."""
    match error:
        case CycloptsError():
            return [f"{_words(error).rstrip('.')}; see {' '.join(('quietdiff', *(error.command_chain or ())))} --help"]
        case ConfigError():
            return [str(error), *map(str, error.others)]
    return [str(error)]


def _words(error: CycloptsError) -> str:
    match error:
        case UnknownCommandError(unused_tokens=[str(name), *_]) if name.startswith("-"):
            return f"no option `{name}`"
        case UnknownCommandError(unused_tokens=[str(name), *_]):
            return _unknown_command(error, name)
        case MissingArgumentError():
            return f"{label} needs a value" if (label := _label(error)).startswith("-") else f"{label} is missing"
        case UnusedCliTokensError(unused_tokens=[*tokens]):
            return f"no further argument is expected, but there is {', '.join(f'`{token}`' for token in tokens)}"
        case RepeatArgumentError():
            return f"{_label(error)} is given more than once"
        case CoercionError(token=token, target_type=type() as wanted) if token is not None and wanted in _EXPECTED:
            return f"{_label(error)}: `{token.value}` is not {_EXPECTED[wanted]}"
    return str(error)


def _unknown_command(error: CycloptsError, name: str) -> str:
    app = error.app
    known = sorted(command for command in app or () if not command.startswith("-"))
    near = get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"expected {', '.join(known)}"
    return f"no command `{name}`; {hint}"


def _label(error: CycloptsError) -> str:
    """The option as it was typed or is listed; an argument as the usage line has it."""
    token = getattr(error, "token", None)
    keyword = getattr(error, "keyword", None) or (token.keyword if token is not None else None)
    if keyword:
        return str(keyword)
    return error.argument.name if error.argument is not None else "an argument"
