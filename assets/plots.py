"""Pictures for the Dagster UI. What they show is computed in `pipeline`."""

import base64
import io
import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING

import dagster as dg

from pipeline.calibrate import Calibration

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["noise_floor", "noise_floor_png"]

_INCHES = (7.6, 4.1)
_DOTS_PER_INCH = 100
_SEEN, _FITTED, _LIMIT, _DRIFT = "#9db8d9", "#1f4e8c", "#c0392b", "#8a6d3b"
_LEAST_PERCENT = 0.01
_TITLE_LENGTH = 80
_NARROWEST = 4
"""Bits that the axis shows at least."""
_BOUNDS = {
    "nothing": "no bound yet",
    "max_of_n": "at most {rate} false alerts (largest of n)",
    "clopper_pearson": "at most {rate} false alerts (95 % bound: {events:,} of {trials:,} later visits)",
}


def noise_floor(calibration: Calibration, *, page: str | None = None) -> dg.MarkdownMetadataValue:
    """The noise floor as metadata that the UI shows as a picture, on white in its light and dark theme.

    Args:
        calibration: What to draw.
        page: Name of the page; None for the row of a site and type.
    """
    data = base64.b64encode(noise_floor_png(calibration, page=page)).decode("ascii")
    return dg.MetadataValue.md(f"![{_title(calibration, page)}](data:image/png;base64,{data})")


def noise_floor_png(calibration: Calibration, *, page: str | None = None) -> bytes:
    """The distances seen, the curve fitted to them, and the thresholds, as a PNG on white of 760 x 410 pixels, 10 KB.

    The share of distances is on a logarithmic scale from 0.01 %, because what decides are the rare ones.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415  half a second that only this needs

    figure = Figure(figsize=_INCHES, dpi=_DOTS_PER_INCH, facecolor="white", layout="constrained")
    axes = figure.add_subplot(facecolor="white")
    _draw(axes, calibration)
    _dress(axes, calibration)
    title = textwrap.shorten(_title(calibration, page), _TITLE_LENGTH, placeholder="…")
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold", pad=34)
    axes.text(0, 1.03, _subtitle(calibration), transform=axes.transAxes, fontsize=9, color="#444444", va="bottom")
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    return _smaller(picture)


def _draw(axes: "Axes", calibration: Calibration) -> None:
    """Bars, curve, threshold lines with their names."""
    counts, survival = calibration.evidence.counts, calibration.evidence.survival
    total = sum(counts)
    if total:
        shares = [100 * count / total for count in counts]
        axes.bar(range(len(shares)), shares, width=0.8, color=_SEEN, label="distances seen")
    fitted = [100 * (before - after) for before, after in pairwise((1.0, *survival))]
    axes.plot(range(len(fitted)), fitted, color=_FITTED, marker="o", markersize=3, linewidth=1.5, label="fitted curve")
    for bits, color, style, name in (
        (calibration.noise_bits, _LIMIT, "-", "noise_bits"),
        (calibration.drift_bits, _DRIFT, "--", "drift_bits"),
    ):
        axes.axvline(bits + 0.5, color=color, linestyle=style, linewidth=1.6)
        axes.annotate(f"{name} = {bits}", (bits + 0.5, 60), (5, 0), textcoords="offset points", color=color, fontsize=9)


def _dress(axes: "Axes", calibration: Calibration) -> None:
    """Scales, units, grid, legend."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  likewise

    farthest = max(calibration.drift_bits, calibration.max_seen_bits or 0, _NARROWEST)
    axes.set_xlim(-0.6, 1.25 * farthest + 1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_yscale("log")
    axes.set_ylim(_LEAST_PERCENT, 150)
    axes.set_yticks([0.01, 0.1, 1, 10, 100], ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"])
    axes.minorticks_off()
    axes.set_xlabel("distance to the fetch before (bits of 64)", loc="left")
    axes.set_ylabel("share of fetches")
    axes.grid(axis="y", color="#e3e3e3", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=9, ncols=2, loc="upper right", bbox_to_anchor=(1, -0.07))


def _smaller(picture: io.BytesIO) -> bytes:
    """The same with 48 colours, a quarter of the bytes: the picture is kept with the run's events."""
    from PIL import Image  # noqa: PLC0415  likewise

    smaller = io.BytesIO()
    with Image.open(picture) as image:
        image.convert("RGB").quantize(48).save(smaller, format="png", optimize=True)
    return smaller.getvalue()


def _title(calibration: Calibration, page: str | None) -> str:
    return f"Noise floor of {calibration.site} / {page or f'every {calibration.page_type} page'}"


def _subtitle(calibration: Calibration) -> str:
    """What it is of, and below it the rate asked for and the one promised."""
    evidence = calibration.evidence
    bound = evidence.bound
    asked = f"asked for {_percent(calibration.alpha)}"
    if evidence.alpha_used < calibration.alpha:
        asked += f", lowered to {_percent(evidence.alpha_used)}"
    promised = _BOUNDS[bound.by].format(rate=_percent(bound.rate), events=bound.events, trials=bound.trials)
    length = f" · for a page of {evidence.words:,} words" if evidence.words else ""
    return f"type {calibration.page_type} · n = {sum(evidence.counts):,} distances{length}\n{asked} · {promised}"


def _percent(rate: float) -> str:
    return f"{100 * rate:.2g} %"
