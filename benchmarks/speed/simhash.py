"""`simhash64` against a plain loop and the package `simhash` of PyPI, on the normal text of saved pages.

All take the same tokens. The plain loop goes over them, joins each 3-gram, hashes it with blake2b and counts 64 bits
one by one; so does the one over distinct 3-grams, the features that `simhash64` has, with less to count. The package
hashes distinct 3-grams with md5, its default, and counts with numpy; it is none of our dependencies, and is left out
where it is not installed.
"""

import hashlib
import importlib
import random
import re
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from pipeline.engine.offline import read
from pipeline.fingerprint import simhash64
from pipeline.model import Rules
from pipeline.packing import UNSPACED

__all__ = ["plain_loop", "report"]

PAGES = 60
ROUNDS = 5
_TOKEN = re.compile(f"[{UNSPACED}]|[^\\s{UNSPACED}]+")
_UNSPACED_CHAR = re.compile(f"[{UNSPACED}]")
_SCRIPTS = ("with spaces", "without spaces")

Simhash = Callable[[str], object]


def grams(text: str) -> list[str]:
    """The 3-grams of a text's tokens, in order."""
    tokens = _TOKEN.findall(text)
    return [" ".join(tokens[n : n + 3]) for n in range(len(tokens) - 2)]


def plain_loop(grams: Iterable[str]) -> int:
    """A simhash as one would write it down."""
    counts = [0] * 64
    for gram in grams:
        hashed = int.from_bytes(
            hashlib.blake2b(gram.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
        )
        for bit in range(64):
            counts[bit] += 1 if hashed >> bit & 1 else -1
    return sum(1 << bit for bit, count in enumerate(counts) if count > 0)


def contenders() -> dict[str, Simhash]:
    """By name; the package only if it is installed."""
    found: dict[str, Simhash] = {
        "plain loop": lambda text: plain_loop(grams(text)),
        "plain loop, distinct": lambda text: plain_loop(set(grams(text))),
        "simhash64": simhash64,
    }
    try:
        package = importlib.import_module("simhash")
    except ModuleNotFoundError:
        return found
    return found | {"PyPI simhash": lambda text: package.Simhash(list(set(grams(text))))}


def texts_of(paths: Sequence[Path]) -> dict[str, list[str]]:
    """Normal texts of at most PAGES pages of each sort of script, drawn at random; those under 50 tokens left out."""
    found: dict[str, list[str]] = {script: [] for script in _SCRIPTS}
    drawn = random.Random(0).sample(paths, len(paths))  # noqa: S311
    for path in drawn[: 8 * PAGES]:
        _, version = read(path.read_bytes(), url=None, content_type=None, rules=Rules(), visit_no=1)
        text = "\n".join(block.normal for block in version.blocks)
        tokens = _TOKEN.findall(text)
        unspaced = len(_UNSPACED_CHAR.findall(text)) > len(tokens) / 2
        some = found[_SCRIPTS[unspaced]]
        if len(tokens) >= 50 and len(some) < PAGES:
            some.append(text)
    return found


def measure(texts: Sequence[str], contend: dict[str, Simhash]) -> dict[str, float]:
    """Median over rounds of CPU seconds for all texts; in each round the contenders take turns."""
    rounds: dict[str, list[float]] = {name: [] for name in contend}
    for _ in range(ROUNDS):
        for name, simhash in contend.items():
            start = time.process_time()
            for text in texts:
                simhash(text)
            rounds[name].append(time.process_time() - start)
    return {name: statistics.median(seconds) for name, seconds in rounds.items()}


def report(paths: Sequence[Path]) -> Iterator[str]:
    """The figures, a line each."""
    contend = contenders()
    for script, texts in texts_of(paths).items():
        tokens = sum(len(_TOKEN.findall(text)) for text in texts)
        yield f"simhash, {len(texts)} pages in scripts {script}, {tokens:,} tokens"
        if not texts:
            continue
        seconds = measure(texts, contend)
        for name, spent in seconds.items():
            yield f"  {name:21} {1e9 * spent / tokens:9,.0f} ns a token {spent / seconds['simhash64']:7.1f}x"
    if "PyPI simhash" not in contend:
        yield "  PyPI simhash: not installed"
