"""Studies: environments x agents, run on threads with paired random numbers."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from farsight import _core
from farsight._errors import AbsentError
from farsight._models import is_gymnasium, label_of, model_of
from farsight._specs import agent_specs, find_spec, listed, metric_specs, name_of, named, refuse_several
from farsight._typing import StrPath
from farsight._words import checked_gamma, counted, length_of, whole
from farsight.catalog import agents as known_agents
from farsight.device import with_device
from farsight.document import Document
from farsight.progress import Progress, ProgressLike, finish, reporting
from farsight.pyagent import is_python_agent, refresh
from farsight.results import Results
from farsight.simulator import Simulator
from farsight.store import Store, opened


class StudyWarning(UserWarning):
    """A note on a study: an agent that cannot learn, a guarantee that is lost, states that no run reaches."""


# ---- what can stand for an environment ----


def _environments(envs: Any, gamma: float | None = None) -> dict[str, Any]:
    """Arguments of the extension's Study: specs, and beside them models without a spec, and simulators.

    And ``limits``, the time limits that are not part of these models. Models and simulators that name no discount
    get ``gamma``, as specs do.
    """
    if isinstance(envs, Mapping) and not envs:
        raise ValueError("envs is empty: at least one is needed")
    given = list(envs.items()) if isinstance(envs, Mapping) else [(None, env) for env in listed(envs, "envs")]
    pairs = [environment(name, env) for name, env in given]
    names = [name for name, _ in pairs]
    limits = {name: _time_limit(env) for name, (_, env) in zip(names, given, strict=True)}
    return {"envs": names, "models": [_discounted(model, gamma) for _, model in pairs], "limits": limits}


def _discounted(
    model: _core.Model | _core.Simulator | None, gamma: float | None
) -> _core.Model | _core.Simulator | None:
    if gamma is None or model is None:
        return model
    return model.with_gamma(gamma) if isinstance(model, Simulator) else model_of(model, gamma)


def _time_limit(env: Any) -> int | None:
    """After how many steps Gymnasium cuts off an episode; None: never."""
    found = getattr(getattr(env, "spec", None), "max_episode_steps", None)
    return found if is_gymnasium(env) and isinstance(found, int) else None


def environment(name: str | None, env: Any) -> tuple[str, _core.Model | _core.Simulator | None]:
    """A spec alone, or a name and a model or simulator."""
    if isinstance(env, _core.Simulator):
        return (name if name is not None else env.name), env
    spec = find_spec(env)
    if spec is None and not isinstance(env, _core.Model) and not is_gymnasium(env):
        raise TypeError(
            "expected a model (fs.MDP), a spec such as 'chain:n=10', a Gymnasium environment with a table of "
            f"its transitions, or fs.Simulator(make) of a function that makes an environment, not {env!r}"
        )
    if isinstance(env, str):
        refuse_several(env, "environments")
    if spec is not None:
        return (spec if name is None else named(name, spec)), None
    model = model_of(env)
    if name is None and model.spec:  # one of our environments in Gymnasium
        return model.spec, None
    return (name if name is not None else label_of(env, model)), model


def _agents(agents: Any) -> list[str]:
    """The specs of agents, behind their names where a dict gives these."""
    if not isinstance(agents, Mapping):
        return agent_specs(agents)
    if not agents:
        raise ValueError("agents is empty: at least one is needed")
    specs = agent_specs(list(agents.values()))
    return [named(name, spec) for name, spec in zip(agents, specs, strict=True)]


# ---- the study ----


class Study(_core.Study):
    """Environments x agents, with everything checked before anything runs.

    ``envs`` and ``agents`` are specs or lists of specs; a value in brackets stands for several, as in
    ``"chain:n=[10,50]"``. An environment may also be a model (:class:`farsight.MDP`, or a Gymnasium
    environment with a table of its transitions) or a :class:`farsight.Simulator`. An agent may be a class of agents
    (:class:`farsight.PyAgent`). A dict gives names to environments, or to agents: ``{"fast": "r-max:m=5"}``; results,
    stores and figures call them so. A run has 10,000 ``steps``, or ends after so many ``episodes``, done or cut
    (``steps`` is then the most that it may have). ``gamma`` is the discount of all environments that do not say
    what counts (else 0.95): all agents plan with the discount of their environment, unless their own spec has
    another. ``runs`` is 300 by default; with ``until`` (``"ci=1%"``) runs are added until the 95% interval is that
    narrow, or (``"rank=5%"``) until every pair of agents is told apart with this error (:func:`rank` tells the
    decisions), and ``runs`` is the most. ``curve`` (``100``, ``"log 50"``, ``"10,100,1000"``) records rewards and
    metrics at checkpoints; ``snapshots`` keeps what the agents of the first so many runs know at these (the ends of
    episodes, with ``episodes``).

    >>> import farsight as fs
    >>> study = fs.Study("chain:n=[5,10]", ["delayed-q", "r-max"], steps=1000, runs=10)
    >>> study.envs, study.agents
    (['chain:n=5', 'chain:n=10'], ['delayed-q', 'r-max'])
    >>> study.run().totals("chain:n=5", "r-max").shape
    (10,)
    """

    _definition: dict[str, Any]
    _written: list[str]  # full specs of the agents that are written in Python

    def __new__(
        cls,
        envs: Any,
        agents: Any,
        *,
        gamma: float | None = None,
        steps: int | float | None = None,
        episodes: int | float | None = None,
        runs: int | float | None = None,
        seed: int | None = 1,
        metrics: Any = (),
        curve: str | int | Iterable[int] | None = None,
        until: str | None = None,
        snapshots: int = 0,
        name: str | None = None,
    ) -> Study:
        return cls._make(
            envs=envs,
            agents=agents,
            gamma=gamma,
            steps=steps,
            episodes=episodes,
            runs=runs,
            seed=seed,
            metrics=metrics,
            curve=curve,
            until=until,
            snapshots=snapshots,
            name=name,
        )

    @classmethod
    def _make(cls, **given: Any) -> Study:
        """From arguments of a study, and ``text`` or ``path`` of a YAML file that these replace parts of."""
        if "text" in given or "path" in given:  # a file that may name classes
            refresh()
        definition = _definition(given)
        limits = definition.pop("limits", {})
        study = _core.Study.__new__(cls, **definition)
        path = definition.pop("path", None)
        if path is not None:  # a copy of the study elsewhere may not have the file
            with open(path, encoding="utf-8") as file:
                definition["text"] = file.read()
        study._definition = definition
        study._written = study._python_agents()
        _warn(study._notes)
        _warn_of_limits(limits, study.steps)
        return study

    @classmethod
    def from_yaml(cls, source: StrPath, **overrides: Any) -> Study:
        """A study from a YAML file, or from its text (what has a line break or a colon and a space).

        ``overrides`` are arguments of :class:`Study` that replace what the file says.

        >>> import farsight as fs
        >>> fs.Study.from_yaml("environments: [chain]\\nagents: [r-max]\\nruns: 20", steps=500).runs
        20
        """
        is_text = isinstance(source, str) and ("\n" in source or ": " in source)
        for key in overrides.keys() - _ARGUMENTS:
            raise TypeError(f"there is no {key!r}: {', '.join(sorted(_ARGUMENTS))}")
        return cls._make(**overrides, **{"text" if is_text else "path": source})

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self._definition)

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        return (
            f"Study({name}{counted(len(self.envs), 'environment')} x {counted(len(self.agents), 'agent')}, "
            f"{self._length()}, {self.runs:,} runs)"
        )

    def _python_agents(self) -> list[str]:
        return [self._resolve(agent, 0) for agent in self._info()["agent_specs"] if is_python_agent(agent)]

    @property
    def _nameless(self) -> bool:
        """Whether it has a simulator without a version: no store can know its runs."""
        return any(model.version is None for model in self._models if isinstance(model, _core.Simulator))

    @property
    def name(self) -> str:
        """Its name, or ``""``."""
        return str(self._info()["name"])

    @property
    def envs(self) -> list[str]:
        """The environments as given, with grids expanded."""
        return list(self._info()["envs"])

    @property
    def agents(self) -> list[str]:
        """The agents as given, with grids expanded."""
        return list(self._info()["agents"])

    @property
    def metrics(self) -> list[str]:
        """The metrics as given, with grids expanded."""
        return list(self._info()["metrics"])

    @property
    def gamma(self) -> float | None:
        """The discount of environments that do not say what counts; None: 0.95."""
        gamma = float(self._info()["gamma"])
        return None if math.isnan(gamma) else gamma

    def _length(self) -> str:
        return length_of(self._info())

    @property
    def steps(self) -> int:
        """Steps of each run; with ``episodes`` the most that a run may have, in any environment."""
        return int(max(self._info()["steps"]))

    @property
    def episodes(self) -> int | None:
        """Each run ends after so many episodes; None: after its steps."""
        return self._info()["episodes"] or None

    @property
    def runs(self) -> int:
        """Runs of each cell; with ``until`` the most."""
        return int(self._info()["runs"])

    @property
    def seed(self) -> int:
        """The seed of all random numbers."""
        return int(self._info()["seed"])

    @property
    def notes(self) -> list[str]:
        """All notes on it, which are also given as one or a few warnings."""
        return [sentence(note) for note in self._notes]

    def run(
        self,
        *,
        store: Store | StrPath | None = None,
        threads: int | None = None,
        device: str = "cpu",
        progress: ProgressLike = "auto",
    ) -> Results:
        """Runs it on threads (one per processor by default), and returns its :class:`Results`.

        Runs that ``store`` (a :class:`Store`, or the path of one) has are not computed again. The same study
        gives the same numbers to the last bit, whatever the threads and the device, and as the command does. Ctrl-C
        raises :class:`Interrupted` with what is finished. ``device`` is as in :func:`run`. ``progress`` is "auto", True, False or a function of a
        :class:`~farsight.progress.Progress`.
        """
        if store is not None:
            storable(self._models)
        with opened(store, agents=self._written) as open_store:
            by_path = open_store is not None and open_store is not store
            path = os.path.abspath(open_store.path) if by_path and open_store else None
            return _run(self, open_store, path, threads, device, progress)

    def cost(
        self,
        *,
        store: Store | StrPath | None = None,
        threads: int | None = None,
        device: str = "cpu",
        seconds: float = 1.0,
    ) -> Cost:
        """What it would cost: steps, time, and bytes in a store, estimated by short trials.

        Runs that ``store`` has cost nothing; the trials take about so many ``seconds``. Nothing is written.
        Short trials see the beginning of a run alone. Where agents plan more at first than later, or the other
        way round, the estimate is far off: give them more seconds.
        With a ``device`` the table has where each cell runs, and why not on the device.

        >>> import farsight as fs
        >>> fs.Study("chain:n=5", "r-max", runs=20).cost(seconds=0.01).runs
        20
        """
        where = _core.Device(device)
        if isinstance(store, (str, os.PathLike)) and not os.path.exists(store):
            found = self._cost(None, _shown_path(os.fspath(store)), threads, seconds, where)
            return with_device(Cost(*found), where)
        with opened(store, "r") as open_store:
            name = None if open_store is None else _shown_path(open_store.path)
            return with_device(Cost(*self._cost(open_store, name, threads, seconds, where)), where)


class Cost(Document):
    """What a study would cost; printing it shows the command's text.

    ``runs`` are those of all cells, of which the store has ``known``; ``steps`` are left, and take about
    ``seconds`` of time; a store would grow by about ``bytes``.
    """

    def __init__(
        self, core: _core.Document, runs: int, known: int, steps: float, seconds: float, bytes: float
    ) -> None:
        super().__init__(core)
        self.runs, self.known, self.steps, self.seconds, self.bytes = runs, known, steps, seconds, bytes

    def _brief(self) -> str:
        known = f", {self.known:,} in the store" if self.known else ""
        return f"{counted(self.runs, 'run')}{known}, about {self.seconds:.3g} s"


def _remake(kind: type[Study], definition: dict[str, Any]) -> Study:
    study = _core.Study.__new__(kind, **definition)
    study._definition = definition
    study._written = study._python_agents()
    return study


_ARGUMENTS = {"envs", "agents", "gamma", "metrics", "steps", "episodes", "runs", "seed", "curve", "until", "snapshots", "name"}


def _definition(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a study as the extension takes them."""
    made = dict(given)
    if made.get("gamma") is not None:
        made["gamma"] = checked_gamma(made["gamma"])
    if "envs" in made:
        made.update(_environments(made["envs"], made.get("gamma")))
    if "agents" in made:
        made["agents"] = _agents(made["agents"])
    if "metrics" in made:
        made["metrics"] = metric_specs(made["metrics"])
    for name in ("steps", "episodes", "runs", "snapshots"):
        if made.get(name) is not None:
            made[name] = whole(made[name], name)
    if "curve" in made:
        made["curve"] = _curve(made["curve"])
    return made


def _curve(curve: str | int | Iterable[int] | None) -> str | None:
    """Checkpoints as the library's text: 100, "log 50", "10,100,1000" or a list of steps."""
    if curve is None or isinstance(curve, str):
        return curve
    if isinstance(curve, Iterable):
        steps = [str(whole(step, "curve")) for step in curve]
        if not steps:
            raise ValueError("curve is empty: at least one step is needed")
        return ",".join(steps) + ","
    return str(whole(curve, "curve"))


def storable(models: Iterable[Any]) -> None:
    """Refuses simulators without a version, before a store is opened for them."""
    for model in models:
        if isinstance(model, _core.Simulator):
            model._stored_as()


# ---- notes ----

Note = tuple[bool, str | None, str | None, str | None, str]
MOST_WARNINGS = 5


def sentence(note: Note) -> str:
    _, env, agent, metric, message = note
    of = " of ".join(part for part in (metric, agent) if part)
    subject = " on ".join(part for part in (of, env) if part)
    return f"{subject}: {message}" if subject else message


def _has_guarantee(agent: str) -> bool:
    entry = known_agents.get(name_of(agent))
    guarantee = entry.guarantee if entry is not None else None
    return guarantee is not None and not guarantee.startswith("none")


def _warn(notes: list[Note]) -> None:
    """What is severe, then the rest: agents outside their guarantee share one warning, as do those without a clock and
    those with a discount of their own.

    It is the warning of the caller of the function that makes the study: run, Study or from_yaml.
    """
    level = 4  # this function, Study._make, and the one that the user has called
    shown: list[str] = []
    outside: dict[str, None] = {}
    going_on: dict[str, None] = {}
    planning: dict[str, None] = {}
    for note in sorted(notes, key=lambda note: not note[0]):
        agent = note[2]
        if agent is not None and note[4].startswith("it takes no notice of the horizon"):
            going_on[name_of(agent)] = None
        elif agent is not None and note[4].startswith("plans with the discount "):
            planning[name_of(agent)] = None
        elif not note[0] and agent is not None and note[3] is None and _has_guarantee(agent):
            outside[name_of(agent)] = None
        else:
            shown.append(sentence(note))
    for text in shown[:MOST_WARNINGS]:
        warnings.warn(text, StudyWarning, stacklevel=level)
    if len(shown) > MOST_WARNINGS:
        warnings.warn(
            f"{len(shown) - MOST_WARNINGS} more such notes; Study.notes has all", StudyWarning, level
        )
    if going_on:
        warnings.warn(
            f"agents that ignore the horizon ({', '.join(going_on)}): they learn as if episodes continued "
            "where they are cut",
            StudyWarning,
            stacklevel=level,
        )
    if planning:
        warnings.warn(
            f"agents that plan with another discount than the problem's ({', '.join(planning)}): the problem's "
            "criterion judges them; Study.notes has the details",
            StudyWarning,
            stacklevel=level,
        )
    if outside:
        warnings.warn(
            f"parameters outside the guarantee ({', '.join(outside)}); fs.pac shows what theory requires, "
            "Study.notes has the details",
            StudyWarning,
            stacklevel=level,
        )


def _warn_of_limits(limits: Mapping[str, int | None], steps: int) -> None:
    """One warning for the time limits that a run of so many steps would meet."""
    met = {name: limit for name, limit in limits.items() if limit is not None and limit < steps}
    if not met:
        return
    if len(met) == 1:
        text = "its time limit of {} steps is not part of the model; fs.Simulator keeps it"
    else:
        text = "their time limits ({} steps) are not part of the models; fs.Simulator keeps them"
    text = text.format(", ".join(map(str, met.values())))
    warnings.warn(f"{', '.join(met)}: {text}", StudyWarning, stacklevel=4)


# ---- running ----


def _private_store() -> Store | None:
    """A store in memory, for snapshots; None on a build without SQLite."""
    try:
        return Store("results", mode="memory")
    except AbsentError:
        return None


def _run(
    study: Study,
    store: Store | None,
    path: str | None,
    threads: int | None,
    device: str,
    progress: ProgressLike,
) -> Results:
    keeps = store is None and study._info()["snapshots"] > 0 and not study._nameless
    through = _private_store() if keeps else store
    name = None if store is None else _shown_path(store.path)
    where = _core.Device(device)
    with reporting(progress, Progress) as report:
        batch, stopped = study._run(through, name, threads, report, where)
    kept = None if path is not None else through
    results = None if batch is None else with_device(Results._of(study, batch, kept, path, name), where)
    if results is None and stopped is None:
        raise RuntimeError("the study has no results")
    runs = 0 if results is None else sum(results.runs(i, j) for i, j in results._places())
    found = counted(runs, "finished run") if runs > 0 else ""
    return finish(results, stopped, name, found)  # type: ignore[return-value]


def _shown_path(path: str) -> str:
    """For messages: a path of any bytes, also of those that are not text."""
    return os.fsencode(path).decode(errors="replace")


def run(
    envs: Any,
    agents: Any,
    *,
    gamma: float | None = None,
    steps: int | float | None = None,
    episodes: int | float | None = None,
    runs: int | float | None = None,
    seed: int | None = 1,
    metrics: Any = (),
    curve: str | int | Iterable[int] | None = None,
    until: str | None = None,
    snapshots: int = 0,
    store: Store | StrPath | None = None,
    threads: int | None = None,
    device: str = "cpu",
    progress: ProgressLike = "auto",
    name: str | None = None,
) -> Results:
    """Runs agents on environments, at the speed of C, and returns their :class:`Results`.

    All agents see the same random numbers: run k of every cell (an environment and an agent) uses the same
    streams. The same arguments give the same numbers to the last bit, on any number of threads, on any
    device, and as the command does. Ctrl-C raises :class:`Interrupted` with what is finished.

    Args:
        envs: a spec such as "chain:n=10", a model (:class:`MDP`), a Gymnasium environment with a table of
            its transitions, a :class:`Simulator`, or a list of these; a dict gives names to them.
        agents: a spec such as "r-max:m=5", a class of agents (:class:`PyAgent`), or a list of these. A value
            in brackets, as in "r-max:m=[5,20]" or "chain:n=[10,50]", stands for several.
        gamma: the discount of all environments that do not say what counts, for all agents whose spec has none of
            its own; 0.95 by default. A model that names another one is a ValueError.
        steps: of each run, 10,000 by default; agents that count with the length of the run are told it. With
            episodes, the most that a run may have.
        episodes: each run ends after so many, whether they ended in a terminal state or were cut. Where an episode may
            have any number of steps (no horizon), steps must be given as well.
        runs: of each cell, 300 by default; with until, the maximum.
        seed: of all random numbers.
        metrics: what else to record of each run, such as "regret"; ``fs.metrics`` lists them.
        curve: record rewards and metrics at these steps, or with episodes at the ends of these episodes: a number of
            checkpoints, "log 50", or a list.
        until: as "ci=1%": add runs until the 95% intervals are that narrow; as "rank=5%": until every pair of
            agents is told apart, the probability of any wrong decision being at most 5% (see rank).
        snapshots: keep what the agents of the first so many runs know at the checkpoints.
        store: a :class:`Store` or a path, where every run is kept. Runs that it has are not computed again. A
            :class:`Simulator` needs a version for it.
        threads: one per processor by default.
        device: "cpu"; "gpu": a graphics processor computes the cells that it takes, threads the others; "auto":
            it computes those that it should compute in less time. ``device`` of the results has what it has
            computed. Where there is none or it fails, a :class:`DeviceWarning` says so, and threads compute
            the rest.
        progress: "auto" (a bar on a terminal or in a notebook), True, False, or a function of a
            :class:`~farsight.progress.Progress`.
        name: of the study.

    >>> import farsight as fs
    >>> r = fs.run("chain:n=5", ["delayed-q", "r-max"], steps=1000, runs=20, progress=False)
    >>> r.totals("chain:n=5", "r-max").shape
    (20,)
    """
    study = Study._make(
        envs=envs,
        agents=agents,
        gamma=gamma,
        steps=steps,
        episodes=episodes,
        runs=runs,
        seed=seed,
        metrics=metrics,
        curve=curve,
        until=until,
        snapshots=snapshots,
        name=name,
    )
    return study.run(store=store, threads=threads, device=device, progress=progress)
