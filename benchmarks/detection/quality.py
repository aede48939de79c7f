"""What each saved page is taken for: the page itself, or what stands in its place.

Usage: python -m benchmarks.detection.quality FOLDER...

Reads every file below the folders that ends in `.html` or `.htm`, alone and without a history. Prints how many there
are of each quality, and each that is not good with its marks and its length: whether it is one is for a person to say.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pipeline.classify import assess
from pipeline.engine import read
from pipeline.model import Quality, Rules


def pages(folders: list[str]) -> Iterator[Path]:
    """The saved pages below some folders, in order."""
    for folder in folders:
        yield from sorted(path for path in Path(folder).rglob("*.htm*") if path.is_file())


def main() -> None:
    """Print a line for each page that is not good, then the counts."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    counts: Counter[Quality] = Counter()
    for path in pages(sys.argv[1:]):
        reading, version = read(path.read_bytes(), url=None, content_type=None, rules=Rules(), visit_no=1)
        quality = assess(reading.marks, version).quality
        counts[quality] += 1
        if quality is not Quality.GOOD:
            print(
                f"{quality:<18} {','.join(reading.marks):<20} {reading.words:>5} words  {path}  {reading.title or ''}"
            )
    for quality, count in counts.most_common():
        print(f"{count:>7} {quality}")


if __name__ == "__main__":
    main()
