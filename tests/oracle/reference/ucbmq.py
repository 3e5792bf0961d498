"""Reference version of ucbmq: Menard, Domingues, Shang & Valko 2021, Algorithm 1, by docs/agents.md."""

import math

from bonus_agents import FRESH
from by_step import StepAgent


class Agent(StepAgent):
    """Momentum Q-learning; `Q` is the upper one, `mean` the estimate under it."""

    def __init__(self, *args):
        super().__init__(*args)
        H, live = self.H, self.live
        self.mean = self.tables(0.0)
        self.of_mean = self.tables(FRESH)
        self.V = [{s: (float(H - h), (FRESH,)) for s in live} for h in range(H)]
        self.bias = [{(s, a, y): (0.0, FRESH) for s in live for a in range(self.n_actions) for y in live}
                     for _ in range(H)]

    def learn(self, s, a, r, nxt, done):
        """Algorithm 1, from the count on."""
        h, H = self.h, self.H
        self.n[h][s][a] += 1
        n = self.n[h][s][a]
        alpha, gamma = 1 / n, H / (H + n) * (n - 1) / n
        after, drift, of_bias = self.over(done), 0.0, None
        if after is None:
            after = self.V[h + 1][nxt]
            bias, of_bias = self.bias[h][s, a, nxt]
            drift = after[0] - bias
        v, of_v = after
        x = self.unit(r) + v
        self.mean[h][s][a] = (1 - alpha) * self.mean[h][s][a] + alpha * x + gamma * drift
        of = self.of_mean[h][s][a] = self.child(self.of_mean[h][s][a], r, of_v, of_bias)
        left = H - h
        self.Q[h][s][a] = self.mean[h][s][a] + min(left, self.p["c"] / math.sqrt(n) + left / n)
        self.of_q[h][s][a] = of
        self.V[h][s] = self.lower(self.V[h][s], self.top(self.Q[h][s], self.of_q[h][s]))
        if h + 1 < H:
            self.follow(s, a, alpha + gamma)

    def follow(self, s, a, eta):
        """The bias values of all states."""
        for y in self.live:
            v, of_v = self.V[self.h + 1][y]
            bias, of = self.bias[self.h][s, a, y]
            self.bias[self.h][s, a, y] = (eta * v + (1 - eta) * bias, self.child("bias", of, of_v))


CASES = (
    ("plain", "4x2 sto 160 horizon=4", "c=0.3,ties=random"),
    ("small", "4x2 sto 200 horizon=3", "c=0.01,ties=random"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=4", "c=1,ties=lowest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=6", "c=0.5,ties=highest"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=4", "c=0.2,ties=random"),
    ("endless", "3x2 sto 160 rmin=-2 rmax=-1 horizon=5 endless", "c=0.7,ties=random"),
    ("one-step", "3x3 sto 120 horizon=1", "c=0.5,ties=random"),
)
RUNS = (
    ("deepsea:n=4,mapping=fixed,horizon=6", "c=0.3,ties=random", 1000),
    ("deepsea:n=5,mapping=fixed,horizon=7", "c=0.37,ties=lowest", 1000),
    ("deepsea:n=6,mapping=fixed,horizon=9", "c=0.1,ties=random", 1000),
)
