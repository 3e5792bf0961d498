"""Performance profiles: which share of the runs reaches which score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from farsight.plot import _style as style
from farsight.plot._curves import _handle
from farsight.plot._data import adapt, chosen, lower_is_better, runs_of
from farsight.plot._numbers import Floats, Interval, counts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def profile(scores: list[Floats], taus: Floats, resamples: int = 2000, seed: int = 1) -> Interval:
    """The share of runs with a score above each tau, in the mean over environments, with 95% intervals.

    ``scores`` has the runs of each environment. Intervals are pointwise bootstrap percentiles; runs are
    resampled within environments. Resampled, the numbers of runs between the taus are multinomial.
    """
    generator = np.random.default_rng(seed)
    value, drawn = np.zeros(taus.size), np.zeros((resamples, taus.size))
    for x in scores:
        bins = np.bincount(np.searchsorted(taus, x, "left"), minlength=taus.size + 1)  # bin k: above taus[:k]
        value += bins[::-1].cumsum()[::-1][1:] / x.size
        draws = generator.multinomial(x.size, bins / x.size, size=resamples)
        drawn += draws[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:] / x.size
    if all(x.size < 2 for x in scores):
        nothing = np.full(taus.size, np.nan)
        return Interval(value / len(scores), nothing, nothing)
    low, high = np.quantile(drawn / len(scores), [0.025, 0.975], axis=0)
    return Interval(value / len(scores), low, high)


def _scores(
    results: Any, envs: list[str], agents: list[str], series: str, scales: Any, lower: bool
) -> dict[str, list[Floats]]:
    """Scores of the runs: 0 at the worst and 1 at the best end of an environment's scale."""
    out: dict[str, list[Floats]] = {agent: [] for agent in agents}
    for env in envs:
        runs = {agent: runs_of(results, env, agent, series) for agent in agents}
        every = np.concatenate(list(runs.values()))
        every = every[np.isfinite(every)]
        if scales is not None:
            if env not in scales:
                continue
            low, high = scales[env]
        elif every.size:
            low, high = (every.max(), every.min()) if lower else (every.min(), every.max())
        else:
            continue
        if low == high:
            continue
        for agent, x in runs.items():
            out[agent].append((x[~np.isnan(x)] - low) / (high - low))
    return {agent: [x for x in cells if x.size] for agent, cells in out.items() if any(x.size for x in cells)}


def profiles(
    results: Any,
    series: str = "total",
    *,
    env: Any = None,
    agent: Any = None,
    scales: Mapping[str, tuple[float, float]] | None = None,
    lower: bool | None = None,
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws performance profiles: the share of runs with a score above tau, over all environments.

    A score is 0 at the worst and 1 at the best run of any agent on its environment, or at the ends that
    ``scales`` gives, as in ``{"riverswim": (low, high)}``. A comparison has scales of its own: from the
    random to the best policy. A curve further up and right is better. Bands are pointwise 95% bootstrap
    intervals (Agarwal et al. 2021, "run-score distributions").

    >>> import farsight as fs
    >>> r = fs.run(["riverswim", "chain:n=10"], ["delayed-q", "r-max"], steps=2000, runs=20)
    >>> figure = fs.plot.profiles(r)
    """
    style.need_matplotlib()
    results, series = adapt(results, series)
    if scales is None and env is None:
        scales = getattr(results, "scales", None) or None
    look = style.theme_of(theme)
    envs, agents = chosen(results.envs, env, "environment"), chosen(results.agents, agent, "agent")
    less = lower_is_better(results, series) if lower is None else lower
    scores = _scores(results, envs, agents, series, scales, less)
    if not scores:
        raise ValueError("there is no scale: no environment has runs that differ and are finite")
    marks = dict(zip(agents, style.marks(len(agents), look)))
    own = ax is None
    figure, ax = style.one_panel(ax, 6.6, 4.0, look)
    every = np.concatenate([x[np.isfinite(x)] for cells in scores.values() for x in cells])
    taus = np.linspace(min(0.0, float(every.min())), max(1.0, float(every.max())), 201)
    for name, cells in scores.items():
        _profile(ax, marks[name], name, taus, profile(cells, taus))
    _axes(ax, look, scales is None)
    entries = [(_handle(marks[name]), name) for name in scores]
    where = envs[0] if len(envs) == 1 else f"{len(envs)} environments"
    runs = counts([x.size for cells in scores.values() for x in cells], "run")
    if own:
        what = f"{style.series_title(series)}: performance profiles" if title is None else title
        style.header(figure, what, f"{where}, {runs} each, with 95% intervals", look, entries)
    else:
        style.panel_legend(ax, entries, look)
    return figure


def _profile(ax: Any, mark: style.Mark, name: str, taus: Floats, share: Interval) -> None:
    offset = style.MARKERS.index(mark.marker) * 3
    ax.fill_between(taus, share.low, share.high, color=mark.color, alpha=0.15, linewidth=0, zorder=2.5)
    ax.plot(
        taus,
        share.mean,
        color=mark.color,
        linestyle=mark.dashes,
        linewidth=1.7,
        marker=mark.marker,
        markersize=4.2,
        markeredgewidth=0,
        markevery=(offset, 28),
        zorder=3,
        label=style.plain(name),
    )


def _axes(ax: Any, look: style.Theme, observed: bool) -> None:
    from farsight.plot._artists import set_scale

    style.style_axes(ax, look)
    scale = "0 worst, 1 best run" if observed else "normalised"
    ax.set_xlabel(f"score τ ({scale})", fontsize=style.TEXT, color=look.ink)
    ax.set_ylabel("share of runs above τ", fontsize=style.TEXT, color=look.ink)
    ax.set_ylim(-0.03, 1.03)
    ax.margins(x=0.01)
    set_scale(ax.xaxis, "linear", [])
    set_scale(ax.yaxis, "linear", [])
