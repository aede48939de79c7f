import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import BlobError
from pipeline.ledger import MAX_LEDGER_BYTES, Ledger, calibrate, explain, learn, missed, pack, unpack
from tests.engine.ledger.blocks import TERMS, page

TEXTS = st.lists(
    st.tuples(
        st.sampled_from([*TERMS, "Read more", "Viewed by 1", "Viewed by 2", "Buy shoes", "Buy hats"]),
        st.sampled_from(["body/p", "body/ul/li"]),
    ),
    max_size=12,
)
PAGES = TEXTS.map(lambda texts: page(*texts))


@st.composite
def ledgers(draw):
    """A ledger as a page would come by it."""
    ledger = calibrate(draw(st.lists(PAGES, max_size=4)))
    for old, new, verdict in draw(
        st.lists(st.tuples(PAGES, PAGES, st.sampled_from(["", "noise", "missed"])), max_size=4)
    ):
        diff = explain(ledger, old, new).diff
        ledger = missed(ledger, diff) if verdict == "missed" else learn(ledger, diff, verdict=verdict == "noise")
    return ledger


@given(ledgers())
def test_a_ledger_comes_back_from_its_bytes(ledger):
    assert unpack(pack(ledger)) == ledger


@given(ledgers())
def test_equal_ledgers_have_equal_bytes(ledger):
    turned = Ledger(
        trials=ledger.trials,
        slots=dict(reversed(ledger.slots.items())),
        seen=ledger.seen,
        paths=dict(reversed(ledger.paths.items())),
        pinned_slots=ledger.pinned_slots,
        pinned_texts=ledger.pinned_texts,
    )
    assert pack(turned) == pack(ledger)


def test_an_empty_ledger_is_its_header():
    assert pack(Ledger()) == b"\x01" + bytes(14)


def test_the_bytes_of_version_1_stay_readable():
    ledger = calibrate([page("Price 1 usd", "Buy"), page("Price 2 usd", "Buy"), page("Price 2 usd", "Buy", "Now")])
    assert (
        pack(ledger).hex()
        == "010300000003000100010000000000003b6e692a0100fd0103015ff7692a0000fd0101020000692a0000fd0101be0465f2692afd010000e508000001"
    )


def test_no_ledger_is_longer_than_it_may_be():
    ledger = Ledger()
    for n in range(300):
        texts = [(f"{n} {place}", f"body/{n}/{place}") for place in "abcdef"]
        diff = explain(ledger, page(*TERMS), page(*TERMS[:2], *texts, *TERMS[2:])).diff
        ledger = missed(learn(ledger, diff), diff.only(removed=[], added=[2]))
    assert MAX_LEDGER_BYTES - 50 < len(pack(ledger)) <= MAX_LEDGER_BYTES < 6200


@pytest.mark.parametrize(
    "damaged",
    [b"", b"\x02" + bytes(14), bytes(14), b"\x01" + bytes(13), b"\x01" + bytes(15), b"\x01" + bytes(4) + b"\1" * 10],
)
def test_other_bytes_are_refused(damaged):
    with pytest.raises(BlobError, match="packed ledger"):
        unpack(damaged)


PROGRAM = """
from pipeline.ledger import calibrate, explain, learn, pack
from tests.engine.ledger.blocks import TERMS, page
fetches = [page(*TERMS[:3], *(f"Item {k} {n}" for n in "abcdefgh"[k:]), *TERMS[3:], f"Views {k}") for k in range(5)]
ledger = calibrate(fetches)
print(pack(learn(ledger, explain(ledger, fetches[0], fetches[3]).diff)).hex())
"""


def test_the_bytes_are_the_same_in_every_process():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | {"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
