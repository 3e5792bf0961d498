"""What the references of the agents that plan by steps have in common: rows, units, passes.

Written from docs/agents.md, "Finite horizon", and the papers, without sight of the C sources.  Steps are counted
here, from 0: an episode is over when a step is done or cut, or is the last of the horizon.  Values are in the units
of the papers, u = (r - rmin)/R in [0, 1]; `told` brings them back.

Ancestry (bonus_agents.py): a planned value has that of its row, as counts and ancestries of the values of the
successors in the order of first sight, so two pairs that have seen alike are alike.
"""

import math
from collections import Counter

from bonus_agents import BonusAgent, TooClose
from live import Learner, table

END = "end"  # the successor that is no state


class Row:
    """Visits, sum of the rewards and of their squares, counts of the successors in the order of first sight."""

    def __init__(self):
        self.n, self.sum, self.squares, self.count = 0, 0.0, 0.0, {}

    def add(self, u, y):
        """One visit."""
        self.n += 1
        self.sum += u
        self.squares += u * u
        self.count[y] = self.count.get(y, 0) + 1

    def mean(self, v):
        """The mean of v over the successors."""
        return math.fsum(c * v[y] for y, c in self.count.items()) / self.n

    def variance(self, v):
        """The variance of v over the successors."""
        m = self.mean(v)
        return math.fsum(c * (v[y] - m) ** 2 for y, c in self.count.items()) / self.n

    def reward(self):
        """(mean, variance) of the rewards."""
        m = self.sum / self.n
        spread = self.squares / self.n - m * m
        return m, spread if spread >= 2**-40 else 0.0


class Stepwise(BonusAgent):
    """Rows, one set for all steps or one a step; q of every step; greedy choices.  `plan` is the agent's."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        Learner.__init__(self, live, n_actions)
        self.p, self.rng, self.ties = params, rng, params["ties"]
        self.rmin, self.range = rmin, rmax - rmin
        self.S, self.A, self.H = len(live), n_actions, int(params.horizon)
        self.outcomes = self.S + params.episodic
        self.h, self.events, self.names = 0, Counter(), {}
        sets = self.H if params["stages"] == "apart" else 1
        self.rows = [{s: [Row() for _ in range(n_actions)] for s in live} for _ in range(sets)]
        self.q = [table(live, n_actions, float(self.left(h))) for h in range(self.H)]
        self.of_q = [table(live, n_actions, self.child("untried", h)) for h in range(self.H)]
        self.starts = set()

    def left(self, h):
        """The steps that are left at step h: no value is greater."""
        return self.H - h

    def end(self, h):
        """The value of a terminal state with h steps taken."""
        return self.left(h) * (0 - self.rmin) / self.range

    def row(self, h, s, a):
        """The row of (s, a) at step h."""
        return self.rows[h if len(self.rows) > 1 else 0][s][a]

    def nothing(self, h=None):
        """A value for every state and the end: 0, or that of the end with h steps taken."""
        return dict.fromkeys((*self.live, END), 0.0) | {END: 0.0 if h is None else self.end(h)}

    # Learning.

    def stopped(self):
        """Most never stop."""
        return False

    def learn(self, s, a, r, nxt, done):
        """Count; plan at the end of the episode."""
        over = done or self.cut or self.h == self.H - 1
        if not self.stopped():
            if self.h == 0:
                self.starts.add(s)
            self.row(self.h, s, a).add((r - self.rmin) / self.range, END if done else nxt)
            if over:
                self.plan()
        self.h = 0 if over else self.h + 1

    def best_of(self, values, ancestry):
        """The maximum, and its name."""
        best = max(values)
        if best == 0:
            return best, 0
        return best, self.child("best", *sorted({x for y, x in zip(values, ancestry, strict=True) if y == best}))

    def following(self, row, *tables):
        """The name of what follows a row: counts with the names of the successors' values.

        Means of zeros are 0 (the name 0), and a sum of two does not depend on their order.
        """
        seen = [(c, *(t[y] for t in tables)) for y, c in row.count.items()]
        if not any(name for _, *names in seen for name in names):
            return row.n
        return tuple(sorted(seen) if len(seen) == 2 else seen)

    def ancestry(self, h, row, *tables):
        """The name of a backup: the rewards, and what follows."""
        return self.child("row", h, row.sum, row.squares, self.following(row, *tables))

    # Showing.

    def act(self, s):
        """Greedy on q at the present step."""
        return self.greedy(self.q[self.h][s], self.of_q[self.h][s])

    def told(self, h, x):
        """A value in the units of the rewards."""
        return x * self.range + self.left(h) * self.rmin

    def report(self, s):
        """q and n at the present step."""
        h = self.h
        return {
            "q": [self.told(h, x) for x in self.q[h][s]],
            "n": [self.row(h, s, a).n for a in range(self.A)],
        }


class Stopping(Stepwise):
    """An agent that stops and recommends."""

    def __init__(self, *args):
        super().__init__(*args)
        self.halted = False

    def stopped(self):
        """Has it?"""
        return self.halted

    def settle(self, width, enough):
        """Stop where the width is small enough; refused where that is not certain."""
        if abs(width - enough) < 1e-9:
            raise TooClose(f"the stopping rule hangs on {width - enough!r}")
        self.halted = width < enough
        self.events["stopped"] += self.halted
