"""Ratios of CPU time, the contenders taking turns in one run.

Usage: python -m benchmarks.speed FOLDER...

Every FOLDER holds saved pages (`**/*.html`). Only ratios carry over to another machine.
"""

import sys
from pathlib import Path

from benchmarks.speed import naive, simhash


def main() -> None:
    """Print what each step costs."""
    folders = [Path(argument) for argument in sys.argv[1:]]
    if not folders or not all(folder.is_dir() for folder in folders):
        sys.exit(__doc__)
    files = sorted(path for folder in folders for path in folder.rglob("*.html"))
    for line in simhash.report(files):
        print(line)
    for line in naive.report(files):
        print(line)


if __name__ == "__main__":
    main()
