"""What an agent must know of a problem: numbers of states and actions, the range of rewards, live states."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from farsight import _core
from farsight._models import is_gymnasium, model_of
from farsight._specs import find_spec
from farsight._typing import BoolArray
from farsight._words import reward_range as rewards_of
from farsight.spaces import Numbers, space_numbers

Table = dict[int, dict[int, list[tuple[float, int, float, bool]]]]  # of toy-text environments


@dataclass(frozen=True)
class Problem:
    """What an agent is created from."""

    shape: Any
    """A model, or (n_states, n_actions, reward_min, reward_max, episodic, absent, horizon, gamma, average)."""
    states: Numbers | None = None
    """How observations become states; None: they are numbers already."""
    actions: Numbers | None = None
    """How numbers become actions."""


@dataclass
class _Facts:
    """What is known, so far; None: not known."""

    n_states: int | None = None
    n_actions: int | None = None
    reward_range: tuple[float, float] | None = None
    episodic: bool | None = None
    absent: BoolArray | None = None
    horizon: int | None = None
    gamma: float = 0.0  # 0: nobody has said
    average: bool = False
    model: _core.Model | None = None


def problem(
    env: Any = None,
    *,
    n_states: int | None = None,
    n_actions: int | None = None,
    reward_range: tuple[float, float] | None = None,
    episodic: bool | None = None,
    absent: Any = None,
    horizon: int | None = None,
    states: Numbers | None = None,
    actions: Numbers | None = None,
) -> Problem:
    """The problem of a Gymnasium (vector) environment, a model, a simulator, or a spec such as "chain:n=5".

    Arguments that are given replace what the environment says.
    """
    known_rewards = None if reward_range is None else rewards_of(reward_range)
    given = _Facts(n_states, n_actions, known_rewards, episodic, absent, horizon)
    if env is None:
        return Problem(_shape(_without(given, states, actions), "without env=..."), states, actions)
    if find_spec(env) is not None:
        env = model_of(env)
    if isinstance(env, _core.Model):
        return Problem(_shape(_merge(given, _of_model(env)), repr(env)), states, actions)
    if isinstance(env, _core.Simulator):
        return Problem(_shape(_merge(given, _of_shape(env.shape)), repr(env)), states, actions)
    if not is_gymnasium(env):
        raise TypeError(
            f"env is {env!r}: must be a Gymnasium environment, a model (fs.MDP) "
            "or a spec such as 'chain:n=10'"
        )
    return _of_gymnasium(env, given, states, actions)


def _merge(given: _Facts, found: _Facts) -> _Facts:
    """What was given, or else what was found; the model counts only where nothing replaces its facts."""
    replaced = False
    merged = _Facts(gamma=found.gamma, average=found.average, model=found.model)
    for name in ("n_states", "n_actions", "reward_range", "episodic", "absent", "horizon"):
        mine, other = getattr(given, name), getattr(found, name)
        replaced = replaced or (mine is not None)
        setattr(merged, name, other if mine is None else mine)
    if replaced:
        merged.model = None
    return merged


def _without(given: _Facts, states: Numbers | None, actions: Numbers | None) -> _Facts:
    """Without an environment: sizes may come from mappers, and episodes may end."""
    if given.n_states is None and states is not None:
        given.n_states = states.n
    if given.n_actions is None and actions is not None:
        given.n_actions = actions.n
    if given.episodic is None:
        given.episodic = True
    return given


def _shape(facts: _Facts, where: str) -> Any:
    if facts.model is not None:
        return facts.model
    if facts.n_states is None or facts.n_actions is None:
        raise ValueError(
            "the problem is missing: give env=..., "
            "or n_states=..., n_actions=... and reward_range=(low, high)"
        )
    if facts.reward_range is None:
        raise ValueError(
            f"the range of rewards is not known {where}: give reward_range=(low, high); "
            "every reward must lie in it, and methods with guarantees depend on it"
        )
    low, high = facts.reward_range
    sizes, horizon = (facts.n_states, facts.n_actions), facts.horizon or 0
    average = facts.average and horizon == 0
    return *sizes, low, high, bool(facts.episodic), facts.absent, horizon, facts.gamma, average


def _of_shape(shape: Any) -> _Facts:
    n_states, n_actions, low, high, episodic, absent, horizon, gamma, average, _ = shape
    return _Facts(n_states, n_actions, (low, high), episodic, absent, horizon or None, gamma, average)


def _of_model(model: _core.Model) -> _Facts:
    """A model says it all; its parts count where something replaces one of them."""
    facts = _of_shape(_core.shape_of(model))
    facts.model = model
    return facts


# ---- Gymnasium ----


def is_vector(env: Any) -> bool:
    """Whether this is a vector environment."""
    return hasattr(env, "single_observation_space")


def spaces_of(env: Any) -> tuple[Any, Any]:
    """The spaces of observations and actions; of a vector environment those of its parts."""
    if is_vector(env):
        return env.single_observation_space, env.single_action_space
    return env.observation_space, env.action_space


def _unwrapped(env: Any) -> Any:
    """The environment inside its wrappers; of a vector environment that has its parts here, the first."""
    inner = env.unwrapped
    parts = getattr(inner, "envs", None)
    return parts[0].unwrapped if parts else inner


def changes(env: Any) -> dict[str, str]:
    """What the wrappers of an environment change, "observations", "actions" or "rewards", and which does."""
    names = {kind.__name__.removeprefix("Vector") for kind in type(env).__mro__}
    found = {what: type(env).__name__ for name, what in _WRAPPERS.items() if name in names}
    if "Wrapper" in names:
        return changes(env.env) | found
    parts = getattr(env, "envs", None) if is_vector(env) else None
    return changes(parts[0]) if parts else found


_WRAPPERS = {
    "ObservationWrapper": "observations",
    "ActionWrapper": "actions",
    "RewardWrapper": "rewards",
    "NormalizeReward": "rewards",  # which inherits from Wrapper alone
}


def _of_gymnasium(env: Any, given: _Facts, states: Numbers | None, actions: Numbers | None) -> Problem:
    observations, choices = spaces_of(env)
    identity = states is None
    states = states if states is not None else space_numbers(observations)
    actions = actions if actions is not None else space_numbers(choices)
    found = _Facts(n_states=states.n, n_actions=actions.n, episodic=True)
    inner, wrappers = _unwrapped(env), changes(env)
    if identity:
        inside = _inside(inner)
        if inside is not None and (inside.n_states, inside.n_actions) == (states.n, actions.n):
            found = inside
            if {"observations", "actions"} & wrappers.keys():  # of other numbers than those inside
                found.model = found.absent = None
    if "rewards" in wrappers:
        found.model = found.reward_range = None
    if found.reward_range is None:
        found.reward_range = known_range(env)
    changed = f", whose rewards {wrappers['rewards']} changes" if "rewards" in wrappers else ""
    return Problem(_shape(_merge(given, found), f"for {inner}{changed}"), states, actions)


def _inside(inner: Any) -> _Facts | None:
    """What the environment's own model says, if it shows one."""
    model = getattr(inner, "model", None)
    if isinstance(model, _core.Model):
        return _of_model(model)
    table = getattr(inner, "P", None)
    if isinstance(table, dict) and table and all(s in table for s in range(len(table))):
        return _of_table(table, getattr(inner, "initial_state_distrib", None))
    return None


# Rewards of Gymnasium's own environments that do not say theirs.
_KNOWN = {
    "Blackjack": (-1.0, 1.5),
    "CliffWalking": (-100.0, -1.0),
    "FrozenLake": (0.0, 1.0),
    "Taxi": (-10.0, 20.0),
}


def known_range(env: Any) -> tuple[float, float] | None:
    """The rewards that an environment announces, or that are known of one of Gymnasium's; else None.

    None, too, where a wrapper changes them.
    """
    if "rewards" in changes(env):
        return None
    inner = _unwrapped(env)
    low, high = getattr(inner, "reward_range", None) or (-math.inf, math.inf)
    if math.isfinite(low) and math.isfinite(high):
        return float(low), float(high)
    kind = type(inner)
    ours = kind.__module__.startswith("gymnasium.")
    return _KNOWN.get(kind.__name__.removesuffix("Env")) if ours else None


def _of_table(table: Table, starts: Any) -> _Facts:
    """What the dictionary P of a toy-text environment says: P[s][a] is a list of (p, next, reward, done)."""
    rows = [row for s in table for a in table[s] for row in table[s][a] if row[0] > 0]
    rewards = [float(row[2]) for row in rows]
    low, high = min(rewards), max(rewards)
    if low == high:
        low, high = min(low, 0.0), max(high, 1.0) if low >= 0 else 0.0
    facts = _Facts(len(table), max(len(table[s]) for s in table), (low, high), any(row[3] for row in rows))
    if starts is not None:
        facts.absent = ~_reached(table, np.flatnonzero(np.asarray(starts) > 0).tolist())
    return facts


def _reached(table: Table, starts: list[int]) -> BoolArray:
    """The states in which an agent may have to act."""
    reached = np.zeros(len(table), dtype=np.bool_)
    reached[starts] = True
    open_ = list(starts)
    while open_:
        s = open_.pop()
        for outcomes in table[s].values():
            for p, after, _, done in outcomes:
                if p > 0 and not done and not reached[after]:
                    reached[after] = True
                    open_.append(int(after))
    return reached
