"""The C extension. Written by scripts/python-stubs from its docstrings; do not edit."""

import numpy.typing as npt
import os
from collections.abc import Callable, Collection, Sequence
from farsight._typing import BoolArray, FloatArray, IntArray, StrPath
from numpy.typing import ArrayLike
from typing import Any, Literal, final
from typing_extensions import Self

numerics: int
version: str

class Agent:
    """A learner. problem is a model, or a tuple (n_states, n_actions, reward_min, reward_max, episodic, absent, horizon, gamma, average, steps), of which the last four may be left out; steps is the length of the run (0: not known)."""
    def __init__(
        self,
        spec: str,
        problem: Model | tuple[object, ...],
        seed: int | None = 1,
        replicate: int = 0,
        steps: int = 0,
    ) -> None: ...
    def _clone(self) -> Self:
        """An independent copy, random stream and visits included; attributes of a subclass are not."""
    def _figure(
        self,
        model: Model,
        what: str,
        name: str | None = None,
        exact: bool = False,
        gamma: float = ...,
        scale: str = 'auto',
        width: float = 720.0,
        step: int = -1,
    ) -> Figure:
        """What it knows, on the layout of a model."""
    @classmethod
    def _load(cls, path: str | bytes | os.PathLike[str], /) -> Self:
        """An agent from a file."""
    def _policy(self, h: int = ..., /) -> FloatArray | None:
        """The probability of every action in every state on step h; None if there is no closed form."""
    def _restore(self, path: str | bytes | os.PathLike[str], /) -> None:
        """Take the state of a saved agent of the same spec and shape; visits begin at 0."""
    def _save(self, path: str | bytes | os.PathLike[str], /) -> None:
        """Write the agent to a file, without its visits."""
    def _set_visits(self, visits: npt.ArrayLike, /) -> None:
        """Set the counts of visits, as after loading."""
    def _values(self, kind: str, h: int = ..., /) -> FloatArray | None:
        """q, bonus, e, samples or learning of every pair on step h of an episode, by default the present one; None if the algorithm has none."""
    @property
    def absent(self) -> BoolArray:
        """True where a state is terminal or cannot be reached, as the agent was told."""
    def act(self, s: int, /) -> int:
        """The action to take in state s. Learns nothing; may draw from the agent's random stream."""
    def act_many(self, states: npt.ArrayLike, /) -> IntArray:
        """The actions to take in many states, in their order: as one call of act for each."""
    @property
    def by_step(self) -> bool:
        """Whether its policy depends on the step of the episode."""
    @property
    def certificate(self) -> float | None:
        """A bound on what its policy loses in an episode against the best; None: it has none, or its parameters are outside the guarantee."""
    @property
    def episode_step(self) -> int:
        """The step of the episode that comes next, from 0; always 0 without a horizon."""
    @property
    def episodic(self) -> bool:
        """Whether episodes can end."""
    @property
    def horizon(self) -> int | None:
        """The steps of an episode; None: no horizon."""
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
        states: npt.ArrayLike,
        actions: npt.ArrayLike,
        rewards: npt.ArrayLike,
        next_states: npt.ArrayLike,
        terminated: npt.ArrayLike | None = None,
        truncated: npt.ArrayLike | None = None,
    ) -> None:
        """Learn from many transitions in their order, up to the first that is refused."""
    def reset(self, seed: int | None = 1, replicate: int = 0) -> None:
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
    def stopped(self) -> bool:
        """Whether it has learned enough, by its own rule, and recommends its policy."""
    @property
    def uncertified(self) -> float | None:
        """What the certificate would be if the parameters carried the guarantee: nothing is proved of it. None: it has a certificate, or no number."""
    @property
    def visits(self) -> IntArray:
        """How often each pair was observed by this object: a read-only view that follows the agent."""

@final
class Batch:
    """The numbers of a study that was run."""
    def bands(self, cell: int, metric: int | None, /) -> FloatArray | None:
        """Mean and half-width of the 95% interval at each checkpoint, (2, K)."""
    def curve(self, cell: int, metric: int | None, /) -> FloatArray | None:
        """The same at each checkpoint, (K, runs); None if there is none. A view."""
    def document(self) -> Document:
        """All of it, as the command shows it."""
    def finished(self, cell: int, /) -> IntArray | None:
        """The replicates of the finished runs; None if all are."""
    @property
    def stopped(self) -> bool:
        """Whether it was stopped before all runs were finished."""
    def summary(self, cell: int, metric: int | None, /) -> dict[str, Any]:
        """agent, runs, computed, mean, std, ci95, min, max, seconds, hash."""
    def values(self, cell: int, metric: int | None, /) -> FloatArray:
        """A number of each finished run: the total, or a metric. A view."""

@final
class Device:
    """Who computes the runs of a call: 'cpu', 'gpu' or 'auto'."""
    def __new__(cls, device: str, /) -> Self: ...
    @property
    def done(self) -> tuple[str, int, float, str, str] | None:
        """The name of the device, the runs that it has computed, the seconds that this took, the estimates by which auto chose, and why there is no device or it is not used any more. None if threads compute all."""
    @property
    def warning(self) -> str:
        """What the user should know of failures; '' if nothing."""

@final
class Document:
    """What an analysis found, as the command shows it."""
    def draw(self, kind: str, part: int, look: dict[str, Any], /) -> Figure:
        """A figure of one of its parts (groups, agents); look may have x, y, width, most and parameter."""
    def render(
        self,
        format: str = 'text',
        width: int = 80,
        table: str | None = None,
        kinds: bool = False,
    ) -> str:
        """The document as text, markdown, json, csv (one table), latex or html."""
    def save(self, path: StrPath, /) -> int:
        """Writes it as a page of HTML; its size in bytes."""
    def tables(self) -> list[str]:
        """The names of its tables, for csv."""

@final
class Figure:
    """A drawing, which notebooks show by themselves; ``save`` writes it to a file."""
    def __repr__(self) -> str: ...
    def _repr_svg_(self) -> str:
        """For notebooks."""
    @property
    def description(self) -> str:
        """What is to be seen, in words and numbers."""
    @property
    def height(self) -> float:
        """In units of 1/96 inch."""
    @property
    def kind(self) -> str:
        """What kind of figure it is, such as "curves"."""
    def save(self, path: StrPath, theme: Literal['auto', 'light', 'dark'] = 'auto') -> None:
        """Writes a file, in the format of its ending: .svg, .tex (TikZ), .pdf or .png. The last two are converted by rsvg-convert or inkscape; an AbsentError if neither is installed."""
    def svg(self, theme: Literal['auto', 'light', 'dark'] = 'auto') -> str:
        """The drawing as SVG, a file of its own. With "auto" it is light or dark as the reader prefers."""
    def tikz(self) -> str:
        """The drawing as a tikzpicture for LaTeX, which needs the packages tikz and xcolor."""
    @property
    def title(self) -> str:
        """Its title, one line."""
    @property
    def width(self) -> float:
        """In units of 1/96 inch."""

class Model:
    """A finite Markov decision process; immutable."""
    @property
    def action_names(self) -> list[str | None] | None:
        """The names of the actions; None if no action has one."""
    @property
    def average(self) -> bool:
        """Whether what counts is the average reward of a step."""
    @property
    def caveat(self) -> str | None:
        """An assumption about what its file does not say, and that may be wrong."""
    @property
    def discount(self) -> float | None:
        """The discount that the model names, in (0, 1]; None if it names none."""
    def draw_start(self, random: Random, /) -> int:
        """Draw a state to start in. One draw from the stream."""
    def drawing(self, policy: IntArray | None = None, caption: str | None = None, /) -> Document | None:
        """A drawing of the layout, with an arrow for each state's action (-1: none); None if there is no layout
        of a line or a grid, or it is too large.
        """
    def dumps(self, format: str = 'json', discount: float | None = None) -> str:
        """The model file as a text."""
    @property
    def episodic(self) -> bool:
        """Whether an episode can end."""
    @classmethod
    def from_csr(
        cls,
        arrays: dict[str, Any],
        state_names: Sequence[str | None] | None = None,
        action_names: Sequence[str | None] | None = None,
        layout: dict[str, Any] | None = None,
        /,
    ) -> Self:
        """A model from arrays as to_csr returns them."""
    @classmethod
    def from_spec(cls, spec: str, gamma: float | None = None) -> Self:
        """A model from a spec, as in 'chain:n=50'. gamma is the problem's discount; a ValueError if the spec has another."""
    @property
    def gamma(self) -> float | None:
        """The problem's discount, the same for all agents: the one that the model names, or 0.95. None where nothing is discounted: with a horizon, or where the average reward counts."""
    @property
    def hash(self) -> str:
        """SHA-256 of everything that can affect a run."""
    @property
    def horizon(self) -> int | None:
        """The steps after which an episode is cut; None if there is no horizon."""
    @property
    def layout(self) -> dict[str, Any] | None:
        """Where its states stand in a drawing: kind ('line', 'grid' or 'graph'), width, height, x, y, labels, dx, dy, action_labels and walls (rows x0, y0, x1, y1)."""
    @property
    def live(self) -> BoolArray:
        """Which states can be reached and are not terminal, as an array (S,)."""
    @classmethod
    def load(cls, path: str | os.PathLike[str], format: str = 'auto', gamma: float | None = None) -> Self:
        """Read a model file: 'cassandra' (.mdp, .pomdp), 'drn' (.drn) or 'json' (.json); 'auto' goes by the
        extension, or else by the content. gamma replaces the file's discount.
        """
    @property
    def n_actions(self) -> int:
        """The number of actions."""
    @property
    def n_states(self) -> int:
        """The number of states."""
    @property
    def nbytes(self) -> int:
        """The memory that the model takes, in bytes."""
    def outcomes(self, s: int, a: int, /) -> list[tuple[float, int, float, bool]]:
        """How action a in state s can end: (probability, next state, reward, whether the next is terminal).
        Nothing in a terminal state.
        """
    @classmethod
    def read(cls, text: str, format: str = 'auto', gamma: float | None = None) -> Self:
        """Read a model from a text, as load does from a file."""
    @property
    def reward_range(self) -> tuple[float, float]:
        """The range of rewards that agents are told."""
    def save(self, path: str | os.PathLike[str], format: str = 'auto', discount: float | None = None) -> None:
        """Write a model file; 'auto' goes by the extension. A discount replaces the model's."""
    @property
    def spec(self) -> str:
        """The canonical spec; '' for a model that was built."""
    @property
    def start(self) -> FloatArray:
        """The start distribution, as an array (S,)."""
    @property
    def state_names(self) -> list[str | None] | None:
        """The names of the states; None if no state has one."""
    def step(self, s: int, a: int, random: Random, /) -> tuple[int, float, bool]:
        """Draw an outcome of action a in state s: next state, reward, whether the next is terminal.
        One draw from the stream.
        """
    @property
    def terminal(self) -> BoolArray:
        """Which states are terminal, as an array (S,)."""
    def to_csr(self) -> dict[str, Any]:
        """The model as arrays: the outcomes of pair s * n_actions + a have the numbers offsets[pair] to
        offsets[pair + 1] - 1 in probability, next and reward.
        """
    def unreachable(self) -> int:
        """The number of states that no run can reach."""

class Random:
    """A random stream of the library (xoshiro256++), the same on every machine: keyed by seed,
    replicate and purpose (transition, start, reward, agent, search, model, rollout, bootstrap, signs).
    """
    def __new__(cls, seed: int | None = 1, replicate: int = 0, purpose: str = 'agent') -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object, /) -> Self: ...
    def __getstate__(self) -> tuple[int, int, int, int]: ...
    def __reduce__(self) -> tuple[object, ...]: ...
    def __repr__(self) -> str: ...
    def __setstate__(self, state: tuple[int, int, int, int], /) -> None: ...
    def below(self, n: int, /) -> int:
        """Uniform in 0 ... n-1. One draw."""
    def copy(self) -> Self:
        """A stream that continues as this one does."""
    def next(self) -> int:
        """The next 64 uniform bits."""
    def uniform(self) -> float:
        """Uniform in [0, 1), a multiple of 2**-53."""

class Simulator:
    """An environment without a model."""
    def __new__(
        cls,
        name: str,
        shape: tuple[object, ...],
        make: Callable[[], tuple[Callable[[int], int], Callable[[int], tuple[int, float, bool, bool]]]],
        version: str | None = None,
        /,
    ) -> Self: ...
    def _stored_as(self) -> str:
        """What stores call it; an InvalidError if it has no version."""
    @property
    def name(self) -> str:
        """The name in tables and messages."""
    @property
    def shape(self) -> tuple[int, int, float, float, bool, BoolArray | None, int, float, bool, int]:
        """The numbers of states and actions, the reward range, whether episodes end, the states that no agent acts in, horizon, discount (0: none is given), whether the average reward counts, and 0."""
    @property
    def version(self) -> str | None:
        """By it and the name stores know the runs; None: no store takes them."""

class Store:
    """Results in one file."""
    def __init__(
        self,
        path: StrPath,
        mode: str = 'w',
        command: str | None = None,
        waiting: Any = None,
    ) -> None: ...
    def _add(
        self,
        model: Model,
        agent: str,
        steps: int,
        seed: int,
        replicate: int,
        total: float,
        checkpoints: Any,
        curve: Any,
        /,
    ) -> bool:
        """Adds a run of another program."""
    def _check(self) -> dict[str, Any]:
        """Reads everything."""
    def _columns(self, key: str, series: list[str], /) -> tuple[IntArray, FloatArray]:
        """Replicates, and the values of each series in them; NaN where a run has none."""
    def _export(self, path: StrPath, format: str, series: list[str], /) -> None:
        """Writes all numbers."""
    def _import(self, path: StrPath, /) -> dict[str, Any]:
        """Reads a CSV file."""
    def _merge(self, paths: list[str], /) -> int:
        """Adds other stores."""
    def _nearest(self, series: str, /) -> tuple[str, bool]:
        """The column that is meant, and whether it is exactly that."""
    def _records(self) -> list[dict[str, Any]]:
        """The cells that it has."""
    def _series(self, key: str | None = None, /) -> list[str]:
        """The columns of a cell, or of any."""
    def _snapshot(self, key: str, replicate: int, step: int, /) -> dict[str, Any] | None:
        """The first snapshot that is not before this replicate and step."""
    def close(self) -> None:
        """Closes it; a second time does nothing."""
    @property
    def closed(self) -> bool:
        """Whether it is closed."""
    def info(self) -> dict[str, Any]:
        """How much it holds: cells, runs, blocks, values, sessions, snapshots, seconds of processor time, bytes."""
    @property
    def path(self) -> str:
        """The path that it was opened with."""
    def sessions(self) -> list[dict[str, Any]]:
        """Where the results come from: version, machine, command and time of each session that wrote."""

class Study:
    """Environments x agents, checked and not yet run."""
    def __new__(
        cls,
        *,
        envs: list[str] | None = None,
        agents: list[str] | None = None,
        metrics: list[str] | None = None,
        steps: int | None = None,
        runs: int | None = None,
        seed: int | None = None,
        curve: str | None = None,
        until: str | None = None,
        snapshots: int | None = None,
        name: str | None = None,
        text: str | None = None,
        path: StrPath | None = None,
        models: list[Model | Simulator | None] | None = None,
        gamma: float | None = None,
        episodes: int | None = None,
    ) -> Self: ...
    def _cost(
        self,
        store: Store | None,
        store_name: str | None,
        threads: int | None,
        seconds: float,
        device: Device | None,
        /,
    ) -> tuple[Document, int, int, float, float, float]:
        """Estimates what it costs."""
    def _info(self) -> dict[str, Any]:
        """Everything that it says."""
    def _keep(self, store: Store, cell: int, first: int, values: FloatArray, agent: str, /) -> None:
        """Puts finished runs of a cell into a store; a row for each column of the batch."""
    def _model_hash(self, env: int, /) -> str:
        """SHA-256 of the model of an environment, or of a simulator's shape."""
    @property
    def _models(self) -> list[Model | Simulator | None]:
        """Models and simulators beside the given environments, None where one is a spec."""
    @property
    def _notes(self) -> list[tuple[bool, str | None, str | None, str | None, str]]:
        """Notes, each (severe, env, agent, metric, message)."""
    def _resolve(self, agent: str, env: int, /) -> str:
        """The canonical spec of an agent on an environment."""
    def _run(
        self,
        store: Store | None = None,
        store_name: str | None = None,
        threads: int | None = None,
        progress: Any = None,
        device: Device | None = None,
    ) -> tuple[Batch | None, BaseException | None]:
        """Runs it. What is finished, and the exception that stopped it."""
    def to_yaml(self) -> str:
        """The study as a YAML file, which the command and from_yaml read."""

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
    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: worlds in the same states that will see the same random numbers."""
    def __setstate__(self, state: ArrayLike, /) -> None:
        """For pickle."""
    @property
    def autoreset(self) -> str:
        """'NextStep', 'SameStep' or 'Disabled'."""
    def clone(self) -> Self:
        """A copy in the same states that will see the same random numbers: to look ahead."""
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
    def step(
        self,
        actions: ArrayLike,
        /,
    ) -> tuple[IntArray, FloatArray, BoolArray, BoolArray, dict[str, Any]]:
        """One step in every world: states, rewards, terminated, truncated, all new arrays, and a dict, which is
        empty but where SameStep began episodes: it then has final_obs, final_info and their masks.
        """
    def step_one(self, action: int, /) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """A step of the only world: state, reward, terminated, truncated and an empty dict."""

def audit(
    model: Model,
    agent: str,
    env: str,
    steps: int = 10000,
    runs: int = 100,
    seed: int = 1,
    first: int = 0,
    threads: int | None = 0,
    delta: float = 0.0,
    every: int = 1000,
    report: Callable[..., object] | None = None,
) -> tuple[Document, bool, BaseException | None]:
    """Audits an agent: what was found, whether a claim is violated, and the exception that has stopped it."""

def benchmark(
    agents: list[str],
    tuning: bool = False,
    runs: int = 20,
    seed: int = 2026,
    store: Store | None = None,
    threads: int | None = 0,
    report: Callable[..., object] | None = None,
) -> tuple[Document, list[tuple[str, str, float, float, float, str, float, int, int, float, bool, str]]]:
    """Judges agents on the suite: the document, and of every standing setting, agent, score, low, high, weakest, least, first, last, seconds, impossible, failure."""

def benchmark_suite() -> Document:
    """The problems of the suite, and how hard they are."""

def check_agent(spec: str, problem: Model | tuple[object, ...], /) -> list[tuple[bool, str]]:
    """The reasons why an agent cannot learn (True) or loses its guarantee (False) on a problem."""

def dependencies() -> list[tuple[str, str, str, str, str]]:
    """Name, version at build and at run time, licence and use of each library of others."""

def env_with_gamma(env: str, gamma: float, /) -> str:
    """The spec with this discount, unless it says itself what counts."""

def fit_table(path: StrPath, /) -> list[tuple[str, str, float, float, float]]:
    """The rows of a table to fit: environment, parameters of the agent, mean, and the unit of its distance
    and the standard deviation to be met, 0 where the table has none.
    """

def growth(
    env: str,
    agents: list[str],
    sizes: IntArray,
    key: str = 'n',
    measure: str = 'earned',
    eps: float = 0.5,
    gamma: float = ...,
    gamma_scale: float = 1.0,
    max_steps: int = 1000000,
    censored: float = 0.25,
    steps: int = 10000,
    runs: int = 100,
    seed: int = 1,
    threads: int | None = 0,
    store: Store | None = None,
    device: Device | None = None,
    report: Callable[..., object] | None = None,
) -> tuple[Document, list[tuple[bool, str | None, str | None, str | None, str]], BaseException | None]:
    """Runs a study of growth: the document, notes on the agents (severe, env, agent, metric, message), and the exception that has stopped the work."""

def growth_plan(path: StrPath, key: str, /) -> dict[str, Any]:
    """The arguments that the file of a study of growth has."""

def integers(text: str, /) -> IntArray:
    """The whole numbers of a list with ranges, as in '5,10,20..50 step 10'."""

def layout_figure(
    model: Model,
    panels: tuple[Any, ...],
    pairs: bool = False,
    whole: bool = False,
    total: bool = False,
    empty: bool = False,
    low: float = ...,
    high: float = ...,
    scale: str = 'auto',
    title: str | None = None,
    what: str | None = None,
    width: float = 720.0,
) -> Figure:
    """Numbers on the layout of a model: of each panel (title, values, policy, visits)."""

def limits() -> tuple[int, int]:
    """The most memory and the most states that the process may use; 0: no limit."""

def pac(
    theorems: list[str],
    model: Model | None = None,
    states: float = 0,
    actions: float = 0,
    rmin: float = 0.0,
    rmax: float = 1.0,
    episodic: bool = False,
    gamma: float = ...,
    eps: float = ...,
    delta: float = ...,
    gamma_e: float = ...,
    diameter: float = ...,
    steps: float = 0.0,
    horizon: float = ...,
) -> tuple[Document, Document, str]:
    """Evaluates theorems (none: all) on a problem: the answer, its derivation, and why there is no diameter. NaN stands for what is not given."""

def page(
    options: dict[str, Any],
    store: Store,
    envs: list[str],
    agents: list[str],
    series: str = 'total',
    baseline: str | None = None,
    steps: int = 0,
    run_seed: int | None = None,
    better: str = 'known',
    paired: bool = False,
    level: float = 0.95,
    correction: str = 'holm',
    resamples: int = 10000,
    seed: int = 1,
    most_agents: int = 60,
    report: Callable[[str, int, int], object] | None = None,
    models: list[Model] | None = None,
    env_names: list[str] | None = None,
    agent_names: list[str] | None = None,
    episodes: int = 0,
) -> Document:
    """The page of a store; options may have name, figures, audit, audit_runs, audit_steps, most_agents and threads, the rest is as in stats."""

def pairwise(document: Document, group: int, /) -> Document:
    """All pairs of agents of a group of a comparison, which is given by its document."""

def plot(
    kind: str,
    look: dict[str, Any],
    store: Store,
    envs: list[str],
    agents: list[str],
    series: str = 'total',
    baseline: str | None = None,
    steps: int = 0,
    run_seed: int | None = None,
    better: str = 'known',
    paired: bool = False,
    level: float = 0.95,
    correction: str = 'holm',
    resamples: int = 10000,
    seed: int = 1,
    most_agents: int = 60,
    report: Callable[[str, int, int], object] | None = None,
    models: list[Model] | None = None,
    env_names: list[str] | None = None,
    agent_names: list[str] | None = None,
    episodes: int = 0,
) -> Figure:
    """A figure of stored results; look may have x, y, width, most, parameter and per_step, the rest is as in stats."""

def plot_kinds() -> list[tuple[str, str]]:
    """The kinds of plots of stored results: name, and summary in a line."""

def rank(
    runs: list[FloatArray],
    n_agents: int,
    alpha: float = 0.05,
    first: int = 100,
    growth: float = 1.5,
    most: int = 10000,
    seed: int = 1,
    lower: bool = False,
) -> list[tuple[int, int, int, int, int, int, float, float, float, bool]]:
    """Ranks agents by their runs, environment after environment: of every pair env, a, b, better (1: a, -1: b, 0: a tie), look, runs, difference, p, p_adjusted, skewed."""

def register_agent(
    name: str,
    summary: str,
    rows: list[tuple[object, ...]],
    make: Callable[..., object],
    hooks: Collection[str],
    /,
) -> None:
    """Registers an agent that is written in Python; see farsight.PyAgent."""

def reproduce(
    runs: int = 300,
    seed: int = 1,
    threads: int | None = 0,
    directed: str | None = None,
    device: Device | None = None,
    report: Callable[..., object] | None = None,
) -> tuple[Document, float, list[FloatArray], BaseException | None]:
    """Computes the paper's tables: the document, the distance from the paper's numbers, the totals of each cell, and the exception that has stopped the work."""

def resolve_agent(spec: str, problem: Model | tuple[object, ...], /) -> str:
    """The canonical spec of an agent on a problem; nothing is created."""

def resolve_env(env: str, /) -> str:
    """The canonical spec of an environment; nothing is built."""

def set_limits(memory: int, states: int, /) -> None:
    """Sets them, from now on."""

def shape_of(
    problem: Model | tuple[object, ...],
    /,
) -> tuple[int, int, float, float, bool, BoolArray | None, int, float, bool, int]:
    """What an agent may know of a problem: n_states, n_actions, reward_min, reward_max, episodic, absent, horizon, gamma, average, steps; 0 is none."""

def size_of(text: str, /) -> int:
    """The bytes of '512M' or '4G'."""

def solution_document(solution: object, most_rows: int = 24, /) -> Document:
    """What a solution says; tables of more rows than that show the first and the last (0: all)."""

def solve(
    model: Model,
    kind: str = 'discounted',
    gamma: float = ...,
    tolerance: float = 1e-06,
    method: str = 'auto',
    max_sweeps: int = 0,
    horizon: int = 0,
    actions: IntArray | None = None,
    probabilities: FloatArray | None = None,
    structure: bool = False,
    diameter: bool = False,
    threads: int | None = 0,
    device: str = 'cpu',
    report: Callable[[str, int, float], object] | None = None,
) -> tuple[object, dict[str, Any]]:
    """Solves a model: the solution, for solution_document, and its numbers; "warning" among them if a device failed."""

def spec_with(spec: str, key: str, value: str, /) -> str:
    """The spec with key=value: in place of the value that it gives to the key, or at its end."""

def stats(
    store: Store,
    envs: list[str],
    agents: list[str],
    series: str = 'total',
    baseline: str | None = None,
    steps: int = 0,
    run_seed: int | None = None,
    better: str = 'known',
    paired: bool = False,
    level: float = 0.95,
    correction: str = 'holm',
    resamples: int = 10000,
    seed: int = 1,
    most_agents: int = 60,
    report: Callable[[str, int, int], object] | None = None,
    models: list[Model] | None = None,
    env_names: list[str] | None = None,
    agent_names: list[str] | None = None,
    episodes: int = 0,
) -> tuple[Document, list[dict[str, Any]], bool]:
    """Compares stored results: the document, of each group its environments (label, spec, why the model is not used), agents and cells (values and replicates), and whether the series is the one that was asked for. env_names and agent_names stand for the labels of envs and agents if the answer is one group that has all of these."""

def train_in(
    agent: Agent,
    worlds: Worlds,
    s: int,
    over: bool,
    total: float,
    length: int,
    limit: int,
    arrays: tuple[FloatArray, FloatArray, IntArray, BoolArray],
    episodes: int,
    /,
) -> tuple[int, int, int, bool, float, int]:
    """Act and learn in the one world of worlds, until the arrays (rewards; returns, lengths and terminated of
    episodes) are full or so many episodes have ended. s: the state; over: the next step begins an episode;
    total, length: of the episode so far; limit: truncates an episode of so many steps, 0: never.
    Returns (steps, episodes, s, over, total, length).
    """

def tune(
    agents: list[str],
    models: list[Model | Simulator],
    names: list[str],
    parameters: list[str] | None = None,
    targets: FloatArray | None = None,
    relative: bool = False,
    method: str = 'halving',
    budget: int = 0,
    steps: int = 10000,
    runs: int = 30,
    evaluate: int = 300,
    profile: int = 100,
    seed: int = 1,
    threads: int | None = 0,
    store: Store | None = None,
    device: Device | None = None,
    report: Callable[..., object] | None = None,
    score: str | None = None,
) -> tuple[Document, list[tuple[bool, FloatArray, FloatArray]], BaseException | None]:
    """Searches the parameters of agents: the document; of each agent whether it is chosen, and the scores of its runs, tuned and with its defaults; the exception that has stopped the work."""

def tune_plan(path: StrPath, /) -> dict[str, Any]:
    """The arguments that the file of a search has."""

def types(kind: str, /) -> str:
    """A list of the library as JSON: agents, environments, metrics or theorems."""
