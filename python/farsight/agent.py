"""Agents: learners that see states, actions and rewards, never the model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from farsight import _core, _specs
from farsight._problems import problem
from farsight._typing import FloatArray, IntArray
from farsight._words import optional, seed_of
from farsight.pyagent import PyAgent
from farsight.spaces import Numbers

if TYPE_CHECKING:
    from typing_extensions import Self

    from farsight.catalog import Entry


_KINDS = ("q", "bonus", "e", "samples", "learning")
_Self = TypeVar("_Self", bound="Agent")


def _fixed(array: FloatArray) -> FloatArray:
    """Read-only: what is written to it would change nothing in the agent."""
    array.flags.writeable = False
    return array


class Agent(_core.Agent):
    """A learner, made from a spec: an algorithm and its parameters.

    The problem is ``env``: a Gymnasium environment or vector environment, a model (``fs.MDP``), or the spec
    of one of our environments; or else its sizes and the range of its rewards. Parameters of the algorithm
    are keywords (``fs.agents`` lists them); one whose name is a word of Python has an underscore after it:
    ``lambda_``. It plans with the discount of the problem (``MDP.gamma``; 0.95 where nobody says) unless ``gamma``
    is given.

    >>> import farsight as fs
    >>> agent = fs.Agent("directed-delayed-q", env="chain:n=10", gamma_e=0.99)
    >>> a = agent.act(0)
    >>> agent.observe(0, a, 0.5, 1)
    >>> agent.q.shape, int(agent.visits.sum()), agent.steps
    ((10, 2), 1, 1)

    A loop of your own calls ``act`` and ``observe``; ``fs.train`` does it for Gymnasium environments.
    """

    states: Numbers | None
    """How observations become state numbers; None: they are numbers already."""
    actions: Numbers | None
    """How action numbers become actions of the environment."""
    _made: tuple[str, Any, int, int] | None = None  # spec, shape and stream; None: from a file

    def __init__(
        self,
        spec: str | type[PyAgent] | Entry,
        env: Any = None,
        *,
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
        **parameters: Any,
    ) -> None:
        """Create the agent.

        Args:
            spec: the algorithm, perhaps with parameters, as in "delayed-q:m=5"; or a class of agents
                written in Python, or an entry of fs.agents.
            env: a Gymnasium environment, a model, or a spec such as "chain:n=10".
            n_states: the number of states; instead of env, as the next three.
            n_actions: the number of actions.
            reward_range: the smallest and the largest reward. Gymnasium environments do not tell theirs,
                unless they show their model.
            episodic: whether episodes can end.
            absent: True for each state that is terminal or cannot be reached.
            episode_steps: the horizon: steps of an episode, for agents that plan for them.
            states: how observations become numbers; by default those of env's space are enumerated.
            actions: how numbers become actions; by default those of env's space are enumerated.
            seed: of the agent's random stream; None is 1, as everywhere.
            replicate: of the stream: replicate k of a run has the stream (seed, k).
            parameters: of the algorithm, added to the spec.
        """
        text = _specs.with_parameters(_specs.agent_spec(spec), parameters)
        found = problem(
            env,
            n_states=n_states,
            n_actions=n_actions,
            reward_range=reward_range,
            episodic=episodic,
            absent=absent,
            horizon=episode_steps,
            states=states,
            actions=actions,
        )
        super().__init__(text, found.shape, seed_of(seed), replicate)
        self._made = text, _core.shape_of(found.shape), seed_of(seed), replicate  # without the model
        self.states = found.states
        self.actions = found.actions

    def reset(self, seed: int | None = 1, replicate: int = 0) -> None:
        """Forget everything and start on the random stream (seed, replicate), as if created anew."""
        super().reset(seed, replicate)
        if self._made is not None:
            self._made = *self._made[:2], seed_of(seed), replicate

    def _expect(self, steps: int) -> None:
        """Make it anew for so many steps, if it has learned nothing and counts with a number that was not given."""
        if self._made is None or self.steps > 0 or steps < 1:
            return
        text, shape, seed, replicate = self._made
        told = (*shape[:9], steps)
        if _core.resolve_agent(text, told) != self.spec:
            super().__init__(text, told, seed, replicate)

    # ---- what it knows ----

    def values(self, kind: str, step: int | None = None) -> FloatArray:
        """A new array (n_states, n_actions) of "q", "bonus", "e", "samples" or "learning".

        Where there is a horizon, on this ``step`` of an episode, from 0; by default the present one. An
        AttributeError if the algorithm has none of the kind.
        """
        found: FloatArray | None = self._values(kind) if step is None else self._values(kind, step)
        if found is not None:
            return found
        have = [other for other in _KINDS if self._values(other) is not None]
        listed = f"it has {', '.join(have)}" if have else "it has no values"
        raise AttributeError(f"{_specs.name_of(self.spec)} has no '{kind}'; {listed}")

    @property
    def q(self) -> FloatArray:
        """The action values (n_states, n_actions), without a bonus."""
        return _fixed(self.values("q"))

    @property
    def bonus(self) -> FloatArray:
        """The exploration bonus (n_states, n_actions): the agent acts on q + bonus."""
        return _fixed(self.values("bonus"))

    @property
    def e(self) -> FloatArray:
        """The exploration values (n_states, n_actions)."""
        return _fixed(self.values("e"))

    @property
    def samples(self) -> FloatArray:
        """Samples (n_states, n_actions): of the open window in the delayed family, else visits."""
        return _fixed(self.values("samples"))

    @property
    def learning(self) -> FloatArray:
        """1 for each pair (n_states, n_actions) that is being learned, else 0."""
        return _fixed(self.values("learning"))

    @property
    def policy(self) -> FloatArray:
        """The probability (n_states, n_actions) of each action; rows of states that are not live are 0."""
        found: FloatArray | None = self._policy()
        if found is None:
            raise AttributeError(f"the policy of {self.spec} has no closed form: use act")
        return _fixed(found)

    def policy_at(self, step: int) -> FloatArray:
        """The policy of this step of an episode, from 0, where there is a horizon.

        >>> import farsight as fs
        >>> agent = fs.Agent("q-learning", "chain:n=4,horizon=5")
        >>> agent.horizon, agent.by_step, agent.policy_at(4).shape
        (5, False, (4, 2))
        """
        found: FloatArray | None = self._policy(step)
        if found is None:
            raise AttributeError(f"the policy of {self.spec} has no closed form: use act")
        return found

    @property
    def greedy(self) -> IntArray:
        """The best action (n_states,) by the values q, without a bonus; the first of equals.

        Of an agent without values, the most probable action.
        """
        q: FloatArray | None = self._values("q")
        return np.asarray(np.argmax(self.policy if q is None else q, axis=1), dtype=np.int64)

    def greedy_at(self, step: int) -> IntArray:
        """The best action (n_states,) of this step of an episode, from 0, where there is a horizon.

        >>> import farsight as fs
        >>> agent = fs.Agent("ucbvi", "chain:n=4,horizon=5")
        >>> agent.greedy_at(4).shape
        (4,)
        """
        q: FloatArray | None = self._values("q", step)
        return np.asarray(np.argmax(self.policy_at(step) if q is None else q, axis=1), dtype=np.int64)

    @property
    def params(self) -> Mapping[str, float | int | str]:
        """The algorithm's parameters with their values, those computed by default included; read-only."""
        from farsight.catalog import agents

        known = agents[_specs.name_of(self.spec)].parameters
        texts = _specs.values_of(self.spec)
        read = {key: known[key].read(text) if key in known else text for key, text in texts.items()}
        return MappingProxyType(read)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuses names of parameters, which an agent keeps from its beginning."""
        key = _specs.parameter(name)
        if key in _specs.values_of(self.spec):
            spec = _specs.name_of(self.spec)
            raise AttributeError(f"{key} is a parameter of {spec}, and stays as it is: make another agent, with {name}=...")
        super().__setattr__(name, value)

    # ---- choosing for others ----

    def predict(
        self,
        observation: Any,
        state: Any = None,
        episode_start: Any = None,
        deterministic: bool = False,
    ) -> tuple[Any, Any]:
        """The action for an observation or a batch of them, as Stable-Baselines3's evaluate_policy asks.

        With ``deterministic`` the greedy action. Else the one of ``act``, which may draw from the agent's
        random stream. Returns (actions, state); state is passed through, but where the greedy action depends
        on the step of the episode (``by_step``): there it is the number of steps, 0 where ``episode_start``.
        """
        batch = self.states.is_batch(observation) if self.states is not None else np.ndim(observation) > 0
        if batch:
            observed = self._numbers(observation)
        else:
            observed = np.array([self.states.number(observation) if self.states is not None else int(observation)])
        if deterministic and self.by_step:
            numbers, state = self._choose_by_step(observed, state, episode_start)
        else:
            numbers = self._choose(observed, deterministic)
        if batch:
            return (self.actions.items(numbers) if self.actions is not None else numbers), state
        a = int(numbers[0])
        return (self.actions.item(a) if self.actions is not None else a), state

    def _numbers(self, observations: Any) -> IntArray:
        return np.asarray(observations) if self.states is None else self.states.numbers(observations)

    def _choose_by_step(self, states: IntArray, at: Any, begin: Any) -> tuple[IntArray, IntArray]:
        """Greedy actions where these steps of episodes have been made, and the steps after them."""
        steps = np.zeros(states.shape, np.int64) if at is None else np.array(at, np.int64).reshape(states.shape)
        if begin is not None:
            steps[np.asarray(begin, bool).reshape(states.shape)] = 0
        last = (self.horizon or 1) - 1
        tables = {int(h): self.greedy_at(min(int(h), last)) for h in np.unique(steps)}
        chosen = [tables[int(h)][s] for h, s in zip(steps.flat, states.flat, strict=True)]
        return np.array(chosen, np.int64).reshape(states.shape), steps + 1

    def _choose(self, states: IntArray, deterministic: bool) -> IntArray:
        chosen: IntArray = self.greedy[states] if deterministic else self.act_many(states)
        return chosen

    # ---- saving and copying ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the agent to a file, which is replaced as a whole or not at all.

        The library's own format: other programs that use the library can read it. What only Python knows,
        visits and mappers, is not in it; pickle keeps everything.
        """
        self._save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """An agent from a file; it continues bit for bit where the saved one stood. Visits begin at 0."""
        loaded: Self = cls._load(path)
        loaded.states = loaded.actions = None
        return loaded

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Take the state of a saved agent of the same spec and shape. Visits begin at 0."""
        self._restore(path)
        self._made = None

    @classmethod
    def load_bytes(cls, data: bytes, /) -> Self:
        """An agent from what ``save_bytes`` returned; it continues bit for bit. Visits begin at 0."""
        loaded: Self = super().load_bytes(data)
        loaded.states = loaded.actions = None
        return loaded

    def plot(
        self,
        model: Any,
        what: str = "q",
        *,
        exact: bool = False,
        gamma: float | None = None,
        scale: Literal["auto", "linear", "log"] = "auto",
        width: float = 720.0,
        step: int | None = None,
    ) -> _core.Figure:
        """A figure of what it knows now, where the states of a model are.

        ``what`` is "q", "bonus", "e", "samples", "learning", "visits", "policy" or "value" (the greatest q of
        a state). With ``exact`` the optimal values or the optimal policy are drawn beside, with the problem's
        discount or ``gamma``. ``scale`` is that of the colours. Where there is a horizon, ``step`` is that of
        the episode whose values are shown, 0 by default; visits are counted over all steps and have none.

        >>> import farsight as fs
        >>> agent = fs.Agent("r-max:m=2", env="chain:n=10")
        >>> agent.plot("chain:n=10", "q")
        <Figure q: Action values Q>
        """
        from farsight._models import label_of, model_of

        known = model_of(model)
        name = {"samples": "n", "learning": "learn"}.get(what, what)
        look: dict[str, Any] = {"exact": exact, "gamma": optional(gamma, "gamma"), "scale": scale, "width": width}
        if step is not None:
            if what == "visits":
                raise ValueError("visits are counted over all steps of an episode: they have no step")
            if step < 0:
                raise ValueError(f"step {step}: must be at least 0")
            look["step"] = step
        return self._figure(known, name, label_of(model, known), **look)

    def copy(self) -> Self:
        """An independent copy: values, random stream, visits and mappers."""
        import copy

        return copy.deepcopy(self)

    def __copy__(self) -> Self:
        """An independent agent; attributes that Python added are shared."""
        other: Self = self._clone()
        other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """An independent agent; attributes that Python added are copied, too."""
        import copy

        other: Self = self._clone()
        memo[id(self)] = other
        other.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return other

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        """For pickle: everything, visits included."""
        state = dict(self.__dict__)
        if self.steps > 0:  # it has no use for the problem
            state.pop("_made", None)
        return _unpickle, (type(self), self.save_bytes(), np.array(self.visits)), state

    def __repr__(self) -> str:
        """The spec, the size of the problem and the steps so far."""
        sizes = f"{self.n_states} states, {self.n_actions} actions, {self.steps} steps"
        return f"<{type(self).__name__} {self.spec} ({sizes})>"


def _unpickle(cls: type[_Self], data: bytes, visits: IntArray) -> _Self:
    made: _Self = cls.load_bytes(data)
    made._set_visits(visits)
    return made
