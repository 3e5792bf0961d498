"""Comparison of stored results: estimates, intervals, tests and scores."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from farsight import _core
from farsight._frames import Parameters
from farsight._specs import agent_specs, env_specs
from farsight._typing import FloatArray, IntArray
from farsight._words import counted, position, seed_of
from farsight.document import Document
from farsight.progress import ProgressOf, reporting
from farsight.store import opened

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from farsight.plot import Look
    from farsight.results import Results


@dataclass(frozen=True)
class Group:
    """Results that may be compared: of the same steps (or episodes) and seed."""

    steps: int | None
    """Of a run, the most where it ends by episodes; None if that is unknown (imported results), or where every
    environment has its own most."""
    episodes: int | None
    """A run ends after so many; None: after its steps."""
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
        e, j = position(self.envs, env, "environment"), position(self.agents, agent, "agent")
        cell = self.runs[e * len(self.agents) + j]
        return cell if cell is not None else (np.zeros(0), np.zeros(0, np.int64))

    def values(self, env: str | int, agent: str | int) -> FloatArray:
        """The numbers of the runs of an agent on an environment, each by label or index."""
        return self._cell(env, agent)[0]

    def replicates(self, env: str | int, agent: str | int) -> IntArray:
        """The replicates that these numbers are of: equal ones are pairs."""
        return self._cell(env, agent)[1]


class ComparingProgress(NamedTuple):
    """How far a comparison is; what a function given as ``progress`` is called with."""

    what: str
    """What is computed."""
    done: int
    parts: int

    @property
    def share(self) -> float | None:
        """The share of this part that is done, in 0 ... 1."""
        return self.done / self.parts if self.parts > 0 else None

    def __str__(self) -> str:
        return self.what


class Comparison(Document):
    """What stored results say, and how surely.

    Frames have a column for each parameter that varies (``agent.m``) with ``parameters=True``; with
    ``parameters="all"`` also the others and the full specs.

    >>> import farsight as fs
    >>> r = fs.run("chain:n=5", ["delayed-q", "r-max"], steps=500, runs=20, progress=False)
    >>> c = r.compare(baseline="delayed-q")     # or fs.stats("results.db", baseline="delayed-q")
    >>> c.differences("numpy")["agent"].tolist()
    ['r-max']
    """

    groups: list[Group]
    """What is comparable, in the order of steps and seeds."""
    _asked: tuple[Results, dict[str, Any]] | None = None
    """The results that it is of, and how they were compared; None if it is of a store."""

    def __init__(self, document: _core.Document, groups: list[dict[str, Any]]) -> None:
        super().__init__(document)
        self.groups = [_group(data, own) for data, own in zip(self.data["groups"], groups, strict=True)]

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

    def cells(self, library: str = "pandas", *, parameters: Parameters = False) -> Any:
        """A frame with a row for each cell: mean with intervals, median, interquartile mean, quartiles."""
        return self._frame("cells", library, parameters)

    def differences(self, library: str = "pandas", *, parameters: Parameters = False) -> Any:
        """A frame with a row for each agent's difference from the baseline on an environment.

        ``p`` is that of one test alone (paired t where runs are pairs), ``p_adjusted`` after the correction
        for all rows.
        """
        return self._frame("comparisons", library, parameters)

    def improvements(self, library: str = "pandas", *, parameters: Parameters = False) -> Any:
        """A frame with the probability that a run of an agent is better than one of the baseline."""
        return self._frame("improvements", library, parameters)

    def scores(self, library: str = "pandas", *, parameters: Parameters = False) -> Any:
        """A frame with aggregate scores over environments; empty where there is one environment."""
        return self._frame("scores", library, parameters)

    def profiles(self, library: str = "pandas", *, parameters: Parameters = False) -> Any:
        """A frame with the share of runs above each score; empty where there is one environment."""
        return self._frame("profiles", library, parameters)

    def pairwise(
        self, library: str = "pandas", *, group: int | None = None, parameters: Parameters = False
    ) -> Any:
        """A frame with a row for each pair of agents: how often the one is better than the other.

        ``better`` is the share of pairs of runs that the row's agent wins, ties counting half, in the mean
        over environments; ``p_adjusted`` that of its test, corrected for all pairs of agents. The test is over
        replicates, since a run has the same random numbers on all environments.
        """
        document = Document(_core.pairwise(self._whole(), self._at(group)))
        return document._frame("pairwise", library, parameters)

    def _again(self) -> _core.Document:
        """After a pickle: results do not change, so that the same question has the same answer."""
        if self._asked is None:
            return super()._again()
        results, question = self._asked
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they were heard when it was made
            return results.compare(**question)._whole()

    def _at(self, group: int | None) -> int:
        """The index of a group, which may be left out where there is one."""
        if group is None and len(self.groups) != 1:
            raise ValueError(f"there are {len(self.groups)} groups: choose one with group=0 or the like")
        return position([str(i) for i in range(len(self.groups))], group or 0, "group")

    def _brief(self) -> str:
        if len(self.groups) > 1:
            return f"{self.series}, {counted(len(self.groups), 'group')} of other steps or seeds"
        group = self.groups[0]
        size = f"{counted(len(group.envs), 'environment')} x {counted(len(group.agents), 'agent')}"
        rows = group.data["comparisons"]
        sure = sum(row["p_adjusted"] is not None and row["p_adjusted"] < 0.05 for row in rows)
        found = f"{sure:,} of {counted(len(rows), 'difference')} from {group.baseline} with p_adjusted < 0.05"
        return f"{self.series}, {size}" + (f", {found}" if rows else "")

    def plot(self, kind: str | None = None, group: int | None = None, **options: Unpack[Look]) -> _core.Figure:
        """A figure of one of its groups: one of the kinds of :func:`farsight.plot.kinds`.

        By default the scores, or the intervals where there are no scores. ``options`` are those of
        :class:`farsight.plot.Look`.
        """
        at = self._at(group)
        default = "scores" if self.groups[at].data.get("scores") else "intervals"
        return self._draw(default if kind is None else kind, at, options)


def _group(data: dict[str, Any], own: dict[str, Any]) -> Group:
    steps = data["steps"]
    return Group(
        steps=None if not steps else int(steps),
        episodes=data.get("episodes"),
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
    seed: int | None = 1,
    steps: int | None = None,
    episodes: int | None = None,
    run_seed: int | None = None,
    better: str | None = None,
    paired: bool = False,
    most_agents: int = 60,
    progress: ProgressOf[ComparingProgress] = "auto",
    models: Any = None,
    labels: tuple[list[str], list[str]] | None = None,
) -> Comparison:
    """Compares the agents in a store: intervals, tests, probabilities of improvement, scores. Runs nothing.

    ``store`` is a :class:`Store` or a path. ``series`` is "total", a metric, or either at a step
    ("curve@1000", "regret@1000"). ``baseline`` is the agent that the others are compared with (the best).
    ``agents`` and ``envs`` choose, by spec, label or pattern ("r-max*"); ``steps``, ``episodes`` and ``run_seed`` only
    runs of these. ``correction`` of p-values is "holm", "fdr" or "bonferroni", ``level`` that of all
    intervals; ``resamples`` and ``seed`` are those of the bootstrap. ``better`` is "higher" or "lower"
    where the series does not say it itself. ``paired`` pairs imported runs, too, by their replicates.
    ``progress`` is as in :func:`run`; a function is called with a
    :class:`~farsight.comparison.ComparingProgress`. ``models`` are those of environments that no spec
    describes (:class:`MDP` from arrays): a store has only their hashes. ``labels`` are other names for
    ``envs`` and for ``agents``, two lists in their order, used if there is one group with all of these.
    """
    if store is None:
        raise TypeError("store must be a farsight.Store or a path, not None")
    with opened(store, "r") as open_store, reporting(progress, ComparingProgress) as report:
        assert open_store is not None
        document, groups, exact = _core.stats(
            open_store,
            [] if envs is None else env_specs(envs),
            [] if agents is None else agent_specs(agents),
            series=series,
            baseline=baseline,
            steps=0 if steps is None else steps,
            episodes=0 if episodes is None else episodes,
            run_seed=run_seed,
            better="known" if better is None else better,
            paired=paired,
            level=level,
            correction=correction,
            resamples=resamples,
            seed=seed_of(seed),
            most_agents=most_agents,
            report=report,
            models=list(models or ()),
            env_names=None if labels is None else labels[0],
            agent_names=None if labels is None else labels[1],
        )
    if not groups:
        raise ValueError("the store has no results yet")
    comparison = Comparison(document, groups)
    _warn(comparison, groups, series, exact)
    return comparison


def _warn(comparison: Comparison, groups: list[dict[str, Any]], series: str, exact: bool) -> None:
    """What the numbers are of, where that is not what was asked for, or not all of it."""
    if not exact:
        message = f"the store has no {series!r}; this is {comparison.series!r}, the nearest checkpoint"
        warnings.warn(message, stacklevel=3)
    for label, _, why in (env for group in groups for env in group["envs"]):
        if why is not None:
            warnings.warn(f"the model of {label!r} is not used: {why}", stacklevel=3)
