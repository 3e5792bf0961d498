"""Plain reference versions of the baselines, random and optimal.

Written from docs/agents.md, without sight of the C sources.  The optimal policy is found by policy
iteration with exact evaluation, in fractions: there is no rounding, and a tie is a tie.  A policy
that is not the only optimal one is refused, since which one is played is not defined.
"""

from fractions import Fraction

import streams
from live import Learner, live_states


class Tied(ArithmeticError):
    """More than one action is optimal somewhere."""


class Baseline(Learner):
    """Learns nothing, reports nothing."""

    def learn(self, s, a, r, nxt, done):
        """Nothing."""

    def report(self, s):
        """No values."""
        return {}


class Random(Baseline):
    """Every action equally likely: one draw a choice."""

    def __init__(self, live, n_actions, rng):
        super().__init__(live, n_actions)
        self.rng = rng

    def act(self, s):
        """An index below the number of actions."""
        return self.rng.below(self.n_actions)


class Optimal(Baseline):
    """Plays a table."""

    def __init__(self, live, n_actions, policy):
        super().__init__(live, n_actions)
        self.policy = policy

    def act(self, s):
        """The action that it was told."""
        return self.policy[s]


def make_random(n_states, n_actions, seed=1, replicate=0, absent=()):
    """A fresh random agent."""
    live = live_states(n_states, absent)
    return Random(live, n_actions, streams.stream(seed, replicate, streams.AGENT))


# -- the model, in fractions ---------------------------------------------------------------------


def model_of(world):
    """{(s, a): [(probability, next, reward, done), ...]} over the live states."""
    live = live_states(world.n, world.absent)
    rows = {}
    for s in live:
        for a in range(world.n_actions):
            rows[s, a] = [(Fraction(p), y, Fraction(r), d) for p, y, r, d in outcomes(world, s, a)]
    return live, rows


def outcomes(world, s, a):
    """(probability, next, reward, done) of a pair; probabilities as the sampling has them."""
    if hasattr(world, "outcomes"):
        return [(p, y, r, y in world.terminal) for p, y, r in world.outcomes(s, a)]
    forward, back = (1, -1) if a == 1 else (-1, 1)
    likely = Fraction(world.intended_below, 2**64)
    ends = [(likely, forward), (1 - likely, back)]
    return [(p, y, pay(world, y), False) for p, y in
            ((p, min(max(s + move, 0), world.n - 1)) for p, move in ends)]


def pay(world, y):
    """What the chain pays on arrival."""
    return world.left if y == 0 else world.right if y == world.n - 1 else 0.0


def solve(matrix, right):
    """Gauss's elimination; the matrix is not singular."""
    n = len(right)
    rows = [list(row) + [x] for row, x in zip(matrix, right, strict=True)]
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i and rows[k][i] != 0:
                factor = rows[k][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [row[n] for row in rows]


# -- policy iteration ----------------------------------------------------------------------------


def backup(row, gamma, v, start):
    """Expected reward and what follows; `start` is where a run goes on after an end, or None."""
    total = Fraction(0)
    for p, y, r, done in row:
        total += p * (r + gamma * (v[y] if not done else v[start] if start is not None else 0))
    return total


def evaluate(live, rows, policy, gamma, start):
    """(gain, values) of a policy; the gain is 0 where there is a discount.

    Discounted: v = r + gamma P v.  Average: h + g = r + P h with h = 0 in the first state, whose
    column holds g instead.
    """
    index = {s: i for i, s in enumerate(live)}
    matrix = [[Fraction(i == k) for k in range(len(live))] for i in range(len(live))]
    right = [Fraction(0)] * len(live)
    for s in live:
        for p, y, r, done in rows[s, policy[s]]:
            right[index[s]] += p * r
            y = start if done else y
            if y is not None:
                matrix[index[s]][index[y]] -= gamma * p
    if gamma < 1:
        return 0, dict(zip(live, solve(matrix, right), strict=True))
    for row in matrix:
        row[0] = Fraction(1)
    solution = solve(matrix, right)
    return solution[0], {s: solution[i] if i else Fraction(0) for s, i in index.items()}


def best_policy(world, gamma=None, first=0):
    """The optimal policy: of the average reward, or with a discount.  Tied if it is not unique.

    `first` is the action of the policy to begin with, which must lead from every state to one set.
    """
    live, rows = model_of(world)
    start = world.start if gamma is None and world.episodic else None
    gamma = Fraction(1) if gamma is None else Fraction(gamma)
    policy = dict.fromkeys(live, first)
    while True:
        _, v = evaluate(live, rows, policy, gamma, start)
        q = {s: [backup(rows[s, a], gamma, v, start) for a in range(world.n_actions)] for s in live}
        better = {s: q[s].index(max(q[s])) for s in live if max(q[s]) > q[s][policy[s]]}
        if not better:
            break
        policy.update(better)
    for s in live:
        if sum(max(q[s]) - x < Fraction(1, 10**4) for x in q[s]) > 1:
            raise Tied(f"state {s}: {[float(x) for x in q[s]]}")
    return policy
