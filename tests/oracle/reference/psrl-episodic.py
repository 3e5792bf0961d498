"""Reference version of psrl-episodic: Osband, Russo & Van Roy 2013.

Written from docs/agents.md and the paper.
"""

import math

from bonus_agents import TooClose, gamma_variate, normal
from stepwise import END, Stepwise


class Agent(Stepwise):
    """A model drawn for every episode, and its best policy by steps."""

    def sticks(self, row, drawn, alpha, unseen):
        """The weights of the outcomes that were never seen, in size-biased order."""
        whole = rest = gamma_variate(self.rng, alpha * unseen)
        enough = 2.0**-53 * (sum(drawn.values()) + whole)
        listed = [*self.live, END][: self.outcomes]
        most = 128 + 64 * math.ceil(self.p["prior"])
        for j in range(1, unseen + 1):
            weight = rest
            if j < unseen:
                x = gamma_variate(self.rng, 1 + alpha)
                y = gamma_variate(self.rng, (unseen - j) * alpha)
                weight = rest * (x / (x + y))
            outcome = listed[self.rng.below(self.outcomes)]
            while outcome in drawn:
                outcome = listed[self.rng.below(self.outcomes)]
            drawn[outcome] = weight
            rest -= weight
            if j < unseen and abs(rest - enough) < 1e-6 * enough:
                raise TooClose("the sticks end about here")
            if j < unseen and (rest <= enough or j == most):
                self.events["sticks ran out"] += 1
                return

    def transitions(self, row):
        """{outcome: weight}, or {} where nothing is known and nothing believed."""
        alpha = self.p["prior"] / self.outcomes
        drawn = {}
        for y, c in row.count.items():
            drawn[y] = gamma_variate(self.rng, alpha + c)
        unseen = self.outcomes - len(drawn)
        if unseen > 0 and alpha > 0:
            self.sticks(row, drawn, alpha, unseen)
        assert not drawn or sum(drawn.values()) > 0
        return drawn

    def reward(self, row):
        """The mean reward, normal with normal prior."""
        mu = (self.p["mu0"] - self.rmin) / self.range
        prior, noise = (self.range / self.p["sp"]) ** 2, (self.range / self.p["sn"]) ** 2
        w = 1 / (prior + row.n * noise)
        return w * (mu * prior + row.sum * noise) + math.sqrt(w) * normal(self.rng)

    def plan(self):
        """Draw all rows, then look back from the last step."""
        model = [
            {s: [(self.transitions(x), self.reward(x)) for x in pairs] for s, pairs in rows.items()}
            for rows in self.rows
        ]
        v = self.nothing()
        for h in reversed(range(self.H)):
            new = self.nothing(h)
            for s in self.live:
                for a, (p, r) in enumerate(model[h if len(model) > 1 else 0][s]):
                    name, q = self.child("untried", h), float(self.left(h))
                    if p:
                        q = r + math.fsum(g * v[y] for y, g in p.items()) / math.fsum(p.values())
                        name = self.child("drawn", self.events["plan"], h, s, a)
                    self.q[h][s][a], self.of_q[h][s][a] = q, name
                new[s] = max(self.q[h][s])
            v = new
        self.events["plan"] += 1


# (name, problem as in transcript_cases.py, parameters: every key that applies)
CASES = (
    ("plain", "4x2 sto 160 horizon=5", "prior=1,mu0=0,sp=1,sn=0.25,stages=shared,ties=random"),
    ("apart", "3x2 sto 120 horizon=4", "prior=3,mu0=0.5,sp=2,sn=1,stages=apart,ties=lowest"),
    ("ends", "4x2 sto 120 ends=0.2 rmin=-1 rmax=1 horizon=6", "prior=1,mu0=-1,sp=2,sn=0.5,stages=shared,ties=highest"),
    ("cut", "4x2 sto 120 cut=0.15 horizon=7", "prior=0.5,mu0=0,sp=1,sn=0.25,stages=shared,ties=random"),
    ("no-prior", "4x2 sto 120 horizon=5", "prior=0,mu0=0,sp=1,sn=0.25,stages=shared,ties=random"),
    ("absent", "7x2 sto 120 ends=0.2 absent=0,3..4,6 horizon=5", "prior=1,mu0=0,sp=1,sn=0.25,stages=shared,ties=random"),
    ("endless", "3x2 sto 120 rmin=-2 rmax=-1 horizon=4 endless", "prior=1,mu0=-2,sp=1,sn=0.25,stages=shared,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=5,horizon=8", "prior=1,mu0=0,sp=1,sn=0.25,stages=shared,ties=random", 1000),
    ("frozen-lake:hole=0.25,horizon=12", "prior=1,mu0=0,sp=1,sn=0.25,stages=shared,ties=random", 200),
)
