"""Reference version of orlc: Dann, Li, Wei & Brunskill 2019, Algorithm 1, by docs/agents.md."""

import math

from optimism import Optimist, ln_ln
from stepwise import END


class Agent(Optimist):
    """Upper bounds on the best values, lower bounds on those of the policy."""

    def __init__(self, *args):
        super().__init__(*args)
        self.low = [dict.fromkeys(self.live, 0.0) for _ in range(self.H + 1)]
        for h in range(self.H + 1):
            self.low[h][END] = self.end(h)
        self.v[self.H] = dict.fromkeys(self.v[self.H], 0.0)

    def psi(self, h, row, v, c):
        """The half width around a value with v at the next step."""
        H, L = self.H, self.p["l"]
        phi = min(1.0, math.sqrt(0.52 / row.n * (1.4 * ln_ln(2 * row.n) + L)))
        own = (1 + math.sqrt(12) * math.sqrt(row.variance(v))) * phi
        own += c * self.p["correction"] * self.S * H**2 * phi**2
        return self.p["scale"] * own + (row.mean(self.v[h + 1]) - row.mean(self.low[h + 1])) / H

    def upper(self, h, s, a, row):
        """Q from above."""
        v = self.v[h + 1]
        lows = tuple(self.low[h + 1][y] for y in row.count)
        return (
            row.reward()[0] + row.mean(v) + self.psi(h, row, v, 45),
            self.child(self.next_of(h, row), lows),
        )

    def lower(self, h, s, a):
        """Q of the policy from below."""
        row = self.row(h, s, a)
        if row.n == 0:
            return 0.0
        v = self.low[h + 1]
        return max(0.0, row.reward()[0] + row.mean(v) - self.psi(h, row, v, 31))

    def one_state(self, h, s):
        """Then the least of the lower bounds of the greedy actions."""
        super().one_state(h, s)
        best = self.best_actions(self.q[h][s], self.of_q[h][s])
        self.low[h][s] = min(self.lower(h, s, a) for a in best)

    def certificate(self):
        """What an episode may lose, in the units of the rewards."""
        return self.range * max(self.v[0][s] - self.low[0][s] for s in self.starts)


BASE = "l=1.1,scale=0.07,correction=0.005,"
CASES = (
    ("plain", "4x2 sto 160 horizon=4", BASE + "stages=shared,replan=1,ties=random"),
    ("apart", "3x2 sto 200 horizon=3", BASE + "stages=apart,replan=1,ties=random"),
    ("wide", "3x3 sto 160 horizon=4", "l=4,scale=0.1,correction=0.002,stages=shared,replan=1,ties=lowest"),
    ("replan", "4x2 sto 240 horizon=4", BASE + "stages=shared,replan=1.5,ties=random"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=5", BASE + "stages=shared,replan=1,ties=highest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=6", BASE + "stages=apart,replan=1,ties=random"),
    ("det", "4x3 det 120 horizon=4", BASE + "stages=shared,replan=1,ties=random"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=5", BASE + "stages=shared,replan=1,ties=random"),
    ("endless", "3x2 sto 160 rmin=-2 rmax=-1 horizon=4 endless", BASE + "stages=shared,replan=1,ties=random"),
    ("one-step", "3x3 sto 120 horizon=1", BASE + "stages=shared,replan=1,ties=random"),
)
RUNS = (
    ("chain:n=5,horizon=8", BASE + "stages=shared,replan=1,ties=random", 1000),
    ("chain:n=5,horizon=6", BASE + "stages=apart,replan=1,ties=random", 150),
    ("deepsea:n=4,mapping=fixed,horizon=4", BASE + "stages=shared,replan=1,ties=random", 300),
)
