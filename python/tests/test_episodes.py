"""Runs that end by episodes: the command's numbers, and results, frames, stores and figures that say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command_json, needs_command

pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")
LAKE, CUT = "frozen-lake:horizon=20", "frozen-lake:horizon=50"


def run(envs: Any = LAKE, agents: Any = "q-learning", **named: Any) -> fs.Results:
    return fs.run(envs, agents, **{"episodes": 12, "runs": 5, "metrics": ["episodes", "length"], "progress": False, **named})


@needs_command
def test_the_commands_numbers() -> None:
    r = run(curve=[4, 12])
    theirs = command_json("run", "-e", LAKE, "-a", "q-learning", "--episodes", 12, "--runs", 5, "--curve", "4,12")
    assert theirs["cells"][0]["hash"] == r.hash() and theirs["cells"][0]["episodes"] == 12


def test_results_say_it() -> None:
    r = run([LAKE, CUT], ["q-learning", "random"], curve=3)
    assert r.episodes == 12 and r.steps == 600 and fs.run(LAKE, "random", runs=1, progress=False).episodes is None
    assert np.all(r.metric("episodes", 0, 0) == 12)
    assert r.curve(0, 0)[0].tolist() == [4, 8, 12]
    assert np.array_equal(r.curve(0, 0, "episodes")[1][:, 0], [4, 8, 12])
    assert "12 episodes" in repr(r) and "12 episodes" in r._repr_html_() and "episodes 12" in str(r)
    cells = r.cells("numpy")
    assert cells["run_episodes"].tolist() == [12] * 4 and cells["steps"].tolist() == [240, 240, 600, 600]
    assert "run_episodes" not in fs.run(LAKE, "random", steps=50, runs=2, progress=False).cells("numpy")
    assert r.frame("numpy")["episodes"].tolist() == [12.0] * 20
    assert set(r.curves("numpy")["step"].tolist()) == {4, 8, 12}


def test_comparisons_and_figures() -> None:
    r = run([LAKE, CUT], ["q-learning", "random"], curve=3)
    c = r.compare(baseline="random", resamples=200)
    assert [group.episodes for group in c.groups] == [12] and c.groups[0].envs == [LAKE, CUT]
    assert np.array_equal(c.values(LAKE, "random"), r.totals(LAKE, "random"))
    assert "12 episodes" in r.plot("intervals").svg()
    with pytest.raises(TypeError, match="episodes chooses among the runs of a store"):
        r.plot("intervals", episodes=12)


def test_stores_tell_them_apart(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    first = run(store=path)
    assert run(store=path).reused == 5 and run(store=path, episodes=13).reused == 0
    fs.run(LAKE, "q-learning", steps=240, runs=5, store=path, progress=False)
    with fs.Store(path, mode="r") as store:
        assert sorted(record["episodes"] for record in store.records()) == [0, 12, 13]
        assert sorted(set(store.frame(library="numpy")["run_episodes"].tolist())) == [0, 12, 13]
    chosen = fs.stats(path, episodes=12, resamples=200)
    assert np.array_equal(chosen.values(0, 0), first.totals()) and [g.episodes for g in chosen.groups] == [12]
    assert sorted(g.episodes or 0 for g in fs.stats(path, resamples=200).groups) == [0, 12, 13]
    assert "12 episodes" in fs.plot.draw("intervals", path, episodes=12).svg()


def test_snapshots_are_at_the_ends_of_episodes(tmp_path: Path) -> None:
    for store in (None, tmp_path / "r.db"):
        found = run(curve=[1, 12], snapshots=2, store=store).snapshots()
        assert [(s["replicate"], s["step"]) for s in found] == [(0, 1), (0, 12), (1, 1), (1, 12)]
        assert found[0]["visits"].sum() <= 20


def test_most_steps() -> None:
    short = run(steps=30)
    assert short.steps == 30 and np.all(short.metric("episodes") < 12)
    assert run(steps=10_000).hash() == run().hash()  # the horizon allows no more than 240
    open_end = run("frozen-lake", steps=5000)
    assert open_end.steps == 5000 and np.all(open_end.metric("episodes") == 12)


def test_studies() -> None:
    study = fs.Study(LAKE, "q-learning", episodes=12, runs=5)
    assert study.episodes == 12 and study.steps == 240 and "12 episodes" in repr(study)
    again = fs.Study.from_yaml(study.to_yaml())
    assert again.episodes == 12 and again.run(progress=False).hash() == run().hash()
    over = fs.Study.from_yaml("environments: [chain]\nagents: [random]\nruns: 2", envs=LAKE, episodes=3)
    assert over.episodes == 3 and fs.Study(LAKE, "random", runs=2).episodes is None
    assert fs.Study(LAKE, "random", runs=2, episodes=3).cost(seconds=0.01).runs == 2


@pytest.mark.parametrize(
    ("named", "kind", "why"),
    [
        ({"episodes": 0}, ValueError, "episodes is 0: must be at least 1"),
        ({"episodes": -1}, ValueError, "episodes must be a whole number from 1"),
        ({"episodes": 2.5}, TypeError, "episodes must be a whole number"),
        ({"envs": "chain"}, ValueError, "no episode can end here"),
        ({"envs": "frozen-lake"}, ValueError, "beside episodes the most steps of a run"),
        ({"curve": [5, 13]}, ValueError, "13"),
    ],
)
def test_what_is_wrong(named: dict[str, Any], kind: type[Exception], why: str) -> None:
    with pytest.raises(kind, match=why):
        run(**named)


def test_simulators() -> None:
    pytest.importorskip("gymnasium")
    jack = fs.Simulator("Blackjack-v1")
    r = run(jack, ["q-learning", "random"], steps=1000, metrics=["episodes", "return"], curve=2)
    assert np.all(r.metric("episodes", 0, 0) == 12) and r.compare(resamples=100).groups[0].episodes == 12
    assert np.allclose(r.metric("return", 0, 1) * 12, r.totals(0, 1))
    with pytest.raises(ValueError, match="give the simulator a horizon"):
        run(jack, metrics=())
    assert run(fs.Simulator("Blackjack-v1", horizon=9), metrics=()).steps == 108
