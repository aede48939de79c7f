"""Readers that a body can make slow or large without bound, each in a process of its own that can be killed."""

import json
import logging
import resource
import subprocess
import sys
from typing import Any

__all__ = ["limit", "run"]

_log = logging.getLogger(__name__)


def run(module: str, data: bytes, *, wait_s: float) -> list[Any] | None:
    """The JSON values that a child program writes, a line each; None if it failed or took too long.

    Args:
        module: Of the program; it reads the data from standard input and calls `limit` first.
        data: What it reads.
        wait_s: Seconds after which it is killed.
    """
    try:
        child = subprocess.run(
            [sys.executable, "-m", module], input=data, capture_output=True, timeout=wait_s, check=True
        )
        return [json.loads(line) for line in child.stdout.splitlines()]
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        _log.warning("%s gave nothing: %s", module.rpartition(".")[2], error)
        return None


def limit(cpu_s: int, memory_bytes: int) -> None:
    """For the child: the operating system ends it at these limits."""
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
