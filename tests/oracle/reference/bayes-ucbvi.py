"""Reference version of bayes-ucbvi: Tiapkin, Belomestny, Moulines, Naumov, Samsonov, Tang, Valko & Menard 2022.

Written from docs/agents.md and the paper.
"""

import math

from bonus_agents import gamma_variate
from stepwise import Stepwise


class Agent(Stepwise):
    """Quantiles of sampled means under the posterior."""

    def drawn(self, row):
        """So many draws of a row from its posterior, each {successor: probability}; None is the state that is none."""
        draws = []
        for _ in range(int(self.p["draws"]) if row.n else 0):
            g = {y: gamma_variate(self.rng, c) for y, c in row.count.items()}
            g[None] = gamma_variate(self.rng, self.p["n0"])
            total = math.fsum(g.values())
            draws.append({y: x / total for y, x in g.items()})
        return draws

    def backup(self, h, row, draws, v):
        """r + the quantile."""
        v = {**v, None: self.p["r0"] * self.left(h + 1)}
        if row.n == 0:
            return 1 + v[None]
        values = [v[y] for y in (*row.count, None)]
        means = (math.fsum(w * v[y] for y, w in p.items()) for p in draws)
        sample = sorted(min(max(x, min(values)), max(values)) for x in means)
        return row.sum / row.n + sample[math.ceil(self.p["kappa"] * len(sample)) - 1]

    def plan(self):
        """Draw all rows in order, then look back from the last step."""
        rows = [{s: [self.drawn(x) for x in pairs] for s, pairs in rows.items()} for rows in self.rows]
        v = self.nothing()
        for h in reversed(range(self.H)):
            new = self.nothing(h)
            for s in self.live:
                for a in range(self.A):
                    row = self.row(h, s, a)
                    draws = rows[h if len(rows) > 1 else 0][s][a]
                    self.q[h][s][a] = self.backup(h, row, draws, v)
                    name = ("drawn", self.events["plan"], h, s, a)
                    if row.n == 0:
                        name = ("untried", h)
                    elif h == self.H - 1:
                        name = ("known", row.n * (0 < row.sum < row.n), row.sum / row.n)
                    elif {v[y] for y in row.count} == {self.p["r0"] * self.left(h + 1)}:
                        name = ("sure", h, row.n * (0 < row.sum < row.n), row.sum / row.n)
                    self.of_q[h][s][a] = self.child(*name)
                new[s] = max(self.q[h][s])
            v = new
        self.events["plan"] += 1


# (name, problem as in transcript_cases.py, parameters: every key that applies)
CASES = (
    ("plain", "4x2 sto 100 horizon=5", "kappa=0.75,draws=4,n0=1,r0=1,stages=shared,ties=random"),
    ("apart", "3x2 sto 100 horizon=4", "kappa=0.9,draws=5,n0=0.5,r0=2,stages=apart,ties=lowest"),
    ("largest", "3x2 sto 100 horizon=4", "kappa=1,draws=3,n0=2,r0=1.5,stages=shared,ties=random"),
    ("ends", "4x2 sto 100 ends=0.2 rmin=-1 rmax=1 horizon=6", "kappa=0.5,draws=4,n0=1,r0=1,stages=shared,ties=highest"),
    ("cut", "4x2 sto 100 cut=0.15 horizon=7", "kappa=0.01,draws=2,n0=1,r0=1,stages=apart,ties=random"),
    ("absent", "7x2 sto 100 ends=0.2 absent=0,3..4,6 horizon=5", "kappa=0.75,draws=4,n0=1,r0=1,stages=shared,ties=random"),
    ("endless", "3x2 sto 100 rmin=-2 rmax=-1 horizon=4 endless", "kappa=0.75,draws=4,n0=1,r0=1,stages=shared,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=5,horizon=8", "kappa=0.75,draws=8,n0=1,r0=1,stages=shared,ties=random", 600),
    ("frozen-lake:hole=0.25,horizon=6", "kappa=0.75,draws=4,n0=1,r0=1,stages=shared,ties=random", 200),
)
