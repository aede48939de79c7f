"""The child program of `pdf`: a PDF from standard input; its title and language, then the lines of each page, as JSON.

`python -m pipeline.extract.pdf_pages`. Nothing imports it: it sets its limits before it loads the reader.
"""

import io
import json
import logging
import sys

from pipeline.extract.workers import limit

__all__ = ["main"]

CPU_S = 20
MEMORY_BYTES = 1 << 30

PAGES = 1000
"""Pages that are read."""


def main() -> None:
    """Read, extract, write; the operating system ends it at its limits."""
    limit(CPU_S, MEMORY_BYTES)
    logging.disable()
    from pypdf import PdfReader  # noqa: PLC0415 - after the limits

    reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
    if reader.is_encrypted:
        reader.decrypt("")
    title = reader.metadata.title if reader.metadata else None
    language = reader.root_object.get("/Lang")
    _write({"title": None if title is None else str(title), "language": None if language is None else str(language)})
    for number in range(min(len(reader.pages), PAGES)):
        _write(reader.pages[number].extract_text().splitlines())


def _write(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")


if __name__ == "__main__":
    main()
