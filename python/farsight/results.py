"""Results of studies: arrays, frames, summaries, snapshots."""

from __future__ import annotations

import base64
import csv
import html
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from farsight import _core
from farsight._errors import FarsightError
from farsight._frames import Parameters, objects, wants_all
from farsight._frames import frame as make_frame
from farsight._specs import agent_spec, name_of, values_of
from farsight._specs import listed as spec_list
from farsight._typing import FloatArray, IntArray
from farsight._words import counted, length_of, listed, position, unknown
from farsight.document import Document, Forms
from farsight.pyagent import class_of, is_python_agent
from farsight.store import Store

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from farsight.comparison import Comparison
    from farsight.plot import Options
    from farsight.study import Study

Columns = dict[str, NDArray[Any]]


class _Numbers(Protocol):
    """What a study gave: a batch of the extension, or the same read back from a pickle."""

    @property
    def stopped(self) -> bool: ...
    def values(self, cell: int, metric: int | None, /) -> FloatArray: ...
    def curve(self, cell: int, metric: int | None, /) -> FloatArray | None: ...
    def bands(self, cell: int, metric: int | None, /) -> FloatArray | None: ...
    def summary(self, cell: int, metric: int | None, /) -> dict[str, Any]: ...


class _Pickled:
    """The numbers of results that were pickled."""

    def __init__(self, numbers: _Numbers, n_cells: int, n_metrics: int) -> None:
        places = [(i, k) for i in range(n_cells) for k in (None, *range(n_metrics))]
        self.stopped = numbers.stopped
        self._values = {at: np.array(numbers.values(*at)) for at in places}
        self._curves = {at: _copy(numbers.curve(*at)) for at in places}
        self._bands = {at: numbers.bands(*at) for at in places}
        self._summaries = {at: numbers.summary(*at) for at in places}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for array in (*self._values.values(), *self._curves.values()):
            if array is not None:
                array.flags.writeable = False

    def values(self, cell: int, metric: int | None, /) -> FloatArray:
        return self._values[cell, metric]

    def curve(self, cell: int, metric: int | None, /) -> FloatArray | None:
        return self._curves[cell, metric]

    def bands(self, cell: int, metric: int | None, /) -> FloatArray | None:
        return self._bands[cell, metric]

    def summary(self, cell: int, metric: int | None, /) -> dict[str, Any]:
        return self._summaries[cell, metric]


def _copy(array: FloatArray | None) -> FloatArray | None:
    return None if array is None else np.array(array)


class Results(Document):
    """What the runs of a study gave.

    ``env`` and ``agent`` are given by label, by spec or by index; where there is one only it may be left out.
    Arrays are read-only views of the library's own.

    >>> import farsight as fs
    >>> r = fs.run("chain:n=5", ["delayed-q", "r-max"], steps=1000, runs=20, curve=4, progress=False)
    >>> r.agents
    ['delayed-q', 'r-max']
    >>> steps, values = r.curve(agent="r-max")
    >>> steps.tolist(), values.shape
    ([250, 500, 750, 1000], (4, 20))
    """

    _study: Study
    _numbers: _Numbers
    _info: dict[str, Any]
    _store: Store | None
    _path: str | None
    _name: str | None
    _gaps: dict[int, IntArray]

    @classmethod
    def _of(
        cls,
        study: Any,
        batch: _core.Batch,
        store: Store | None,
        path: str | None,
        name: str | None,
    ) -> Results:
        """The results of a study that was run. ``store`` is kept, or opened again by its ``path``."""
        self = cls.__new__(cls)
        self._study, self._numbers, self._info = study, batch, study._info()
        self._info["checkpoints"].flags.writeable = False
        self._store, self._path, self._name = store, path, name
        self._gaps = {}
        if batch.stopped:
            cells = ((cell, batch.finished(cell)) for cell in range(self._n_cells))
            self._gaps = {cell: runs for cell, runs in cells if runs is not None}
        return self

    # ---- what was run ----

    @property
    def name(self) -> str:
        """The name of the study, or ``""``."""
        return str(self._info["name"])

    @property
    def envs(self) -> list[str]:
        """The labels of the environments: specs as given, with grids expanded."""
        return list(self._info["envs"])

    @property
    def agents(self) -> list[str]:
        """The labels of the agents."""
        return list(self._info["agents"])

    @property
    def metrics(self) -> list[str]:
        """The labels of the metrics."""
        return list(self._info["metrics"])

    @property
    def steps(self) -> int:
        """Steps of each run; with ``episodes`` the most that a run may have, in any environment."""
        return int(max(self._info["steps"]))

    @property
    def episodes(self) -> int | None:
        """Each run ended after so many episodes, or had :attr:`steps`; None: it ended after its steps."""
        return self._info["episodes"] or None

    @property
    def seed(self) -> int:
        """The seed of all random numbers."""
        return int(self._info["seed"])

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before all runs were finished."""
        return self._numbers.stopped

    @property
    def reused(self) -> int:
        """How many of the runs came from the store."""
        return sum(s["runs"] - s["computed"] for s in self._summaries())

    @property
    def computed(self) -> int:
        """How many of the runs were computed now."""
        return sum(s["computed"] for s in self._summaries())

    def _summaries(self) -> Iterator[dict[str, Any]]:
        return (self._numbers.summary(cell, None) for cell in range(self._n_cells))

    @property
    def _n_cells(self) -> int:
        return len(self._info["envs"]) * len(self._info["agents"])

    def _places(self) -> Iterator[tuple[int, int]]:
        agents = range(len(self._info["agents"]))
        return ((i, j) for i in range(len(self._info["envs"])) for j in agents)

    # ---- names ----

    def _env(self, env: Any) -> int:
        labels, specs = self._info["envs"], self._info["env_specs"]
        if env is None:
            return _only(labels, "environment")
        if not isinstance(env, (str, int, np.integer)):
            from farsight.study import environment

            env, _ = environment(None, env)
        if not isinstance(env, str) or env in labels:
            return position(labels, env, "environment")
        try:
            return int(specs.index(env if env in specs else _core.resolve_env(env)))
        except (FarsightError, ValueError):
            raise unknown("environment", env, labels) from None

    def _agent(self, agent: Any, env: int) -> int:
        labels = self._info["agents"]
        if agent is None:
            return _only(labels, "agent")
        if isinstance(agent, (int, np.integer)) or (isinstance(agent, str) and agent in labels):
            return position(labels, agent, "agent")
        specs = [self._numbers.summary(env * len(labels) + j, None)["agent"] for j in range(len(labels))]
        if isinstance(agent, type):  # its content may have changed since, and with that its spec
            ran = [j for j, spec in enumerate(specs) if class_of(spec) is agent]
            agent = ran[0] if len(ran) == 1 else agent
        if not isinstance(agent, (str, int)):
            agent = agent_spec(agent, learned=True)
        if isinstance(agent, int) or agent in labels:
            return position(labels, agent, "agent")
        try:
            return specs.index(agent if agent in specs else self._study._resolve(agent, env))
        except (FarsightError, ValueError):
            raise unknown("agent", agent, labels) from None

    def _cell(self, env: Any, agent: Any) -> int:
        i = self._env(env)
        return i * len(self._info["agents"]) + self._agent(agent, i)

    def _metric(self, name: str | int) -> int:
        labels: list[str] = self._info["metrics"]
        specs = [spec for spec, _ in self._info["metric_specs"]]
        for names in (specs, [name_of(spec) for spec in specs]):
            if isinstance(name, str) and name not in labels and names.count(name) == 1:
                return names.index(name)
        return position(labels, name, "metric")

    def _series(self, series: str) -> int | None:
        return None if series in ("total", "reward") else self._metric(series)

    # ---- numbers ----

    def runs(self, env: Any = None, agent: Any = None) -> int:
        """How many runs of a cell are finished."""
        return int(self._numbers.summary(self._cell(env, agent), None)["runs"])

    def totals(self, env: Any = None, agent: Any = None) -> FloatArray:
        """The undiscounted total reward of each run, in the order of replicates: (runs,)."""
        return self._numbers.values(self._cell(env, agent), None)

    def metric(self, name: str | int, env: Any = None, agent: Any = None) -> FloatArray:
        """A metric of each run: (runs,)."""
        return self._numbers.values(self._cell(env, agent), self._metric(name))

    def curve(
        self, env: Any = None, agent: Any = None, series: str = "total"
    ) -> tuple[IntArray, FloatArray]:
        """The total so far (or a metric so far) at each checkpoint: steps (K,) and values (K, runs).

        Where runs end by episodes, the checkpoints are numbers of episodes in place of steps.
        """
        cell = self._cell(env, agent)
        values = self._numbers.curve(cell, self._series(series))
        if values is None:
            raise ValueError(self._no_curve(series))
        return self._info["checkpoints"], values

    def _no_curve(self, series: str) -> str:
        if len(self._info["checkpoints"]) == 0:
            return "there is no curve: run with curve=100, curve='log 50' or curve=[10, 100, 1000]"
        return f"the metric {series!r} has no number before the end of a run"

    def hash(self, env: Any = None, agent: Any = None, series: str = "total") -> str:
        """SHA-256 of the totals (or of a metric) as little-endian doubles, as the command prints it."""
        return str(self._numbers.summary(self._cell(env, agent), self._series(series))["hash"])

    def replicates(self, env: Any = None, agent: Any = None) -> IntArray:
        """The replicates that the runs of a cell are of: 0, 1, ..., with gaps if the study was stopped."""
        cell = self._cell(env, agent)
        found = self._gaps.get(cell)
        return np.arange(int(self._numbers.summary(cell, None)["runs"])) if found is None else found

    # ---- frames ----

    def frame(self, library: str = "pandas", *, parameters: Parameters = False) -> Any:
        """One row per run: env, agent, replicate, total, and a column for each metric.

        A metric that is a time (``learned``) also has ``METRIC.censored``: the run had not come to it by its end.
        ``library`` is "pandas", "polars" or "numpy" (a dict of arrays). With ``parameters=True`` there is
        also a column for each parameter that varies, ``env.n`` or ``agent.m``; with ``parameters="all"`` for
        every one. A spec without the parameter has NaN or None there.
        """
        cells = range(self._n_cells)
        counts = [int(s["runs"]) for s in self._summaries()]
        columns = self._names(counts, parameters)
        columns["replicate"] = _joined(
            [self.replicates(i, j) for i, j in self._places()], np.int64
        )
        columns["total"] = _joined([self._numbers.values(cell, None) for cell in cells])
        for k, name in enumerate(self.metrics):
            columns[name] = _joined([self._numbers.values(cell, k) for cell in cells])
            if self._is_time(k):
                columns[f"{name}.censored"] = columns[name] >= np.repeat(self._steps(), counts)
        return make_frame(columns, library)

    def _steps(self) -> IntArray:
        """Of a run of each cell, the most where it ends by episodes."""
        return np.repeat(np.array(self._info["steps"], dtype=np.int64), len(self._info["agents"]))

    def _is_time(self, metric: int) -> bool:
        """Whether the end of a run cuts the metric off."""
        return any(self._numbers.summary(cell, metric).get("censored") is not None for cell in range(self._n_cells))

    def _names(self, counts: Sequence[int], parameters: Parameters) -> Columns:
        """The columns that say which cell a row is of; a cell has so many rows."""
        every = wants_all(parameters)
        of = np.repeat(np.arange(self._n_cells), counts)
        n = len(self._info["agents"])
        columns: Columns = {"env": objects(self.envs)[of // n]}
        if parameters:
            columns.update(_parameters("env", self._info["env_specs"], of // n, every))
        columns["agent"] = objects(self.agents)[of % n]
        if parameters:
            columns.update(_parameters("agent", [s["agent"] for s in self._summaries()], of, every))
        return columns

    def cells(self, library: str = "pandas", *, parameters: Parameters = False) -> Any:
        """One row per cell: env, agent, steps, seed, runs, mean, ci95, std, min, max, seconds, hash.

        Where runs end by episodes there is a column ``run_episodes`` behind ``steps``, the most steps of a run
        (``episodes`` is the metric).

        ci95 is the half-width of the 95% interval of the mean. Each metric has its mean and, as
        ``METRIC.ci95``, the half-width of its interval. Of a metric that is a time (``learned``) that mean is
        restricted: it counts a run that had not come to it as all of its steps. ``METRIC.censored`` is the number
        of these runs, and ``METRIC.median`` the median of the times, infinite if half of the runs are censored.
        """
        columns = self._names([1] * self._n_cells, parameters)
        columns["steps"] = self._steps()
        if self.episodes is not None:
            columns["run_episodes"] = np.full(self._n_cells, self.episodes)
        columns["seed"] = np.full(self._n_cells, self.seed, dtype=np.uint64)
        rows = list(self._summaries())
        columns["runs"] = np.array([row["runs"] for row in rows], dtype=np.int64)
        for key in ("mean", "ci95", "std", "min", "max", "seconds"):
            columns[key] = np.array([row[key] for row in rows], dtype=np.float64)
        for k, name in enumerate(self.metrics):
            of = [self._numbers.summary(cell, k) for cell in range(self._n_cells)]
            columns[name] = np.array([row["mean"] for row in of], dtype=np.float64)
            columns[f"{name}.ci95"] = np.array([row["ci95"] for row in of], dtype=np.float64)
            if self._is_time(k):
                columns[f"{name}.censored"] = np.array([row["censored"] or 0 for row in of], dtype=np.int64)
                columns[f"{name}.median"] = np.array([row["median"] for row in of], dtype=np.float64)
        columns["hash"] = objects([row["hash"] for row in rows])
        return make_frame(columns, library)

    def curves(self, library: str = "pandas", *, each: bool = False, parameters: Parameters = False) -> Any:
        """Rewards and metrics at the checkpoints: env, agent, series, step, mean, low, high, runs.

        Where runs end by episodes, checkpoints are ends of episodes, and ``step`` is the number of episodes.

        low and high are Student's 95% interval of the mean. With ``each`` there is one row for each run:
        env, agent, series, replicate, step, value.
        """
        steps: IntArray = self._info["checkpoints"]
        if len(steps) == 0:
            raise ValueError(self._no_curve("total"))
        names: list[tuple[str, int | None]] = [("total", None), *((m, k) for k, m in enumerate(self.metrics))]
        parts = [
            (cell, name, k)
            for cell in range(self._n_cells)
            for name, k in names
            if self._numbers.bands(cell, k) is not None
        ]
        return make_frame((self._each_row if each else self._band_rows)(parts, steps, parameters), library)

    def _heads(
        self, parts: list[tuple[int, str, int | None]], counts: list[int], parameters: Parameters
    ) -> Columns:
        rows = np.zeros(self._n_cells, dtype=np.int64)
        for (cell, _, _), count in zip(parts, counts, strict=True):
            rows[cell] += count
        columns = self._names(rows.tolist(), parameters)
        columns["series"] = np.repeat(objects([name for _, name, _ in parts]), counts)
        return columns

    def _band_rows(
        self, parts: list[tuple[int, str, int | None]], steps: IntArray, parameters: Parameters
    ) -> Columns:
        columns = self._heads(parts, [len(steps)] * len(parts), parameters)
        bands = [self._numbers.bands(cell, k) for cell, _, k in parts]
        mean = _joined([band[0] for band in bands if band is not None])
        half = _joined([band[1] for band in bands if band is not None])
        columns["step"] = np.tile(steps, len(parts))
        columns["mean"], columns["low"], columns["high"] = mean, mean - half, mean + half
        runs = [self._numbers.summary(cell, None)["runs"] for cell, _, _ in parts]
        columns["runs"] = np.repeat(np.array(runs, dtype=np.int64), len(steps))
        return columns

    def _each_row(
        self, parts: list[tuple[int, str, int | None]], steps: IntArray, parameters: Parameters
    ) -> Columns:
        values = [self._numbers.curve(cell, k) for cell, _, k in parts]
        there = [array for array in values if array is not None]
        columns = self._heads(parts, [array.size for array in there], parameters)
        n = len(self._info["agents"])
        replicates = [self.replicates(cell // n, cell % n) for cell, _, _ in parts]
        columns["replicate"] = _joined([np.repeat(r, len(steps)) for r in replicates], np.int64)
        columns["step"] = _joined([np.tile(steps, len(r)) for r in replicates], np.int64)
        columns["value"] = _joined([array.T.ravel() for array in there])
        return columns

    # ---- the store ----

    @contextmanager
    def store(self) -> Iterator[Store]:
        """The store that the results are in: the one that was given, or one in memory.

        >>> import farsight as fs
        >>> r = fs.run("chain", "delayed-q", steps=100, runs=5, progress=False)
        >>> with r.store() as store:
        ...     store.info()["runs"]
        5
        """
        if self._path is not None:
            with Store(self._path, mode="r") as opened:
                yield opened
            return
        if self._store is None:
            self._store = self._rebuilt()
        yield self._store

    def _rebuilt(self) -> Store:
        """A store in memory with these runs. A build without SQLite says so.

        A simulator without a version has nothing by which its runs could be known: then all are there as runs of
        another program.
        """
        store = Store("results", mode="memory")
        if self._study._nameless:
            self._import(store)
            return store
        for cell, (i, j) in enumerate(self._places()):
            replicates = self.replicates(i, j)
            agent = str(self._numbers.summary(cell, None)["agent"])
            for first, end in _stretches(replicates):
                if end > first:
                    block = self._block(cell, first, end)
                    self._study._keep(store, cell, int(replicates[first]), block, agent)
        return store

    def _block(self, cell: int, first: int, end: int) -> FloatArray:
        """Runs first ... end-1 of a cell as the batch has them: totals, metrics, curves."""
        series: list[int | None] = [None, *range(len(self._info["metrics"]))]
        rows = [self._numbers.values(cell, k)[None, first:end] for k in series]
        curves = [self._numbers.curve(cell, k) for k in series]
        rows += [curve[:, first:end] for curve in curves if curve is not None]
        return np.ascontiguousarray(np.concatenate(rows))

    @property
    def _simulators(self) -> set[str]:
        """The labels of the environments that are simulators."""
        given = self._study._definition
        pairs = zip(given.get("envs") or (), given.get("models") or (), strict=True)
        return {name for name, model in pairs if isinstance(model, _core.Simulator)}

    def _stored_env(self, i: int) -> str:
        """What an environment is called in a store."""
        imported = self._study._nameless and self.envs[i] in self._simulators
        return f"simulator {self.envs[i]}" if imported else str(self._info["env_specs"][i])

    def _import(self, store: Store) -> None:
        """Puts all runs into a store as those of another program."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "runs.csv")
            with open(path, "w", newline="", encoding="utf-8") as file:
                rows = csv.writer(file)
                rows.writerow(["env", "agent", "seed", "steps", "episodes", "series", "step", "replicate", "value"])
                for cell, (i, j) in enumerate(self._places()):
                    length = (self._info["steps"][i], self.episodes or "")
                    head = (self._stored_env(i), self._lasting(j), self.seed, *length)
                    rows.writerows((*head, *row) for row in self._csv_rows(cell))
            store.import_csv(path)

    def _csv_rows(self, cell: int) -> Iterator[tuple[str, Any, int, float]]:
        """series, step, replicate and value of each number of a cell."""
        replicates = self.replicates(*divmod(cell, len(self.agents))).tolist()
        for k in (None, *range(len(self.metrics))):
            name = "total" if k is None else self.metrics[k]
            for replicate, value in zip(replicates, self._numbers.values(cell, k).tolist(), strict=True):
                yield name, "", replicate, value
            curve = self._numbers.curve(cell, k)
            points = () if curve is None else zip(self._info["checkpoints"].tolist(), curve.tolist(), strict=True)
            for step, values in points:
                for replicate, value in zip(replicates, values, strict=True):
                    yield "curve" if k is None else name, step, replicate, value

    def _record(self, store: Store, cell: int) -> str | None:
        """The key of a cell in the store."""
        i = cell // len(self._info["agents"])
        names = ("env", "agent", "steps", "episodes", "seed", "numerics")
        agent = self._numbers.summary(cell, None)["agent"]
        length = (self._info["steps"][i], self._info["episodes"])
        wanted = (self._info["env_specs"][i], agent, *length, self.seed, _core.numerics)
        for record in store.records():
            found = tuple(record[name] for name in names)
            if found == wanted and record["model"] in ("", self._study._model_hash(i)):
                return str(record["key"])
        return None

    def snapshots(self, env: Any = None, agent: Any = None) -> list[dict[str, Any]]:
        """What the agent knew at the checkpoints of the first runs (``snapshots=`` of the study).

        Each is a dict: replicate, step, and (S, A) arrays visits, q, bonus, policy (None where the algorithm
        has no such numbers).
        """
        cell = self._cell(env, agent)
        with self.store() as store:
            key = self._record(store, cell)
            return [] if key is None else list(store.snapshots(key))

    def compare(self, baseline: Any = None, series: str = "total", **options: Any) -> Comparison:
        """Differences from a baseline with intervals and tests, paired by run: a Comparison.

        ``baseline`` is an agent (by default the best), ``series`` total, a metric, or ``METRIC@STEP``;
        ``options`` are those of :func:`farsight.stats`. Environments and agents have the labels that they
        have here, so frames of both can be merged.
        """
        from farsight.comparison import stats

        chosen = self._chosen(None, None, baseline)
        labels = (chosen.pop("env_names"), chosen.pop("agent_names"))
        with self._rebuilt() as store:  # a store may have more runs, and other models of the same names
            comparison = stats(store, series, labels=labels, **{**chosen, **options})
        if options.keys().isdisjoint(("agents", "envs", "models")):  # these may be what no pickle takes
            base = None if baseline is None else self.agents[self._agent(baseline, 0)]
            comparison._asked = self, {**options, "baseline": base, "series": series, "progress": False}
        return comparison

    def _chosen(self, envs: Any, agents: Any, baseline: Any) -> dict[str, Any]:
        """What a comparison or a figure of these results is of; None is all with finished runs."""
        i_s = self._with_runs(0) if envs is None else [self._env(env) for env in spec_list(envs, "envs")]
        of = self._with_runs(1) if agents is None else spec_list(agents, "agents")
        j_s = [self._agent(agent, 0) for agent in of]
        base = None if baseline is None else self._agent(baseline, 0)
        if base is not None and base not in j_s:
            j_s.append(base)
        return {
            "baseline": None if base is None else self._lasting(base),
            "agents": [self._lasting(j) for j in j_s],
            "envs": [self._stored_env(i) for i in i_s],
            **({"steps": self.steps} if self.episodes is None else {"episodes": self.episodes}),
            "run_seed": self.seed,
            "paired": self._study._nameless,
            "models": [model for model in self._study._models if isinstance(model, _core.Model)],
            "env_names": [self.envs[i] for i in i_s],
            "agent_names": [self.agents[j] for j in j_s],
        }

    def _lasting(self, j: int) -> str:
        """The label of an agent; of a Python class the canonical spec: a later class may take its name."""
        spec = str(self._numbers.summary(j, None)["agent"])
        return spec if is_python_agent(spec) else self.agents[j]

    def _with_runs(self, axis: int) -> list[int]:
        """The environments (0) or agents (1) with finished runs: all, unless the study was stopped."""
        return sorted({place[axis] for place in self._places() if self.runs(*place) > 0})

    def plot(self, kind: str | None = None, **options: Unpack[Options]) -> _core.Figure:
        """A figure: one of the kinds of :func:`farsight.plot.kinds`, by default curves.

        Without curves, intervals. Environments, agents and the baseline are named as elsewhere: by label,
        spec or index. ``options`` are those of :class:`farsight.plot.Options`.

        >>> import farsight as fs
        >>> r = fs.run("chain:n=5", ["delayed-q", "r-max"], steps=500, runs=20, progress=False)
        >>> r.plot("intervals", agents=["r-max"])
        <Figure intervals: Mean total reward with 95% intervals>
        """
        from farsight.plot import divided

        look, question = divided(options)
        default = "curves" if len(self._info["checkpoints"]) > 0 else "intervals"
        with self._rebuilt() as store:
            return _core.plot(default if kind is None else kind, look, store, **self._arguments(question))

    def _arguments(self, question: dict[str, Any]) -> dict[str, Any]:
        """A question about these results, as one about the store that they are put into."""
        for name in ("steps", "episodes", "run_seed"):
            if name in question:
                raise TypeError(f"{name} chooses among the runs of a store: these results have one")
        names = ("envs", "agents", "baseline")
        rest = {name: value for name, value in question.items() if name not in names}
        return {**self._chosen(*(question.get(name) for name in names)), **rest}

    # ---- text ----

    @cached_property
    def _document(self) -> _core.Document | Forms:  # type: ignore[override]
        assert isinstance(self._numbers, _core.Batch)  # a pickle has the document's forms
        return self._numbers.document()

    def _length(self) -> str:
        return length_of(self._info)

    def __repr__(self) -> str:
        runs = f"{self.reused:,} runs reused, " if self.reused else ""
        stopped = ", stopped" if self.stopped else ""
        return (
            f"Results({counted(len(self.envs), 'environment')} x {counted(len(self.agents), 'agent')}, "
            f"{self._length()}, "
            f"{runs}{self.computed:,} computed{stopped})"
        )

    def _repr_html_(self) -> str:
        heads = ["environment", "agent", "runs", "mean ± 95%", "std", *self.metrics]
        rows = [self._html_row(cell) for cell in range(min(self._n_cells, 60))]
        more = f"<p>… {self._n_cells - 60} more cells</p>" if self._n_cells > 60 else ""
        stopped = "<p>Stopped before the end.</p>" if self.stopped else ""
        head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
        return (
            f"<table><caption>Undiscounted reward, {self._length()}, seed {self.seed}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{more}{stopped}"
            f"{self._figure()}"
        )

    def _figure(self) -> str:
        """A figure below the table; empty where there is none, or it would be too large."""
        if len(self.envs) > 9 or len(self.agents) > 16:
            return ""
        try:
            figure = self.plot()
        except FarsightError:
            return ""
        image = base64.b64encode(figure.svg().encode()).decode()
        return f'<img alt="{html.escape(figure.description)}" src="data:image/svg+xml;base64,{image}">'

    def _html_row(self, cell: int) -> str:
        n = len(self._info["agents"])
        row = self._numbers.summary(cell, None)
        texts = [
            self._info["envs"][cell // n] if cell % n == 0 else "",
            self._info["agents"][cell % n],
            f"{row['runs']:,}",
            _interval(row),
            f"{row['std']:.4g}",
            *(_interval(self._numbers.summary(cell, k)) for k in range(len(self._info["metrics"]))),
        ]
        return "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in texts) + "</tr>"

    # ---- pickle ----

    def __getstate__(self) -> dict[str, Any]:
        numbers = self._numbers
        if not isinstance(numbers, _Pickled):
            numbers = _Pickled(numbers, self._n_cells, len(self._info["metrics"]))
        path = self._path if self._path is not None else _path_of(self._store, self._name)
        return {**super().__getstate__(), "_numbers": numbers, "_store": None, "_path": path}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._info["checkpoints"].flags.writeable = False


def _path_of(store: Store | None, name: str | None) -> str | None:
    """The file of a store that was given, for results that are read elsewhere."""
    if store is None or name is None or not os.path.exists(store.path):
        return None
    return os.path.abspath(store.path)


# ---- small parts ----


def _only(labels: Sequence[str], what: str) -> int:
    if len(labels) == 1:
        return 0
    raise ValueError(f"there are {len(labels)} {what}s: name one of {listed(labels)}")


def _joined(arrays: Sequence[NDArray[Any]], kind: Any = np.float64) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=kind)


def _interval(row: dict[str, Any]) -> str:
    if row.get("censored") is not None:
        return _time(row)
    half = "" if row["ci95"] != row["ci95"] else f" ± {row['ci95']:.3g}"
    return f"{row['mean']:.5g}{half}"


def _time(row: dict[str, Any]) -> str:
    """The median of times, and in how many runs: "185 (15 of 20)"."""
    bound = row["median"] == float("inf")
    median = f"≥{row['max']:.5g}" if bound else f"{row['median']:.5g}"
    return f"{median} ({row['runs'] - row['censored']:,} of {row['runs']:,})"


def _stretches(replicates: IntArray) -> list[tuple[int, int]]:
    """Where successive replicates begin and end."""
    cuts = np.flatnonzero(np.diff(replicates) != 1) + 1
    edges = [0, *cuts.tolist(), len(replicates)]
    return list(pairwise(edges))


def _parameters(head: str, specs: Sequence[str], of: NDArray[Any], every: bool) -> Columns:
    """A column for each parameter of the canonical specs, or for those with several values."""
    pairs = [values_of(spec) for spec in specs]
    keys = dict.fromkeys(key for found in pairs for key in found)
    rows = {key: [found.get(key) for found in pairs] for key in keys}
    return {
        f"{head}.{key}": _values(texts)[of]
        for key, texts in rows.items()
        if every or len({text for text in texts if text is not None}) > 1
    }


def _values(texts: Sequence[str | None]) -> NDArray[Any]:
    """Integers, or else numbers with NaN for None, or else the texts themselves."""
    try:
        return np.array([int(text or "") for text in texts], dtype=np.int64)
    except (ValueError, OverflowError):
        pass
    try:
        return np.array([np.nan if text is None else float(text) for text in texts])
    except ValueError:
        return objects(texts)
