"""Figures of analyses: aggregate scores, growth with size, parameter profiles, the paper's tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from farsight._words import counted
from farsight.plot import _style as style
from farsight.plot._numbers import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _data(result: Any, member: str, call: str) -> Mapping[str, Any]:
    """The numbers of an analysis, as the command prints them with --json."""
    data = result if isinstance(result, Mapping) else getattr(result, "data", None)
    if not isinstance(data, Mapping) or member not in data:
        raise TypeError(f"expected what {call} returns, not {type(result).__name__}")
    return data


def _float(value: Any) -> float:
    return np.nan if value is None else float(value)


# ---- aggregate scores ----


def scores(comparison: Any, *, title: str | None = None, theme: style.ThemeName | None = None) -> Figure:
    """Draws the aggregate scores of a comparison with 95% intervals: interquartile mean, mean, median, gap.

    Scores are normalised on each environment, and intervals are those of the comparison (stratified
    bootstrap). Of the optimality gap less is better. There are scores where a comparison has two
    environments or more.
    """
    style.need_matplotlib()
    from farsight.plot._artists import set_scale

    groups = _data(comparison, "groups", "fs.stats")["groups"]
    rows = [row for group in groups for row in group.get("scores") or []]
    if not rows:
        raise ValueError("this comparison has no scores: these need two environments on which all agents ran")
    look = style.theme_of(theme)
    names = [style.fit(str(row["agent"]), 150, style.SMALL) for row in rows]
    label = max(style.text_width(line, style.SMALL) for name in names for line in name.split("\n")) / 72
    figure: Any = style.new_figure(label + 4 * 1.9 + 0.4, 0.36 * len(rows) + 1.4, look)
    marks = style.marks(len(rows), look)
    parts = (
        ("iqm", "interquartile mean"),
        ("mean", "mean"),
        ("median", "median"),
        ("optimality_gap", "gap (less is better)"),
    )
    for i, (key, what) in enumerate(parts):
        ax = figure.add_subplot(1, 4, i + 1)
        style.style_axes(ax, look, "x")
        for y, row in enumerate(rows):
            _bar(ax, y, marks[y].color, row[key], look)
        ax.set_ylim(len(rows) - 0.4, -0.6)
        ax.set_yticks(range(len(rows)), names if i == 0 else [""] * len(rows))
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.set_title(what, fontsize=style.TEXT, color=look.ink, loc="left")
        set_scale(ax.xaxis, "linear", [], 3)
    environments = int(rows[0].get("environments", 0))
    subtitle = f"normalised scores over {counted(environments, 'environment')} with 95% bootstrap intervals"
    style.header(figure, "Aggregate scores" if title is None else title, subtitle, look)
    return figure  # type: ignore[no-any-return]


def _bar(ax: Any, y: float, color: str, estimate: Mapping[str, Any], look: style.Theme) -> None:
    value, low, high = (_float(estimate.get(key)) for key in ("value", "low", "high"))
    if np.isfinite(low) and np.isfinite(high):
        ax.fill_between([low, high], y - 0.3, y + 0.3, color=color, alpha=0.45, linewidth=0, zorder=3)
    if np.isfinite(value):
        ax.plot(
            [value, value], [y - 0.3, y + 0.3], color=color, linewidth=2.2, solid_capstyle="butt", zorder=4
        )


# ---- growth ----


def growth(
    result: Any,
    *,
    xscale: str = "log",
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws how the steps to learn, or the rewards, grow with the size of a problem, with the fitted laws.

    Points are medians (or mean rewards) with 95% intervals; a triangle at a limit means that half of the
    runs or more had not learned by then. The line is the law that fits better, the power law where that is
    undecided. On two logarithmic axes a power law is straight; with ``xscale="linear"`` an exponential one
    is.
    """
    style.need_matplotlib()
    from farsight.plot._artists import set_scale

    data = _data(result, "laws", "fs.growth")
    look = style.theme_of(theme)
    reward = data.get("measure") == "reward"
    own = ax is None
    figure, ax = style.one_panel(ax, 6.6, 4.2, look)
    style.style_axes(ax, look)
    marks = style.marks(len(data["laws"]), look)
    entries = []
    sizes = sorted({float(cell["size"]) for cell in data["cells"]})
    value = "mean" if reward else "median"
    for i, (law, mark) in enumerate(zip(data["laws"], marks)):
        cells = [cell for cell in data["cells"] if cell["law"] == i]
        _growth_points(ax, cells, mark, reward, 1 + 0.012 * (i - (len(marks) - 1) / 2))
        fitted = [float(cell["size"]) for cell in cells if np.isfinite(_float(cell.get(value)))]
        entries.append((_growth_line(ax, law, mark, fitted), f"{law['agent']}{_law_text(law)}"))
    numbers = [_float(cell.get(value)) for cell in data["cells"]]
    set_scale(ax.yaxis, "log", numbers)
    set_scale(ax.xaxis, xscale, sizes)
    if len(sizes) <= 10:
        ax.set_xticks(sizes, [f"{size:,.0f}" for size in sizes])
        ax.minorticks_off()
    ax.set_xlabel(f"size {data.get('key', 'n')}", fontsize=style.TEXT, color=look.ink)
    ax.set_ylabel("total reward" if reward else "steps", fontsize=style.TEXT, color=look.ink)
    if own:
        what = (
            "Reward"
            if reward
            else {"earned": "Steps to earn", "learned": "Steps to learn"}.get(
                str(data.get("measure")), "Steps until the last mistake"
            )
        )
        head = f"{what} on {data.get('env', '')}, by size" if title is None else title
        runs = counted(max(int(cell.get("runs") or 0) for cell in data["cells"]), "run")
        centre = "means" if reward else "medians"
        style.header(figure, head, f"{centre} of {runs} with 95% intervals, and fitted laws", look, entries)
    return figure


def _growth_points(ax: Any, cells: list[Any], mark: style.Mark, reward: bool, shift: float) -> None:
    for cell in cells:
        x = float(cell["size"]) * shift
        y = _float(cell.get("mean" if reward else "median"))
        ci = _float(cell.get("ci95"))
        low, high = (y - ci, y + ci) if reward else (_float(cell.get("low")), _float(cell.get("high")))
        if np.isfinite(y):
            if np.isfinite(low) and low > 0:
                top = high if np.isfinite(high) else _float(cell.get("limit"))
                ax.plot([x, x], [low, top], color=mark.color, linewidth=1.4, alpha=0.7, zorder=3)
            ax.plot(
                [x], [y], color=mark.color, marker=mark.marker, markersize=5.5, linestyle="none", zorder=4
            )
        elif int(cell.get("runs") or 0) and np.isfinite(_float(cell.get("limit"))):
            ax.plot(
                [x],
                [float(cell["limit"])],
                color=mark.color,
                marker="^",
                markersize=6,
                markerfacecolor="none",
                linestyle="none",
                zorder=4,
            )


def _growth_line(ax: Any, law: Mapping[str, Any], mark: style.Mark, fitted: list[float]) -> Any:
    """The law over the sizes that it was fitted to: it says nothing of others."""
    from matplotlib.lines import Line2D

    x = np.geomspace(min(fitted), max(fitted), 100) if fitted else np.empty(0)
    y = _law(law, x)
    if y.size and np.isfinite(y).all():
        ax.plot(x, y, color=mark.color, linestyle=mark.dashes, linewidth=1.4, zorder=2.5)
    return Line2D(
        [], [], color=mark.color, linestyle=mark.dashes, marker=mark.marker, markersize=5, linewidth=1.4
    )


def _law(law: Mapping[str, Any], x: Floats) -> Floats:
    """The values of the law that is drawn."""
    name = "exponential" if law.get("better") == "exponential" else "polynomial"
    fit = law.get(name) or {}
    scale, power, rate = _float(fit.get("scale")), fit.get("power") or 0.0, fit.get("rate") or 0.0
    return np.asarray(scale * x ** float(power) * np.exp(float(rate) * x))


def _law_text(law: Mapping[str, Any]) -> str:
    if law.get("better") == "exponential":
        fit, key, form = law.get("exponential") or {}, "rate", "e^({} n)"
    else:
        fit, key, form = law.get("polynomial") or {}, "power", "n^{}"
    value, ci = _float(fit.get(key)), _float(fit.get(f"{key}_ci95"))
    if not np.isfinite(value):
        return ""
    return ": " + form.format(f"({value:.2f} ± {ci:.2f})" if np.isfinite(ci) else f"{value:.2f}")


# ---- tuning ----


def tuning(
    result: Any, *, agent: int = 0, title: str | None = None, theme: style.ThemeName | None = None
) -> Figure:
    """Draws the parameter profiles of a search: what is lost if one parameter moves from its best value.

    One panel per parameter. Points are losses of the score with 95% intervals, against the best setting at 0
    (the vertical line); ``agent`` is the index of the agent.
    """
    style.need_matplotlib()
    agents = _data(result, "agents", "fs.tune")["agents"]
    if not -len(agents) <= agent < len(agents):
        raise IndexError(f"agent {agent} is out of range: there are {len(agents)}")
    entry = agents[agent]
    profiles = [p for p in entry.get("profiles") or [] if p.get("points")]
    if not profiles:
        raise ValueError(
            f"there are no profiles of {entry['space']}: no parameter was searched, or profile=0"
        )
    look = style.theme_of(theme)
    rows, columns = style.panels(len(profiles))
    figure: Any = style.new_figure(max(5.6, 3.2 * columns), 2.4 * rows + 0.8, look)
    percent = 100.0 if entry.get("normalised") else 1.0
    for i, found in enumerate(profiles):
        ax = figure.add_subplot(rows, columns, i + 1)
        _parameter(ax, found, percent, look)
        if i % columns == 0:
            unit = "% of the scale" if entry.get("normalised") else "score"
            ax.set_ylabel(f"loss ({unit})", fontsize=style.TEXT, color=look.ink)
    head = f"Loss away from {entry.get('best')}" if title is None else title
    subtitle = "one parameter moved at a time; mean loss with 95% interval, in pairs on fresh seeds"
    style.header(figure, head, subtitle, look)
    return figure  # type: ignore[no-any-return]


def _parameter(ax: Any, found: Mapping[str, Any], percent: float, look: style.Theme) -> None:
    from farsight.plot._artists import set_scale

    style.style_axes(ax, look)
    ax.axhline(0, color=look.muted, linewidth=0.9, zorder=2)
    texts = [str(p["value"]) for p in found["points"]]
    try:
        x, best = np.array([float(t) for t in texts]), float(found["value"])
    except ValueError:
        texts = texts + [str(found["value"])] * (str(found["value"]) not in texts)
        x, best = np.arange(len(found["points"]), dtype=float), float(texts.index(str(found["value"])))
        ax.set_xticks(range(len(texts)), [style.plain(t) for t in texts])
    else:
        every = np.append(x, best)
        positive = bool((every > 0).all()) and every.max() / every.min() > 20
        set_scale(ax.xaxis, "log" if positive else "linear", every, 4)
    loss = np.array([_float(p["loss"]) for p in found["points"]]) * percent
    ci = np.nan_to_num(np.array([_float(p["ci95"]) for p in found["points"]]) * percent)
    color = look.colors[0]
    order = np.argsort(np.append(x, best))
    ax.plot(
        np.append(x, best)[order],
        np.append(loss, 0.0)[order],
        color=color,
        linewidth=1.2,
        alpha=0.6,
        zorder=3,
    )
    ax.errorbar(
        x, loss, yerr=ci, color=color, linestyle="none", marker="o", markersize=4.5, capsize=2.5, zorder=4
    )
    ax.axvline(best, color=look.colors[1], linewidth=1.4, linestyle=style.DASHES[1], zorder=2.5)
    set_scale(ax.yaxis, "linear", [], 4)
    heading = style.plain(f"{found['key']} (best: {found['value']})")
    ax.set_title(heading, fontsize=style.TEXT, color=look.ink, loc="left")


# ---- the paper ----


def paper(result: Any, *, title: str | None = None, theme: style.ThemeName | None = None) -> Figure:
    """Draws the paper's tables: its means (hollow) and ours (filled), with 95% intervals."""
    style.need_matplotlib()
    from farsight.plot._artists import set_scale

    cells = _data(result, "cells", "fs.reproduce")["cells"]
    look = style.theme_of(theme)
    tables = sorted({int(cell["table"]) for cell in cells})
    rows = [[cell for cell in cells if int(cell["table"]) == table] for table in tables]
    figure: Any = style.new_figure(4.1 * len(tables) + 1.6, 0.3 * max(map(len, rows)) + 1.5, look)
    for i, (table, own) in enumerate(zip(tables, rows)):
        ax = figure.add_subplot(1, len(tables), i + 1)
        style.style_axes(ax, look, "x")
        for y, cell in enumerate(own):
            _pair(ax, y, cell, look)
        ax.set_ylim(len(own) - 0.4, -0.6)
        ax.set_yticks(range(len(own)), [_method(cell) if i == 0 else "" for cell in own])
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        env = style.fit(f"Table {table}: {own[0]['env']}", 270, style.TEXT, 1)
        ax.set_title(env, fontsize=style.TEXT, color=look.ink, loc="left")
        ax.set_xlabel("total reward", fontsize=style.TEXT, color=look.ink)
        set_scale(ax.xaxis, "linear", [], 5)
    runs = counted(max(int(cell["runs"]) for cell in cells), "run")
    steps = counted(max(int(cell["steps"]) for cell in cells), "step")
    from matplotlib.lines import Line2D

    legend: list[tuple[Any, str]] = [
        (Line2D([], [], **_mark(look.colors[0], False, look)), "ours"),
        (Line2D([], [], **_mark(look.colors[1], True, look)), "the paper's"),
    ]
    head = "Tables 1 and 2 of Oh & Iyengar (2018)" if title is None else title
    style.header(figure, head, f"mean total reward with 95% intervals; ours: {runs} of {steps}", look, legend)
    return figure  # type: ignore[no-any-return]


def _mark(color: str, hollow: bool, look: style.Theme) -> dict[str, Any]:
    face = look.edge if hollow else color
    return {
        "color": color,
        "marker": "D" if hollow else "o",
        "markerfacecolor": face,
        "markersize": 5,
        "linewidth": 1.6,
    }


def _method(cell: Mapping[str, Any]) -> str:
    gamma = cell.get("gamma_e")
    return style.plain(str(cell["method"]) + ("" if gamma is None else f", γe = {gamma:g}"))


def _pair(ax: Any, y: float, cell: Mapping[str, Any], look: style.Theme) -> None:
    parts = (
        ("paper_mean", "paper_ci95", look.colors[1], True, 0.16),
        ("mean", "ci95", look.colors[0], False, -0.16),
    )
    for mean, ci, color, hollow, shift in parts:
        value, half = _float(cell.get(mean)), _float(cell.get(ci))
        if not np.isfinite(value):
            continue
        if np.isfinite(half):
            ax.plot([value - half, value + half], [y + shift] * 2, color=color, linewidth=1.6, zorder=3)
        ax.plot([value], [y + shift], linestyle="none", zorder=4, **_mark(color, hollow, look))
