"""Reference version of ubev: Dann, Lattimore & Brunskill 2017, Algorithm 1, by docs/agents.md."""

import math

from optimism import Optimist, ln_ln
from stepwise import END


class Agent(Optimist):
    """Q = min(1, r + phi) + min(max V, P V + (H - h - 1) phi)."""

    def one_state(self, h, s):
        """The greatest value of an outcome, once a step."""
        if s == self.live[0]:
            ys = [*self.live, END] if self.outcomes > self.S else list(self.live)
            values, names = [self.v[h + 1][y] for y in ys], [self.of_v[h + 1][y] for y in ys]
            if h + 1 == self.H:
                values, names = [0.0], ["over"]
            best, of = self.top(values, names)
            self.most = best, self.child("most", of)
        super().one_state(h, s)

    def backup(self, h, s, a):
        """The sum of two bounds."""
        row, one = self.row(h, s, a), (1.0, "one")
        if row.n == 0:
            return self.both(one, self.most)
        phi = self.p["scale"] * math.sqrt((2 * ln_ln(row.n) + self.p["l"]) / row.n)
        reward = self.lesser(one, (row.reward()[0] + phi, self.child("r", row.sum, row.n)))
        after = row.mean(self.v[h + 1]) + (self.H - h - 1) * phi
        of = "over" if h + 1 == self.H else self.next_of(h, row)
        if h + 1 == self.H:
            return self.both(reward, self.most)
        return self.both(reward, self.lesser(self.most, (after, of)))

    def both(self, x, y):
        """A sum and its ancestry."""
        return x[0] + y[0], self.child("sum", x[1], y[1])


BASE = "l=1.1,scale=0.13,"
CASES = (
    ("plain", "4x2 sto 160 horizon=4", BASE + "stages=shared,replan=1,ties=random"),
    ("apart", "3x2 sto 200 horizon=3", BASE + "stages=apart,replan=1,ties=random"),
    ("wide", "3x3 sto 160 horizon=4", "l=4,scale=0.2,stages=shared,replan=1,ties=lowest"),
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
    ("frozen-lake:hole=0.25,horizon=9", BASE + "stages=shared,replan=1,ties=random", 300),
)
