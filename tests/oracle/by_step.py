"""What the references of finite-horizon agents share: the step of the episode, units, the greedy choice.

Written from docs/agents.md ("Model-free agents of finite horizon").  The agent counts the step itself: it
begins at 0 and goes back there where a step is done, cut or the last of the horizon.  Rewards are scaled
to [0, 1]; `told` turns a value of step h into the units of the rewards.
"""

import math

from bonus_agents import FRESH, TOLERANCE, BonusAgent, Params, TooClose
from live import table


class StepAgent(BonusAgent):
    """Tables indexed [h][s][a]; `Q` and `of_q` are what is acted on and reported."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, Params(params, gamma=0.0), rng)
        self.p = params
        self.H = int(params.horizon)
        self.h = 0
        self.n = self.tables(0)
        self.Q = [table(live, n_actions, float(self.H - h)) for h in range(self.H)]
        self.of_q = self.tables(FRESH)

    def tables(self, value):
        """A table for every step."""
        return [table(self.live, self.n_actions, value) for _ in range(self.H)]

    def observe(self, s, a, r, nxt, done, cut=False):
        """One step; then the next one, or the next episode."""
        super().observe(s, a, r, nxt, done, cut)
        over = done or cut or self.h + 1 == self.H
        self.h = 0 if over else self.h + 1

    def unit(self, r):
        """A reward in [0, 1]."""
        return (r - self.rmin) / self.range

    def over(self, done):
        """(value, ancestry) of what follows where the episode has no more steps, or None."""
        if done:
            return (self.H - self.h - 1) * self.unit(0.0), "end"
        return (0.0, "over") if self.h + 1 == self.H else None

    def best(self, h, s):
        """(min(steps left, max Q), ancestry)."""
        return self.lower((float(self.H - h), "cap"), self.top(self.Q[h][s], self.of_q[h][s]))

    def follows(self, nxt, done):
        """(value, ancestry) of what follows, by Q."""
        return self.over(done) or self.best(self.h + 1, nxt)

    def lower(self, old, new):
        """The smaller of two (value, ancestry); refused where it is not certain which one that is."""
        if old[1] == new[1] or new[1] == (FRESH,):
            return old if new[0] >= old[0] else new
        if abs(new[0] - old[0]) < TOLERANCE:
            raise TooClose(f"the smaller of {old!r} and {new!r}")
        return new if new[0] < old[0] else old

    def iota(self, k):
        """The logarithm of the k-th visit; 1 without."""
        if self.p["log"] == "off":
            return 1.0
        pairs = len(self.live) * self.n_actions * self.H
        return math.log(2 * pairs * k * (k + 1) / self.p["delta"])

    def act(self, s):
        """Greedy on Q at the present step."""
        return self.greedy(self.Q[self.h][s], self.of_q[self.h][s])

    def told(self, h, q):
        """A value in the units of the rewards."""
        return self.range * q + (self.H - h) * self.rmin

    def report(self, s):
        """q and n of the present step."""
        h = self.h
        return {"q": [self.told(h, q) for q in self.Q[h][s]], "n": list(self.n[h][s])}
