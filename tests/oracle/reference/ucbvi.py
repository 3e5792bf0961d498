"""Reference version of ucbvi: Azar, Osband & Munos 2017, algorithms 1 to 4, by docs/agents.md."""

import math

from optimism import Optimist
from stepwise import END

FACTORS = {2017: (7, 8, 14 / 3, 100**2), 2025: (2, 4, 7 / 3, 84**2)}


class Agent(Optimist):
    """Q never rises; the bonus is Hoeffding's or Bernstein's."""

    def upper(self, h, s, a, row):
        """min(Q of the last plan, R + P V + scale b)."""
        old = self.q[h][s][a], self.of_q[h][s][a]
        v = self.v[h + 1]
        x = row.reward()[0] + row.mean(v) + self.p["scale"] * self.bonus(h, row, v)
        corrected = self.p["bonus"] == "bernstein" and self.p["correction"] > 0
        seen = tuple(self.seen_next(h, y) for y in row.count) if corrected else None
        return self.blurred(old, (x, self.child(self.next_of(h, row), seen)))

    def bonus(self, h, row, v):
        """b of Algorithm 3 or 4, with the width of the rewards."""
        c1, c2, c3, _ = self.factors = FACTORS[int(self.p["constants"])]
        L, N, H = self.p["l"], row.n, self.H
        if self.p["bonus"] == "hoeffding":
            return c1 * H * L / math.sqrt(N)
        less = max(N - 1, 1)
        b = math.sqrt(c2 * L * row.variance(v) / N)
        b += c3 * H * L / (N if self.p["constants"] == 2017 else less)
        if self.p["correction"] > 0:
            b += self.p["correction"] * math.sqrt(c2 * self.error(h, row) / N)
        return b + math.sqrt(2 * L * row.reward()[1] / N) + 7 / 3 * L / less

    def seen_next(self, h, y):
        """n_{h+1}(y), where that counts."""
        return None if y == END or h + 1 == self.H else self.seen[h + 1][y]

    def error(self, h, row):
        """E: how far V may be from V* at the next step."""
        unit = self.factors[3] * self.H**3 * self.S**2 * self.A * self.p["l"] ** 2
        total = 0.0
        for y, count in row.count.items():
            n = self.seen_next(h, y)
            if n is not None:
                total += count * (min(unit / n, self.H**2) if n else self.H**2)
        return total / row.n


BF = "bonus=bernstein,constants=2025,l=1.1,scale=0.07,correction=0,"
CASES = (
    ("plain", "4x2 sto 160 horizon=4", BF + "stages=shared,replan=1,ties=random"),
    ("apart", "3x2 sto 200 horizon=3", BF + "stages=apart,replan=1,ties=random"),
    ("hoeffding", "4x2 sto 160 horizon=5", "bonus=hoeffding,constants=2025,l=1,scale=0.02,stages=shared,replan=1,ties=random"),
    ("hoeffding-2017", "3x3 sto 160 horizon=4", "bonus=hoeffding,constants=2017,l=2,scale=0.01,stages=shared,replan=1,ties=lowest"),
    ("correction", "3x2 sto 200 horizon=4", "bonus=bernstein,constants=2025,l=0.55,scale=0.07,correction=0.003,stages=shared,replan=1,ties=random"),
    ("correction-small", "3x2 sto 200 horizon=3", "bonus=bernstein,constants=2017,l=0.002,scale=0.5,correction=1,stages=apart,replan=1,ties=random"),
    ("replan", "4x2 sto 240 horizon=4", BF + "stages=shared,replan=1.5,ties=random"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=5", BF + "stages=shared,replan=1,ties=highest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=6", BF + "stages=apart,replan=1.2,ties=random"),
    ("det", "4x3 det 120 horizon=4", BF + "stages=shared,replan=1,ties=random"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=5", BF + "stages=shared,replan=1,ties=random"),
    ("endless", "3x2 sto 160 rmin=-2 rmax=-1 horizon=4 endless", BF + "stages=shared,replan=1,ties=random"),
    ("one-step", "3x3 sto 120 horizon=1", BF + "stages=shared,replan=1,ties=random"),
)
RUNS = (
    ("chain:n=5,horizon=8", BF + "stages=shared,replan=1,ties=random", 1000),
    ("chain:n=5,horizon=6", "bonus=hoeffding,constants=2025,l=1,scale=0.01,stages=apart,replan=1,ties=random", 150),
    ("deepsea:n=4,mapping=fixed,horizon=4", "bonus=hoeffding,constants=2017,l=1.1,scale=0.007,stages=shared,replan=1,ties=random", 200),
)
