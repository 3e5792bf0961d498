"""Reference version of ucrl3, written from docs/agents.md and Bourel, Maillard & Talebi 2020."""

import math

from average import Boxes
from bonus_agents import decisive

ETA = 1.12


def proxy(x):
    """The variance of a Gaussian that dominates a Bernoulli variable."""
    if x in (0, 1):
        return 0.0
    d = 0.5 - x
    if abs(d) < 2**-10:
        return 1 / (4 * (1 + 4 * d**2 / 3 + 16 * d**4 / 5))
    return d / math.log((1 - x) / x)


class Agent(Boxes):
    """Intervals for all times, and near-optimistic rows."""

    MOST_SWEEPS = 1000

    def logs(self, n):
        """(l, lambda, risk) for n visits."""
        risk = self.p["delta"] / (3 * self.S * self.A * (self.S + 1))
        ell = ETA * math.log(math.log(ETA * n) * math.log(ETA**2 * n) / (math.log(ETA) ** 2 * risk))
        return self.p["scale"] * ell, self.p["scale"] * math.log(2 * math.sqrt(n + 1) / risk), risk

    def reward_bound(self, s, a):
        """The greatest plausible reward."""
        n = self.n[s][a]
        ell, _, risk = self.logs(n)
        bernstein = math.sqrt(2 * self.variance(s, a) * ell / n) + 7 * self.range * ell / (3 * n)
        laplace = self.p["scale"] * (1 + 1 / n) * math.log(math.sqrt(n + 1) / risk) / (2 * n)
        return min(self.range, self.mean(s, a) + min(bernstein, self.range * math.sqrt(laplace)))

    def plausible(self, x, p, n):
        """Whether a probability x goes with the frequency p."""
        ell, lam, _ = self.logs(n)
        g = x * (1 - x) if x > p and x >= 0.5 else proxy(x)
        bernstein = math.sqrt(2 * x * (1 - x) * ell / n) + ell / (3 * n)
        return abs(x - p) <= min(bernstein, math.sqrt(2 * g * (1 + 1 / n) * lam / n))

    def ends(self, p, n):
        """(least, greatest) plausible probability."""
        low, high = p, 1.0
        for _ in range(50):
            x = (low + high) / 2
            low, high = (x, high) if self.plausible(x, p, n) else (low, x)
        greatest, low, high = high, 0.0, p
        for _ in range(50):
            x = (low + high) / 2
            low, high = (low, x) if self.plausible(x, p, n) else (x, high)
        if p == 1 and self.p.get("sure") == "half":
            low = 2 ** (-1 / n)
        return low, greatest

    def intervals(self, s, a):
        """{state: least}, {state: greatest} plausible probability."""
        n, p = self.n[s][a], dict.fromkeys(self.live, 0.0)
        p.update(self.frequencies(s, a))
        known = {q: self.ends(q, n) for q in set(p.values())}
        return {y: known[p[y]][0] for y in p}, {y: known[p[y]][1] for y in p}

    def optimistic(self, s, a, u):
        """(reward, future, whether that is R + max u exactly: never certain here)."""
        reward, low, high = self.sets[s, a]
        seen = set(self.frequencies(s, a))
        order = sorted(u, key=lambda y: (-u[y], y))
        unseen = [y for y in order if y not in seen]
        most = max(map(max, self.n.values()))
        kappa = self.p["kappa"] * max(u.values()) * len(seen) / most ** (2 / 3)
        k = 1 if order[0] not in seen else 0
        while True:
            inside = seen | set(unseen[:k])
            value = self.filled([y for y in order if y in inside], low, high, u, low)
            beyond = self.filled(unseen[k:], dict.fromkeys(u, 0.0), high, u, {})
            margin = beyond - min(kappa, value)
            twins = k == 1 and margin == 0 and not any(u[y] for y in seen)  # one state against one like it
            if beyond == 0 or twins or decisive(margin) <= 0:
                return reward, value, False
            self.events["wider"] += 1
            k += 1

    @staticmethod
    def filled(order, low, high, u, start):
        """The least of `start`, then up to the greatest in this order while mass is left."""
        left, value = 1 - math.fsum(start.values()), math.fsum(x * u[y] for y, x in start.items())
        for y in order:
            more = min(high[y] - low[y], left)
            left -= more
            value += more * u[y]
        return value


# (name, problem as in transcript_cases.py, parameters: every key that applies)
CASES = (
    ("plain", "4x2 sto 200", "delta=0.1,scale=0.05,kappa=10,ties=random"),
    ("wide", "3x2 sto 160", "delta=0.1,scale=0.5,kappa=1,ties=lowest"),
    ("theory", "2x2 sto 300", "delta=0.3,scale=1,kappa=10,ties=random"),
    ("exact", "5x2 sto 200", "delta=0.1,scale=0.1,kappa=0,ties=random"),
    ("near", "6x2 sto 200", "delta=0.1,scale=0.1,kappa=0.1,ties=random"),
    ("ends", "4x2 sto 200 ends=0.2 rmin=-1 rmax=1", "delta=0.1,scale=0.03,kappa=10,ties=highest"),
    ("cut", "4x2 sto 200 cut=0.15", "delta=0.2,scale=0.05,kappa=2,ties=random"),
    ("absent", "7x2 sto 200 ends=0.2 absent=0,3..4,6", "delta=0.1,scale=0.04,kappa=10,ties=random"),
    ("half", "4x2 det 200", "delta=0.1,scale=1,kappa=10,sure=half,ties=random"),
    ("half-cut", "4x2 sto 200 cut=0.15", "delta=0.1,scale=0.5,kappa=0,sure=half,ties=random"),
    ("endless", "3x3 sto 200 rmin=-2 rmax=-1 endless", "delta=0.1,scale=0.02,kappa=10,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=3", "delta=0.1,scale=0.05,kappa=10,ties=random", 1000),
    ("chain:n=4,slip=0.1,left=-0.5,right=1.5", "delta=0.1,scale=0.03,kappa=0.5,ties=lowest", 1000),
    ("chain:n=4,slip=0.3,left=0.25,right=1", "delta=0.2,scale=0.1,kappa=0,ties=highest", 600),
)
