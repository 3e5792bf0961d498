"""Comparison of stored results: estimates, intervals, tests and scores."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from farsight import _core
from farsight._stores import opened
from farsight.document import Document
from farsight.study import agent_spec

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """Results that may be compared: of the same steps and seed."""

    steps: int | None
    """Of a run; None if that is unknown (imported results)."""
    seed: int | None
    """Of the random numbers; None if all results are imported."""
    envs: list[str]
    """Environments, as labels."""
    agents: list[str]
    """Agents, as labels."""
    baseline: str | None
    """The agent that the others are compared with."""
    data: dict[str, Any]
    """All numbers of the group, as in ``Comparison.data``."""
    runs: list[tuple[FloatArray, IntArray] | None]
    """The values and the replicates of each cell; environment e and agent j at e * len(agents) + j."""

    def _cell(self, env: str | int, agent: str | int) -> tuple[FloatArray, IntArray]:
        e, j = _index(self.envs, env, "environment"), _index(self.agents, agent, "agent")
        cell = self.runs[e * len(self.agents) + j]
        return cell if cell is not None else (np.zeros(0), np.zeros(0, np.int64))

    def values(self, env: str | int, agent: str | int) -> FloatArray:
        """The numbers of the runs of an agent on an environment, each by label or index."""
        return self._cell(env, agent)[0]

    def replicates(self, env: str | int, agent: str | int) -> IntArray:
        """The replicates that these numbers are of: equal ones are pairs."""
        return self._cell(env, agent)[1]


def _index(labels: list[str], key: str | int, what: str) -> int:
    if not isinstance(key, str):
        return range(len(labels))[key]
    if key in labels:
        return labels.index(key)
    raise KeyError(f"there is no {what} {key!r}: {', '.join(labels)}")


class Comparison(Document):
    """What stored results say, and how surely.

    >>> import farsight as fs
    >>> r = fs.run("chain:n=5", ["delayed-q", "r-max"], steps=500, runs=20, progress=False)
    >>> c = r.compare(baseline="delayed-q")     # or fs.stats("results.db", baseline="delayed-q")
    >>> c.differences("numpy")["agent"].tolist()
    ['r-max']
    """

    groups: list[Group]
    """What is comparable, in the order of steps and seeds."""

    def __init__(self, document: _core.Document, groups: list[dict[str, Any]]) -> None:
        super().__init__(document)
        self.groups = [_group(data, own) for data, own in zip(self.data["groups"], groups)]

    @property
    def series(self) -> str:
        """What of the runs is compared, as the store names it."""
        return str(self.data["series"])

    @property
    def better(self) -> str:
        """ "higher" or "lower"."""
        return str(self.data["better"])

    def values(self, env: str | int, agent: str | int) -> FloatArray:
        """The numbers of the runs of an agent on an environment, in the first group."""
        return self.groups[0].values(env, agent)

    def cells(self, library: str = "pandas") -> Any:
        """A frame with a row for each cell: mean with intervals, median, interquartile mean, quartiles."""
        return self._frame("cells", library)

    def differences(self, library: str = "pandas") -> Any:
        """A frame with a row for each agent's difference from the baseline on an environment."""
        return self._frame("comparisons", library)

    def improvements(self, library: str = "pandas") -> Any:
        """A frame with the probability that a run of an agent is better than one of the baseline."""
        return self._frame("improvements", library)

    def scores(self, library: str = "pandas") -> Any:
        """A frame with aggregate scores over environments; empty where there is one environment."""
        return self._frame("scores", library)

    def profiles(self, library: str = "pandas") -> Any:
        """A frame with the share of runs above each score; empty where there is one environment."""
        return self._frame("profiles", library)

    def plot(self, kind: str = "scores", **options: Any) -> Any:
        """A figure: "scores", or one of the kinds of :func:`farsight.plot.results` except "curves"."""
        from farsight import plot

        return plot.scores(self, **options) if kind == "scores" else plot.results(self, kind, **options)


def _group(data: dict[str, Any], own: dict[str, Any]) -> Group:
    steps = data["steps"]
    return Group(
        steps=None if steps is None else int(steps),
        seed=data["seed"],
        envs=[env[0] for env in own["envs"]],
        agents=own["agents"],
        baseline=data["baseline"] and data["baseline"]["agent"],
        data=data,
        runs=own["cells"],
    )


def stats(
    store: Any,
    series: str = "total",
    baseline: str | None = None,
    agents: Any = None,
    envs: Any = None,
    *,
    correction: str = "holm",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 1,
    steps: int | None = None,
    run_seed: int | None = None,
    better: str | None = None,
    paired: bool = False,
    most_agents: int = 60,
    progress: Callable[[str, int, int], object] | None = None,
    models: Any = None,
) -> Comparison:
    """Compares the agents in a store: intervals, tests, probabilities of improvement, scores. Runs nothing.

    ``store`` is a :class:`Store` or a path. ``series`` is "total", a metric, or either at a step
    ("curve@1000", "regret@1000"). ``baseline`` is the agent that the others are compared with (the best).
    ``agents`` and ``envs`` choose, by spec, label or pattern ("r-max*"); ``steps`` and ``run_seed`` only
    runs of these. ``correction`` of p-values is "holm", "fdr" or "bonferroni", ``level`` that of all
    intervals; ``resamples`` and ``seed`` are those of the bootstrap. ``better`` is "higher" or "lower"
    where the series does not say it itself. ``paired`` pairs imported runs, too, by their replicates.
    ``progress`` is called with what is computed, how many are done, and how many there are. ``models`` are
    those of environments that no spec describes (:class:`MDP` from arrays): a store has only their hashes.
    """
    with opened(store, "r") as open_store:
        if open_store is None:
            raise TypeError("store must be a farsight.Store or a path, not None")
        document, groups, exact = _core.stats(
            open_store,
            [_env_spec(env) for env in _listed(envs)],
            [agent_spec(agent) for agent in _listed(agents)],
            series=series,
            baseline=baseline,
            steps=0 if steps is None else steps,
            run_seed=run_seed,
            better="known" if better is None else better,
            paired=paired,
            level=level,
            correction=correction,
            resamples=resamples,
            seed=seed,
            most_agents=most_agents,
            report=progress,
            models=list(models or ()),
        )
    if not groups:
        raise ValueError("the store has no results yet")
    comparison = Comparison(document, groups)
    _warn(comparison, groups, series, exact)
    return comparison


def _env_spec(env: Any) -> str:
    spec = env if isinstance(env, str) else getattr(env, "spec", None)
    if isinstance(spec, str) and spec:
        return spec
    raise TypeError(f"envs are specs, labels or patterns ('chain*'), or models that have a spec, not {env!r}")


def _listed(given: Any) -> list[Any]:
    return [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]


def _warn(comparison: Comparison, groups: list[dict[str, Any]], series: str, exact: bool) -> None:
    """What the numbers are of, where that is not what was asked for, or not all of it."""
    if not exact:
        message = f"the store has no {series!r}; this is {comparison.series!r}, the nearest checkpoint"
        warnings.warn(message, stacklevel=3)
    for label, _, why in (env for group in groups for env in group["envs"]):
        if why is not None:
            warnings.warn(f"the model of {label!r} is not used: {why}", stacklevel=3)
