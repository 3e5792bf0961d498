"""A program that uses the package; mypy checks it against the types that the wheel brings."""

from __future__ import annotations

import numpy as np

import farsight as fs


class Mine(fs.PyAgent):
    def act(self, s: int) -> int:
        return s % 2

    def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool) -> None:
        pass


def best(agent: fs.Agent) -> int:
    q: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = agent.q
    a: int = agent.act(0)
    agent.observe(0, a, 1.0, 1)
    return int(q[0].argmax())


def study() -> float:
    r = fs.run(["chain:n=5"], ["delayed-q", Mine], steps=100, runs=2)
    return float(r.totals("chain:n=5", "delayed-q").mean())


made: fs.Agent = fs.agents.delayed_q(env="chain:n=5", m=3)
best(made)
