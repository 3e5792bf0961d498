"""Agents of the library once more, in Python, after docs/agents.md: they must give the same runs."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import farsight as fs

Ties = Literal["random", "lowest", "highest"]


def greedy(row: list[float], ties: str, rng: fs.Random) -> int:
    """The k-th action that equals the best so far draws an index below k and replaces it if that is 0."""
    best, tied = 0, 1
    for a in range(1, len(row)):
        if row[a] > row[best]:
            best, tied = a, 1
        elif row[a] == row[best]:
            tied += 1
            if ties == "highest" or (ties == "random" and rng.below(tied) == 0):
                best = a
    return best


class PlainQ(fs.PyAgent):
    """Q-learning with constant epsilon and step size."""

    def __init__(
        self,
        gamma: Annotated[float, fs.Bounds(0, 1, high_open=True)] = 0.95,
        q0: float = 0,
        alpha: Annotated[float, fs.Bounds(0, 1, low_open=True)] = 0.1,
        epsilon: Annotated[float, fs.Bounds(0, 1)] = 0.1,
        ties: Ties = "random",
    ) -> None:
        self.gamma, self.alpha, self.epsilon, self.ties = gamma, alpha, epsilon, ties
        self.q = [[q0] * self.n_actions for _ in range(self.n_states)]

    def act(self, s: int) -> int:
        if self.rng.uniform() < self.epsilon:
            return self.rng.below(self.n_actions)
        return greedy(self.q[s], self.ties, self.rng)

    def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool) -> None:
        future = 0.0 if terminated else max(self.q[next])
        self.q[s][a] += self.alpha * (r + self.gamma * future - self.q[s][a])

    def value(self, kind: str, s: int, a: int) -> float | None:
        return self.q[s][a] if kind == "q" else None

    def policy(self, s: int) -> list[float]:
        best = max(self.q[s])
        tied = [a for a, x in enumerate(self.q[s]) if x == best]
        if self.ties != "random":
            tied = tied[-1:] if self.ties == "highest" else tied[:1]
        rest = self.epsilon / self.n_actions
        return [rest + (1 - self.epsilon) / len(tied) * (a in tied) for a in range(self.n_actions)]


class Delayed(fs.PyAgent, abstract=True):
    """The delayed family: delay=full of delayed-q, or delay=interval of directed-delayed-q."""

    full = True
    clamp = False
    gamma: float
    eps1: float
    m: int
    ties: str
    gamma_e = 0.0
    rho = 0.0
    e0 = 0.0

    def begin(self) -> None:
        pairs = [(s, a) for s in range(self.n_states) for a in range(self.n_actions)]
        top = (self.reward_max - self.reward_min) / (1 - self.gamma)
        self.end = -self.reward_min / (1 - self.gamma)
        self.q = [[top] * self.n_actions for _ in range(self.n_states)]
        self.e = [[self.e0] * self.n_actions for _ in range(self.n_states)]
        self.b = [[self.bonus(self.e0)] * self.n_actions for _ in range(self.n_states)]
        self.u, self.w, self.n = (dict.fromkeys(pairs, 0.0) for _ in range(3))
        self.begun, self.learn = dict.fromkeys(pairs, 0), dict.fromkeys(pairs, True)
        self.t = self.last = 0

    def bonus(self, e: float) -> float:
        return 0.0

    def act(self, s: int) -> int:
        return greedy([q + b for q, b in zip(self.q[s], self.b[s], strict=True)], self.ties, self.rng)

    def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool) -> None:
        self.t += 1
        i = (s, a)
        self.learn[i] = self.learn[i] or self.begun[i] <= self.last
        if not self.learn[i]:
            return
        if self.n[i] == 0:
            self.begun[i] = self.t
        self.n[i] += 1
        self.u[i] += (r - self.reward_min) + self.gamma * (self.end if terminated else max(self.q[next]))
        if not terminated:
            self.w[i] += self.gamma_e * max(self.e[next])
        if self.full and self.n[i] < self.m:
            return
        success = self.attempt(s, a)
        if success:
            self.last = self.t
        elif self.n[i] == self.m and self.begun[i] > self.last:
            self.learn[i] = False
        if success or self.n[i] == self.m:
            self.n[i] = self.u[i] = self.w[i] = 0

    def attempt(self, s: int, a: int) -> bool:
        n, now = self.n[s, a], self.q[s][a] + self.b[s][a]
        q = self.u[s, a] / n + (self.eps1 if self.full else self.rho / math.sqrt(n))
        q = min(q, self.q[s][a]) if self.clamp else q
        e = self.w[s, a] / n
        e = min(e, self.e[s][a]) if self.clamp else e
        e = max(e, 2.0**-1022) if e > 0 else e
        if not (now - q >= self.eps1 and now - (q + self.bonus(e)) >= self.eps1):
            return False
        self.q[s][a], self.e[s][a], self.b[s][a] = q, e, self.bonus(e)
        return True


class PlainDelayedQ(Delayed):
    """Delayed Q-learning of 2009."""

    def __init__(self, gamma: float = 0.95, eps1: float = 0.1, m: int = 5, ties: Ties = "random") -> None:
        self.gamma, self.eps1, self.m, self.ties = gamma, eps1, m, ties
        self.begin()


class PlainDirected(Delayed):
    """Directed Delayed Q-learning."""

    full = False

    def __init__(
        self,
        gamma: float = 0.95,
        eps1: float = 0.1,
        m: int = 5,
        lambda_: float = 0.1,
        eta: float = 0.5,
        e0: float = 1,
        gamma_e: float = 0.9,
        rho: float = 0.1,
        clamp: bool = True,
        ties: Ties = "random",
    ) -> None:
        self.gamma, self.eps1, self.m, self.ties = gamma, eps1, m, ties
        self.scale, self.inverse, self.e0 = lambda_, 1 / math.log(eta), e0
        self.gamma_e, self.rho, self.clamp = gamma_e, rho, clamp
        self.begin()

    def bonus(self, e: float) -> float:
        if self.scale == 0 or e <= 0:
            return 0.0
        return self.scale / math.sqrt(max(1.0, math.log(e) * self.inverse))


class PlainRMax(fs.PyAgent):
    """R-max with plan=full: Gauss-Seidel sweeps over the learned model."""

    def __init__(self, gamma: float = 0.95, m: int = 20, tol: float = 0.001, ties: Ties = "random") -> None:
        self.gamma, self.m, self.tol, self.ties = gamma, m, tol, ties
        self.top = (self.reward_max - self.reward_min) / (1 - gamma)
        self.end = -self.reward_min / (1 - gamma)
        self.states = [s for s, live in enumerate(self.live) if live]
        self.q = [[self.top] * self.n_actions for _ in range(self.n_states)]
        self.v = [self.top] * self.n_states + [self.end]
        self.arcs: list[list[dict[int, int]]] = [[{} for _ in row] for row in self.q]
        self.rewards, self.n = [[[0.0 for _ in row] for row in self.q] for _ in range(2)]

    def act(self, s: int) -> int:
        return greedy(self.q[s], self.ties, self.rng)

    def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool) -> None:
        if self.n[s][a] >= self.m:
            return
        y = self.n_states if terminated else next
        self.arcs[s][a][y] = self.arcs[s][a].get(y, 0) + 1
        self.rewards[s][a] += r - self.reward_min
        self.n[s][a] += 1
        if self.n[s][a] == self.m:
            self.plan(s, a)

    def backup(self, s: int, a: int) -> float:
        if self.n[s][a] < self.m:
            return self.top
        dot = 0.0
        for y, count in self.arcs[s][a].items():
            dot += count * self.v[y]
        return (self.rewards[s][a] + self.gamma * dot) / self.n[s][a]

    def plan(self, s: int, a: int) -> None:
        floor = 2.0**-48 * self.top
        if abs(self.backup(s, a) - self.q[s][a]) <= max(self.tol * (1 - self.gamma), floor):
            return
        enough = max(self.tol * (1 - self.gamma) / self.gamma, floor)
        for _ in range(int(100 + 40 / (1 - self.gamma))):
            if self.sweep() <= enough:
                return

    def sweep(self) -> float:
        most = 0.0
        for s in self.states:
            for a in range(self.n_actions):
                x = self.backup(s, a)
                most = max(most, abs(x - self.q[s][a]))
                self.q[s][a] = x
            self.v[s] = max(self.q[s])
        return most


# (ours, the library's own with the same parameters)
PAIRS = [
    (PlainQ, "q-learning"),
    (PlainDelayedQ, "delayed-q"),
    (PlainDirected, "directed-delayed-q"),
    (PlainRMax, "r-max"),
]


def values_of(canonical: str) -> dict[str, str]:
    """The keys of a canonical spec."""
    return dict(pair.split("=") for pair in canonical.partition(":")[2].split(",") if pair)


def same_as(cls: type[fs.PyAgent], canonical: str) -> str:
    """The spec of our class with the values of the library's agent."""
    theirs = values_of(canonical)
    ours = {row: theirs[row] for row in cls.parameters()}
    return cls.spec(**ours)
