"""How configuration errors speak: nearest names, lists of choices, dotted keys."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["KeyPath", "choices", "did_you_mean", "dotted", "nearest"]

KeyPath = tuple[str | int, ...]
"""Where a value stands in a file: keys of mappings and 0-based places in lists, from the root down."""

_LONGEST_KEY = 60  # characters of a key shown in a message
_MANY = 40  # names listed in a message before they help nobody


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name a person most likely meant, or None if none is near."""
    return next(iter(get_close_matches(word.lower(), list(names), n=1, cutoff=0.6)), None)


def choices(names: Iterable[str]) -> str:
    """The names in back quotes, in their order, as `a`, `b` or `c`."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > _MANY:
        quoted = [*quoted[: _MANY - 1], f"{len(quoted) - _MANY + 1} more"]
    return " or ".join(part for part in (", ".join(quoted[:-1]), *quoted[-1:]) if part)


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Either "did you mean `x`?" or "expected ..." with every name."""
    known = list(names)
    if (near := nearest(word, known)) is not None:
        return f"did you mean `{near}`?"
    return f"expected {choices(known)}" if known else "nothing is expected here"


def dotted(path: KeyPath) -> str:
    """The path as people write it, such as `pages[2].url`; always one printable line."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            shown = "".join(char if char.isprintable() else "�" for char in step[:_LONGEST_KEY])
            text += f".{shown}" if text else shown
    return text
