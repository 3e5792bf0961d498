"""Which states an agent knows of, and what it says of the others.

A state is live if an agent can have to act in it; terminal states, and states that cannot be
reached, are absent (docs/agents.md).  Tables are dictionaries over the live states, by their ids:
an absent state has no row, so that a version that planned, drew or counted one would stumble.
"""


def live_states(n_states, absent=()):
    """The ids of the live states, in rising order."""
    assert all(0 <= s < n_states for s in absent), absent
    return [s for s in range(n_states) if s not in absent]


def table(live, n_actions, value):
    """A fresh table indexed [s][a]."""
    return {s: [value] * n_actions for s in live}


def copied(rows):
    """A table of the same numbers."""
    return {s: list(row) for s, row in rows.items()}


class Learner:
    """The door to an agent: `learn` and `report` are asked about live states only."""

    def __init__(self, live, n_actions):
        self.live, self.n_actions = live, n_actions
        self.cut = False  # was the last step cut off? `learn` may look

    def observe(self, s, a, r, nxt, done, cut=False):
        """One step; where it names an absent state nothing happens but the error."""
        if s not in self.live or not (done or nxt in self.live):
            raise ValueError(f"a step from {s} to {nxt}, not both of which are live")
        self.cut = cut and not done
        self.learn(s, a, r, nxt, done)

    def values(self, s):
        """The learned numbers of s; those of an absent state are 0."""
        if s in self.live:
            return self.report(s)
        return {key: [0] * self.n_actions for key in self.report(self.live[0])}
