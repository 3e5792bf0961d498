"""Parts of figures that matplotlib lacks. This module needs matplotlib; others import it when they draw."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import Formatter, LogLocator, MaxNLocator, NullFormatter, NullLocator
from matplotlib.transforms import Bbox, IdentityTransform

from farsight.plot._numbers import number


class ShownFigure(Figure):
    """A figure that notebooks show by themselves, although pyplot does not know it.

    IPython shows figures of pyplot only once pyplot was imported; ``_repr_png_`` needs no such thing. As the
    figure is not in pyplot's list, it is neither shown twice nor kept alive.
    """

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        out = io.BytesIO()
        self.savefig(out, format="png", dpi=192)
        width, height = self.get_size_inches()
        return out.getvalue(), {"width": round(width * 96), "height": round(height * 96)}


def spread(wanted: Any, gap: float, low: float, high: float) -> Any:
    """Positions nearest to the wanted ones that are at least `gap` apart, within [low, high] if they fit.

    Neighbours that are too close form a block around the mean of what they want (pooled from the lowest up).
    """
    order = np.argsort(wanted, kind="stable")
    blocks: list[list[float]] = []  # sum of wanted starts, number
    for index in order:
        blocks.append([float(wanted[index]), 1])
        while len(blocks) > 1 and _start(blocks[-2], gap, low, high) + gap * blocks[-2][1] > _start(
            blocks[-1], gap, low, high
        ):
            total, n = blocks.pop()
            blocks[-1][0] += total - gap * blocks[-1][1] * n
            blocks[-1][1] += n
    out = np.empty(len(order))
    at = 0
    for block in blocks:
        start = _start(block, gap, low, high)
        for k in range(int(block[1])):
            out[order[at]] = start + gap * k
            at += 1
    return out


def _start(block: list[float], gap: float, low: float, high: float) -> float:
    """Where the first of a block stands."""
    return max(low, min(high - gap * (block[1] - 1), block[0] / block[1]))


class EndLabels(Artist):
    """Names beside the ends of lines, moved apart so that none overlap, whatever the size of the figure."""

    def __init__(self, ax: Axes, points: Any, names: list[str], colors: list[str], size: float) -> None:
        super().__init__()
        self.points = np.asarray(points, dtype=float)
        self.size = size
        self.texts = [
            Text(0, 0, name, color=c, fontsize=size, va="center_baseline") for name, c in zip(names, colors)
        ]
        self.leaders = [Line2D([], [], color=c, linewidth=0.7, alpha=0.7) for c in colors]
        ax.add_artist(self)
        self.set_clip_on(False)
        self.set_zorder(5)

    def set_figure(self, fig: Any) -> None:
        """Makes the parts belong to the figure, too."""
        super().set_figure(fig)
        for part in (*self.texts, *self.leaders):
            part.set_figure(fig)
            part.set_transform(IdentityTransform())

    def _place(self, renderer: Any) -> None:
        axes = self.axes
        assert axes is not None
        point = renderer.points_to_pixels(1)
        box = axes.bbox
        at = axes.transData.transform(self.points)
        gap = self.size * 1.25 * point
        ys = spread(np.clip(at[:, 1], box.y0, box.y1), gap, box.y0 + gap / 2, box.y1 - gap / 2)
        for (x, y0), y, text, leader in zip(at, ys, self.texts, self.leaders):
            start, end = x + 4 * point, box.x1 + 9 * point
            text.set_position((end, y))
            near = abs(y - y0) < gap / 3 and end - start < 20 * point
            leader.set_data(
                [] if near else [start, end - 2 * point], [] if near else [np.clip(y0, box.y0, box.y1), y]
            )

    def draw(self, renderer: Any) -> None:
        """Places and draws all."""
        if not self.get_visible():
            return
        self._place(renderer)
        for part in (*self.leaders, *self.texts):
            part.draw(renderer)

    def get_window_extent(self, renderer: Any = None) -> Bbox:
        """The room that the names take."""
        figure: Any = self.get_figure(root=True)
        renderer = renderer or figure._get_renderer()
        self._place(renderer)
        return Bbox.union([text.get_window_extent(renderer) for text in self.texts])

    def get_tightbbox(self, renderer: Any = None) -> Bbox:
        """The same; layouts ask for it."""
        return self.get_window_extent(renderer)


class Numbers(Formatter):
    """Labels of ticks: thousands separated, all with as many decimals as the distance of ticks needs."""

    ticks: tuple[float, ...] = ()

    def set_locs(self, locs: Any) -> None:
        """Remembers where the ticks are."""
        self.ticks = tuple(float(x) for x in locs)

    def __call__(self, x: float, pos: int | None = None) -> str:
        """The label of the tick at x."""
        locs = np.unique(self.ticks or (x,))
        gap = float(np.diff(locs).min()) if locs.size > 1 else abs(x) or 1.0
        if abs(x) < gap * 1e-6:
            return "0"
        most = float(np.abs(locs).max())
        if most >= 1e7 or most < 1e-3:
            return number(x, 2 + max(0, math.floor(math.log10(most / gap))) + 1)
        decimals = max(0, -math.floor(math.log10(gap) + 1e-9))
        decimals += not math.isclose(gap * 10**decimals, round(gap * 10**decimals), rel_tol=1e-6)
        return ("−" if x < 0 else "") + f"{abs(x):,.{decimals}f}"


class LogNumbers(Formatter):
    """Labels of ticks of a log axis: 1, 2, 5, 10, ..., 1,000,000; larger powers of ten as 10^7."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """The label of the tick at x."""
        if x == 0:
            return "0"
        power = round(math.log10(abs(x)))
        if -4 < power < 7 or not math.isclose(abs(x), 10.0**power):
            return number(x)
        sign = "-" if x < 0 else ""
        return f"${sign}10^{{{power}}}$"


def set_scale(axis: Any, scale: str, data: Any, ticks: int = 5) -> None:
    """Sets the scale of an axis, with few readable ticks; linear where a log axis would be empty."""
    x = np.asarray(data, dtype=float)
    x = x[np.isfinite(x)]
    if scale == "linear" or (scale == "log" and not (x > 0).any()):
        axis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
        axis.set_major_formatter(Numbers())
        return
    name = axis.axis_name
    if scale == "symlog":
        size = np.abs(x[x != 0])
        least = float(size.min()) if size.size else 1.0
        getattr(axis.axes, f"set_{name}scale")("symlog", linthresh=10 ** math.floor(math.log10(least)))
    else:
        getattr(axis.axes, f"set_{name}scale")("log", nonpositive="mask")
    x = x[x > 0]
    decades = math.log10(float(x.max() / x.min())) if x.size else 0
    if scale == "log" and decades < 1.5:
        axis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
        axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(LogNumbers())
    axis.set_minor_formatter(NullFormatter())
