"""Reference version of skeleton.

TODO(skeleton): write it from docs/agents.md and the paper, not from the C code; best by someone else.
"""

from bonus_agents import FRESH, BonusAgent
from live import table


class Agent(BonusAgent):
    """Q-learning with epsilon-greedy choice.

    Beside each learned number stands its ancestry (bonus_agents.py says why): `child` names that
    of a number made from others.  A decision that rounding could turn raises TooClose, and the
    next seed is tried.
    """

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, params, rng)
        self.alpha, self.epsilon = params["alpha"], params["epsilon"]
        self.Q = table(live, n_actions, 0.0)
        self.of_q = table(live, n_actions, FRESH)

    def learn(self, s, a, r, nxt, done):
        """n += 1; Q += alpha (r + gamma v - Q)."""
        v, of_v = (0.0, "end") if done else self.top(self.Q[nxt], self.of_q[nxt])
        old = self.Q[s][a]
        self.n[s][a] += 1
        self.Q[s][a] += self.alpha * (r + self.gamma * v - old)
        if not old == v == r == 0:  # zeros stay zeros
            self.of_q[s][a] = self.child(self.of_q[s][a], r, of_v)

    def act(self, s):
        """A coin, then a uniform action or a greedy one."""
        if self.coin(self.epsilon):
            return self.rng.below(self.n_actions)
        return self.greedy(self.Q[s], self.of_q[s])

    def report(self, s):
        """What {"values": s} answers."""
        return {"q": list(self.Q[s]), "n": list(self.n[s])}


# (name, problem as in transcript_cases.py, parameters: every key that applies)
CASES = (
    ("plain", "4x2 sto 120", "gamma=0.9,alpha=0.3,epsilon=0.2,ties=random"),
    ("ends", "4x2 sto 120 ends=0.2 rmin=-1 rmax=1", "gamma=0.9,alpha=0.3,epsilon=0,ties=lowest"),
    ("cut", "4x2 sto 120 cut=0.15", "gamma=0.8,alpha=0.5,epsilon=1,ties=highest"),
    ("flat", "3x5 flat 100", "gamma=0.9,alpha=0.3,epsilon=0.1,ties=random"),
    ("absent", "7x2 sto 120 ends=0.2 absent=0,3..4,6", "gamma=0.9,alpha=0.3,epsilon=0.1,ties=random"),
    ("endless", "3x2 sto 120 rmin=-2 rmax=-1 endless", "gamma=0.9,alpha=0.3,epsilon=0.1,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=5", "gamma=0.95,alpha=0.1,epsilon=0.1,ties=random", 1000),
    ("frozen-lake:hole=0.25", "gamma=0.95,alpha=0.1,epsilon=0.3,ties=random", 1000),
)
