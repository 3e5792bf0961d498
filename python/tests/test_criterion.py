"""What counts belongs to the problem: its discount, for all agents and all that is exact; and the length of a run."""

from __future__ import annotations

import copy
import os
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command_json, needs_command
from farsight import _core

gym = pytest.importorskip("gymnasium")
pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")
P, R = [[[0.9, 0.1]], [[1.0, 0.0]]], [[1.0], [0.0]]
AVERAGE = "riverswim:average=on"


def lake() -> Any:
    return gym.make("FrozenLake-v1", is_slippery=False)


# ---- models ----


def from_file(folder: pathlib.Path, gamma: float | None) -> fs.MDP:
    path = folder / "m.drn"
    fs.MDP("chain:n=3").save(path, discount=0.7)
    return fs.MDP.load(path, gamma=gamma)


@pytest.mark.parametrize(
    "make",
    [
        lambda folder, gamma: fs.MDP("chain", gamma=gamma),
        lambda folder, gamma: fs.MDP.from_spec("chain", gamma),
        lambda folder, gamma: fs.MDP(P, R, gamma=gamma),
        lambda folder, gamma: fs.MDP(fs.MDP(P, R), gamma=gamma),
        lambda folder, gamma: fs.MDP(fs.MDP("chain:n=4"), gamma=gamma),
        lambda folder, gamma: fs.MDP.from_arrays(fs.MDP(P, R).arrays(), gamma=gamma),
        lambda folder, gamma: fs.MDP.from_gymnasium(lake(), gamma=gamma),
        lambda folder, gamma: fs.MDP.from_gymnasium(gym.make("farsight/Chain-v0"), gamma=gamma),
        lambda folder, gamma: fs.MDP.read(fs.MDP("chain").dumps("cassandra"), "cassandra", gamma=gamma),
        from_file,
        lambda folder, gamma: fs.MDP("file", path=folder / "m.drn", gamma=gamma) if from_file(folder, None) else None,
        lambda folder, gamma: gym.make("farsight/Chain-v0", gamma=gamma).unwrapped.model,
        lambda folder, gamma: fs.environments["chain"](gamma=gamma),
    ],
)
def test_models_take_a_discount(make: Callable[..., fs.MDP], tmp_path: pathlib.Path) -> None:
    m, plain = make(tmp_path, 0.9), make(tmp_path, None)
    assert m.gamma == m.discount == 0.9 and not m.average and plain.gamma in (0.95, 0.7)
    assert m != plain and fs.solve(m).gamma == 0.9  # runs differ
    for same in (pickle.loads(pickle.dumps(m)), fs.MDP.from_arrays(m.arrays()), copy.deepcopy(m)):
        assert same == m and same.gamma == 0.9
    for wrong in (0, 1, -0.5, np.nan, "high"):
        with pytest.raises((ValueError, TypeError), match="gamma"):
            make(tmp_path, wrong)


def test_the_builder_takes_a_discount() -> None:
    b = fs.Builder(1, 1).outcome(0, 0, 1, 0).start(0)
    assert b.build().gamma == 0.95 and b.gamma(0.9).build().gamma == 0.9
    with pytest.raises(ValueError, match="gamma"):
        b.gamma(1)
    assert b.discount(1).build().discount == 1 and b.build().gamma == 0.95


def test_a_problem_has_one_criterion() -> None:
    assert fs.MDP("chain:horizon=5").gamma is None and fs.MDP(AVERAGE).gamma is None
    assert fs.MDP(AVERAGE).average and not fs.MDP("riverswim").average
    for wrong in (
        lambda: fs.MDP("chain:horizon=5,gamma=0.9"),
        lambda: fs.MDP(P, R, gamma=0.9, horizon=5),
        lambda: fs.MDP(P, R, gamma=0.9, discount=0.9),
        lambda: fs.MDP.from_arrays(fs.MDP(P, R).arrays(), gamma=0.9, horizon=5),
        lambda: fs.MDP.from_gymnasium(gym.make("farsight/Chain-v0", gamma=0.9), gamma=0.8),
        lambda: fs.MDP(fs.MDP(P, R, gamma=0.9), gamma=0.8),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_a_notebook_shows_what_counts() -> None:
    for spec, words in (
        ("chain", "rewards discounted by 0.95"),
        ("chain:gamma=0.9", "rewards discounted by 0.9"),
        ("chain:horizon=5", "the reward of an episode of 5 steps"),
        (AVERAGE, "the average reward of a step"),
    ):
        assert f"<th>what counts</th><td>{words}</td>" in fs.MDP(spec)._repr_html_()


def test_arrays_keep_what_counts() -> None:
    m = fs.MDP(AVERAGE)
    for same in (fs.MDP.from_arrays(m.arrays()), pickle.loads(pickle.dumps(fs.MDP.from_arrays(m.arrays())))):
        assert same.average and fs.Agent("optimal", same).params["criterion"] == "average"
    assert not fs.MDP.from_arrays(m.arrays(), gamma=0.9).average
    short = fs.MDP.from_arrays(fs.MDP("chain:gamma=0.9").arrays(), horizon=5)
    assert short.horizon == 5 and short.gamma is None


# ---- calls ----


CALLS: dict[str, Callable[..., Any]] = {
    "solve": lambda env, gamma: fs.solve(env, gamma=gamma).gamma,
    "pac": lambda env, gamma: fs.pac("delayed-q", env, eps=1, gamma=gamma).data["problem"]["gamma"],
    "audit": lambda env, gamma: spec_gamma(fs.audit(env, "delayed-q", 50, 1, gamma=gamma, progress=False).agent),
    "run": lambda env, gamma: spec_gamma(agent_of(fs.run(env, "r-max", steps=9, runs=1, gamma=gamma, progress=False))),
    "Study": lambda env, gamma: spec_gamma(fs.Study(env, "r-max", gamma=gamma)._resolve("r-max", 0)),
}


def spec_gamma(spec: str) -> float:
    return float(spec.partition("gamma=")[2].partition(",")[0])


def agent_of(r: fs.Results) -> str:
    return str(r.data["cells"][0]["agent"])


def tuned(env: Any, gamma: float | None = None) -> Any:
    t = fs.tune("r-max:m=[1..9]", env, gamma=gamma, steps=200, runs=4, evaluate=2, profile=0, progress=False)
    return t.data["agents"][0]["trials"]


def test_searches_take_a_discount() -> None:
    found = tuned("chain:n=3,gamma=0.3")
    assert found == tuned("chain:n=3", 0.3) == tuned(fs.MDP("chain:n=3"), 0.3) == tuned(gym.make("farsight/Chain-v0", n=3), 0.3)
    assert found != tuned("chain:n=3")
    for own in ("chain:gamma=0.9", fs.MDP("chain:gamma=0.9")):
        with pytest.raises(ValueError, match=r"has the discount 0\.9, and .* 0\.8: give one of them"):
            tuned(own, 0.8)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    "env", ["chain:n=3", fs.MDP("chain:n=3"), fs.MDP(P, R), lake(), gym.make("farsight/Chain-v0")], ids=str
)
def test_calls_take_a_discount(call: Callable[..., float], env: Any) -> None:
    assert call(env, 0.8) == 0.8 and call(env, None) == 0.95


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_models_keep_their_discount(call: Callable[..., float]) -> None:
    for own in ("chain:gamma=0.9", fs.MDP("chain:gamma=0.9"), fs.MDP(P, R, gamma=0.9)):
        assert call(own, None) == 0.9 == call(own, 0.9)
    with pytest.raises(ValueError, match=r"has the discount 0\.9, and gamma is 0\.8: give one of them"):
        call(fs.MDP(P, R, gamma=0.9), 0.8)
    with pytest.raises(ValueError, match="gamma is 1: must be in|must be in|outside"):
        call("chain", 1)


@pytest.mark.parametrize("call", ["solve", "pac", "audit"])
def test_a_spec_that_says_something_else(call: str) -> None:
    with pytest.raises(ValueError, match=r"chain:gamma=0\.9 has the discount 0\.9, and .* 0\.8: give one of them"):
        CALLS[call]("chain:gamma=0.9", 0.8)


def test_solve_answers_what_counts() -> None:
    plain = fs.solve("riverswim", average=True)
    for model in (AVERAGE, fs.MDP(AVERAGE), fs.MDP.from_arrays(fs.MDP(AVERAGE).arrays())):
        assert fs.solve(model).gain == plain.gain
        assert fs.solve(model, gamma=0.9).start == fs.solve("riverswim", gamma=0.9).start  # another question
    assert fs.solve("riverswim:horizon=5").v.shape == (6, 6)


def test_labels_are_those_of_the_command() -> None:
    a = fs.audit("chain:n=3", "delayed-q", 50, 1, gamma=0.5, progress=False)
    t = fs.tune("r-max:m=[1,2]", "chain:n=3", gamma=0.5, steps=20, runs=2, evaluate=2, profile=0, progress=False)
    assert "chain:n=3,gamma=0.5" in str(a) and "chain:n=3,gamma=0.5" in str(t)


def test_a_plan_of_a_search_has_a_discount(tmp_path: pathlib.Path) -> None:
    plan = tmp_path / "tune.yaml"
    plan.write_text("environments: [chain]\nagents: ['r-max:m=[1,2]']\nsteps: 20\nruns: 2\ngamma: 0.5")
    assert "chain:gamma=0.5" in str(fs.tune(plan=plan, evaluate=2, profile=0, progress=False))
    assert "chain:gamma=0.6" in str(fs.tune(plan=plan, gamma=0.6, evaluate=2, profile=0, progress=False))


def test_environments_of_a_study() -> None:
    study = fs.Study(["chain:gamma=0.8", "riverswim", fs.MDP(P, R), "chain:horizon=5"], "q-learning", gamma=0.8)
    assert [spec_gamma(study._resolve("r-max", i)) for i in range(3)] == [0.8, 0.8, 0.8]
    mixed = fs.Study(["chain:gamma=[0.8,0.9]", "riverswim", fs.MDP(P, R, gamma=0.7)], "r-max")
    assert [spec_gamma(mixed._resolve("r-max", i)) for i in range(4)] == [0.8, 0.9, 0.95, 0.7]
    with pytest.raises(ValueError, match=r"has the discount 0\.9, and all environments are to have 0\.8"):
        fs.Study(["chain:gamma=0.9", "riverswim"], "r-max", gamma=0.8)
    assert "gamma: 0.8" in fs.Study("riverswim", "r-max", gamma=0.8).to_yaml()
    text = "environments: [chain]\nagents: [r-max]\ngamma: 0.7"
    assert fs.Study.from_yaml(text).gamma == 0.7 and fs.Study("chain", "r-max").gamma is None
    assert spec_gamma(fs.Study.from_yaml(text)._resolve("r-max", 0)) == 0.7
    assert spec_gamma(fs.Study.from_yaml(text, gamma=0.6)._resolve("r-max", 0)) == 0.6
    again = pickle.loads(pickle.dumps(study))
    assert spec_gamma(again._resolve("r-max", 2)) == 0.8


def test_planning_discounts_share_a_warning() -> None:
    agents = ["psrl:gamma=0.7", "psrl:gamma=0.8", "q-learning:gamma=0.5", "q-learning"]
    with pytest.warns(fs.StudyWarning) as caught:
        study = fs.Study(["chain", "riverswim"], agents)
    words = [str(warning.message) for warning in caught]
    own = (
        "agents that plan with another discount than the problem's (psrl, q-learning): the problem's criterion "
        "judges them; Study.notes has the details"
    )
    assert words == [own]
    assert "psrl:gamma=0.7 on chain: plans with the discount 0.7; the problem's is 0.95" in study.notes


def test_growth_takes_a_discount(tmp_path: pathlib.Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("environments: [{chain: {n: [3, 4]}}]\nagents: [q-learning]\nruns: 3\nsteps: 200\ngamma: 0.3")

    def values(*args: Any, **named: Any) -> list[float]:
        found = fs.growth(*args, **named, measure="reward", steps=200, runs=3, progress=False)
        return list(found.values(0)[1])

    env = ("chain", "q-learning", [3, 4])
    assert values(plan=plan) == values(*env, gamma=0.3) == values("chain:gamma=0.3", *env[1:])
    assert values(plan=plan) != values(*env) == values(plan=plan, gamma_scale=1) and values(plan=plan, gamma=0.9) != values(plan=plan)


@needs_command
def test_a_run_is_that_of_the_command() -> None:
    options = ["-e", "chain:n=4", "-a", "r-max", "-a", "delayed-q", "--steps", "300", "--runs", "4", "--gamma", "0.8"]
    theirs = command_json("run", *options)
    ours = fs.run("chain:n=4", ["r-max", "delayed-q"], steps=300, runs=4, gamma=0.8, progress=False)
    assert [cell["hash"] for cell in theirs["cells"]] == [ours.hash(0, j) for j in range(2)]


def test_simulators_take_a_discount() -> None:
    plain, own = fs.Simulator("Blackjack-v1"), fs.Simulator("Blackjack-v1", gamma=0.8)
    assert (plain.gamma, own.gamma) == (0.95, 0.8) and pickle.loads(pickle.dumps(own)).gamma == 0.8
    for env, gamma, found in ((plain, None, 0.95), (own, None, 0.8), (plain, 0.9, 0.9), (own, 0.8, 0.8)):
        r = fs.run(env, "q-learning", steps=20, runs=1, gamma=gamma, progress=False)
        assert spec_gamma(agent_of(r)) == found and r.envs == ["Blackjack-v1"]
    assert fs.Agent("q-learning", own).params["gamma"] == 0.8
    with pytest.raises(ValueError, match=r"has the discount 0\.8, and gamma is 0\.9"):
        fs.run(own, "q-learning", steps=20, runs=1, gamma=0.9)


# ---- agents ----


@pytest.mark.parametrize("env", ["chain:gamma=0.8", fs.MDP("chain:gamma=0.8"), gym.make("farsight/Chain-v0", gamma=0.8)], ids=str)
def test_agents_plan_with_the_discount_of_their_problem(env: Any) -> None:
    assert fs.Agent("r-max", env).params["gamma"] == 0.8
    assert fs.Agent("r-max", env, gamma=0.5).params["gamma"] == 0.5
    assert fs.Agent("r-max", env, reward_range=(0, 2)).params["gamma"] == 0.8  # what else replaces a part of it
    assert 0 < fs.Agent("r-max", env, gamma="short").params["gamma"] <= 0.8
    with pytest.raises(ValueError, match="preset=theory is about the problem"):
        fs.Agent("r-max", env, preset="theory", gamma=0.5)


def test_agents_in_python_are_told() -> None:
    seen: list[Any] = []

    class Told(fs.PyAgent):
        def __init__(self, steps: int = 3) -> None:
            seen.append((self.gamma, self.run_steps, self.horizon, steps))

        def act(self, s: int) -> int:
            return 0

        def observe(self, *step: Any) -> None:
            pass

    class Own(Told):
        gamma = 0.5

    class Given(Told):
        def __init__(self, gamma: float = 0.6) -> None:
            self.gamma = gamma
            super().__init__()

    fs.run("chain:gamma=0.8", [Told, Own, Given], steps=20, runs=1, threads=1, progress=False)
    assert set(seen) == {(0.8, 20, None, 3), (0.5, 20, None, 3), (0.6, 20, None, 3)}
    seen.clear()
    Told.on("chain:gamma=0.7")
    Told.on("chain:horizon=5")
    assert seen == [(0.7, None, None, 3), (0.95, None, 5, 3)]
    with pytest.raises(AttributeError, match=r"make agents by Told\.on\(env\)"):
        _ = Told().gamma


# ---- the length of a run ----


def river() -> Any:
    return gym.make("farsight/RiverSwim-v0", n=6)


def test_train_tells_how_long_it_is() -> None:
    env = river()
    given, told = (fs.Agent("directed-delayed-q", env, **named) for named in ({"steps": 500}, {}))
    view, before = told.visits, told.spec
    for agent in (given, told):
        fs.train(agent, env, steps=500, seed=1)
    assert told.spec == given.spec != before and np.array_equal(told.q, given.q)
    assert told.steps == 500 == view.sum()  # a view follows the agent
    known = told.spec
    fs.train(told, env, steps=10**6 if os.environ.get("FARSIGHT_LONG") else 2000)  # it has learned: it stays as it is
    assert told.spec == known


@pytest.mark.parametrize("prepare", [copy.copy, copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))])
def test_copies_are_told(prepare: Callable[[fs.Agent], fs.Agent]) -> None:
    env = river()
    agent = prepare(fs.Agent("delayed-q", env, seed=7, replicate=3))
    fs.train(agent, env, steps=500, seed=1)
    other = fs.Agent("delayed-q", env, seed=7, replicate=3, steps=500)
    fs.train(other, env, steps=500, seed=1)
    assert agent.spec == other.spec and np.array_equal(agent.q, other.q)


def test_a_reset_agent_is_told_on_its_new_stream() -> None:
    env = river()
    one, other = fs.Agent("delayed-q", env), fs.Agent("delayed-q", env, seed=9, replicate=2, steps=300)
    fs.train(one, env, steps=100, seed=1)
    one.reset(9, 2)
    for agent in (one, other):
        fs.train(agent, env, steps=300, seed=4)
    assert one.spec == other.spec and np.array_equal(one.visits, other.visits) and np.array_equal(one.q, other.q)


@pytest.mark.parametrize(
    ("limit", "given", "steps"),
    [
        (20, {"episodes": 30}, 600),
        (20, {"episodes": 30, "steps": 100}, 100),
        (20, {"episodes": 2, "steps": 500}, 40),
        (None, {"steps": 300}, 300),
    ],
)
def test_episodes_have_a_length(limit: int | None, given: dict[str, int], steps: int) -> None:
    env = gym.make("farsight/RiverSwim-v0", max_episode_steps=limit)
    agent = fs.Agent("delayed-q", env)
    fs.train(agent, env, seed=1, **given)
    assert agent.spec == fs.Agent("delayed-q", env, steps=steps).spec


def test_a_length_that_is_not_known(tmp_path: pathlib.Path) -> None:
    env = gym.make("farsight/FrozenLake-v0")
    agent = fs.Agent("delayed-q", env)
    before = agent.spec
    fs.train(agent, env, episodes=3, seed=1)
    assert agent.spec == before
    fixed = fs.Agent("delayed-q", env, m=3)
    fixed.save(tmp_path / "a.far")
    loaded = fs.Agent.load(tmp_path / "a.far")
    before = loaded.spec
    fs.train(loaded, env, steps=300, seed=1)  # what a file says stays
    assert loaded.spec == before


def test_a_short_discount_is_told() -> None:
    env = river()
    agent = fs.Agent("psrl", env, gamma="short")
    fs.train(agent, env, steps=60, seed=1)
    assert agent.spec == _core.resolve_agent("psrl:gamma=short", (*_core.shape_of(fs.MDP("riverswim"))[:9], 60))
    assert agent.params["gamma"] < fs.Agent("psrl", env, gamma="short").params["gamma"]


@pytest.mark.parametrize("name", ["q-learning", "r-max", "psrl", "random"])
def test_agents_that_do_not_count_stay(name: str) -> None:
    """Also those that have drawn from their random stream."""
    env = river()
    one, other = (fs.Agent(name, env) for _ in range(2))
    for agent in (one, other):
        for s in range(5):
            agent.act(s)
    one._made = None  # nobody can make it anew
    for agent in (one, other):
        fs.train(agent, env, steps=200, seed=1)
    assert np.array_equal(one.visits, other.visits) and one.spec == other.spec


def test_the_session_of_the_readme_learns() -> None:
    """In every run: right, everywhere. And the length that train tells is the one that the session gives."""
    env = river()
    best = fs.solve(env).policy
    for seed in range(1, 21):
        agent = fs.Agent("directed-delayed-q", env=env, steps=100_000, gamma_e=0.99, seed=seed)
        told = fs.Agent("directed-delayed-q", env=env, gamma_e=0.99, seed=seed)
        for one in (agent, told):
            fs.train(one, env, steps=100_000, seed=seed)
        assert agent.greedy.tolist() == best.tolist() == [1] * 6, seed
        assert np.array_equal(agent.q, told.q)


@pytest.mark.parametrize("name", ["delayed-q", "directed-delayed-q", "delayed-q-ie"])
def test_defaults_learn_with_the_length_told(name: str) -> None:
    env = river()
    agents = [fs.Agent(name, env, seed=seed) for seed in range(1, 6)]
    for seed, agent in enumerate(agents, 1):
        fs.train(agent, env, steps=100_000, seed=seed)
    assert all(agent.greedy.tolist() == [1] * 6 for agent in agents)
