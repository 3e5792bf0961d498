"""What the references of the optimists for average reward share: episodes, and extended value iteration.

Written from docs/agents.md ("ucrl2" and its descendants) and from Jaksch, Ortner & Auer 2010.  An agent
says what its best plausible model is worth by `optimistic(s, a, u)`.

Ancestry (bonus_agents.py): a value is named by all that went into it, the visits of its pair with their
rewards and successors in their order, and the values u by their place.  A pair whose sets allow the
greatest reward and a certain step to the best state is worth R + max u exactly, as an unvisited one is;
both are named TOP.
"""

import math

from bonus_agents import BonusAgent, decisive
from live import copied, table

TOP = "top"


def intervals_best(low, high, u):
    """The greatest mean of u over distributions between low and high."""
    p, left = dict(low), 1 - math.fsum(low.values())
    for y in sorted(u, key=lambda y: (-u[y], y)):
        more = min(high[y] - low[y], left)
        p[y] += more
        left -= more
    return math.fsum(p[y] * u[y] for y in u)


class Average(BonusAgent):
    """Episodes, ends as steps to the next start, extended value iteration."""

    MOST_SWEEPS = 10000

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, {**params, "gamma": 0.0, "ties": params["ties"]}, rng)
        self.p, self.S, self.A = params, len(live), n_actions
        self.seen = {s: [[] for _ in range(n_actions)] for s in live}  # (reward, next) of every visit
        self.counted = 0
        self.pending, self.restarts = None, False
        self.N = table(live, n_actions, 0)
        self.Q = table(live, n_actions, self.range)
        self.of_q = table(live, n_actions, TOP)

    # -- what is known of a pair -------------------------------------------------------------------

    def mean(self, s, a):
        """The mean reward, shifted."""
        return math.fsum(r for r, _ in self.seen[s][a]) / len(self.seen[s][a])

    def variance(self, s, a):
        """The variance of the rewards, divided by n."""
        m = self.mean(s, a)
        return math.fsum((r - m) ** 2 for r, _ in self.seen[s][a]) / len(self.seen[s][a])

    def frequencies(self, s, a):
        """{successor: frequency}."""
        out, n = {}, len(self.seen[s][a])
        for _, y in self.seen[s][a]:
            out[y] = out.get(y, 0) + 1
        return {y: c / n for y, c in out.items()}

    # -- steps -------------------------------------------------------------------------------------

    def count(self, s, a, r, nxt):
        """One transition enters the model."""
        self.seen[s][a].append((r - self.rmin, nxt))
        self.n[s][a] += 1
        self.counted += 1

    def learn(self, s, a, r, nxt, done):
        """An end is a transition to the next start, counted when that is seen."""
        if self.pending is not None:
            self.count(*self.pending, s)
            self.renew(s)
        elif self.restarts:
            self.renew(s)
        self.pending = (s, a, r) if done else None
        self.restarts = self.cut
        if done:
            return
        self.count(s, a, r, nxt)
        if not self.cut:
            self.renew(nxt)

    def renew(self, s):
        """A new episode if an action that may be taken in s has doubled its visits."""
        may = self.best_actions(self.Q[s], self.of_q[s])
        if any(self.n[s][x] - self.N[s][x] >= max(1, self.N[s][x]) for x in may):
            self.plan(self.counted + 1)

    def plan(self, t):
        """Extended value iteration at time t."""
        self.events["episodes"] += 1
        self.prepare(t)
        u = dict.fromkeys(self.live, 0.0)
        for _ in range(self.MOST_SWEEPS):
            pairs = {s: [self.worth(s, a, u) for a in range(self.A)] for s in self.live}
            self.Q = {s: [x for x, _ in row] for s, row in pairs.items()}
            self.of_q = {s: [name for _, name in row] for s, row in pairs.items()}
            new = {s: max(row) for s, row in self.Q.items()}
            rises = [new[s] - u[s] for s in self.live]
            low = min(new.values())
            u = {s: x - low for s, x in new.items()}
            if decisive(max(rises) - min(rises) - self.range / math.sqrt(t)) < 0:
                break
        else:
            self.events["capped"] += 1
        self.N = copied(self.n)

    def worth(self, s, a, u):
        """(value, ancestry) of a pair in the best plausible model."""
        if not self.seen[s][a]:
            return self.range + max(u.values()), TOP
        reward, future, sure = self.optimistic(s, a, u)
        flat = not any(u.values())  # then only the reward counts
        if sure or (flat and reward == self.range):
            return reward + future, TOP
        return reward + future, self.child(flat, tuple(r if flat else (r, y) for r, y in self.seen[s][a]))

    def act(self, s):
        """Greedy on the last sweep."""
        return self.greedy(self.Q[s], self.of_q[s])

    def report(self, s):
        """What {"values": s} answers."""
        return {"q": list(self.Q[s]), "n": list(self.n[s])}


class Boxes(Average):
    """An interval for each probability; `intervals` and `reward_bound` are the agent's."""

    def prepare(self, t):
        """The sets of the episode: reward, {state: low}, {state: high} of every visited pair."""
        self.sets = {}
        for s in self.live:
            for a in range(self.A):
                if self.seen[s][a]:
                    low, high = self.intervals(s, a)
                    self.sets[s, a] = self.reward_bound(s, a), low, high

    def optimistic(self, s, a, u):
        """(reward, future, whether that is R + max u exactly)."""
        reward, low, high = self.sets[s, a]
        best = max(sorted(u), key=lambda y: u[y])
        sure = reward == self.range and high[best] == 1 and not any(low.values())
        return reward, (u[best] if sure else intervals_best(low, high, u)), sure
