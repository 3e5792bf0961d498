"""Results: arrays, frames, names, snapshots, comparisons, text, pickle."""

from __future__ import annotations

import gc
import json
import pickle
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command, needs_command

pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")

ENVS = ["chain:n=[4,6]", "loop"]
AGENTS = ["r-max:m=2", "q-learning"]


@pytest.fixture(scope="module")
def r() -> fs.Results:
    return fs.run(ENVS, AGENTS, steps=120, runs=8, metrics=["regret", "coverage"], curve=[30, 120], progress=False)


@pytest.fixture(scope="module")
def rich() -> fs.Results:
    """With a metric that has curves, and snapshots."""
    return fs.run("chain:n=4", AGENTS, steps=100, runs=5, metrics="coverage", curve=4, snapshots=2, progress=False)


# ---- arrays ----


def test_arrays_are_read_only_views(r: fs.Results) -> None:
    totals = r.totals("loop", "q-learning")
    steps, values = r.curve("loop", "q-learning")
    for array in (totals, values, r.metric("regret", "loop", "q-learning")):
        assert array.dtype == np.float64 and not array.flags.writeable and not array.flags.owndata
        with pytest.raises(ValueError):
            array[0] = 1
    assert values.shape == (2, 8) and steps.tolist() == [30, 120]
    assert np.shares_memory(totals, r.totals("loop", "q-learning"))


def test_views_keep_their_memory() -> None:
    one = fs.run("chain", "q-learning", steps=50, runs=1000, curve=3, progress=False)
    totals, (_, values) = one.totals(), one.curve()
    copies = totals.copy(), values.copy()
    gone = weakref.ref(one)
    del one
    gc.collect()
    assert gone() is None
    for _ in range(20):
        fs.run("chain", "q-learning", steps=50, runs=1000, seed=2, curve=3, progress=False)
    assert (totals == copies[0]).all() and (values == copies[1]).all()


def test_hash_is_of_the_totals(r: fs.Results) -> None:
    import hashlib

    for env in r.envs:
        assert r.hash(env, 1) == hashlib.sha256(r.totals(env, 1).astype("<f8").tobytes()).hexdigest()
        regret = r.metric("regret", env, 1).astype("<f8").tobytes()
        assert r.hash(env, 1, "regret") == hashlib.sha256(regret).hexdigest()


# ---- names ----


def test_names(r: fs.Results) -> None:
    assert r.envs == ["chain:n=4", "chain:n=6", "loop"] and r.agents == AGENTS
    wanted = r.totals("chain:n=6", "r-max:m=2")
    for env in (1, -2, np.int64(1), "chain:slip=0.2,n=6", "chain:n=6,slip=0.2,left=0.001,right=1", fs.MDP("chain:n=6")):
        for agent in (0, "r-max:m=2", "r-max:gamma=0.95,m=2", r.data["cells"][2]["agent"]):
            assert r.totals(env, agent) is not None and (r.totals(env, agent) == wanted).all()
    for metric in ("regret", "regret:against=value", 0):
        assert (r.metric(metric, 0, 0) == r.frame("numpy")["regret"][:8]).all()


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda r: r.totals("chain:n=5", 0), KeyError, "unknown environment 'chain:n=5'; did you mean 'chain:n=[46]'"),
        (lambda r: r.totals("no such", 0), KeyError, "there are: chain:n=4, chain:n=6, loop"),
        (lambda r: r.totals(0, "qlearning"), KeyError, "did you mean 'q-learning'"),
        (lambda r: r.totals(0, "psrl"), KeyError, "unknown agent 'psrl'"),
        (lambda r: r.totals(3, 0), IndexError, "environment 3 is out of range: there are 3"),
        (lambda r: r.totals(0, -3), IndexError, "agent -3 is out of range: there are 2"),
        (lambda r: r.totals(0.5, 0), TypeError, "expected a model"),
        (lambda r: r.totals(), ValueError, "there are 3 environments: name one of"),
        (lambda r: r.metric("regrets", 0, 0), KeyError, "did you mean 'regret'"),
        (lambda r: r.metric(2, 0, 0), IndexError, "metric 2 is out of range: there are 2"),
        (lambda r: r.frame("excel"), ValueError, "'excel'"),
    ],
)
def test_wrong_names(r: fs.Results, call: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call(r)


def test_no_curve() -> None:
    plain = fs.run("chain", "q-learning", steps=10, runs=2, progress=False)
    for call in (plain.curve, plain.curves):
        with pytest.raises(ValueError, match="there is no curve: run with curve=100"):
            call()


# ---- frames ----


def test_frame(r: fs.Results) -> None:
    columns = r.frame("numpy")
    assert list(columns) == ["env", "agent", "replicate", "total", "regret", "coverage"]
    assert len(columns["total"]) == 3 * 2 * 8
    for i, env in enumerate(r.envs):
        for j, agent in enumerate(r.agents):
            rows = (columns["env"] == env) & (columns["agent"] == agent)
            assert (np.flatnonzero(rows) == np.arange(8) + 8 * (2 * i + j)).all()
            assert columns["replicate"][rows].tolist() == list(range(8))
            assert (columns["total"][rows] == r.totals(env, agent)).all()
            assert (columns["regret"][rows] == r.metric("regret", env, agent)).all()


@pytest.mark.slow
def test_frames_of_all_libraries_agree(r: fs.Results) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for make in (r.frame, r.cells, r.curves):
        columns, one, other = make("numpy"), make("pandas"), make("polars")
        assert isinstance(one, pandas.DataFrame) and isinstance(other, polars.DataFrame)
        assert list(columns) == list(one.columns) == other.columns
        for name in columns:
            assert list(columns[name]) == list(one[name]) == other[name].to_list()
    assert other["env"].dtype == polars.String


def test_parameters(r: fs.Results) -> None:
    columns = r.frame("numpy", parameters="all")
    assert columns["env.n"][:16].tolist() == [4.0] * 16 and np.isnan(columns["env.n"][-1])
    assert set(columns["agent.ties"]) == {"random"} and set(columns["agent.gamma"]) == {0.95}
    assert columns["agent.m"][0] == 2 and np.isnan(columns["agent.m"][8])
    assert list(columns)[:3] == ["env", "env.n", "env.slip"]
    assert r.cells("numpy", parameters="all")["env.n"][:4].tolist() == [4, 4, 6, 6]
    for wrong in ("some", 3, None):
        with pytest.raises(ValueError, match="parameters"):
            r.cells("numpy", parameters=wrong)  # type: ignore[arg-type]


def test_parameters_that_vary(r: fs.Results) -> None:
    assert list(r.cells("numpy", parameters=True))[:3] == ["env", "env.n", "agent"]
    assert "env.n" in r.curves("numpy", parameters=True)
    assert "agent.gamma" not in r.curves("numpy", parameters=True)  # the problem's, for all agents
    assert "agent.ties" not in r.curves("numpy", parameters=True)
    grid = fs.run(
        "chain:n=[3,4]", "q-learning:alpha=[0.1,0.5],epsilon=[0,1]", steps=10, runs=2, progress=False
    )
    frame = grid.frame("numpy", parameters=True)
    assert list(frame) == ["env", "env.n", "agent", "agent.alpha", "agent.epsilon", "replicate", "total"]
    assert frame["env.n"].dtype == frame["agent.epsilon"].dtype == np.int64
    assert frame["agent.alpha"].dtype == np.float64


def test_cells(r: fs.Results) -> None:
    columns = r.cells("numpy")
    told = r.data["cells"]
    for key in ("mean", "ci95", "std", "min", "max", "hash", "runs", "steps"):
        assert columns[key].tolist() == [cell[key] for cell in told]
    assert columns["regret"].tolist() == [cell["metrics"][0]["mean"] for cell in told]
    assert columns["regret.ci95"].tolist() == [cell["metrics"][0]["ci95"] for cell in told]
    assert columns["env"].tolist() == [cell["env_label"] for cell in told]


def test_curves(r: fs.Results) -> None:
    columns = r.curves("numpy")
    assert list(columns) == ["env", "agent", "series", "step", "mean", "low", "high", "runs"]
    told = r.data["cells"]
    rows = [
        (cell["env_label"], cell["agent_label"], series, p["step"], p["mean"], p["mean"] - p["ci95"], p["mean"] + p["ci95"], 8)
        for cell in told
        for series, curve in [("total", cell["curve"]), *((m["metric"], m.get("curve", [])) for m in cell["metrics"])]
        for p in curve
    ]
    names = {spec.partition(":")[0]: spec for spec, _ in r._info["metric_specs"]}
    assert [(*row[:2], names.get(row[2], row[2]), *row[3:]) for row in zip(*columns.values(), strict=True)] == rows


def test_every_run_of_curves(r: fs.Results) -> None:
    columns = r.curves("numpy", each=True)
    assert list(columns) == ["env", "agent", "series", "replicate", "step", "value"]
    rows = (columns["env"] == "loop") & (columns["agent"] == "q-learning") & (columns["series"] == "regret")
    steps, values = r.curve("loop", "q-learning", "regret")
    assert (columns["value"][rows].reshape(8, 2).T == values).all()
    assert columns["step"][rows].tolist() == steps.tolist() * 8
    assert columns["replicate"][rows].tolist() == np.repeat(np.arange(8), 2).tolist()


def test_missing_library(r: fs.Results, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(ImportError, match=rf"farsight-rl\[{library}\]"):
            r.frame(library)


# ---- stores, snapshots, comparisons ----


def test_snapshots(rich: fs.Results) -> None:
    found = rich.snapshots(agent="q-learning")
    assert [(s["replicate"], s["step"]) for s in found] == [(k, t) for k in (0, 1) for t in (25, 50, 75, 100)]
    for snapshot in found:
        assert snapshot["visits"].shape == snapshot["q"].shape == (4, 2)
        assert snapshot["visits"].sum() == snapshot["step"] and snapshot["bonus"] is None
        assert np.allclose(snapshot["policy"].sum(axis=1), 1)
    assert fs.run("chain", "q-learning", steps=10, runs=2, progress=False).snapshots() == []


@pytest.mark.slow
def test_compare(r: fs.Results, tmp_path: Path) -> None:
    comparison = r.compare(baseline="q-learning")
    store = tmp_path / "r.db"
    fs.run(ENVS, AGENTS, steps=120, runs=8, metrics=["regret", "coverage"], curve=[30, 120], store=store)
    assert comparison.data == fs.stats(store, baseline="q-learning", agents=AGENTS, envs=r.envs).data
    metric = r.compare("q-learning", "regret")
    assert metric.series == "regret:against=value" and metric.better == "lower"
    assert r.compare(1, "curve@30").series == "curve@30"
    with pytest.raises(KeyError):
        r.compare("psrl")


def test_comparisons_have_the_labels_of_the_results() -> None:
    """Also where the library writes them in another way: chain:n=10 is plain chain, a class has a code."""

    class Still(fs.PyAgent):
        def __init__(self, choice: int = 0, gamma: float = 0.9) -> None:
            self.choice = choice

        def act(self, s: int) -> int:
            return self.choice

        def observe(self, *step: Any) -> None:
            pass

    model = fs.MDP(np.full((2, 2, 2), 0.5), np.array([[0, 1], [1, 0.5]]))
    agents = ["q-learning:alpha=0.1", Still.spec(choice=[1, 0]), "r-max:m=5", "delayed-q"]
    own = fs.run({"b": "chain:n=10", "a": model, "c": "loop"}, agents, steps=40, runs=4, progress=False)
    results = fs.run(["riverswim", "chain:n=10"], agents, steps=40, runs=4, progress=False)
    for each in (own, results):
        compared = each.compare(baseline=agents[1].replace("[1,0]", "0"), resamples=100)
        (group,) = compared.groups
        assert (group.envs, group.agents, group.baseline) == (each.envs, each.agents, each.agents[2])
        for env, agent in ((env, agent) for env in each.envs for agent in each.agents):
            assert group.values(env, agent).tolist() == each.totals(env, agent).tolist()
        names = {key: list(dict.fromkeys(compared.cells("numpy")[key])) for key in ("env", "agent")}
        assert names == {"env": each.envs, "agent": each.agents}
        assert set(compared.differences("numpy")["agent"]) == set(each.agents) - {each.agents[2]}
        assert set(compared.differences("numpy")["baseline"]) == {each.agents[2]}


def test_compare_knows_only_its_own_runs(tmp_path: Path) -> None:
    store = tmp_path / "r.db"
    one = fs.run("chain:n=4", AGENTS, steps=50, runs=4, store=store, progress=False)
    fs.run("loop", "psrl", steps=50, runs=4, store=store, progress=False)
    fs.run("chain:n=4", AGENTS, steps=50, runs=4, seed=2, store=store, progress=False)
    fs.run("chain:n=4", AGENTS, steps=60, runs=4, store=store, progress=False)
    alone = fs.run("chain:n=4", AGENTS, steps=50, runs=4, progress=False)
    assert one.compare("q-learning").data == alone.compare("q-learning").data


def test_compare_models_without_specs() -> None:
    transitions = np.array([[[0.5, 0.5], [1, 0]], [[0, 1], [1, 0]]])
    model = fs.MDP(transitions, np.array([[0.0, 1.0], [2.0, 0.0]]))
    results = fs.run({"mine": model}, AGENTS, steps=50, runs=6, progress=False)
    comparison = results.compare("q-learning")
    assert comparison.groups[0].envs == ["mine"]
    assert pickle.loads(pickle.dumps(results)).compare("q-learning").data == comparison.data


def test_snapshots_of_models_of_one_name(tmp_path: Path) -> None:
    moves = np.array([[[1.0, 0], [0, 1]], [[1, 0], [0, 1]]])
    both = [
        fs.run(
            {"mine": fs.MDP(moves, k * np.array([[0.0, 1.0], [2.0, 0.0]]))}, "q-learning", steps=40, runs=2, curve=2,
            snapshots=1, store=tmp_path / "r.db", progress=False,
        )
        for k in (1, 3)
    ]  # fmt: skip
    small, large = (results.snapshots()[-1]["q"].max() for results in both)
    assert 0 < 2 * small < large


def test_private_stores_are_apart() -> None:
    chain, loop = (fs.run(env, "q-learning", steps=10, runs=n, progress=False) for env, n in (("chain", 2), ("loop", 3)))
    with chain.store() as one, loop.store() as two:
        assert (one.info()["runs"], two.info()["runs"]) == (2, 3)


def test_without_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build without it runs all the same; what needs a store says so."""

    def absent(*args: Any, **named: Any) -> None:
        raise fs.AbsentError("this build was made without SQLite")

    monkeypatch.setattr("farsight._core.Store.__init__", absent, raising=False)
    results = fs.Study("chain", AGENTS, steps=10, runs=2).run(progress=False)
    assert results.totals(agent=0).shape == (2,)
    with pytest.raises(fs.AbsentError, match="without SQLite"):
        results.compare("q-learning")


# ---- text ----


@needs_command
def test_text(r: fs.Results) -> None:
    told = command(
        "run", "-e", "chain:n=[4,6]", "-e", "loop", "-a", "r-max:m=2", "-a", "q-learning", "--steps", 120, "--runs", 8,
        "--metric", "regret", "--metric", "coverage", "--curve", "30,120", "--quiet",
    )  # fmt: skip
    assert r.text() == told and str(r) == told.rstrip("\n")


@pytest.mark.slow
def test_shown(r: fs.Results) -> None:
    assert repr(r) == "Results(3 environments x 2 agents, 120 steps, 48 computed)"
    shown = r._repr_html_()
    assert "<td>chain:n=4</td>" in shown and "seed 1" in shown and shown.count("<tr>") == 7
    assert r.markdown().startswith("### Undiscounted reward")
    odd = fs.run({"<b>": fs.MDP("chain")}, "q-learning", steps=10, runs=2, progress=False)
    assert "<td><b>" not in odd._repr_html_()


def test_reused_is_shown(tmp_path: Path) -> None:
    for runs, shown in ((3, "3 computed"), (5, "3 runs reused, 2 computed")):
        results = fs.run("chain", "q-learning", steps=10, runs=runs, store=tmp_path / "r.db", progress=False)
        assert shown in repr(results)
    assert "Reused 3 runs from" in results.text()


# ---- pickle ----


def test_pickle(rich: fs.Results, r: fs.Results) -> None:
    for results in (rich, r):
        copy = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(results))))
        assert copy.envs == results.envs and copy.agents == results.agents and copy.text() == results.text()
        for name, column in results.frame("numpy").items():
            assert (copy.frame("numpy")[name] == column).all()
        for name, column in results.curves("numpy", each=True).items():
            assert (copy.curves("numpy", each=True)[name] == column).all()
        assert not copy.totals(0, 0).flags.writeable
        assert copy.hash(0, 1) == results.hash(0, 1) and copy.data == results.data
        assert copy.totals(0, "r-max:gamma=0.95,m=2").shape == results.totals(0, 0).shape
        assert copy.compare("q-learning").data == results.compare("q-learning").data
        with copy.store() as theirs, results.store() as mine:
            assert len(theirs.records()) == len(mine.records())


@pytest.mark.slow
@pytest.mark.usefixtures("sqlite")
def test_results_of_other_processes(tmp_path: Path) -> None:
    """As joblib or a cluster would return them."""
    script = (
        "import farsight as fs, pickle, sys, warnings; warnings.simplefilter('ignore');"
        "r = fs.run('chain:n=4', 'q-learning', steps=50, runs=5, curve=2, store=sys.argv[1], progress=False);"
        "sys.stdout.buffer.write(pickle.dumps(r))"
    )
    out = subprocess.run([sys.executable, "-c", script, tmp_path / "r.db"], capture_output=True, check=True).stdout
    here = fs.run("chain:n=4", "q-learning", steps=50, runs=5, curve=2, progress=False)
    there = pickle.loads(out)
    assert there.hash() == here.hash() and json.loads(json.dumps(there.data["cells"]))[0]["hash"] == here.hash()
    with there.store() as store:
        assert store.info()["runs"] == 5 and store.path == str(tmp_path / "r.db")


def test_no_leak() -> None:
    """Results, stores and studies go when nobody holds them."""
    kept = []
    for _ in range(200):
        results = fs.run("chain:n=3", "q-learning", steps=5, runs=2, progress=False)
        kept.append(weakref.ref(results))
        results.totals(), results.frame("numpy"), results.cells("numpy")
    del results
    gc.collect()
    assert all(one() is None for one in kept)


def test_an_agent_that_was_edited_since() -> None:
    """Runs are never kept under the key of another class."""

    class Mine(fs.PyAgent):
        name = "edited-since"

        def act(self, s: int) -> int:
            return 0

        def observe(self, *step: Any) -> None:
            pass

    results = fs.run("chain:n=4", [Mine, "random"], steps=10, runs=2, progress=False)
    copy = pickle.dumps(results)

    class Other(fs.PyAgent):
        name = "edited-since"

        def act(self, s: int) -> int:
            return 1

        def observe(self, *step: Any) -> None:
            pass

    fs.run("chain:n=4", Other, steps=10, runs=2, progress=False)
    for each in (results, pickle.loads(copy)):
        compared = each.compare("random")
        assert compared.groups[0].agents == results.agents
        assert compared.values(0, 0).tolist() == results.totals(0, 0).tolist()
