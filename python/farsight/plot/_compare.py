"""Figures that compare agents: runs and intervals, paired differences, who beats whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from farsight.plot import _style as style
from farsight.plot._data import adapt, chosen, lower_is_better, pairs_of, runs_of
from farsight.plot._numbers import Floats, Interval, counts, holm, mean_interval, sign_test, student

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_DOTS = 400  # of a cell; more would be a smear, so evenly spaced order statistics stand for them


# ---- rows of agents ----


class _Rows:
    """Panels side by side, one per environment, in which every agent has a row."""

    def __init__(
        self, envs: list[str], agents: list[str], look: style.Theme, ax: Axes | None, row: float = 0.36
    ):
        if ax is not None and len(envs) != 1:
            raise ValueError(
                f"ax has room for one environment, but there are {len(envs)}: choose one with env="
            )
        self.envs, self.agents, self.look, self.own = envs, agents, look, ax is None
        rows, self.columns = style.panels(len(envs))
        self.names = [style.fit(name, 150, style.SMALL) for name in agents]
        label = (
            max(style.text_width(line, style.SMALL) for name in self.names for line in name.split("\n")) / 72
        )
        panel = 4.6 if len(envs) == 1 else 2.7
        if ax is None:
            width = max(5.0, label + panel * self.columns + 0.4)
            self.figure: Any = style.new_figure(width, rows * (row * len(agents) + 0.8) + 0.75, look)
            self.axes: list[Any] = [
                self.figure.add_subplot(rows, self.columns, i + 1) for i in range(len(envs))
            ]
        else:
            self.figure, self.axes = ax.figure, [ax]
        for i, (env, panel_axes) in enumerate(zip(envs, self.axes)):
            self._panel(panel_axes, env, i % self.columns == 0, panel * 72 - 20)

    def _panel(self, ax: Any, env: str, first: bool, room: float) -> None:
        style.style_axes(ax, self.look, "x")
        ax.set_title(style.fit(env, room, style.TEXT), fontsize=style.TEXT, color=self.look.ink, loc="left")
        ax.set_ylim(len(self.agents) - 0.4, -0.6)
        ax.set_yticks(range(len(self.agents)), self.names if first else [""] * len(self.agents))
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)

    def finish(self, what: str, title: str | None, subtitle: str, ticks: int = 4) -> Figure:
        """Labels of the axes, and the header."""
        from farsight.plot._artists import set_scale

        for i, ax in enumerate(self.axes):
            if ax.get_xscale() == "linear":
                set_scale(ax.xaxis, "linear", [], 5 if len(self.axes) == 1 else ticks)
            if i + self.columns >= len(self.envs):
                ax.set_xlabel(what, fontsize=style.TEXT, color=self.look.ink)
        if self.own:
            style.header(self.figure, title or "", subtitle, self.look)
        return self.figure  # type: ignore[no-any-return]


def _point(ax: Any, y: float, mark: style.Mark, value: float, low: float, high: float, **how: Any) -> None:
    """A mark with its interval."""
    if np.isfinite(low) and np.isfinite(high):
        ax.plot(
            [low, high],
            [y, y],
            color=mark.color,
            linewidth=how.pop("linewidth", 2.6),
            solid_capstyle="butt",
            zorder=4,
        )
    if np.isfinite(value):
        ax.plot(
            [value],
            [y],
            color=mark.color,
            marker=mark.marker,
            markersize=6.5,
            linestyle="none",
            zorder=5,
            **how,
        )


def _box(ax: Any, y: float, color: str, mean: Interval, look: style.Theme) -> None:
    """A bar over the interval and a line at the value: readable however narrow the interval is."""
    value, low, high = (float(part[0]) for part in mean)
    if np.isfinite(low) and np.isfinite(high):
        ax.fill_between([low, high], y - 0.3, y + 0.3, color=color, alpha=0.4, linewidth=0, zorder=4)
    edge = look.edge
    for width, shade in ((3.6, edge), (2.2, color)):
        ax.plot(
            [value, value], [y - 0.3, y + 0.3], color=shade, linewidth=width, solid_capstyle="butt", zorder=5
        )


def intervals(
    results: Any,
    series: str = "total",
    *,
    env: Any = None,
    agent: Any = None,
    dots: bool = True,
    scale: str = "linear",
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws the mean of every cell with its 95% interval (Student), and the runs as dots.

    One panel per environment, one row per agent. Runs that are infinite (a goal that was never reached, say)
    have no place on the axis: their number stands at the end of the row, and there is then no mean.

    >>> import farsight as fs
    >>> r = fs.run(["riverswim"], ["delayed-q", "r-max"], steps=2000, runs=20)
    >>> figure = fs.plot.intervals(r)
    """
    style.need_matplotlib()
    if scale not in ("linear", "log", "symlog"):
        raise ValueError(f"scale must be 'linear', 'log' or 'symlog', not {scale!r}")
    results, series = adapt(results, series)
    look = style.theme_of(theme)
    envs, agents = chosen(results.envs, env, "environment"), chosen(results.agents, agent, "agent")
    data = [[runs_of(results, e, a, series) for a in agents] for e in envs]
    rows = _Rows(envs, agents, look, ax)
    marks = style.marks(len(agents), look)
    for panel, cells in zip(rows.axes, data):
        for y, (mark, x) in enumerate(zip(marks, cells)):
            _runs(panel, y, mark, x[~np.isnan(x)], look, dots)
        if scale != "linear":
            from farsight.plot._artists import set_scale

            set_scale(panel.xaxis, scale, np.concatenate(cells))
    sizes = [x.size for cells in data for x in cells if x.size]
    if not sizes:
        raise ValueError(f"these results have no runs with {series!r}")
    subtitle = "one run each" if max(sizes) == 1 else f"mean and 95% interval of {counts(sizes, 'run')}"
    what = style.series_title(series)
    return rows.finish(
        what.lower(),
        what if title is None else title,
        subtitle + (", dots are runs" if dots and max(sizes) > 1 else ""),
    )


def _runs(ax: Any, y: float, mark: style.Mark, x: Floats, look: style.Theme, dots: bool) -> None:
    finite = np.sort(x[np.isfinite(x)])
    if dots and finite.size:
        if finite.size > MOST_DOTS:
            finite = finite[np.linspace(0, finite.size - 1, MOST_DOTS).round().astype(int)]
        jitter = (np.arange(finite.size) * 0.6180339887 % 1 - 0.5) * min(0.56, 0.08 * finite.size)
        alpha = float(np.clip(12 / finite.size, 0.12, 0.6))
        ax.plot(
            finite,
            y + jitter,
            color=mark.color,
            marker="o",
            markersize=3,
            linestyle="none",
            alpha=alpha,
            markeredgewidth=0,
            zorder=3,
        )
    if finite.size == x.size and x.size:
        _box(ax, y, mark.color, mean_interval(x), look)
        return
    note = f"∞ in {x.size - finite.size:,} of {x.size:,}" if x.size else "no runs"
    ax.text(
        0.995,
        y - 0.32,
        note,
        transform=ax.get_yaxis_transform(),
        ha="right",
        va="center",
        fontsize=7,
        color=look.muted,
        zorder=6,
    )


# ---- differences ----


def differences(
    results: Any,
    baseline: str | int = 0,
    series: str = "total",
    *,
    env: Any = None,
    agent: Any = None,
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws the differences of agents from a baseline, in pairs of runs with the same random numbers.

    The thick line is the 95% interval of the mean difference; the thin one holds for all rows of the figure
    at once (Bonferroni). A mark is filled where the thin interval does not contain 0. Imported runs are no
    pairs: they are compared as independent samples (Welch).

    >>> import farsight as fs
    >>> r = fs.run(["riverswim"], ["delayed-q", "r-max", "psrl"], steps=2000, runs=20)
    >>> figure = fs.plot.differences(r, baseline="delayed-q")
    """
    style.need_matplotlib()
    results, series = adapt(results, series)
    look = style.theme_of(theme)
    base = chosen(results.agents, baseline, "agent")[0]
    every = chosen(results.agents, agent, "agent")
    envs, others = chosen(results.envs, env, "environment"), [name for name in every if name != base]
    if not others:
        raise ValueError(f"there is no agent to compare with {base!r}")
    marks = dict(zip(results.agents, style.marks(len(results.agents), look)))
    rows = _Rows(envs, others, look, ax)
    cells = len(envs) * len(others)
    runs: list[int] = []
    unpaired = False
    for name, panel in zip(envs, rows.axes):
        panel.axvline(0, color=look.ink, linewidth=1, zorder=2)
        for y, other in enumerate(others):
            x, of_base, paired = pairs_of(results, name, other, base, series)
            _difference_row(panel, y, marks[other], _difference(x, of_base, paired, cells), look)
            runs.append(x.size)
            unpaired = unpaired or not paired
    what = style.series_title(series)
    subtitle = "mean differences, not all of pairs," if unpaired else "mean differences of pairs"
    subtitle += f" with 95% intervals, {counts(runs, 'run')}"
    subtitle += ", less is better" if lower_is_better(results, series) else ""
    subtitle += f"; thin: all {cells} at once" if cells > 1 else ""
    head = f"{what}: difference from {base}" if title is None else title
    return rows.finish(f"difference in {what.lower()}", head, subtitle)


Difference = tuple[
    float, tuple[float, float], tuple[float, float]
]  # mean, its interval, the one for all cells


def _difference_row(ax: Any, y: float, mark: style.Mark, difference: Difference, look: style.Theme) -> None:
    mean, inner, outer = difference
    if not np.isfinite(mean):
        where = {"transform": ax.get_yaxis_transform(), "ha": "center", "va": "center"}
        ax.text(0.5, y, "no finite difference", fontsize=7, color=look.muted, **where)
        return
    ax.plot(outer, [y, y], color=mark.color, linewidth=1, zorder=4)
    clear = np.isfinite(outer[0]) and (outer[0] > 0 or outer[1] < 0)
    face = mark.color if clear else look.face
    _point(ax, y, mark, mean, *inner, markeredgecolor=mark.color, markeredgewidth=1.4, markerfacecolor=face)


def _difference(x: Floats, y: Floats, paired: bool, cells: int) -> Difference:
    """Differences that do not vary have no interval: that is no proof that others would not."""
    wide = 1 - 0.05 / cells
    if paired:
        with np.errstate(invalid="ignore"):
            d = x - y
        if d.size == 0 or not np.isfinite(d).all():
            return np.nan, (np.nan, np.nan), (np.nan, np.nan)
        if np.ptp(d) == 0:
            return float(d[0]), (np.nan, np.nan), (np.nan, np.nan)
        a, b = mean_interval(d), mean_interval(d, wide)
        return float(a.mean[0]), (float(a.low[0]), float(a.high[0])), (float(b.low[0]), float(b.high[0]))
    return _welch(x, y, wide)


def _welch(x: Floats, y: Floats, wide: float) -> Difference:
    none = (np.nan, np.nan)
    if not (x.size and y.size and np.isfinite(x).all() and np.isfinite(y).all()):
        return np.nan, none, none
    mean = float(x.mean() - y.mean())
    if min(x.size, y.size) < 2:
        return mean, none, none
    vx, vy = x.var(ddof=1) / x.size, y.var(ddof=1) / y.size
    if vx + vy == 0:
        return mean, none, none
    degrees = float((vx + vy) ** 2 / (vx**2 / (x.size - 1) + vy**2 / (y.size - 1)))
    halves = [student(degrees, level) * float(np.sqrt(vx + vy)) for level in (0.95, wide)]
    return mean, (mean - halves[0], mean + halves[0]), (mean - halves[1], mean + halves[1])


# ---- who beats whom ----


def improvement_matrix(
    results: Any,
    series: str = "total",
    *,
    env: Any = None,
    agent: Any = None,
    lower: bool | None = None,
) -> tuple[Floats, Floats]:
    """The probability that the row's agent does better than the column's, and Holm's adjusted p-values.

    Of two runs with the same random numbers, ties counting half, in the mean over the environments;
    p-values are those of the sign test over all pairs. Imported runs are no pairs: any two runs are then
    compared, without a p-value. The diagonal is NaN.
    """
    results, series = adapt(results, series)
    envs, agents = chosen(results.envs, env, "environment"), chosen(results.agents, agent, "agent")
    sign = -1.0 if (lower_is_better(results, series) if lower is None else lower) else 1.0
    n = len(agents)
    better, p = np.full((n, n), np.nan), np.full((n, n), np.nan)
    rows, columns = np.triu_indices(n, 1)
    for i, j in zip(rows, columns):
        better[i, j], p[i, j] = _improvement(
            [pairs_of(results, e, agents[i], agents[j], series) for e in envs], sign
        )
        better[j, i] = 1 - better[i, j]
    p[rows, columns] = holm(p[rows, columns])
    p[columns, rows] = p[rows, columns]
    return better, p


Pair = tuple[Floats, Floats, bool]  # runs of two agents on an environment, and whether they are pairs


def _outcomes(x: Floats, y: Floats, sign: float) -> tuple[int, int, int]:
    """How many pairs were won, tied and lost."""
    won, lost = int((x > y).sum()), int((x < y).sum())
    return (won, x.size - won - lost, lost) if sign > 0 else (lost, x.size - won - lost, won)


def _improvement(cells: list[Pair], sign: float) -> tuple[float, float]:
    """The share of pairs (or of any two runs) that the first wins, and the p-value of the sign test."""
    shares, wins, losses = [], 0, 0
    for x, y, paired in cells:
        if x.size == 0 or y.size == 0:
            continue
        if paired:
            won, tied, lost = _outcomes(x, y, sign)
            shares.append((won + tied / 2) / x.size)
            wins, losses = wins + won, losses + lost
        else:
            ascending = np.sort(y)
            below, upto = np.searchsorted(ascending, x, "left"), np.searchsorted(ascending, x, "right")
            share = float((below + upto).mean()) / 2 / y.size
            shares.append(share if sign > 0 else 1 - share)
    if not shares:
        return np.nan, np.nan
    tested = all(paired for x, _, paired in cells if x.size)
    return float(np.mean(shares)), sign_test(wins, losses) if tested else np.nan


def matrix(
    results: Any,
    series: str = "total",
    *,
    env: Any = None,
    agent: Any = None,
    lower: bool | None = None,
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws the pairwise matrix: how often the row's agent does better than the column's.

    Numbers are those of ``improvement_matrix``; bold where Holm's adjusted p-value is at most 0.05, with
    one star more for each of 0.05, 0.01 and 0.001. ``lower`` says whether less is better; None asks the
    table of metrics.

    >>> import farsight as fs
    >>> r = fs.run(["riverswim"], ["delayed-q", "r-max", "psrl"], steps=2000, runs=20)
    >>> figure = fs.plot.matrix(r)
    """
    style.need_matplotlib()
    results, series = adapt(results, series)
    look = style.theme_of(theme)
    envs, agents = chosen(results.envs, env, "environment"), chosen(results.agents, agent, "agent")
    better, p = improvement_matrix(results, series, env=envs, agent=agents, lower=lower)
    names = [style.plain(style.shorten(name, 150, style.SMALL)) for name in agents]
    label = max(style.text_width(name, style.SMALL) for name in names) / 72
    side = 0.62 * max(len(agents), 2)
    own = ax is None
    figure, ax = style.one_panel(ax, max(4.4, side + label + 1.5), side + label * 0.72 + 1.1, look)
    _heat(figure, ax, better, p, names, look)
    runs = counts([runs_of(results, e, a, series).size for e in envs for a in agents], "run")
    where = envs[0] if len(envs) == 1 else f"{len(envs)} environments"
    if own:
        style.header(
            figure,
            f"{style.series_title(series)}: probability that the row beats the column"
            if title is None
            else title,
            f"{where}, {runs} in pairs; bold: sign test with Holm's correction, "
            "* p ≤ 0.05, ** 0.01, *** 0.001",
            look,
        )
    return figure


def _heat(figure: Any, ax: Any, better: Floats, p: Floats, names: list[str], look: style.Theme) -> None:
    from matplotlib import colormaps

    from farsight.plot._artists import Numbers

    n = len(names)
    style.style_axes(ax, look, "none")
    colors = colormaps["PuOr"].with_extremes(bad=look.absent)
    image = ax.imshow(np.ma.masked_invalid(better), cmap=colors, vmin=0, vmax=1, aspect="equal")
    for spine in ax.spines.values():
        spine.set_visible(False)
    upright = all(style.text_width(name, style.SMALL) < 40 for name in names)
    how: dict[str, Any] = {} if upright else {"rotation": 40, "ha": "left", "rotation_mode": "anchor"}
    ax.set_xticks(range(n), names, **how)
    ax.set_yticks(range(n), names)
    ax.tick_params(length=0, bottom=False, top=False, labeltop=True, labelbottom=False)
    ax.set_xticks(np.arange(n + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(n + 1) - 0.5, minor=True)
    ax.grid(True, which="minor", color=look.edge, linewidth=2)
    ax.tick_params(which="minor", length=0)
    for i, j in zip(*np.nonzero(~np.isnan(better))):
        stars = "*" * sum(bool(p[i, j] <= level) for level in (0.05, 0.01, 0.001))
        shade = style.luminance(colors(float(better[i, j])))
        ax.text(
            j,
            i,
            f"{better[i, j]:.2f}" + (f"\n{stars}" if stars else ""),
            ha="center",
            va="center",
            fontsize=style.SMALL,
            fontweight="bold" if stars else "normal",
            linespacing=0.85,
            color="#202020" if shade > 0.5 else "white",
        )
    if n > 1:
        bar = figure.colorbar(
            image, ax=ax, shrink=0.8, aspect=24, pad=0.03, format=Numbers(), ticks=[0, 0.25, 0.5, 0.75, 1]
        )
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=style.SMALL, colors=look.muted, labelcolor=look.ink, length=2)


def improvements(
    results: Any,
    baseline: str | int = 0,
    series: str = "total",
    *,
    env: Any = None,
    agent: Any = None,
    lower: bool | None = None,
    resamples: int = 10_000,
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws the probability that an agent does better than the baseline, with 95% intervals.

    Of two runs with the same random numbers, ties counting half, in the mean over the environments.
    Intervals are bootstrap percentiles; pairs are resampled within environments. There is none where no
    pair differs in outcome.
    """
    style.need_matplotlib()
    results, series = adapt(results, series)
    look = style.theme_of(theme)
    base = chosen(results.agents, baseline, "agent")[0]
    others = [name for name in chosen(results.agents, agent, "agent") if name != base]
    envs = chosen(results.envs, env, "environment")
    if not others:
        raise ValueError(f"there is no agent to compare with {base!r}")
    sign = -1.0 if (lower_is_better(results, series) if lower is None else lower) else 1.0
    marks = dict(zip(results.agents, style.marks(len(results.agents), look)))
    rows = _Rows(envs[:1] if len(envs) == 1 else [f"{len(envs)} environments"], others, look, ax)
    panel = rows.axes[0]
    panel.axvline(0.5, color=look.ink, linewidth=1, zorder=2)
    for y, name in enumerate(others):
        cells = [pairs_of(results, e, name, base, series) for e in envs]
        value, low, high = _improvement_interval(cells, sign, resamples)
        _point(panel, y, marks[name], value, low, high)
        text = f"{value:.2f}" if np.isnan(low) else f"{value:.2f} [{low:.2f}, {high:.2f}]"
        panel.text(
            1.02,
            y,
            text,
            transform=panel.get_yaxis_transform(),
            va="center",
            fontsize=style.SMALL,
            color=look.ink,
        )
    panel.set_xlim(-0.02, 1.02)
    runs = counts([runs_of(results, e, base, series).size for e in envs], "run")
    head = f"{style.series_title(series)}: probability to beat {base}" if title is None else title
    return rows.finish("probability to beat the baseline", head, f"95% bootstrap intervals, {runs} in pairs")


def _improvement_interval(cells: list[Pair], sign: float, resamples: int) -> tuple[float, float, float]:
    """The mean share of won pairs; resampled, the numbers of won, tied and lost pairs are multinomial."""
    value, _ = _improvement(cells, sign)
    if np.isnan(value) or any(not paired or x.size < 2 for x, _, paired in cells):
        return value, np.nan, np.nan
    generator = np.random.default_rng(1)
    total = np.zeros(resamples)
    for x, y, _ in cells:
        shares = np.array(_outcomes(x, y, sign)) / x.size
        draws = generator.multinomial(x.size, shares, size=resamples)
        total += (draws[:, 0] + draws[:, 1] / 2) / x.size
    low, high = (float(end) for end in np.quantile(total / len(cells), [0.025, 0.975]))
    return (value, low, high) if low < high else (value, np.nan, np.nan)
