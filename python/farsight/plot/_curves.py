"""Learning curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from farsight.plot import _style as style
from farsight.plot._data import chosen, curve_of
from farsight.plot._numbers import Floats, Interval, counts, mean_interval, quartiles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Scale = Literal["linear", "log", "symlog"]


class _Curve(NamedTuple):
    agent: str
    steps: Floats
    values: Floats  # (steps, runs)
    centre: Interval


def curves(
    results: Any,
    series: str = "total",
    *,
    env: Any = None,
    agent: Any = None,
    per_step: bool = False,
    show: Literal["mean", "median"] = "mean",
    runs: bool = False,
    scale: Scale = "linear",
    xscale: Literal["auto", "linear", "log"] = "auto",
    labels: Literal["auto", "ends", "legend", "none"] = "auto",
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws learning curves: one panel per environment, one line per agent.

    Lines are means over the runs and bands their 95% intervals (Student), or with ``show="median"`` medians
    and quartiles. ``env`` and ``agent`` choose some of them, by label or index.

    :param series: what is drawn, "total" or a metric that has a curve
    :param per_step: draw the change per step between checkpoints instead of the sum so far
    :param runs: draw every run as a thin line, too
    :param scale: of the values: "linear", "log" or "symlog" (log, with zero and negative values)
    :param xscale: of the steps; "auto" is "log" where the checkpoints are spaced like that, unless all curves
        only rise or only fall, as sums do: their slopes would be hidden
    :param labels: "ends" names the lines at their ends, "legend" above the panels; "auto" takes what fits
    :param theme: "light" or "dark"; None follows the background that matplotlib is set to
    :param ax: draw into this panel of a figure of yours; ``env`` must then be one

    >>> import farsight as fs
    >>> r = fs.run(["riverswim"], ["delayed-q", "r-max"], steps=2000, runs=20, curve="log 20")
    >>> figure = fs.plot.curves(r, per_step=True)
    >>> len(figure.axes)
    1
    """
    style.need_matplotlib()
    _check(scale, xscale, show, labels)
    look = style.theme_of(theme)
    envs, agents = chosen(results.envs, env, "environment"), chosen(results.agents, agent, "agent")
    if ax is not None and len(envs) != 1:
        raise ValueError(f"ax has room for one environment, but there are {len(envs)}: choose one with env=")
    data = [_curves_of(results, name, agents, series, per_step, show) for name in envs]
    if not any(data):
        raise ValueError(
            f'these results have no curve of {series!r}: record one with fs.run(..., curve="log 50"), '
            "or draw fs.plot.intervals"
        )
    what = _what(series, per_step)
    if xscale == "auto" and per_step:  # rates do not add up
        xscale = "log" if any(_geometric(c.steps) for lines in data for c in lines) else "linear"
    marks = dict(zip(agents, style.marks(len(agents), look)))
    rows, columns = style.panels(len(envs))
    if ax is None:
        width, height = (6.6, 4.0) if len(envs) == 1 else (max(6.6, 3.2 * columns), 2.35 * rows + 0.8)
        figure: Any = style.new_figure(width, height, look)
        axes = [figure.add_subplot(rows, columns, i + 1) for i in range(len(envs))]
    else:
        figure, axes = ax.figure, [ax]
        width, height = ax.get_position().width * figure.get_figwidth() / 0.8, 0.0
    ends = labels == "ends" or (labels == "auto" and _ends_fit(axes, agents, data, width / columns, figure))
    for name, panel, lines in zip(envs, axes, data):
        _panel(panel, lines, marks, look, runs, scale, xscale)
        room = width / columns * 72 - 60
        panel.set_title(style.fit(name, room, style.TEXT), fontsize=style.TEXT, color=look.ink, loc="left")
        if ends and lines:
            _end_labels(panel, lines, marks, look)
    for i, panel in enumerate(axes):
        if i // columns == rows - 1 or i + columns >= len(envs):
            panel.set_xlabel("steps", fontsize=style.TEXT, color=look.ink)
        if i % columns == 0:
            panel.set_ylabel(what.lower(), fontsize=style.TEXT, color=look.ink)
    handles = None
    drawn = [name for name in agents if any(c.agent == name for lines in data for c in lines)]
    if not ends and labels != "none" and (len(drawn) > 1 or labels == "legend" or len(agents) == 1):
        handles = [(_handle(marks[name]), name) for name in drawn]
    if ax is None:
        subtitle = _subtitle(data, show, per_step, len(drawn) == 1 and not handles and drawn[0])
        style.header(figure, what if title is None else title, subtitle, look, handles)
    elif handles:
        style.panel_legend(ax, handles, look)
    return figure  # type: ignore[no-any-return]


def _what(series: str, per_step: bool) -> str:
    if per_step and series == "total":
        return "Reward per step"
    return style.series_title(series) + (" per step" if per_step else "")


def _check(scale: str, xscale: str, show: str, labels: str) -> None:
    for name, value, allowed in (
        ("scale", scale, ("linear", "log", "symlog")),
        ("xscale", xscale, ("auto", "linear", "log")),
        ("show", show, ("mean", "median")),
        ("labels", labels, ("auto", "ends", "legend", "none")),
    ):
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}")


def _curves_of(
    results: Any, env: str, agents: list[str], series: str, per_step: bool, show: str
) -> list[_Curve]:
    out = []
    for agent in agents:
        steps, values = curve_of(results, env, agent, series)
        if per_step and steps.size:
            before = np.concatenate([[0.0], steps[:-1]])
            with np.errstate(invalid="ignore"):
                values = np.diff(values, axis=0, prepend=0.0) / (steps - before)[:, None]
        if steps.size and not np.isnan(values).all():
            out.append(
                _Curve(agent, steps, values, quartiles(values) if show == "median" else mean_interval(values))
            )
    return out


def _panel(
    ax: Any,
    lines: list[_Curve],
    marks: dict[str, style.Mark],
    look: style.Theme,
    runs: bool,
    scale: str,
    xscale: str,
) -> None:
    from farsight.plot._artists import set_scale

    style.style_axes(ax, look)
    log = xscale == "log"
    if xscale == "auto":
        log = any(_geometric(c.steps) for c in lines) and not all(_adds_up(c) for c in lines)
    for z, curve in enumerate(lines):
        _line(ax, curve, marks[curve.agent], runs, log, 3 + z / 100)
    ax.margins(x=0.02)
    steps = np.concatenate([c.steps for c in lines]) if lines else np.array([1.0])
    set_scale(ax.xaxis, "log" if log else "linear", steps)
    set_scale(ax.yaxis, scale, np.concatenate([c.values.ravel() for c in lines]) if lines else [1.0])
    if not lines:
        ax.text(
            0.5, 0.5, "no curve", transform=ax.transAxes, ha="center", color=look.muted, fontsize=style.TEXT
        )
        return
    if scale != "log":
        _pad(ax, lines, runs)
    if all(c.steps.size == 1 for c in lines):
        ax.set_xticks(sorted({float(c.steps[0]) for c in lines}))
    infinite = [c.agent for c in lines if not np.isfinite(c.centre.mean).any()]
    if infinite:
        text = style.fit("not finite: " + ", ".join(infinite), 200, style.SMALL, 3)
        ax.text(0.02, 0.97, text, transform=ax.transAxes, va="top", fontsize=style.SMALL, color=look.muted)


def _line(ax: Any, curve: _Curve, mark: style.Mark, runs: bool, log: bool, z: float) -> None:
    x, (y, low, high) = curve.steps, curve.centre
    y = np.where(np.isfinite(y), y, np.nan)
    if runs:
        each = np.where(np.isfinite(curve.values), curve.values, np.nan)
        alpha = min(0.5, max(0.04, 4 / each.shape[1]))
        ax.plot(x, each, color=mark.color, linewidth=0.5, alpha=alpha, zorder=2, label="_run")
    if x.size == 1:
        bar = [y - low, high - y] if np.isfinite(low).all() else None
        ax.errorbar(
            x,
            y,
            yerr=bar,
            color=mark.color,
            marker=mark.marker,
            markersize=6,
            capsize=3,
            zorder=z,
            label=style.plain(curve.agent),
        )
        return
    ax.fill_between(x, low, high, color=mark.color, alpha=0.17, linewidth=0, zorder=2.5)
    ax.plot(
        x,
        y,
        color=mark.color,
        linestyle=mark.dashes,
        linewidth=1.7,
        marker=mark.marker,
        markersize=4.2,
        markevery=_marked(x, y, log, style.MARKERS.index(mark.marker) / 8),
        markeredgewidth=0,
        zorder=z,
        label=style.plain(curve.agent),
    )


def _marked(x: Floats, y: Floats, log: bool, offset: float) -> list[int]:
    """Which points have a marker: about six, evenly over the axis; each agent begins elsewhere."""
    usable = np.flatnonzero(np.isfinite(y) & ((x > 0) | (not log)))
    if usable.size == 0:
        return []
    at = np.log(x[usable]) if log else x[usable]
    wanted = at[0] + (np.arange(6) + offset) / 6 * (at[-1] - at[0])
    near = np.abs(at[None, :] - wanted[:, None]).argmin(axis=1)
    return [int(i) for i in np.unique(usable[near])]


def _geometric(steps: Floats) -> bool:
    """Whether checkpoints are spaced by factors rather than by differences."""
    x = steps[steps > 0]
    if x.size < 4 or x[-1] / x[0] < 30:
        return False
    return bool(x[x.size // 2] < (x[0] + x[-1]) / 4)


def _adds_up(curve: _Curve) -> bool:
    """Whether a curve only rises or only falls, as sums do: its slope is a rate, which a log axis hides."""
    mean = curve.centre.mean
    change = np.diff(mean[np.isfinite(mean)])
    return bool((change >= 0).all() or (change <= 0).all())


def _pad(ax: Any, lines: list[_Curve], runs: bool) -> None:
    """Room above and below; a constant does not fill the panel with rounding errors."""
    parts = [part for c in lines for part in (*c.centre, *([c.values.ravel()] if runs else []))]
    values = np.concatenate(parts)
    values = values[np.isfinite(values)]
    if values.size == 0:
        return
    low, high = float(values.min()), float(values.max())
    least = 0.02 * max(abs(low), abs(high)) or 1.0
    if high - low < least:
        low, high = (low + high - least) / 2, (low + high + least) / 2
    ax.set_ylim(low - 0.05 * (high - low), high + 0.06 * (high - low))


def _ends_fit(
    axes: list[Any], agents: list[str], data: list[list[_Curve]], width: float, figure: Any
) -> bool:
    """Whether there is room for names at the ends of lines: in width and height of every panel."""
    if len(axes) > 3 or not any(data):
        return False
    most = max(style.text_width(name, style.SMALL) for name in agents)
    height = axes[0].get_position().height * figure.get_figheight() * 72 * 0.75
    share = 0.36 if len(axes) == 1 else 0.26
    return bool(most <= share * width * 72 and len(agents) * style.SMALL * 1.25 <= height)


def _end_labels(ax: Any, lines: list[_Curve], marks: dict[str, style.Mark], look: style.Theme) -> None:
    from farsight.plot._artists import EndLabels

    ends = []
    for curve in lines:
        finite = np.flatnonzero(np.isfinite(curve.centre.mean))
        if finite.size and not (ax.get_yscale() == "log" and curve.centre.mean[finite[-1]] <= 0):
            ends.append((curve.agent, curve.steps[finite[-1]], curve.centre.mean[finite[-1]]))
    if ends:
        EndLabels(
            ax,
            [(x, y) for _, x, y in ends],
            [style.plain(name) for name, _, _ in ends],
            [marks[name].color for name, _, _ in ends],
            style.SMALL,
        )


def _handle(mark: style.Mark) -> Any:
    from matplotlib.lines import Line2D

    return Line2D(
        [],
        [],
        color=mark.color,
        linestyle=mark.dashes,
        marker=mark.marker,
        markersize=4.5,
        linewidth=1.7,
        markeredgewidth=0,
    )


def _subtitle(data: list[list[_Curve]], show: str, per_step: bool, only: str | bool) -> str:
    every = [c for lines in data for c in lines]
    runs, steps = (
        counts([c.values.shape[1] for c in every], "run"),
        counts([c.steps[-1] for c in every], "step"),
    )
    if max(c.values.shape[1] for c in every) == 1:
        text = f"one run, {steps}"
    else:
        band = "95% interval" if show == "mean" else "quartiles"
        text = f"{show} and {band} of {runs}, {steps}"
    return (f"{only}: " if only else "") + text + (", between checkpoints" if per_step else "")
