"""Searches of parameters, and studies of how the time to learn grows with the size of a problem."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from farsight import _core
from farsight._models import label_of, model_of
from farsight._specs import agent_specs, listed, metric_specs
from farsight._typing import FloatArray, IntArray, StrPath
from farsight._words import counted, optional, position, whole
from farsight.device import with_device
from farsight.document import Drawn
from farsight.progress import Progress, ProgressLike, ProgressOf, finish, reporting
from farsight.simulator import Simulator
from farsight.store import opened
from farsight.study import Note, StudyWarning, sentence, storable


@dataclass(frozen=True)
class TunedAgent:
    """What the search has found for one agent. Scores are larger the better: of a metric of which less is
    better, and of a fit, they are the mean and the distance with a minus."""

    space: str
    """The spec that was searched, with ranges in brackets."""
    best: str | None
    """The best setting; None if nothing was measured."""
    defaults: str | None
    """The agent without what is in brackets; None if that is no agent."""
    chosen: bool
    """It has the best score in the search, of all agents that were evaluated on fresh seeds."""
    candidates: int
    """How many settings were measured."""
    spent: int
    """Steps of the search."""
    tuned: float
    """The score of the best setting on the runs of the search."""
    score: float
    """The same on fresh seeds; NaN without an evaluation."""
    ci95: float
    """Half-width of its 95% interval."""
    default_score: float
    """The score of the defaults on the same fresh seeds."""
    gain: float
    """What the search has gained over the defaults, in pairs of runs."""
    gain_ci95: float
    """Half-width of its 95% interval."""
    scores: FloatArray
    """What each run on a fresh seed adds to the score."""
    default_scores: FloatArray
    """The same with the defaults."""


class Tuning(Drawn):
    """The best settings of agents, and how they compare on fresh seeds.

    Its tables are "scores", "cells", "profiles" (how far each parameter can move alone), "points" (of the
    profiles), "trials" (all that was measured) and "comparison" (of several agents). Its figure shows the
    profiles.
    """

    _kind = "tuning"

    def __init__(self, document: _core.Document, scores: list[tuple[bool, FloatArray, FloatArray]]) -> None:
        super().__init__(document)
        self._scores = scores

    @property
    def agents(self) -> list[TunedAgent]:
        """What was found for each agent, in the order in which they were given."""
        return [_tuned(entry, *pair) for entry, pair in zip(self.data["agents"], self._scores, strict=True)]

    @property
    def chosen(self) -> TunedAgent | None:
        """The agent with the best score in the search, of those that were evaluated if any were; None if
        nothing was measured."""
        measured = [agent for agent in self.agents if agent.best is not None]
        evaluated = [agent for agent in measured if agent.chosen]
        return max(evaluated or measured, key=lambda agent: agent.tuned, default=None)

    @property
    def best(self) -> str | None:
        """The best setting of the chosen agent, as a spec."""
        return self.chosen.best if self.chosen else None

    def _brief(self) -> str:
        return f"{counted(len(self.data['agents']), 'agent')}, best {self.best or 'not known'}"

    def trials(self, library: str = "pandas") -> Any:
        """A frame of all that was measured: candidate, setting, runs, score."""
        return self._frame("trials", library)


def _tuned(entry: dict[str, Any], chosen: bool, scores: FloatArray, default_scores: FloatArray) -> TunedAgent:
    score, default_score = (entry[key] or {"mean": None, "ci95": None} for key in ("score", "default_score"))
    return TunedAgent(
        space=entry["space"],
        best=entry["best"],
        defaults=entry["defaults"],
        chosen=chosen,
        candidates=entry["candidates"],
        spent=entry["spent"],
        tuned=_number(entry["tuned"]),
        score=_number(score["mean"]),
        ci95=_number(score["ci95"]),
        default_score=_number(default_score["mean"]),
        gain=_number(entry["gain"]),
        gain_ci95=_number(entry["gain_ci95"]),
        scores=scores,
        default_scores=default_scores,
    )


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


class TuningProgress(NamedTuple):
    """How far a search is; what a function given as ``progress`` is called with."""

    agent: int
    """The index of the agent that is searched."""
    stage: str
    """"search", "evaluation" or "profiles"."""
    steps_done: float
    """Of this stage."""
    steps: float
    """Of this stage; of a search, the budget."""
    candidates: int
    """Settings measured so far."""
    best: float
    """The best score so far; NaN before there is one."""
    seconds: float
    """Since the start."""

    @property
    def share(self) -> float | None:
        """The share of this stage that is done, in 0 ... 1."""
        return self.steps_done / self.steps if self.steps > 0 else 0.0

    def __str__(self) -> str:
        best = "" if math.isnan(self.best) else f", best {self.best:.4g}"
        return f"agent {self.agent + 1}: {self.stage}, {counted(self.candidates, 'setting')}{best}"


def tune(
    agents: Any = None,
    envs: Any = None,
    *,
    plan: StrPath | None = None,
    gamma: float | None = None,
    method: str | None = None,
    budget: int | None = None,
    steps: int | float | None = None,
    runs: int | float | None = None,
    evaluate: int | None = None,
    profile: int | None = None,
    fit: StrPath | None = None,
    relative: bool | None = None,
    score: Any = None,
    seed: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
    store: Any = None,
    progress: ProgressOf[TuningProgress] = "auto",
) -> Tuning:
    """Searches the parameters of agents within a budget of steps, and compares the best on fresh seeds.

    ``agents`` are specs with ranges in brackets, as in "delayed-q:m=[1..100 log]"; without brackets an
    agent's own numbers are searched. ``envs`` are specs, models, Gymnasium environments or simulators
    (:class:`Simulator`), and ``gamma`` is the discount of those that do not say it. ``plan`` is a
    YAML file that has all this; arguments replace what it says. Scores are on the scale from the random to the best
    policy's reward; where one environment is a simulator, of which neither is known, they are plain rewards.

    ``method`` is "halving" (default), "random" or "crs"; ``budget`` the steps of a search (those of 300 full
    candidates); ``runs`` (30) of ``steps`` (10,000) steps are a full candidate's on each environment (budgets are in steps: there
    is no ``episodes`` here);
    ``evaluate`` (300) runs on fresh seeds measure the best; ``profile`` (100) runs each point of the
    profiles. ``fit`` is a CSV file of means to meet instead of the largest reward, ``relative`` measures
    distances from them as fractions. ``score`` is a metric, as in "episodes" or "regret", whose mean is
    searched for its most or its least in place of the reward. ``store``, a :class:`Store` or a path, keeps every run: a search that
    was interrupted resumes from it (a simulator needs a version). ``device`` is as in :func:`run`.
    ``progress`` is "auto" (a line on a terminal or in a notebook), True,
    False or a function of a :class:`TuningProgress`. After Ctrl-C the exception :class:`Interrupted` has
    what was found so far as ``results``.

    >>> import farsight as fs
    >>> t = fs.tune("delayed-q:m=[1..4]", "chain:n=3", steps=200, runs=5, evaluate=10, profile=0)
    >>> t.chosen.candidates
    4
    """
    known = _core.tune_plan(plan) if plan is not None else {}
    gamma = known.get("gamma") if gamma is None else gamma
    names = agent_specs(agents) if agents is not None else known.get("agents", [])
    rows, problems = _problems(envs, fit, known)
    if relative and rows is None:
        raise ValueError("relative is about distances from means: give fit=FILE")
    if score is not None and rows is not None:
        raise ValueError("score and fit do not go together: give one")
    if not names:
        raise ValueError("no agent is given, as in fs.tune('delayed-q:m=[1..100 log]', 'chain:n=10')")
    numbers = {
        "method": method,
        "budget": budget,
        "steps": None if steps is None else whole(steps, "steps"),
        "runs": None if runs is None else whole(runs, "runs"),
        "evaluate": evaluate,
        "profile": profile,
        "seed": seed,
        "relative": relative,
        "score": None if score is None else _metric(score),
    }
    arguments: dict[str, Any] = {**known, **{k: v for k, v in numbers.items() if v is not None}}
    arguments = {key: arguments[key] for key in numbers if key in arguments}
    if rows is not None:
        arguments.pop("score", None)  # of the plan
        arguments["parameters"] = [row[1] for row in rows]
        arguments["targets"] = np.array([row[2:] for row in rows]).ravel()
    made = {spec: model_of(spec, gamma) for spec in problems if isinstance(spec, str)}  # one for equal specs
    cells = [made[p] if isinstance(p, str) else _world(p, gamma) for p in problems]
    labels = [_label(p, cell, gamma) for p, cell in zip(problems, cells, strict=True)]
    where = _core.Device(device)
    if store is not None:
        storable(cells)
    with opened(store, agents=names) as open_store, reporting(progress, TuningProgress) as report:
        document, scores, stopped = _core.tune(
            names,
            cells,
            labels,
            threads=threads,
            store=open_store,
            device=where,
            report=report,
            **arguments,
        )
    return finish(with_device(Tuning(document, scores), where), stopped, store)


def _world(problem: Any, gamma: float | None) -> _core.Model | _core.Simulator:
    if not isinstance(problem, Simulator):
        return model_of(problem, gamma)
    return problem if gamma is None else problem.with_gamma(gamma)


def _label(problem: Any, cell: _core.Model | _core.Simulator, gamma: float | None) -> str:
    return cell.name if isinstance(cell, _core.Simulator) else label_of(problem, cell, gamma)


def _metric(score: Any) -> str:
    specs = metric_specs(score)
    if len(specs) != 1:
        raise ValueError(f"score is {score!r}: must be one metric")
    return specs[0]


def _problems(
    envs: Any, fit: StrPath | None, known: dict[str, Any]
) -> tuple[list[tuple[str, str, float, float, float]] | None, list[Any]]:
    """The rows of the table to fit, if there is one, and the environments."""
    if fit is not None and envs is not None:
        raise ValueError("the file of fit names the environments: leave out envs")
    if fit is None and envs is None:
        fit = known.get("fit")
    if fit is not None:
        rows = _core.fit_table(fit)
        return rows, [row[0] for row in rows]
    problems = known.get("envs", []) if envs is None else listed(envs, "envs")
    if not problems:
        raise ValueError("no environment is given, as in fs.tune('delayed-q', 'chain:n=10')")
    return None, problems


class Growth(Drawn):
    """How the steps that agents need, or what they earn, grow with the size of a problem.

    Its tables are "cells", "laws", "gaps" and "values". Its figure shows the numbers by size, with the laws.
    """

    _kind = "growth"

    remarks: list[str]
    """Notes on the agents at the first size: guarantees that are lost, agents that cannot learn."""

    def __init__(self, document: _core.Document, notes: list[Note]) -> None:
        super().__init__(document)
        self.remarks = [sentence(note) for note in notes]

    def _brief(self) -> str:
        sizes = sorted({cell["size"] for cell in self.data["cells"]})
        span = f"{sizes[0]} ... {sizes[-1]}" if sizes else "no sizes"
        return f"{self.data['env']}, {self.data['key']} = {span}, {counted(len(self.agents), 'agent')}"

    @property
    def agents(self) -> list[str]:
        """The agents, as they were given."""
        return [law["agent"] for law in self.data["laws"]]

    @property
    def laws(self) -> list[dict[str, Any]]:
        """The fitted laws of each agent: polynomial, exponential and mixed, and the verdict."""
        return list(self.data["laws"])

    @property
    def gaps(self) -> list[dict[str, Any]]:
        """The same of the ratio of each further agent's numbers to the first agent's."""
        return list(self.data["gaps"])

    def cells(self, library: str = "pandas") -> Any:
        """A frame with a row for each agent and size."""
        return self._frame("cells", library)

    def values(self, agent: str | int = 0) -> tuple[IntArray, FloatArray]:
        """The sizes, and an agent's median time or mean reward at each.

        Infinite where at least half of the runs had not learned, NaN where there are no runs.
        """
        i = position(self.agents, agent, "agent")
        columns = self.columns("values")
        return columns["size"], np.asarray(columns[f"agent_{i + 1}"], dtype=np.float64)


def growth(
    env: str | None = None,
    agents: Any = None,
    sizes: str | Sequence[int] | npt.NDArray[np.integer[Any]] | None = None,
    *,
    plan: StrPath | None = None,
    key: str = "n",
    measure: str = "earned",
    eps: float = 0.5,
    gamma: float | None = None,
    gamma_scale: float | None = None,
    max_steps: int | float = 1_000_000,
    censored: float = 0.25,
    steps: int | float | None = None,
    runs: int | float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
    store: Any = None,
    progress: ProgressLike = "auto",
) -> Growth:
    """Fits how the steps to learn grow with the size of a problem.

    ``env`` is a spec without its size (simulators have none, nor a best policy to compare with: give :func:`run` one of
    each size), ``sizes`` a list or a text like "5..50 step 5", ``key`` the parameter
    that is the size; gaps are ratios to the first of ``agents``. ``plan`` is a study file whose environments
    are one at several sizes; arguments replace its agents, runs, seed and steps.

    ``measure`` is "earned" (steps after which the reward so far stays above 1 - ``eps`` of the best average
    reward), "learned" (steps after which the frozen policy is within eps V* at the start), "last-mistake" or
    "reward" (of ``steps`` steps). The problem's discount is ``gamma``, or 1 - ``gamma_scale`` / size, unless
    ``env`` says what counts. At every size the budget is doubled, up to ``max_steps``, until at most the fraction ``censored``
    of the runs has not learned. ``store``, ``threads``, ``device`` and ``progress`` are as in :func:`run`.
    After Ctrl-C the exception :class:`Interrupted` has the finished sizes as ``results``.

    >>> import farsight as fs
    >>> g = fs.growth("chain", ["delayed-q", "psrl"], [3, 4, 5], runs=10)
    >>> g.values("psrl")[0].tolist()
    [3, 4, 5]
    """
    if isinstance(env, Simulator):
        raise TypeError(
            "env must be a spec without its size, as in 'chain': growth makes the environment at every size and "
            "compares with its best policy, and of a simulator neither can be done; fs.run takes several simulators"
        )
    if gamma is not None and gamma_scale is not None:
        raise ValueError("gamma and gamma_scale do not go together: give one")
    known = _plan(plan, key, env, sizes)
    if gamma is None and gamma_scale is None:
        gamma = known.get("gamma")
    names = agent_specs(agents) if agents is not None else known.get("agents")
    env = known.get("env", env)
    sizes = known.get("sizes", sizes)
    if env is None or names is None or sizes is None:
        raise ValueError("env, agents and sizes must be given, or a plan that has them")
    given = {
        "steps": None if steps is None else whole(steps, "steps"),
        "runs": None if runs is None else whole(runs, "runs"),
        "seed": seed,
    }
    numbers = {name: known.get(name) if value is None else value for name, value in given.items()}
    where = _core.Device(device)
    with opened(store, agents=names) as open_store, reporting(progress, Progress) as report:
        document, notes, stopped = _core.growth(
            env,
            names,
            _core.integers(sizes) if isinstance(sizes, str) else _whole(sizes),
            key=key,
            measure=measure,
            eps=eps,
            gamma=optional(gamma, "gamma"),
            gamma_scale=1.0 if gamma_scale is None else gamma_scale,
            max_steps=whole(max_steps, "max_steps"),
            censored=censored,
            threads=threads,
            store=open_store,
            device=where,
            report=report,
            **{name: value for name, value in numbers.items() if value is not None},
        )
    for note in notes:
        if note[0]:
            warnings.warn(sentence(note), StudyWarning, stacklevel=2)
    return finish(with_device(Growth(document, notes), where), stopped, store)


def _plan(plan: StrPath | None, key: str, env: Any, sizes: Any) -> dict[str, Any]:
    if plan is None:
        return {}
    if env is not None or sizes is not None:
        raise ValueError("a plan gives environment and sizes: leave out env and sizes")
    return dict(_core.growth_plan(plan, key))


def _whole(sizes: Any) -> IntArray:
    array = np.asarray(sizes)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"sizes are of {array.dtype}: must be whole numbers")
    return array.astype(np.int64)
