"""The numbered points of durable work, at which a test can stop or kill the process.

Every write, fsync, rename, commit and publish says before it begins and after it is done. Outside tests nobody
listens and a point costs one comparison.
"""

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["listen", "reached", "step"]

_listener: Callable[[str], None] | None = None


def listen(listener: Callable[[str], None] | None) -> None:
    """Have a function called with the name of every point this process reaches; None ends it."""
    global _listener  # noqa: PLW0603  (one switch for the whole process is what it is for)
    _listener = listener


def reached(point: str) -> None:
    """Say that a point of durable work is reached."""
    if _listener is not None:
        _listener(point)


@contextmanager
def step(name: str) -> "Iterator[None]":
    """Say `before <name>` and, unless the block raises, `after <name>`."""
    reached(f"before {name}")
    yield
    reached(f"after {name}")
