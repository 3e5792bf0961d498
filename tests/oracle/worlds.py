"""The environments of whole runs: the chain, and two with states that are terminal or never met.

FrozenLake and DeepSea are given by `outcomes(s, a)` = [(probability, next, reward), ...] in the
order of the inverse distribution, the intended one first, and by their terminal states.
"""

import math

from agents import parse


class Chain:
    """n states in a row; 0 = left, 1 = right; with probability slip the move goes the other way.

    A move off either end stays.  The reward comes on arrival: `left` in state 0, `right` in the
    last state, else 0.  One draw a step; the intended move comes first in the inverse distribution.
    It never ends, and all states are live.
    """

    episodic, n_actions, start, absent, horizon = False, 2, 0, (), 0

    def __init__(self, n, slip=0.2, left=0.001, right=1.0):
        self.n, self.left, self.right = int(n), left, right
        self.intended_below = int(math.ldexp(1.0 - slip, 64))  # exact: a double times 2^64
        rewards = (0.0, left, right)
        self.rmin, self.rmax = min(rewards), max(rewards)

    def settle(self, steps):
        """A step leads to a neighbour: states further than the horizon are absent."""
        self.absent = tuple(range(steps + 1, self.n))

    def step(self, s, a, rng):
        """(reward, next state, False)."""
        move = 1 if a == 1 else -1
        if rng.next() >= self.intended_below:
            move = -move
        nxt = min(max(s + move, 0), self.n - 1)
        if nxt == 0:
            return self.left, nxt, False
        return (self.right if nxt == self.n - 1 else 0.0), nxt, False


class World:
    """What follows from the outcomes: which states are absent, and a step."""

    episodic, horizon = True, 0

    def settle(self, steps=math.inf):
        """Live are the states that an episode of so many steps can meet and that do not end it; the others are absent."""
        seen, todo = {self.start}, [self.start]
        while todo and steps:
            pairs = (self.outcomes(s, a) for s in todo for a in range(self.n_actions))
            todo = {y for pair in pairs for _, y, _ in pair} - seen - self.terminal
            seen |= todo
            steps -= 1
        self.absent = tuple(s for s in range(self.n) if s not in seen)

    def step(self, s, a, rng):
        """(reward, next state, whether the episode ends); one draw."""
        luck, below = rng.next(), 0.0
        for p, nxt, r in self.outcomes(s, a):  # noqa: B007
            below += p
            if luck < int(math.ldexp(below, 64)):
                break
        return r, nxt, nxt in self.terminal  # the last of them where rounding left a gap


class FrozenLake(World):
    """Gymnasium's FrozenLake: 0 = left, 1 = down, 2 = right, 3 = up, or a quarter turn from there.

    The intended direction has probability 1/3, then come the turns to action - 1 and to action + 1.
    Holes and the goal are terminal; the goal pays 1, a hole what is told, other steps nothing.
    """

    n_actions, rmin, rmax = 4, 0.0, 1.0
    moves = ((0, -1), (1, 0), (0, 1), (-1, 0))

    def __init__(self, rows, hole):
        self.rows, self.pays = rows.split("/"), {"G": 1.0, "H": hole}
        self.width, self.letters = len(self.rows[0]), "".join(self.rows)
        self.n, self.start = len(self.letters), self.letters.index("S")
        self.terminal = {s for s, letter in enumerate(self.letters) if letter in "HG"}
        self.settle()

    def outcomes(self, s, a):
        """Three directions; a move off the map stays."""
        success = 1 / 3
        chances = ((success, a), ((1 - success) / 2, a - 1), ((1 - success) / 2, a + 1))
        return [(p, *self.arrive(s, self.moves[x % 4])) for p, x in chances]

    def arrive(self, s, move):
        """(next, reward)."""
        row = min(max(s // self.width + move[0], 0), len(self.rows) - 1)
        column = min(max(s % self.width + move[1], 0), self.width - 1)
        nxt = row * self.width + column
        return nxt, self.pays.get(self.letters[nxt], 0.0)


class DeepSea(World):
    """bsuite's deep sea, mapping=fixed: every step sinks a row; 1 = right, at a cost, 0 = left.

    Right in the last column stays there, and pays the treasure; the sea's ground is terminal.
    """

    n_actions, start = 2, 0

    def __init__(self, n, cost):
        self.size, self.each = n, cost / n
        self.n, self.terminal = self.size**2 + 1, {self.size**2}
        self.rmin, self.rmax = min(0.0, -self.each), 1.0 - self.each
        self.settle()

    def outcomes(self, s, a):
        """One, for certain."""
        row, column = divmod(s, self.size)
        r = (1.0 if column == self.size - 1 else 0.0) - self.each if a else 0.0
        column = min(column + 1, self.size - 1) if a else max(column - 1, 0)
        nxt = (row + 1) * self.size + column
        return [(1.0, nxt if row + 1 < self.size else self.size**2, r)]


def make_world(env):
    """A world from a spec; `horizon` may come last."""
    rest, _, horizon = env.partition(",horizon=")
    world = timeless(rest)
    if horizon:
        world.horizon = int(horizon)
        world.settle(world.horizon)
    return world


def timeless(env):
    """A world without a horizon."""
    name, _, rest = env.partition(":")
    if name == "chain":
        return Chain(**parse(env)[1])
    keys = dict(item.split("=") for item in rest.split(",") if item)
    if name == "frozen-lake":
        rows = keys.get("map", "SFFF/FHFH/FFFH/HFFG")
        return FrozenLake(rows, float(keys.get("hole", 0)))
    assert name == "deepsea" and keys["mapping"] == "fixed", env
    return DeepSea(int(keys["n"]), float(keys.get("cost", 0.01)))
