"""Training and evaluation: agents in Gymnasium environments."""

from __future__ import annotations

import bisect
import time
import weakref
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from farsight import _core
from farsight._problems import is_vector, spaces_of
from farsight._specs import find_spec
from farsight._typing import BoolArray, FloatArray, IntArray
from farsight._words import counted, whole
from farsight.agent import Agent
from farsight.progress import ProgressOf, reporting
from farsight.pyagent import PyAgent
from farsight.spaces import (
    ArrayNumbers,
    DictNumbers,
    DiscreteNumbers,
    Numbers,
    StateNumbers,
    TupleNumbers,
    space_numbers,
)

Callback = Callable[[int, int, int, float, "int | None", bool, bool], object]


@dataclass
class Training:
    """What happened in a call of ``train``."""

    rewards: FloatArray = field(repr=False)
    """The reward of each step."""
    returns: FloatArray = field(repr=False)
    """The total reward of each episode that ended, including its steps of an earlier call."""
    lengths: IntArray = field(repr=False)
    """The steps of each such episode."""
    terminated: BoolArray = field(repr=False)
    """Whether each such episode reached a terminal state; else it was truncated."""
    seconds: float = 0.0
    """How long the call took."""

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.rewards)

    @property
    def episodes(self) -> int:
        """The number of episodes that ended."""
        return len(self.returns)

    @property
    def total(self) -> float:
        """The sum of the rewards, added in their order."""
        return float(np.cumsum(self.rewards)[-1]) if len(self.rewards) else 0.0

    def __repr__(self) -> str:
        mean = f", mean return {self.returns.mean():.4g}" if self.episodes else ""
        return f"<Training: {self.steps} steps, {self.episodes} episodes, total {self.total:.6g}{mean}>"


class TrainingProgress(NamedTuple):
    """How far training is; what a function given as ``progress`` is called with."""

    steps_done: int
    steps: int | None
    """None: no limit."""
    episodes_done: int
    episodes: int | None
    seconds: float
    """Since the start."""

    @property
    def share(self) -> float | None:
        """The share of the steps or episodes that is done, whichever is larger, in 0 ... 1."""
        of_steps = self.steps_done / self.steps if self.steps else 0.0
        return max(of_steps, self.episodes_done / self.episodes if self.episodes else 0.0)

    def __str__(self) -> str:
        return f"{counted(self.steps_done, 'step')}, {counted(self.episodes_done, 'episode')}"


@dataclass
class Evaluation:
    """The episodes of a call of ``evaluate``."""

    returns: FloatArray = field(repr=False)
    """The total reward of each episode, not discounted."""
    lengths: IntArray = field(repr=False)
    """The steps of each episode."""

    @property
    def mean(self) -> float:
        """The mean return."""
        return float(self.returns.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean; NaN for one episode."""
        return (
            float(self.returns.std(ddof=1) / len(self.returns) ** 0.5)
            if len(self.returns) > 1
            else float("nan")
        )

    def __repr__(self) -> str:
        return f"<Evaluation: {len(self.returns)} episodes, mean return {self.mean:.6g} ± {self.error:.2g}>"


@dataclass
class _Record:
    """What is written down while training goes on."""

    rewards: array[float] = field(default_factory=lambda: array("d"))
    returns: array[float] = field(default_factory=lambda: array("d"))
    lengths: array[int] = field(default_factory=lambda: array("q"))
    terminated: array[int] = field(default_factory=lambda: array("b"))

    def end(self, total: float, length: int, terminated: bool) -> None:
        self.returns.append(total)
        self.lengths.append(length)
        self.terminated.append(terminated)

    def training(self, seconds: float) -> Training:
        return Training(
            np.array(self.rewards, dtype=np.float64),
            np.array(self.returns, dtype=np.float64),
            np.array(self.lengths, dtype=np.int64),
            np.array(self.terminated, dtype=np.bool_),
            seconds,
        )


@dataclass
class _Position:
    """Where a call stopped: the next one continues there if nobody else has used the environment."""

    agent: weakref.ref[Agent | PyAgent]
    mark: Any
    place: Any  # of _Single or _Many


_positions: weakref.WeakKeyDictionary[Any, _Position] = weakref.WeakKeyDictionary()


def _mark(env: Any) -> list[str | None]:
    """Changes when anyone else steps or resets the environment, as far as that can be seen.

    In the same state of the same episode it is right to continue, whatever has happened in between.
    """
    inner = env.unwrapped
    random = getattr(inner, "_np_random", None)
    marks = [repr(random.bit_generator.state) if random is not None else None]
    marks += [repr(getattr(inner, name, None)) for name in ("s", "state")]
    marks += [repr(worlds.states)] if (worlds := getattr(inner, "worlds", None)) is not None else []
    marks += [mark for part in getattr(inner, "envs", ()) for mark in _mark(part)]
    layer = env
    while layer is not None:  # a wrapper that limits time counts its steps
        marks.append(repr(layer.__dict__.get("_elapsed_steps")))
        layer = layer.__dict__.get("env")
    return marks


class _Guest:
    """An agent written in Python, with the calls of the others."""

    def __init__(self, agent: PyAgent) -> None:
        self.agent, self.act = agent, agent.act
        self.n_states, self.n_actions = agent.n_states, agent.n_actions
        self.states = self.actions = None

    def observe(self, s: int, a: int, r: float, next: int | None, terminated: bool, truncated: bool) -> None:
        after = s if next is None else next  # has no meaning then
        self.agent.observe(s, a, float(r), after, bool(terminated), bool(truncated))

    def act_many(self, states: IntArray) -> IntArray:
        return np.array([self.act(s) for s in states.tolist()], dtype=np.int64)

    def observe_many(self, *columns: npt.NDArray[Any]) -> None:
        for row in zip(*(column.tolist() for column in columns), strict=True):
            self.observe(*row)


# ---- one environment ----


class _Single:
    """An agent in one environment, step by step."""

    most = 1 << 10  # steps a call; progress is shown between calls

    def __init__(
        self, agent: Agent | _Guest, env: Any, states: Numbers, actions: Numbers, record: _Record
    ) -> None:
        self.agent, self.env, self.states, self.actions, self.record = agent, env, states, actions, record
        self.s = 0
        self.over = True  # a new episode is to begin
        self.total, self.length = 0.0, 0

    def begin(self, seed: int | None = None) -> None:
        observation, _ = self.env.reset(seed=seed)
        self.s = self.states.number(observation)
        self.over = False
        self.total, self.length = 0.0, 0

    def place(self) -> Any:
        return self.s, self.over, self.total, self.length

    def go_to(self, place: Any) -> None:
        self.s, self.over, self.total, self.length = place

    def go(self, steps: int | None, episodes: int | None, callback: Callback | None) -> bool:
        """Up to so many steps and episodes, and to `most` steps; false if the callback wants to stop."""
        act, observe, step = self.agent.act, self.agent.observe, self.env.step
        number = index if _identity(self.states) else self.states.number
        item = index if _identity(self.actions) else self.actions.item
        rewards = self.record.rewards
        for _ in range(self.most if steps is None else min(steps, self.most)):
            if self.over:
                self.begin()
            s = self.s
            a = act(s)
            observation, reward, terminated, truncated, _ = step(item(a))
            after = None if terminated else number(observation)
            observe(s, a, reward, after, terminated, truncated)
            reward = float(reward)
            rewards.append(reward)
            self.total += reward
            self.length += 1
            if terminated or truncated:
                self.record.end(self.total, self.length, bool(terminated))
                self.over = True
            else:
                self.s = after  # type: ignore[assignment]
            if callback is not None:
                seen = len(rewards), s, a, reward, after, bool(terminated), bool(truncated)
                if callback(*seen) is False:
                    return False
            if self.over and episodes is not None:
                episodes -= 1
                if episodes == 0:
                    break
        return True


class _Native(_Single):
    """The same in one of our own environments: the extension does many steps a call, with the same result."""

    most = 1 << 14  # steps a call; Ctrl-C is seen between calls

    def prepare(self, agent: Agent, limit: Any) -> None:
        """Where a wrapper limits time, it is told how far its episode is."""
        self.ours, self.limit = agent, limit

    def go(self, steps: int | None, episodes: int | None, callback: Callback | None) -> bool:
        """Up to so many steps and episodes, and to `most` steps."""
        room = self.most if steps is None else min(steps, self.most)
        arrays = (
            np.empty(room),
            np.empty(room),
            np.empty(room, dtype=np.int64),
            np.empty(room, dtype=np.bool_),
        )
        most = np.iinfo(np.int64).max if episodes is None else episodes
        limit = self.limit._max_episode_steps if self.limit is not None else 0
        worlds = self.env.unwrapped.worlds
        done, ended, *place = _core.train_in(
            self.ours, worlds, self.s, self.over, self.total, self.length, limit, arrays, int(most)
        )
        self.go_to(place)
        rewards, returns, lengths, terminated = arrays
        self.record.rewards.frombytes(rewards[:done].tobytes())
        self.record.returns.frombytes(returns[:ended].tobytes())
        self.record.lengths.frombytes(lengths[:ended].tobytes())
        self.record.terminated.frombytes(terminated[:ended].tobytes())
        if self.limit is not None:
            self.limit._elapsed_steps = self.length
        return True


def _native(loop: _Single | _Many, env: Any) -> _Native | None:
    """The fast loop, where it does the same: our own environment, plain numbers, no wrapper but of time."""
    try:
        from gymnasium.wrappers import TimeLimit

        from farsight.envs import MDPEnv
    except ImportError:  # an environment that only looks like one of Gymnasium's
        return None
    limit = env if type(env) is TimeLimit else None
    inner = env.env if limit is not None else env
    plain = (
        isinstance(inner, MDPEnv) and type(inner).step is MDPEnv.step and type(inner).reset is MDPEnv.reset
    )
    if not plain or not (_identity(loop.states) and _identity(loop.actions)):
        return None
    if not isinstance(loop.agent, Agent):
        return None
    if type(loop.agent).act is not Agent.act or type(loop.agent).observe is not Agent.observe:
        return None  # a subclass that watches or changes the steps
    if (loop.agent.n_states, loop.agent.n_actions) != (inner.model.n_states, inner.model.n_actions):
        return None
    native = _Native(loop.agent, env, loop.states, loop.actions, loop.record)
    native.prepare(loop.agent, limit)
    return native


def _identity(numbers: Numbers) -> bool:
    return type(numbers) is DiscreteNumbers and numbers.start == 0


# ---- a vector environment ----


class _Many:
    """An agent in all parts of a vector environment: it chooses for all, then learns from all, in order."""

    def __init__(
        self, agent: Agent | _Guest, env: Any, states: Numbers, actions: Numbers, record: _Record
    ) -> None:
        self.agent, self.env, self.states, self.actions, self.record = agent, env, states, actions, record
        self.mode = _autoreset(env)
        self.fresh = True  # never reset
        self.s: IntArray = np.zeros(env.num_envs, dtype=np.int64)
        self.over = np.zeros(env.num_envs, dtype=np.bool_)  # the next step only begins an episode
        self.totals = np.zeros(env.num_envs)
        self.lengths = np.zeros(env.num_envs, dtype=np.int64)

    def begin(self, seed: int | None = None) -> None:
        observations, _ = self.env.reset(seed=seed)
        self.s = self._numbers(observations)
        self.fresh = False
        self.over[:] = False
        self.totals[:], self.lengths[:] = 0, 0

    def place(self) -> Any:
        return self.s, self.fresh, self.over, self.totals, self.lengths

    def go_to(self, place: Any) -> None:
        self.s, self.fresh, self.over, self.totals, self.lengths = place

    def _numbers(self, observations: Any, which: BoolArray | None = None) -> IntArray:
        """The states of observations; 0 for those that are not looked at."""
        if not isinstance(self.states, StateNumbers):
            return self.states.numbers(observations)
        from gymnasium.vector.utils import iterate

        items = iterate(self.env.observation_space, observations)
        looked_at = which if which is not None else np.ones(self.env.num_envs, dtype=np.bool_)
        return np.array([self.states.number(o) if w else 0 for o, w in zip(items, looked_at, strict=True)])

    def _reached(
        self, observations: Any, info: dict[str, Any], ended: Any, terminated: Any
    ) -> tuple[IntArray, IntArray]:
        """Where the step has led, and where each part continues."""
        if self.mode != "same" or not ended.any():
            return (after := self._numbers(observations, ~terminated)), after
        continues = self._numbers(observations)
        reached = continues.copy()
        final = info["final_obs"] if "final_obs" in info else info["final_observation"]
        for i in np.flatnonzero(ended & ~terminated):
            reached[i] = self.states.number(_part(final, int(i)))
        return reached, continues

    def go(self, steps: int | None, episodes: int | None, callback: Callback | None) -> bool:
        """One step of all parts; false if the callback wants to stop."""
        if self.fresh:
            self.begin()
        s, learns = self.s, ~self.over
        a = np.zeros(len(s), dtype=np.int64)
        a[learns] = self.agent.act_many(s[learns])
        observations, rewards, terminated, truncated, info = self.env.step(self.actions.items(a))
        terminated, truncated = terminated & learns, truncated & learns
        ended = terminated | truncated
        reached, continues = self._reached(observations, info, ended, terminated)
        self._learn(learns, s, a, rewards, reached, terminated, truncated)
        self._write(learns, rewards, ended, terminated)
        self._go_on(continues, ended)
        return callback is None or self._call(callback, learns, s, a, rewards, reached, terminated, truncated)

    def _learn(self, w: Any, s: Any, a: Any, r: Any, after: Any, terminated: Any, truncated: Any) -> None:
        r = np.asarray(r, dtype=np.float64)
        self.agent.observe_many(s[w], a[w], r[w], after[w], terminated[w], truncated[w])

    def _write(self, learns: Any, rewards: Any, ended: Any, terminated: Any) -> None:
        self.record.rewards.extend(np.asarray(rewards, dtype=np.float64)[learns].tolist())
        self.totals[learns] += rewards[learns]
        self.lengths[learns] += 1
        for i in np.flatnonzero(ended):
            self.record.end(float(self.totals[i]), int(self.lengths[i]), bool(terminated[i]))
        self.totals[ended], self.lengths[ended] = 0, 0

    def _go_on(self, continues: IntArray, ended: Any) -> None:
        self.s = continues
        self.over = ended if self.mode == "next" else np.zeros_like(ended)
        if self.mode == "disabled" and ended.any():
            observations, _ = self.env.reset(options={"reset_mask": ended})
            self.s = self._numbers(observations)

    def _call(self, callback: Callback, learns: Any, *columns: Any) -> bool:
        n = len(self.record.rewards) - int(learns.sum())
        for k, i in enumerate(np.flatnonzero(learns)):
            s, a, r, after, terminated, truncated = (column[i] for column in columns)
            last = None if terminated else int(after)
            if (
                callback(n + k + 1, int(s), int(a), float(r), last, bool(terminated), bool(truncated))
                is False
            ):
                return False
        return True


def _autoreset(env: Any) -> str:
    """When a part begins its next episode: "next", "same" or "disabled" (Gymnasium's AutoresetMode)."""
    mode = env.metadata.get("autoreset_mode", "NextStep")
    name = str(getattr(mode, "value", mode))
    return {"NextStep": "next", "SameStep": "same", "Disabled": "disabled"}[name]


def _part(batch: Any, i: int) -> Any:
    """Element i of a batch: an array, or a tuple or dictionary of arrays."""
    if isinstance(batch, dict):
        return {key: _part(value, i) for key, value in batch.items()}
    if isinstance(batch, tuple):
        return tuple(_part(value, i) for value in batch)
    return batch[i]


# ---- training ----


def train(
    agent: Agent | PyAgent,
    env: Any,
    steps: int | float | None = None,
    *,
    episodes: int | float | None = None,
    seed: int | None = None,
    progress: ProgressOf[TrainingProgress] = "auto",
    callback: Callback | None = None,
    states: Numbers | None = None,
    actions: Numbers | None = None,
) -> Training:
    """Let an agent act and learn in a Gymnasium environment or vector environment.

    A second call with the same agent and environment continues where the first stopped, also within an
    episode, unless a seed is given or something else has used the environment since. After Ctrl-C the agent
    keeps what it has learned, and the next call begins a new episode.

    A terminated step is learned without a next state. A truncated one is learned with it: the value of the
    state that was reached counts, but the episode does not continue there. In a vector environment, the agent
    chooses the actions of all parts, and then learns from all transitions in the order of the parts.

    An agent that has learned nothing is told how many steps there will be: ``steps``, or ``episodes`` times the time
    limit of an episode, where there is one. It matters to agents with a parameter ``steps`` that was not given, and
    to those with ``gamma="short"``; all others are the same to the bit. What several calls have together is told by
    ``fs.Agent(..., steps=...)``.

    Args:
        agent: learns; also one written in Python, made by its class's ``on(env)``.
        env: must have enumerable spaces, or the agent must have been created with mappers.
        steps: transitions to learn from; a vector environment may overshoot by up to its size less one.
        episodes: stop after so many episodes (whichever comes first).
        seed: of env.reset; begins a new episode.
        progress: "auto" (a bar on a terminal or in a notebook), True, False, or a function of a
            :class:`~farsight.training.TrainingProgress`.
        callback: called after each step with (step, s, a, r, next, terminated, truncated); next is None if
            terminated. Training ends if it returns False.
        states: how observations become state numbers; by default agent.states, or else by env's space.
        actions: how action numbers become actions.

    Returns:
        The rewards of all steps, and the returns and lengths of the episodes that ended.

    >>> import farsight as fs, gymnasium as gym
    >>> env = gym.make("FrozenLake-v1", is_slippery=False)
    >>> agent = fs.Agent("r-max", env=env, m=1)
    >>> fs.train(agent, env, steps=2000, seed=1).steps
    2000
    """
    record = _Record()
    loop = _loop(agent, env, states, actions, record)
    if steps is None and episodes is None:
        raise ValueError("give steps=..., episodes=... or both")
    most, last = _limit(steps, "steps"), _limit(episodes, "episodes")
    if isinstance(agent, Agent):
        agent._expect(_expected(agent, env, most, last))
    if callback is None:
        loop = _native(loop, env) or loop
    _take_place(loop, agent, env, None if seed is None else whole(seed, "seed"))
    started = time.perf_counter()
    with reporting(progress, TrainingProgress) as report:
        shown = started
        while (most is None or len(record.rewards) < most) and (last is None or len(record.returns) < last):
            if not loop.go(*_left(record, most, last), callback):
                break
            if report is not None and (now := time.perf_counter()) > shown + 0.1:
                report(len(record.rewards), most, len(record.returns), last, now - started)
                shown = now
    _positions[env] = _Position(weakref.ref(agent), _mark(env), loop.place())
    return record.training(time.perf_counter() - started)


def _expected(agent: Agent, env: Any, steps: int | None, episodes: int | None) -> int:
    """How many steps a call can have at most; 0: not known."""
    limit = agent.horizon or getattr(getattr(env, "spec", None), "max_episode_steps", None)
    by_episodes = episodes * limit if episodes is not None and isinstance(limit, int) else None
    known = [count for count in (steps, by_episodes) if count is not None]
    return min(known, default=0)


def _limit(given: int | float | None, name: str) -> int | None:
    limit = None if given is None else whole(given, name)
    if limit is not None and limit < 0:
        raise ValueError(f"{name} is {limit}: must be at least 0")
    return limit


def _loop(
    agent: Agent | PyAgent, env: Any, states: Numbers | None, actions: Numbers | None, record: _Record
) -> _Single | _Many:
    if not isinstance(agent, (Agent, PyAgent)):
        raise TypeError(f"agent is {_no_agent(agent)}")
    if not hasattr(env, "observation_space"):
        raise TypeError(f"env is {env!r}: must be a Gymnasium environment; fs.run runs models")
    many = is_vector(env)
    own = (agent.states, agent.actions) if isinstance(agent, Agent) else (None, None)
    learner = _Guest(agent) if isinstance(agent, PyAgent) else agent
    states, actions = (
        numbers if numbers is not None else mapper if mapper is not None else space_numbers(space)
        for numbers, mapper, space in zip((states, actions), own, spaces_of(env), strict=True)
    )
    sizes = (("states", agent.n_states, states), ("actions", agent.n_actions, actions))
    for (name, mine, numbers), space in zip(sizes, spaces_of(env), strict=True):
        theirs, exact = _size(numbers, space)
        if mine < theirs or (exact and mine > theirs):
            raise ValueError(f"the agent was made for {mine} {name} and the environment has {theirs}")
    return (_Many if many else _Single)(learner, env, states, actions, record)


def _no_agent(given: Any) -> str:
    """What was given in place of an agent, and how one is made of it."""
    if isinstance(given, type) and issubclass(given, PyAgent):
        return f"the class {given.__name__}: give {given.__name__}.on(env)"
    spec = given if isinstance(given, str) else None if isinstance(given, type) else find_spec(given)
    made = f"make one by fs.Agent({spec!r}, env=env)" if spec is not None else "must be a farsight.Agent"
    return f"{given!r}: {made}"


def _size(numbers: Numbers, space: Any) -> tuple[int, bool]:
    """How many there are, and whether that is exact: a mapper that is no enumeration may have room."""
    if not isinstance(numbers, (DiscreteNumbers, ArrayNumbers, TupleNumbers, DictNumbers)):
        return numbers.n, False
    try:
        return space_numbers(space).n, True
    except (ImportError, ValueError):  # a mapper of a space that cannot be enumerated
        return numbers.n, True


def _left(record: _Record, steps: int | None, episodes: int | None) -> tuple[int | None, int | None]:
    """How many more of each there may be."""
    return (
        None if steps is None else steps - len(record.rewards),
        None if episodes is None else episodes - len(record.returns),
    )


def _take_place(loop: _Single | _Many, agent: Agent | PyAgent, env: Any, seed: int | None) -> None:
    last = _positions.pop(env, None)  # an interrupted call leaves none
    if seed is None and last is not None and last.agent() is agent and last.mark == _mark(env):
        loop.go_to(last.place)
    else:
        loop.begin(seed)


# ---- evaluation ----


def evaluate(
    agent: Agent | PyAgent,
    env: Any,
    episodes: int | float = 100,
    *,
    deterministic: bool = True,
    seed: int | None = None,
    max_steps: int | None = None,
) -> Evaluation:
    """The returns of an agent that does not learn.

    With ``deterministic`` it takes the greedy actions, by its values without a bonus; else those that it
    would take while learning, of a copy, so that the agent itself does not change. An agent written in Python
    always takes its own actions.

    Args:
        agent: is not changed.
        env: a Gymnasium environment.
        episodes: how many.
        deterministic: take the greedy actions.
        seed: of env.reset.
        max_steps: ends an episode after so many steps; for environments without a time limit, in which a
            greedy agent may stay for ever.

    >>> import farsight as fs, gymnasium as gym
    >>> env = gym.make("FrozenLake-v1", is_slippery=False)
    >>> agent = fs.Agent("r-max", env=env, m=1)
    >>> training = fs.train(agent, env, steps=2000, seed=1)
    >>> fs.evaluate(agent, env, episodes=10).mean
    1.0
    """
    count = whole(episodes, "episodes")
    if count < 1:
        raise ValueError(f"episodes is {count}: must be at least 1")
    if is_vector(env):
        raise ValueError("evaluate takes one environment, not a vector environment")
    first = None if seed is None else whole(seed, "seed")
    _positions.pop(env, None)
    loop = _loop(agent, env, None, None, _Record())
    choose = _chooser(agent, deterministic, _core.Random(1 if first is None else first))
    returns, lengths = [], []
    for k in range(count):
        total, length = _episode(env, loop.states, loop.actions, choose, first if k == 0 else None, max_steps)
        returns.append(total)
        lengths.append(length)
    return Evaluation(np.array(returns), np.array(lengths))


def _chooser(agent: Agent | PyAgent, deterministic: bool, random: _core.Random) -> Callable[[int, int], int]:
    """The action in a state at a step of the episode, from 0."""
    if isinstance(agent, PyAgent):
        plain = agent.copy().act
        return lambda s, h: plain(s)
    if agent.by_step and (deterministic or agent._policy(0) is not None):
        return _chooser_by_step(agent, deterministic, random)
    if not deterministic:
        act = agent._clone().act
        return lambda s, h: act(s)
    greedy = agent.greedy.tolist()
    return lambda s, h: greedy[s]


def _chooser_by_step(agent: Agent, deterministic: bool, random: _core.Random) -> Callable[[int, int], int]:
    """A copy that does not learn stays at its step: the policy of each step is asked for."""
    last = (agent.horizon or 1) - 1
    tables: dict[int, list[Any]] = {}

    def table(h: int) -> list[Any]:
        if h not in tables:
            tables[h] = (agent.greedy_at(h) if deterministic else agent.policy_at(h).cumsum(axis=1)).tolist()
        return tables[h]

    def greedy(s: int, h: int) -> int:
        return int(table(min(h, last))[s])

    def drawn(s: int, h: int) -> int:
        row = table(min(h, last))[s]
        return min(bisect.bisect_right(row, random.uniform()), len(row) - 1)

    return greedy if deterministic else drawn


def _episode(
    env: Any,
    states: Numbers,
    actions: Numbers,
    choose: Callable[[int, int], int],
    seed: int | None,
    max_steps: int | None,
) -> tuple[float, int]:
    observation, _ = env.reset(seed=seed)
    total, length, over = 0.0, 0, False
    while not over and (max_steps is None or length < max_steps):
        a = choose(states.number(observation), length)
        observation, reward, terminated, truncated, _ = env.step(actions.item(a))
        total += float(reward)
        length += 1
        over = terminated or truncated
    return total, length
