import re
import time

import pytest

from pipeline.cldr import cldr_words
from pipeline.model import Block, Region
from pipeline.normalize import normalize
from pipeline.normalize.masks import MAX_CHARACTERS
from pipeline.normalize.patterns import compiled


def cpu(call):
    """The least CPU time of three calls."""
    times = []
    for _ in range(3):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    return min(times)


def test_all_relative_times_at_once_are_twenty_times_as_fast_as_one_by_one():
    text = "The customer shall notify the seller of any defect within thirty days, as agreed in the order. " * 20
    forms = [re.compile(re.escape(form).replace(re.escape("{n}"), r"\d+"), re.IGNORECASE) for form in cldr_words().past]
    past = compiled("en").past
    past.search(text)
    one_by_one = cpu(lambda: [form.search(text) for form in forms])
    assert one_by_one > 20 * cpu(lambda: past.search(text))


@pytest.mark.parametrize("piece", ["1.", "há ", "((((", "3 ", "a", "ago ", "12:", "x=1&", "前", "[at]", "١"])
@pytest.mark.parametrize("blocks", [1, 400])
def test_twice_as_much_takes_about_twice_as_long(piece, blocks):
    def page(size):
        text = piece * (size // blocks // len(piece))
        return [Block(text=text[: MAX_CHARACTERS if blocks > 1 else None], region=Region.FOOTER, path="p")] * blocks

    def time_of(times):
        pages = page(40_000 * times) if blocks == 1 else page(40_000) * times
        return cpu(lambda: normalize(pages, language="en"))

    time_of(1)
    assert time_of(4) < 4 * 4 * time_of(1) + 0.05
