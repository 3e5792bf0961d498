"""The benchmark: agents on a frozen suite of problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from farsight import _core
from farsight._errors import Interrupted
from farsight._specs import agent_specs
from farsight._typing import StrPath
from farsight._words import counted, whole
from farsight.document import Document, Drawn
from farsight.progress import Progress, ProgressLike, reporting
from farsight.store import Store, opened


@dataclass(frozen=True)
class Standing:
    """An agent in a setting of the benchmark."""

    setting: str
    """"continuing", "episodic" or "finite horizon"."""
    agent: str
    """Its spec as given."""
    score: float
    """Mean over the problems: 0 for the random policy, 1 for the best one; scored by a metric, the mean rank (1 is
    best). NaN if it failed."""
    low: float
    """Lower end of the score's 95% interval; NaN where the runs do not vary."""
    high: float
    """Upper end."""
    weakest: str
    """The problem with its lowest mean score, or its last mean rank."""
    least: float
    """That score or rank."""
    late: float
    """The score of the rewards of the last quarter of a run, the mean over problems and runs."""
    locked_in: int
    """In how many runs that is below 0.5: they end with a policy worth less than half of the scale."""
    judged: int
    """Of how many runs: those on all problems."""
    first: int
    """The best rank that it may have: the ranks between first and last are a tie."""
    last: int
    """The worst one."""
    seconds: float
    """Processor time a step."""
    impossible: bool
    """On some problem it has earned more than the best policy can, by far."""
    failure: str
    """Why it could not be judged: the problem, the step and what happened; "" if it was."""


class Benchmark(Drawn):
    """Agents judged on the suite; printing it shows the command's text.

    ``table("standings")``, ``table("profiles")`` (the share of runs above some scores) and
    ``table("problems")`` are frames; ``plot()`` draws the performance profiles of the best agents. Scored by a metric
    there are neither profiles nor a figure.
    """

    _kind = "profiles"

    standings: list[Standing]
    """Every agent in every setting that it can be run in: by setting, best first, failures last."""

    def __init__(self, document: _core.Document, standings: list[Standing]) -> None:
        super().__init__(document)
        self.standings = standings

    def _brief(self) -> str:
        agents = len({standing.agent for standing in self.standings})
        failed = f", {counted(len(self.failed), 'failure')}" if self.failed else ""
        return f"{counted(agents, 'agent')}{failed}"

    @property
    def failed(self) -> list[Standing]:
        """The standings of agents that could not be judged."""
        return [standing for standing in self.standings if standing.failure]


def benchmark(
    agents: Any,
    *,
    tuning: bool = False,
    long: bool = False,
    score: str | None = None,
    runs: int | float | None = None,
    seed: int = 2026,
    store: Store | StrPath | None = None,
    threads: int | None = 0,
    progress: ProgressLike = "auto",
) -> Benchmark:
    """Judges agents on the frozen suite of problems, as the command benchmark does.

    ``agents`` are specs, entries of ``fs.agents``, or classes that inherit from :class:`PyAgent`. Each is run
    in the settings that it can be run in, on the problems for judging, or with ``tuning=True`` on those for
    tuning. Results go through ``store`` (a :class:`Store`, or the path of one), and what it has is not
    computed again. ``runs`` are those of each agent on each problem, 20 unless given. Another ``seed`` than the
    suite's makes another table, to check an entry. A run has 20,000 steps, which every agent may know: those with the
    parameter ``steps`` are told, unless their spec gives it. With ``long=True`` it has a million, and there are 5 runs:
    ``locked_in`` of a :class:`Standing` then says in how many the agent is stuck.

    With ``score`` agents are ranked by that metric ("regret"). It has no scale from the random policy to the best one,
    so that agents get ranks in each run on each problem, and ``Standing.score`` is the mean of these.

    An agent in Python that raises an exception is left out of its setting, and its standing has the reason
    as ``failure``; the others are judged. It is told another seed than that of the environment.

    >>> import farsight as fs
    >>> b = fs.benchmark(["random", "q-learning"], tuning=True, runs=2, progress=False)
    >>> b.standings[0].agent, b.standings[0].setting
    ('q-learning', 'continuing')
    """
    number = 0 if runs is None else whole(runs, "runs")
    if runs is not None and number < 2:
        raise ValueError(f"runs = {number}: must be at least 2")
    specs = agent_specs(agents)
    with opened(store, agents=specs) as open_store, reporting(progress, Progress) as report:
        try:
            document, rows = _core.benchmark(
                specs, tuning, long, score, number, seed, store=open_store, threads=threads, report=report
            )
        except KeyboardInterrupt:
            kept = "" if open_store is None else f"; {open_store.path} keeps all runs, and the same call resumes"
            raise Interrupted(f"stopped before all agents were judged{kept}", None) from None
    return Benchmark(document, [Standing(*row) for row in rows])


def benchmark_suite() -> Document:
    """The problems of the benchmark: the table "suite".

    It has what each is for, its states, actions, diameter, least gap and span of values, and why it is there.

    >>> import farsight as fs
    >>> len(fs.benchmark_suite().table(library="numpy")["problem"])
    40
    """
    return Document(_core.benchmark_suite())
