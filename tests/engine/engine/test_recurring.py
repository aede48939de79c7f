"""What a visit takes over of its page's reference instead of working it out again."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pipeline.engine import reading
from pipeline.model import Block, NormalBlock
from tests.engine.engine.conftest import World, html

TERMS = "<p>Cancel within {} days of purchase.</p><p>Goods are sent back at the cost of the buyer.</p>"


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The texts that each call of normalize is told of."""
    told: list[list[str]] = []
    real: Callable[..., tuple[NormalBlock, ...]] = reading.normalize_blocks

    def normalize(blocks: Sequence[Block], *, earlier: Sequence[NormalBlock], **how: Any) -> tuple[NormalBlock, ...]:
        told.append([block.text for block in earlier])
        return real(blocks, earlier=earlier, **how)

    monkeypatch.setattr(reading, "normalize_blocks", normalize)
    return told


def test_a_changed_page_is_normalised_beside_its_reference(world: World, known: list[list[str]]) -> None:
    world.watch(page=html(TERMS.format(30)))
    world.step(page=html(TERMS.format(14)))
    assert known[0] == []
    assert {"Cancel within 30 days of purchase.", "Goods are sent back at the cost of the buyer."} <= set(known[1])
    assert world.kinds() == [None, "content"]


def test_nothing_is_taken_over_from_another_language_or_other_rules(world: World, known: list[list[str]]) -> None:
    world.watch(page=html(TERMS.format(30)))
    world.step(page=html(TERMS.format(30), lang="pt"))
    world.write("page mask: ['never seen']")
    world.step(page=html(TERMS.format(14), lang="pt"))
    assert known[1] == known[-1] == []


def test_a_reference_whose_text_is_gone_stops_nothing(world: World, known: list[list[str]]) -> None:
    world.watch(page=html(TERMS.format(30)))
    for blob in (world.root / "data" / "blobs").rglob("*.zst"):
        blob.unlink()
    world.step(page=html(TERMS.format(14)))
    assert known == [[], []]
    assert world.results()[1][0] == "ok"
