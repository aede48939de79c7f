"""`quietdiff extract`: the fields and the visible text of one page, saved or fetched now."""

from pathlib import Path
from typing import Any

from pipeline.classify import assess
from pipeline.cli.app import Context
from pipeline.cli.inputs import RulesFinder, read_saved
from pipeline.cli.output import Printer, print_json
from pipeline.cli.shown import value_words
from pipeline.codec import printed_value
from pipeline.config import check_url
from pipeline.engine import read
from pipeline.errors import UsageError
from pipeline.fetch import HttpFetcher
from pipeline.model import Fetched, FieldState, FieldValue, Quality, Reading, Target

__all__ = ["extract_page"]


def extract_page(context: Context, page: str, *, url: str | None, rules: Path | None, as_json: bool) -> int:
    """Read one saved page, or fetch one, and print what was found.

    Raises:
        ConfigError: The rules are wrong.
        UsageError: The page cannot be read or fetched.
    """
    wanted = RulesFinder(rules).of()
    content_type = None
    if page.lower().startswith(("http://", "https://")):
        body, url, content_type = _fetched(context, page)
    else:
        body = read_saved(Path(page))
    reading, version = read(body, url=url, content_type=content_type, rules=wanted, visit_no=1)
    quality = assess(reading.marks, version).quality
    if as_json:
        print_json(_as_json(reading, quality))
    else:
        _show(reading, quality)
    return 0


def _fetched(context: Context, url: str) -> tuple[bytes, str, str | None]:
    """Body, final URL and content type of an answer, fetched as a page of the defaults would be."""
    try:
        check_url(url)
    except ValueError as error:
        raise UsageError(f"the URL to fetch: {error}") from None  # which may hold a password
    settings = context.project().settings
    vantage = settings.defaults.vantage
    fetcher = HttpFetcher(settings.fetch, context.clock, context.environ)
    answers: list[Fetched] = []
    target = Target(page_id=0, page_name="extract", url=url, vantage=vantage)
    fetcher.fetch_all([target], lambda _, fetched: answers.append(fetched))
    (fetched,) = answers
    if fetched.body is None:
        said = f" ({fetched.detail})" if fetched.detail else ""
        raise UsageError(f"{url}: {fetched.outcome}: {fetched.reason}{said}; nothing was read")
    return fetched.body, fetched.final_url or url, fetched.content_type


def _as_json(reading: Reading, quality: Quality) -> dict[str, Any]:
    return {
        "page_type": reading.page_type,
        "quality": quality,
        "fields": {
            value.name: {
                "type": value.type,
                "state": value.state,
                "value": printed_value(value),
                "raw": value.raw,
                "source": value.source,
            }
            | ({"repaired": True} if value.repaired else {})
            | ({"rival": _rival(value.rival)} if value.rival is not None else {})
            for value in reading.fields
        },
        "blocks": [{"text": block.text, "region": block.region} for block in reading.blocks],
    }


def _rival(value: FieldValue) -> dict[str, Any]:
    return {"value": printed_value(value), "raw": value.raw, "source": value.source}


def _show(reading: Reading, quality: Quality) -> None:
    printer = Printer()
    printer.line(
        ("page type ", "dim"), reading.page_type, ("  quality ", "dim"), quality, ("  read as ", "dim"), reading.media
    )
    if reading.fields:
        rows = [(value.name, value.type, _value(value), value.source) for value in reading.fields]
        printer.line("")
        printer.table(("field", "type", "value", "source"), rows, fold=["value", "source"])
    printer.line("")
    printer.table(("region", "text"), [(block.region, block.text) for block in reading.blocks], fold=["text"])


def _value(value: FieldValue) -> str:
    """The value with what the page says against it; raw where there is none."""
    words = value_words(value)
    if value.state not in {FieldState.VALUE, FieldState.MISSING} and value.raw:
        words = f"{words} {value.raw}"
    return words if value.rival is None else f"{words}; but {value.rival.source}: {value_words(value.rival)}"
