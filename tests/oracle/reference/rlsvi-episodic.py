"""Reference version of rlsvi-episodic: Osband, Van Roy & Wen 2016, Algorithm 1 with a table of features.

Written from docs/agents.md and the paper: Bayesian linear regression with noise sigma and a prior N(0, 1/lambda).
"""

import math

from bonus_agents import normal
from stepwise import Stepwise


class Agent(Stepwise):
    """Least squares with random targets, from the last step back."""

    def plan(self):
        """theta_h ~ N(mean, variance) for every entry."""
        lam, sigma = (self.range / self.p["sp"]) ** 2, self.p["sn"] / self.range
        v = self.nothing()
        for h in reversed(range(self.H)):
            new = self.nothing(h)
            for s in self.live:
                for a in range(self.A):
                    row = self.row(h, s, a)
                    precision = row.n / sigma**2 + lam
                    targets = row.sum + math.fsum(c * v[y] for y, c in row.count.items())
                    draw = normal(self.rng)
                    self.q[h][s][a] = targets / sigma**2 / precision + draw / math.sqrt(precision)
                    self.of_q[h][s][a] = self.child("drawn", self.events["plan"], h, s, a)
                new[s] = max(self.q[h][s])
            v = new
        self.events["plan"] += 1


# (name, problem as in transcript_cases.py, parameters: every key that applies)
CASES = (
    ("plain", "4x2 sto 160 horizon=5", "sp=5,sn=0.5,stages=shared,ties=random"),
    ("apart", "3x3 sto 160 horizon=4", "sp=2,sn=1,stages=apart,ties=lowest"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=6", "sp=12,sn=1,stages=shared,ties=highest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=7", "sp=7,sn=0.5,stages=shared,ties=random"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=5", "sp=5,sn=0.5,stages=apart,ties=random"),
    ("endless", "3x2 sto 160 rmin=-2 rmax=-1 horizon=4 endless", "sp=4,sn=0.5,stages=shared,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=5,horizon=8", "sp=8,sn=0.5,stages=shared,ties=random", 1000),
    ("frozen-lake:hole=0.25,horizon=12", "sp=12,sn=0.5,stages=shared,ties=random", 600),
)
