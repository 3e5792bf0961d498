"""Sequential comparison: which agents are told apart, with an error that holds whenever one looks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from farsight import _core
from farsight._errors import InvalidError
from farsight._frames import frame as make_frame
from farsight._frames import objects
from farsight._typing import FloatArray
from farsight._words import position, seed_of
from farsight.results import Results


@dataclass(frozen=True)
class RankedPair:
    """What was decided about two agents on an environment."""

    env: str
    first: str
    second: str
    better: str | None
    """The better of the two; None: a tie, as far as these runs tell."""
    runs: int
    """Runs of each at which it was decided, or at the last look; 0 if there were too few for one."""
    look: int
    """The number of that look, from 1."""
    difference: float
    """The mean of first less second there; NaN without a look."""
    p: float
    """A p-value that holds although one looked again and again."""
    p_adjusted: float
    """The same, adjusted by Holm's correction for all pairs on all environments."""
    skewed: bool
    """At that look the differences were too skewed for a test of their mean, or all equal in under 300 runs."""


@dataclass(frozen=True)
class Ranking:
    """Which agents are better than which: :func:`rank` makes it."""

    alpha: float
    """The probability that any of the decisions is about agents that are equal is at most this."""
    envs: list[str]
    agents: list[str]
    pairs: list[RankedPair]
    """Every two agents on every environment, by environment, first and second."""

    @property
    def ties(self) -> int:
        """How many pairs are not decided."""
        return sum(pair.better is None for pair in self.pairs)

    def ranks(self, env: str | int | None = None) -> dict[str, tuple[int, int]]:
        """The best and the worst rank that each agent may have on an environment (by label or index)."""
        label = self.envs[position(self.envs, 0 if env is None else env, "environment")]
        decided = [
            pair for pair in self.pairs if pair.env == label and pair.better is not None
        ]
        out = {}
        for agent in self.agents:
            mine = [pair for pair in decided if agent in (pair.first, pair.second)]
            won = sum(pair.better == agent for pair in mine)
            out[agent] = (1 + len(mine) - won, len(self.agents) - won)
        return out

    def frame(self, library: str = "pandas") -> Any:
        """One row per pair, with the members of :class:`~farsight.ranking.RankedPair`; a tie's better is ""."""
        columns: dict[str, Any] = {
            key: objects([getattr(pair, key) or "" for pair in self.pairs])
            for key in ("env", "first", "second", "better")
        }
        for key in ("runs", "look", "difference", "p", "p_adjusted", "skewed"):
            columns[key] = np.array([getattr(pair, key) for pair in self.pairs])
        return make_frame(columns, library)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{len(self.pairs)} pairs, {self.ties} of them ties; error at most {100 * self.alpha:g}%"
        for pair in self.pairs:
            both = f"{pair.first} and {pair.second}"
            verdict = f"{pair.better} is better" if pair.better is not None else "a tie"
            where = f"{pair.env}: " if pair.env else ""
            yield f"{where}{both}: {verdict} after {pair.runs} runs (p {pair.p_adjusted:.2g})"


def rank(
    runs: Results | Mapping[str, ArrayLike] | Mapping[str, Mapping[str, ArrayLike]],
    alpha: float | None = None,
    *,
    first: int | None = None,
    growth: float = 1.5,
    seed: int | None = 1,
    series: str = "total",
    better: str = "higher",
) -> Ranking:
    """Decides which agents are better; valid under repeated looks, so that more runs may be added later.

    ``runs`` are results of :func:`run`, or numbers of runs by agent, or those by environment; run k of every
    agent is of the same replicate. ``alpha`` is the probability of any wrong decision (0.05), ``first`` the
    runs at the first look (100), ``growth`` how they grow from look to look. Results that were made with
    ``until="rank=5%"`` have both from there, and the decisions are those of the study. ``series`` of results
    is "total" or a metric, ``better`` is "higher" or "lower". ``seed`` is that of the random signs.

    >>> import farsight as fs
    >>> r = fs.run("chain:n=4", ["delayed-q", "random"], steps=200, runs=200, until="rank=5%", progress=False)
    >>> fs.rank(r).pairs[0].better
    'delayed-q'
    """
    if better not in ("higher", "lower"):
        raise ValueError(f"better is {better!r}: must be 'higher' or 'lower'")
    envs, agents, cells = (
        _of_results(runs, series) if isinstance(runs, Results) else _of_arrays(runs)
    )
    if isinstance(runs, Results):
        alpha, first = _rule_of(runs, alpha, first)
    most = max((len(x) for x in cells), default=0)
    alpha = 0.05 if alpha is None else alpha
    first = 100 if first is None else first
    found = _core.rank(
        cells,
        len(agents),
        alpha=alpha,
        first=first,
        growth=growth,
        most=max(most, first),
        seed=seed_of(seed),
        lower=better == "lower",
    )
    return Ranking(
        float(alpha), envs, agents, [_pair(row, envs, agents) for row in found]
    )


def _pair(row: tuple[Any, ...], envs: list[str], agents: list[str]) -> RankedPair:
    env, a, b, better, look, runs, difference, p, p_adjusted, skewed = row
    best = {1: agents[a], -1: agents[b]}.get(better)
    return RankedPair(
        envs[env],
        agents[a],
        agents[b],
        best,
        runs,
        look,
        difference,
        p,
        p_adjusted,
        skewed,
    )


def _of_results(
    results: Results, series: str
) -> tuple[list[str], list[str], list[FloatArray]]:
    """Labels and runs; of a study that was stopped, those before the first gap."""
    cells = []
    for env, agent in results._places():
        is_total = series in ("total", "reward")
        values = (
            results.totals(env, agent)
            if is_total
            else results.metric(series, env, agent)
        )
        replicates = results.replicates(env, agent)
        in_place = np.append(replicates == np.arange(len(replicates)), False)
        cells.append(np.array(values[: int(np.argmin(in_place))]))
    return results.envs, results.agents, cells


def _rule_of(
    results: Results, alpha: float | None, first: int | None
) -> tuple[float | None, int | None]:
    """What is not given, from the study's own rule."""
    rule = re.fullmatch(
        r"rank=([^,%]*)(%?)(?:,first=(.*))?", str(results._info["until"])
    )
    if rule is None:
        return alpha, first
    number, percent, runs = rule.groups()
    most = int(results._info["runs"])
    own = int(float(runs)) if runs else min(100, most)
    error = float(number) / (100 if percent else 1)
    return error if alpha is None else alpha, own if first is None else first


def _of_arrays(
    runs: Mapping[str, Any],
) -> tuple[list[str], list[str], list[FloatArray]]:
    if not isinstance(runs, Mapping):
        raise TypeError(
            f"runs must be results or a dict of runs by agent, not {type(runs).__name__}"
        )
    nested = (
        all(isinstance(value, Mapping) for value in runs.values()) and len(runs) > 0
    )
    by_env = (
        {str(env): dict(of) for env, of in runs.items()} if nested else {"": dict(runs)}
    )
    agents = list(next(iter(by_env.values())))
    for env, of in by_env.items():
        if set(of) != set(agents):
            raise ValueError(f"environment {env!r} has other agents than the first one")
    cells = [
        np.asarray(of[agent], dtype=np.float64)
        for of in by_env.values()
        for agent in agents
    ]
    for x in cells:
        if x.ndim != 1:
            raise ValueError(
                "the runs of an agent must be one number each, in one dimension"
            )
    for i, env in enumerate(by_env):
        lengths = [len(x) for x in cells[i * len(agents) : (i + 1) * len(agents)]]
        if len(set(lengths)) > 1:
            where = f" on {env!r}" if env else ""
            each = ", ".join(f"{n} of {agent!r}" for agent, n in zip(agents, lengths, strict=True))
            raise InvalidError(
                f"there are {each}{where}: give equally many runs, since run k of every agent is of the same replicate"
            )
    return list(by_env), [str(agent) for agent in agents], cells
