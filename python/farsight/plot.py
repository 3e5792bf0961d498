"""Figures of results, comparisons, agents and models, drawn by the library: the command draws the same.

Every function returns a :class:`farsight.Figure`, which notebooks show by themselves, light or dark as the
reader prefers; ``figure.save("curves.pdf")`` writes it as SVG, PDF, PNG or TikZ. Labels do not overlap, colours
can be told apart by colour-blind readers, and text is text.

Each kind of plot that the library has is a function here: ``fs.plot.curves(source)`` is
``fs.plot.draw("curves", source)``.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from farsight import _core
from farsight._core import Figure
from farsight._models import model_of
from farsight._specs import agent_specs, env_specs
from farsight._typing import FloatArray
from farsight._words import nearest
from farsight._words import whole as whole_number
from farsight.store import Store, opened

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Look", "Options", "Question", "draw", "kinds", "values"]

Scale = Literal["auto", "linear", "log"]


class Look(TypedDict, total=False):
    """How a figure looks."""

    x: Scale
    """The scale of the horizontal axis; by default what shows more."""
    y: Scale
    """The scale of the vertical axis."""
    width: float
    """In units of 1/96 inch: 720 by default, 300 to 4000."""
    most: int
    """Show at most so many agents, the best ones; 12 by default."""
    per_step: bool
    """Of "curves": the change per step between checkpoints instead of the sum so far."""
    title: str
    """In place of the figure's own title; "" for none."""
    caption: str
    """In place of the smaller text below the title; "" for none."""
    parameter: str
    """Of "sensitivity": a parameter, as in "m", "r-max:m" or "r-max:" (all of its own); of "growth": the
    environment's parameter that is the size. By default all that vary."""


class Question(TypedDict, total=False):
    """What of results or of a store a figure or a report is of."""

    series: str
    """What of the runs: "total", a metric, or either at a step ("regret@1000")."""
    baseline: Any
    """The agent that the others are compared with; by default the best."""
    envs: Any
    """Only these environments, in this order."""
    agents: Any
    """Only these agents, in this order."""
    level: float
    """Of intervals: 0.95 by default."""
    better: Literal["higher", "lower"]
    """What is better, where the series does not say it itself."""
    correction: Literal["holm", "fdr", "bonferroni"]
    """Of p-values: "holm" by default."""
    paired: bool
    """Pair imported runs, too, by their replicates."""
    resamples: int
    """Of the bootstrap: 10,000 by default."""
    seed: int
    """Of the bootstrap."""
    steps: int
    """Of a store: only runs of so many steps."""
    episodes: int
    """Of a store: only runs that end after so many episodes."""
    run_seed: int
    """Of a store: only runs of this seed."""


class Options(Question, Look, total=False):
    """What a figure of results or of a store shows (:class:`Question`), and how it looks (:class:`Look`)."""


_LOOK = tuple(Look.__annotations__)
_OPTIONS = (*_LOOK, *Question.__annotations__)


def kinds() -> dict[str, str]:
    """The kinds of plots of results, each with what it shows.

    >>> import farsight as fs
    >>> fs.plot.kinds()["intervals"]
    'means with their intervals, and the runs as dots'
    """
    return dict(_core.plot_kinds())


def draw(kind: str, source: Any, **options: Unpack[Options]) -> Figure:
    """Draws results: a kind of plot of a source.

    ``kind`` is one of :func:`kinds`, ``source`` what was run (:class:`farsight.Results`), a
    :class:`farsight.Comparison`, a :class:`farsight.Store` or the path of one. ``options`` are those of
    :class:`Options`; a comparison has chosen already, and takes those of :class:`Look`.

    >>> import farsight as fs
    >>> r = fs.run("riverswim", ["delayed-q", "r-max"], steps=500, runs=20, progress=False)
    >>> fs.plot.draw("intervals", r, level=0.9)
    <Figure intervals: Mean total reward with 90% intervals>
    """
    if isinstance(source, (str, os.PathLike, Store)):
        return _of_store(kind, source, options)
    if not hasattr(source, "plot") or isinstance(source, _core.Agent):
        raise TypeError(
            f"expected results, a comparison, a store or the path of one, not {type(source).__name__}"
        )
    figure: Figure = source.plot(kind, **options)
    return figure


def look_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """How a figure looks, for the extension, of options that may say nothing else."""
    for name in options:
        if name in _OPTIONS and name not in _LOOK:
            raise TypeError(f"{name!r} was chosen when this was computed; figures take {', '.join(_LOOK)}")
    return divided(options)[0]


def divided(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """How a figure looks, for the extension; and what it shows."""
    look: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for name, value in options.items():
        if name not in _OPTIONS:
            raise TypeError(f"there is no option {name!r}; {nearest(name, _OPTIONS)}")
        (look if name in _LOOK else rest)[name] = value
    if "most" in look:
        look["most"] = whole_number(look["most"], "most")
    return look, rest


def _of_store(kind: str, store: Any, options: Mapping[str, Any]) -> Figure:
    look, question = divided(options)
    with opened(store, "r") as open_store:
        assert open_store is not None
        return _core.plot(kind, look, open_store, **arguments(question))


def arguments(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question about a store, for the extension."""
    envs, agents = question.get("envs"), question.get("agents")
    return {
        **question,
        "envs": [] if envs is None else env_specs(envs),
        "agents": [] if agents is None else agent_specs(agents),
    }


# ---- numbers on the layout of a model ----


def values(
    model: Any,
    array: Any,
    *,
    policy: Any = None,
    visits: Any = None,
    titles: Sequence[str] | None = None,
    title: str | None = None,
    what: str | None = None,
    whole: bool = False,
    total: bool = False,
    low: float = math.nan,
    high: float = math.nan,
    scale: Scale = "auto",
    width: float = 720.0,
) -> Figure:
    """Draws numbers of states, or of states and actions, where the states are; and policies as arrows.

    ``array`` is of shape (states,) or (states, actions); a list or a dict of arrays makes one panel each, with
    one scale of colours, and the keys are titles. None draws no numbers, NaN is left empty. ``policy`` is an
    action for every state, or probabilities (states, actions), or one of these for each panel. Where ``visits``
    (states, actions) are given, states without any are left empty.

    Args:
        model: a model (:class:`farsight.MDP`), the spec of one, or a Gymnasium environment with a table of its
            transitions.
        array: the numbers.
        policy: drawn as arrows.
        visits: how often each action was taken, of each panel.
        titles: of the panels.
        title: of the figure.
        what: what the numbers are, for the scale: "value" by default.
        whole: one number a state, the greatest of its actions, also where there is room for the actions.
        total: that number is their sum instead, and 0 is left empty: for counts.
        low: the end of the scale; by default that of the numbers.
        high: likewise.
        scale: of the colours, "linear" or "log".
        width: in units of 1/96 inch.

    >>> import farsight as fs
    >>> m = fs.MDP("riverswim")
    >>> s = fs.solve(m, gamma=0.95)
    >>> fs.plot.values(m, s.v, policy=s.policy, title="Optimal values")
    <Figure layout: Optimal values>
    """
    known = model_of(model)
    shape = (known.n_states, known.n_actions)
    arrays, found = _panels(array, shape, "array", None)
    arrows, _ = _panels(policy, shape, "policy", len(arrays))
    seen, _ = _panels(visits, shape, "visits", len(arrays))
    given = {np.ndim(a) for a in arrays if a is not None}
    if len(given) > 1:
        raise ValueError("arrays are of states, or of states and actions, but not of both")
    names = found if titles is None else [str(text) for text in titles]
    if len(names) != len(arrays):
        raise ValueError(f"there are {len(arrays)} arrays and {len(names)} titles")
    return _core.layout_figure(
        known,
        tuple(zip(names, arrays, [_probabilities(p, shape) for p in arrows], seen, strict=True)),
        pairs=given == {2},
        whole=whole or total,
        total=total,
        empty=total,
        low=low,
        high=high,
        scale=scale,
        title=title,
        what=what,
        width=width,
    )


def _panels(
    given: Any, shape: tuple[int, int], name: str, count: int | None
) -> tuple[list[Any], list[str | None]]:
    """One array of each panel, with titles, of one array, a list or a dict of arrays, or of None."""
    titles: list[str | None] = [None]
    arrays = [given]
    if isinstance(given, Mapping):
        arrays, titles = list(given.values()), [str(key) for key in given]
    elif isinstance(given, (list, tuple)) and not _is_array(given, shape):
        arrays, titles = list(given), [None] * len(given)
    out = [None if array is None else np.asarray(array, dtype=np.float64) for array in arrays]
    for array in out:
        if array is not None and array.shape != shape[:1] and array.shape != shape:
            raise ValueError(f"{name} is of shape {array.shape}: must be {shape[:1]} or {shape}")
    if count is not None and len(out) == 1:
        out, titles = out * count, titles * count
    if len(out) != (len(out) if count is None else count) or not out:
        raise ValueError(f"{name} has {len(out)} arrays" + ("" if count is None else f" for {count} panels"))
    return out, titles


def _is_array(given: Sequence[Any], shape: tuple[int, int]) -> bool:
    """A list of numbers, or of as many rows of numbers as there are states."""
    return len(given) == shape[0] and all(np.shape(item) in ((), shape[1:]) for item in given)


def _probabilities(policy: FloatArray | None, shape: tuple[int, int]) -> FloatArray | None:
    """Probabilities (states, actions) of an action for every state; where that is negative, none."""
    if policy is None or policy.shape == shape:
        return policy
    table = np.zeros(shape)
    chosen = np.flatnonzero(policy >= 0)
    actions = policy[chosen].astype(np.int64)
    if (actions != policy[chosen]).any() or (actions >= shape[1]).any():
        raise ValueError(f"a policy has whole numbers from 0 to {shape[1] - 1}")
    table[chosen, actions] = 1.0
    return table


# ---- a function for each kind ----


def _function(kind: str, summary: str) -> Callable[..., Figure]:
    def plot(source: Any, **options: Unpack[Options]) -> Figure:
        return draw(kind, source, **options)

    plot.__name__ = plot.__qualname__ = kind
    plot.__doc__ = f"Draws {summary}: ``draw({kind!r}, source, ...)``."
    return plot


for _kind, _summary in _core.plot_kinds():
    globals()[_kind] = _function(_kind, _summary)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Callable[..., Figure]: ...
