"""Studies: the same bits as the command's, grids, models, notes, errors, Ctrl-C, progress."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import pickle
import re
import signal
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import farsight as fs
from command import ROOT, command, command_json, interrupted, needs_command, timeless

pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")

ENVS = ["chain:n=[5,10]", "riverswim", "frozen-lake"]
AGENTS = ["delayed-q", "r-max:m=[3,5]", "q-learning:epsilon=0.2"]


def options(envs: list[str], agents: list[str]) -> list[str]:
    return [word for env in envs for word in ("-e", env)] + [word for a in agents for word in ("-a", a)]


def golden_grids() -> Any:
    """(environments, agents, steps, runs) of the golden hashes, which stand at the head of their script."""
    path = ROOT / "tests/golden/check.py"
    found: dict[str, Any] = {"__file__": str(path)}
    exec(path.read_text().split("\ndef ")[0], found)
    return found["GRIDS"]


# ---- the same bits ----


@pytest.mark.parametrize("threads", [1, 2])
def test_golden_hashes(threads: int) -> None:
    known = json.loads((ROOT / "tests/golden/hashes.json").read_text())["hashes"]
    seen = 0
    for envs, agents, steps, runs in golden_grids()[-3:]:
        r = fs.run(envs, agents, steps=steps, runs=runs, seed=42, threads=threads, progress=False)
        for cell in r.data["cells"]:
            assert r.hash(cell["env"], cell["agent"]) == known[cell["env"] + " " + cell["agent"]]
            seen += 1
    assert seen > 90


@needs_command
@pytest.mark.parametrize("threads", [1, 2])
def test_equals_the_command(threads: int) -> None:
    """Totals, metrics and curves; and the whole documents."""
    more = ["--steps", 400, "--runs", 7, "--seed", 5, "--metric", "regret", "--metric", "coverage", "--curve", "log 6"]
    theirs = command_json("run", *options(ENVS, AGENTS), *more)
    r = fs.run(
        ENVS, AGENTS, steps=400, runs=7, seed=5, metrics=["regret", "coverage"], curve="log 6", threads=threads
    )
    assert timeless(r.data) == timeless(theirs)
    assert len(theirs["cells"]) == 16
    for cell in theirs["cells"]:
        env, agent = cell["env_label"], cell["agent_label"]
        assert r.hash(env, agent) == cell["hash"]
        assert [r.hash(env, agent, m["metric"]) for m in cell["metrics"]] == [m["hash"] for m in cell["metrics"]]
        steps, values = r.curve(env, agent)
        assert steps.tolist() == [p["step"] for p in cell["curve"]]
        assert values.shape == (len(steps), 7) and (values[-1] == r.totals(env, agent)).all()
        assert np.allclose(values.mean(axis=1), [p["mean"] for p in cell["curve"]], rtol=1e-12)
    assert r.text() == command("run", *options(ENVS, AGENTS), *more)


AGENT_SPECS = st.one_of(
    st.sampled_from(["delayed-q", "r-max", "psrl", "ucb-q", "dora", "count-q", "random"]),
    st.builds("q-learning:epsilon={},q0={}".format, st.floats(0, 1), st.integers(-5, 20)),
    st.builds("directed-delayed-q:m={},ties={}".format, st.integers(1, 9), st.sampled_from(["random", "lowest"])),
    st.builds("r-max:m={},gamma={}".format, st.integers(1, 9), st.floats(0.1, 0.95)),
)
ENV_SPECS = st.one_of(
    st.sampled_from(["riverswim", "loop", "sixarms", "frozen-lake", "deepsea:n=4"]),
    st.builds("chain:n={},slip={}".format, st.integers(2, 30), st.floats(0, 0.5)),
    st.builds("garnet:states={},seed={}".format, st.integers(3, 12), st.integers(0, 2**32)),
)


@pytest.mark.slow
@needs_command
@settings(max_examples=40, deadline=None, derandomize=True)
@given(ENV_SPECS, AGENT_SPECS, st.integers(1, 300), st.integers(1, 9), st.integers(0, 2**64 - 1), st.integers(1, 3))
def test_any_spec_equals_the_command(env: str, agent: str, steps: int, runs: int, seed: int, threads: int) -> None:
    theirs = command_json("run", "-e", env, "-a", agent, "--steps", steps, "--runs", runs, "--seed", seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        r = fs.run(env, agent, steps=steps, runs=runs, seed=seed, threads=threads, progress=False)
    assert r.hash() == theirs["cells"][0]["hash"]
    assert r.totals().shape == (runs,)


def test_threads_do_not_matter() -> None:
    several = [
        fs.run(ENVS, AGENTS, steps=300, runs=20, metrics="regret", curve=3, threads=t, progress=False) for t in (1, 2, 5)
    ]
    for r in several[1:]:
        for env in r.envs:
            for agent in r.agents:
                assert (r.totals(env, agent) == several[0].totals(env, agent)).all()
                assert (r.metric("regret", env, agent) == several[0].metric("regret", env, agent)).all()
                assert (r.curve(env, agent, "regret")[1] == several[0].curve(env, agent, "regret")[1]).all()


@needs_command
def test_until() -> None:
    theirs = command_json("run", "-e", "chain:n=5", "-a", "r-max", "-a", "q-learning", "--steps", 200, "--until", "ci=2%")
    r = fs.run("chain:n=5", ["r-max", "q-learning"], steps=200, until="ci=2%", progress=False)
    assert timeless(r.data) == timeless(theirs)
    assert [r.runs(agent=a) for a in r.agents] == [c["runs"] for c in theirs["cells"]]
    assert r.runs(agent=0) != r.runs(agent=1)
    assert len(r.frame("numpy")["total"]) == r.runs(agent=0) + r.runs(agent=1)
    half = [c["until"]["half_width"] for c in theirs["cells"]]
    assert r.cells("numpy")["ci95"].tolist() == half


# ---- studies ----


def test_study_says_what_it_is(tmp_path: Path) -> None:
    study = fs.Study(ENVS, AGENTS, steps=50, runs=3, seed=9, metrics="regret", curve=[10, 50], name="mine")
    assert study.envs == ["chain:n=5", "chain:n=10", "riverswim", "frozen-lake"]
    assert study.agents == ["delayed-q", "r-max:m=3", "r-max:m=5", "q-learning:epsilon=0.2"]
    assert (study.name, study.steps, study.runs, study.seed, study.metrics) == ("mine", 50, 3, 9, ["regret"])
    text = study.to_yaml()
    path = tmp_path / "study.yaml"
    path.write_text(text)
    for again in (fs.Study.from_yaml(text), fs.Study.from_yaml(path), fs.Study.from_yaml(str(path))):
        assert again.to_yaml() == text
        assert again.run(progress=False).hash(3, 3) == study.run(progress=False).hash(3, 3)
    copy = pickle.loads(pickle.dumps(fs.Study.from_yaml(path)))
    path.unlink()
    assert pickle.loads(pickle.dumps(copy)).to_yaml() == text
    assert repr(study) == "Study('mine', 4 environments x 4 agents, 50 steps, 3 runs)"


def test_overrides() -> None:
    text = "environments: [chain]\nagents: [r-max]\nsteps: 100\nruns: 4\ncurve: 10"
    study = fs.Study.from_yaml(text, envs="loop", agents=["psrl", "q-learning"], runs=2, metrics=["regret"])
    assert (study.envs, study.agents, study.steps, study.runs) == (["loop"], ["psrl", "q-learning"], 100, 2)
    assert len(study.run(progress=False).curve(0, 0)[0]) == 10
    with pytest.raises(TypeError, match="there is no 'step'"):
        fs.Study.from_yaml(text, step=3)


@needs_command
def test_the_command_reads_our_yaml(tmp_path: Path) -> None:
    study = fs.Study("chain:n=[3..9 step 3]", "q-learning:epsilon=[0.1,0.3]", steps=60, runs=3, curve=4)
    (tmp_path / "s.yaml").write_text(study.to_yaml())
    assert timeless(command_json("run", tmp_path / "s.yaml")) == timeless(study.run(progress=False).data)


def test_defaults_are_the_commands() -> None:
    study = fs.Study("chain", "q-learning")
    assert (study.steps, study.runs, study.seed) == (10_000, 300, 1)
    assert fs.Study("chain", "q-learning", until="ci=1%").runs == 100_000


def test_cost() -> None:
    cost = fs.Study("chain:n=5", ["r-max", "psrl"], steps=100, runs=7).cost(seconds=60, threads=1)
    assert (cost.runs, cost.known, cost.steps) == (14, 0, 1400) and cost.seconds > 0
    assert "2 cells" in str(cost)


def test_things_with_specs() -> None:
    r = fs.run(
        [fs.MDP("chain:n=4"), fs.environments["loop"]],
        [fs.agents["r-max"], fs.Agent("q-learning", "chain:n=4").spec],
        steps=20,
        runs=2,
        metrics=fs.metrics["regret"],
        progress=False,
    )
    assert r.envs == ["chain:n=4,slip=0.2,left=0.001,right=1", "loop"]
    assert r.agents[0] == "r-max" and r.agents[1].startswith("q-learning:gamma=")
    assert r.totals(fs.MDP("chain:n=4"), "q-learning").shape == (2,)


# ---- models ----

P = np.zeros((2, 2, 2))
P[:, 0, 0] = P[:, 1, 1] = 1
R = np.array([[0.0, 1.0], [2.0, 0.0]])


def test_models_of_arrays(tmp_path: Path) -> None:
    """The same as the model's file, kept apart by content."""
    model = fs.MDP(P, R)
    path = tmp_path / "m.drn"
    model.save(path)
    store = tmp_path / "r.db"
    r = fs.run({"mine": model, "chain 3": "chain:n=3"}, "q-learning", steps=80, runs=6, store=store, progress=False)
    assert r.envs == ["mine", "chain 3"]
    plain = fs.run([f"file:{path}", "chain:n=3"], "q-learning", steps=80, runs=6, progress=False)
    assert r.hash("mine") == plain.hash(0) and r.hash("chain 3") == plain.hash(1)
    again = fs.run({"mine": fs.MDP(P, R)}, "q-learning", steps=80, runs=6, store=store, progress=False)
    assert (again.reused, again.computed) == (6, 0)
    other = fs.run({"mine": fs.MDP(P, 2 * R)}, "q-learning", steps=80, runs=6, store=store, progress=False)
    assert (other.reused, other.computed) == (0, 6)
    assert (other.totals() == 2 * again.totals()).all()
    with fs.Store(store, "r") as opened:
        assert sorted(record["env"] for record in opened.records()) == ["chain:n=3,slip=0.2,left=0.001,right=1", "mine", "mine"]


def test_names_of_models() -> None:
    model = fs.MDP(P, R)
    r = fs.run(model, "r-max", steps=10, runs=2, progress=False)
    assert r.envs == [f"model-{model.hash[:8]}"] and r.totals(model).shape == (2,)
    with pytest.raises(ValueError, match="a model cannot be called 'chain'"):
        fs.run({"chain": model}, "r-max")
    with pytest.raises(ValueError, match="given twice"):
        fs.run([model, fs.MDP(P, R)], "r-max")
    with pytest.raises(ValueError, match="cannot be written as YAML"):
        fs.Study({"mine": model}, "r-max").to_yaml()
    study = pickle.loads(pickle.dumps(fs.Study({"mine": model}, "r-max", steps=10, runs=2)))
    assert study.run(progress=False).hash() == r.hash()


def test_models_outlive_their_names() -> None:
    study = fs.Study({"mine": fs.MDP(P, R)}, "q-learning", steps=50, runs=3)
    for _ in range(100):
        fs.MDP(P, 3 * R)  # would reuse the memory of one that is gone
    assert study.run(progress=False).totals().max() <= 100


def test_gymnasium() -> None:
    gym = pytest.importorskip("gymnasium")
    r = fs.run([gym.make("FrozenLake-v1"), "chain"], "q-learning", steps=300, runs=4, progress=False)
    assert r.envs == ["FrozenLake-v1", "chain"]
    assert r.totals("FrozenLake-v1").shape == (4,)


# ---- notes ----


def test_time_limits_are_warned_of() -> None:
    gym = pytest.importorskip("gymnasium")
    lake, taxi = gym.make("FrozenLake-v1", max_episode_steps=3), gym.make("Taxi-v4")
    size: dict[str, Any] = {"runs": 1, "progress": False}
    words = "^FrozenLake-v1: its time limit of 3 steps is not part of the model; fs.Simulator keeps it$"
    with pytest.warns(fs.StudyWarning, match=words) as caught:
        fs.run(iter([lake, "chain"]), "q-learning", steps=20, **size)
    assert len(caught) == 1 and caught[0].filename == __file__
    with pytest.warns(fs.StudyWarning, match=r"^a, b: their time limits \(3, 200 steps\) are not part") as caught:
        fs.run({"a": lake, "b": taxi}, "q-learning", steps=300, **size)
    assert sum("limit" in str(warning.message) for warning in caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.run(lake, "q-learning", steps=3, **size)  # no episode can be longer
        fs.run(fs.MDP.from_gymnasium(lake), "q-learning", steps=20, **size)


def test_notes() -> None:
    with pytest.warns(fs.StudyWarning, match=r"outside the guarantee \(r-max, delayed-q\)") as caught:
        study = fs.Study("chain", ["r-max", "delayed-q", "q-learning"], steps=10, runs=1)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert len(study.notes) >= 2 and study.notes[0].startswith("r-max on chain: ")
    with pytest.warns(fs.StudyWarning, match="outside the guarantee") as caught:
        fs.run("chain", "r-max", steps=10, runs=1)
    assert caught[0].filename == __file__
    with pytest.warns(fs.StudyWarning) as caught:
        fs.Study.from_yaml("environments: [chain]\nagents: [r-max]")
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.Study("chain", "q-learning")


def test_other_notes() -> None:
    """States that no run reaches, and a metric that can only be 0; many share a last warning."""
    with pytest.warns(fs.StudyWarning) as caught:
        study = fs.Study(["grid:map=S.G/###/...", "chain:n=[3..9]"], "q-learning", metrics="mistakes:eps=1000")
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == 6 and texts[0].startswith("mistakes:eps=1000 of q-learning on grid:map=S.G/###/...: ")
    assert texts[-1] == f"{len(study.notes) - 5} more such notes; Study.notes has all"
    assert any("states can never be reached" in note for note in study.notes)


# ---- errors ----


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: fs.run("chian:n=5", "r-max"), KeyError, r"did you mean 'chain'\?\n  chian:n=5\n  \^"),
        (lambda: fs.run("chain", ["r-max", "rmax"]), KeyError, r"did you mean 'r-max'\?\n  rmax\n  \^"),
        (lambda: fs.run("chain:n=[5,x]", "r-max"), ValueError, r"n=x: n must be"),
        (lambda: fs.run("chain", "r-max", metrics=["regrt"]), KeyError, "did you mean 'regret'"),
        (lambda: fs.run("chain", "r-max", steps=0), ValueError, "steps is 0: must be at least 1"),
        (lambda: fs.run("chain", "r-max", runs=-1), ValueError, "runs must be"),
        (lambda: fs.run("chain", "r-max", runs=2.5), TypeError, "runs must be a whole number"),
        (lambda: fs.run("chain", "r-max", seed=-1), ValueError, "seed"),
        (lambda: fs.run("chain", "r-max", curve="often"), ValueError, "'often' is no curve"),
        (lambda: fs.run("chain", "r-max", until="soon"), ValueError, "soon"),
        (lambda: fs.run("chain", "r-max", snapshots=2), ValueError, "there must be a curve"),
        (lambda: fs.run("chain", "r-max", threads=-1), ValueError, "threads"),
        (lambda: fs.run("chain", "r-max", progress="yes"), ValueError, "progress is 'yes'"),
        (lambda: fs.run("chain", ["r-max", "r-max"]), ValueError, "given twice"),
        (lambda: fs.run([], "r-max"), ValueError, "envs is empty"),
        (lambda: fs.run({}, "r-max"), ValueError, "envs is empty"),
        (lambda: fs.run("chain", []), ValueError, "agents is empty"),
        (lambda: fs.run("chain", {}), ValueError, "agents is empty"),
        (lambda: fs.run("chain", {"a:b": "r-max"}), ValueError, "must not be empty, nor have ':' or '='"),
        (lambda: fs.run({"": "chain"}, "r-max"), ValueError, "must not be empty"),
        (lambda: fs.run("chain", {3: "r-max"}), TypeError, "must be a str, not 3"),
        (lambda: fs.run("chain", {"psrl": "r-max"}), fs.InvalidError, "cannot be a name"),
        (lambda: fs.run("chain", {"riverswim": "r-max"}), fs.InvalidError, "cannot be a name: it is the environment"),
        (lambda: fs.run("chain", {"best policy": "r-max"}), fs.InvalidError, "a row of that name"),
        (lambda: fs.run("chain", {" x": "r-max"}), fs.InvalidError, "without a space at its ends"),
        (lambda: fs.run("chain", {"x": "y=r-max"}), fs.InvalidError, "one name, not 'x' and 'y'"),
        (lambda: fs.run("chain", {"x" * 256: "r-max"}), fs.InvalidError, "a name has 1 to 255 bytes"),
        (lambda: fs.growth("chain", {"a": "r-max"}, [3]), TypeError, "agents must be a list"),
        (lambda: fs.run(3, "r-max"), TypeError, "expected a model"),
        (lambda: fs.run(lambda: 3, "r-max"), TypeError, r"fs\.MDP.* Gymnasium .*fs\.Simulator\(make\)"),
        (lambda: fs.run("chain", int), TypeError, r"int must inherit from fs\.PyAgent"),
        (lambda: fs.run("chain", "r-max, q-learning"), ValueError, r"are a list, as in \['r-max', 'q-learning'\]"),
        (lambda: fs.run("chain", "r-max:m=[1,2], q-learning"), ValueError, r"list, as in \['r-max:m=\[1,2\]', 'q-l"),
        (lambda: fs.run("chain", "r-max:m=5,psrl:gamma=0.9"), ValueError, "several agents are a list"),
        (lambda: fs.run("chain, riverswim", "r-max"), ValueError, "several environments are a list"),
        (lambda: fs.run("chain", "r-max:m=5,gama=0.9"), KeyError, "did you mean 'gamma'"),
        (lambda: fs.run("chain", 3), TypeError, "expected an agent"),
        (lambda: fs.run("chain", "r-max", metrics=[3]), TypeError, "expected a metric"),
        (lambda: fs.run("chain\0", "r-max"), ValueError, "zero byte"),
        (lambda: fs.Study.from_yaml("/nowhere/s.yaml"), OSError, "No such file"),
        (lambda: fs.Study.from_yaml("environments: [chain]\nagents: [rmax]"), KeyError, r"line 2: agents\[0\]"),
        (lambda: fs.run("chain", "r-max", store="/nowhere/r.db"), OSError, "/nowhere/r.db"),
        (lambda: fs.run("chain", "r-max", store=3), TypeError, "store must be"),
    ],
)
def test_errors(call: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_error_has_its_position() -> None:
    with pytest.raises(fs.UnknownError) as caught:
        fs.run("chain", "r-max:mm=3")
    assert caught.value.text == "r-max:mm=3" and caught.value.position == 6


def test_core_objects_cannot_be_made_empty() -> None:
    for kind in (fs._core.Batch, fs._core.Document):
        with pytest.raises(TypeError):
            kind()
    with pytest.raises(ValueError, match="no environment is given"):
        fs._core.Study()


# ---- Ctrl-C, progress, threads ----

SCRIPT = """
import warnings
warnings.simplefilter("ignore")
try:
    long = dict(steps=200_000, runs=100_000, threads=1)
    fs.run("chain:n=50", ["q-learning", "r-max"], curve=5, store={store!r}, progress=started, **long)
    print("finished")
except fs.Interrupted as stopped:
    r = stopped.results
    print(isinstance(stopped, KeyboardInterrupt), r.stopped, r.reused, r.computed, "{words}" in str(stopped))
    assert len(r.frame("numpy")["total"]) == r.reused + r.computed
    assert len(r.curves("numpy")["mean"]) == 2 * 5
"""


@pytest.mark.slow
@pytest.mark.usefixtures("sqlite")
def test_interrupt_and_resume(tmp_path: Path) -> None:
    store = str(tmp_path / "r.db")
    script = SCRIPT.format(store=store, words="the same call resumes")
    code, out = interrupted(script, once="at.runs_done > 0")
    assert code == 0 and out.startswith("True True 0 "), out
    computed = int(out.split()[3])
    assert computed > 0 and out.split()[4] == "True"
    with fs.Store(store, "r") as opened:
        assert opened.info()["runs"] == computed and opened.check() == []
        keys = {record["agent"].split(":")[0]: record["key"] for record in opened.records()}
        replicates, _ = opened.values(keys["q-learning"])
    code, out = interrupted(script, once=f"at.runs_done > {computed}")
    assert out.startswith(f"True True {computed} "), out
    runs = int(replicates[-1]) + 1 if len(replicates) < 50 else 50
    few = fs.run("chain:n=50", "q-learning", steps=200_000, runs=runs, curve=5, store=store, progress=False)
    plain = fs.run("chain:n=50", "q-learning", steps=200_000, runs=runs, curve=5, progress=False)
    assert few.reused > 0 and few.hash() == plain.hash()
    assert (few.curve()[1] == plain.curve()[1]).all()


def test_interrupt_without_a_store() -> None:
    code, out = interrupted(SCRIPT.format(store=None, words="finished run"), once="at.runs_done > 0")
    assert code == 0 and out.startswith("True True 0 ") and out.split()[4] == "True", out


def test_interrupt_of_this_process() -> None:
    main = threading.get_ident()
    assert main == threading.main_thread().ident

    def stop(at: Any) -> None:
        if at.runs_done > 20 and not told:
            told.append(at.runs_done)
            os.kill(os.getpid(), signal.SIGINT)

    told: list[int] = []
    store = fs.Store("interrupted", mode="memory")
    with pytest.raises(KeyboardInterrupt) as caught:
        fs.run("chain:n=50", ["q-learning", "r-max"], steps=20_000, runs=200_000, curve=2, store=store, progress=stop, threads=3)
    results = caught.value.results  # type: ignore[attr-defined]
    assert results.stopped and told[0] <= results.computed < 200_000 and "stopped" in repr(results)
    for agent in results.agents:
        replicates, totals = results.replicates(agent=agent), results.totals(agent=agent)
        assert len(replicates) == len(totals) and (np.diff(replicates) > 0).all()
        if len(totals) > 0:
            plain = fs.run("chain:n=50", agent, steps=20_000, runs=int(replicates[-1]) + 1, progress=False)
            assert (totals == plain.totals()[replicates]).all()
    copy = pickle.loads(pickle.dumps(results))
    with copy.store() as theirs, results.store() as mine:
        assert theirs.hash() == mine.hash() != ""


@pytest.mark.slow
def test_progress_is_called() -> None:
    seen: list[Any] = []
    r = fs.run("chain", ["q-learning", "r-max"], steps=20000, runs=600, progress=seen.append)
    assert not r.stopped and seen
    assert seen[-1].runs == 1200 and seen[-1].cells == 2 and seen[-1].steps == 1200 * 20000
    assert [at.runs_done for at in seen] == sorted(at.runs_done for at in seen)


def test_progress_that_raises() -> None:
    def fail(at: Any) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        fs.run("chain", "q-learning", steps=20000, runs=100_000, progress=fail)


@pytest.mark.parametrize("tqdm", [True, False])
def test_shown_progress(monkeypatch: pytest.MonkeyPatch, tqdm: bool) -> None:
    if not tqdm:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    elif importlib.util.find_spec("tqdm") is None:
        pytest.skip("no tqdm")
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)

    def stop() -> None:
        """Ctrl-C as soon as something is shown, or after two minutes."""
        end = time.monotonic() + 120
        while "of 1,000,000 runs" not in shown.getvalue() and time.monotonic() < end:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=stop).start()
    with pytest.raises(fs.Interrupted):
        fs.run("chain", "q-learning", steps=10**12, runs=1_000_000, progress=True, threads=2)
    assert "of 1,000,000 runs" in shown.getvalue()


def test_quiet_where_nobody_watches(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farsight.progress.PATIENCE", 0)  # whatever is shown is shown at once
    monkeypatch.delenv("FARSIGHT_PROGRESS", raising=False)
    for watched in (False, True):
        monkeypatch.setattr(sys.stderr, "isatty", lambda watched=watched: watched)
        fs.run("chain", "q-learning", steps=100, runs=10)
        captured = capsys.readouterr()
        assert (captured.err != "") == watched and captured.out == ""


def test_the_lock_is_released() -> None:
    """Python goes on while a study runs: another thread takes a hundred turns, then stops it. Studies run side by side."""
    main = threading.get_ident()
    package = os.path.dirname(fs.__file__)

    def turns() -> None:
        while not sys._current_frames()[main].f_code.co_filename.startswith(package):
            time.sleep(0.001)  # before the call below
        for _ in range(100):
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=turns).start()
    with pytest.raises(KeyboardInterrupt):  # on a very busy machine it may come before the first run
        fs.run("chain", "q-learning", steps=20_000, runs=1_000_000, threads=1, progress=False)
    study = fs.Study("chain:n=30", "q-learning", steps=1000, runs=40)
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: study.run(threads=1, progress=False).hash(), range(3)))
    assert len(set(found)) == 1


def test_whole_numbers_may_be_written_as_floats() -> None:
    expected = fs.run("chain", "r-max", steps=1000, runs=4, curve=10, progress=False)
    for number in (float, np.float32):
        r = fs.run("chain", "r-max", steps=number(1e3), runs=number(4), curve=number(10), progress=False)
        assert (r.steps, r.totals(0, 0).tolist()) == (1000, expected.totals(0, 0).tolist())
        assert r.curve(0, 0)[0].tolist() == expected.curve(0, 0)[0].tolist()
    assert fs.Study("chain", "r-max", steps=1e6, runs=1e2).steps == 1_000_000
    assert fs.audit("chain:n=3", "r-max", steps=1e2, runs=2.0, progress=False).runs == 2
    fs.growth("chain", "psrl", [3, 4, 5], runs=3.0, max_steps=1e4, progress=False)
    fs.tune("delayed-q:m=[1..2]", "chain:n=3", steps=1e2, runs=2.0, evaluate=2, profile=0, progress=False)


@pytest.mark.parametrize("value", [1000.5, float("inf"), float("nan"), "many", [10]])
def test_other_numbers_are_refused_by_name(value: Any) -> None:
    with pytest.raises(TypeError, match=re.escape(f"runs must be a whole number, not {value!r}")):
        fs.run("chain", "r-max", runs=value)
    with pytest.raises(TypeError, match=re.escape(f"steps must be a whole number, not {value!r}")):
        fs.Study("chain", "r-max", steps=value)


def test_our_environments_of_gymnasium_are_their_models() -> None:
    gym = pytest.importorskip("gymnasium")
    size: dict[str, Any] = {"steps": 20, "runs": 2, "progress": False}
    r = fs.run([gym.make("farsight/Chain-v0", n=4), gym.make("farsight/MDP-v0", model="loop")], "q-learning", **size)
    assert r.hash(0, 0) == fs.run("chain:n=4", "q-learning", **size).hash(0, 0)
    assert [name.partition(":")[0] for name in r.envs] == ["chain", "loop"]
    assert fs.run({"mine": gym.make("farsight/Chain-v0", n=4)}, "q-learning", **size).envs == ["mine"]


def test_wrappers_that_change_what_a_table_says_are_refused() -> None:
    gym = pytest.importorskip("gymnasium")
    lake = gym.make("FrozenLake-v1")
    double = gym.wrappers.TransformReward(lake, lambda r: 2 * r)
    for call in (lambda: fs.run(double, "q-learning", steps=5, runs=1), lambda: fs.solve(double), lambda: fs.MDP.from_gymnasium(double)):
        with pytest.raises(ValueError, match="TransformReward changes rewards"):
            call()
    counted = gym.wrappers.RecordEpisodeStatistics(lake)
    assert fs.MDP.from_gymnasium(counted) == fs.MDP.from_gymnasium(lake)


def test_an_agent_of_bytes() -> None:
    with pytest.raises(TypeError, match="not b'r-max'"):
        fs.run("chain", b"r-max", steps=5, runs=1)


# ---- names ----


def test_names() -> None:
    class Still(fs.PyAgent):
        def act(self, s: int) -> int:
            return 0

        def observe(self, *step: Any) -> None:
            pass

    agents = {"fast": "r-max:m=5", "directed": "directed-delayed-q:gamma_e=0.5", "waits": Still}
    r = fs.run({"small": "chain:n=4", "large": "chain:n=12"}, agents, steps=60, runs=3, curve=2, progress=False)
    assert r.envs == ["small", "large"] and r.agents == ["fast", "directed", "waits"]
    assert r.totals("small", "fast").tolist() == fs.run("chain:n=4", "r-max:m=5", steps=60, runs=3, progress=False).totals().tolist()
    assert r.totals("chain:n=12", "r-max:m=5").tolist() == r.totals("large", "fast").tolist()  # specs are names, too
    assert set(r.frame("numpy")["agent"]) == {"fast", "directed", "waits"}
    c = r.compare(baseline="fast", resamples=100)
    assert set(c.cells("numpy")["agent"]) == {"fast", "directed", "waits"} and set(c.cells("numpy")["env"]) == {"small", "large"}
    assert "directed" in r.plot("curves").svg() and "fast = r-max:gamma" in str(r)
    again = fs.Study.from_yaml(fs.Study({"small": "chain:n=4"}, {"fast": "r-max:m=[5,6]"}, steps=60, runs=3).to_yaml())
    assert again.agents == ["fast:m=5", "fast:m=6"] and again.envs == ["small"]


def test_names_in_stores(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    fs.run(["chain:n=[4,12]"], {"directed": "directed-delayed-q:gamma_e=0.5", "fast": "r-max"}, steps=60, runs=3, store=path, progress=False)
    c = fs.stats(path, resamples=100, progress=False)
    assert set(c.cells("numpy")["agent"]) == {"directed", "fast"} and len(c.cells("numpy")["agent"]) == 4
    with fs.Store(path) as store:
        assert {r["agent_label"] for r in store.records()} == set(store.frame(library="numpy")["agent_label"]) == {"directed", "fast"}
        assert set(store.frame(library="numpy")["env_label"]) == {"chain:n=4", "chain:n=12"}
