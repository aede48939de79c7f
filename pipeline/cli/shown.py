"""Kinds, values and changed blocks in the words people read."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from rich.text import Text

from pipeline.cli.output import Printer, clean
from pipeline.codec import printed_value
from pipeline.model import (
    BlockChange,
    FieldChange,
    FieldState,
    FieldType,
    FieldValue,
    Judgement,
    Kind,
    KindReason,
    Quality,
)

__all__ = [
    "kind_words",
    "quality_words",
    "reason_words",
    "remark",
    "short_fields",
    "show_blocks",
    "show_fields",
    "show_judgement",
    "sides",
    "value_words",
]

LONGEST_INLINE = 600
"""Words of a block up to which its two versions are shown in one line; beyond, one under the other: comparing
words is quadratic."""

_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_PIECES = re.compile(rf"\s+|[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+|[^\w\s]")
"""Words, runs of white space, single signs, and single characters of scripts that do not part words."""

_SAME_SHARE = 0.4
"""Two versions that share less of their pieces read better one under the other."""

_WORDS = {
    KindReason.FIRST: "first visit, nothing to compare with yet",
    KindReason.REBASELINED: "rules changed and the earlier snapshot is gone, nothing to compare with",
    KindReason.CALIBRATION: "calibration, not judged",
    KindReason.BYTES_EQUAL: "the same bytes",
    KindReason.BYTES_DIFFER: "other bytes of a file that is no text",
    KindReason.TEXT_EQUAL: "other bytes, the same text apart from volatile spans",
    KindReason.FIELDS: "a tracked field changed",
    KindReason.EXPLAINED: "every changed block is explained",
    KindReason.UNEXPLAINED: "text changed that nothing explains",
    KindReason.BEYOND_THRESHOLD: "the text is further from the last visit than noise takes it",
    KindReason.DRIFT: "small changes have added up since the baseline",
}

_QUALITIES = {
    Quality.BLOCKED: "a page that blocks robots",
    Quality.CONSENT: "a consent wall",
    Quality.LOGIN: "a login page",
    Quality.SOFT_404: "a page that says it is not there",
    Quality.ERROR_PAGE: "an error or maintenance page",
    Quality.ELSEWHERE: "another page than the one asked for",
    Quality.GEO: "a page for another country",
    Quality.SHELL: "a page without text; scripts fill it in",
    Quality.HALF_RENDERED: "a page that is only half there",
    Quality.COLLAPSE: "a stub of the page",
    Quality.EXTRACTION_FAILED: "a page that could not be read",
}

_BLOCKS = {
    "captcha": "a captcha",
    "challenge": "a challenge that a browser has to pass",
    "waiting_room": "a waiting room",
}


def kind_words(
    kind: Kind | None, reason: KindReason | str, quality: Quality | None = None, *, also_content: bool = False
) -> str:
    """A judgement in words, kind first; where there is none, why."""
    if quality is not None and quality is not Quality.GOOD:
        return f"not the page: {quality_words(quality)}"
    words = _WORDS.get(KindReason(reason), reason) if reason in set(KindReason) else reason
    also = ", and other text too" if also_content else ""
    return f"{kind}: {words}{also}" if kind else words


def quality_words(quality: Quality) -> str:
    """What was served instead of the page."""
    return f"{_QUALITIES[quality]} ({quality})"


def reason_words(reason: str | None) -> str | None:
    """The reason of an outcome in words, where it is one that was read from the text."""
    if reason in _BLOCKS:
        return f"{_BLOCKS[reason]} ({reason})"
    return quality_words(Quality(reason)) if reason in set(Quality) else reason


def value_words(value: FieldValue) -> str:
    """A field's value as a person writes it, or its state."""
    if value.state is not FieldState.VALUE:
        return f"({value.state})"
    match value.type:
        case FieldType.PRICE:
            price = printed_value(value)
            amounts = [price[key] for key in ("amount", "high") if price.get(key)]
            return " ".join(["-".join(amounts), *([value.currency] if value.currency else [])])
        case FieldType.NUMBER:
            return str(printed_value(value))
        case FieldType.DURATION:
            return f"{printed_value(value)} min"
        case FieldType.LIST:
            return "; ".join(value.members or ()) or "(empty)"
        case FieldType.BOOL:
            return "yes" if value.boolean else "no"
        case _:
            return value.text or ""


def short_fields(changes: Iterable[FieldChange]) -> str:
    """Changed fields on one line: `price 89.00 EUR -> 79.00 EUR`; of lists only what came and went."""
    return "; ".join(f"{change.name} {_short_change(change)}" for change in changes)


def _short_change(change: FieldChange) -> str:
    gone, come = change.members_removed, change.members_added
    if gone or come:
        return "; ".join([*(f"removed {member}" for member in gone), *(f"added {member}" for member in come)])
    return f"{value_words(change.old)} → {value_words(change.new)}"


def sides(change: FieldChange) -> tuple[str, str]:
    """A changed field before and after; of lists only what came and went."""
    gone, come = change.members_removed, change.members_added
    if gone or come:
        return "; ".join(f"{member} (removed)" for member in gone), "; ".join(f"{member} (added)" for member in come)
    return value_words(change.old), value_words(change.new)


def show_judgement(printer: Printer, judgement: Judgement, *, indent: int = 0) -> None:
    """Fields, then changed blocks: those nothing explains first, the explained ones counted."""
    show_fields(printer, judgement.field_changes, indent=indent)
    show_blocks(printer, judgement.block_changes, indent=indent)


def show_fields(printer: Printer, changes: Sequence[FieldChange], *, indent: int = 0) -> None:
    """One line a field."""
    for change in changes:
        note = f"  ({said})" if (said := remark(change)) else ""
        printer.line((change.name, "bold"), "  ", _short_change(change), (note, "dim"), indent=indent)


def remark(change: FieldChange) -> str:
    """What is to be known of a field change beside its values; empty for most."""
    if change.disputed:
        rival = change.new.rival
        other = f"{rival.source} says {value_words(rival)}" if rival is not None else "the page gives both values"
        return f"disputed: {other}"
    return "" if change.decides else "accompanies, does not decide"


def show_blocks(printer: Printer, changes: Sequence[BlockChange], *, indent: int = 0, most: int | None = None) -> None:
    """Unexplained blocks with what changed marked inline, at most `most` of them; the explained ones counted."""
    unexplained = [change for change in changes if change.explained_by is None]
    for change in unexplained[:most]:
        for line in _block_lines(change):
            printer.line(line, indent=indent)
    if most is not None and len(unexplained) > most:
        printer.line((f"... and {len(unexplained) - most} more changed blocks", "dim"), indent=indent)
    counts = Counter(change.explained_by for change in changes if change.explained_by is not None)
    if counts:
        told = ", ".join(f"{count} {reason}" for reason, count in counts.most_common())
        printer.line((f"explained blocks: {told}", "dim"), indent=indent)


def _block_lines(change: BlockChange) -> list[Text]:
    """A changed block: one line with both versions, or a line for each."""
    old, new = clean(change.old or ""), clean(change.new or "")
    if change.old is not None and change.new is not None:
        inline = _inline(old, new)
        if inline is not None:
            return [Text.assemble("~ ", *inline)]
    lines = [] if change.old is None else [Text(f"- {old}", style="red")]
    return lines if change.new is None else [*lines, Text(f"+ {new}", style="green")]


def _inline(old: str, new: str) -> list[Text | str] | None:
    """Both versions in one: `[-30-]{+14+} days`; None if they are too long or have too little in common."""
    before, after = _PIECES.findall(old), _PIECES.findall(new)
    if max(len(before), len(after)) > LONGEST_INLINE:
        return None
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < _SAME_SHARE:
        return None
    parts: list[Text | str] = []
    for _, i1, i2, j1, j2 in _joined(matcher.get_opcodes(), before):
        gone, come = "".join(before[i1:i2]), "".join(after[j1:j2])
        if gone == come:
            parts.append(gone)
            continue
        if gone:
            parts.append(Text(f"[-{gone}-]", style="red strike"))
        if come:
            parts.append(Text(f"{{+{come}+}}", style="green"))
    return parts


Opcode = tuple[str, int, int, int, int]


def _joined(opcodes: Sequence[Opcode], before: Sequence[str]) -> list[Opcode]:
    """Changed runs that only white space parts, as one: easier to read than word by word."""
    joined: list[Opcode] = []
    for opcode in opcodes:
        tag, i1, i2, _, j2 = opcode
        blank = tag == "equal" and not "".join(before[i1:i2]).strip()
        if joined and joined[-1][0] != "equal" and (tag != "equal" or (blank and opcode is not opcodes[-1])):
            _, a1, _, b1, _ = joined[-1]
            joined[-1] = ("replace", a1, i2, b1, j2)
        else:
            joined.append(opcode)
    return joined
