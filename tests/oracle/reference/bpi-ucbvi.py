"""Reference version of bpi-ucbvi: Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, arXiv 2007.13442.

Written from docs/agents.md and the paper.
"""

import math

from stepwise import END, Stopping


class Agent(Stopping):
    """Upper and lower values, and the width of the greedy policy."""

    def rates(self, n):
        """(beta*, beta, that of the rewards), scaled."""
        first = math.log(3 * self.S * self.A * self.H / self.p["delta"])
        more = math.log(8 * math.e * (n + 1))
        scale = self.p["scale"]
        return scale * (first + more), scale * (first + self.p["dim"] * more), scale * (first + 2 * more)

    def backup(self, h, row, up, low, wide):
        """(upper, lower, width) of a visited pair, before they are cut to [0, H - h]."""
        star, beta, of_reward = self.rates(row.n)
        reward, spread = row.reward()
        deviation = 3 * math.sqrt(row.variance(up) * star / row.n)
        tail = self.p["c"] * beta / row.n
        unknown = math.sqrt(2 * spread * of_reward / row.n) + 7 / 3 * of_reward / max(row.n - 1, 1)
        gap = {y: up[y] - low[y] for y in up}
        bonus = deviation + tail + unknown + row.mean(gap) / self.H
        width = 2 * deviation + 18 * tail / 7 + 2 * unknown + (1 + 3 / self.H) * row.mean(wide)
        return reward + row.mean(up) + bonus, reward + row.mean(low) - bonus, width

    def plan(self):
        """From the last step to the first; then the stopping rule."""
        up, low, wide = self.nothing(), self.nothing(), self.nothing()
        of = dict.fromkeys(up, 0)
        for h in reversed(range(self.H)):
            new = [self.nothing(h), self.nothing(h), self.nothing()]
            new_of = {END: self.child("end", h)}
            for s in self.live:
                self.one_state(h, s, (up, low, wide), of, new, new_of)
            (up, low, wide), of = new, new_of
        self.certificate = max(wide[s] for s in self.starts)
        self.settle(self.certificate, self.p["eps"] / self.range)

    def certified(self):
        """The certificate, in the units of the rewards; that of the beginning before the first plan."""
        return None if not self.starts else self.range * getattr(self, "certificate", float(self.H))

    def one_state(self, h, s, old, of, new, new_of):
        """All actions of a state, then its three values."""
        top = float(self.left(h))
        lows, widths = [], []
        for a in range(self.A):
            row = self.row(h, s, a)
            x, y, w, name = top, 0.0, top, self.child("untried", h)
            if row.n:
                x, y, w = self.backup(h, row, *old)
                name = self.ancestry(h, row, of)
                if x > top:
                    name = self.child("untried", h)
                    self.events["clipped"] += 1
            self.q[h][s][a], self.of_q[h][s][a] = min(x, top), name
            lows.append(max(y, 0.0))
            widths.append(min(w, top))
        best = self.best_actions(self.q[h][s], self.of_q[h][s])
        new[0][s], new[1][s] = max(self.q[h][s]), max(lows)
        new[2][s] = max(widths[a] for a in best)
        alike = tuple((self.of_q[h][s][a], lows[a]) for a in range(self.A))  # what upper values are made of
        new_of[s] = self.child("state", h, tuple(sorted(alike)))


# (name, problem as in transcript_cases.py, parameters: every key that applies)
LOOSE = "delta=0.1,scale=0.05,dim=1,c=1"
CASES = (
    ("plain", "4x2 sto 160 horizon=5", f"eps=0.01,{LOOSE},stages=shared,ties=random"),
    ("apart", "3x2 sto 200 horizon=4", f"eps=0.01,{LOOSE},stages=apart,ties=random"),
    ("stops", "3x2 sto 200 horizon=3", "eps=1.5,delta=0.2,scale=0.02,dim=2,c=1,stages=shared,ties=lowest"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=6", f"eps=0.01,{LOOSE},stages=shared,ties=highest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=7", f"eps=0.01,{LOOSE},stages=apart,ties=random"),
    ("flat", "3x4 flat 120 horizon=3", f"eps=0.01,{LOOSE},stages=shared,ties=random"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=5", f"eps=0.02,{LOOSE},stages=shared,ties=random"),
    ("endless", "3x2 sto 160 rmin=-2 rmax=-1 horizon=4 endless", f"eps=0.02,{LOOSE},stages=shared,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=5,horizon=8", f"eps=0.4,{LOOSE},stages=shared,ties=random", 1000),
    ("frozen-lake:hole=0.25,horizon=5", f"eps=0.4,{LOOSE},stages=shared,ties=random", 150),
)
