"""What figures read from results: labels, runs and curves of cells, whichever are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from farsight._specs import name_of
from farsight._words import position
from farsight.plot._numbers import Floats


class ResultsLike(Protocol):
    """The part of farsight.Results that figures use."""

    @property
    def envs(self) -> Sequence[str]:
        """Labels of the environments."""

    @property
    def agents(self) -> Sequence[str]:
        """Labels of the agents."""

    def totals(self, env: Any, agent: Any, /) -> Floats:
        """The total rewards of the runs of a cell."""

    def metric(self, name: str, env: Any, agent: Any, /) -> Floats:
        """A metric of the runs of a cell."""


class GroupView:
    """The runs of a farsight.Comparison, as if they were results: one series of one group."""

    def __init__(self, comparison: Any, group: int = 0) -> None:
        self._group = comparison.groups[group]
        self.series = str(comparison.series)
        self.lower = comparison.better == "lower"
        self.envs: list[str] = list(self._group.envs)
        self.agents: list[str] = list(self._group.agents)
        cells = self._group.data["cells"]
        self._here = {(cell["env"], cell["agent"]) for cell in cells if cell["origin"] == "here"}
        self.scales = {
            env["env"]: (float(env["scale"]["low"]), float(env["scale"]["high"]))
            for env in self._group.data["environments"]
            if (env.get("scale") or {}).get("low") is not None
        }

    def totals(self, env: Any, agent: Any, /) -> Floats:
        """The numbers of the runs of a cell."""
        return np.asarray(self._group.values(env, agent), dtype=float)

    def metric(self, name: str, env: Any, agent: Any, /) -> Floats:
        """The same: there is one series."""
        return self.totals(env, agent)

    def replicates(self, env: Any, agent: Any, /) -> Any:
        """The replicates of a cell that was computed; those of imported runs are no pairs."""
        return self._group.replicates(env, agent) if (env, agent) in self._here else None


def adapt(results: Any, series: str = "total") -> tuple[Any, str]:
    """Results as they are, a comparison as a view of its runs; and the series that is drawn."""
    if not hasattr(results, "groups"):
        return results, series
    if len(results.groups) != 1:
        steps = ", ".join(str(group.steps) for group in results.groups)
        raise ValueError(
            f"this comparison has {len(results.groups)} groups that cannot be drawn together "
            f"(steps: {steps}): choose one with the steps= and run_seed= of fs.stats"
        )
    view = GroupView(results)
    return view, view.series


def chosen(labels: Sequence[str], choice: Any, what: str) -> list[str]:
    """The labels that a choice means: None is all, else labels or indices, one or several."""
    labels = [str(label) for label in labels]
    if choice is None:
        if not labels:
            raise ValueError(f"there is no {what} to plot: the results are empty")
        return labels
    wanted = [choice] if isinstance(choice, (str, int, np.integer)) else list(choice)
    if not wanted:
        raise ValueError(f"no {what} is chosen")
    return [_one(labels, item, what) for item in wanted]


def _one(labels: list[str], item: Any, what: str) -> str:
    """The label itself, its index, or the name before its colon where that is enough."""
    near = [label for label in labels if name_of(label) == item]
    return near[0] if len(near) == 1 else labels[position(labels, item, what)]


def runs_of(results: ResultsLike, env: str, agent: str, series: str = "total") -> Floats:
    """The numbers of the runs of a cell; empty where there are none."""
    values = results.totals(env, agent) if series == "total" else results.metric(series, env, agent)
    return np.asarray(values, dtype=float).reshape(-1)


def pairs_of(results: ResultsLike, env: str, a: str, b: str, series: str) -> tuple[Floats, Floats, bool]:
    """The runs of two cells: those of the same replicates and True, or all runs of both and False.

    Where the results do not say which replicates they have, cells of as many runs are pairs.
    """
    x, y = runs_of(results, env, a, series), runs_of(results, env, b, series)
    replicates = getattr(results, "replicates", None)
    if replicates is not None:
        ours, theirs = replicates(env, a), replicates(env, b)
        if ours is None or theirs is None:
            return x[~np.isnan(x)], y[~np.isnan(y)], False
        _, i, j = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
        x, y = x[i], y[j]
    elif x.size != y.size:
        return x[~np.isnan(x)], y[~np.isnan(y)], False
    known = ~(np.isnan(x) | np.isnan(y))
    return x[known], y[known], True


def curve_of(results: Any, env: str, agent: str, series: str) -> tuple[Floats, Floats]:
    """Steps (K,) and values (K, runs) of a cell's curve, checked; both empty where there is none."""
    steps, values = results.curve(env, agent, series)
    x, y = np.asarray(steps, dtype=float).reshape(-1), np.asarray(values, dtype=float)
    if x.size == 0 or y.size == 0:
        return np.empty(0), np.empty((0, 0))
    if y.ndim == 1:
        y = y[:, None]
    if y.ndim != 2 or y.shape[0] != x.size:
        raise ValueError(f"a curve of {x.size} steps needs values of shape ({x.size}, runs), not {y.shape}")
    return x, y


def lower_is_better(results: Any, series: str) -> bool:
    """Whether less of a series is better, as the comparison or the table of metrics says; else more is."""
    if hasattr(results, "lower"):
        return bool(results.lower)
    name = series.split(":")[0].split("@")[0]
    if name in ("total", "curve"):
        return False
    from farsight.catalog import metrics

    return name in metrics and not metrics[name].facts.get("higher_is_better", True)
