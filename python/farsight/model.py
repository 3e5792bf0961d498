"""Models: finite Markov decision processes, from specs, arrays, files and Gymnasium's tables.

An MDP is immutable. It has S states and A actions, both counted from 0; a start distribution; terminal
states, which end an episode; and for each pair of a state and an action a list of outcomes, each with a
probability, a next state and a reward::

    fs.MDP("chain:n=50")                          # a family of the library, by its spec
    fs.MDP("chain", n=50, slip=0.1)               # the same with keywords
    fs.MDP(P, R, start=0, terminal=[15])          # arrays
    fs.MDP.from_gymnasium(gym.make("Taxi-v4"))    # the table P of a Gymnasium environment
    fs.MDP.load("model.drn")                      # a file
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from farsight import _core, _specs
from farsight._errors import InvalidError, missing
from farsight._typing import BoolArray, FloatArray, IntArray
from farsight._words import checked_gamma, checked_horizon, real
from farsight._words import reward_range as rewards_of

if TYPE_CHECKING:
    from typing_extensions import Self

Model = TypeVar("Model", bound="MDP")


class MDP(_core.Model):
    """A finite Markov decision process; immutable.

    ``MDP(spec, **parameters)`` is a family of the library: ``MDP("chain:n=50")``, ``MDP("chain", n=50)``.

    ``MDP(P, R)`` is a model from arrays:

    - ``P``: an array (S, A, S) of the probabilities ``P[s, a, next]``, or (A, S, S), or a list of A matrices
      (S, S), dense or SciPy-sparse. Where S = A an array is read as (S, A, S); ``axes="ass"`` says otherwise.
    - ``R``: the rewards, an array (S, A), (S,) for those of the state that is left, one with the axes of P,
      or a list of A matrices.
    - ``start``: a state, or a distribution over states (S,); by default state 0.
    - ``terminal``: a mask (S,) of bool, or the numbers of the terminal states; their rows in P and R are not
      read. By default the states with nothing but zeros in P.
    - ``reward_range``: the least and largest reward that agents are told; by default those of the outcomes.
    - ``gamma``: the problem's discount, in (0, 1), the same for all agents and for all that is exact; 0.95 by default.
    - ``horizon``: the steps after which an episode is cut; by default there is none. What counts is then the
      reward of an episode, and nothing is discounted: ``gamma`` and ``horizon`` do not go together.
    - ``discount``: gamma as model files have it: it may be 1, with which no agent can plan that discounts; they plan
      with 0.95 then.
    - ``state_names``, ``action_names``: lists of text.

    Rows must add to 1 within 1e-9, those of float32 within 1e-5; they are then scaled. A reward of float32 that
    is an end of ``reward_range``, as float32 has it, is that end.

    >>> import farsight as fs
    >>> m = fs.MDP([[[0.9, 0.1]], [[0, 0]]], [[1.0], [0.0]])
    >>> m.n_states, m.n_actions, m.terminal
    (2, 1, array([False,  True]))
    >>> m.outcomes(0, 0)
    [(0.9, 0, 1.0, False), (0.1, 1, 1.0, True)]
    """

    def __new__(
        cls,
        model: Any,
        rewards: Any = None,
        /,
        *,
        start: Any = None,
        terminal: Any = None,
        gamma: float | None = None,
        discount: float | None = None,
        horizon: int | None = None,
        reward_range: tuple[float, float] | None = None,
        state_names: Sequence[str | None] | None = None,
        action_names: Sequence[str | None] | None = None,
        axes: str | None = None,
        **parameters: Any,
    ) -> Self:
        own = {"start": start, "terminal": terminal, "discount": discount, "reward_range": reward_range}
        own["horizon"] = horizon
        if isinstance(model, _core.Model) and rewards is None and gamma is not None:
            return with_gamma(_copy(cls, model), gamma)
        names = {
            "state_names": None if state_names is None else list(state_names),
            "action_names": None if action_names is None else list(action_names),
        }
        if isinstance(model, str):
            if rewards is not None:
                raise TypeError("a spec and rewards do not go together")
            given = {"gamma": gamma, **own, **names, "axes": axes, **parameters}
            if _specs.name_of(model) == "file":  # whose path may have any characters
                given.pop("gamma")
                return cls.from_spec(_specs.with_parameters(model, given), gamma)
            return cls.from_spec(_specs.with_parameters(model, given))
        if parameters:
            raise TypeError(f"a model from arrays has no parameter {next(iter(parameters))!r}")
        if isinstance(model, _core.Model):
            return _copy(cls, model)
        if not isinstance(model, (list, tuple)) and np.ndim(model) == 0 and not _is_sparse(model):
            raise TypeError(f"expected a spec, arrays (P, R) or a model, not {type(model).__name__}")
        own["discount"] = _discount(gamma, discount, horizon)
        return _from_tables(cls, model, rewards, axes, own, names)

    # ---- from elsewhere ----

    @classmethod
    def from_arrays(
        cls,
        arrays: dict[str, Any],
        *,
        state_names: Sequence[str | None] | None = None,
        action_names: Sequence[str | None] | None = None,
        layout: dict[str, Any] | None = None,
        horizon: int | None = None,
        gamma: float | None = None,
    ) -> Self:
        """A model from compressed rows, as ``arrays()`` returns them; the same model, to the bit.

        ``horizon`` or ``gamma`` replaces what counts by the arrays. Arrays of float32 are read as ``MDP(P, R)`` reads them.

        >>> import farsight as fs
        >>> m = fs.MDP("riverswim")
        >>> fs.MDP.from_arrays(m.arrays()) == m
        True
        """
        given = arrays
        if gamma is not None:
            given = {**given, "discount": _discount(gamma, None, horizon), "horizon": 0, "average": False}
        if horizon is not None:
            given = {**given, "discount": 0.0, "horizon": checked_horizon(horizon), "average": False}
        return cls.from_csr(_widened(given), state_names, action_names, layout)

    @classmethod
    def from_gymnasium(
        cls, env: Any, *, start: Any = None, gamma: float | None = None, discount: float | None = None
    ) -> Self:
        """The model of a Gymnasium environment with a table ``P``: FrozenLake, Taxi, CliffWalking, or ours.

        ``P[s][a]`` is a list of (probability, next state, reward, terminated). A state that is only reached
        by terminated outcomes becomes terminal. One that is also reached by others does not: the terminated
        ones then lead to one more state, the last: Taxi has 501 states as a model, and 500 in Gymnasium.
        ``start`` replaces the environment's own distribution. ``gamma`` is the problem's discount: Gymnasium's
        environments have none.

        A time limit, such as the 100 steps of ``gym.make("FrozenLake-v1")``, is not part of the model, whose
        episodes end in terminal states alone; :class:`farsight.Simulator` keeps it.
        """
        from farsight._gymnasium import read_model

        _discount(gamma, discount, None)
        return with_gamma(read_model(cls, env, start, discount), gamma)

    # ---- to elsewhere ----

    def arrays(self) -> dict[str, Any]:
        """Everything that a run depends on, as a dict of arrays in compressed rows.

        The outcomes of state s and action a have the numbers ``offsets[i]`` to ``offsets[i + 1] - 1``,
        i = s A + a, in ``probability``, ``next`` and ``reward``. The others are ``n_states``, ``n_actions``,
        ``terminal``, ``start_state``, ``start_probability``, ``reward_min``, ``reward_max``, and what counts:
        ``discount`` (0: none is named), ``horizon`` (0: none) and ``average``.
        """
        return self.to_csr()

    def dense(self, *, loops: bool = True) -> tuple[FloatArray, FloatArray]:
        """(P, R): probabilities (S, A, S) and expected rewards (S, A).

        A terminal state has a loop to itself, without reward, as planning packages expect; without ``loops``
        its rows are zeros. ``MDP(P, R, start=m.start, terminal=m.terminal)`` reads both.

        >>> import farsight as fs
        >>> P, R = fs.MDP("chain:n=3").dense()
        >>> P.shape, R.shape
        ((3, 2, 3), (3, 2))
        """
        s, a, probability, after, reward = self._outcomes(loops)
        shape = (self.n_states, self.n_actions)
        table = np.zeros((*shape, self.n_states))
        np.add.at(table, (s, a, after), probability)
        return table, self._expected(s, a, probability * reward)

    def sparse(self, *, loops: bool = True) -> tuple[list[Any], FloatArray]:
        """(P, R): a list of A sparse matrices (S, S), one per action, and expected rewards (S, A).

        The matrices are ``scipy.sparse.csr_array``: one (S, S) matrix per action, as pymdptoolbox expects.
        Terminal states and ``loops`` are as in ``dense``.
        """
        try:
            from scipy.sparse import csr_array
        except ImportError:
            raise missing("SciPy", "scipy") from None
        s, a, probability, after, reward = self._outcomes(loops)
        size = (self.n_states, self.n_states)
        rows = [np.flatnonzero(a == i) for i in range(self.n_actions)]
        matrices = [csr_array((probability[k], (s[k], after[k])), shape=size) for k in rows]
        return matrices, self._expected(s, a, probability * reward)

    def _outcomes(self, loops: bool) -> tuple[IntArray, IntArray, FloatArray, IntArray, FloatArray]:
        """All outcomes: state, action, probability, next state, reward."""
        rows = self.to_csr()
        pair = np.repeat(np.arange(len(rows["offsets"]) - 1), np.diff(rows["offsets"]))
        s, a = np.divmod(pair, self.n_actions)
        found = (s, a, rows["probability"], rows["next"], rows["reward"])
        if not loops or not rows["terminal"].any():
            return found
        ends = np.repeat(np.flatnonzero(rows["terminal"]), self.n_actions)
        actions = np.tile(np.arange(self.n_actions), len(ends) // self.n_actions)
        more = (ends, actions, np.ones(len(ends)), ends, np.zeros(len(ends)))
        s, a, probability, after, reward = (np.concatenate(pair) for pair in zip(found, more, strict=True))
        return s, a, probability, after, reward

    def _expected(self, s: IntArray, a: IntArray, weighted: FloatArray) -> FloatArray:
        rewards = np.zeros((self.n_states, self.n_actions))
        np.add.at(rewards, (s, a), weighted)
        return rewards

    # ---- looking at it ----

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of states and of actions."""
        return self.n_states, self.n_actions

    def draw(self, policy: Any = None) -> str:
        """A drawing with characters, as ``farsight solve`` prints it, with an arrow for each policy's action.

        ``policy`` has an action for each state, or -1. ValueError if the model has no layout of a line or a
        grid, or one too large for a page.

        >>> import farsight as fs
        >>> print(fs.MDP("frozen-lake").draw())   # doctest: +NORMALIZE_WHITESPACE
          ┌─────────┐
          │ S · · · │
          │ · H · H │
          │ · · · H │
          │ H · · G │
          └─────────┘
          ← left (0)  ↓ down (1)  → right (2)  ↑ up (3)
          S start  H terminal  G terminal
        <BLANKLINE>
        Figure: the layout.
        <BLANKLINE>
        """
        document = self.drawing(policy, None if policy is None else "the policy.")
        if document is None:
            raise InvalidError(
                "this model has no drawing with characters: it needs a layout of a line or a grid, "
                "of at most 36 columns and 24 rows"
            )
        return document.render()

    def __repr__(self) -> str:
        kind = "episodic" if self.episodic else "continuing"
        return f"<MDP {self.spec or 'from arrays'}: {self.n_states} states, {self.n_actions} actions, {kind}>"

    def _criterion(self) -> str:
        if self.horizon is not None:
            return f"the reward of an episode of {self.horizon:,} steps"
        return "the average reward of a step" if self.average else f"rewards discounted by {self.gamma:g}"

    def _repr_html_(self) -> str:
        low, high = self.reward_range
        facts = {
            "model": self.spec or "from arrays",
            "states": f"{self.n_states:,} ({int(self.terminal.sum()):,} terminal)",
            "actions": f"{self.n_actions:,}",
            "rewards": f"{low:g} to {high:g}",
            "what counts": self._criterion(),
        }
        lines = (f"<tr><th>{key}</th><td>{html.escape(value)}</td></tr>" for key, value in facts.items())
        drawing = self.drawing()
        text = html.escape(drawing.render()) if drawing is not None else ""
        return f"<table>{''.join(lines)}</table>" + (f"<pre>{text}</pre>" if text else "")

    # ---- the same model ----

    def __eq__(self, other: object) -> bool:
        """Whether runs are equal: sizes, reward range, starts, outcomes in their order, terminal states, horizon or gamma."""
        if not isinstance(other, _core.Model):
            return NotImplemented
        return self is other or self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.spec and not self.spec.startswith("file:"):
            return _from_spec, (type(self), self.spec)
        return _from_parts, (type(self), self.to_csr(), self.state_names, self.action_names, self.layout)


def _from_spec(cls: type[MDP], spec: str) -> MDP:
    return cls.from_spec(spec)


def _from_parts(cls: type[MDP], *parts: Any) -> MDP:
    return cls.from_csr(*parts)


def _copy(cls: type[Model], model: _core.Model) -> Model:
    if isinstance(model, cls):
        return model
    return cls.from_csr(model.to_csr(), model.state_names, model.action_names, model.layout)


# ---- arrays ----


def _numbers(value: Any, what: str) -> Any:
    """An array of numbers."""
    try:
        array = np.asarray(value)
    except ValueError as error:  # rows of different lengths
        raise InvalidError(f"{what} must be an array of numbers: {error}") from error
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{what} must be an array of numbers, not of {array.dtype}")
    return array


def _is_sparse(value: Any) -> bool:
    return hasattr(value, "tocsr")


def _read_axes(shape: tuple[int, ...], axes: str | None) -> str:
    """How an array of this shape is to be read: "sas" or "ass"."""
    if 0 in shape:
        raise InvalidError(f"P has the shape {shape}: a model needs at least 1 state and 1 action")
    fits = {"sas": len(shape) == 3 and shape[0] == shape[2], "ass": len(shape) == 3 and shape[1] == shape[2]}
    if axes is not None and axes not in fits:
        raise InvalidError(f"axes is {axes!r}: must be 'sas', for (S, A, S), or 'ass', for (A, S, S)")
    for name in [axes] if axes is not None else fits:
        if fits[name]:
            return name
    wanted = {"sas": "(S, A, S)", "ass": "(A, S, S)", None: "(S, A, S) or (A, S, S)"}[axes]
    raise InvalidError(f"P has the shape {shape}: must be {wanted}")


# S, A, and for each outcome: state, action, next, probability; then the axes
Table = tuple[int, int, IntArray, IntArray, IntArray, Any, str]


def _dense_table(probabilities: Any, axes: str | None) -> Table:
    if _is_sparse(probabilities):
        raise TypeError("P is one sparse matrix: must be a list of A matrices (S, S), one per action")
    table = _numbers(probabilities, "P")
    axes = _read_axes(table.shape, axes)
    if axes == "ass":
        table = table.transpose(1, 0, 2)
    s, a, after = np.nonzero(table)
    return table.shape[0], table.shape[1], s, a, after, table[s, a, after], axes


def _sparse_rows(matrices: Sequence[Any], what: str) -> list[Any]:
    for i, matrix in enumerate(matrices):
        if not _is_sparse(matrix):
            raise TypeError(f"{what}[{i}] is not sparse, and others are: {type(matrix).__name__}")
    rows = [matrix.tocsr().copy() for matrix in matrices]
    for i, row in enumerate(rows):
        if row.dtype.kind not in "fiub":
            raise TypeError(f"{what}[{i}] must hold numbers, not {row.dtype}")
        if row.shape != (rows[0].shape[0], rows[0].shape[0]):
            raise InvalidError(f"{what}[{i}] has the shape {row.shape}: all must be (S, S)")
        row.sum_duplicates()
    return rows


def _sparse_table(matrices: Sequence[Any], axes: str | None) -> Table:
    if axes not in (None, "ass"):
        raise InvalidError("a list of matrices, one per action, has the axes (A, S, S)")
    rows = _sparse_rows(matrices, "P")
    n = rows[0].shape[0]
    s = np.concatenate([np.repeat(np.arange(n), np.diff(row.indptr)) for row in rows])
    a = np.repeat(np.arange(len(rows)), [row.nnz for row in rows])
    order = np.argsort(s * len(rows) + a, kind="stable")
    after = np.concatenate([row.indices for row in rows])
    probability = np.concatenate([row.data for row in rows])
    return n, len(rows), s[order], a[order], after[order], probability[order], "ass"


def _is_sparse_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(_is_sparse(item) for item in value)


def _rewards_of(rewards: Any, table: Table) -> Any:
    """The reward of each outcome of a table."""
    n_states, n_actions, s, a, after, _, axes = table
    if rewards is None:
        raise TypeError("a model from arrays needs rewards: MDP(P, R)")
    if _is_sparse_list(rewards):
        rows = _sparse_rows(rewards, "R")
        if len(rows) != n_actions or rows[0].shape[0] != n_states:
            raise InvalidError(f"R must be {n_actions} matrices ({n_states}, {n_states}), as P is")
        found = np.zeros(len(s), np.result_type(*(row.dtype for row in rows)))
        for i, row in enumerate(rows):
            mine = a == i
            found[mine] = np.asarray(row[s[mine], after[mine]]).ravel()
        return found
    array = _numbers(rewards, "R")
    if array.shape == (n_states,):
        return array[s]
    if array.shape == (n_states, n_actions):
        return array[s, a]
    full = (n_states, n_actions, n_states) if axes == "sas" else (n_actions, n_states, n_states)
    if array.shape == full:
        return array[s, a, after] if axes == "sas" else array[a, s, after]
    shapes = f"({n_states}, {n_actions}), ({n_states},) or {full}"
    raise InvalidError(f"R has the shape {array.shape}: must be {shapes}")


def _terminal_mask(terminal: Any, n: int, s: IntArray) -> BoolArray:
    if terminal is None:
        mask = np.ones(n, dtype=np.bool_)
        mask[s] = False
        return mask
    array = _numbers(terminal if np.ndim(terminal) else [terminal], "terminal")
    if array.dtype == np.bool_:
        if array.shape != (n,):
            raise InvalidError(f"terminal has the shape {array.shape}: must be ({n},)")
        return np.asarray(array, dtype=np.bool_)
    mask = np.zeros(n, dtype=np.bool_)
    mask[state_numbers(array, n, "terminal")] = True
    return mask


def state_numbers(array: Any, n: int, what: str) -> IntArray:
    """An array of states, checked."""
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{what} must be whole numbers or a mask of bool, not {array.dtype}")
    if array.size and (array.min() < 0 or array.max() >= n):
        raise IndexError(f"{what} has a state outside 0 ... {n - 1}")
    return np.asarray(array, dtype=np.int64).ravel()


def start_arrays(start: Any, n: int) -> dict[str, Any]:
    """The start distribution, given as a state or an array (S,)."""
    if start is None:
        start = 0
    array = _numbers(start, "start")
    if array.ndim == 0:
        states = state_numbers(array, n, "start")
        return {"start_state": states, "start_probability": np.ones(1)}
    if array.shape != (n,):
        raise InvalidError(f"start has the shape {array.shape}: must be a state or an array ({n},)")
    states = np.flatnonzero(array)
    return _widened({"start_state": states, "start_probability": _double(array[states])})


def compress(n_states: int, n_actions: int, pair: IntArray) -> IntArray:
    """The offsets of compressed rows, for outcomes sorted by their pair."""
    counts = np.bincount(pair, minlength=n_states * n_actions)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _discount(gamma: Any, discount: Any, horizon: Any) -> float | None:
    """The discount that a model names: given as ``gamma``, or as ``discount``, which may be 1."""
    if gamma is None:
        return None if discount is None else real(discount, "discount")
    if discount is not None:
        raise ValueError("gamma and discount do not go together: give one")
    if horizon is not None:
        raise InvalidError("gamma and horizon do not go together: a problem has one criterion")
    return checked_gamma(gamma)


def with_gamma(model: Model, gamma: float | None) -> Model:
    """The model with this discount, if it names none; it must be the one that it names."""
    if gamma is None or model.gamma in (None, checked_gamma(gamma)):  # nothing is discounted, or by this
        return model
    if model.discount not in (None, 1.0):
        raise InvalidError(f"{model!r} has the discount {model.discount!r}, and gamma is {gamma!r}: give one of them")
    kind = type(model)
    if model.spec:
        return kind.from_spec(model.spec, gamma)
    arrays = {**model.to_csr(), "discount": float(gamma)}
    return kind.from_csr(arrays, model.state_names, model.action_names, model.layout)


# ---- numbers of float32 ----


def _double(array: Any) -> Any:
    """As float64, unless it is float32, which :func:`_widened` reads."""
    return array if array.dtype == np.float32 else array.astype(np.float64)


def _is_float32(array: Any) -> bool:
    return getattr(array, "dtype", None) == np.float32


def _widened(arrays: dict[str, Any]) -> dict[str, Any]:
    """The numbers of float64 that those of float32 stand for: rows that add to 1, rewards in the range."""
    wide = dict(arrays)
    start = wide.get("start_probability")
    if _is_float32(start):
        row = np.asarray(start)
        wide["start_probability"] = _scaled(row, np.array([0, row.size]))
    if _is_float32(wide.get("probability")):
        wide["probability"] = _scaled(np.asarray(wide["probability"]), np.asarray(wide.get("offsets", [])))
    if _is_float32(wide.get("reward")):
        wide["reward"] = _inside(np.asarray(wide["reward"]), wide.get("reward_min"), wide.get("reward_max"))
    return wide


def _scaled(probability: Any, offsets: Any) -> FloatArray:
    """Rows that add to 1 within 1e-5 are scaled; others, and what has no rows, are left to the checks of all models."""
    wide: FloatArray = probability.astype(np.float64)
    counts = np.diff(offsets)
    if offsets.dtype.kind not in "iu" or np.any(counts < 0) or wide.shape != (counts.sum(),):
        return wide
    rows = np.repeat(np.arange(len(counts)), counts)
    sums = np.bincount(rows, wide, len(counts))
    wide /= np.where(np.abs(sums - 1) <= 1e-5, sums, 1.0)[rows]
    return wide


def _inside(reward: Any, low: Any, high: Any) -> FloatArray:
    wide: FloatArray = reward.astype(np.float64)
    for end in (low, high):
        if end is not None:
            wide[reward == np.float32(end)] = end
    return wide


def _from_tables(
    cls: type[Model],
    probabilities: Any,
    rewards: Any,
    axes: str | None,
    own: dict[str, Any],
    names: dict[str, Any],
) -> Model:
    read = _sparse_table if _is_sparse_list(probabilities) else _dense_table
    table = read(probabilities, axes)
    n_states, n_actions, s, a, after, probability, _ = table
    reward = _rewards_of(rewards, table)
    terminal = _terminal_mask(own["terminal"], n_states, s)
    kept = ~terminal[s]
    low, high = (None, None) if own["reward_range"] is None else rewards_of(own["reward_range"])
    arrays = {
        "n_states": n_states,
        "n_actions": n_actions,
        "offsets": compress(n_states, n_actions, (s * n_actions + a)[kept]),
        "probability": _double(probability[kept]),
        "next": after[kept],
        "reward": _double(np.asarray(reward)[kept]),
        "terminal": terminal,
        **start_arrays(own["start"], n_states),
        "reward_min": low,
        "reward_max": high,
        "discount": own["discount"],
        "horizon": None if own["horizon"] is None else checked_horizon(own["horizon"]),
    }
    return cls.from_csr(_widened(arrays), names["state_names"], names["action_names"], None)
