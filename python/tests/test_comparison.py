"""Comparisons of stored results, against the command and SciPy."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command, command_json, interrupted, needs_command
from farsight import _core

pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")

ENVS = ["chain:n=3", "riverswim"]
AGENTS = ["delayed-q", "r-max", "psrl"]
FEW = {"resamples": 200}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that the studies have filled."""
    path = tmp_path_factory.mktemp("stats") / "results.db"
    fs.run(ENVS, AGENTS, steps=500, runs=12, curve="10", metrics=["regret"], store=path, progress=False)
    return path


@needs_command
@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([], {}),
        (["-b", "psrl", "--level", 0.9], {"baseline": "psrl", "level": 0.9}),
        (["--series", "regret"], {"series": "regret"}),
        (["-a", "r-max", "-a", "psrl", "-e", ENVS[1]], {"agents": ["r-max", "psrl"], "envs": ENVS[1]}),
        (["--correction", "fdr", "--better", "lower"], {"correction": "fdr", "better": "lower"}),
        (["--run-seed", 1, "--steps", 500, "--seed", 9], {"run_seed": 1, "steps": 500, "seed": 9}),
        (["--paired"], {"paired": True}),
    ],
)
def test_numbers_are_the_commands(path: Path, options: list[Any], arguments: dict[str, Any]) -> None:
    words = ["stats", path, "--resamples", 200, *options]
    c = fs.stats(path, **FEW, **arguments)
    assert c.data == command_json(*words)
    assert c.text() == command(*words)


def test_groups_and_runs(path: Path) -> None:
    c = fs.stats(path, baseline="delayed-q", **FEW)
    (group,) = c.groups
    assert (group.steps, group.seed, group.baseline) == (500, 1, "delayed-q")
    assert group.envs == ENVS and sorted(group.agents) == sorted(AGENTS)
    assert (c.series, c.better) == ("total", "higher")
    for cell in group.data["cells"]:
        values = group.values(cell["env"], cell["agent"])
        assert values.shape == (12,) and values.mean() == pytest.approx(cell["mean"])
        assert group.replicates(cell["env"], cell["agent"]).tolist() == list(range(12))
    np.testing.assert_array_equal(c.values(0, 0), group.values(group.envs[0], group.agents[0]))
    with pytest.raises(KeyError, match="r-max"):
        c.values(0, "nobody")
    with pytest.raises(IndexError):
        c.values(2, 0)


@pytest.mark.slow
def test_differences_are_paired_t_tests(path: Path) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    c = fs.stats(path, baseline="delayed-q", **FEW)
    table = c.differences("numpy")
    assert len(table["p"]) == 4
    for i, (env, agent) in enumerate(zip(table["env"], table["agent"], strict=True)):
        x, y = c.values(env, agent), c.values(env, "delayed-q")
        assert table["difference"][i] == pytest.approx((x - y).mean())
        assert table["p"][i] == pytest.approx(scipy_stats.ttest_rel(x, y).pvalue)


@pytest.mark.slow
def test_frames(path: Path) -> None:
    c = fs.stats(path, **FEW)
    assert len(c.cells("numpy")["mean"]) == 6
    assert len(c.improvements("numpy")["any_two_runs"]) == 2
    assert len(c.scores("numpy")["iqm"]) == len(c.profiles("numpy")["above_0"]) == 3
    one = fs.stats(path, envs="riverswim", **FEW)
    assert one.scores("numpy") == {} and len(one.profiles()) == 0
    assert "Student" in c.methods and isinstance(c.notes, list)


def test_frames_have_parameters_on_request() -> None:
    r = fs.run(["chain:n=[3,4]"], ["r-max:m=[2,4]", "psrl"], steps=50, runs=4, progress=False)
    c = r.compare(baseline="psrl", **FEW)
    for frame in (c.cells, c.differences, c.improvements, c.scores, c.profiles):
        plain, some, every = (set(frame("numpy", parameters=how)) for how in (False, True, "all"))
        assert not [name for name in plain if name.startswith(("env.", "env_", "agent.", "agent_"))]
        assert plain == set(frame("numpy"))
        assert some - plain == ({"env.n", "agent.m"} if "env" in plain else {"agent.m"})
        assert {"agent_spec", "agent.gamma"} <= every - some
    assert c.differences("numpy", parameters=True)["agent.m"].dtype == np.int64
    with pytest.raises(ValueError, match="parameters"):
        c.cells(parameters="some")


def test_the_nearest_checkpoint_is_named(path: Path) -> None:
    with pytest.warns(UserWarning, match="curve@100"):
        assert fs.stats(path, "curve@103", **FEW).series == "curve@100"


def test_imported_runs_are_paired_on_request(tmp_path: Path) -> None:
    shifts = {"a": 0, "b": 0.5}
    rows = [f"chain,{a},1,{i + x + i % 2 * x},100,{i}\n" for a, x in shifts.items() for i in range(6)]
    table = tmp_path / "other.csv"
    table.write_text("env,agent,seed,value,steps,replicate\n" + "".join(rows))
    with fs.Store(tmp_path / "other.db") as store:
        store.import_csv(table)
        apart, together = (fs.stats(store, paired=paired, baseline="a", **FEW) for paired in (False, True))
    assert apart.differences("numpy")["test"].tolist() == ["Welch"]
    assert together.differences("numpy")["test"].tolist() == ["paired t"]


def test_results_compare(path: Path) -> None:
    r = fs.run(ENVS, AGENTS, steps=500, runs=12, curve="10", metrics=["regret"], store=path, progress=False)
    ours = r.compare(baseline="psrl", **FEW)
    assert ours.data == fs.stats(path, baseline="psrl", agents=AGENTS, envs=ENVS, **FEW).data


def test_stores_stay_open(path: Path) -> None:
    with fs.Store(path, "r") as store:
        fs.stats(store, **FEW)
        assert not store.closed
    with pytest.raises(ValueError, match="closed"):
        fs.stats(store)


def test_an_empty_store(tmp_path: Path) -> None:
    with fs.Store(tmp_path / "empty.db") as store, pytest.raises(ValueError, match="no results"):
        fs.stats(store)


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"series": "luck"}, KeyError, "luck"),
        ({"agents": "nobody"}, KeyError, "nobody"),
        ({"envs": "nowhere"}, KeyError, "nowhere"),
        ({"baseline": "nobody"}, KeyError, "nobody"),
        ({"run_seed": 7}, KeyError, "seed"),
        ({"steps": 7}, KeyError, "steps"),
        ({"level": 1.5}, ValueError, "level"),
        ({"correction": "none"}, ValueError, "bonferroni"),
        ({"better": "best"}, ValueError, "higher"),
        ({"resamples": 3}, ValueError, "resamples"),
        ({"most_agents": 2}, ValueError, "3 agents|agents"),
        ({"agents": [3]}, TypeError, "expected an agent"),
        ({"seed": -1}, ValueError, "seed"),
    ],
)
def test_wrong_questions(path: Path, arguments: dict[str, Any], kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        fs.stats(path, **arguments)


def test_wrong_stores(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="none.db"):
        fs.stats(tmp_path / "none.db")
    for wrong in (None, 3):
        with pytest.raises(TypeError, match="Store or a path"):
            fs.stats(wrong)
    with pytest.raises(TypeError, match="expected a store"):
        _core.stats("results.db", [], [])


def test_one_user_at_a_time(path: Path) -> None:
    """A second call on the same store is refused, also from another thread."""
    errors: list[BaseException] = []
    with fs.Store(path, "r") as store:

        def again(*now: Any) -> None:
            if errors:
                return
            thread = threading.Thread(target=lambda: errors.append(_fails(store)))
            thread.start()
            thread.join()

        fs.stats(store, progress=again, **FEW)
    assert isinstance(errors[0], RuntimeError) and "in use" in str(errors[0])


def _fails(store: fs.Store) -> BaseException:
    with pytest.raises(RuntimeError) as caught:
        fs.stats(store, **FEW)
    return caught.value


def test_progress_can_raise_and_the_store_is_free_again(path: Path) -> None:
    def stop(*now: Any) -> None:
        raise LookupError("enough")

    with fs.Store(path, "r") as store:
        with pytest.raises(LookupError, match="enough"):
            fs.stats(store, progress=stop)
        fs.stats(store, **FEW)


@pytest.mark.slow
def test_ctrl_c_ends_a_long_comparison(path: Path) -> None:
    code, text = interrupted(
        f"try: fs.stats({str(path)!r}, resamples=5_000_000, progress=started)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    assert (code, text) == (0, "interrupted\n")


def test_of_results_a_pickle_draws(tmp_path: Path) -> None:
    class Local(fs.PyAgent):
        def act(self, s: int) -> int:
            return 0

        def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool) -> None:
            pass

    r = fs.run(["chain:n=4", "loop"], ["q-learning", "r-max"], steps=30, runs=5, progress=False)
    for c in (r.compare(resamples=200), r.compare("q-learning", level=0.8, resamples=100, seed=3)):
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(c))))
        assert again.plot("intervals").svg() == c.plot("intervals").svg()
        assert again.pairwise("numpy")["p"].tolist() == c.pairwise("numpy")["p"].tolist()
        assert again.html() == c.html()
    with_class = fs.run("chain:n=4", ["q-learning", Local], steps=30, runs=5, progress=False)
    c = with_class.compare(Local, resamples=100)
    assert pickle.loads(pickle.dumps(c)).data == c.data  # the class itself is not in it
    path = tmp_path / "x.db"
    fs.run("chain:n=4", ["q-learning", "r-max"], steps=30, runs=5, progress=False, store=path)
    stored = pickle.loads(pickle.dumps(fs.stats(path, resamples=100)))
    with pytest.raises(ValueError, match="no pages and figures"):  # the store may have changed
        stored.plot()
