"""Reference version of ucbvi-gamma, written from docs/agents.md and He, Zhou & Gu 2021."""

import math

from bonus_agents import FRESH, BonusAgent, decisive
from live import table

END = "end"


class Agent(BonusAgent):
    """One sweep a step, with Bernstein's bonus; values only fall."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, params, rng)
        self.u, self.b = params["u"], params["b"]
        self.seen = {s: [[] for _ in range(n_actions)] for s in live}  # (reward, outcome) of every visit
        self.Q = table(live, n_actions, self.vmax)
        self.of_q = table(live, n_actions, FRESH)

    def learn(self, s, a, r, nxt, done):
        """Count, then back up all pairs with the values of before."""
        self.n[s][a] += 1
        self.seen[s][a].append((r - self.rmin, END if done else nxt))
        tops = {x: self.top(self.Q[x], self.of_q[x]) for x in self.live}
        V = {x: v for x, (v, _) in tops.items()}
        V[END] = -self.rmin / (1 - self.gamma)
        for x in self.live:
            for y in range(self.n_actions):
                if self.seen[x][y]:
                    self.back_up(x, y, V, tops)

    def back_up(self, s, a, V, tops):
        """Q = min(Q, mean reward + its width + gamma (mean value + bonus))."""
        visits, old = self.seen[s][a], self.Q[s][a]
        n, p = len(visits), {}
        for _, y in visits:
            p[y] = p.get(y, 0) + 1 / len(visits)
        mean_r = math.fsum(r for r, _ in visits) / n
        spread = math.fsum((r - mean_r) ** 2 for r, _ in visits) / n
        mean = math.fsum(p[y] * V[y] for y in p)
        variance = math.fsum(p[y] * (V[y] - mean) ** 2 for y in p)
        rough = math.fsum(p[y] * self.roughness(y) for y in p)
        bonus = math.sqrt(8 * self.u * variance / n) + 8 * self.u * self.vmax / n + math.sqrt(8 * rough / n)
        new = mean_r + math.sqrt(8 * self.u * spread / n) + self.gamma * (mean + bonus)
        if self.of_q[s][a] == FRESH:
            decisive(new - old)
        if new < old:
            self.events["falls"] += 1
            self.Q[s][a] = new
            parents = tuple((y, sum(self.n[y]), tops[y][1]) for y in p if y != END)
            self.of_q[s][a] = self.child(tuple(visits), parents)

    def roughness(self, y):
        """How far V(y) may be from the optimum, squared."""
        if y == END:
            return 0.0
        S, A, N = len(self.live), self.n_actions, sum(self.n[y])
        share = self.b * S**2 * A * self.u**5 / (N * (1 - self.gamma) ** 3) if N else self.b
        return self.vmax**2 * min(1.0, share)

    def act(self, s):
        """Greedy."""
        return self.greedy(self.Q[s], self.of_q[s])

    def report(self, s):
        """What {"values": s} answers."""
        return {"q": [q + self.rmin / (1 - self.gamma) for q in self.Q[s]], "n": list(self.n[s])}


# (name, problem as in transcript_cases.py, parameters: every key that applies)
CASES = (
    ("plain", "4x2 sto 150", "gamma=0.9,u=0.01,b=0,ties=random"),
    ("rough", "3x2 sto 150", "gamma=0.8,u=0.05,b=100,ties=lowest"),
    ("wide", "3x2 sto 150", "gamma=0.5,u=1,b=0.01,ties=random"),
    ("ends", "4x2 sto 150 ends=0.2 rmin=-1 rmax=1", "gamma=0.9,u=0.02,b=0.5,ties=highest"),
    ("cut", "4x2 sto 150 cut=0.15", "gamma=0.8,u=0.02,b=0,ties=random"),
    ("absent", "7x2 sto 150 ends=0.2 absent=0,3..4,6", "gamma=0.9,u=0.01,b=1,ties=random"),
    ("endless", "3x3 sto 150 rmin=-2 rmax=-1 endless", "gamma=0.9,u=0.005,b=0,ties=random"),
    ("myopic", "3x2 sto 100", "gamma=0,u=0.1,b=1,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=5", "gamma=0.95,u=0.01,b=0,ties=random", 600),
    ("chain:n=4,slip=0.1,left=-0.5,right=1.5", "gamma=0.875,u=0.02,b=0.1,ties=lowest", 600),
    ("deepsea:n=4,mapping=fixed", "gamma=0.9375,u=0.01,b=0,ties=random", 60),
)
