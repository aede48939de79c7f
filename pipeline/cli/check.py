"""`quietdiff check`: is the configuration right, and what does it say."""

import sys
from datetime import timedelta

from pipeline.cli.app import Context
from pipeline.cli.output import Printer
from pipeline.config import check_project
from pipeline.errors import UsageError

__all__ = ["check_files", "interval"]


def check_files(context: Context) -> int:
    """Print what is watched, or every problem on standard error.

    Returns:
        0, or 2 if there is a problem.

    Raises:
        UsageError: There is no such folder, or no site file in it.
    """
    problems = check_project(context.root, context.environ)
    for problem in problems:
        print(" ".join(str(problem).split()), file=sys.stderr)
    if problems:
        return 2
    project = context.project()
    if not project.sites:
        raise UsageError(
            f"{project.root / 'sites'}: no site file; write one (docs/configuration.md), or name --project"
        )
    printer = Printer()
    pages = [page for site in project.sites.values() for page in site.pages]
    rows = [
        (site.name, page.name, page.page_type, interval(page.every), page.url)
        for site in project.sites.values()
        for page in site.pages
    ]
    printer.table(("site", "page", "type", "every", "url"), rows, right=["every"], fold=["url"])
    printer.line(f"sites: {len(project.sites)}, pages: {len(pages)}; all files are right")
    return 0


def interval(every: timedelta) -> str:
    """A time as configuration writes it: `30m`, `6h`, `2d`."""
    seconds = int(every.total_seconds())
    unit, size = next(
        (unit, size) for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)) if seconds % size == 0
    )
    return f"{seconds // size}{unit}"
