"""Reference version of mvp: Zhang, Chen, Lee & Du, arXiv 2307.13586, Algorithm 1, by docs/agents.md."""

import math

from optimism import Optimist
from stepwise import END, Row


class Agent(Optimist):
    """Plans use stored rows, which are renewed when the visits reach a power of two."""

    def __init__(self, *args):
        super().__init__(*args)
        self.stored = {}  # of a row
        self.batch = {}

    def entered(self, row, r, nxt, done):
        """The batch, and the stored row at 1, 2, 4, ... visits."""
        batch = self.batch.setdefault(id(row), [])
        batch.append(((r - self.rmin) / self.range, END if done else nxt))
        if math.log2(row.n + 1).is_integer():
            if self.p["samples"] == "latest" or id(row) not in self.stored:
                self.stored[id(row)] = Row()
            for u, y in batch:
                self.stored[id(row)].add(u, y)
            batch.clear()
            self.due = True

    def backup(self, h, s, a):
        """(20): min(r + P V + b, H - h)."""
        row = self.stored.get(id(self.row(h, s, a)))
        if row is None:
            return self.untried(h)
        L, N, v = self.p["l"], row.n, self.v[h + 1]
        reward, spread = row.reward()
        b = 460 / 9 * math.sqrt(row.variance(v) * L / N)
        b += 2 * math.sqrt(2) * math.sqrt(spread * L / N)
        b += 544 / 9 * self.H * L / N
        x = reward + row.mean(v) + self.p["scale"] * b
        return self.lesser(self.untried(h), (x, self.next_of(h, row)))


ALL = "samples=all,l=1.1,scale=0.0017,"
LATEST = "samples=latest,l=1.3,scale=0.0007,"
CASES = (
    ("plain", "4x2 sto 160 horizon=4", ALL + "stages=shared,ties=random"),
    ("latest", "4x2 sto 160 horizon=4", LATEST + "stages=shared,ties=random"),
    ("apart", "3x2 sto 200 horizon=3", LATEST + "stages=apart,ties=random"),
    ("log", "3x3 sto 160 horizon=4", "samples=all,l=3,scale=0.0005,stages=apart,ties=lowest"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=5", ALL + "stages=shared,ties=highest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=6", LATEST + "stages=apart,ties=random"),
    ("det", "4x3 det 120 horizon=4", ALL + "stages=shared,ties=random"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=5", ALL + "stages=shared,ties=random"),
    ("endless", "3x2 sto 160 rmin=-2 rmax=-1 horizon=4 endless", LATEST + "stages=shared,ties=random"),
    ("one-step", "3x3 sto 120 horizon=1", ALL + "stages=shared,ties=random"),
)
RUNS = (
    ("chain:n=5,horizon=8", ALL + "stages=shared,ties=random", 1000),
    ("chain:n=5,horizon=6", LATEST + "stages=apart,ties=random", 150),
    ("deepsea:n=4,mapping=fixed,horizon=4", ALL + "stages=shared,ties=random", 300),
)
