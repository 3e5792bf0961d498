"""Reference version of rf-express: Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, arXiv 2007.13442.

Written from docs/agents.md and the paper.
"""

import math

from stepwise import END, Stopping


class Agent(Stopping):
    """W beside the values of the estimated model; acts on W until it stops."""

    def __init__(self, *args):
        super().__init__(*args)
        self.w = [{s: [self.top(h)] * self.A for s in self.live} for h in range(self.H)]
        self.of_w = [{s: [self.child("top", h)] * self.A for s in self.live} for h in range(self.H)]

    def top(self, _h):
        """No W is greater."""
        return float(self.H)

    def width(self, _h, n, following):
        """W of a pair with n visits."""
        first = math.log(3 * self.S * self.A * self.H / self.p["delta"])
        beta = self.p["scale"] * (first + self.p["dim"] * math.log(8 * math.e * (n + 1)))
        return self.p["c"] * beta / n + (1 + 1 / self.H) * following

    def loss(self, w):
        """What a plan may lose."""
        return 2 * (3 * math.e * math.sqrt(w) + w)

    def plan(self):
        """Both recursions, from the last step back."""
        v, w = self.nothing(), self.nothing()
        of_v, of_w = dict.fromkeys(v, 0), dict.fromkeys(v, 0)
        for h in reversed(range(self.H)):
            new_v, new_w = self.nothing(h), self.nothing()
            new_of_v, new_of_w = {END: self.child("end", h)}, {END: 0}
            for s in self.live:
                self.one_state(h, s, v, w, of_v, of_w)
                new_v[s], new_of_v[s] = self.best_of(self.q[h][s], self.of_q[h][s])
                new_w[s], new_of_w[s] = self.best_of(self.w[h][s], self.of_w[h][s])
            v, w, of_v, of_w = new_v, new_w, new_of_v, new_of_w
        worst = max(w[s] for s in self.starts)
        self.certificate = self.loss(worst) * self.range
        self.settle(self.certificate, self.p["eps"])

    def certified(self):
        """The certificate, once it has stopped."""
        return self.certificate if self.halted else None

    def one_state(self, h, s, v, w, of_v, of_w):
        """All actions of a state."""
        for a in range(self.A):
            row = self.row(h, s, a)
            q, q_name, x, x_name = 0.0, 0, self.top(h), self.child("top", h)
            if row.n:
                q = row.sum / row.n + row.mean(v)
                q_name = self.ancestry(h, row, of_v)
                if q == 0:
                    q_name = 0
                x = self.width(h, row.n, row.mean(w))
                x_name = self.child("wide", h, row.n, self.following(row, of_w))
                if x > self.top(h):
                    x, x_name = self.top(h), self.child("top", h)
                    self.events["clipped"] += 1
            self.q[h][s][a], self.of_q[h][s][a] = q, q_name
            self.w[h][s][a], self.of_w[h][s][a] = x, x_name

    def act(self, s):
        """On W, then on the plan."""
        values, names = (self.q, self.of_q) if self.halted else (self.w, self.of_w)
        return self.greedy(values[self.h][s], names[self.h][s])

    def report(self, s):
        """And e = W."""
        return dict(super().report(s), e=list(self.w[self.h][s]))


# (name, problem as in transcript_cases.py, parameters: every key that applies)
LOOSE = "delta=0.1,scale=0.05,dim=1,c=1"
CASES = (
    ("plain", "4x2 sto 160 horizon=5", f"eps=0.01,{LOOSE},stages=shared,ties=random"),
    ("apart", "3x2 sto 200 horizon=4", f"eps=0.01,{LOOSE},stages=apart,ties=random"),
    ("stops", "3x2 sto 240 horizon=3", "eps=3,delta=0.2,scale=0.02,dim=2,c=0.5,stages=shared,ties=lowest"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=6", f"eps=0.01,{LOOSE},stages=shared,ties=highest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=7", f"eps=0.01,{LOOSE},stages=apart,ties=random"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=5", f"eps=0.02,{LOOSE},stages=shared,ties=random"),
    ("endless", "3x2 sto 200 rmin=-2 rmax=-1 horizon=4 endless", f"eps=4,{LOOSE},stages=shared,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=5,horizon=8", f"eps=4,{LOOSE},stages=shared,ties=random", 1000),
    ("frozen-lake:hole=0.25,horizon=5", f"eps=4,{LOOSE},stages=shared,ties=random", 150),
)
