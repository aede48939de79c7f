"""`quietdiff replay`: saved versions of one page in order, or many histories."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from typing import Any

from rich.progress import Progress, TaskID

from pipeline.classify import Sighting, evidence_of, group
from pipeline.cli.compare import history_of, trouble
from pipeline.cli.inputs import Line, RulesFinder, json_lines, read_saved
from pipeline.cli.output import Printer, json_text, print_json, progress
from pipeline.cli.shown import kind_words, short_fields, show_blocks
from pipeline.engine import History, NoisePool, printed_judgement
from pipeline.errors import UsageError
from pipeline.model import Judgement, Kind

__all__ = ["replay_files", "replay_histories"]

MOST_BLOCKS = 5
"""Changed blocks shown of each version; `compare` shows all."""


def replay_files(files: Sequence[Path], *, calibrate: int, url: str | None, rules: Path | None, as_json: bool) -> int:
    """Judge versions of one page and print each as it is judged.

    Raises:
        UsageError: There is none, or one cannot be read.
    """
    if not files:
        raise UsageError("replay needs files, the earliest first, or --histories FILE; see quietdiff replay --help")
    history = history_of(url, RulesFinder(rules).of(), calibrate)
    printer = Printer()
    for version, file in enumerate(files):
        judgement = history.visit(read_saved(file))
        if as_json:
            print_json(printed_judgement(judgement, id_=str(file), version=version))
        else:
            _show(printer, version, file, judgement)
    return 0


def _show(printer: Printer, version: int, file: Path, judgement: Judgement) -> None:
    words = kind_words(judgement.kind, judgement.kind_reason, judgement.quality, also_content=judgement.also_content)
    style = "bold" if judgement.kind in {Kind.CONTENT, Kind.FIELD} else ""
    printer.line(f"{version:>4}  ", (words, style), (f"  {file}", "dim"))
    if judgement.field_changes:
        printer.line(short_fields(judgement.field_changes), indent=6)
    if judgement.kind in {Kind.CONTENT, Kind.FIELD}:
        show_blocks(printer, judgement.block_changes, indent=6, most=MOST_BLOCKS)


@dataclass(slots=True, kw_only=True)
class _Run:
    """One history while it is replayed.

    Attributes:
        number: Its line in the JSONL file.
        moments: A time for each file, never falling; the version's place among the site's visits.
        timed: The line gives these times; without them nothing is known of what happened together.
        sightings: What each version showed that can be of a site event.
        history: None if the line could not be read; then `error` says why.
    """

    number: int
    id: Any
    site: str | None = None
    files: Sequence[Path] = ()
    moments: Sequence[float] = ()
    timed: bool = False
    sightings: list[Sighting] = field(default_factory=list)
    history: History | None = None
    error: str | None = None

    def visit(self, version: int) -> dict[str, Any]:
        """Judge one version; the line to print."""
        if self.history is None:
            return {"id": self.id, "error": self.error}
        try:
            at = datetime.fromtimestamp(self.moments[version], UTC) if self.timed else None
            judgement = self.history.visit(read_saved(self.files[version]), at=at)
        except Exception as error:  # noqa: BLE001  (whatever one version does, the rest goes on)
            return {"id": self.id, "version": version, "error": trouble(error)}
        if self.timed and self.site is not None:
            self._note(version, judgement)
        return printed_judgement(judgement, id_=self.id, version=version)

    def _note(self, version: int, judgement: Judgement) -> None:
        evidence = evidence_of(judgement)
        if evidence.shown:
            at = self.moments[version]
            self.sightings.append(Sighting(page=self.number, visit=version, at=at, order=at, evidence=evidence))


def replay_histories(
    histories: Path, *, others: Sequence[Path], calibrate: int, url: str | None, rules: Path | None
) -> int:
    """Judge every history of a JSONL file, site by site, and print a JSON line for each version.

    A site's lines are printed when the site is done, by line of the file, then version; versions of lines that give
    their times then say which site event they belong to.

    Args:
        histories: The file.
        others: Files named beside it; there must be none.
        calibrate: For lines that do not say.
        url: For lines that do not say.
        rules: For lines that do not say.

    Returns:
        0, or 1 if a line or a version could not be judged; `{"id", "error"}` stands in its place.

    Raises:
        UsageError: The file cannot be read, or files were named beside it.
    """
    if others:
        raise UsageError("replay takes either files or --histories, not both")
    finder = RulesFinder(rules)
    finder.of()
    sites: dict[Any, list[_Run]] = {}
    for line in json_lines(histories):
        run = _run_of(line, finder, url, calibrate)
        # A line without a site is a site of its own; numbers are no names of sites.
        sites.setdefault(run.number if run.site is None else run.site, []).append(run)
    failed = False
    with progress() as bar:
        task = bar.add_task("versions", total=sum(len(run.files) for runs in sites.values() for run in runs))
        for runs in sites.values():
            _share_noise(runs)
            failed = _replay_site(runs, bar, task) or failed
    return 1 if failed else 0


def _run_of(line: Line, finder: RulesFinder, url: str | None, calibrate: int) -> _Run:
    if line.error is not None:
        return _Run(number=line.number, id=line.id, moments=(0,), error=line.error)
    try:
        files = line.files("files")
        times = line.times("times", len(files))
        own = line.count("calibrate")
        return _Run(
            number=line.number,
            id=line.id,
            site=line.text("site"),
            files=files,
            moments=list(accumulate(times or [0.0] * len(files), max)),
            timed=times is not None,
            history=history_of(line.text("url") or url, finder.of(line), calibrate if own is None else own),
        )
    except Exception as error:  # noqa: BLE001  (whatever one line does, the rest goes on)
        return _Run(number=line.number, id=line.id, moments=(0,), error=trouble(error))


def _share_noise(runs: Sequence[_Run]) -> None:
    """Let the histories of one site fit their thresholds by each other's noise."""
    pool = NoisePool()
    for run in runs:
        if run.history is not None:
            run.history.pool = pool


def _replay_site(runs: Sequence[_Run], bar: Progress, task: TaskID) -> bool:
    """Judge the histories of one site together and print their lines; whether one of them is an error."""
    failed = False
    held: dict[tuple[int, int], str] = {}  # as text: a tenth of what it takes as objects
    for run, version in _in_order_of_time(runs):
        printed = run.visit(version)
        failed = failed or "error" in printed
        held[run.number, version] = json_text(printed)
        if len(runs) == 1:
            print(held.popitem()[1], flush=True)
        bar.advance(task)
    ids = {run.number: run.id for run in runs}
    groups = group(sighting for run in runs for sighting in run.sightings)
    for key, text in sorted(held.items()):
        if key in groups:
            number, version = groups[key]
            text = _with_group(text, f"{ids[number]}:{version}")  # noqa: PLW2901
        print(text, flush=True)
    return failed


def _with_group(text: str, group_id: str) -> str:
    """A printed judgement, of which `group` is the last key, with its site event: `id:version` of the first visit."""
    return text.removesuffix("null}") + json_text(group_id) + "}"


def _in_order_of_time(runs: Iterable[_Run]) -> Iterator[tuple[_Run, int]]:
    """Every (history, version), each history in its own order, all of them by time; ties by line."""

    def places(run: _Run) -> Iterator[tuple[float, int, int, _Run]]:
        return ((moment, run.number, version, run) for version, moment in enumerate(run.moments))

    for _, _, version, run in heapq.merge(*(places(run) for run in runs)):
        yield run, version
