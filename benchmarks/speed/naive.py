"""What reading and judging a changed page costs beside a straightforward pipeline of well-known parts.

The straightforward one: tags stripped with regular expressions, sixteen volatile patterns with `re` one after the
other, a simhash in a plain loop, structured data with extruct (all of its syntaxes). It decides less: whether two
hashes differ. Ours: extract, normalize, fingerprint of the new version, and the comparison of both with ledger and
fields.

What is warm, and why: the earlier visit was read once, as the records of the last good visit lie in the store when a
page is visited again (reading them from there is not counted, nor is writing, on either side). Each round starts from
that earlier visit alone, so no round knows the changed page. The patterns are compiled and the names of classes and
ids have been seen, as after a site's first pages in a run; `re` has compiled the other's patterns, too.
"""

import hashlib
import html
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import partial
from pathlib import Path

from pipeline.engine import History

__all__ = ["report"]

_SCRIPT = re.compile(r"<(script|style|noscript|template|svg)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_SPACE = re.compile(r"\s+")
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b\d+\s+(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\s+ago\b",
        r"\bjust now\b|\byesterday\b|\btoday\b",
        r"\b\d{1,2}:\d{2}(?::\d{2})?\s*(?:am|pm)?\b",
        r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?\b",
        r"\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b",
        r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2},? \d{4}\b",
        r"\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{4}\b",
        r"\b[\d.,]+\s*(?:views?|visits?|reads?|hits)\b",
        r"\b[\d.,]+\s*(?:comments?|replies|shares?|likes?)\b",
        r"\b\d+ (?:people|users?|visitors?) (?:are )?(?:viewing|watching|online)\b",
        r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
        r"\b[0-9a-f]{16,}\b",
        r"\b[A-Za-z0-9+/]{24,}={0,2}(?!\w)",
        r"(?:©|\(c\)|copyright)\s*\d{4}",
        r"\bv?\d+\.\d+\.\d+\b",
        r"[?&](?:v|ver|_|t|ts|cb)=[\w.-]+",
    )
]

ROUNDS = 3
Step = Callable[[], object]


def report(files: Sequence[Path]) -> Iterator[str]:
    """Lines with the ratio of CPU time, page by page in turns; the median over pages of the best of three rounds."""
    try:
        import extruct  # noqa: F401, PLC0415
    except ImportError:
        yield "naive pipeline: extruct is not installed (pip install extruct); not measured"
        return
    ratios, ours_ms, theirs_ms = [], [], []
    for file in files:
        body = file.read_bytes()
        changed = _edited(body)
        if changed == body:
            continue
        history = History(url="https://shop.example/")
        history.visit(body)
        turns = [(_cpu(partial(copy(history).visit, changed)), _cpu(partial(_naive, changed))) for _ in range(ROUNDS)]
        ours, theirs = map(min, zip(*turns, strict=True))
        ratios.append(theirs / ours)
        ours_ms.append(1000 * ours)
        theirs_ms.append(1000 * theirs)
    ratios.sort()
    yield (
        f"post-fetch CPU a changed page, {len(ratios)} pages: naive pipeline / ours = {statistics.median(ratios):.1f} "
        f"(quartiles {ratios[len(ratios) // 4]:.1f} to {ratios[3 * len(ratios) // 4]:.1f}; "
        f"all together {sum(theirs_ms) / sum(ours_ms):.1f}; median {statistics.median(ours_ms):.1f} ms of ours)"
    )


def _cpu(step: Step) -> float:
    start = time.process_time()
    step()
    return time.process_time() - start


def _edited(body: bytes) -> bytes:
    """The page with one word put into its last paragraph or list item."""
    at = max(body.rfind(b"</p>"), body.rfind(b"</li>"))
    return body if at < 0 else body[:at] + b" recently" + body[at:]


def _naive(body: bytes) -> tuple[int, object]:
    import extruct  # noqa: PLC0415

    text = body.decode("utf-8", "replace")
    stripped = html.unescape(_TAG.sub(" ", _COMMENT.sub(" ", _SCRIPT.sub(" ", text))))
    for pattern in _PATTERNS:
        stripped = pattern.sub("#", stripped)
    words = _SPACE.sub(" ", stripped).strip().split(" ")
    try:
        found: object = extruct.extract(text, base_url="https://shop.example/", errors="ignore")
    except Exception as error:  # noqa: BLE001  (lxml gives up on some pages; the time until then counts)
        found = error
    return _simhash(words), found


def _simhash(words: Sequence[str]) -> int:
    sums = [0] * 64
    for n in range(max(1, len(words) - 2)):
        gram = " ".join(words[n : n + 3])
        value = int.from_bytes(hashlib.blake2b(gram.encode(), digest_size=8).digest(), "big")
        for bit in range(64):
            sums[bit] += 1 if value >> bit & 1 else -1
    return sum(1 << bit for bit in range(64) if sums[bit] > 0)
