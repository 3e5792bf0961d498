"""Reference version of ucrl2b, written from docs/agents.md and Fruit, Pirotta & Lazaric 2020."""

import math

from average import Boxes


class Agent(Boxes):
    """UCRL2 with empirical Bernstein intervals."""

    def width(self, variance, bound, n):
        """Half an interval for a mean of n numbers within `bound` of each other."""
        log = math.log(6 * self.S * self.A * n / self.p["delta"])
        return self.p["scale"] * (2 * math.sqrt(variance * log / n) + 6 * bound * log / n)

    def reward_bound(self, s, a):
        """The greatest plausible reward."""
        w = self.width(self.variance(s, a), self.range, self.n[s][a])
        return min(self.range, self.mean(s, a) + w)

    def intervals(self, s, a):
        """{state: least}, {state: greatest} plausible probability."""
        n, p = self.n[s][a], dict.fromkeys(self.live, 0.0)
        p.update(self.frequencies(s, a))
        w = {y: self.width(p[y] * (1 - p[y]), 1, n) for y in p}
        return {y: max(0.0, p[y] - w[y]) for y in p}, {y: min(1.0, p[y] + w[y]) for y in p}


# (name, problem as in transcript_cases.py, parameters: every key that applies)
CASES = (
    ("plain", "4x2 sto 200", "delta=0.1,scale=0.05,ties=random"),
    ("wide", "3x2 sto 160", "delta=0.1,scale=0.5,ties=lowest"),
    ("theory", "2x2 sto 300", "delta=0.3,scale=1,ties=random"),
    ("ends", "4x2 sto 200 ends=0.2 rmin=-1 rmax=1", "delta=0.1,scale=0.03,ties=highest"),
    ("cut", "4x2 sto 200 cut=0.15", "delta=0.2,scale=0.05,ties=random"),
    ("absent", "7x2 sto 200 ends=0.2 absent=0,3..4,6", "delta=0.1,scale=0.04,ties=random"),
    ("endless", "3x3 sto 200 rmin=-2 rmax=-1 endless", "delta=0.1,scale=0.02,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=3", "delta=0.1,scale=0.05,ties=random", 1000),
    ("chain:n=4,slip=0.1,left=-0.5,right=1.5", "delta=0.1,scale=0.03,ties=lowest", 1000),
    ("deepsea:n=4,mapping=fixed", "delta=0.1,scale=0.1,ties=random", 100),
)
