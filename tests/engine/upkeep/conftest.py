"""A store with some days of visits in it: changes, noise, failures, a pending alert."""

from datetime import UTC, datetime

import pytest

from pipeline.clock import SteppedClock
from pipeline.model import Outcome
from pipeline.upkeep.doctor import Store, examine
from pipeline.warehouse import Warehouse
from tests.engine.engine.conftest import START, FakeFetcher, World, html

__all__ = ["NOW"]

NOW = datetime(2040, 1, 1, tzinfo=UTC)
"""Later than any file that a test makes, by more than a day."""

PRICE = '<script type="application/ld+json">{{"@type": "Product", "name": "Anvil", "offers": {{"@type": "Offer", \
"price": "{price}", "priceCurrency": "EUR"}}}}</script>'


def fill(world):
    world.write("page", "terms", "anvil page_type: product")
    anvil = [html("Anvil", head=PRICE.format(price=price)) for price in ("89.00", "79.00")]
    world.watch(page=html("one"), terms=html("30 days"), anvil=anvil[0])
    world.step(page=html("one"), terms=html("14 days of grace"), anvil=anvil[1])
    world.step(page=html("two"), terms=html("14 days of grace"), anvil=(Outcome.FAILED, "http_500"))
    world.engine().warehouse.publish(world.clock.now(), force=True)
    return world


@pytest.fixture
def world(tmp_path):
    clock = SteppedClock(START)
    root = tmp_path / "project"
    root.mkdir()
    return fill(World(root=root, clock=clock, fetcher=FakeFetcher(clock)))


@pytest.fixture
def data(world):
    return world.root / "data"


@pytest.fixture
def warehouse(data):
    return Warehouse(data, wait_s=5, command="a test")


@pytest.fixture
def look(world, data):
    """What the doctor finds, by name; notes on permissions of a test's own folder left out."""

    def _look(**options):
        return examine(store_of(world, data, **options))

    return _look


def store_of(world, data, **options):
    return Store(data=data, **{"root": world.root, "environ": {}, "now": NOW, "wait_s": 5} | options)


def bytes_of(folder):
    """Every file's bytes by its path, but for the lock and the note of who has it."""
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith((".lock", ".next", ".holder.json"))
    }
