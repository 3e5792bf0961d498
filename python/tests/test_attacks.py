"""Arguments that no program should give: never a crash, and never a wrong number without an exception.

Under AddressSanitizer (scripts/test-python asan) a bad memory access ends these tests; without it they see
what can be seen from Python.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farsight as fs
from farsight import _core

pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")


def store_or_skip(path: Path) -> None:
    try:
        fs.Store(path).close()
    except fs.AbsentError as error:
        pytest.skip(str(error))


# ---- arguments that change while they are read ----


class Fresh(list[Any]):
    """A list whose items nobody keeps."""

    def __getitem__(self, i: Any) -> Any:
        return "chain:n=" + str(5 + i)


def test_items_that_nobody_keeps() -> None:
    given = Fresh(["chain:n=3", "chain:n=4"])
    assert _core.Study(envs=given, agents=["random"], steps=5, runs=2)._info()["envs"] == list(given)


def test_a_list_that_another_thread_clears() -> None:
    for _ in range(5):
        envs = [f"chain:n={i + 5}" for i in range(200)]

        def clear(envs: list[str] = envs) -> None:
            time.sleep(0.0005)
            envs.clear()
            gc.collect()

        thread = threading.Thread(target=clear)
        thread.start()
        try:
            study = _core.Study(envs=envs, agents=["r-max"], steps=5, runs=2)
        except fs.FarsightError:  # was cleared before
            study = None
        thread.join()
        assert study is None or study._info()["envs"][-1] == "chain:n=204"


def test_models_of_a_list_that_is_cleared() -> None:
    models = [_core.Model.from_spec("riverswim:n=6")]
    reports: list[tuple[object, ...]] = []

    def report(*numbers: object) -> None:
        reports.append(numbers)
        models.clear()
        gc.collect()

    done = _core.tune(
        ["q-learning"], models, ["swim"], steps=200, runs=3, evaluate=5, profile=2, budget=3000, report=report
    )
    assert reports and models == [] and done[2] is None


def test_models_of_a_sequence_that_makes_them() -> None:
    class Models:
        def __len__(self) -> int:
            return 3

        def __getitem__(self, i: int) -> _core.Model:
            if i > 2:
                raise IndexError
            return _core.Model.from_spec("chain:n=5")

    try:
        store = _core.Store("results", "memory")
    except fs.AbsentError as error:
        pytest.skip(str(error))
    assert _core.stats(store, [], [], models=Models())[1] == []  # type: ignore[arg-type]


def test_arrays_that_an_array_makes() -> None:
    """Its rows are objects that nobody keeps: only a tuple is taken."""
    agent, worlds = fs.Agent("r-max", env="chain:n=5"), _core.Worlds(_core.Model.from_spec("chain:n=5"))
    with pytest.raises(TypeError):
        _core.train_in(agent, worlds, 0, True, 0.0, 0, 0, np.ones((4, 2)), 3)  # type: ignore[arg-type]


def test_a_layout_that_changes_itself() -> None:
    model = _core.Model.from_spec("frozen-lake")
    layout: dict[str, Any] = model.layout or {}

    class Labels:
        def __len__(self) -> int:
            layout.clear()
            gc.collect()
            return 16

        def __getitem__(self, i: int) -> str:
            return "A"

    layout["labels"] = Labels()
    made = _core.Model.from_csr(model.to_csr(), None, None, layout).layout
    assert made is not None and made["labels"] == ["A"] * 16


# ---- values ----


def test_bytes_that_are_neither_true_nor_false() -> None:
    """A view of bytes as bool may hold any; all but 0 are True."""
    odd = np.frombuffer(bytes([2, 255, 3, 0, 7]), dtype=np.bool_)
    shape = _core.shape_of((5, 2, 0.0, 1.0, False, odd))
    assert shape[5] is not None and shape[5].view(np.uint8).tolist() == [1, 1, 1, 0, 1]
    agent = fs.Agent("q-learning", n_states=5, n_actions=2, reward_range=(0, 1), episodic=True)
    agent.observe_many([0] * 5, [0] * 5, [1.0] * 5, [1] * 5, odd, odd)
    assert agent.visits.sum() == 5
    worlds = _core.Worlds(_core.Model.from_spec("chain:n=5"), 5)
    worlds.reset()
    worlds.reset(odd)


@pytest.mark.parametrize("size", [2**32 + 5, 2**32, -1, 2**64 + 3, -(2**70)])
def test_sizes_are_not_taken_modulo(size: int) -> None:
    """2^32 + 5 states were 5."""
    with pytest.raises(ValueError, match="n_states is"):
        fs.Agent("delayed-q", n_states=size, n_actions=2, reward_range=(0, 1))
    with pytest.raises(ValueError, match="n_actions is"):
        fs.Agent("delayed-q", n_states=2, n_actions=size, reward_range=(0, 1))
    with pytest.raises(IndexError):
        fs.Study("chain:n=3", "r-max")._resolve("r-max", size)


def test_lengths_that_overflow(tmp_path: Path) -> None:
    agent, worlds = fs.Agent("r-max", env="chain:n=5"), _core.Worlds(_core.Model.from_spec("chain:n=5"))
    arrays = (np.empty(4), np.empty(4), np.empty(4, np.int64), np.empty(4, np.bool_))
    for length in (2**63 - 1, -1):
        with pytest.raises(ValueError, match="the length of an episode"):
            _core.train_in(agent, worlds, 0, True, 0.0, length, 5, arrays, 1)
    store_or_skip(tmp_path / "results.db")
    study = fs.Study("chain:n=3", "random", steps=10, runs=3)
    with fs.Store("results", mode="memory") as store, pytest.raises(ValueError, match="not runs of this"):
        study._keep(store, 0, 2**63 - 1, np.zeros(2), study._resolve("random", 0))


@pytest.mark.parametrize("key", ["steps", "runs", "snapshots"])
def test_numbers_beyond_any_integer(key: str) -> None:
    with pytest.raises(ValueError, match=f"{key} is 1000"):
        fs.run("chain:n=3", "random", **{key: 10**30}, progress=False)  # type: ignore[arg-type]


def test_runs_and_curves_that_mean_something_else() -> None:
    """0 runs were 300, and 1.7 steps were 1."""
    with pytest.raises(ValueError, match="runs is 0"):
        fs.run("chain:n=3", "random", runs=0, progress=False)
    for curve in ([1.7], 2.5):
        with pytest.raises(TypeError):
            fs.Study("chain:n=3", "random", curve=curve)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="curve is empty"):
        fs.Study("chain:n=3", "random", curve=[])


def test_the_exception_of_an_index_stays() -> None:
    class Index:
        def __index__(self) -> int:
            raise KeyError("mine")

    agent = fs.Agent("r-max", env="chain:n=5")
    with pytest.raises(KeyError, match="mine"):
        agent.act(Index())  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="mine"):
        fs.Random(Index())  # type: ignore[arg-type]


def test_arguments_of_the_wrong_kind(tmp_path: Path) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("farsight/Chain-v0")
    agent = fs.Agent("r-max", env=env)
    for steps in (1e308, 2.5, "3"):
        with pytest.raises(TypeError):
            fs.train(agent, env, steps=steps)  # type: ignore[arg-type]
    for call in (fs.train, fs.evaluate):
        with pytest.raises(TypeError, match="agent is 3: must be"):
            call(3, env, 5)  # type: ignore[arg-type, operator]
    with pytest.raises(TypeError, match="a row of the parameters must be a tuple"):
        hooks: Any = np.ma.masked_array([1], [True])
        _core.register_agent("of-no-kind", "", [3], print, hooks)  # type: ignore[list-item]
    store_or_skip(tmp_path / "results.db")
    for wrong in (3.0, fs.MDP(np.full((2, 1, 2), 0.5), np.zeros((2, 1)), reward_range=(0, 1))):
        with pytest.raises(TypeError, match="expected an environment"):
            fs.stats(tmp_path / "results.db", envs=wrong)


# ---- bytes that are no text ----


@pytest.mark.skipif(sys.platform != "linux", reason="paths of any bytes")
def test_paths_that_are_no_text(tmp_path: Path) -> None:
    """A message quotes them as far as it can, and the exception is the right one."""
    nowhere = os.fsdecode(b"/nowhere/a\xff.json")
    for load in (fs.MDP.load, fs.Agent.load, fs.Study.from_yaml, _core.tune_plan):
        with pytest.raises(fs.FileError):
            load(nowhere)
    path = tmp_path / os.fsdecode(b"a\xff.db")
    store_or_skip(path)
    assert fs.run("chain:n=3", "random", steps=5, runs=2, store=path, progress=False).computed == 2
    again = fs.run("chain:n=3", "random", steps=5, runs=3, store=path, progress=False)
    assert (again.reused, again.computed) == (2, 1)
    assert fs.Study("chain:n=3", "random", steps=5, runs=3).cost(store=path, seconds=0.001).known == 3


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.mdp"
    path.write_bytes(b"discount: 0.9\nvalues: reward\nstates: a\xe9 b\nactions: x\xff\nT: y\nidentity\n")
    with pytest.raises(fs.FarsightError):
        fs.MDP.load(path)


# ---- results ----


def test_steps_of_a_curve_are_read_only() -> None:
    results = fs.run("chain:n=3", "random", steps=20, runs=2, curve=4, progress=False)
    with pytest.raises(ValueError):
        results.curve()[0][0] = 7


def test_comparison_is_of_these_runs(tmp_path: Path) -> None:
    """A store may have more runs of the cells, and other models of the same names."""
    path = tmp_path / "results.db"
    store_or_skip(path)
    kinds = ["random", "q-learning"]
    first, second = (fs.MDP(np.full((2, 2, 2), 0.5), np.array([[0, x], [1, 0]])) for x in (1.0, 0.5))
    fs.run({"x": first}, kinds, steps=50, runs=30, store=path, progress=False)
    fs.run({"x": second}, kinds, steps=50, runs=30, store=path, progress=False)
    results = fs.run({"x": second}, kinds, steps=50, runs=10, store=path, progress=False)
    compared = results.compare()
    assert [group.envs for group in compared.groups] == [["x"]]
    for kind in kinds:
        assert compared.values("x", kind).tolist() == results.totals("x", kind).tolist()


def test_comparison_of_a_study_that_was_stopped() -> None:
    """Cells without a run are left out."""

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    try:
        with pytest.raises(fs.Interrupted) as stopped:
            agents = ["random", "r-max"]
            fs.run(["chain:n=3", "riverswim"], agents, steps=500, runs=100, threads=1, progress=stop)
        results = stopped.value.results
        assert results.runs(1, 1) == 0 < results.runs(0, 0)
        assert results.compare().groups[0].agents[0] == "random"
    except fs.AbsentError as error:
        pytest.skip(str(error))


def test_classes_of_no_module_differ() -> None:
    """exec without a module says that a class is of builtins, whose classes have no code of their own."""

    def made(action: int) -> Any:
        scope: dict[str, Any] = {"fs": fs}
        body = f"def act(self, s): return {action}\n  def observe(self, *step): pass"
        exec(f"class OfNoModule(fs.PyAgent):\n  {body}", scope)
        return scope["OfNoModule"]

    first, second = made(0), made(1)
    assert first.spec() != second.spec()
    results = fs.run("chain:n=3", [first, second], steps=50, runs=2, progress=False)
    assert results.totals(0, 0).tolist() != results.totals(0, 1).tolist()


# ---- the end of the interpreter ----

EXIT = """
import threading, warnings
import farsight as fs
warnings.simplefilter("ignore")
class Mine(fs.PyAgent):
    def act(self, s):
        return 0
    def observe(self, *step):
        pass
started = threading.Event()
long = dict(steps=10**9, runs=20, threads=4)
run = lambda: fs.run("riverswim:n=20", AGENTS, progress=lambda at: started.set(), **long)
threading.Thread(target=run, daemon=True).start()
assert started.wait(120)
"""


@pytest.mark.parametrize("agents", ['["mbie", Mine]', '["mbie", "r-max"]'])
def test_the_interpreter_ends_within_a_run(agents: str) -> None:
    """Python ends the thread that waits for its lock: worker threads must not need its stack any more."""
    for _ in range(2):
        program = [sys.executable, "-X", "faulthandler", "-c", EXIT.replace("AGENTS", agents)]
        done = subprocess.run(program, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_study_in_the_last_moment() -> None:
    """A function of atexit that was registered before the package still runs a study."""
    program = """
import atexit, sys
def last():
    print(fs.run("chain:n=3", "random", steps=5, runs=3, progress=lambda p: None).totals().shape)
atexit.register(last)
import farsight as fs
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("(3,)\n", "")
