"""`quietdiff compare`: two saved files of one page, or many pairs."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeline.cli.app import STDIN
from pipeline.cli.inputs import Line, RulesFinder, json_lines, read_saved
from pipeline.cli.output import Printer, print_json, progress
from pipeline.cli.shown import kind_words, quality_words, show_judgement
from pipeline.engine import History, compare, printed_judgement
from pipeline.errors import QuietdiffError, UsageError
from pipeline.model import Judgement, Quality, Rules

__all__ = ["compare_files", "compare_pairs", "history_of", "trouble"]


def compare_files(old: Path | None, new: Path | None, *, url: str | None, rules: Path | None, as_json: bool) -> int:
    """Judge one pair and print it.

    Raises:
        UsageError: A file is missing, or both are standard input.
    """
    if old is None or new is None:
        raise UsageError("compare needs two files, OLD and NEW, or --pairs FILE; see quietdiff compare --help")
    if old == new == STDIN:
        raise UsageError("compare: only one of the two files can be standard input; save the other")
    first, second = _judge(old, new, url, RulesFinder(rules).of())
    if as_json:
        print_json(printed_judgement(second, id_=str(new)))
    else:
        _show(first, second)
    return 0


def compare_pairs(pairs: Path, *, others: Iterable[Path | None], url: str | None, rules: Path | None) -> int:
    """Judge each line of a JSONL file and print a JSON line for it, in order.

    Returns:
        0, or 1 if a line could not be judged; `{"id", "error"}` stands in its place.

    Raises:
        UsageError: The file cannot be read, or files were named beside it.
    """
    if any(other is not None for other in others):
        raise UsageError("compare takes either two files or --pairs, not both")
    finder = RulesFinder(rules)
    finder.of()
    failed = False
    with progress() as bar:
        task = bar.add_task("pairs", total=None)
        for line in json_lines(pairs):
            printed = _judge_line(line, url, finder)
            failed = failed or "error" in printed
            print_json(printed)
            bar.advance(task)
    return 1 if failed else 0


def history_of(url: str | None, rules: Rules, calibrate: int = 0) -> History:
    """A page without a past."""
    history = History(rules=rules, calibrate=calibrate)
    if url:
        history.url = url
    return history


def trouble(error: Exception) -> str:
    """Why one line could not be judged, on one line."""
    expected = isinstance(error, QuietdiffError)
    return " ".join((str(error) if expected else f"unexpected {type(error).__name__}: {error}").split())


def _judge(old: Path, new: Path, url: str | None, rules: Rules) -> tuple[Judgement, Judgement]:
    return compare(read_saved(old), read_saved(new), history_of(url, rules))


def _judge_line(line: Line, url: str | None, finder: RulesFinder) -> dict[str, Any]:
    if line.error is not None:
        return {"id": line.id, "error": line.error}
    try:
        _, judgement = _judge(line.file("old"), line.file("new"), line.text("url") or url, finder.of(line))
    except Exception as error:  # noqa: BLE001  (whatever one line does, the rest goes on)
        return {"id": line.id, "error": trouble(error)}
    return printed_judgement(judgement, id_=line.id)


def _show(first: Judgement, second: Judgement) -> None:
    printer = Printer()
    if first.quality is not Quality.GOOD and second.quality is first.quality:
        printer.line(("nothing to compare with: the old file is ", "bold"), quality_words(first.quality))
        return
    words = kind_words(second.kind, second.kind_reason, second.quality, also_content=second.also_content)
    printer.line((words, "bold"))
    if second.distance is not None and second.threshold is not None:
        limit = (
            f"noise up to {second.threshold.noise_bits}"
            if second.threshold.calibrated
            else "uncalibrated, so it decides nothing"
        )
        printer.line((f"distance {second.distance} of 64 bits; {limit}", "dim"))
    show_judgement(printer, second, indent=2)
