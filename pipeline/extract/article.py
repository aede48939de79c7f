"""The child program of `main_text`: markup in UTF-8 from standard input, the article's lines as JSON strings.

`python -m pipeline.extract.article`. Nothing imports it: it sets its limits before it loads the extractor.
"""

import json
import sys

from pipeline.extract.workers import limit

__all__ = ["main"]

CPU_S = 15
MEMORY_BYTES = 2 << 30


def main() -> None:
    """Read, extract, write; the operating system ends it at its limits."""
    limit(CPU_S, MEMORY_BYTES)
    from trafilatura import extract  # noqa: PLC0415 - after the limits

    text = extract(sys.stdin.buffer.read().decode(), include_comments=False, include_tables=True, favor_recall=True)
    for line in (text or "").splitlines():
        sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
