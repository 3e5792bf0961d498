"""Reference version of ucb-b: Jin, Allen-Zhu, Bubeck & Jordan 2018, Algorithm 2, by docs/agents.md.

The variance is computed from all values that followed, each time anew.
"""

import math

from by_step import StepAgent


class Agent(StepAgent):
    """Q-learning with Bernstein bonuses."""

    def __init__(self, *args):
        super().__init__(*args)
        self.beta = self.tables(0.0)
        self.seen = self.tables(())

    def width(self, t, variance):
        """beta_t."""
        H, iota = self.H, self.iota(t)
        bernstein = math.sqrt(H / t * (variance + H) * iota) + self.p["tail"] * iota / t
        return min(self.p["c1"] * bernstein, self.p["c2"] * math.sqrt(H**3 * iota / t))

    def learn(self, s, a, r, nxt, done):
        """The body of the inner loop of Algorithm 2."""
        h, H = self.h, self.H
        v, of_v = self.follows(nxt, done)
        self.n[h][s][a] += 1
        t = self.n[h][s][a]
        self.seen[h][s][a] += (v,)
        mean = math.fsum(self.seen[h][s][a]) / t
        beta = self.width(t, math.fsum((x - mean) ** 2 for x in self.seen[h][s][a]) / t)
        alpha = (H + 1) / (H + t)
        b = (beta - (1 - alpha) * self.beta[h][s][a]) / (2 * alpha)
        self.beta[h][s][a] = beta
        self.Q[h][s][a] = (1 - alpha) * self.Q[h][s][a] + alpha * (self.unit(r) + v + b)
        self.of_q[h][s][a] = self.child(self.of_q[h][s][a], r, of_v)


CASES = (
    ("plain", "4x2 sto 160 horizon=4", "c1=0.1,c2=0.5,tail=0,log=off,ties=random"),
    ("hoeffding", "4x2 sto 160 horizon=4", "c1=0.5,c2=0.05,tail=3,log=off,ties=random"),
    ("log", "4x2 sto 160 horizon=5", "c1=0.05,c2=0.1,tail=0.5,log=on,delta=0.1,ties=random"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=4", "c1=0.1,c2=0.2,tail=0.1,log=off,ties=lowest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=6", "c1=0.1,c2=0.1,tail=1,log=on,delta=0.3,ties=highest"),
    ("flat", "3x5 flat 120 horizon=3", "c1=0.1,c2=0.1,tail=0,log=off,ties=random"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=4",
     "c1=0.05,c2=0.1,tail=0.5,log=on,delta=0.1,ties=random"),
    ("endless", "3x2 sto 160 rmin=-2 rmax=-1 horizon=5 endless", "c1=0.1,c2=0.1,tail=0,log=off,ties=random"),
)
RUNS = (
    ("chain:n=5,horizon=10", "c1=0.05,c2=0.05,tail=0,log=off,ties=random", 1000),
    ("chain:n=5,horizon=7", "c1=0.05,c2=0.1,tail=0.5,log=on,delta=0.1,ties=random", 1000),
    ("frozen-lake:hole=0.25,horizon=12", "c1=0.05,c2=0.1,tail=0,log=off,ties=random", 1000),
)
