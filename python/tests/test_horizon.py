"""Finite horizon: models, agents that count the steps of an episode, exact values, truncation."""

from __future__ import annotations

import numpy as np
import pytest

import farsight as fs


def choice(horizon: int | None) -> fs.MDP:
    """State 0: stay for 1, or pay nothing and go to state 1, which pays 3 for ever."""
    probabilities = np.zeros((2, 2, 2))
    probabilities[0, 0, 0] = probabilities[0, 1, 1] = 1
    probabilities[1, :, 1] = 1
    return fs.MDP(probabilities, [[1.0, 0.0], [3.0, 3.0]], horizon=horizon)


def test_models_have_a_horizon() -> None:
    assert fs.MDP("chain:n=4").horizon is None
    assert fs.MDP("chain", n=4, horizon=7).horizon == 7
    model = choice(3)
    assert model.horizon == 3
    assert fs.MDP.from_arrays(model.arrays()) == model
    assert model != choice(None)
    with pytest.raises(ValueError, match="horizon"):
        fs.MDP("chain:horizon=0")
    with pytest.raises(ValueError, match="horizon"):
        choice(-1)


def test_values_depend_on_the_step() -> None:
    solution = fs.solve(choice(3))
    assert solution.v[:, 0].tolist() == [6.0, 3.0, 1.0, 0.0]
    assert solution.policy[:, 0].tolist() == [1, 1, 0]


def test_certificates_need_the_guarantee() -> None:
    for spec, certified in [("orlc", False), ("orlc:preset=theory", True)]:
        agent = fs.Agent(spec, n_states=2, n_actions=2, reward_range=(0, 1), episode_steps=1)
        assert agent.certificate is None
        assert agent.uncertified is None
        agent.observe(0, 0, 0.5, 1)
        assert (agent.certificate is None, agent.uncertified is None) == (not certified, certified)


def test_agents_count_steps() -> None:
    agent = fs.Agent("q-learning", n_states=2, n_actions=2, reward_range=(0, 1), episode_steps=2)
    assert (agent.horizon, agent.episode_step, agent.by_step) == (2, 0, False)
    assert agent.certificate is None
    assert not agent.stopped
    agent.observe(0, 0, 0.5, 1)
    assert agent.episode_step == 1
    agent.observe(1, 0, 0.5, 1)
    assert agent.episode_step == 0
    assert agent.values("q", 1).shape == (2, 2)
    with pytest.raises(ValueError, match="step 2 is outside"):
        agent.values("q", 2)
    with pytest.raises(ValueError, match="outside"):
        agent.policy_at(-1)


def test_environments_are_truncated() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("farsight/Chain-v0", n=4, horizon=3)
    env.reset(seed=1)
    ends = [env.step(1)[2:4] for _ in range(3)]
    assert [bool(truncated) for _, truncated in ends] == [False, False, True]


@pytest.mark.parametrize("name", [n for n, e in fs.agents.items() if e.facts.get("finite_horizon")])
def test_agents_of_finite_horizon(name: str) -> None:
    with pytest.raises(ValueError, match="no horizon"):
        fs.Agent(name, "chain:n=4")
    agent = fs.Agent(name, "chain:n=4,horizon=5")
    assert agent.by_step and agent.policy_at(4).sum() > 0
    result = fs.run("chain:n=4,horizon=5", [name, "random"], steps=100, runs=2, metrics="episodic-regret")
    assert result is not None


def last_step_differs() -> fs.MDP:
    """Stay for 0.3, or leave for 0.6 and earn nothing more: leaving is best at the last of 4 steps alone."""
    probabilities = np.zeros((2, 2, 2))
    probabilities[0, 0, 1] = probabilities[0, 1, 0] = 1
    probabilities[1, :, 1] = 1
    return fs.MDP(probabilities, [[0.6, 0.3], [0.0, 0.0]], horizon=4)


@pytest.mark.parametrize("spec", ["ucbvi", "ucb-h", "optimal"])
def test_an_evaluation_takes_the_policy_of_each_step(spec: str) -> None:
    gym = pytest.importorskip("gymnasium")
    model = last_step_differs()
    env = gym.make("farsight/MDP-v0", model=model)
    agent = fs.Agent(spec, model)
    fs.train(agent, env, steps=4000, seed=1)
    assert agent.by_step and [int(agent.greedy_at(h)[0]) for h in range(4)] == [1, 1, 1, 0]
    best = fs.solve(model).v[0, 0]
    for deterministic in (True, False):
        assert fs.evaluate(agent, env, episodes=3, seed=1, deterministic=deterministic).mean == pytest.approx(best)
    s, state, total = env.reset(seed=1)[0], None, 0.0
    for t in range(4):  # as Stable-Baselines3 asks
        a, state = agent.predict(s, state=state, episode_start=np.array([t == 0]), deterministic=True)
        s, reward, _, _, _ = env.step(a)
        total += reward
    assert total == pytest.approx(best)
    actions, steps = agent.predict(np.array([0, 0, 0]), np.array([3, 3, 9]), np.array([True, False, False]), deterministic=True)
    assert actions.tolist() == [1, 0, 0] and steps.tolist() == [1, 4, 10]
    with pytest.raises(ValueError, match="step 4 is outside 0 ... 3"):
        agent.greedy_at(4)
