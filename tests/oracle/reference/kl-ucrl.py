"""Reference version of kl-ucrl, written from docs/agents.md and Filippi, Cappe & Garivier 2010."""

import math

from average import Average


def kl_best(p, u, c):
    """The greatest mean of u over q with KL(p, q) <= c, by its dual.

    It is the least of nu - exp(sum p ln(nu - u) - c) over nu >= max u, a convex function, whose slope
    1 - exp(f(nu) - c) is found to the last digits by bisection in the logarithm of nu - max u.
    """
    top = max(u.values())
    gaps = {y: top - u[y] for y in p}
    d = max(gaps.values())
    if d == 0:
        return top
    if c == 0:
        return math.fsum(p[y] * u[y] for y in p)

    def slope_is_down(z):
        total = math.fsum(p[y] / (z + gaps[y] / d) for y in p)
        return math.fsum(p[y] * math.log(z + gaps[y] / d) for y in p) + math.log(total) > c

    if all(gaps.values()) and not slope_is_down(0.0):
        return top - math.exp(math.fsum(p[y] * math.log(gaps[y]) for y in p) - c)
    low, high = -45.0, 45.0  # ln z
    for _ in range(200):
        mid = (low + high) / 2
        low, high = (mid, high) if slope_is_down(math.exp(mid)) else (low, mid)
    z = math.exp(high)
    weight = {y: p[y] / (z + gaps[y] / d) for y in p}
    return math.fsum(weight[y] * u[y] for y in p) / math.fsum(weight.values())


class Agent(Average):
    """UCRL2 with a ball of the Kullback-Leibler divergence."""

    def prepare(self, t):
        """C_P and C_R."""
        log_t = math.log(max(2, t))
        b = math.log(2 * math.e * self.S**2 * self.A * log_t / self.p["delta"])
        x = b + 1 / log_t
        self.c_p = self.p["scale"] * self.S * (b + math.log(x) * (1 + 1 / x))
        self.c_r = self.p["scale_r"] * math.sqrt(math.log(4 * self.S * self.A * log_t / self.p["delta"]) / 1.99)

    def optimistic(self, s, a, u):
        """(reward, future, whether that is R + max u exactly)."""
        n, p = self.n[s][a], self.frequencies(s, a)
        reward = min(self.range, self.mean(s, a) + self.range * self.c_r / math.sqrt(n))
        sure = reward == self.range and all(u[y] == max(u.values()) for y in p)
        return reward, kl_best(p, u, self.c_p / n), sure


# (name, problem as in transcript_cases.py, parameters: every key that applies)
CASES = (
    ("plain", "4x2 sto 200", "delta=0.1,scale=0.05,scale_r=0.04,ties=random"),
    ("wide", "3x2 sto 160", "delta=0.1,scale=0.4,scale_r=0.2,ties=lowest"),
    ("theory", "2x2 sto 300", "delta=0.3,scale=1,scale_r=1,ties=random"),
    ("none", "3x2 sto 120", "delta=0.1,scale=0,scale_r=0,ties=random"),
    ("ends", "4x2 sto 200 ends=0.2 rmin=-1 rmax=1", "delta=0.1,scale=0.03,scale_r=0.04,ties=highest"),
    ("cut", "4x2 sto 200 cut=0.15", "delta=0.2,scale=0.05,scale_r=0.04,ties=random"),
    ("absent", "7x2 sto 200 ends=0.2 absent=0,3..4,6", "delta=0.1,scale=0.04,scale_r=0.04,ties=random"),
    ("endless", "3x3 sto 200 rmin=-2 rmax=-1 endless", "delta=0.1,scale=0.02,scale_r=0.04,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=3", "delta=0.1,scale=0.05,scale_r=0.04,ties=random", 1000),
    ("chain:n=4,slip=0.1,left=-0.5,right=1.5", "delta=0.1,scale=0.03,scale_r=0.04,ties=lowest", 1000),
    ("deepsea:n=4,mapping=fixed", "delta=0.1,scale=0.1,scale_r=0.2,ties=random", 60),
)
