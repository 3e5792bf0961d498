"""Reference version of imed-rl, written from docs/agents.md and Pesquerel & Maillard 2022."""

import math

from bonus_agents import FRESH, BonusAgent, decisive


class Agent(BonusAgent):
    """IMED with the bias of the empirical model."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, {**params, "gamma": 0.0, "ties": params["ties"]}, rng)
        self.tol = params["tol"]
        self.seen = {s: [[] for _ in range(n_actions)] for s in live}  # (reward, next) of every visit
        self.pending = None
        self.phi = dict.fromkeys(live, 0.0)

    # -- steps -------------------------------------------------------------------------------------

    def count(self, s, a, r, nxt):
        """One transition enters the model."""
        self.seen[s][a].append((r - self.rmin, nxt))
        self.n[s][a] += 1

    def learn(self, s, a, r, nxt, done):
        """An end is a transition to the next start, counted when that is seen."""
        counts = self.pending is not None or not done
        if self.pending is not None:
            self.count(*self.pending, s)
        self.pending = (s, a, r) if done else None
        if not done:
            self.count(s, a, r, nxt)
        if counts:
            self.plan()

    def skeleton(self, s):
        """The actions that are tried often enough to plan with."""
        most = max(self.n[s])
        if most <= 1:
            return list(range(self.n_actions))
        least = math.log(most) ** 2
        return [a for a in range(self.n_actions) if decisive(self.n[s][a] - least) >= 0]

    def plan(self):
        """phi, by sweeps from where it stands."""
        chosen = {s: self.skeleton(s) for s in self.live}
        for _ in range(3000):
            mean = math.fsum(self.phi.values()) / len(self.live)
            new = {s: max(self.smooth(s, a, mean) for a in chosen[s]) for s in self.live}
            low = min(new.values())
            new = {s: x - low for s, x in new.items()}
            moved = max(abs(new[s] - self.phi[s]) for s in self.live)
            self.phi = new
            if decisive(moved - self.tol) < 0:
                return
        self.events["capped"] += 1

    def smooth(self, s, a, mean):
        """A backup with one imagined step."""
        visits = self.seen[s][a]
        total = math.fsum(r + self.phi[y] for r, y in visits) + self.range / 2 + mean
        return total / (len(visits) + 1)

    # -- choices -----------------------------------------------------------------------------------

    def worth(self, s, a):
        """Q."""
        visits = self.seen[s][a]
        if not visits:
            return self.range + max(self.phi.values())
        return math.fsum(r + self.phi[y] for r, y in visits) / len(visits)

    def divergence(self, s, a, mu):
        """The least evidence against a worth of mu."""
        visits = self.seen[s][a]
        mean = math.fsum(r for r, _ in visits) / len(visits) / self.range
        atoms = [(w / len(visits), r * self.range + self.phi[y] - mu)
                 for _, y in visits for r, w in ((1, mean), (0, 1 - mean)) if w > 0]
        d = self.range + max(self.phi.values()) - mu
        low, high = 0.0, 1.0
        for _ in range(60):
            x = (low + high) / 2
            falls = math.fsum(p * v / (d - x * v) for p, v in atoms)
            low, high = (x, high) if falls < 0 else (low, x)
        return math.fsum(p * math.log(1 - low * v / d) for p, v in atoms)

    def index(self, s, a, mu):
        """The number of IMED."""
        n, q = self.n[s][a], self.worth(s, a)
        if q == mu:
            return math.log(n)
        top = self.range + max(self.phi.values())
        if top - mu < 1e-14 * top or decisive(top - mu) <= 0:  # but for rounding that is 0
            self.events["nothing better"] += 1
            return math.inf
        return n * self.divergence(s, a, mu) + math.log(n)

    def act(self, s):
        """What was never tried; else the least index."""
        untried = [a for a in range(self.n_actions) if self.n[s][a] == 0]
        if untried:
            self.events["untried"] += 1
            return self.greedy([0.0] * self.n_actions, [FRESH] * self.n_actions, untried)
        mu = max(self.worth(s, a) for a in range(self.n_actions))
        values = [-self.index(s, a, mu) for a in range(self.n_actions)]
        names = [self.child(tuple(x)) for x in self.seen[s]]
        return self.greedy(values, ["never" if v == -math.inf else x for v, x in zip(values, names, strict=True)])

    def report(self, s):
        """What {"values": s} answers."""
        return {"q": [self.worth(s, a) for a in range(self.n_actions)], "n": list(self.n[s])}


# (name, problem as in transcript_cases.py, parameters: every key that applies)
CASES = (
    ("plain", "4x2 sto 200", "tol=0.001,ties=random"),
    ("fine", "3x3 sto 150", "tol=0.00001,ties=lowest"),
    ("ends", "4x2 sto 200 ends=0.2 rmin=-1 rmax=1", "tol=0.002,ties=highest"),
    ("cut", "4x2 sto 200 cut=0.15", "tol=0.001,ties=random"),
    ("absent", "7x2 sto 200 ends=0.2 absent=0,3..4,6", "tol=0.01,ties=random"),
    ("endless", "3x3 sto 200 rmin=-2 rmax=-1 endless", "tol=0.001,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=3", "tol=0.001,ties=random", 500),
    ("chain:n=4,slip=0.1,left=-0.5,right=1.5", "tol=0.002,ties=lowest", 500),
    ("deepsea:n=4,mapping=fixed", "tol=0.001,ties=random", 60),
)
