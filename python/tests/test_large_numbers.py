"""Numbers that fit into no 64 bits: a ValueError that names the argument, wherever they are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import farsight as fs

LARGE = {"2^63": 2**63, "10^30": 10**30, "10^400": 10**400, "10^6000": 10**6000}
RUN: dict[str, Any] = {"steps": 5, "runs": 2, "progress": False}
GROWTH: dict[str, Any] = {"env": "chain", "agents": "psrl", "sizes": [3, 4], "runs": 2, "progress": False}


def agent() -> fs.Agent:
    return fs.Agent("ucbvi", fs.MDP("chain:n=3,horizon=3"))


WHOLE: dict[str, Callable[[Any], object]] = {
    **{f"run {name}": lambda x, name=name: fs.run("chain:n=3", "r-max", **{**RUN, name: x}) for name in ("steps", "runs", "threads", "snapshots")},
    **{
        f"tune {name}": lambda x, name=name: fs.tune("delayed-q", "chain:n=3", **{name: x}, progress=False)
        for name in ("budget", "steps", "runs", "evaluate", "profile", "threads")
    },
    **{f"growth {name}": lambda x, name=name: fs.growth(**{**GROWTH, name: x}) for name in ("max_steps", "steps", "runs")},
    **{f"audit {name}": lambda x, name=name: fs.audit("chain:n=3", "delayed-q", **{**RUN, name: x}) for name in ("steps", "runs", "every")},
    **{f"solve {name}": lambda x, name=name: fs.solve("chain:n=3", **{name: x}) for name in ("horizon", "max_sweeps")},
    "reproduce runs": lambda x: fs.reproduce(runs=x, progress=False),
    "benchmark runs": lambda x: fs.benchmark("random", runs=x, progress=False),
    "stats resamples": lambda x: fs.run("chain:n=3", ["r-max", "random"], **RUN).compare(resamples=x),
    "stats most_agents": lambda x: fs.run("chain:n=3", ["r-max", "random"], **RUN).compare(most_agents=x),
    "agent step": lambda x: agent().values("q", step=x),
    "policy step": lambda x: agent().policy_at(x),
    "plot most": lambda x: fs.run("chain:n=3", ["r-max", "random"], **RUN).plot(most=x),
    "Agent n_states": lambda x: fs.Agent("r-max", n_states=x, n_actions=2, reward_range=(0, 1)),
}
REAL: dict[str, Callable[[Any], object]] = {
    **{f"solve {name}": lambda x, name=name: fs.solve("chain:n=3", **{name: x}) for name in ("gamma", "tolerance")},
    **{
        f"pac {name}": lambda x, name=name: fs.pac("r-max", (3, 2), **{name: x})
        for name in ("eps", "delta", "gamma", "gamma_e", "steps", "diameter")
    },
    "pac states": lambda x: fs.pac("r-max", (x, 2)),
    "pac rmax": lambda x: fs.pac("r-max", (3, 2), rewards=(0, x)),
    "growth gamma": lambda x: fs.growth(**GROWTH, gamma=x),
    "rank alpha": lambda x: fs.rank({"a": [1.0, 2.0], "b": [2.0, 3.0]}, alpha=x),
    "Agent reward": lambda x: fs.Agent("r-max", n_states=3, n_actions=2, reward_range=(0, x)),
    "observe reward": lambda x: fs.Agent("r-max", env="chain").observe(0, 0, x, 1),
    "cost seconds": lambda x: fs.Study("chain:n=3", "r-max").cost(seconds=x),
}


@pytest.mark.parametrize("large", LARGE)
@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers(name: str, large: str) -> None:
    with pytest.raises(ValueError, match=f"{name.split()[1]} is "):
        WHOLE[name](LARGE[large])


@pytest.mark.parametrize("large", ["10^400", "10^6000"])
@pytest.mark.parametrize("name", REAL)
def test_real_numbers(name: str, large: str) -> None:
    with pytest.raises(ValueError, match=f"{name.split()[1]} "):
        REAL[name](LARGE[large])


def test_memory() -> None:
    with pytest.raises(ValueError, match="memory is"):
        fs.limits(memory=10**40)
