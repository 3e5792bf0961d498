"""Studies: environments x agents, run on threads with paired random numbers."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from operator import index
from typing import Any

from farsight import _core
from farsight._errors import AbsentError
from farsight.document import Document
from farsight.progress import Progress, Reporter
from farsight.pyagent import is_python_agent
from farsight.results import Results, counted
from farsight.store import Store

ProgressLike = str | bool | Callable[[Progress], object] | None


class StudyWarning(UserWarning):
    """A note on a study: an agent that cannot learn, a guarantee that is lost, states that no run reaches."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during long work. ``results`` has what was finished (of a study: or is None).

    A store keeps everything that was finished: the same call resumes.
    """

    def __init__(self, message: str, results: Any) -> None:
        super().__init__(message)
        self.results = results


# ---- what can stand for an environment and an agent ----


def agent_spec(agent: Any) -> str:
    """The spec of an agent: a spec itself, or anything with a spec.

    That is an object with ``__farsight_spec__()`` (a class of agents written in Python, which registers
    itself there), or with ``spec``: an agent, an entry of ``fs.agents``.

    >>> import farsight as fs
    >>> agent_spec(fs.agents["r-max"]), agent_spec("r-max:m=5")
    ('r-max', 'r-max:m=5')
    """
    spec = _spec_of(agent)
    if spec is not None:
        return spec
    raise TypeError(f"expected an agent (a spec like 'r-max:m=5', or a class of agents), not {agent!r}")


def _listed(given: Any, what: str) -> list[Any]:
    """A list of what was given: one thing alone is a list of one."""
    if isinstance(given, (str, type, _core.Model)) or not isinstance(given, Iterable):
        return [given]
    if isinstance(given, Mapping):
        raise TypeError(f"{what} must be a list: only environments can be given names by a dict")
    items = list(given)
    if not items:
        raise ValueError(f"{what} is empty: at least one is needed")
    return items


def _spec_of(thing: Any) -> str | None:
    """The spec of a thing that has one; None if it has none, or an empty one."""
    if isinstance(thing, str):
        return thing
    hook = getattr(thing, "__farsight_spec__", None)
    spec = hook() if callable(hook) else getattr(thing, "spec", None)
    if callable(spec) and not isinstance(thing, type):
        spec = spec()
    return spec if isinstance(spec, str) and spec else None


def _environments(envs: Any) -> dict[str, Any]:
    """Arguments of the extension's Study: specs, and beside them models without a spec, and simulators."""
    if isinstance(envs, Mapping) and not envs:
        raise ValueError("envs is empty: at least one is needed")
    given = envs.items() if isinstance(envs, Mapping) else ((None, env) for env in _listed(envs, "envs"))
    pairs = [_environment(name, env) for name, env in given]
    return {"envs": [name for name, _ in pairs], "models": [model for _, model in pairs]}


def _environment(name: str | None, env: Any) -> tuple[str, _core.Model | _core.Simulator | None]:
    """A spec alone, or a name and a model or simulator."""
    if isinstance(env, _core.Simulator):
        return (name if name is not None else env.name), env
    spec = _spec_of(env)
    if spec is not None and name is None:
        return spec, None
    model = _core.Model.from_spec(env) if isinstance(env, str) else _model(env)
    if name is None:
        name = getattr(env, "name", None) or _gymnasium_id(env) or f"model-{model.hash[:8]}"
    return name, model


def _model(env: Any) -> _core.Model:
    if isinstance(env, _core.Model):
        return env
    if hasattr(env, "observation_space") and hasattr(env, "action_space"):
        from farsight.model import MDP

        model: _core.Model = MDP.from_gymnasium(env)
        return model
    raise TypeError(f"expected an environment (a spec like 'chain:n=10', or a farsight.MDP), not {env!r}")


def _gymnasium_id(env: Any) -> str | None:
    """The id of a Gymnasium environment, as in FrozenLake-v1."""
    found = getattr(getattr(env, "spec", None), "id", None)
    return found if isinstance(found, str) else None


def _texts(given: Any) -> list[str]:
    """Specs of metrics, or entries of ``fs.metrics``."""
    items = _listed(given, "metrics") if not isinstance(given, (list, tuple)) else list(given)
    specs = [_spec_of(item) for item in items]
    for item, spec in zip(items, specs):
        if spec is None:
            raise TypeError(f"expected a metric (a spec like 'regret'), not {item!r}")
    return [spec for spec in specs if spec is not None]


# ---- the study ----


class Study(_core.Study):
    """Environments x agents, with everything checked before anything runs.

    ``envs`` and ``agents`` are specs or lists of specs; a value in brackets stands for several, as in
    ``"chain:n=[10,50]"``. An environment may also be a model (:class:`farsight.MDP`, or a Gymnasium
    environment with a table of its transitions) or a :class:`farsight.Simulator`; a dict gives names to them.
    An agent may be a class of agents (:class:`farsight.PyAgent`). ``runs`` is 300 by default; with ``until``
    (``"ci=1%"``) runs are added until the 95% interval is that narrow, and ``runs`` is the most. ``curve``
    (``100``, ``"log 50"``, ``"10,100,1000"``) records rewards and metrics at checkpoints; ``snapshots`` keeps
    what the agents of the first so many runs know at these.

    >>> import farsight as fs
    >>> study = fs.Study("chain:n=[5,10]", ["delayed-q", "r-max"], steps=1000, runs=10)
    >>> study.envs, study.agents
    (['chain:n=5', 'chain:n=10'], ['delayed-q', 'r-max'])
    >>> study.run().totals("chain:n=5", "r-max").shape
    (10,)
    """

    _definition: dict[str, Any]

    def __new__(
        cls,
        envs: Any,
        agents: Any,
        *,
        steps: int = 10_000,
        runs: int | None = None,
        seed: int = 1,
        metrics: Any = (),
        curve: str | int | Iterable[int] | None = None,
        until: str | None = None,
        snapshots: int = 0,
        name: str | None = None,
    ) -> Study:
        return cls._make(
            **_environments(envs),
            agents=[agent_spec(agent) for agent in _listed(agents, "agents")],
            metrics=_texts(metrics),
            steps=steps,
            runs=runs,
            seed=seed,
            curve=_curve(curve),
            until=until,
            snapshots=snapshots,
            name=name,
        )

    @classmethod
    def _make(cls, **definition: Any) -> Study:
        study = _core.Study.__new__(cls, **definition)
        path = definition.pop("path", None)
        if path is not None:  # a copy of the study elsewhere may not have the file
            with open(path, encoding="utf-8") as file:
                definition["text"] = file.read()
        study._definition = definition
        _warn(study._notes)
        return study

    @classmethod
    def from_yaml(cls, source: str | os.PathLike[str], **overrides: Any) -> Study:
        """A study from a YAML file, or from its text (what has a line break or a colon and a space).

        ``overrides`` are arguments of :class:`Study` that replace what the file says.

        >>> import farsight as fs
        >>> fs.Study.from_yaml("environments: [chain]\\nagents: [r-max]\\nruns: 20", steps=500).runs
        20
        """
        is_text = isinstance(source, str) and ("\n" in source or ": " in source)
        definition = _overrides(overrides)
        definition["text" if is_text else "path"] = source
        return cls._make(**definition)

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self._definition)

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        return (
            f"Study({name}{counted(len(self.envs), 'environment')} x {counted(len(self.agents), 'agent')}, "
            f"{self.steps:,} steps, {self.runs:,} runs)"
        )

    @property
    def _simulators(self) -> list[str]:
        """The names of its simulators."""
        given = self._definition.get("models") or ()
        return [model.name for model in given if isinstance(model, _core.Simulator)]

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
    def steps(self) -> int:
        """Steps of each run."""
        return int(self._info()["steps"])

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
        store: Store | str | os.PathLike[str] | None = None,
        threads: int | None = None,
        progress: ProgressLike = "auto",
    ) -> Results:
        """Runs it on threads (one per processor by default), and returns its :class:`Results`.

        Runs that ``store`` (a :class:`Store`, or the path of one) has are not computed again. The same study
        gives the same numbers to the last bit, whatever the threads, and as the command does. Ctrl-C raises
        :class:`Interrupted` with what is finished. ``progress`` is "auto", True, False or a function of a
        :class:`~farsight.progress.Progress`.
        """
        if store is not None and self._simulators:
            raise ValueError(
                f"the simulator {self._simulators[0]} has no model, by whose content a store knows runs: "
                "run simulators without store=..."
            )
        if isinstance(store, (str, os.PathLike)):
            with Store(store) as opened:
                return _run(self, opened, os.path.abspath(os.fspath(store)), threads, progress)
        return _run(self, store, None, threads, progress)

    def cost(
        self,
        *,
        store: Store | str | os.PathLike[str] | None = None,
        threads: int | None = None,
        seconds: float = 1.0,
    ) -> Cost:
        """What it would cost: steps, time, and bytes in a store, estimated by short trials.

        Runs that ``store`` has cost nothing; the trials take about so many ``seconds``. Nothing is written.

        >>> import farsight as fs
        >>> fs.Study("chain:n=5", "r-max", runs=20).cost(seconds=0.01).runs
        20
        """
        if isinstance(store, (str, os.PathLike)):
            if not os.path.exists(store):
                return Cost(*self._cost(None, _shown_path(os.fspath(store)), threads, seconds))
            with Store(store, mode="r") as opened:
                return Cost(*self._cost(opened, _shown_path(opened.path), threads, seconds))
        name = None if store is None else _shown_path(store.path)
        return Cost(*self._cost(store, name, threads, seconds))


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


def _remake(kind: type[Study], definition: dict[str, Any]) -> Study:
    study = _core.Study.__new__(kind, **definition)
    study._definition = definition
    return study


_OVERRIDES = {"envs", "agents", "metrics", "steps", "runs", "seed", "curve", "until", "snapshots", "name"}


def _overrides(given: dict[str, Any]) -> dict[str, Any]:
    for key in given.keys() - _OVERRIDES:
        raise TypeError(f"there is no {key!r}: {', '.join(sorted(_OVERRIDES))}")
    made = dict(given)
    if "envs" in made:
        made.update(_environments(made["envs"]))
    if "agents" in made:
        made["agents"] = [agent_spec(agent) for agent in _listed(made["agents"], "agents")]
    if "metrics" in made:
        made["metrics"] = _texts(made["metrics"])
    if "curve" in made:
        made["curve"] = _curve(made["curve"])
    return made


def _curve(curve: str | int | Iterable[int] | None) -> str | None:
    """Checkpoints as the library's text: 100, "log 50", "10,100,1000" or a list of steps."""
    if curve is None or isinstance(curve, str):
        return curve
    if isinstance(curve, Iterable):
        steps = [str(index(step)) for step in curve]
        if not steps:
            raise ValueError("curve is empty: at least one step is needed")
        return ",".join(steps) + ","
    return str(index(curve))


# ---- notes ----

Note = tuple[bool, str | None, str | None, str | None, str]
MOST_WARNINGS = 5


def sentence(note: Note) -> str:
    _, env, agent, metric, message = note
    of = " of ".join(part for part in (metric, agent) if part)
    subject = " on ".join(part for part in (of, env) if part)
    return f"{subject}: {message}" if subject else message


def _has_guarantee(agent: str) -> bool:
    from farsight.results import type_of_agent

    guarantee = type_of_agent(agent).get("guarantee")
    return isinstance(guarantee, str) and not guarantee.startswith("none")


def _warn(notes: list[Note]) -> None:
    """What is severe, then the rest: agents outside their guarantee share one warning.

    It is the warning of the caller of the function that makes the study: run, Study or from_yaml.
    """
    level = 4  # this function, Study._make, and the one that the user has called
    shown: list[str] = []
    outside: dict[str, None] = {}
    for note in sorted(notes, key=lambda note: not note[0]):
        agent = note[2]
        if not note[0] and agent is not None and note[3] is None and _has_guarantee(agent):
            outside[agent.split(":")[0]] = None
        else:
            shown.append(sentence(note))
    for text in shown[:MOST_WARNINGS]:
        warnings.warn(text, StudyWarning, stacklevel=level)
    if len(shown) > MOST_WARNINGS:
        warnings.warn(
            f"{len(shown) - MOST_WARNINGS} more such notes; Study.notes has all", StudyWarning, level
        )
    if outside:
        warnings.warn(
            f"parameters outside the guarantee ({', '.join(outside)}); fs.pac shows what theory requires, "
            "Study.notes has the details",
            StudyWarning,
            stacklevel=level,
        )


# ---- running ----


def _private_store() -> Store | None:
    """A store in memory, for snapshots; None on a build without SQLite."""
    try:
        return Store("results", mode="memory")
    except AbsentError:
        return None


def _needs_store(study: Study) -> bool:
    """Whether a store cannot be made later, from the arrays.

    They have no snapshots; and a class of agents may have been edited by then, so that its runs would get the
    wrong key. Runs of simulators have no key at all.
    """
    later = study._info()["snapshots"] == 0 and not any(map(is_python_agent, study.agents))
    return not later and not study._simulators


def _run(
    study: Study,
    store: Store | None,
    path: str | None,
    threads: int | None,
    progress: ProgressLike,
) -> Results:
    if store is not None and not isinstance(store, Store):
        raise TypeError(f"expected a store (farsight.Store, or the path of one), not {store!r}")
    through = _private_store() if store is None and _needs_store(study) else store
    name = None if store is None else _shown_path(store.path)
    reporter = Reporter(progress)
    try:
        batch, stopped = study._run(through, name, threads, reporter.callback)
    finally:
        reporter.close()
    kept = None if path is not None else through
    results = None if batch is None else Results._of(study, batch, kept, path, name)
    if stopped is None and results is not None:
        return results
    if isinstance(stopped, KeyboardInterrupt):
        raise Interrupted(_what_is_finished(results, name), results) from None
    raise stopped if stopped is not None else RuntimeError("the study has no results")


def _shown_path(path: str) -> str:
    """For messages: a path of any bytes, also of those that are not text."""
    return os.fsencode(path).decode(errors="replace")


def _what_is_finished(results: Results | None, store: str | None) -> str:
    runs = 0 if results is None else sum(results.runs(i, j) for i, j in results._places())
    kept = f"; {store} keeps them, and the same call resumes" if store is not None else ""
    return f"stopped with {runs:,} runs finished (.results has them){kept}"


def run(
    envs: Any,
    agents: Any,
    *,
    steps: int = 10_000,
    runs: int | None = None,
    seed: int = 1,
    metrics: Any = (),
    curve: str | int | Iterable[int] | None = None,
    until: str | None = None,
    snapshots: int = 0,
    store: Store | str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: ProgressLike = "auto",
    name: str | None = None,
) -> Results:
    """Runs agents on environments, at the speed of C, and returns their :class:`Results`.

    All agents see the same random numbers: run k of every cell (an environment and an agent) uses the same
    streams. The same arguments give the same numbers to the last bit, on any number of threads, and as the
    command does. Ctrl-C raises :class:`Interrupted` with what is finished.

    Args:
        envs: a spec such as "chain:n=10", a model (:class:`MDP`), a Gymnasium environment with a table of
            its transitions, a :class:`Simulator`, or a list of these; a dict gives names to them.
        agents: a spec such as "r-max:m=5", a class of agents (:class:`PyAgent`), or a list of these. A value
            in brackets, as in "r-max:m=[5,20]" or "chain:n=[10,50]", stands for several.
        steps: of each run.
        runs: of each cell, 300 by default; with until, the maximum.
        seed: of all random numbers.
        metrics: what else to record of each run, such as "regret"; ``fs.metrics`` lists them.
        curve: record rewards and metrics at these steps: a number of checkpoints, "log 50", or a list.
        until: as "ci=1%": add runs until the 95% intervals are that narrow.
        snapshots: keep what the agents of the first so many runs know at the checkpoints.
        store: a :class:`Store` or a path, where every run is kept. Runs that it has are not computed again.
        threads: one per processor by default.
        progress: "auto" (a bar on a terminal or in a notebook), True, False, or a function of a
            :class:`~farsight.progress.Progress`.
        name: of the study.

    >>> import farsight as fs
    >>> r = fs.run("chain:n=5", ["delayed-q", "r-max"], steps=1000, runs=20, progress=False)
    >>> r.totals("chain:n=5", "r-max").shape
    (20,)
    """
    study = Study._make(
        **_environments(envs),
        agents=[agent_spec(agent) for agent in _listed(agents, "agents")],
        metrics=_texts(metrics),
        steps=steps,
        runs=runs,
        seed=seed,
        curve=_curve(curve),
        until=until,
        snapshots=snapshots,
        name=name,
    )
    return study.run(store=store, threads=threads, progress=progress)
