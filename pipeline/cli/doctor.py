"""`quietdiff doctor`: what is wrong with the store, what that means, what to do."""

from collections import Counter
from collections.abc import Sequence

from pipeline.cli.app import Context
from pipeline.cli.output import Printer, json_text, told
from pipeline.upkeep.doctor import Finding, Severity, Store, examine, mend

__all__ = ["see_doctor"]

MOST_ALIKE = 10
"""Findings of one kind that people are shown one by one; `--json` has all."""

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


def see_doctor(context: Context, *, deep: bool, repair: bool, as_json: bool) -> int:
    """Print what is wrong.

    Returns:
        0 if there is nothing worse than notes, else 1.

    Raises:
        UsageError: There is no such project folder.
    """
    with told() as tell:
        store = Store(
            root=context.root,
            data=context.data,
            environ=context.environ,
            now=context.clock.now(),
            deep=deep,
            tell=tell,
        )
        findings = examine(store)
        if repair:
            findings = mend(store, findings)
    findings.sort(key=lambda finding: list(Severity).index(finding.severity))
    if as_json:
        _print_json(findings)
    else:
        _show(findings, str(context.data), deep=deep, repaired=repair)
    return int(any(finding.severity is not Severity.NOTE for finding in findings))


def _print_json(findings: Sequence[Finding]) -> None:
    """One JSON array, one finding a line."""
    lines = [
        json_text(
            {
                "severity": finding.severity,
                "finding": finding.ailment,
                "where": finding.where,
                "what": finding.what,
                "means": finding.advice.means,
                "do": finding.advice.do,
                "repair": finding.advice.mends or None,
                "mended": finding.mended or None,
            }
        )
        for finding in findings
    ]
    print("[" + ",\n ".join(lines) + "]")


def _show(findings: Sequence[Finding], data: str, *, deep: bool, repaired: bool) -> None:
    printer = Printer()
    alike = Counter(finding.ailment for finding in findings)
    shown: Counter[str] = Counter()
    for finding in findings:
        shown[finding.ailment] += 1
        if shown[finding.ailment] <= MOST_ALIKE:
            _show_one(printer, finding, last=shown[finding.ailment] == min(alike[finding.ailment], MOST_ALIKE))
        elif shown[finding.ailment] == MOST_ALIKE + 1:
            printer.line(f"and {alike[finding.ailment] - MOST_ALIKE} more of these; --json lists all", indent=2)
    counted = Counter(finding.severity for finding in findings)
    words = ", ".join(f"{counted[severity]} {severity}{'s' * (counted[severity] != 1)}" for severity in Severity)
    printer.line(f"{data}: {words}{'' if deep else '; sizes of blobs were looked at, --deep reads them'}")
    if not repaired and any(finding.advice.mends for finding in findings):
        printer.line("--repair mends what can be mended without loss")


def _show_one(printer: Printer, finding: Finding, *, last: bool) -> None:
    """A finding; what it means and what to do only once for those that are alike."""
    head = (f"{finding.severity}: ", STYLES[finding.severity])
    printer.line(head, (finding.ailment, "bold"), f": {finding.where}: {finding.what}")
    if finding.mended:
        printer.line("mended: ", finding.mended, indent=2)
    if last:
        printer.line("means: ", finding.advice.means, indent=2)
        if not finding.mended:
            printer.line("do: ", finding.advice.do, indent=2)
