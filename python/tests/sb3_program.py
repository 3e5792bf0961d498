"""Stable-Baselines3's own evaluate_policy with agents of ours. Run by `scripts/test-python sb3`, which installs PyTorch;
pytest has the same loop without it (test_training.py)."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import gymnasium as gym
import stable_baselines3
import torch
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import farsight as fs

warnings.simplefilter("error")


def made(name: str, **options: Any) -> gym.Env[Any, Any]:
    return Monitor(gym.make(name, **options))


def trained(spec: str, name: str, steps: int, **options: Any) -> fs.Agent:
    env = gym.make(name, **options)
    agent = fs.Agent(spec, env=env, seed=1)
    fs.train(agent, env, steps=steps, seed=1)
    return agent


def the_lake() -> None:
    """Without slipping the shortest way has six steps; every episode takes it."""
    agent = trained("r-max:m=1,gamma=0.95", "FrozenLake-v1", 5000, is_slippery=False)
    assert evaluate_policy(agent, made("FrozenLake-v1", is_slippery=False), n_eval_episodes=5) == (1.0, 0.0)
    three = DummyVecEnv([partial(made, "FrozenLake-v1", is_slippery=False)] * 3)
    rewards, lengths = evaluate_policy(agent, three, n_eval_episodes=7, return_episode_rewards=True)
    assert (rewards, lengths) == ([1.0] * 7, [6] * 7)
    with warnings.catch_warnings(record=True) as caught:  # without a Monitor it warns of wrappers, and counts the same
        warnings.simplefilter("always")
        assert evaluate_policy(agent, gym.make("FrozenLake-v1", is_slippery=False), n_eval_episodes=2) == (1.0, 0.0)
    assert [c.category for c in caught] == [UserWarning]


def the_slippery_lake() -> None:
    """The share of goals of the greedy policy is that of fs.evaluate, within the error of so many episodes."""
    agent = trained("r-max:m=100,gamma=0.99", "FrozenLake-v1", 100_000)
    four = DummyVecEnv([partial(made, "FrozenLake-v1")] * 4)
    four.seed(3)
    share, _ = evaluate_policy(agent, four, n_eval_episodes=1000)
    ours = fs.evaluate(agent, gym.make("FrozenLake-v1"), episodes=1000, seed=4)
    assert share > 0.6 and abs(share - ours.mean) < 0.08, (share, ours)
    sampled, _ = evaluate_policy(agent, four, n_eval_episodes=100, deterministic=False)
    assert sampled > 0.5, sampled


def the_cards() -> None:
    """Blackjack's observations are tuples; DummyVecEnv gives a tuple of arrays."""
    agent = trained("q-learning:alpha=0.02,gamma=0.99,epsilon=0.2", "Blackjack-v1", 200_000)
    four = DummyVecEnv([partial(made, "Blackjack-v1")] * 4)
    four.seed(3)
    mean, _ = evaluate_policy(agent, four, n_eval_episodes=2000)
    assert mean > -0.2, mean  # -0.05 is the optimum, -0.4 is random


def our_environment() -> None:
    name = "farsight/Chain-v0"
    agent = trained("r-max:m=5,gamma=0.95", name, 5000, n=5, max_episode_steps=100)
    mean, _ = evaluate_policy(agent, made(name, n=5, max_episode_steps=100), n_eval_episodes=5)
    ours = fs.evaluate(agent, gym.make(name, n=5, max_episode_steps=100), episodes=5, seed=1)
    assert 0.8 < mean / ours.mean < 1.25, (mean, ours)


for each in (the_lake, the_slippery_lake, the_cards, our_environment):
    each()
    print(f"{each.__name__}: good")
print(f"Stable-Baselines3 {stable_baselines3.__version__}, PyTorch {torch.__version__}")
