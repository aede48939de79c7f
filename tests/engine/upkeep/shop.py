"""A shop's pages over months, and what lies in its blob store."""

import os
from pathlib import Path

from pipeline.blobs import BlobStore
from pipeline.clock import SteppedClock
from tests.engine.engine.conftest import START, FakeFetcher, World, html

NAMES = ("Anna", "Bruno", "Clara", "David", "Elena", "Felix", "Greta")


def make_world(root: Path, *pages: str) -> World:
    root.mkdir(exist_ok=True)
    clock = SteppedClock(START)
    world = World(root=root, clock=clock, fetcher=FakeFetcher(clock))
    world.write(*(pages or ("page",)))
    return world


def noisy(number: int) -> bytes:
    """A page whose footer alone differs, in its words."""
    footer = f"<footer><p>Our partner of the week is {NAMES[number % 7]} of {NAMES[number // 7 % 7]}</p></footer>"
    return html("<p>Cancel within 30 days.</p>").replace(b"</main>", f"</main>{footer}".encode())


def text(days: int) -> bytes:
    return html(f"<p>Cancel within {days} days of purchase.</p>")


def is_there(world: World, name: str) -> bool:
    return (world.root / "data" / "blobs" / name[:2] / f"{name[2:]}.zst").exists()


def files(world: World) -> set[str]:
    return {path.parent.name + path.stem for path in (world.root / "data" / "blobs").glob("??/*.zst")}


def age_files(world: World, hours: float) -> None:
    for path in (world.root / "data" / "blobs").glob("??/*"):
        before = path.stat().st_mtime - hours * 3600
        os.utime(path, (before, before))


def check_states(world: World) -> None:
    blobs = BlobStore(world.root / "data")
    for row in world.sql("SELECT body_sha256, text_sha256, baseline_text_sha256 FROM page_state"):
        for name in row.values():
            assert name is None or blobs.get(name)
    for row in world.sql("SELECT text_sha256 FROM fingerprints WHERE text_sha256 IS NOT NULL"):
        assert blobs.get(row["text_sha256"])
