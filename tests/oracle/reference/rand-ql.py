"""Reference version of rand-ql: Tiapkin et al. 2023, RandQL and Staged-RandQL, by docs/agents.md."""

import math

from bonus_agents import gamma_variate
from by_step import StepAgent


def beta_variate(rng, a, b):
    """A ratio of two gamma variates, that of a first."""
    x = gamma_variate(rng, a)
    y = gamma_variate(rng, b)
    return x / (x + y)


class Agent(StepAgent):
    """An ensemble of values with random step sizes."""

    def __init__(self, *args):
        super().__init__(*args)
        self.staged = self.p["form"] == "staged"
        self.J = int(self.p["ensemble"])
        self.T = [{(s, a): self.fresh(h) for s in self.live for a in range(self.n_actions)}
                  for h in range(self.H)]
        self.count = self.tables(0)
        self.stage = self.tables(0)

    def fresh(self, h):
        """The ensemble of a pair at first, and at the beginning of a stage."""
        return [(self.p["r0"] if self.staged else 1.0) * (self.H - h)] * self.J

    def learn(self, s, a, r, nxt, done):
        """One target for all members."""
        v, _ = self.follows(nxt, done)
        self.n[self.h][s][a] += 1
        if self.staged:
            self.learn_staged(s, a, self.unit(r) + v)
        else:
            self.learn_step(s, a, self.unit(r) + v)

    def show(self, s, a, falls):
        """Q = the largest member."""
        h = self.h
        old = (self.Q[h][s][a], self.of_q[h][s][a])
        new = (max(self.T[h][s, a]), self.child("draw", len(self.names)))
        self.Q[h][s][a], self.of_q[h][s][a] = self.lower(old, new) if falls else new

    def learn_step(self, s, a, target):
        """RandQL: a second draw mixes the target with the optimistic value."""
        h, H, kappa, prior = self.h, self.H, self.p["kappa"], self.p["prior"]
        n = self.n[h][s][a] + prior * kappa
        for j in range(self.J):
            mix = beta_variate(self.rng, n, prior)
            w = beta_variate(self.rng, (H + 1) / kappa, n / kappa)
            y = mix * target + (1 - mix) * (H - h)
            self.T[h][s, a][j] = (1 - w) * self.T[h][s, a][j] + w * y
        self.show(s, a, self.p["falls"] == "on")

    def learn_staged(self, s, a, target):
        """Staged-RandQL: shown when floor((1 + 1/H)^stage H) samples are in."""
        h, H, kappa = self.h, self.H, self.p["kappa"]
        n = self.count[h][s][a] + self.p["prior"]
        for j in range(self.J):
            w = beta_variate(self.rng, 1 / kappa, n / kappa)
            self.T[h][s, a][j] = (1 - w) * self.T[h][s, a][j] + w * target
        self.count[h][s][a] += 1
        if self.count[h][s][a] == math.floor((1 + 1 / H) ** self.stage[h][s][a] * H + 1e-9):
            self.show(s, a, False)
            self.T[h][s, a] = self.fresh(h)
            self.count[h][s][a] = 0
            self.stage[h][s][a] += 1
            self.events["stage"] += 1


STEP = "form=step,ensemble=4,prior=0.25,kappa=1,falls=off,ties="
STAGED = "form=staged,ensemble=3,prior=1,kappa=1,r0=1,ties="
CASES = (
    ("plain", "4x2 sto 120 horizon=4", STEP + "random"),
    ("kappa", "4x2 sto 120 horizon=3", "form=step,ensemble=2,prior=2,kappa=3.5,falls=off,ties=random"),
    ("falls", "4x2 sto 120 horizon=3", "form=step,ensemble=3,prior=0.5,kappa=1,falls=on,ties=random"),
    ("ends", "4x2 sto 120 ends=0.2 rmin=-1 rmax=1 horizon=4", STEP + "lowest"),
    ("cut", "4x2 sto 120 cut=0.15 horizon=6", STEP + "highest"),
    ("absent", "7x2 sto 120 ends=0.2 absent=0,3..4,6 horizon=4", STEP + "random"),
    ("staged", "3x2 sto 200 horizon=2", STAGED + "random"),
    ("staged-kappa", "2x2 sto 200 horizon=3", "form=staged,ensemble=5,prior=1.5,kappa=2,r0=2,ties=random"),
    ("staged-ends", "3x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=2", STAGED + "lowest"),
    ("one", "3x3 sto 120 horizon=1", "form=step,ensemble=1,prior=1,kappa=1,falls=off,ties=random"),
)
RUNS = (
    ("deepsea:n=4,mapping=fixed,horizon=6", "form=step,ensemble=10,prior=0.2,kappa=1,falls=off,ties=random", 600),
    ("deepsea:n=3,mapping=fixed,horizon=4", "form=staged,ensemble=5,prior=1,kappa=1,r0=1,ties=random", 600),
    ("frozen-lake:hole=0.25,horizon=12", "form=step,ensemble=4,prior=0.5,kappa=2,falls=on,ties=random", 600),
)
