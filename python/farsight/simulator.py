"""Environments without a model, such as those of Gymnasium, in studies."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

from farsight import _core
from farsight._errors import InvalidError, missing
from farsight._problems import known_range
from farsight._words import checked_gamma, checked_horizon, reward_range
from farsight.spaces import Numbers, space_numbers

Reset = Callable[[int], int]
Step = Callable[[int], tuple[int, float, bool, bool]]


class Simulator(_core.Simulator):
    """An environment of Gymnasium without a table of its transitions, for :func:`farsight.run` and :func:`farsight.tune`.

    ``env`` is the id of an environment, with keywords for ``gymnasium.make``, or a function that makes one.
    Its spaces must be enumerable (Discrete, MultiDiscrete, MultiBinary, or a Tuple or Dict of these), unless
    ``states`` and ``actions`` say how observations and actions get numbers. Every reward must lie in
    ``reward_range``, (low, high). Gymnasium does not tell it, so it must be given, but for a few
    environments. ``gamma`` is the problem's discount, the same for all agents; 0.95 by default. ``horizon`` in
    its place cuts every episode after so many steps, and agents that plan for a finite horizon can be run;
    ``"limit"`` takes the time limit with which Gymnasium made the environment.

    >>> import farsight as fs
    >>> blackjack = fs.Simulator("Blackjack-v1")
    >>> blackjack.n_states, blackjack.n_actions
    (704, 2)
    >>> r = fs.run(blackjack, ["q-learning", "random"], steps=500, runs=4, progress=False)
    >>> r.envs, r.totals(agent="random").shape
    (['Blackjack-v1'], (4,))

    Every worker thread makes an environment of its own. At the start of each episode the environment is
    seeded from the random stream of the run. So results can be repeated, do not depend on the threads, and
    all agents see the same seeds, as long as the environment draws from its own ``np_random`` alone.

    What needs a model does not apply: exact solutions, and most metrics (``episodes``, ``return``,
    ``success:at_least=`` and a few more remain; ``fs.metrics`` says which).

    **Stores.** A store knows the runs of a model by its content. Those of a simulator it knows by ``name`` and
    ``version``, as ``simulator:NAME@VERSION``, and by the shape: states, actions, rewards and horizon. Give it another
    version whenever the environment changes; the runs of one version are taken to be the same, and one version with
    two shapes is refused. Without a version ``store=`` is an error. A version is 1 to 64 letters, digits and any of
    ``. _ + -``. The environment of a function needs a ``name`` beside it.

    **Speed.** Every step is a call into Python under the interpreter lock: about as many steps a second as
    the environment makes in a plain loop, whatever the number of threads. An environment that shows its table
    of transitions is much faster as a model: :meth:`farsight.MDP.from_gymnasium`.
    """

    states: Numbers
    """How observations become numbers of states."""
    actions: Numbers
    """How numbers become actions."""
    _made: tuple[Any, dict[str, Any]]

    def __new__(
        cls,
        env: str | Callable[..., Any],
        *,
        reward_range: tuple[float, float] | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        gamma: float | None = None,
        horizon: int | Literal["limit"] | None = None,
        name: str | None = None,
        version: str | None = None,
        **keywords: Any,
    ) -> Simulator:
        if version is not None and name is None and not isinstance(env, str):
            raise InvalidError("a version needs a name beside it, by which stores know the simulator: name='my-env'")
        if gamma is not None and horizon is not None:
            raise InvalidError("gamma and horizon do not go together: a problem has one criterion")
        discount = 0.0 if gamma is None else checked_gamma(gamma)
        make = _factory(env, keywords)
        example = make()
        try:
            states = states if states is not None else space_numbers(example.observation_space)
            actions = actions if actions is not None else space_numbers(example.action_space)
            low, high = _reward_range(example, reward_range)
            name = name if name is not None else _name_of(env, example, keywords)
            steps = _horizon(example, horizon)
        finally:
            example.close()
        shape = (states.n, actions.n, low, high, True, None, steps, discount)
        self = super().__new__(cls, name, shape, _maker(make, states, actions), version)
        self.states, self.actions = states, actions
        own = {"reward_range": (low, high), "states": states, "actions": actions, "gamma": gamma}
        own |= {"horizon": steps or None, "name": name, "version": version}
        self._made = env, {**keywords, **own}
        return self

    def with_gamma(self, gamma: float) -> Simulator:
        """The same simulator with this discount, if it has none; a ValueError if it has another."""
        env, named = self._made
        if named["gamma"] == checked_gamma(gamma):
            return self
        if named["horizon"] is not None:
            return self
        if named["gamma"] is not None:
            raise InvalidError(f"{self!r} has the discount {named['gamma']!r}, and gamma is {gamma!r}: give one of them")
        return _again(type(self), env, {**named, "gamma": gamma})

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), *self._made)

    @property
    def n_states(self) -> int:
        """The number of states."""
        return self.shape[0]

    @property
    def n_actions(self) -> int:
        """The number of actions."""
        return self.shape[1]

    @property
    def gamma(self) -> float:
        """The problem's discount."""
        return self.shape[7] or 0.95

    @property
    def horizon(self) -> int | None:
        """The steps after which every episode is cut; None: there is no horizon."""
        return self.shape[6] or None

    @property
    def reward_range(self) -> tuple[float, float]:
        """The smallest and the largest reward."""
        return self.shape[2], self.shape[3]

    def __repr__(self) -> str:
        low, high = self.reward_range
        sizes = f"{self.n_states} states, {self.n_actions} actions, rewards {low:g} ... {high:g}"
        version = "" if self.version is None else f"@{self.version}"
        return f"<Simulator {self.name}{version}: {sizes}>"


def _horizon(example: Any, given: int | str | None) -> int:
    """Steps of an episode; 0: there is no horizon."""
    if given is None:
        return 0
    if given != "limit":
        return checked_horizon(given)
    limit = getattr(getattr(example, "spec", None), "max_episode_steps", None)
    if limit is None:
        raise InvalidError('horizon="limit": the environment was made without a time limit; give the number of steps')
    return int(limit)


def _again(kind: type[Simulator], env: Any, named: dict[str, Any]) -> Simulator:
    """The same simulator in another process."""
    return kind(env, **named)


def _factory(env: str | Callable[..., Any], keywords: dict[str, Any]) -> Callable[[], Any]:
    if callable(env):
        return lambda: env(**keywords)
    if not isinstance(env, str):
        raise TypeError(
            f"env must be the id of a Gymnasium environment or a function that makes one, not {env!r}"
        )
    try:
        import gymnasium
    except ImportError:
        raise missing("Gymnasium", "gymnasium") from None
    return lambda: gymnasium.make(env, **keywords)


def _name_of(env: str | Callable[..., Any], example: Any, keywords: dict[str, Any]) -> str:
    """As a spec would be written: Blackjack-v1:natural=True."""
    spec = getattr(example, "spec", None)
    own = getattr(spec, "id", None) or getattr(env, "__name__", type(example).__name__)
    name = env if isinstance(env, str) else str(own)
    pairs = ",".join(f"{key}={value}" for key, value in keywords.items())
    return f"{name}:{pairs}" if pairs else name


def _reward_range(example: Any, given: tuple[float, float] | None) -> tuple[float, float]:
    found = known_range(example) if given is None else reward_range(given)
    if found is not None and math.isfinite(found[0]) and math.isfinite(found[1]):
        return found
    raise ValueError(f"the rewards of {example} are not known: give reward_range=(low, high)")


def _maker(make: Callable[[], Any], states: Numbers, actions: Numbers) -> Callable[[], tuple[Reset, Step]]:
    """What the library calls once in every thread."""

    def world() -> tuple[Reset, Step]:
        made = _World(make(), states, actions)
        return made.reset, made.step

    return world


class _World:
    """The environment of one thread; closed when the library lets go of its methods."""

    def __init__(self, env: Any, states: Numbers, actions: Numbers) -> None:
        self._env = env
        self._step, self._number, self._item = env.step, states.number, actions.item

    def reset(self, seed: int) -> int:
        observation, _ = self._env.reset(seed=seed)
        return self._number(observation)

    def step(self, action: int) -> tuple[int, float, bool, bool]:
        observation, reward, terminated, truncated, _ = self._step(self._item(action))
        number = 0 if terminated else self._number(observation)
        return number, float(reward), bool(terminated), bool(truncated)

    def __del__(self) -> None:
        env = getattr(self, "_env", None)
        if env is not None:  # else none was made
            env.close()
