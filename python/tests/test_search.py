"""Searches of parameters and studies of growth, against the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command_json, interrupted, needs_command, timeless
from farsight import _core

SMALL = {"budget": 20_000, "steps": 200, "runs": 4, "evaluate": 6, "profile": 3}
OPTIONS = ["--budget", 20_000, "--steps", 200, "--runs", 4, "--evaluate", 6, "--profile", 3]
AGENTS = ["delayed-q:m=[1..6]", "psrl"]


@pytest.fixture(scope="module")
def tuned() -> fs.Tuning:
    return fs.tune(AGENTS, ["chain:n=3", "riverswim"], **SMALL)


@needs_command
def test_a_search_is_the_commands(tuned: fs.Tuning) -> None:
    agents = [word for agent in AGENTS for word in ("-a", agent)]
    theirs = command_json("tune", "-e", "chain:n=3", "-e", "riverswim", *agents, *OPTIONS)
    assert timeless(tuned.data) == timeless(theirs)


def test_what_a_search_finds(tuned: fs.Tuning) -> None:
    first, second = tuned.agents
    assert first.space == AGENTS[0] and first.defaults == "delayed-q" and first.candidates == 6
    assert [first.chosen, second.chosen].count(True) == 1
    assert tuned.chosen is not None and tuned.best == tuned.chosen.best
    assert first.scores.shape == first.default_scores.shape == (6,)
    assert first.scores.mean() == pytest.approx(first.score)
    assert (first.scores - first.default_scores).mean() == pytest.approx(first.gain)
    trials = tuned.trials("numpy")
    assert len(trials["score"]) == sum(len(agent["trials"]) for agent in tuned.data["agents"])
    assert set(tuned.tables) == {"scores", "cells", "profiles", "points", "trials", "comparison"}


def test_one_agent_without_evaluation() -> None:
    t = fs.tune(AGENTS[0], "chain:n=3", **{**SMALL, "evaluate": 0, "profile": 0})
    assert t.chosen is not None and t.chosen.candidates == 6 and t.best == t.chosen.best
    assert np.isnan(t.chosen.score) and t.chosen.scores.shape == (0,) and t.chosen.tuned > 0


def test_models_are_environments(tuned: fs.Tuning) -> None:
    again = fs.tune(AGENTS, [fs.MDP("chain:n=3"), "riverswim"], threads=1, **SMALL)
    ours, theirs = timeless(again.data), timeless(tuned.data)
    assert ours["agents"] == theirs["agents"]


@needs_command
def test_plans_and_their_replacement(tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "environments: [chain:n=3]\nagents: ['delayed-q:m=[1..6]']\n"
        "steps: 200\nruns: 4\nseed: 7\ntune: {budget: 20000, evaluate: 6, profile: 0}\n"
    )
    assert timeless(fs.tune(plan=plan).data) == timeless(command_json("tune", plan))
    other = fs.tune("q-learning:alpha=[0.1,0.2]", plan=plan, seed=3)
    theirs = command_json("tune", plan, "-a", "q-learning:alpha=[0.1,0.2]", "--seed", 3)
    assert timeless(other.data) == timeless(theirs)


@needs_command
def test_scores_by_a_metric(tmp_path: Path) -> None:
    words = ["-e", "riverswim", "-a", "q-learning:alpha=[0.1,0.5]"]
    ours = fs.tune("q-learning:alpha=[0.1,0.5]", "riverswim", score="regret", **SMALL)
    assert timeless(ours.data) == timeless(command_json("tune", *words, *OPTIONS, "--score", "regret"))
    assert ours.data["metric"] == "regret:against=value" and not ours.data["higher_is_better"]
    assert ours.chosen is not None and ours.chosen.score < 0
    assert "regret" in ours.plot().svg() and "less is better" in str(ours)
    plan = tmp_path / "plan.yaml"
    plan.write_text("environments: [frozen-lake]\nagents: ['ucb-q']\ntune: {score: success}\n")
    assert fs.tune(plan=plan, **SMALL).data["metric"] == "success"
    assert fs.tune(plan=plan, score="return", **SMALL).data["metric"] == "return"
    table = tmp_path / "means.csv"
    table.write_text("env,mean\nchain:n=3,100\n")
    assert fs.tune(plan=plan, fit=table, **SMALL).data["goal"] == "fit"
    with pytest.raises(ValueError, match="score and fit"):
        fs.tune("delayed-q", fit=table, score="return", **SMALL)


@needs_command
def test_fitting_means(tmp_path: Path) -> None:
    table = tmp_path / "means.csv"
    table.write_text("env,q0,mean\nchain:n=3,1,100\nchain:n=3,2,90\n")
    options = {**SMALL, "profile": 0}
    ours = fs.tune("q-learning:alpha=[0.1,0.5]", fit=table, relative=True, **options)
    words = [*OPTIONS[:-1], 0, "-a", "q-learning:alpha=[0.1,0.5]", "--fit", table, "--relative"]
    assert timeless(ours.data) == timeless(command_json("tune", *words))
    with pytest.raises(ValueError, match="leave out envs"):
        fs.tune("delayed-q", "chain", fit=table)


@needs_command
def test_stores_are_used_and_shared(tmp_path: Path) -> None:
    path = tmp_path / "tune.db"
    first = fs.tune(AGENTS[0], "chain:n=3", store=path, **SMALL)
    with fs.Store(path) as store:
        runs = store.info()["runs"]
        assert runs > 0
        again = fs.tune(AGENTS[0], "chain:n=3", store=store, **SMALL)
        assert store.info()["runs"] == runs and not store.closed
    assert timeless(first.data) == timeless(again.data)
    theirs = command_json("tune", "-e", "chain:n=3", "-a", AGENTS[0], "--store", path, *OPTIONS)
    assert timeless(theirs) == timeless(first.data)
    with pytest.raises(ValueError, match="closed"):
        fs.tune(AGENTS[0], "chain:n=3", store=store, **SMALL)
    with pytest.raises(TypeError, match="Store or a path"):
        fs.tune(AGENTS[0], "chain:n=3", store=3, **SMALL)


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"agents": "delayed-q:m=[1..]"}, ValueError, r"\^"),
        ({"agents": "delayd-q"}, KeyError, "delayed-q"),
        ({"agents": None}, ValueError, "no agent"),
        ({"agents": [3]}, TypeError, "expected an agent"),
        ({"envs": None}, ValueError, "no environment"),
        ({"envs": 3}, TypeError, "Gymnasium"),
        ({"envs": "chian"}, KeyError, "chain"),
        ({"method": "guess"}, (ValueError, KeyError), "guess"),
        ({"runs": 0}, ValueError, "runs"),
        ({"steps": -1}, ValueError, "steps"),
        ({"steps": "many"}, TypeError, "steps must be a whole number"),
        ({"seed": -1}, ValueError, "seed"),
        ({"relative": True}, ValueError, "fit"),
        ({"score": "regrat"}, KeyError, "regret"),
        ({"score": 3}, TypeError, "expected a metric"),
        ({"score": ["return", "episodes"]}, ValueError, "one metric"),
        ({"score": "success"}, ValueError, "terminal state"),
        ({"progress": "loud"}, ValueError, "progress"),
        ({"plan": "/no/such/file"}, OSError, "file"),
    ],
)
def test_wrong_searches(arguments: dict[str, Any], kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        fs.tune(**{"agents": AGENTS[0], "envs": "chain:n=3", **SMALL, **arguments})


def test_lists_of_the_extension_must_agree() -> None:
    model = _core.Model.from_spec("chain:n=3")
    with pytest.raises(ValueError, match="names has 2 items"):
        _core.tune(["delayed-q"], [model], ["a", "b"])
    with pytest.raises(TypeError, match="expected a model"):
        _core.tune(["delayed-q"], ["chain"], ["a"])
    with pytest.raises(ValueError, match="targets has 2"):
        _core.tune(["delayed-q"], [model], ["a"], parameters=[""], targets=np.zeros(2))


@pytest.mark.slow
def test_progress_of_a_search() -> None:
    seen: list[Any] = []
    small = {"budget": 2 * 10**7, "steps": 1000, "runs": 10, "evaluate": 0, "profile": 0}
    fs.tune("delayed-q", "chain:n=3", progress=seen.append, **small)
    assert seen and all(at.stage == "search" and 0 <= at.steps_done <= at.steps for at in seen)

    def stop(at: Any) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        fs.tune("delayed-q", "chain:n=10", budget=10**9, progress=stop)


@pytest.mark.slow
def test_ctrl_c_keeps_what_a_search_has_found() -> None:
    code, text = interrupted(
        "agents = ['delayed-q:m=[1,2]', 'delayed-q']\n"
        "long = dict(budget=10**10, method='random', steps=1000, runs=3, evaluate=3, profile=0, threads=1)\n"
        "try: fs.tune(agents, 'chain:n=3', progress=started, **long)\n"
        "except fs.Interrupted as stop: t = stop.results\n"
        "print(t.stopped, t.agents[0].score > 0, len(t.agents), len(t.trials('numpy')['score']) > 0)\n",
        once="at.agent == 1 and at.candidates > 0",
    )
    assert (code, text) == (0, "True True 2 True\n")


# ---- growth ----


@pytest.fixture(scope="module")
def grown() -> fs.Growth:
    return fs.growth("chain", ["delayed-q", "psrl"], [3, 4, 5], runs=6, max_steps=20_000)


@needs_command
def test_growth_is_the_commands(grown: fs.Growth) -> None:
    words = ["-e", "chain", "-a", "delayed-q", "-a", "psrl", "--runs", 6, "--max-steps", 20_000]
    theirs = command_json("growth", *words, "--sizes", "3..5")
    assert timeless(grown.data) == timeless(theirs)
    text = fs.growth("chain", ["delayed-q", "psrl"], "3..5", runs=6, max_steps=20_000, threads=1)
    assert timeless(text.data) == timeless(theirs)


@needs_command
def test_growth_of_rewards() -> None:
    ours = fs.growth("chain", "delayed-q", [3, 5], measure="reward", gamma=0.9, steps=500, runs=5, seed=4)
    words = ["--measure", "reward", "--gamma", 0.9, "--steps", 500, "--runs", 5, "--seed", 4]
    theirs = command_json("growth", "-e", "chain", "-a", "delayed-q", "--sizes", "3,5", *words)
    assert timeless(ours.data) == timeless(theirs)


def test_what_growth_shows(grown: fs.Growth) -> None:
    assert grown.agents == ["delayed-q", "psrl"]
    sizes, medians = grown.values("psrl")
    assert sizes.tolist() == [3, 4, 5]
    assert medians.tolist() == [cell["median"] for cell in grown.data["cells"][1::2]]
    assert len(grown.cells("numpy")["median"]) == 6
    assert [law["agent"] for law in grown.laws] == grown.agents and len(grown.gaps) == 1
    hidden = fs.growth("chain", ["delayed-q", "psrl"], [3, 4], runs=6, max_steps=40)
    assert hidden.values(0)[1][0] == np.inf and np.isnan(hidden.values(0)[1][1])
    with pytest.raises(IndexError):
        grown.values(2)


def test_notes_on_agents() -> None:
    quick = {"runs": 2, "measure": "reward", "steps": 50}
    g = fs.growth("chain", ["delayed-q", "r-max"], [3, 4], **quick)
    assert len(g.remarks) >= 2 and any("delayed-q" in remark for remark in g.remarks)
    with pytest.warns(fs.StudyWarning, match="cannot learn"):
        fs.growth("chain", "delayed-q:eps1=1", [3], **quick)


@needs_command
def test_growth_from_a_study_file_and_a_store(tmp_path: Path) -> None:
    plan, path = tmp_path / "study.yaml", tmp_path / "growth.db"
    plan.write_text("environments:\n  - chain: {n: [3, 4, 5]}\nagents: [delayed-q]\nruns: 6\nseed: 2\n")
    ours = fs.growth(plan=plan, max_steps=20_000, store=path)
    theirs = command_json("growth", plan, "--max-steps", 20_000)
    assert [cell.pop("reused") for cell in ours.data["cells"]] == [0, 0, 0]
    assert timeless(ours.data) == timeless(theirs)
    with fs.Store(path) as store:
        runs = store.info()["runs"]
        fs.growth(plan=plan, max_steps=20_000, store=store)
        assert store.info()["runs"] == runs > 0
    with pytest.raises(ValueError, match="leave out env"):
        fs.growth("chain", plan=plan)


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"env": "chain:n=3"}, ValueError, "n"),
        ({"env": None}, ValueError, "must be given"),
        ({"env": "chian"}, KeyError, "chain"),
        ({"key": "size"}, KeyError, "size"),
        ({"agents": "delayed-q:m=0"}, ValueError, "m=0"),
        ({"sizes": []}, ValueError, "size"),
        ({"sizes": [5, 3]}, ValueError, "ascend|order|size"),
        ({"sizes": [0.5]}, TypeError, "whole"),
        ({"sizes": "3.."}, ValueError, r"\^"),
        ({"measure": "luck"}, ValueError, "earned"),
        ({"eps": 2}, ValueError, "eps"),
        ({"gamma": 0.9, "gamma_scale": 1}, ValueError, "do not go together"),
        ({"runs": 0}, ValueError, "run"),
    ],
)
def test_wrong_growth(arguments: dict[str, Any], kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        fs.growth(**{"env": "chain", "agents": "delayed-q", "sizes": [3], "runs": 2, **arguments})


@pytest.mark.slow
def test_ctrl_c_keeps_finished_sizes() -> None:
    code, text = interrupted(
        "try: fs.growth('chain', 'delayed-q', [3, 4, 300], runs=20_000, max_steps=10**9, progress=started)\n"
        "except fs.Interrupted as stop: g = stop.results\n"
        "print(g.stopped, g.agents)\n"
    )
    assert (code, text) == (0, "True ['delayed-q']\n")
