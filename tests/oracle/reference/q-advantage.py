"""Reference version of q-advantage: Li, Shi, Chen, Gu & Chi 2021, Q-EarlySettled-Advantage, by docs/agents.md.

The moments are those of the paper, mu and sigma, in fractions of whole numbers, so that sigma - mu^2 loses
nothing.
"""

import math
from fractions import Fraction

from bonus_agents import FRESH, decisive
from by_step import StepAgent

ZERO = Fraction(0)


class Pair:
    """What a timed pair has besides Q, visits and ancestry."""

    def __init__(self, left):
        self.upper = self.advantage = float(left)
        self.lower, self.width = 0.0, 0.0
        self.mu_ref = self.sigma_ref = self.mu_adv = self.sigma_adv = ZERO


class Agent(StepAgent):
    """V, reference and lower bound of a timed state are (value, ancestry)."""

    def __init__(self, *args):
        super().__init__(*args)
        H = self.H
        self.pair = [{(s, a): Pair(H - h) for s in self.live for a in range(self.n_actions)}
                     for h in range(H)]
        self.of_pair = self.tables(FRESH)
        self.V = [{s: (float(H - h), (FRESH,)) for s in self.live} for h in range(H)]
        self.ref = [dict(row) for row in self.V]
        self.low = [dict.fromkeys(self.live, (0.0, "low")) for _ in range(H)]
        self.open = [dict.fromkeys(self.live, True) for _ in range(H)]

    def after(self, nxt, done):
        """V, reference and lower bound of what follows."""
        over = self.over(done)
        if over is not None:
            return over, over, over
        h = self.h + 1
        return self.V[h][nxt], self.ref[h][nxt], self.low[h][nxt]

    def learn(self, s, a, r, nxt, done):
        """The three estimates, then Q, V and the reference."""
        h = self.h
        v, ref, low = self.after(nxt, done)
        self.n[h][s][a] += 1
        self.learn_pair(self.pair[h][s, a], self.n[h][s][a], self.unit(r), v[0], ref[0], low[0])
        of = self.of_pair[h][s][a] = self.child(self.of_pair[h][s][a], r, v[1], ref[1], low[1])
        x, best = self.pair[h][s, a], (self.Q[h][s][a], self.of_q[h][s][a])
        best = self.lower(best, (x.upper, ("upper", of)))
        best = self.lower(best, (x.advantage, ("advantage", of)))
        self.Q[h][s][a], self.of_q[h][s][a] = best
        self.learn_state(s)

    def learn_pair(self, x, n, r, v, ref, low):
        """update-ucb-q, update-lcb-q, update-ucb-q-advantage."""
        H, c, iota = self.H, self.p["c"], self.iota(n)
        eta = (H + 1) / (H + n)
        b = c * math.sqrt(H**3 / n) * iota
        x.upper = (1 - eta) * x.upper + eta * (r + v + b)
        x.lower = (1 - eta) * x.lower + eta * (r + low - b)
        one, rate, d = Fraction(1, n), Fraction(H + 1, H + n), v - ref
        x.mu_ref = (1 - one) * x.mu_ref + one * Fraction(ref)
        x.sigma_ref = (1 - one) * x.sigma_ref + one * Fraction(ref) ** 2
        x.mu_adv = (1 - rate) * x.mu_adv + rate * Fraction(d)
        x.sigma_adv = (1 - rate) * x.sigma_adv + rate * Fraction(d) ** 2
        spread = math.sqrt(x.sigma_ref - x.mu_ref**2) + math.sqrt(H * (x.sigma_adv - x.mu_adv**2))
        width = c * iota / math.sqrt(n) * spread
        delta, x.width = width - x.width, width
        b = width + (1 - eta) / eta * delta + self.p["tail"] * c * H**2 * iota**2 / n**0.75
        x.advantage = (1 - eta) * x.advantage + eta * (r + d + float(x.mu_ref) + b)

    def learn_state(self, s):
        """V, its lower bound, and the reference while it is open."""
        h = self.h
        value, of = self.top(self.Q[h][s], [str(x) for x in self.of_q[h][s]])
        v = self.V[h][s] = (value, of)
        lows = [(self.pair[h][s, a].lower, ("lower", self.of_pair[h][s][a])) for a in range(self.n_actions)]
        most = max(lows)
        if most[0] > self.low[h][s][0]:
            self.low[h][s] = most
        apart = decisive(v[0] - self.low[h][s][0] - self.p["settle"]) > 0
        if apart or self.open[h][s]:
            self.ref[h][s] = v
            self.events["settled"] += not apart
        self.open[h][s] = apart

    def report(self, s):
        """q, n and whether the reference is open."""
        return dict(super().report(s), learn=[int(self.open[self.h][s])] * self.n_actions)


CASES = (
    ("plain", "4x2 sto 160 horizon=4", "c=0.05,tail=0.1,settle=0.7,log=off,ties=random"),
    ("settling", "2x2 sto 200 horizon=2", "c=0.02,tail=0,settle=0.4,log=off,ties=random"),
    ("log", "4x2 sto 160 horizon=5", "c=0.01,tail=0.05,settle=1.3,log=on,delta=0.1,ties=random"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=4", "c=0.05,tail=0.1,settle=0.7,log=off,ties=lowest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=6", "c=0.02,tail=0.1,settle=2.5,log=on,delta=0.3,ties=highest"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=4",
     "c=0.01,tail=0.1,settle=0.9,log=on,delta=0.1,ties=random"),
    ("endless", "3x2 sto 160 rmin=-2 rmax=-1 horizon=5 endless", "c=0.03,tail=0.2,settle=0.7,log=off,ties=random"),
)
RUNS = (
    ("deepsea:n=4,mapping=fixed,horizon=6", "c=0.03,tail=0.1,settle=0.9,log=off,ties=random", 800),
    ("deepsea:n=5,mapping=fixed,horizon=7", "c=0.01,tail=0.1,settle=0.7,log=on,delta=0.1,ties=random", 800),
    ("deepsea:n=6,mapping=fixed,horizon=9", "c=0.02,tail=0.3,settle=2.5,log=off,ties=highest", 800),
)
