"""Stores: results in one file, keyed by content. The command ``farsight store`` reads the same files."""

from __future__ import annotations

import os
import shlex
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from farsight import _core
from farsight._frames import frame as make_frame
from farsight._frames import objects
from farsight._typing import FloatArray, IntArray, StrPath
from farsight.pyagent import check_storable


class Store(_core.Store):
    """Results in one SQLite file: no run is computed twice, and an interrupted study resumes.

    Several processes may use one file at the same time; a store that is open here belongs to one thread at a
    time. ``mode`` is ``"w"`` (read and write; the file is made if it is not there) or ``"r"``.

    >>> import farsight as fs
    >>> with fs.Store(":memory:", mode="memory") as store:
    ...     r = fs.run("chain", "delayed-q", steps=100, runs=5, store=store)
    ...     [record["agent"].split(":")[0] for record in store.records()]
    ['delayed-q']
    """

    def __init__(self, path: StrPath, mode: str = "w") -> None:
        super().__init__(path, mode, command=_command(), waiting=_waiting)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Store({self.path!r}{', closed' if self.closed else ''})"

    def records(self) -> list[dict[str, Any]]:
        """The cells that it has: key, env, env_label, model, agent, agent_label, steps, episodes, seed, numerics,
        runs.

        env and agent are canonical specs (or the names of imported results), their labels what they were
        called where the cell was run, as typed or by a name ("" where that is not known). model is a SHA-256
        where the spec does not determine the model, numerics is 0 for imported results.
        """
        return self._records()

    def series(self, key: str | None = None) -> list[str]:
        """The columns of a cell (by its key), or of any cell: total, metrics, curve@STEP, METRIC@STEP."""
        return self._series(key)

    def values(self, key: str, series: str = "total") -> tuple[IntArray, FloatArray]:
        """One column of a cell: replicates, and the number of each of these runs."""
        replicates, values = self._columns(key, [series])
        return replicates, values[0]

    def frame(
        self, series: Sequence[str] | None = None, *, library: str = "pandas"
    ) -> Any:
        """One row for each run: env, agent, their labels, steps, run_episodes, seed, replicate, and a column for each series.

        A run ends after its ``run_episodes``, and then ``steps`` is the most that it may have; 0: after its steps.

        ``series`` are names as :meth:`series` lists them; by default total and all metrics at the end of the
        run, without the numbers at checkpoints. NaN where a run has no such number.
        """
        names = list(series) if series is not None else [s for s in self.series() if "@" not in s]
        records = self.records()
        parts = [self._rows(record, names) for record in records]
        counts = [len(replicates) for replicates, _ in parts]
        columns: dict[str, NDArray[Any]] = {
            "env": np.repeat(objects([r["env"] for r in records]), counts),
            "agent": np.repeat(objects([r["agent"] for r in records]), counts),
            "env_label": np.repeat(objects([r["env_label"] for r in records]), counts),
            "agent_label": np.repeat(objects([r["agent_label"] for r in records]), counts),
            "steps": np.repeat(np.array([r["steps"] for r in records], dtype=np.int64), counts),
            "run_episodes": np.repeat(np.array([r["episodes"] for r in records], dtype=np.int64), counts),
            "seed": np.repeat(np.array([r["seed"] for r in records], dtype=np.uint64), counts),
            "replicate": np.concatenate([p[0] for p in parts] or [np.zeros(0, np.int64)]),
        }
        for k, name in enumerate(names):
            columns[name] = np.concatenate([p[1][k] for p in parts] or [np.zeros(0)])
        return make_frame(columns, library)

    def _rows(
        self, record: dict[str, Any], names: list[str]
    ) -> tuple[IntArray, FloatArray]:
        """The columns of a record by these names; NaN for those that it lacks."""
        there = set(self.series(record["key"]))
        have = [name for name in names if name in there]
        if not have:
            return np.zeros(0, np.int64), np.zeros((len(names), 0))
        replicates, found = self._columns(record["key"], have)
        values = np.full((len(names), len(replicates)), np.nan)
        for row, name in zip(found, have, strict=True):
            values[names.index(name)] = row
        return replicates, values

    def snapshots(self, key: str) -> Iterator[dict[str, Any]]:
        """What the agent knew at the checkpoints of the first runs of a cell.

        Each is a dict: replicate, step, and (S, A) arrays visits, q, bonus, policy (None where the algorithm
        has no such numbers).
        """
        replicate = step = 0
        while (found := self._snapshot(key, replicate, step)) is not None:
            yield found
            replicate, step = found["replicate"], found["step"] + 1

    def check(self) -> list[str]:
        """Reads everything, and returns a sentence for each thing that is wrong: an empty list is good."""
        return [line for line in self._check()["sentences"].split("\n") if line]

    def hash(self) -> str:
        """SHA-256 of all results, however they came and are divided; ``""`` if something is wrong."""
        return str(self._check()["hash"])

    def export(self, path: StrPath, *, format: str | None = None, series: Sequence[str] = ()) -> None:
        """Writes a row for every number, as CSV or as one JSON object per line (``"jsonl"``).

        The format follows the name of the file; ``"snapshots"`` writes snapshots as CSV. ``series`` chooses
        among total, metrics, curve, curve@STEP, METRIC@STEP.
        """
        if os.path.exists(path) and os.path.exists(self.path) and os.path.samefile(path, self.path):
            raise ValueError(f"cannot write {os.fspath(path)!r}: it is the store itself; write to another file")
        by_name = "jsonl" if os.fspath(path).endswith((".jsonl", ".ndjson")) else "csv"
        self._export(path, format or by_name, list(series))

    def import_csv(self, path: StrPath) -> dict[str, Any]:
        """Reads results of other programs: columns env, agent, seed, value.

        There may also be steps, replicate, series, step and model. All rows are taken, or none. Returns rows,
        added (numbers that are new), unused (columns), apart and why (rows of model files that are unknown).
        """
        return self._import(path)

    def merge(self, *others: StrPath) -> int:
        """Adds all results of other stores, or none if any disagrees; how many numbers are new."""
        return self._merge([os.fspath(other) for other in others])

    def add(
        self,
        env: str | _core.Model,
        agent: str,
        total: float,
        *,
        steps: int,
        seed: int,
        replicate: int = 0,
        checkpoints: Sequence[int] | NDArray[Any] | None = None,
        curve: Sequence[float] | NDArray[Any] | None = None,
    ) -> bool:
        """Adds one run of another program in an environment of this library; False if it was there already.

        It is compared with runs of the library's agents. ``curve`` are the totals so far at ``checkpoints``.
        """
        if (checkpoints is None) != (curve is None):
            raise ValueError("checkpoints and curve are given together")
        model = env if isinstance(env, _core.Model) else _core.Model.from_spec(env)
        return self._add(model, agent, steps, seed, replicate, total, checkpoints, curve)


@contextmanager
def opened(store: Any, mode: str = "w", agents: Iterable[str] = ()) -> Iterator[Store | None]:
    """What was given as a store: one that is open, or the one at this path, until the end; None is None.

    ``agents`` are the specs of those whose runs it will get."""
    if store is None:
        yield None
        return
    if not isinstance(store, (Store, str, os.PathLike)):
        raise TypeError(f"store must be a farsight.Store or a path, not {type(store).__name__}")
    check_storable(agents)
    if isinstance(store, Store):
        yield store
    else:
        with Store(store, mode) as own:
            yield own


def _command() -> str:
    """The origin of results, as the store records it: how this program was started."""
    program = sys.argv[0] if sys.argv else ""
    if program in ("", "-c"):
        return "python"
    if "ipykernel" in program:
        return "notebook"
    return shlex.join(["python", *sys.argv])


def _waiting(path: str) -> None:
    warnings.warn(f"waiting for another process that writes to {path!r}", RuntimeWarning, stacklevel=2)
