"""The C extension. Written by scripts/python-stubs from its docstrings; do not edit."""

from farsight._typing import BoolArray, FloatArray, IntArray
from numpy.typing import ArrayLike
from os import PathLike
from typing import Any, final
from typing_extensions import Self

numerics: int
version: str

class Agent:
    """A learner. problem is a model, or a tuple (n_states, n_actions, reward_min, reward_max, episodic, absent)."""
    def __init__(
        self,
        spec: str,
        problem: Model | tuple[object, ...],
        seed: int = 1,
        replicate: int = 0,
    ) -> None: ...
    def _clone(self) -> Self:
        """An independent copy, random stream and visits included; attributes of a subclass are not."""
    @classmethod
    def _load(cls, path: str | bytes | PathLike[str], /) -> Self:
        """An agent from a file."""
    def _policy(self) -> FloatArray | None:
        """The probability of every action in every state; None if there is no closed form."""
    def _restore(self, path: str | bytes | PathLike[str], /) -> None:
        """Take the state of a saved agent of the same spec and shape; visits begin at 0."""
    def _save(self, path: str | bytes | PathLike[str], /) -> None:
        """Write the agent to a file, without its visits."""
    def _set_visits(self, visits: ArrayLike, /) -> None:
        """Set the counts of visits, as after loading."""
    def _values(self, kind: str, /) -> FloatArray | None:
        """q, bonus, e, samples or learning of every pair; None if the algorithm has none."""
    @property
    def absent(self) -> BoolArray:
        """True where a state is terminal or cannot be reached, as the agent was told."""
    def act(self, s: int, /) -> int:
        """The action to take in state s. Learns nothing; may draw from the agent's random stream."""
    def act_many(self, states: ArrayLike, /) -> IntArray:
        """The actions to take in many states, in their order: as one call of act for each."""
    @property
    def episodic(self) -> bool:
        """Whether episodes can end."""
    @classmethod
    def load_bytes(cls, data: bytes, /) -> Self:
        """An agent from bytes; it continues bit for bit where the saved one stood."""
    @property
    def n_actions(self) -> int:
        """The number of actions."""
    @property
    def n_states(self) -> int:
        """The number of states."""
    def observe(
        self,
        s: int,
        a: int,
        r: float,
        next: int | None,
        terminated: bool = False,
        truncated: bool = False,
    ) -> None:
        """Learn from one transition: action a in state s gave reward r and led to state next.

        terminated: a terminal state was reached; next is then ignored. truncated: the episode was
        stopped, as by a time limit; the value of next counts as after any other step.
        """
    def observe_many(
        self,
        states: ArrayLike,
        actions: ArrayLike,
        rewards: ArrayLike,
        next_states: ArrayLike,
        terminated: ArrayLike | None = None,
        truncated: ArrayLike | None = None,
    ) -> None:
        """Learn from many transitions in their order, up to the first that is refused."""
    def reset(self, seed: int = 1, replicate: int = 0) -> None:
        """Forget everything and start on the random stream (seed, replicate), as if created anew."""
    @property
    def reward_range(self) -> tuple[float, float]:
        """The smallest and the largest reward."""
    def save_bytes(self) -> bytes:
        """What a file of the agent holds: everything but the visits."""
    @property
    def spec(self) -> str:
        """The canonical spec: every parameter that applies."""
    @property
    def steps(self) -> int:
        """The number of transitions observed so far."""
    @property
    def visits(self) -> IntArray:
        """How often each pair was observed by this object: a read-only view that follows the agent."""

@final
class Document:
    """What an analysis found, as the command shows it."""
    def render(self, format: str = 'text', width: int = 80, table: str | None = None) -> str:
        """The document as text, markdown, json, csv (one table) or latex."""
    def tables(self) -> list[str]:
        """The names of its tables, for csv."""

class Model:
    """A finite Markov decision process; immutable."""
    @classmethod
    def from_spec(cls, spec: str, /) -> Self:
        """A model from a spec, as in 'chain:n=50'."""
    @property
    def hash(self) -> str:
        """SHA-256 of everything that can affect a run."""
    @property
    def n_actions(self) -> int:
        """The number of actions."""
    @property
    def n_states(self) -> int:
        """The number of states."""
    @property
    def spec(self) -> str:
        """The canonical spec; '' for a model that was built."""

class Random:
    """A random stream of the library (xoshiro256++), the same on every machine: keyed by seed,
    replicate and purpose (transition, start, agent, search, model, rollout, bootstrap).
    """
    def __new__(cls, seed: int = 1, replicate: int = 0, purpose: str = 'agent') -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object, /) -> Self: ...
    def __getstate__(self) -> tuple[int, int, int, int]: ...
    def __reduce__(self) -> tuple[object, ...]: ...
    def __setstate__(self, state: tuple[int, int, int, int], /) -> None: ...
    def below(self, n: int, /) -> int:
        """Uniform in 0 ... n-1. One draw."""
    def copy(self) -> Self:
        """A stream that continues as this one does."""
    def next(self) -> int:
        """The next 64 uniform bits."""
    def uniform(self) -> float:
        """Uniform in [0, 1), a multiple of 2**-53."""

@final
class Worlds:
    """Many copies of one model, stepped in one call."""
    def __new__(
        cls,
        model: Model,
        n: int = 1,
        seed: int = 1,
        first_replicate: int = 0,
        autoreset: str = 'NextStep',
        max_episode_steps: int | None = 0,
    ) -> Self: ...
    @property
    def autoreset(self) -> str:
        """'NextStep', 'SameStep' or 'Disabled'."""
    def close(self) -> None:
        """Free the worlds; no other call is then possible."""
    @property
    def closed(self) -> bool:
        """Whether close() was called."""
    @property
    def first_replicate(self) -> int:
        """World i has the random streams of replicate first_replicate + i."""
    @property
    def key(self) -> int:
        """The seed of the random streams."""
    @property
    def max_episode_steps(self) -> int:
        """An episode of so many steps is truncated; 0: no limit."""
    @property
    def model(self) -> Model:
        """The model of the worlds."""
    @property
    def n(self) -> int:
        """The number of worlds."""
    def reset(self, mask: BoolArray | None = None, /) -> IntArray:
        """Begin an episode in each world of the mask, or in all. The states of all worlds."""
    def reset_one(self) -> int:
        """Begin an episode in the first world."""
    def seed(self, seed: int, first_replicate: int = 0, /) -> None:
        """Return all worlds to the beginning of these random streams. They must be reset next."""
    @property
    def states(self) -> IntArray:
        """The state in which each world now is (a copy)."""
    def step(self, actions: IntArray, /) -> tuple[IntArray, FloatArray, BoolArray, BoolArray, IntArray]:
        """One step in every world: states, rewards, terminated, truncated and the states that the step
        itself reached, which differ from the first where SameStep began an episode. New arrays.
        """
    def step_one(self, action: int, /) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """A step of the only world: state, reward, terminated, truncated and an empty dict."""

def check_agent(spec: str, problem: Model | tuple[object, ...], /) -> list[tuple[bool, str]]:
    """The reasons why an agent cannot learn (True) or loses its guarantee (False) on a problem."""

def resolve_agent(spec: str, problem: Model | tuple[object, ...], /) -> str:
    """The canonical spec of an agent on a problem; nothing is created."""

def shape_of(problem: Model | tuple[object, ...], /) -> tuple[int, int, float, float, bool, BoolArray]:
    """What an agent may know of a problem: n_states, n_actions, reward_min, reward_max, episodic, absent."""

def spec_with(spec: str, key: str, value: str, /) -> str:
    """The spec with key=value: in place of the value that it gives to the key, or at its end."""

def types(kind: str, /) -> str:
    """A list of the library as JSON: agents, environments, metrics or theorems."""
