"""What the references of the optimistic agents of finite horizon share: when they plan, one pass, bounds.

Written from docs/agents.md, "Optimism by steps", and the papers, without sight of the C sources.
"""

import math

from bonus_agents import TOLERANCE, TooClose
from stepwise import END, Stepwise


class Optimist(Stepwise):
    """`upper(h, s, a, row)` is the backup of a visited pair: (value, ancestry), not yet cut to [0, H - h]."""

    def __init__(self, *args):
        super().__init__(*args)
        self.seen = [dict.fromkeys(self.live, 0) for _ in range(self.H)]
        self.planned = {}  # visits of a row at the last plan
        self.due = False
        self.v = [{s: float(self.left(h)) for s in self.live} for h in range(self.H + 1)]
        self.of_v = [{s: self.child("untried", h) for s in self.live} for h in range(self.H + 1)]
        for h in range(self.H + 1):
            self.v[h][END], self.of_v[h][END] = self.end(h), self.child("end", h)

    def learn(self, s, a, r, nxt, done):
        """Is a plan due after this visit?  Then as all do."""
        row = self.row(self.h, s, a)
        self.seen[self.h][s] += 1
        self.entered(row, r, nxt, done)
        super().learn(s, a, r, nxt, done)

    def entered(self, row, _r, _nxt, _done):
        """A visit that is about to enter its row."""
        self.due |= row.n + 1 >= self.p["replan"] * self.planned.get(id(row), 0)

    def plan(self):
        """One pass from the last step to the first, if one is due."""
        if not self.due:
            self.events["no plan"] += 1
            return
        for h in reversed(range(self.H)):
            for s in self.live:
                self.one_state(h, s)
        self.due = False
        self.planned = {id(row): row.n for rows in self.rows for of in rows.values() for row in of}

    def one_state(self, h, s):
        """All actions of a state, then its value."""
        for a in range(self.A):
            self.q[h][s][a], self.of_q[h][s][a] = self.backup(h, s, a)
        self.v[h][s], names = self.top(self.q[h][s], self.of_q[h][s])
        self.of_v[h][s] = self.child("best", names)

    def backup(self, h, s, a):
        """The value of a pair, at most H - h."""
        row = self.row(h, s, a)
        if row.n == 0:
            return self.untried(h)
        return self.lesser(self.untried(h), self.upper(h, s, a, row))

    def untried(self, h):
        """(H - h, its ancestry)."""
        return float(self.left(h)), self.child("untried", h)

    def lesser(self, old, new):
        """The smaller of two (value, ancestry); refused where it is not certain which one that is."""
        if old[1] == new[1]:
            return old
        if abs(new[0] - old[0]) < TOLERANCE:
            raise TooClose(f"the smaller of {old!r} and {new!r}")
        self.events["clipped"] += new[0] > old[0]
        return min(old, new)

    def blurred(self, old, new):
        """As `lesser`; two that are equal but for rounding give a number that is tied with no other."""
        if old[1] != new[1] and abs(new[0] - old[0]) < 1e-13:
            self.events["blurred"] += 1
            return old[0], self.child("blurred", self.events["blurred"])
        return self.lesser(old, new)

    def next_of(self, h, row):
        """The ancestry of what a row makes of V at step h + 1."""
        return self.ancestry(h, row, self.of_v[h + 1])


def ln_ln(n):
    """ln ln max(e, n)."""
    return math.log(math.log(max(math.e, n)))
