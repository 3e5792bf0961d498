"""Runs of simulators in stores: kept, reused and resumed by name and version, and shown by the command."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command, command_json, needs_command

gymnasium = pytest.importorskip("gymnasium")
spaces = gymnasium.spaces

pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")
METRICS = ["episodes", "return", "success:at_least=1", "length"]


class Walk(gymnasium.Env):  # type: ignore[misc]
    """A walk of `n` states; the last ends the episode, with a reward of 1. Counts the steps of all."""

    stepped = 0

    def __init__(self, n: int = 3) -> None:
        self.observation_space, self.action_space = spaces.Discrete(n), spaces.Discrete(2)
        self.s = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.s = 0
        return 0, {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        Walk.stepped += 1
        self.s += bool(action == 1 and self.np_random.random() < 0.8)
        last = self.observation_space.n - 1
        return self.s, float(self.s == last), self.s == last, False, {}


def walk(version: str | None = "1", **named: Any) -> fs.Simulator:
    return fs.Simulator(Walk, **{"reward_range": (0, 1), "name": "walk", "version": version, **named})


def stepped(*arguments: Any, **named: Any) -> tuple[fs.Results, int]:
    before = Walk.stepped
    r = fs.run(*arguments, **{"steps": 100, "runs": 4, "threads": 2, "progress": False, **named})
    return r, Walk.stepped - before


def envs_of(path: Path) -> set[str]:
    with fs.Store(path, mode="r") as store:
        return {record["env"] for record in store.records()}


def test_runs_are_kept_and_reused(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    first, steps = stepped(walk(), ["q-learning", "random"], store=path, metrics=METRICS, curve=4)
    assert steps == 800 and first.computed == 8
    plain, _ = stepped(walk(None), ["q-learning", "random"], metrics=METRICS, curve=4)
    again, steps = stepped(walk(), ["q-learning", "random"], store=path, metrics=METRICS, curve=4, threads=1)
    assert steps == 0 and again.reused == 8
    for r in (plain, again):  # a version changes no number
        assert [r.hash(0, j, s) for j in (0, 1) for s in ("total", *METRICS)] == [
            first.hash(0, j, s) for j in (0, 1) for s in ("total", *METRICS)
        ]
    more, steps = stepped(walk(), "random", store=path, metrics=METRICS, curve=4, runs=6)
    assert steps == 200 and (more.reused, more.computed) == (4, 2)
    assert envs_of(path) == {"simulator:walk@1"}


def test_what_makes_other_cells(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    stepped(walk(), "q-learning", store=path)
    others: list[tuple[Any, dict[str, Any]]] = [
        (walk("2"), {}),
        (walk(gamma=0.5), {}),
        (walk(name="other"), {}),
        (walk(), {"seed": 2}),
        (walk(), {"steps": 99}),
        (walk(), {"episodes": 10}),
    ]
    for env, named in others:
        r, _ = stepped(env, "q-learning", store=path, **named)
        assert r.reused == 0
        assert stepped(env, "q-learning", store=path, **named)[1] == 0
    assert envs_of(path) == {"simulator:walk@1", "simulator:walk@2", "simulator:walk@1,gamma=0.5", "simulator:other@1"}
    shared, steps = stepped({"same": walk(gamma=0.6)}, "q-learning:gamma=0.95", store=path)
    assert steps == 0 and shared.reused == 4  # it does not plan with the problem's discount


def test_a_version_has_one_shape(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    stepped(walk(), "random", store=path)
    for named in ({"n": 4}, {"reward_range": (0, 2)}, {"horizon": 10}):
        with pytest.raises(ValueError, match=r"runs of simulator:walk@1 with another shape.*another version"):
            stepped(walk(**named), "random", store=path)
        assert stepped(walk("2", **named), "random", store=tmp_path / "other.db")[0].computed == 4
        (tmp_path / "other.db").unlink()


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: walk(""), "the version of walk is ''"),
        (lambda: walk("1,gamma=2"), "letters, digits"),
        (lambda: walk("1", name="a@b"), "'@' in its name"),
        (lambda: fs.Simulator(Walk, reward_range=(0, 1), version="1"), "a version needs a name"),
    ],
)
def test_wrong_versions(make: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        make()


def test_versions_are_text() -> None:
    with pytest.raises(TypeError, match="version must be a str"):
        walk(version=3)  # type: ignore[arg-type]
    made = walk("1.0")
    assert made.version == "1.0" and "walk@1.0" in repr(made) and walk(None).version is None
    assert pickle.loads(pickle.dumps(made)).version == "1.0"
    assert fs.Simulator("Blackjack-v1", version="2").name == "Blackjack-v1"


def test_without_a_version_no_store_is_made(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    for envs in (walk(None), ["chain:n=3", walk(None)]):
        with pytest.raises(ValueError, match='the simulator walk has no version.*version="1"'):
            stepped(envs, "random", store=path)
    assert not path.exists()


def test_an_interrupted_study_resumes(tmp_path: Path) -> None:
    path = tmp_path / "r.db"

    def stop(now: Any) -> None:
        if now.runs_done > 20:
            raise KeyboardInterrupt

    with pytest.raises(fs.Interrupted):
        stepped(walk(), "random", store=path, runs=400, steps=300, progress=stop)
    r, steps = stepped(walk(), "random", store=path, runs=400, steps=300)
    assert 0 < r.reused < 400 and steps == 300 * r.computed
    assert np.array_equal(r.totals(), stepped(walk(None), "random", runs=400, steps=300)[0].totals())


def test_until_and_snapshots(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    named: dict[str, Any] = {"store": path, "until": "ci=20%", "runs": 200}
    _, steps = stepped(walk(), "q-learning", **named)
    assert steps > 0 and stepped(walk(), "q-learning", **named)[1] == 0
    kept, _ = stepped(walk(), "q-learning", snapshots=1, curve=2)
    found = kept.snapshots()
    assert [s["step"] for s in found] == [50, 100] and found[1]["visits"].sum() == 100
    assert stepped(walk(), "q-learning", snapshots=1, curve=2, store=path)[0].snapshots()[1]["visits"].sum() == 100


def test_results_are_compared_beside_models(tmp_path: Path) -> None:
    r, _ = stepped([walk(), "chain:n=4"], ["q-learning", "random"], curve=2, runs=20)
    cells = r.compare(baseline="random").cells("numpy")
    assert cells["env"].tolist()[:2] == ["walk", "walk"] and set(cells["env"]) == {"walk", "chain:n=4"}
    assert r.plot("curves").svg().startswith("<svg")
    path = tmp_path / "r.db"
    stepped([walk(), "chain:n=4"], ["q-learning", "random"], store=path, runs=20)
    stored = fs.stats(path, baseline="random")
    assert [group.envs for group in stored.groups] == [["chain:n=4", "walk"]]
    assert np.array_equal(stored.values("walk", "random"), r.totals("walk", "random"))
    assert np.array_equal(fs.stats(path, envs="simulator:walk@1").values("walk", 0), r.totals("walk", 0))


@needs_command
def test_the_command_shows_them(tmp_path: Path) -> None:
    path, out = tmp_path / "r.db", tmp_path / "out"
    stepped([walk(), walk("2", gamma=0.9, name="other")], ["q-learning", "random"], store=path, curve=2, runs=20)
    assert "walk" in command("stats", path) and "other" in command("stats", path, "--series", "curve@50")
    groups = command_json("stats", path)["groups"]
    shown = [env for group in groups for env in group["environments"]]
    assert {env["env"]: env["spec"] for env in shown} == {
        "walk": "simulator:walk@1",
        "other": "simulator:other@2,gamma=0.9",
    }
    assert {env["scale"]["ends"] for env in shown} == {"observed"}
    out.mkdir()
    assert "<svg" in command("plot", "intervals", path)
    command("report", path, "-o", out / "page.html")
    page = (out / "page.html").read_text()
    assert "simulator:walk@1" in page and "computed by a program in its own simulator" in page
    assert "not used" not in page
    assert "walk" in command("store", "info", path) and "nothing is" in command("store", "check", path)
    assert "simulator:walk@1" in command("store", "export", path)
    command("store", "merge", tmp_path / "all.db", path)
    assert envs_of(tmp_path / "all.db") == envs_of(path)


@needs_command
def test_a_merge_refuses_two_shapes(tmp_path: Path) -> None:
    stepped(walk(), "random", store=tmp_path / "a.db")
    stepped(walk(n=5), "random", store=tmp_path / "b.db")
    with fs.Store(tmp_path / "a.db") as store, pytest.raises(ValueError, match="another shape"):
        store.merge(tmp_path / "b.db")


def test_metrics_that_do_without_a_model() -> None:
    """Every episode is cut after three steps at the latest, and is then counted as one that ended."""
    short = walk(horizon=3)
    r, _ = stepped(short, "random", metrics=METRICS, steps=300, curve=3)
    episodes, returns, reached, length = (r.metric(m) for m in METRICS)
    assert episodes.min() >= 100 and np.all(episodes <= 150)
    assert np.allclose(returns, reached) and np.allclose(returns * episodes, r.totals(), atol=1)
    assert np.all((length >= 2) & (length <= 3)) and np.allclose(length * episodes, 300, atol=2)
    assert r.curve(series="episodes")[1].shape == (3, 4)
    by_episodes, steps = stepped(short, "random", metrics=METRICS, episodes=50, steps=None)
    assert by_episodes.metric("episodes").tolist() == [50] * 4 and steps < 4 * 150
    assert np.allclose(by_episodes.metric("return") * 50, by_episodes.totals())


@pytest.mark.parametrize("metric", ["regret", "mistakes", "learned", "earned", "coverage"])
def test_metrics_that_need_a_model(metric: str) -> None:
    with pytest.raises(ValueError, match=f"{metric}.*walk.*needs a model, and the simulator walk has none"):
        stepped(walk(), "q-learning", metrics=metric)


# ---- searches ----


SEARCH: dict[str, Any] = {"method": "random", "runs": 6, "steps": 80, "evaluate": 10, "profile": 0, "progress": False}
SPACE = "q-learning:epsilon=[0.01,0.3]"


def seed_of(stage: str) -> int:
    """As far__tune_seed."""
    return int.from_bytes(hashlib.sha256(f"{stage} 1".encode()).digest()[:8], "little")


@pytest.mark.parametrize("score", [None, "return"])
def test_a_search_has_the_numbers_of_a_loop(score: str | None) -> None:
    def mean(agent: str, stage: str, runs: int) -> float:
        r = fs.run(walk(), agent, steps=80, runs=runs, seed=seed_of(stage), metrics=score or (), progress=False)
        return float(np.mean(r.totals() if score is None else r.metric(score)))

    found = fs.tune(SPACE, walk(None), score=score, **SEARCH)
    trials = found.trials("numpy")
    assert len(trials["agent"]) >= 2
    for agent, runs, value in zip(trials["agent"], trials["runs"], trials["score"], strict=True):
        assert value == pytest.approx(mean(agent, "tune", int(runs)), rel=1e-12)
    assert found.chosen is not None and found.best is not None
    assert found.chosen.score == pytest.approx(mean(found.best, "evaluate", 10), rel=1e-12)
    assert found.data["cells"][0]["env"] == "walk" if "cells" in found.data else "walk" in str(found)
    assert score is not None or "Scores are plain reward: of the simulator walk" in str(found)


def test_a_search_is_kept_in_a_store(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with pytest.raises(ValueError, match="the simulator walk has no version"):
        fs.tune(SPACE, ["chain:n=3", walk(None)], store=path, **SEARCH)
    assert not path.exists()
    first = fs.tune(SPACE, ["chain:n=3", walk()], store=path, **SEARCH)
    before = Walk.stepped
    again = fs.tune(SPACE, ["chain:n=3", walk()], store=path, **SEARCH)
    assert Walk.stepped == before and again.best == first.best
    assert "simulator:walk@1" in envs_of(path)
    fs.tune(SPACE, walk(), gamma=0.5, store=path, **SEARCH)
    assert "simulator:walk@1,gamma=0.5" in envs_of(path)


def test_growth_says_why_it_takes_none() -> None:
    with pytest.raises(TypeError, match="growth makes the environment at every size"):
        fs.growth(walk(), "q-learning", [3, 4])  # type: ignore[arg-type]
