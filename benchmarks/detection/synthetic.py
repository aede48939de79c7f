"""Controlled noise on real pages: how often the ledger cries wolf, and which edits it sees.

Usage: python -m benchmarks.detection.synthetic FOLDER... [--fetches 5] [--pages 95] [--seed 0]

Every FOLDER holds saved pages (`**/*.html`); of those that lie beside each other as `<page>/<n>.html` one is taken.
Each page of 20 blocks and 150 to 15,000 words gets noise of its own (`noise`), FETCHES calibration fetches, and then 16
fetches in which nothing happened. Each is judged against the fetch before, confirmed by one more, and then learned;
beside each are three fetches with an edit. Printed: the share of fetches without an edit that would alert, and of edits
found.
"""

import argparse
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.detection.noise import EDITS, HEADLINE_WORDS, Edit, Fetch, NoisyPage, Text
from pipeline.engine.offline import read
from pipeline.fingerprint import simhash64
from pipeline.ledger import Ledger, calibrate, explain, learn, pack, stable_share, stands
from pipeline.model import Block, Region, Rules
from pipeline.normalize import normalize
from pipeline.packing import PackedBlock, count_words, distance, pack_blocks, unpack_blocks

TRIALS = 16
SIMHASH_BITS = 3
METHODS = ("ledger", "ledger, confirmed", "simhash > 3", "any visible change")


@dataclass(slots=True)
class Tally:
    """What was counted: alerts and edits found by method, microseconds, bytes."""

    alerts: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    found: dict[tuple[str, Edit], list[bool]] = field(default_factory=lambda: defaultdict(list))
    seconds: list[tuple[int, float]] = field(default_factory=list)
    ledger_bytes: list[int] = field(default_factory=list)
    page_bytes: list[int] = field(default_factory=list)
    stable: list[float] = field(default_factory=list)
    masked: int = 0


@dataclass(frozen=True, slots=True)
class _Judged:
    """What an edited fetch is compared with."""

    ledger: Ledger
    old: list[PackedBlock]
    simhash: int


class Reader:
    """Texts as packed blocks and normal text, through normalize; each distinct block is read once."""

    def __init__(self) -> None:
        self._known: dict[Text, tuple[str, PackedBlock] | None] = {}

    def blocks(self, texts: Iterable[Text]) -> list[PackedBlock]:
        """What the ledger sees."""
        return [found[1] for text in texts if (found := self._one(text))]

    def text(self, texts: Iterable[Text]) -> str:
        """What the simhash sees."""
        return "\n".join(found[0] for text in texts if (found := self._one(text)))

    def _one(self, text: Text) -> tuple[str, PackedBlock] | None:
        if text not in self._known:
            path, words = text
            normal = normalize([Block(text=words, region=Region.MAIN, path=path)], language="en")
            self._known[text] = (normal[0].normal, unpack_blocks(pack_blocks(normal))[0]) if normal else None
        return self._known[text]


def measure_page(page: NoisyPage, fetches: int, tally: Tally) -> None:
    """Calibrate one page, then judge its fetches and edits."""
    reader = Reader()
    calibration = [page.fetch() for _ in range(fetches)]
    ledger = calibrate([reader.blocks(fetch.texts) for fetch in calibration])
    reference = calibration[-1]
    for trial in range(TRIALS):
        fetch = page.fetch()
        again = page.fetch()
        old, new = reader.blocks(reference.texts), reader.blocks(fetch.texts)
        started = time.process_time()
        explained = explain(ledger, old, new)
        tally.seconds.append((len(new), time.process_time() - started))
        alert = bool(explained.unexplained)
        confirmed = alert and stands(explained, old, reader.blocks(again.texts))
        simhash = simhash64(reader.text(reference.texts))
        bits = distance(simhash, simhash64(reader.text(fetch.texts)))
        for method, alerts in zip(
            METHODS, (alert, confirmed, bits > SIMHASH_BITS, bool(explained.diff.changes)), strict=True
        ):
            tally.alerts[method].append(alerts)
        for edit in EDITS[:3] if trial % 2 else EDITS[3:]:
            _measure_edit(edit, page.edited(edit), reader, _Judged(ledger, old, simhash), tally)
        ledger, reference = learn(ledger, explained.diff), fetch
    blocks = reader.blocks(reference.texts)
    size = len(pack(ledger))
    tally.ledger_bytes.append(size)
    tally.page_bytes.append(size + 9 * len(blocks))
    tally.stable.append(stable_share(ledger, blocks).share)


def _measure_edit(edit: Edit, fetch: Fetch | None, reader: Reader, judged: _Judged, tally: Tally) -> None:
    """Whether the ledger leaves a block of the edit unexplained; noise beside the edit finds nothing.

    An edit that normalize masks, such as another year in a copyright line, is noise by intent and not counted.
    """
    if fetch is None:
        return
    explained = explain(judged.ledger, judged.old, reader.blocks(fetch.texts))
    edited = {block.text for block in reader.blocks(fetch.edited)}
    if len(edited) == 1:
        tally.masked += 1
        return
    seen = any(change.block.text in edited for change in explained.unexplained)
    shown = any(change.block.text in edited for change in explained.diff.changes)
    bits = distance(judged.simhash, simhash64(reader.text(fetch.texts)))
    for method, found in zip(METHODS, (seen, seen, bits > SIMHASH_BITS, shown), strict=True):
        tally.found[method, edit].append(found)


def load_pages(folders: Iterable[Path]) -> list[list[Text]]:
    """The blocks of each saved page, as extract reads them; of the versions of one page the first by name."""
    first: dict[Path, Path] = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*.html")):
        first.setdefault(path.parent if path.stem.isdecimal() else path, path)
    pages = []
    for path in first.values():
        reading, _ = read(path.read_bytes(), url=None, content_type=None, rules=Rules(), visit_no=1)
        texts = [(block.path, block.text) for block in reading.blocks]
        if len(texts) >= 20 and 150 <= sum(count_words(text) for _, text in texts) <= 15_000:
            pages.append(texts)
    return pages


def noisy_pages(pages: Sequence[Sequence[Text]], seed: int) -> Iterable[NoisyPage]:
    """Each page with noise of its own, made of the texts of all."""
    texts = [text for page in pages for _, text in page]
    headlines = list(dict.fromkeys(text for text in texts if count_words(text) in HEADLINE_WORDS))
    words = [word for text in texts[:20_000] for word in text.split()]
    for number, page in enumerate(pages):
        yield NoisyPage(page, headlines, words, seed * 1_000_003 + number)


def measure(pages: Sequence[Sequence[Text]], *, fetches: int, seed: int) -> Tally:
    """All pages."""
    tally = Tally()
    for page in noisy_pages(pages, seed):
        measure_page(page, fetches, tally)
    return tally


def report(tally: Tally) -> Iterable[str]:
    """The figures, a line each."""
    yield f"{'':20} alerts  " + "  ".join(f"{edit!s:>6}" for edit in EDITS)
    for method in METHODS:
        rate = statistics.fmean(tally.alerts[method])
        found = (statistics.fmean(tally.found[method, edit]) for edit in EDITS)
        yield f"{method:20} {rate:6.2%}  " + "  ".join(f"{share:6.1%}" for share in found)
    for name, sizes in (("ledger", tally.ledger_bytes), ("ledger and blocks", tally.page_bytes)):
        yield f"{name}: {statistics.median(sizes):.0f} bytes (median), {max(sizes)} at most"
    micro = [1e6 * seconds for _, seconds in tally.seconds]
    per_block = sum(micro) / sum(count for count, _ in tally.seconds)
    yield f"diff and score: {statistics.median(micro):.0f} us CPU (median), {300 * per_block:.0f} us for 300 blocks"
    yield f"edits that normalize masks, not counted: {tally.masked}"
    yield f"words in stable blocks: {statistics.median(tally.stable):.1%} (median)"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="False alerts and edits found under controlled noise.")
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--fetches", type=int, default=5, help="calibration fetches (default: %(default)s)")
    parser.add_argument("--pages", type=int, default=95, help="pages, drawn by the seed (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    pages = load_pages(options.folders)
    drawn = random.Random(options.seed).sample(pages, min(options.pages, len(pages)))  # noqa: S311
    print(f"{len(drawn)} of {len(pages)} pages, {options.fetches} calibration fetches, {TRIALS} trials each")
    for line in report(measure(drawn, fetches=options.fetches, seed=options.seed)):
        print(line)


if __name__ == "__main__":
    main()
