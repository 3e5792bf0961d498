"""Models from the tables of Gymnasium's environments."""

from __future__ import annotations

from typing import Any

import numpy as np

from farsight._errors import InvalidError
from farsight._problems import changes
from farsight.model import MDP, Model, compress, start_arrays

Row = tuple[int, float, int, float, bool]  # pair, probability, next state, reward, terminated


def read_model(cls: type[Model], env: Any, start: Any, discount: float | None) -> Model:
    """See ``MDP.from_gymnasium``."""
    inner = getattr(env, "unwrapped", env)
    for what, wrapper in changes(env).items():
        raise InvalidError(
            f"{wrapper} changes {what}: the table of {type(inner).__name__} is not that of what it wraps. Give "
            "env.unwrapped for the model without it; fs.run takes fs.Simulator(...) with it"
        )
    model = getattr(inner, "model", None)
    if isinstance(model, MDP) and start is None and discount is None:
        return cls(model)
    if isinstance(model, MDP):
        arrays = model.to_csr()
        arrays.update(start_arrays(start, model.n_states) if start is not None else {})
        arrays.update({"discount": discount} if discount is not None else {})
        return cls.from_csr(arrays, model.state_names, model.action_names, model.layout)
    table = getattr(inner, "P", None)
    if table is None:
        raise TypeError(
            f"{type(inner).__name__} has no table P of outcomes, as FrozenLake, Taxi and CliffWalking have. "
            "Without one, fs.train lets an agent learn in it, and fs.run takes fs.Simulator(...)"
        )
    n_states, n_actions = _size(inner, "observation_space"), _size(inner, "action_space")
    starts = _starts(inner, start, n_states)
    return _build(cls, inner, _rows(table, n_states, n_actions), starts, n_actions, discount)


def _size(env: Any, name: str) -> int:
    space: Any = getattr(env, name, None)
    if not hasattr(space, "n"):
        raise TypeError(f"the {name} must be Discrete, not {space}")
    return int(space.n)


def _starts(env: Any, start: Any, n_states: int) -> Any:
    if start is not None:
        return start_arrays(start, n_states)
    if not hasattr(env, "initial_state_distrib"):
        what = f"give start=, a state or an array ({n_states},)"
        raise InvalidError(f"{type(env).__name__} names no start: {what}")
    return start_arrays(np.asarray(env.initial_state_distrib), n_states)


def _rows(table: Any, n_states: int, n_actions: int) -> list[Row]:
    rows: list[Row] = []
    for s in range(n_states):
        for a in range(n_actions):
            try:
                outcomes = table[s][a]
                rows += [(s * n_actions + a, float(p), int(t), float(r), bool(d)) for p, t, r, d in outcomes]
            except (KeyError, IndexError, TypeError, ValueError) as error:
                what = "must be a list of (probability, next state, reward, terminated)"
                raise InvalidError(f"P[{s}][{a}] {what}") from error
    return rows


def _build(
    cls: type[Model],
    env: Any,
    rows: list[Row],
    starts: dict[str, Any],
    n_actions: int,
    discount: float | None,
) -> Model:
    n = _size(env, "observation_space")
    ends = {row[2] for row in rows if row[4]}
    both = ends & ({row[2] for row in rows if not row[4]} | {int(s) for s in starts["start_state"]})
    total = n + bool(both)
    terminal = np.zeros(total, dtype=np.bool_)
    terminal[[s for s in ends - both if s < total] + ([n] if both else [])] = True
    kept = [row for row in rows if not terminal[row[0] // n_actions]]
    pair = np.array([row[0] for row in kept], dtype=np.int64)
    arrays = {
        "n_states": total,
        "n_actions": n_actions,
        "offsets": compress(total, n_actions, pair),
        "probability": np.array([row[1] for row in kept], dtype=np.float64),
        "next": np.array([n if row[4] and row[2] in both else row[2] for row in kept], dtype=np.int64),
        "reward": np.array([row[3] for row in kept], dtype=np.float64),
        "terminal": terminal,
        **starts,
        "discount": discount,
    }
    return cls.from_csr(arrays, None, None, None if both else _layout(env))


# ---- layouts of the grids that are known ----

_MOVES = {"left": (-1.0, 0.0), "down": (0.0, 1.0), "right": (1.0, 0.0), "up": (0.0, -1.0)}


def _layout(env: Any) -> dict[str, Any] | None:
    name = type(env).__name__
    if name == "FrozenLakeEnv":
        labels = [cell.decode().replace("F", "") for cell in env.desc.ravel()]
        return _grid(env.desc.shape, labels, ["left", "down", "right", "up"])
    if name == "CliffWalkingEnv":
        cliff = env._cliff.ravel()
        labels = ["C" if here else "" for here in cliff]
        labels[env.start_state_index], labels[-1] = "S", "G"
        return _grid(env.shape, labels, ["up", "right", "down", "left"])
    return None


def _grid(shape: tuple[int, int], labels: list[str], moves: list[str]) -> dict[str, Any]:
    y, x = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    return {
        "kind": "grid",
        "width": shape[1],
        "height": shape[0],
        "x": x + 0.5,
        "y": y + 0.5,
        "labels": labels,
        "dx": np.array([_MOVES[move][0] for move in moves]),
        "dy": np.array([_MOVES[move][1] for move in moves]),
        "action_labels": moves,
        "walls": np.zeros((0, 4)),
    }
