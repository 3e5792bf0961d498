"""Models built outcome by outcome."""

from __future__ import annotations

from typing import Any

import numpy as np

from farsight._errors import InvalidError
from farsight._words import checked_gamma
from farsight.model import MDP, compress


class Builder:
    """A model that is built outcome by outcome; methods return the builder, so that calls can be chained.

    The order of a pair's outcomes decides which random numbers lead to each: put the intended outcome first,
    and the same random number has the same effect for every action.

    >>> import farsight as fs
    >>> b = fs.Builder(2, 1)
    >>> m = b.outcome(0, 0, 0.9, 0).outcome(0, 0, 0.1, 1, reward=1.0).terminal(1).start(0).build()
    >>> m.outcomes(0, 0)
    [(0.9, 0, 0.0, False), (0.1, 1, 1.0, True)]
    """

    def __init__(self, n_states: int, n_actions: int) -> None:
        self._sizes = {"state": _size(n_states, "n_states"), "action": _size(n_actions, "n_actions")}
        self._outcomes: list[tuple[int, float, int, float]] = []  # pair, probability, next, reward
        self._starts: list[tuple[int, float]] = []
        self._terminal: set[int] = set()
        self._range: tuple[float, float] | None = None
        self._discount: float | None = None
        self._names: dict[str, dict[int, str]] = {"state": {}, "action": {}}
        self._layout: dict[str, Any] | None = None

    def _number(self, i: Any, kind: str) -> int:
        number = int(i.__index__())
        if not 0 <= number < self._sizes[kind]:
            raise IndexError(f"{kind} is {number}: must be in 0 ... {self._sizes[kind] - 1}")
        return number

    def outcome(self, s: int, a: int, probability: float, next: int, reward: float = 0.0) -> Builder:
        """Add a way in which action a in state s can end. Those of probability 0 are dropped."""
        pair = self._number(s, "state") * self._sizes["action"] + self._number(a, "action")
        probability, reward = float(probability), float(reward)
        if not 0 <= probability <= 1:
            raise InvalidError(f"probability {probability} is outside [0, 1]")
        if not np.isfinite(reward):
            raise InvalidError("a reward must be finite")
        self._outcomes.append((pair, probability, self._number(next, "state"), reward))
        return self

    def start(self, s: int, probability: float = 1.0) -> Builder:
        """Let episodes start in state s with this probability."""
        self._starts.append((self._number(s, "state"), float(probability)))
        return self

    def terminal(self, *states: int) -> Builder:
        """Make these states terminal: an episode ends on reaching one, and it has no outcomes."""
        self._terminal.update(self._number(s, "state") for s in states)
        return self

    def reward_range(self, low: float, high: float) -> Builder:
        """Set the range of rewards that agents are told; by default that of the outcomes."""
        self._range = float(low), float(high)
        return self

    def discount(self, discount: float) -> Builder:
        """Set the discount as model files have it: as ``gamma`` does, but it may be 1."""
        self._discount = float(discount)
        return self

    def gamma(self, gamma: float) -> Builder:
        """Set the problem's discount, in (0, 1), the same for all agents; 0.95 by default."""
        self._discount = checked_gamma(gamma)
        return self

    def state_name(self, s: int, name: str) -> Builder:
        """Name a state."""
        self._names["state"][self._number(s, "state")] = name
        return self

    def action_name(self, a: int, name: str) -> Builder:
        """Name an action."""
        self._names["action"][self._number(a, "action")] = name
        return self

    # ---- the layout ----

    def layout(self, kind: str, width: float, height: float) -> Builder:
        """Give the model a layout for drawings: "line", "grid" or "graph", from (0, 0) to (width, height).

        x grows to the right and y downwards. ``place`` every state then.
        """
        n_states, n_actions = self._sizes["state"], self._sizes["action"]
        self._layout = {
            "kind": kind,
            "width": float(width),
            "height": float(height),
            "x": np.full(n_states, np.nan),
            "y": np.full(n_states, np.nan),
            "labels": [""] * n_states,
            "dx": np.zeros(n_actions),
            "dy": np.zeros(n_actions),
            "action_labels": [""] * n_actions,
            "walls": [],
        }
        return self

    def _drawn(self) -> dict[str, Any]:
        if self._layout is None:
            raise InvalidError("there is no layout: call layout(kind, width, height) first")
        return self._layout

    def place(self, s: int, x: float, y: float, label: str = "") -> Builder:
        """Place state s: the centre of its unit square is (x, y). A label has at most 7 bytes."""
        to, i = self._drawn(), self._number(s, "state")
        to["x"][i], to["y"][i], to["labels"][i] = x, y, label
        return self

    def arrow(self, a: int, dx: float, dy: float, label: str = "") -> Builder:
        """Give action a a direction."""
        to, i = self._drawn(), self._number(a, "action")
        to["dx"][i], to["dy"][i], to["action_labels"][i] = dx, dy, label
        return self

    def wall(self, x0: float, y0: float, x1: float, y1: float) -> Builder:
        """Add a wall from corner to corner: a rectangle, or a line where x0 = x1 or y0 = y1."""
        self._drawn()["walls"].append((float(x0), float(y0), float(x1), float(y1)))
        return self

    # ---- the model ----

    def build(self) -> MDP:
        """The model. ValueError if probabilities of a pair do not add to 1, or something is missing."""
        self._check_places()
        ordered = sorted(self._outcomes, key=lambda outcome: outcome[0])  # stable: keeps the order in a pair
        columns = list(zip(*ordered, strict=True)) or [(), (), (), ()]
        low, high = self._range or (None, None)
        n_states, n_actions = self._sizes["state"], self._sizes["action"]
        terminal = np.zeros(n_states, dtype=np.bool_)
        terminal[list(self._terminal)] = True
        arrays = {
            "n_states": n_states,
            "n_actions": n_actions,
            "offsets": compress(n_states, n_actions, np.array(columns[0], dtype=np.int64)),
            "probability": np.array(columns[1], dtype=np.float64),
            "next": np.array(columns[2], dtype=np.int64),
            "reward": np.array(columns[3], dtype=np.float64),
            "terminal": terminal,
            "start_state": np.array([s for s, _ in self._starts], dtype=np.int64),
            "start_probability": np.array([p for _, p in self._starts], dtype=np.float64),
            "reward_min": low,
            "reward_max": high,
            "discount": self._discount,
        }
        return MDP.from_csr(arrays, self._listed("state"), self._listed("action"), self._drawing())

    def _listed(self, kind: str) -> list[str | None] | None:
        names = self._names[kind]
        return [names.get(i) for i in range(self._sizes[kind])] if names else None

    def _check_places(self) -> None:
        if self._layout is not None and np.isnan(self._layout["x"]).any():
            missing = int(np.flatnonzero(np.isnan(self._layout["x"]))[0])
            raise InvalidError(f"state {missing} is not placed in the layout")

    def _drawing(self) -> dict[str, Any] | None:
        if self._layout is None:
            return None
        return {**self._layout, "walls": np.array(self._layout["walls"], dtype=np.float64).reshape(-1, 4)}


def _size(n: Any, what: str) -> int:
    number = int(n.__index__())
    if not 1 <= number < 2**32:
        raise InvalidError(f"{what} is {number}: must be in 1 ... {2**32 - 1}")
    return number
