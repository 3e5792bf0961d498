"""Reference version of ucb-h: Jin, Allen-Zhu, Bubeck & Jordan 2018, Algorithm 1, by docs/agents.md."""

import math

from by_step import StepAgent


class Agent(StepAgent):
    """Q-learning with Hoeffding bonuses."""

    def learn(self, s, a, r, nxt, done):
        """The body of the inner loop of Algorithm 1."""
        h, H = self.h, self.H
        v, of_v = self.follows(nxt, done)
        self.n[h][s][a] += 1
        t = self.n[h][s][a]
        alpha = (H + 1) / (H + t)
        b = self.p["c"] * math.sqrt(H**3 * self.iota(t) / t)
        self.Q[h][s][a] = (1 - alpha) * self.Q[h][s][a] + alpha * (self.unit(r) + v + b)
        self.of_q[h][s][a] = self.child(self.of_q[h][s][a], r, of_v)


LOG = "c=0.02,log=on,delta=0.1,ties=random"
CASES = (
    ("plain", "4x2 sto 160 horizon=4", "c=0.05,log=off,ties=random"),
    ("log", "4x2 sto 160 horizon=5", LOG),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=4", "c=0.03,log=off,ties=lowest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=6", "c=0.1,log=on,delta=0.3,ties=highest"),
    ("flat", "3x5 flat 120 horizon=3", "c=0.1,log=off,ties=random"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=4", LOG),
    ("endless", "3x2 sto 160 rmin=-2 rmax=-1 horizon=5 endless", "c=0.05,log=off,ties=random"),
    ("one-step", "3x3 sto 120 horizon=1", "c=0.2,log=off,ties=random"),
    ("theory", "3x2 sto 120 horizon=3", "c=1,log=on,delta=0.05,ties=random"),
)
RUNS = (
    ("chain:n=5,horizon=10", "c=0.01,log=off,ties=random", 1000),
    ("chain:n=5,horizon=7", "c=0.02,log=on,delta=0.1,ties=random", 1000),
    ("frozen-lake:hole=0.25,horizon=12", "c=0.02,log=on,delta=0.1,ties=random", 1000),
)
