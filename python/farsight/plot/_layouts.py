"""Figures on the layout of a model: values, visits, bonuses and policies, where the states are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from farsight._models import model_of
from farsight._specs import name_of
from farsight._words import counted, listed
from farsight.model import MDP
from farsight.plot import _style as style
from farsight.plot._numbers import Floats, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class _Place(NamedTuple):
    """A layout, as drawn: unit squares with centres (x, y), y downwards."""

    kind: str
    width: float
    height: float
    x: Floats
    y: Floats
    label: list[str]
    dx: Floats
    dy: Floats
    action_label: list[str]
    walls: Floats  # (n, 4): x0, y0, x1, y1


def _place(model: MDP) -> _Place:
    """The layout of a model, with its names; states of one without a layout stand in rows."""
    place = _laid_out(model.layout) if model.layout else _rows(model.n_states, model.n_actions)
    return place._replace(
        label=_named(place.label, model.state_names),
        action_label=_named(place.action_label, model.action_names),
    )


def _named(labels: list[str], names: Sequence[str | None] | None) -> list[str]:
    """The labels, and names where there is no label."""
    return labels if names is None else [label or name or "" for label, name in zip(labels, names)]


def _laid_out(layout: dict[str, Any]) -> _Place:
    return _Place(
        layout["kind"],
        layout["width"],
        layout["height"],
        layout["x"],
        layout["y"],
        layout["labels"],
        layout["dx"],
        layout["dy"],
        layout["action_labels"],
        layout["walls"],
    )


def _rows(states: int, actions: int) -> _Place:
    """One row of up to 20 states, or rows of about the same length."""
    rows = -(-states // 20) if states <= 100 else int(np.sqrt(states))
    columns = -(-states // rows)
    row, column = np.divmod(np.arange(states), columns)
    nothing = np.zeros(actions)
    return _Place(
        "table",
        columns,
        -(-states // columns),
        column + 0.5,
        row + 0.5,
        [""] * states,
        nothing,
        nothing,
        [""] * actions,
        np.empty((0, 4)),
    )


def _snapshots(
    what: Any, states: int, titles: Sequence[str] | None, name: str
) -> tuple[list[Floats], list[str]]:
    """The arrays to draw and their titles, from an array, a list or a dictionary of arrays."""
    if isinstance(what, Mapping):
        arrays, found = list(what.values()), [str(key) for key in what]
    else:
        whole = (
            np.asarray(what, dtype=float)
            if not isinstance(what, (list, tuple)) or np.isscalar(what[0])
            else None
        )
        if whole is not None and whole.ndim and whole.shape[0] == states and whole.ndim <= 2:
            arrays = [whole]
        elif whole is not None and whole.ndim < 2:
            raise ValueError(
                f"{name} needs one number for each of the {states} states, not shape {whole.shape}"
            )
        else:
            arrays = list(what)
        found = [""] * len(arrays)
    if titles is not None:
        found = [str(title) for title in titles]
        if len(found) != len(arrays):
            raise ValueError(f"there are {len(arrays)} arrays and {len(found)} titles")
    if not arrays:
        raise ValueError(f"{name} got no array")
    out = [np.asarray(array, dtype=float) for array in arrays]
    for array in out:
        if array.ndim not in (1, 2) or array.shape[0] != states:
            raise ValueError(
                f"{name} needs arrays of shape ({states},) or ({states}, actions), not {array.shape}"
            )
    return out, found


# ---- panels ----


def _grid_of_panels(place: _Place, n: int) -> tuple[int, int, float, float]:
    """Rows and columns of n panels, and the size of one in inches."""
    aspect = place.width / place.height
    cell = (
        float(np.clip(5.4 / max(place.width, place.height), 0.16, 0.7))
        if n == 1
        else 2.6 / max(place.width, place.height)
    )
    width = min(11.0, max(1.5, place.width * cell))
    if place.height <= 2 and place.width > 12:
        width = 9.0
    height = max(0.34, width / aspect)
    rows = -(-n // max(1, min(n, int(12 // (width + 0.2)))))
    return rows, -(-n // rows), width, height


def _figure(place: _Place, n: int, look: style.Theme, ax: Axes | None, bar: bool) -> tuple[Any, list[Any]]:
    if ax is not None:
        if n != 1:
            raise ValueError(f"ax has room for one array, but there are {n}")
        return ax.figure, [ax]
    rows, columns, width, height = _grid_of_panels(place, n)
    figure: Any = style.new_figure(
        max(3.6, columns * (width + 0.15) + (0.9 if bar else 0.2)),
        rows * (height + (0.3 if n > 1 else 0.1)) + 0.75,
        look,
    )
    return figure, [figure.add_subplot(rows, columns, i + 1) for i in range(n)]


def _ground(ax: Any, place: _Place, look: style.Theme, title: str) -> None:
    """An empty layout: bounds, walls, and no axes."""
    from matplotlib.patches import Rectangle

    ax.set_xlim(-0.04, place.width + 0.04)
    ax.set_ylim(place.height + 0.04, -0.04)
    ax.set_aspect("equal")
    ax.set_axis_off()
    for x0, y0, x1, y1 in place.walls:
        if x0 == x1 or y0 == y1:
            ax.plot([x0, x1], [y0, y1], color=look.ink, linewidth=2.2, solid_capstyle="round", zorder=4)
        else:
            ax.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, facecolor=look.muted, linewidth=0, zorder=1))
    if title:
        ax.set_title(style.plain(title), fontsize=style.TEXT, color=look.ink, loc="left", pad=3)


def _cells(place: _Place) -> Any:
    """The shapes of the states: squares, or discs in a graph."""
    if place.kind == "graph":
        angle = np.linspace(0, 2 * np.pi, 41)
        circle = np.stack([np.cos(angle), np.sin(angle)], axis=1) * 0.38
        return np.stack([place.x, place.y], axis=1)[:, None, :] + circle[None]
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return np.stack([place.x, place.y], axis=1)[:, None, :] + square[None]


def _triangles(place: _Place) -> Any:
    """The part of each square that an action points to: (states, actions, 3, 2), or None."""
    size = np.hypot(place.dx, place.dy)
    axis = (np.abs(place.dx) < 1e-9) | (np.abs(place.dy) < 1e-9)
    ways = {(np.sign(a), np.sign(b)) for a, b in zip(place.dx, place.dy)}
    if place.kind not in ("grid", "line") or (size == 0).any() or not axis.all() or len(ways) < size.size:
        return None
    u = np.stack([place.dx / size, place.dy / size], axis=1) / 2
    v = np.stack([-u[:, 1], u[:, 0]], axis=1)
    shape = np.stack([np.zeros_like(u), u - v, u + v], axis=1)
    return np.stack([place.x, place.y], axis=1)[:, None, None, :] + shape[None]


def _edges(ax: Any, model: MDP, place: _Place, look: style.Theme) -> None:
    """The transitions of a graph, as thin arcs."""
    from matplotlib.patches import FancyArrowPatch

    for s, t in _links(model):
        ax.add_patch(
            FancyArrowPatch(
                (place.x[s], place.y[s]),
                (place.x[t], place.y[t]),
                connectionstyle="arc3,rad=0.18",
                arrowstyle="-|>",
                mutation_scale=6,
                color=look.muted,
                linewidth=0.6,
                alpha=0.6,
                zorder=0.5,
                shrinkA=_points_of(ax, 0.38),
                shrinkB=_points_of(ax, 0.4),
            )
        )


def _points_of(ax: Any, length: float) -> float:
    """A length of the layout in points, for the present size of the panel."""
    box = ax.get_position()
    figure = ax.figure
    size = min(
        box.width * figure.get_figwidth() / abs(np.diff(ax.get_xlim())[0]),
        box.height * figure.get_figheight() / abs(np.diff(ax.get_ylim())[0]),
    )
    return float(length * size * 72)


def _links(model: MDP) -> list[tuple[int, int]]:
    """Pairs of different states with a transition between them; none if there are too many to draw."""
    table = model.arrays()
    source = np.repeat(np.arange(len(table["offsets"]) - 1) // model.n_actions, np.diff(table["offsets"]))
    target = table["next"]
    possible = source != target
    pairs = set(zip(source[possible].tolist(), target[possible].tolist()))
    return sorted(pairs) if len(pairs) <= 400 else []


def _point_size(figure: Any, axes: list[Any], place: _Place) -> float:
    """The side of a cell in points once the figure is laid out."""
    figure.draw_without_rendering()
    box = axes[0].get_window_extent()
    return float(min(box.width / (place.width + 0.08), box.height / (place.height + 0.08)) * 72 / figure.dpi)


# ---- values ----


def _draw(
    model: Any,
    what: Any,
    titles: Sequence[str] | None,
    title: str | None,
    theme: Any,
    ax: Axes | None,
    name: str,
    fold: str,
    split: bool,
    log: bool | None,
    text: bool | None,
    cmap: str,
) -> Figure:
    """Colours of states, or of states and actions, with a colour bar that all panels share."""
    style.need_matplotlib()
    look = style.theme_of(theme)
    model = model_of(model)
    subtitle = _states(model)
    place = _place(model)
    arrays, found = _snapshots(what, place.x.size, titles, name)
    parts = _triangles(place) if split and all(a.ndim == 2 for a in arrays) else None
    if parts is None:
        arrays = [_fold(a, fold) for a in arrays]
    figure, axes = _figure(place, len(arrays), look, ax, True)
    colors, norm = _colors(arrays, cmap, look, log)
    for panel, heading in zip(axes, found):
        _ground(panel, place, look, heading)
    if ax is None:
        style.header(figure, name.capitalize() if title is None else title, subtitle, look)
    _bar(figure, axes, colors, norm, look)
    size = _point_size(figure, axes, place)
    words = _words(arrays, size, text) if parts is None else [None] * len(arrays)
    if fold == "sum":
        arrays = [np.where(a == 0, np.nan, a) for a in arrays]
    for panel, array, some in zip(axes, arrays, words):
        _paint(panel, place, array, parts, colors, norm, look, size)
        if place.kind == "graph":
            _edges(panel, model, place, look)
        backs = None if parts is not None else [_color(float(v), colors, norm) for v in array]
        _texts(panel, place, some, backs, look, size)
    return figure  # type: ignore[no-any-return]


def _fold(array: Floats, how: str) -> Floats:
    """One number a state: the sum, or the maximum that is known."""
    if array.ndim == 1:
        return array
    if how == "sum":
        return np.asarray(array.sum(axis=1))
    known = np.where(np.isnan(array), -np.inf, array).max(axis=1)
    return np.where(np.isnan(array).all(axis=1), np.nan, known)


def _colors(arrays: list[Floats], cmap: str, look: style.Theme, log: bool | None) -> tuple[Any, Any]:
    """The colour map and its scale: without `log`, logarithmic where numbers differ by a factor of 1,000."""
    from matplotlib import colormaps
    from matplotlib.colors import LogNorm, Normalize

    colors = colormaps[cmap].with_extremes(bad=look.absent, under=look.absent)
    values = np.concatenate([a.ravel() for a in arrays])
    values = values[np.isfinite(values)]
    positive = values[values > 0]
    if log is None:
        log = (
            positive.size == np.count_nonzero(values)
            and positive.size > 1
            and positive.max() > 1000 * positive.min()
        )
    if log and positive.size:
        low, high = float(positive.min()), float(positive.max())
        return colors, LogNorm(low, high if high > low else low * 10)
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    if low == high:
        low, high = (0.0, high) if high > 0 else (low, low + 1.0)
    return colors, Normalize(low, high)


def _color(value: float, colors: Any, norm: Any) -> Any:
    if np.isnan(value):
        return colors.get_bad()
    if np.isinf(value):
        return colors(1.0 if value > 0 else 0.0)
    if value <= 0 and type(norm).__name__ == "LogNorm":
        return colors.get_under()
    return colors(float(norm(value)))


def _paint(
    ax: Any, place: _Place, array: Floats, parts: Any, colors: Any, norm: Any, look: style.Theme, size: float
) -> None:
    from matplotlib.collections import PolyCollection

    edge = look.edge
    width = float(np.clip(size / 18, 0.15, 1.2))
    shapes = _cells(place) if parts is None else parts.reshape(-1, 3, 2)
    faces = [_color(float(v), colors, norm) for v in array.ravel()]
    if place.kind == "graph":
        edge, width = look.muted, 0.8
    ax.add_collection(
        PolyCollection(shapes, facecolors=faces, edgecolors=edge, linewidths=width, zorder=2), autolim=False
    )


def _words(arrays: list[Floats], size: float, text: bool | None) -> list[list[str] | None]:
    """The numbers of the states as texts, all with as many decimals, if they fit into cells of this size."""
    values = np.concatenate(arrays)
    finite = values[np.isfinite(values)]
    most = float(np.abs(finite).max()) if finite.size else 0.0
    whole = bool((finite % 1 == 0).all())
    decimals = 0 if whole or most == 0 else int(np.clip(2 - np.floor(np.log10(most)), 0, 6))

    def word(value: float) -> str:
        if np.isfinite(value) and 1e-3 <= most < 1e7:
            return f"{value:,.{decimals}f}".replace("-", "−")
        return "" if np.isnan(value) else number(value, 3)

    words: list[list[str] | None] = [[word(float(v)) for v in array] for array in arrays]
    widest = max(style.text_width(w, 6.0) for some in words for w in some or [])
    fits = size * 0.86 >= widest and values.size <= 2000
    return words if text or (text is None and fits) else [None] * len(arrays)


def _texts(
    ax: Any, place: _Place, words: list[str] | None, backs: Any, look: style.Theme, size: float
) -> None:
    """Numbers in the states, and the labels of states: in a corner if the centre is taken."""
    widest = max((style.text_width(w, 1.0) for w in words or []), default=1.0) or 1.0
    point = min(style.TEXT, size * 0.86 / widest, size * 0.4)
    for s in range(place.x.size):
        color = "white" if backs is None else _readable(backs[s])
        label = place.label[s] if size >= 9 else ""
        if words is not None:
            ax.text(
                place.x[s],
                place.y[s] + (0.08 if label else 0.0),
                words[s],
                ha="center",
                va="center",
                fontsize=point,
                color=color,
                zorder=5,
            )
        if label:
            _label(ax, place, s, words is not None, color, size, outline=backs is None)


_LEAST = 3.5  # points of a label that can still be read


def _label(
    ax: Any, place: _Place, s: int, corner: bool, color: str, size: float, outline: bool = False
) -> None:
    """The label of a state; with an outline it can be read on any colours."""
    from matplotlib.patheffects import withStroke

    x, y = (0.0, 0.0) if not corner else (0.0, -0.26) if place.kind == "graph" else (-0.44, -0.42)
    width = style.text_width(place.label[s], 1.0)
    fits = (0.6 if place.kind == "graph" else 0.78) * size / max(width, 1e-9)
    if fits < _LEAST:
        return
    ax.text(
        place.x[s] + x,
        place.y[s] + y,
        style.plain(place.label[s]),
        ha="left" if x else "center",
        va="top" if x else "center",
        fontsize=min(style.TEXT, size * (0.26 if corner else 0.42), fits),
        fontweight="bold",
        color=color,
        path_effects=[withStroke(linewidth=2, foreground="#222222")] if outline else None,
        zorder=5,
    )


def _readable(color: Any) -> str:
    return "#202020" if style.luminance(color) > 0.55 else "white"


def _bar(figure: Any, axes: list[Any], colors: Any, norm: Any, look: style.Theme) -> Any:
    from matplotlib.cm import ScalarMappable

    from farsight.plot._artists import LogNumbers, Numbers

    log = type(norm).__name__ == "LogNorm"
    flat = axes[0].get_xlim()[1] / axes[0].get_ylim()[0] > 3.5
    how: dict[str, Any] = (
        {"location": "bottom", "aspect": 50, "shrink": 0.5} if flat else {"aspect": 22, "shrink": 0.9}
    )
    bar = figure.colorbar(
        ScalarMappable(norm, colors), ax=axes, pad=0.02, format=LogNumbers() if log else Numbers(), **how
    )
    bar.outline.set_visible(False)
    bar.ax.tick_params(which="both", labelsize=style.SMALL, colors=look.muted, labelcolor=look.ink, length=2)
    bar.ax.minorticks_off()
    return bar


def values(
    model: Any,
    array: Any,
    *,
    titles: Sequence[str] | None = None,
    split: bool = False,
    log: bool = False,
    text: bool | None = None,
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws numbers of states where the states are, as colours and, where they fit, as numbers.

    Of an array of states and actions the maximum over actions is drawn or, with ``split=True``, one
    triangle an action. A list or a dictionary of arrays makes one panel each, with the same colours; the
    keys are titles. NaN is grey. ``log`` makes the scale of the colours logarithmic. ``text`` writes the
    numbers always (True) or never (False).

    >>> import farsight as fs
    >>> m = fs.MDP("riverswim")
    >>> figure = fs.plot.values(m, fs.solve(m, gamma=0.95).v)
    """
    return _draw(
        model, array, titles, title, theme, ax, "values", "max", split, log, text, "viridis"
    )


def visits(
    model: Any,
    array: Any,
    *,
    titles: Sequence[str] | None = None,
    split: bool = False,
    log: bool | None = None,
    text: bool | None = None,
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws how often states were visited; visits of actions are added up.

    Parameters are those of ``values``. The scale of the colours is logarithmic where the numbers differ by
    a factor of 1,000, unless ``log`` says otherwise; states without a visit are grey.
    """
    return _draw(
        model, array, titles, title, theme, ax, "visits", "sum", split, log, text, "cividis"
    )


def bonus(
    model: Any,
    array: Any,
    *,
    titles: Sequence[str] | None = None,
    split: bool = False,
    log: bool = False,
    text: bool | None = None,
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws exploration bonuses, the largest of a state's actions. See ``values`` for the parameters."""
    name = "exploration bonus"
    return _draw(
        model, array, titles, title, theme, ax, name, "max", split, log, text, "plasma"
    )


def _states(model: MDP) -> str:
    """The family and the size of a model."""
    size = f"{counted(model.n_states, 'state')}, {counted(model.n_actions, 'action')}"
    return f"{name_of(model.spec)}, {size}" if model.spec else size


# ---- policies ----


def policy(
    model: Any,
    choice: Any,
    *,
    values: Any = None,
    titles: Sequence[str] | None = None,
    title: str | None = None,
    theme: style.ThemeName | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draws a policy as arrows, over the colours of ``values`` if these are given.

    ``choice`` is an agent, an action for every state, or probabilities of shape (states, actions); a list
    or a dictionary of these makes one panel each. A state with one action has an arrow; one with several
    has spikes whose lengths are the probabilities. Actions without a direction are written: by name where
    that fits, else by number, with the names above.

    >>> import farsight as fs
    >>> m = fs.MDP("riverswim")
    >>> s = fs.solve(m, gamma=0.95)
    >>> figure = fs.plot.policy(m, s.policy, values=s.v)
    """
    style.need_matplotlib()
    look = style.theme_of(theme)
    model = model_of(model)
    place = _place(model)
    n = place.x.size
    if isinstance(choice, Mapping):
        choices, found = list(choice.values()), [str(key) for key in choice]
    elif (
        isinstance(choice, (list, tuple))
        and not np.isscalar(choice[0])
        and tuple(np.shape(choice)) != tuple((n, place.dx.size))
    ):
        choices, found = list(choice), [""] * len(choice)
    else:
        choices, found = [choice], [""]
    found = [str(t) for t in titles] if titles is not None else found
    if len(found) != len(choices):
        raise ValueError(f"there are {len(choices)} policies and {len(found)} titles")
    tables = [_alive(model, _probabilities(c, n, place.dx.size)) for c in choices]
    arrays = None if values is None else _snapshots(values, n, None, "values")[0]
    if arrays is not None and len(arrays) == 1:
        arrays = arrays * len(tables)
    if arrays is not None and len(arrays) != len(tables):
        raise ValueError(f"there are {len(tables)} policies and {len(arrays)} arrays of values")
    place, legend = _actions(place, len(tables), tables)
    return _policies(model, place, tables, arrays, found, "Policy" if title is None else title, legend, look, ax)


def _actions(place: _Place, panels: int, tables: list[Floats]) -> tuple[_Place, str]:
    """The layout with numbers for the labels of actions that do not fit; and what these numbers mean."""
    _, _, width, _ = _grid_of_panels(place, panels)
    room = 0.8 * width * 72 / place.width
    still = np.hypot(place.dx, place.dy) == 0
    drawn = [a for a in np.flatnonzero(still) if any((np.nan_to_num(table[:, a]) > 0).any() for table in tables)]
    if all(style.text_width(place.action_label[a], 5.0) <= room for a in drawn):
        return place, ""
    words = [f"{a} {place.action_label[a]}" for a in drawn if place.action_label[a]]
    labels = ["" if still[a] else label for a, label in enumerate(place.action_label)]
    return place._replace(action_label=labels), "; " + listed(words, 12)


def _policies(
    model: MDP,
    place: _Place,
    tables: list[Floats],
    arrays: list[Floats] | None,
    found: list[str],
    title: str,
    legend: str,
    look: style.Theme,
    ax: Axes | None,
) -> Figure:
    figure, axes = _figure(place, len(tables), look, ax, arrays is not None)
    folded = (
        [np.full(place.x.size, np.nan)] * len(tables) if arrays is None else [_fold(a, "max") for a in arrays]
    )
    colors, norm = _colors(folded, "viridis", look, None)
    for panel, heading in zip(axes, found):
        _ground(panel, place, look, heading)
    if ax is None:
        more = ", colours are values" if arrays is not None else ""
        style.header(figure, title, _states(model) + more + legend, look)
    if arrays is not None:
        _bar(figure, axes, colors, norm, look)
    size = _point_size(figure, axes, place)
    for panel, table, array in zip(axes, tables, folded):
        _paint(panel, place, array, None, colors, norm, look, size)
        if place.kind == "graph":
            _edges(panel, model, place, look)
        backs = [_color(float(v), colors, norm) for v in array]
        inks = [look.ink if np.isnan(v) else _readable(b) for v, b in zip(array, backs)]
        _arrows(panel, place, table, inks, size)
        for s in range(place.x.size):
            if place.label[s] and size >= 18:
                _label(panel, place, s, True, inks[s], size)
    return figure  # type: ignore[no-any-return]


def _probabilities(choice: Any, states: int, actions: int) -> Floats:
    """Probabilities (states, actions) of what a policy was given as; states without an action have NaN."""
    if hasattr(choice, "policy"):
        choice = choice.policy() if callable(choice.policy) else choice.policy
    table = np.asarray(choice, dtype=float)
    if table.shape == (states, actions):
        return table
    if table.shape != (states,):
        raise ValueError(
            f"a policy has an action for each of the {states} states, or shape ({states}, {actions}); "
            f"not {table.shape}"
        )
    known = np.isfinite(table) & (table >= 0)
    if (table[known] >= actions).any() or (table[known] % 1 != 0).any():
        raise ValueError(f"actions of a policy are whole numbers from 0 to {actions - 1}")
    out = np.full((states, actions), np.nan)
    out[known] = 0
    out[np.flatnonzero(known), table[known].astype(int)] = 1
    return out


def _arrows(ax: Any, place: _Place, table: Floats, inks: list[str], size: float) -> None:
    """A lone action as an arrow, several as spikes whose lengths are their probabilities; others as text."""
    length = np.hypot(place.dx, place.dy)
    some = np.nan_to_num(table)
    s, a = np.nonzero((some > 0.02) & (length > 0)[None, :])
    lone = some[s].max(axis=1) > 0.98
    _lone_arrows(ax, place, s[lone], a[lone], inks)
    if not lone.all():
        from matplotlib.collections import PolyCollection

        s, a = s[~lone], a[~lone]
        way = np.stack([place.dx[a], place.dy[a]], axis=1) / length[a][:, None]
        side = np.stack([-way[:, 1], way[:, 0]], axis=1) * 0.07
        tip = way * (0.46 * some[s, a])[:, None]
        spikes = np.stack([side, tip, -side], axis=1) + np.stack([place.x[s], place.y[s]], axis=1)[:, None, :]
        ax.add_collection(
            PolyCollection(spikes, facecolors=[inks[i] for i in s], linewidths=0, zorder=5), autolim=False
        )
    for state in range(place.x.size):
        best = int(some[state].argmax())
        if some[state, best] > 0 and length[best] == 0 and size >= 9:
            word = place.action_label[best] or str(best)
            point = min(style.TEXT, size * 0.42, size * 0.8 / max(style.text_width(word, 1.0), 1e-9))
            ax.text(
                place.x[state],
                place.y[state],
                style.plain(word),
                ha="center",
                va="center",
                fontsize=point,
                color=inks[state],
                zorder=5,
            )


def _lone_arrows(ax: Any, place: _Place, s: Any, a: Any, inks: list[str]) -> None:
    """Arrows through the centres of states that have one action only."""
    if s.size:
        size = np.hypot(place.dx[a], place.dy[a])
        u, v = 0.7 * place.dx[a] / size, 0.7 * place.dy[a] / size
        ax.quiver(
            place.x[s],
            place.y[s],
            u,
            v,
            color=[inks[i] for i in s],
            pivot="middle",
            angles="xy",
            scale_units="xy",
            scale=1,
            units="xy",
            width=0.045,
            headwidth=4.2,
            headlength=4.4,
            headaxislength=4,
            minlength=0,
            zorder=5,
        )


# ---- agents ----


def agent(model: Any, agent: Any, what: str = "q", **options: Any) -> Figure:
    """Draws what an agent knows: "q", "bonus", "visits", or "policy" with the values below the arrows.

    ``options`` are those of ``values``, ``bonus``, ``visits`` and ``policy``.

    >>> import farsight as fs
    >>> m = fs.MDP("riverswim")
    >>> a = fs.Agent("r-max", env=m)
    >>> figure = fs.plot.agent(m, a, "visits")
    """
    model = model_of(model)
    if what == "policy":
        q = getattr(agent, "q", None)
        return policy(model, agent, **{"values": None if q is None else _alive(model, q), **options})
    draw = {"q": values, "bonus": bonus, "visits": visits}.get(what)
    if draw is None:
        raise ValueError(f"there is no {what!r} to draw: q, bonus, visits, policy")
    array = np.asarray(getattr(agent, what), dtype=float)
    return draw(
        model,
        array if what == "visits" else _alive(model, array),
        **{"title": _AGENT_TITLES[what], **options},
    )


def _alive(model: MDP, array: Any) -> Floats:
    """A copy with NaN in the states that an agent cannot act in: it knows nothing about these."""
    out = np.full(np.shape(array), np.nan)
    out[model.live] = np.asarray(array, dtype=float)[model.live]
    return out


_AGENT_TITLES = {"q": "Largest action value", "bonus": "Largest exploration bonus", "visits": "Visits"}
