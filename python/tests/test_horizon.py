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
