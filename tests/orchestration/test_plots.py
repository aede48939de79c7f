"""The picture of a noise floor: what it says, and that any calibration can be drawn."""

import base64
import io
import subprocess
import sys

import dagster as dg
import pytest
from PIL import Image

from assets.plots import _subtitle, noise_floor, noise_floor_png
from pipeline.calibrate import Calibration, PageNoise, fit


def calibrations(*distances: int, later: tuple[int, ...] = ()) -> tuple[Calibration, ...]:
    noise = PageNoise(page_id=1, site="shop", page_type="product", words=2000, distances=distances, later=later)
    return fit([noise])


def pixels(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert("RGB")


@pytest.mark.parametrize("distances", [(), (0,), (0, 0, 0, 0), (64, 64), tuple(range(20)) * 50])
def test_any_calibration_can_be_drawn_and_takes_little_room(distances: tuple[int, ...]) -> None:
    for calibration in calibrations(*distances):
        picture = noise_floor_png(calibration, page="a very long name of a page " * 9)
        assert pixels(picture).size == (760, 410)
        assert len(picture) < 20_000


def test_it_is_drawn_on_white_so_that_a_dark_page_does_not_swallow_its_text() -> None:
    image = pixels(noise_floor_png(calibrations(0, 1)[0]))
    width, height = image.size
    assert {image.getpixel(at) for at in ((0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1))} == {
        (255,) * 3
    }


def test_a_page_seen_to_be_noisy_is_not_the_same_picture() -> None:
    assert noise_floor_png(calibrations(0, 0, 0)[1]) != noise_floor_png(calibrations(7, 6, 8)[1])


def test_dagster_gets_it_as_markdown_that_needs_no_server() -> None:
    group, page = calibrations(0, 1, 0)
    shown = noise_floor(page, page="anvil")
    assert isinstance(shown, dg.MarkdownMetadataValue)
    text, data = str(shown.value).removesuffix(")").split("](data:image/png;base64,")
    assert text == "![Noise floor of shop / anvil"
    assert pixels(base64.b64decode(data)).size == (760, 410)
    assert "![Noise floor of shop / every product page]" in str(noise_floor(group).value)


def test_it_says_how_much_is_behind_it_and_what_is_promised() -> None:
    assert _subtitle(calibrations(0, 1, 0)[1]).splitlines() == [
        "type product · n = 3 distances",
        "asked for 0.5 % · at most 25 % false alerts (largest of n)",
    ]
    assert _subtitle(calibrations()[1]).splitlines() == [
        "type product · n = 0 distances · for a page of 2,000 words",
        "asked for 0.5 % · no bound yet",
    ]


def test_it_says_that_later_visits_lowered_the_rate() -> None:
    calibration = calibrations(0, 1, 0, later=(0,) * 80 + (20,) * 20)[1]
    lowered = calibration.evidence.alpha_used
    assert f"asked for 0.5 %, lowered to {100 * lowered:.2g} %" in _subtitle(calibration)
    assert "later visits" in _subtitle(calibrations(0, 0, later=(0,) * 1000)[1])


def test_what_draws_is_loaded_only_when_something_is_drawn() -> None:
    code = "import sys, assets.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
